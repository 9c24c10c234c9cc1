"""How events are kept."""
