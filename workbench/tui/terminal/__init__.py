"""The terminal or browser on the other side: what it sends, and what may go out to it."""
