"""Dates, times, amounts and durations in texts: what they say, exactly, or nothing."""
