"""Plans of other programs under review."""
