"""Following what is committed to a stream, woken at once, and told to end."""
