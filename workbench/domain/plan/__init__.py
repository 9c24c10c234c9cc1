"""The plan: its items, its dates, its checks, its Markdown."""
