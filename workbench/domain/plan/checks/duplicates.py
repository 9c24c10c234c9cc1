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
from workbench.domain.plan.checks.case import Case, fault, quoted, wording
from workbench.domain.plan.plan import Item, Step
from workbench.domain.text.words import stems

SIMILAR = 92
"""Similarity of the two wordings, of 100 (rapidfuzz token_set_ratio), from which on a misspelling is looked for."""

MISSPELLED = 80
"""Similarity of two words, of 100, at which one is taken for a misspelling of the other."""

_DIRECTION = re.compile(r"\b(from|to|into|before|after|than|over|under|by)\b(.*)", re.IGNORECASE | re.DOTALL)
"""What follows these words is not what stands before them: "from A to B" is not "from B to A"."""


_AGAIN = re.compile(r"\b(?:again|once more|another|repeat\w*)\b", re.IGNORECASE)
"""Words with which the same is done a second time on purpose."""


def nothing_stands_twice(case: Case) -> Iterator[Finding]:
    """Find steps, criteria, risks and other items that say what one of their kind has said before."""
    seen: defaultdict[Hashable, list[int]] = defaultdict(list)
    items = [item for _, item in case.placed]
    for number, (section, item) in enumerate(case.placed):
        traces = [(type(item), trace) for trace in _traces(stems(wording(item)))]
        alike = (items[place] for place in sorted({place for trace in traces for place in seen[trace]}))
        first = next((other for other in alike if same(wording(other), wording(item))), None)
        if first is not None and not _differ_in_scope(first, item):
            text = f"{item.id} {quoted(wording(item))} says what {first.id} says."
            remedy = f"Keep one of {first.id} and {item.id}, or say how they differ."
            yield fault("twice", "major", (section, item), text, remedy)
        for trace in traces:
            seen[trace].append(number)


def _traces(words: Sequence[str]) -> Iterator[Hashable]:
    """Yield what wordings that may be the same have in common, so that not all have to be compared with all.

    Either they are of the same words, or of the same in all places but one, which has a word that can be misspelled.
    """
    yield frozenset(words)
    places = [hash(one) for one in enumerate(words)]
    total = sum(places)
    for place, one in enumerate(places):
        if _may_be_misspelled(words[place]):
            yield len(words), place, total - one


def same(one: str, other: str) -> bool:
    """Tell whether two wordings say the same thing."""
    left, right = stems(one), stems(other)
    if not left or not right or bool(_AGAIN.search(one)) != bool(_AGAIN.search(other)):
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
        _may_be_misspelled(a) and _may_be_misspelled(b) and fuzz.ratio(a, b) >= MISSPELLED for a, b in pairs
    )


def _may_be_misspelled(word: str) -> bool:
    return len(word) >= 5 and word.islower()


_RARE = 8
"""Steps in which a word stands at most for it to make two of them worth comparing."""
_MANY, _PART = 3, 0.4
"""Words, and their share of the shorter text, that two steps have in common that do one thing."""
_OPENING = 5
"""Letters that two words share that are forms of one: member, membership."""


def nothing_is_done_twice(case: Case) -> Iterator[Finding]:
    """Find steps that pay about the same, after the same steps, for what is described in mostly the same words."""
    seen: defaultdict[Hashable, list[Step]] = defaultdict(list)
    for section, step in case.every(Step):
        if step.cost is None or not step.cost.amount.is_finite() or step.status == "dropped":
            continue
        traces = [(step.needs, step.answers, word) for word in sorted(_openings(step))]
        candidates = {other.id: other for trace in traces for other in seen[trace] if len(seen[trace]) <= _RARE}
        first = next((other for other in candidates.values() if _does_the_same(other, step)), None)
        if first is not None and not same(first.title, step.title):
            text = f"{step.id} {quoted(step.title)} does what {first.id} {quoted(first.title)} does."
            remedy = f"Keep one of {first.id} and {step.id}, or say how they differ."
            yield fault("steps.twice", "minor", (section, step), text, remedy)
        for trace in traces:
            seen[trace].append(step)


def _openings(step: Step) -> frozenset[str]:
    text = f"{step.title} . {step.outcome} . {step.cost_kind}"
    return frozenset(word[:_OPENING] for word in stems(text))


def _does_the_same(one: Step, other: Step) -> bool:
    """Tell whether two steps do one thing.

    A word that both titles have ("Rooms in Aston", "Rooms in Barton") tells two things apart.
    """
    if one.cost is None or other.cost is None or frozenset(stems(one.title)[1:]) & frozenset(stems(other.title)[1:]):
        return False
    least, most = sorted((one.cost.amount, other.cost.amount))
    left, right = _openings(one), _openings(other)
    common = len(left & right)
    return least > most * 4 / 5 and common >= _MANY and common >= _PART * min(len(left), len(right))


def _differ_in_scope(first: Item, second: Item) -> bool:
    """Tell whether the two are a line in scope and one out of it: no repetition, but a contradiction."""
    priorities = {getattr(item, "priority", None) for item in (first, second)}
    return "won't" in priorities and len(priorities) > 1
