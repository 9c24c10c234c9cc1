"""Which sessions concern a goal: they share more of its words than unrelated text would by chance.

    goal ─▶ words that can count ─▶ how often each occurs in unrelated text ─┐
    a session's words: all of them, its goal's, its most telling passage's ──┴▶ the chance of sharing as much ─▶ least?

How often a word occurs in unrelated text is estimated from the other sessions of the workspace, and where these are few
from how frequent words of its kind are. The chance is exact for words that occur independently: the sum over all sets
of shared words that would say as much. It is compared as an E-value is (Karlin and Altschul 1990): the more sessions
there are, the less chance any of them is allowed. Figures: docs/performance.md, P27.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

_MOST_CHANCE = 0.005
"""Chance, of all sessions together, that unrelated text shares as much. Words come in clusters, so that unrelated
sessions reach it two to four times as often."""
_SESSIONS_ASSUMED = 4
"""How many sessions the assumed frequency of a word counts for, beside those that the workspace has."""
_LEAST_TO_COMPARE = 3
"""From how many other sessions on a word that most of them have is left out."""
_SHORTEST_SESSION, _SHORTEST_PASSAGE = 50, 12
"""Words that a text counts for at least: of a short one, chance is hard to tell."""
_UNIT = 0.25
"""Surprises are rounded to this many nats, so that equal sums of them can be added up."""


class SharedWords(Struct, frozen=True):
    """Which passages hold which terms of a goal."""

    held: NDArray[np.bool_]
    """A row for each term, a column for each passage."""
    lengths: NDArray[np.int_]
    """Words of each passage."""
    sizes: Sequence[int]
    """How many passages each session has; they stand one session after the other."""
    goals: NDArray[np.bool_]
    """Whether each passage is of what its session is for: the first thing that was said in it."""
    frequencies: NDArray[np.float64]
    """Occurrences of each term for each word of unrelated text, as ``assumed_frequencies`` has them."""


def concerned(shared: SharedWords, count: int) -> frozenset[int]:
    """Return the numbers of the sessions that share more with the goal than unrelated text would by chance.

    ``count`` is how many sessions there are, those too that hold none of its terms.
    """
    starts = list(accumulate(shared.sizes, initial=0))
    own = [slice(start, end) for start, end in pairwise(starts)]
    holding = np.array([shared.held[:, passages].any(axis=1) for passages in own])
    having = holding.sum(axis=0)
    return frozenset(
        number
        for number, (passages, held) in enumerate(zip(own, holding, strict=True))
        if held.any() and _chance_of_session(shared, passages, having - held, count - 1) * count <= _MOST_CHANCE
    )


def chance_of(expected: NDArray[np.float64], held: NDArray[np.bool_]) -> float:
    """Return the chance that a text which holds each term with the expected probability holds as telling ones."""
    surprises = _information_units(expected)
    seen = int(surprises[held].sum())
    if not seen:
        return 1.0
    distribution = np.zeros(int(surprises.sum()) + 1)
    distribution[0] = 1.0
    for probability, surprise in zip(expected, surprises, strict=True):
        with_term = distribution[:-surprise] * probability
        distribution *= 1 - probability
        distribution[surprise:] += with_term
    return float(distribution[seen:].sum())


def _chance_of_session(shared: SharedWords, own: slice, having: NDArray[np.int_], others: int) -> float:
    """Return the chance for a session's words together, for its goal, or for its most telling passage: the least.

    ``own`` are its passages; ``having`` says how many of the others have each term.
    """
    counts = 2 * having <= others if others >= _LEAST_TO_COMPARE else np.ones(len(having), np.bool_)
    held: NDArray[np.bool_] = shared.held[counts, own]
    lengths, goal = shared.lengths[own], shared.goals[own]
    length = max(int(lengths.sum()), _SHORTEST_SESSION)
    assumed = _SESSIONS_ASSUMED * _occurring(shared.frequencies, length)
    expected = ((having + assumed) / (others + _SESSIONS_ASSUMED))[counts]
    frequencies = -np.log1p(-expected) / length
    best = int(np.argmax(_information_units(_occurring(frequencies, _SHORTEST_PASSAGE)) @ held))
    in_passage = _occurring(frequencies, max(int(lengths[best]), _SHORTEST_PASSAGE))
    in_goal = _occurring(frequencies, max(int(lengths[goal].sum()), _SHORTEST_PASSAGE))
    return min(
        chance_of(expected, np.any(held, axis=1)),
        chance_of(in_goal, np.any(held[:, goal], axis=1)),
        chance_of(in_passage, held[:, best]) * len(lengths),
    )


def _occurring(frequencies: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    """Return the probability that a text of so many words has each term at least once."""
    return -np.expm1(-frequencies * length)


def _information_units(expected: NDArray[np.float64]) -> NDArray[np.int_]:
    """Return how much it says that a text holds each term, in units; at least one."""
    return np.maximum(np.round(-np.log(expected) / _UNIT), 1).astype(np.int_)
