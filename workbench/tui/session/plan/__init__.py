"""The plan in the middle: its page and tables, cells that are edited, and commands."""
