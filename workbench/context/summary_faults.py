"""Why a summary that a model wrote is not used: it is too long, says things over and over, or loses what must stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.tokens import estimate_tokens

MOST_OVER = 1.25
"""Times the length that was asked for: models do not count their tokens."""
_RUN = 6
"""Words that, said again in one order, are a repetition."""
_MOST_REPEATED = 0.2
"""Share of such runs that may be said more often than the originals say them."""
_WORD = lazy_pattern(r"\w+")
_NUMBER = lazy_pattern(r"\d+(?:[.,]\d{3})*")


def fault_of(summary: str, originals: Sequence[str], most: int, facts: Iterable[str]) -> str:
    """Return why a summary cannot stand for its originals, in a sentence; "" if it can.

    ``most``: tokens that it may take. ``facts``: what the person stated; the numbers of each, where an original says
    it, have to be in the summary.
    """
    tokens = estimate_tokens(summary)
    if tokens > MOST_OVER * most:
        return f"The summary takes about {tokens:,} tokens; {most:,} were asked for."
    said, before = _runs(summary), Counter[str]()
    for text in originals:
        before += _runs(text)
    repeated = sum(max(count - max(before[run], 1), 0) for run, count in said.items())
    if repeated > _MOST_REPEATED * said.total():
        return "The summary says the same over and over."
    kept, there = _numbers(summary), " ".join(" ".join(originals).split())
    lost = next((fact for fact in facts if " ".join(fact.split()) in there and not _numbers(fact) <= kept), None)
    return "" if lost is None else f"The summary loses “{shorten(lost, 80)}”."


def _runs(text: str) -> Counter[str]:
    words = _WORD.findall(text.casefold())
    return Counter(" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text, however they are written: 40,000 and 40.000 are one, as are 03 and 3."""
    return {re.sub("[.,]", "", number).lstrip("0") for number in _NUMBER.findall(text)}
