"""Does anything stand in the plan twice.

Two items are one when their telling words are the same, or differ by a misspelling only. They are two as soon as a
number, a name or any other telling word differs: "Test in the EU" and "Test in the US", wave 1 and wave 2, "first
hospital" and "second hospital".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from rapidfuzz import fuzz

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, quoted, wording
from workbench.domain.plan.checks.words import stems
from workbench.domain.plan.plan import Item

SIMILAR = 92
"""Similarity of the two wordings, of 100 (rapidfuzz token_set_ratio), from which on a misspelling is looked for."""

MISSPELLED = 80
"""Similarity of two words, of 100, at which one is taken for a misspelling of the other."""

_DIRECTION = re.compile(r"\b(from|to|into|before|after|than|over|under|by)\b(.*)", re.IGNORECASE | re.DOTALL)
"""What follows these words is not what stands before them: "from A to B" is not "from B to A"."""


def nothing_stands_twice(case: Case) -> Iterator[Finding]:
    """Find steps, criteria, risks and other items that say what one of their kind has said before."""
    seen: defaultdict[Hashable, list[int]] = defaultdict(list)
    items = [item for _, item in case.placed]
    for number, (section, item) in enumerate(case.placed):
        traces = [(type(item), trace) for trace in _traces(stems(wording(item)))]
        alike = (items[place] for place in sorted({place for trace in traces for place in seen[trace]}))
        first = next((other for other in alike if same(wording(other), wording(item))), None)
        if first is not None and not _differ_in_scope(first, item):
            yield Finding(
                rule="twice",
                severity="major",
                text=f"{item.id} {quoted(wording(item))} says what {first.id} says.",
                section=section.id,
                item=item.id,
                remedy=f"Keep one of {first.id} and {item.id}, or say how they differ.",
            )
        for trace in traces:
            seen[trace].append(number)


def _traces(words: Sequence[str]) -> Iterator[Hashable]:
    """Yield what wordings that may be the same have in common, so that not all have to be compared with all.

    Either they are of the same words, or of the same in all places but one.
    """
    yield frozenset(words)
    places = [hash(one) for one in enumerate(words)]
    total = sum(places)
    for place, one in enumerate(places):
        yield len(words), place, total - one


def same(one: str, other: str) -> bool:
    """Tell whether two wordings say the same thing."""
    left, right = stems(one), stems(other)
    if not left or not right:
        return False
    if set(left) == set(right):
        return left == right or (len(set(left)) > 2 and _directions(one) == _directions(other))
    return len(left) == len(right) and _misspelled(left, right) and _alike(one, other)


def _directions(text: str) -> dict[str, str]:
    """Return the telling word that comes behind each preposition of direction."""
    directions: dict[str, str] = {}
    while match := _DIRECTION.search(text):
        text = match[2]
        directions[match[1].lower()] = next(iter(stems(text)), "")
    return directions


def _alike(one: str, other: str) -> bool:
    return (
        fuzz.token_set_ratio(one.casefold(), other.casefold(), score_cutoff=SIMILAR) >= SIMILAR
        or fuzz.ratio(one, other, score_cutoff=SIMILAR) >= SIMILAR
    )


def _misspelled(left: Sequence[str], right: Sequence[str]) -> bool:
    """Tell whether the words that differ are long words in lower case, one letter or two apart, in the same places."""
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
    return len(pairs) == 1 and all(
        min(len(a), len(b)) >= 5 and a.islower() and b.islower() and fuzz.ratio(a, b) >= MISSPELLED for a, b in pairs
    )


def _differ_in_scope(first: Item, second: Item) -> bool:
    """Tell whether the two are a line in scope and one out of it: no repetition, but a contradiction."""
    priorities = {getattr(item, "priority", None) for item in (first, second)}
    return "won't" in priorities and len(priorities) > 1
