"""A fact: a stretch of a person's text, what it is, and its value.

    "Move billing by 30 June for at most 20k EUR; Anna must sign off" ──read_facts──▶
        deliverable  "Move billing"             date  deadline  2027-06-30
        amount       budget  20000 EUR          condition  "Anna must sign off"  (and the person Anna inside it)

Each word of a text stands in some fact; what no rule understands is of the type ``unread``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FactType = Literal[
    "date", "amount", "duration", "capacity", "person", "place", "deliverable", "exclusion", "condition", "quality",
    "unread",
]  # fmt: skip
Role = Literal["", "deadline", "on", "start", "period", "mention", "budget", "price", "target", "count"]
"""Of a date: deadline, on, start, period or mention. Of an amount: budget, price, target, count or mention."""


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a fact says, typed; a fact sets the fields of its type and no others."""

    first: str | None = msgspec.field(default=None, name="from")
    """Of a date: its first day, ISO 8601."""
    last: str | None = msgspec.field(default=None, name="to")
    """Of a date: its last day, included."""
    limit: str | None = None
    """Of a date: the last day that keeps a deadline, or the first day that keeps a start."""
    recurs: str = ""
    """Of a date that comes again: an RRULE, as ``FREQ=WEEKLY;BYDAY=SA``."""
    part_of_day: str = ""
    """Of a date: morning, afternoon, evening or night."""
    time: str = ""
    """Of a date: the time of day at which it begins, or by which: ``09:30``."""
    number: float | None = None
    """Of an amount, a duration or a capacity; of a range, its lower end."""
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
    name: str = ""
    """Of a person or a place."""


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stretch of a text, and what it says."""

    text: str
    start: int
    """Index of its first character in the text."""
    end: int
    """Index after its last character."""
    type: FactType
    role: Role = ""
    value: Value = Value()
    core: tuple[int, int] | None = None
    """Of a date or an amount: where it stands itself, without the words that say what it is for."""
    doubt: str = ""
    """Why a person should look at it: ``13 May 2027 is a Thursday``; "" where nothing speaks against it."""
