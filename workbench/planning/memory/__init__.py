"""What is brought into a session's memory, searched in others, and forgotten."""
