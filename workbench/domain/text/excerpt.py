"""A text in one line that begins where what was looked for stands.

a page, ["rounding"]  ─▶  "… Two rules of rounding differ between the two ledgers"
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.patterns import lazy_pattern

LONGEST = 200
_BEFORE = 24
"""Characters before the word that was found."""
_SIGNS = lazy_pattern(r"^[^\S\n]*(?:#+|[-*•])\s+", re.MULTILINE)
"""Headings and items in Markdown."""


def sought(query: str) -> list[str]:
    """Return what a text has to hold, case-folded: words, and what is between quotation marks as it is."""
    parts = enumerate(query.casefold().split('"'))
    return [one for at, part in parts for one in ([" ".join(part.split())] if at % 2 else part.split()) if one]


def holds(text: str, wanted: Sequence[str]) -> bool:
    """Tell whether a text has all that is sought, wherever its lines break."""
    folded = " ".join(text.casefold().split())
    return all(one in folded for one in wanted)


def excerpt(text: str, words: Sequence[str]) -> str:
    """Return a text in one line, from a little before the first of the words (case-folded) that it holds."""
    line = " ".join(_SIGNS.sub("", text).split())
    folded = line.casefold()
    at = min((place for word in words if (place := folded.find(word)) >= 0), default=0)
    begin = line.rfind(" ", 0, max(at - _BEFORE, 0) + 1) + 1
    return clean_name(f"{'… ' if begin else ''}{line[begin:]}", LONGEST)
