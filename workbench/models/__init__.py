"""How language models are reached."""
