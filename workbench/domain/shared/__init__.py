"""What sessions share: a fold over the shared stream, claims, and merging."""
