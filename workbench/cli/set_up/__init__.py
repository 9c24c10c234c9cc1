"""Commands that set the workbench up: settings, what is missing, whom to trust, where logs are."""
