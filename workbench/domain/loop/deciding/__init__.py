"""Where the loop stops and a person decides: gates, bounds, and what is told there."""
