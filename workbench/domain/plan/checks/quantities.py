"""Amounts within sentences: how much, of what, and whether it is a limit.

"Not more than 60,000 EUR for external help"  ──▶ 60000, EUR, limit, about {extern, help, budget}
"at most 21 days without a working stove"     ──▶ 21, "", limit, about {day, work, stov}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from workbench.domain.plan.plan import Money
from workbench.domain.text.words import stem_set, stems

_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve"
_CURRENCIES = {
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "$": "USD",
    "usd": "USD",
    "dollar": "USD",
    "dollars": "USD",
    "£": "GBP",
    "gbp": "GBP",
    **{code.lower(): code for code in ["CHF", "SEK", "DKK", "NOK", "PLN", "CZK", "HUF", "JPY", "AUD", "NZD", "INR"]},
}
NUMBER_WORDS = f"one|{_NUMBER_WORDS.replace(' ', '|')}"
"""The small numbers as words, for patterns."""
_WORDS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split(), start=2)}
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_NUMBER = r"\d+(?:[.,]\d{3})*(?:[.,]\d+)?"
_MONEY = "|".join(map(re.escape, sorted(_CURRENCIES, key=len, reverse=True)))
_AMOUNT = re.compile(
    rf"(?P<before>[€$£]|\b(?:EUR|USD|GBP"
    rf"|CHF)\b)? ?(?<![\w.,-])(?P<number>{_NUMBER})(?P<thousands>k\b)? ?(?P<unit>(?:{_MONEY})(?!\w)|%)?",
    re.IGNORECASE,
)
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
    sentence = _WORD.sub(lambda word: _WORDS[word[0].lower()], sentence)
    found = list(_AMOUNT.finditer(sentence))
    if len(found) != 1 or _FLOOR.search(_NOT_A_FLOOR.sub("", sentence)):
        return None
    written = found[0]["before"] or found[0]["unit"] or ""
    unit = _CURRENCIES.get(written.lower(), written)
    limit = _LIMIT.search(sentence) is not None
    rest = _AMOUNT.sub(" ", sentence)
    words = frozenset(word for word in stems(rest) if not word[0].isdigit()) - _BESIDE_THE_POINT
    money = limit and unit in _CURRENCIES.values()
    return Amount(
        value=_value(found[0]["number"]) * (1000 if found[0]["thousands"] else 1),
        unit=unit,
        limit=limit,
        about=words | {"budget"} if money else words,
    )


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
    for match in _AMOUNT.finditer(text):
        written = match["before"] or match["unit"] or ""
        currency = _CURRENCIES.get(written.lower())
        if currency:
            amount = Decimal(_digits(match["number"])) * (1000 if match["thousands"] else 1)
            start = match.start("before" if match["before"] else "number")
            near = text[max(0, start - _NEAR) : start]
            is_bound = bool(_LIMIT.search(near) or _FLOOR.search(near) or _BOUND_AFTER.match(text, match.end()))
            yield Price(Money(amount, currency), start, match.end(), is_bound)


_BOUND_AFTER = re.compile(r" (?:at (?:the )?(?:most|least)|or (?:less|more|better)|max)", re.IGNORECASE)
_NEAR = 30
"""Letters before an amount in which a word makes a bound of it."""


def count_of(text: str) -> int:
    """Return a count that is written in digits or as a word; 1 for "a" and "an"."""
    return int(text) if text.isdigit() else int(_WORDS.get(text.lower(), "1"))


def _digits(number: str) -> str:
    """Return a number without its thousands separators, with a point for decimals."""
    return re.sub(r"[.,](?=\d{3}(?!\d))", "", number).replace(",", ".")


def _value(number: str) -> float:
    return float(_digits(number))
