"""Damaged session files: what of them is sound, what can be read, and their repair."""
