"""A value that a text names: a stretch of it, what kind of value it is, and what it says.

"Move billing by 30 June for at most 20k EUR" ─▶ date 2027-06-30 "30 June" · amount 20000 EUR, at most "20k EUR"
"""

from __future__ import annotations

from typing import Literal

import msgspec

ValueType = Literal["date", "amount", "duration", "capacity"]


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said, typed; a value sets the fields of its type and no others."""

    first: str | None = msgspec.field(default=None, name="from")
    """Of a date: its first day, ISO 8601."""
    last: str | None = msgspec.field(default=None, name="to")
    """Of a date: its last day, included."""
    limit: str | None = None
    """Of a date with "before" ahead of it: the last day that is before it."""
    recurs: str = ""
    """Of a date that comes again: an RRULE, as ``FREQ=WEEKLY;BYDAY=SA``."""
    part_of_day: str = ""
    """Of a date: morning, afternoon, evening or night."""
    time: str = ""
    """Of a date: the time of day, or the first of two: ``09:30``."""
    number: float | None = None
    """Of an amount, a duration or a capacity; of a range, its lower end. Of a date that comes again, how often."""
    up_to: float | None = None
    """Upper end of a range."""
    bound: Literal["", "at most", "at least"] = ""
    """Of an amount: which side of it is meant, as in "no fee above 15 EUR": at most."""
    currency: str = ""
    """Of an amount of money, ISO 4217."""
    per: str = ""
    """What an amount or a capacity is for each of: day, week, month, year, person."""
    unit: str = ""
    """Of a duration or a capacity: minute, hour, day, working day, week, month, year; of an amount: % or what is
    counted, as ``guests``."""


class NamedValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stretch of a text, and the value that it names."""

    text: str
    start: int
    """Index of its first character in the text."""
    end: int
    """Index after its last character."""
    type: ValueType
    value: Value = Value()
    doubt: str = ""
    """Why a person should look at it: ``13 May 2027 is a Thursday``; "" if nothing speaks against it."""
