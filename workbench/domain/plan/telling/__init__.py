"""A plan, its figures and its schedule in words."""
