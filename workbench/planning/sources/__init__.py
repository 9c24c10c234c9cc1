"""Where gaps are looked up: files of the project without its secrets, and the web."""
