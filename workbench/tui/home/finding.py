"""Finding a session by a few letters of its name, goal or id, typed roughly."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, process, utils

from workbench.bootstrap import Listed

GOOD_ENOUGH = 70
"""Of 100. A word of the goal with a letter wrong is above it; words that are not there are below."""


def matching(listed: Sequence[Listed], query: str) -> list[Listed]:
    """Return the sessions that fit a query, the best first; all of them, as they are, for an empty one."""
    asked = utils.default_process(query)
    if not asked:
        return list(listed)
    scored = [(_score(one, asked), place) for place, one in enumerate(listed)]
    found = sorted((-score, place) for score, place in scored if score)
    return [listed[place] for _, place in found]


def _score(one: Listed, asked: str) -> float:
    fields = (utils.default_process(text) for text in (one.session, one.name, one.goal) if text)
    return max((_likeness(asked, text) for text in fields), default=0.0)


def _likeness(asked: str, text: str) -> float:
    """Return how well a query fits a text, 0 to 100; a word of it that fits nowhere rules the text out."""
    if asked in text:
        return 100.0
    scores = [_word_likeness(word, text) for word in asked.split()]
    return sum(scores) / len(scores) if all(scores) else 0.0


def _word_likeness(word: str, text: str) -> float:
    """Return how well a word fits a text: letters that stand in it as typed fit wholly; 0 where none is near."""
    if word in text:
        return 100.0
    near = process.extractOne(word, text.split(), scorer=fuzz.ratio, score_cutoff=GOOD_ENOUGH)
    return near[1] if near else 0.0
