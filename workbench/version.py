"""The version, apart from all else, so that to print it imports nothing; pyproject.toml reads it too."""

VERSION = "1.0.0rc1"
