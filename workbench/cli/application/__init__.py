"""Commands that open the application: in this terminal, or for a browser."""
