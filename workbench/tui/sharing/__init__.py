"""What sessions share."""
