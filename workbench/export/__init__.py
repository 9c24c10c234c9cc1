"""What leaves the workspace."""
