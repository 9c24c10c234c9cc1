"""A session: its events, and its state as a fold over them."""
