"""What models are asked: prompts, what they hold, and what is recorded of an answer."""
