"""The planning workbench: plan with language models, in sessions that are isolated, visible and replayable."""
