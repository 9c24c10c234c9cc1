"""The formats that plans come in, a reader for each."""
