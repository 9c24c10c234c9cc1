"""What a session remembers, and how it is searched."""
