"""A session: its screen, and the rows that are painted on it."""
