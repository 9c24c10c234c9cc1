"""Texts: cleaned where they enter, found again wherever they stand."""
