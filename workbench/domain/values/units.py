"""How long the units of time are: the one table for everybody who turns a length into days.

A month of work is 21 working days, a month of the calendar 30.4 days. Where a month has a date, count from the date
instead (``calendar_words.months_later``).
"""

from __future__ import annotations

HOURS_A_DAY, MINUTES_A_DAY = 8, 480
"""Of work."""
WORKING_DAYS = {
    "minute": 1 / MINUTES_A_DAY,
    "hour": 1 / HOURS_A_DAY,
    "day": 1.0,
    "working day": 1.0,
    "week": 5.0,
    "month": 21.0,
    "year": 250.0,
}
"""Working days in each unit."""
CALENDAR_DAYS = {
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "working day": 1.4,
    "week": 7.0,
    "month": 30.4,
    "year": 365.0,
}
"""Days of the calendar in each unit, from the first to the last."""
