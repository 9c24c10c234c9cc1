"""The version, apart from all else, so that to print it imports nothing; pyproject.toml reads it too."""

VERSION = "0.1.0"
