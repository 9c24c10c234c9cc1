"""What a line, heading or cell says: its marks, labels and values."""
