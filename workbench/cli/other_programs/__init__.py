"""Commands by which other programs take part, and their plans are reviewed."""
