"""What every stream of events has: the envelope, the ids, how bodies are written and read."""
