"""Amounts within sentences: how much, of what, and whether it is a limit.

"Not more than 60,000 EUR for external help"  ──▶ 60000, EUR, limit, about {extern, help, budget}
"at most 21 days without a working stove"     ──▶ 21, "", limit, about {day, work, stov}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from workbench.domain.facts.amounts import amount_facts
from workbench.domain.facts.fact import Fact, Value
from workbench.domain.facts.plain import plain_text
from workbench.domain.plan.plan import Money
from workbench.domain.text.words import stem_set, stems

_SMALL = "one two three four five six seven eight nine ten eleven twelve"
_WORDS = {word: number for number, word in enumerate(_SMALL.split(), start=1)}
NUMBER_WORDS = "|".join(_WORDS)
"""The small numbers as words, for patterns."""
_DIGIT = re.compile(rf"\d|\b(?:{NUMBER_WORDS}|half|dozen|hundred|thousand|million)\b", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?=\W*$)")
"""A number that ends a sentence, as a target does: "days without a stove: at most 10"."""
_LIMIT = re.compile(
    r"\b(?:at most|up to|no more than|not more than|no longer than|max(?:imum)?|below|under|within|less than|limit\w*"
    r"|cap(?:ped)?|not exceed|budget (?:is|of)|costs? (?:is|of))\b|\bbudget:",
    re.IGNORECASE,
)
_FLOOR = re.compile(r"\b(?:at least|more than|above|over|minimum|not less than|no less than)\b", re.IGNORECASE)
_NOT_A_FLOOR = re.compile(r"\bno(?:t)? more than\b", re.IGNORECASE)
_OF_LIMITS = "most more less than limit cap maximum max exceed within total sum amount spent"
_BESIDE_THE_POINT = stem_set(_OF_LIMITS)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a sentence."""

    value: float
    unit: str
    """A currency's code or %; "" where the unit is one of the words."""
    limit: bool
    """True for what must not be exceeded."""
    about: frozenset[str]
    """Telling words of the sentence, numbers left out; a limit of money is always about the budget."""


def amount(sentence: str) -> Amount | None:
    """Return the amount that a sentence states; None for a sentence with none, several, or a lower bound."""
    facts, bare = _amounts(sentence), _BARE.search(sentence)
    if not facts and bare is not None:
        value, (start, end) = Value(number=float(bare[0].replace(",", ""))), bare.span()
    elif len(facts) == 1:
        value, (start, end) = facts[0].value, facts[0].core or (0, 0)
    else:
        return None
    if value.number is None or value.up_to is not None or _FLOOR.search(_NOT_A_FLOOR.sub("", sentence)):
        return None
    limit = _LIMIT.search(sentence) is not None
    unit = value.currency or ("%" if value.unit == "%" else "")
    rest = f"{sentence[:start]} {'' if unit else sentence[start:end]} {sentence[end:]}"
    words = frozenset(word for word in stems(rest) if not word[0].isdigit() and word not in _WORDS) - _BESIDE_THE_POINT
    about = words | {"budget"} if limit and value.currency else words
    return Amount(value=value.number, unit=unit, limit=limit, about=about)


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
    return int(text) if text.isdigit() else _WORDS.get(text.lower(), 1)
