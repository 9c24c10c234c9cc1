"""Themes, keys, models, and forms."""
