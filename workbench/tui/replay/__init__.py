"""A session that is walked through, forked, or compared."""
