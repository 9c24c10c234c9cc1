"""Amounts as people write them: money, shares, durations and counts, with their words kept.

    "€40k" · "40,000 euros" · "3 %" · "two weeks of overlap" · "120 guests" ──find_amounts(text)──▶ Amount*

Amounts are kept as they are written and shown again that way: a plan that says "40,000 euros" where its reader said
"40,000 euros" cannot have converted anything wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from workbench.guided.dates import NUMBER_WORDS

Kind = Literal["money", "share", "duration", "count", "number"]


class Amount(msgspec.Struct, frozen=True, kw_only=True):
    """An amount found in a text."""

    text: str
    """As it is written, with what is counted: ``120 guests``."""
    kind: Kind
    start: int
    end: int


_DIGITS = r"\d{1,3}(?:[ \u00a0\u202f.,'’]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?"
_SCALE = r"(?:\s?(?:k|m|mn|mio|bn|tsd|thousand|million|millions|billion|hundred|tausend|millionen|mille|mil)\b\.?)"
_RANGE = rf"(?:{_DIGITS}){_SCALE}?(?:\s?(?:-|–|to)\s?(?:{_DIGITS}){_SCALE}?)?"
_CURRENCY = (
    r"(?:euros?|eur|us\s?dollars?|dollars?|usd|pounds?(?:\s+sterling)?|gbp|chf|francs?|franken|yen|jpy|yuan|cny|rupees?|"
    r"inr|kronor|kroner|sek|nok|dkk|z[lł]oty|pln|pesos?|mxn|reais|brl|aud|cad|cents?)"
)
_RATE = r"(?:\s+(?:a|per|each|every)\s+(?:day|week|month|quarter|year|person|head|guest|unit)\b)?"
_SMALL_NUMBER = "|".join(
    sorted(
        (word for word, number in NUMBER_WORDS.items() if number > 1 and word.isascii() and len(word) > 2),
        key=len,
        reverse=True,
    )
)
_UNIT_OF_TIME = (
    r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|quarters?|years?|stunden?|tagen?|wochen?|monaten?)"
)
_NOT_COUNTED = (
    r"(?!(?:and|or|of|by|to|in|on|at|for|with|without|from|the|a|an|is|are|per|than|then|but|as|if|so|und|oder|im|am|et|"
    r"y|en|pm|am|st|nd|rd|th|must|should|before|after|until|within|more|less|fewer|other|whole|each|all|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)\b)"
)
_NOUN = rf"{_NOT_COUNTED}[^\W\d_][\w'’&/-]*"
_COUNTED_UNITS = (
    r"(?:km|kg|kwp?|mw|m²|m2|sqm|square\s+(?:metres|meters|feet)|gb|tb|mb|pb|ha|litres?|liters?|miles?|m|g|l)\b"
)

_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("money", rf"(?:us|a|c)?[$€£¥₹]\s?{_RANGE}(?:\s?[$€£])?{_RATE}"),
    ("money", rf"(?<![\w.,])(?:usd|eur|gbp|chf|sek|nok|dkk)\s?{_RANGE}"),
    ("money", rf"(?<![\w.,])(?:{_RANGE})\s?(?:[$€£¥₹]|{_CURRENCY}\b){_RATE}"),
    ("share", rf"(?<![\w.,])(?:{_RANGE})\s?(?:%|per\s?cent\b|percent\b|prozent\b|percentage\s+points?\b)"),
    (
        "duration",
        (
            rf"(?<![\w.,])(?:{_RANGE}|{_SMALL_NUMBER}|one|half\s+an?)(?:\s|-){_UNIT_OF_TIME}\b"
            r"(?:\s+(?:of\s+\w+|a\s+(?:day|week|month|year)|per\s+(?:day|week|month|year)))?"
        ),
    ),
    ("count", rf"(?<![\w.,])(?:{_RANGE})\s?{_COUNTED_UNITS}"),
    ("count", rf"(?<![\w.,$€£])(?:{_RANGE}|{_SMALL_NUMBER})\s{_NOUN}(?:\s+{_NOUN})?"),
    ("number", rf"(?<![\w.,:/#-])(?:{_RANGE})(?![\w:/-])"),
)
_READERS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)


def find_amounts(text: str, taken: Sequence[tuple[int, int]] = ()) -> tuple[Amount, ...]:
    """Return the amounts in a text, in order; places in ``taken`` (those of dates) are left out."""
    spans = list(taken)
    amounts: list[Amount] = []
    for kind, pattern in _READERS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in spans):
                continue
            spans.append((start, end))
            amounts.append(Amount(text=match[0].strip(), kind=kind, start=start, end=end))
    return tuple(sorted(amounts, key=lambda amount: amount.start))
