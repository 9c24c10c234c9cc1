"""The values that a text names: dates, times, money, durations and counts, in the order of the text.

    "Move by 30 June for at most 20k EUR" ─▶ 30 June 2027 · 20,000 EUR

A value is a hint beside the words, and never more: only what is read beyond doubt is returned.
"""

from __future__ import annotations

from datetime import date

from workbench.domain.values.amounts import read_amounts
from workbench.domain.values.dates import read_dates
from workbench.domain.values.named_value import NamedValue
from workbench.domain.values.plain import plain_text

MOST_READ = 20_000
"""Characters of a text in which values are looked for."""


def read_values(text: str, today: date) -> tuple[NamedValue, ...]:
    """Return the values of a text that are read beyond doubt. Days without a year are counted from ``today``."""
    text = text[:MOST_READ]
    plain = plain_text(text)
    dates = read_dates(text, plain, today)
    amounts = read_amounts(text, plain, [(date_.start, date_.end) for date_ in dates])
    found = sorted((*dates, *amounts), key=lambda one: (one.start, -one.end))
    return tuple(one for one in found if not one.doubt)
