"""A cursor over a saved session's log."""
