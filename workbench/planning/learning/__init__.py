"""What saved sessions teach: cases, patterns over many of them, and lessons."""
