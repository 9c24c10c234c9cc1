"""Logs on a Redis or Valkey server."""
