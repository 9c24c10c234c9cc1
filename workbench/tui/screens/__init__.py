"""Screens: each composes widgets and turns their messages into one call of the core."""
