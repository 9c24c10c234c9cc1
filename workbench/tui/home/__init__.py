"""The list of plans, and the first screen."""
