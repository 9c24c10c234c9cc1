"""Saved sessions as TinyDB databases."""
