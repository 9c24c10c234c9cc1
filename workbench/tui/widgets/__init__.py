"""Widgets: each renders what it is given, and posts what a person did."""
