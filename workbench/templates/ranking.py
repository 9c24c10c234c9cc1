"""Templates in the order of how near they are to a goal, by meaning and by words. It ranks, and never picks.

goal ─┬─ vectors of its words · those of each phrase of a template ─┐
      └─ word stems that both have ─────────────────────────────────┴▶ one number a template, the same every time
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from workbench.domain.text.words import stems
from workbench.templates.template import Template

if TYPE_CHECKING:  # numpy is loaded by what embeds
    from workbench.models.embeddings import Embedder, Vectors

_MOST_OF_A_GOAL = 1_000
"""Characters that say what it is about."""
_WORDS = 0.6
"""How much a phrase of a template counts that is in the goal, beside nearness of meaning."""
_NEAR = 0.45
"""The nearest template of a goal that has one reaches 0.52 to 1.17; of goals that have none, 0.22 to 0.33."""
_DECIMALS = 3
"""So that no rounding of a machine changes the order."""


def ranked(goal: str, templates: Iterable[Template]) -> tuple[Template, ...]:
    """Return templates, the nearest to a goal first; of equally near ones, as they came."""
    known = tuple(templates)
    scores = _scores(goal, known)
    return tuple(known[at] for at in sorted(range(len(known)), key=lambda at: (-scores[at], at)))


def is_near(goal: str, template: Template) -> bool:
    """Tell whether a template is as near to a goal as those are that people take for it."""
    return _scores(goal, (template,))[0] >= _NEAR


def _scores(goal: str, templates: tuple[Template, ...]) -> list[float]:
    goal = goal[:_MOST_OF_A_GOAL]
    near = zip(_meanings(goal, templates), templates, strict=True)
    return [round(meaning + _WORDS * _shared(goal, one), _DECIMALS) for meaning, one in near]


@cache
def _embedder() -> Embedder:
    from workbench.models.embeddings import WordLlama  # its table takes a moment to load

    return WordLlama()


def _meanings(goal: str, templates: tuple[Template, ...]) -> list[float]:
    """Return how near the nearest phrases of each template are to a goal."""
    (asked,) = _embedder().embed([goal])
    found = []
    for template in templates:
        near = sorted((float(value) for value in _vectors(_phrases(template)) @ asked), reverse=True)
        found.append(sum(near[:3]) / 3)
    return found


@cache
def _vectors(phrases: tuple[str, ...]) -> Vectors:
    return _embedder().embed(phrases)


def _phrases(template: Template) -> tuple[str, ...]:
    return (template.title, template.fits or template.title, *template.words)


def _shared(goal: str, template: Template) -> float:
    """Return the greatest share of a phrase's words that a goal has; a longer phrase that it has says more."""
    said = frozenset(stems(goal))
    phrases = (frozenset(stems(phrase)) for phrase in (template.title, *template.words))
    return max((min(len(one), 3) / 3 for one in phrases if one and one <= said), default=0.0)
