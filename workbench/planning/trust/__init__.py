"""What models, tools and programs may do, and the record of who allowed it."""
