"""What is done to a session beside its loop, by its person or another program. Needs no model."""
