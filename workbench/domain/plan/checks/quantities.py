"""Prices and counts within sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from workbench.domain.facts.amounts import amount_facts
from workbench.domain.facts.fact import Fact
from workbench.domain.facts.plain import plain_text
from workbench.domain.plan.plan import Money

_SMALL = "one two three four five six seven eight nine ten eleven twelve"
_WORDS = {word: number for number, word in enumerate(_SMALL.split(), start=1)}
NUMBER_WORDS = "|".join(_WORDS)
"""The small numbers as words, for patterns."""
_DIGIT = re.compile(rf"\d|\b(?:{NUMBER_WORDS}|half|dozen|hundred|thousand|million)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:at most|up to|no more than|not more than|no longer than|max(?:imum)?|below|under|within|less than|limit\w*"
    r"|cap(?:ped)?|not exceed|budget (?:is|of)|costs? (?:is|of))\b|\bbudget:",
    re.IGNORECASE,
)


@lru_cache(maxsize=2_000)  # each check asks for the same texts
def _amounts(text: str) -> tuple[Fact, ...]:
    return amount_facts(text, plain_text(text), ()) if _DIGIT.search(text) else ()


@dataclass(frozen=True, slots=True)
class Price:
    """An amount of money in a text."""

    money: Money
    start: int
    """Where it begins in the text."""
    end: int
    is_bound: bool
    """Whether it is a most or a least, and no price."""


def prices(text: str) -> Iterator[Price]:
    """Yield the amounts of money that a text names."""
    for fact in _amounts(text):
        value = fact.value
        if value.currency and value.number is not None and fact.core is not None:
            near = text[max(0, fact.core[0] - _NEAR) : fact.core[0]]
            is_bound = bool(value.bound or _LIMIT.search(near))
            yield Price(Money(Decimal(f"{value.up_to or value.number:.12g}"), value.currency), *fact.core, is_bound)


_NEAR = 30
"""Letters before an amount in which a word makes a bound of it."""


def count_of(text: str) -> int:
    """Return a count that is written in digits or as a word; 1 for "a" and "an"."""
    digits = text.replace(",", "")
    return int(digits) if digits.isdigit() else _WORDS.get(text.lower(), 1)
