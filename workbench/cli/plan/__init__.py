"""Commands that plan: run, import, templates, and what an agent of one's own is asked."""
