"""What a person said, word for word, and what became of it."""
