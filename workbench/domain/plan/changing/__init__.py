"""Changes of a plan: operations, what differs, what was done, and how it is undone."""
