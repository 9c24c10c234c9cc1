"""Finding a session by a few letters of its name, goal or id, typed roughly."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, utils

from workbench.bootstrap import Listed

GOOD_ENOUGH = 60
"""Of 100. A word of the goal with a letter wrong is well above it; words that are not there are below."""


def matching(listed: Sequence[Listed], query: str) -> list[Listed]:
    """Return the sessions that fit a query, the best first; all of them, as they are, for an empty one."""
    asked = utils.default_process(query)
    if not asked:
        return list(listed)
    scored = [(_score(one, asked), place) for place, one in enumerate(listed)]
    found = sorted((-score, place) for score, place in scored if score >= GOOD_ENOUGH)
    return [listed[place] for _, place in found]


def _score(one: Listed, asked: str) -> float:
    fields = (utils.default_process(text) for text in (one.session, one.name, one.goal) if text)
    return max((_likeness(asked, text) for text in fields), default=0.0)


def _likeness(asked: str, text: str) -> float:
    """Return how well a query fits a text, 0 to 100: letters that stand in it as typed fit wholly."""
    return 100.0 if asked in text else fuzz.WRatio(asked, text)
