"""The loop, its roles and its gates."""
