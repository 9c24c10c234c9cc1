"""What sessions tell each other: one key/value context, kept in a log of its own."""
