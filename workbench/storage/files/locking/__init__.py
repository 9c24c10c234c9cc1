"""Locks on a session's file, by what the system offers."""
