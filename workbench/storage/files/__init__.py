"""Logs in files, in a folder beside a person's work."""
