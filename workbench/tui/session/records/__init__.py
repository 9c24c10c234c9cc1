"""What a session's records say: of prompts, of memory, and of who sees what."""
