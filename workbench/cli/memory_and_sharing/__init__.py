"""Commands over what a session remembers, and what sessions share."""
