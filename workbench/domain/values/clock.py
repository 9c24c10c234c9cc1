"""Times of day as people write them: "9:30" · "5 pm" · "noon" · "quarter past nine" ──time_of──▶ "09:30"."""

from __future__ import annotations

import re

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.days import alternatives
from workbench.domain.values.numbers import single_at

_HOURS = "one two three four five six seven eight nine ten eleven twelve"
_NAMED = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}
_HALF = r"(?:\s?(?P<{}>[ap])\.?m\b\.?)"
_TO = r"(?:\s?-\s?|\s(?:to|until|till|and(?=\s\d{1,2}(?:[:.]\d\d)?\s?[ap]))\s)"
_CLOCK = (
    rf"(?:(?P<named>{alternatives(_NAMED)})|(?:(?P<past>half|quarter)\s(?P<sign>past|to)\s)?"
    rf"(?:(?P<hour>[01]?\d|2[0-4])(?:[:.h](?P<minute>[0-5]\d))?|(?P<word>{alternatives(_HOURS.split())}))"
    rf"(?P<mark>{_HALF.format('half')}|\s?(?:o'clock|uhr\b))?"
    rf"(?:{_TO}(?P<to>[01]?\d|2[0-4])(?:[:.][0-5]\d)?{_HALF.format('until')}?(?![\d.:]))?)(?![\w%])"
)
_AFTER = lazy_pattern(
    rf"(?P<lead>,?\s(?:(?:at|by|from|before|around|about|between|um|gegen|ab)\s)?(?:about\s|around\s)?|t(?=\d\d:)){_CLOCK}"
)
_BEFORE = lazy_pattern(
    rf"(?<![\w.:])(?P<lead>(?:(?:at|from|between|um|ab)\s(?:an?\s)?)?){_CLOCK},?\s(?:(?:on|am)\s)?(?:the\s)?$"
)
_EARLIEST = 8
"""Hour from which "at 9" is in the morning; "at 5" may be either."""


def time_before(plain: str, at: int) -> tuple[int, str] | None:
    """Return the time that is before a day, with its place: "at 5 pm on Friday"."""
    match = _BEFORE.search(plain, max(0, at - 40), at)
    time = _time_of(match) if match is not None else ""
    return (match.start(), time) if match is not None and time else None


def time_after(plain: str, at: int) -> tuple[int, str] | None:
    """Return where the time ends that is after a day, and the time: "Friday, 14:00"."""
    match = _AFTER.match(plain, at)
    time = _time_of(match) if match is not None else ""
    return (match.end(), time) if match is not None and time else None


def _time_of(match: re.Match[str]) -> str:
    """Return a time as ``09:30``; "" for a number that need not be one."""
    if match["named"]:
        return _NAMED[match["named"]]
    number = single_at(match["word"], 0) if match["word"] else None
    hour, minute = int(number.value if number is not None else match["hour"]), int(match["minute"] or 0)
    is_written = match["minute"] and f"{match['hour']}." not in match[0]  # "4.50" may be a price
    is_sure = is_written or match["mark"] or match["past"] or match["until"]
    if not is_sure and (match["lead"].split()[:1] != ["at"] or hour < _EARLIEST):
        return ""
    is_evening = match["half"] == "p" or (match["until"] == "p" and hour < int(match["to"]))
    if is_evening and hour < 12:
        hour += 12
    elif match["half"] == "a" and hour == 12:
        hour = 0
    if match["past"]:
        past = (30 if match["past"] == "half" else 15) * (-1 if match["sign"] == "to" else 1)
        hour, minute = divmod(hour * 60 + past, 60)
    return f"{hour % 24:02}:{minute:02}"
