"""Two arms, the speaker, the neighbours and the conversation, as one score: pure functions over arrays.

    lexical ──z──────────┐
    semantic ─z × weight ┴▶ + a question's score to its answer, a long answer's to its question, a turn's to both
                            + the speaker whom the query names ─▶ + what the rest of the conversation has ─▶ score

A z-score says how far an item stands out of its whole scope, in units in which both arms can be added; it needs no
constants and no pool of candidates. Each constant, how it was chosen and what it brings is in docs/adr/0009.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from workbench.memory.found import Parts

Scores = NDArray[np.float64]
_GAP = 4.0
"""Hours without a word after which talk is a new conversation."""
_DIGITS = 6
"""Digits of a score that count; beyond them are rounding errors, which must not decide between equals."""


class Weights(Struct, frozen=True):
    """What counts how much, against the lexical arm's 1; as chosen for vectors of words, each by itself."""

    semantic: float = 1.5
    before: float = 0.2
    """Of the turn before, shared out among the passages of this one: a long turn speaks for itself."""
    question_before: float = 0.6
    """Of the turn before in the same way, if that asks: what follows is likely its answer."""
    after: float = 0.2
    """Of the turn after, unless this turn asks: a short answer that matches does not make its question one."""
    long_after: float = 0.6
    """Of the turn after, if that is long: it says in many words what it was asked in few."""
    speaker: float = 0.7
    """For being said by somebody whom the query names."""
    conversation: float = 0.2
    """Of the mean of the two best turns of the same conversation."""
    threshold: float = 0.6
    """The relevance that the best of the first ten must have for any of them to be put into a prompt."""


IN_CONTEXT = Weights(semantic=2.0, before=0.3, question_before=0.3, threshold=0.7)
"""As chosen for vectors that read words in their context, and say more."""


class Talk(Struct, frozen=True):
    """Which items are turns, and of which conversation."""

    turns: NDArray[np.intp]
    """The positions of the turns, in order."""
    first: NDArray[np.intp]
    """Where in ``turns`` each conversation begins."""
    asks: NDArray[np.bool_]
    """For each turn, whether it asks something."""
    passages: NDArray[np.intp]
    """How many passages each turn has; a long one has several."""
    lengths: NDArray[np.intp]
    """How many turns each conversation has."""
    of_turn: NDArray[np.intp]
    """For each turn, which conversation it is of."""
    together: NDArray[np.bool_]
    """For each turn but the last, whether the next one is of the same conversation."""


class Ranking(Struct, frozen=True):
    """The parts of each item's score."""

    lexical: Scores
    semantic: Scores
    neighbours: Scores
    speaker: Scores
    conversation: Scores

    @property
    def total(self) -> Scores:
        """The score that orders."""
        return np.round(self.lexical + self.semantic + self.neighbours + self.speaker + self.conversation, _DIGITS)

    def parts(self, position: int) -> Parts:
        """Return the parts of one item's score."""
        arrays = (self.lexical, self.semantic, self.neighbours, self.speaker, self.conversation)
        return Parts(*(round(float(array[position]), _DIGITS) for array in arrays))


def talk(
    is_turn: NDArray[np.bool_],
    asks: NDArray[np.bool_],
    passages: NDArray[np.intp],
    hours: Scores,
    threads: NDArray[np.intp],
) -> Talk:
    """Return the turns in conversations: a new one begins in another thread, and after some hours without a word.

    ``hours`` is when each item was, NaN if that is not known: such a turn belongs to the conversation it is in.
    ``threads`` says by a number to which thread each item belongs; items of one stand together.
    """
    turns = np.flatnonzero(is_turn)
    begins = np.ones(len(turns), np.bool_)
    begins[1:] = np.diff(threads[turns]) != 0
    known = _filled_forward(hours[turns], begins)
    begins[1:] |= np.abs(np.diff(known)) > _GAP
    first = np.flatnonzero(begins)
    lengths = np.diff(np.append(first, len(turns)))
    of_turn = np.repeat(np.arange(len(lengths)), lengths)
    return Talk(turns, first, asks[turns], passages[turns], lengths, of_turn, ~begins[1:])


def rank(lexical: Scores, semantic: Scores, said_by: NDArray[np.bool_], talk: Talk, weights: Weights) -> Ranking:
    """Return the parts of every item's score."""
    lexical, semantic = _standard(lexical), weights.semantic * _standard(semantic)
    own = lexical + semantic
    neighbours = _on_turns(_from_neighbours(own[talk.turns], talk, weights), talk, len(own))
    speaker = weights.speaker * said_by.astype(np.float64)
    so_far = own + neighbours + speaker
    conversation = weights.conversation * so_far
    conversation[talk.turns] = weights.conversation * _of_conversation(so_far[talk.turns], talk)
    return Ranking(lexical, semantic, neighbours, speaker, conversation)


def best(scores: Scores, matching: NDArray[np.bool_], limit: int) -> list[int]:
    """Return the positions of the best that match at all, best first, ties in their order."""
    candidates = np.flatnonzero(matching)
    if limit < len(candidates):
        worst = np.partition(scores[candidates], -limit)[-limit]
        candidates = candidates[scores[candidates] >= worst]
    order = np.argsort(-scores[candidates], kind="stable")[:limit]
    return [int(position) for position in candidates[order]]


def relevance(coverage: float, closeness: float) -> float:
    """Return how near an item comes to what was asked, in a unit that compares between queries: 0 to 3."""
    return round(coverage + 2 * max(closeness, 0.0), _DIGITS)


def _standard(scores: Scores) -> Scores:
    """Return z-scores over the whole scope; zeros where everything is equal."""
    deviation = float(scores.std()) if len(scores) else 0.0
    return (scores - scores.mean()) / deviation if deviation > 1e-9 else np.zeros_like(scores)


def _from_neighbours(scores: Scores, talk: Talk, weights: Weights) -> Scores:
    """Return what each turn gets from the turns before and after it in its conversation."""
    received = np.zeros_like(scores)
    asked, passages = talk.asks[:-1], talk.passages[1:]
    from_before = np.where(asked, weights.question_before, weights.before) / passages
    from_after = np.where(passages > 1, weights.long_after, np.where(asked, 0.0, weights.after))
    received[1:] += scores[:-1] * from_before * talk.together
    received[:-1] += scores[1:] * from_after * talk.together
    return received


def _of_conversation(scores: Scores, talk: Talk) -> Scores:
    """Return for each turn the mean of the two best scores of its conversation; of one, if it is alone."""
    if not len(scores):
        return scores
    lengths, of_turn = talk.lengths, talk.of_turn
    best = np.maximum.reduceat(scores, talk.first)
    is_best = np.flatnonzero(scores == best[of_turn])
    without = scores.copy()
    without[is_best[first_of_each(of_turn[is_best])]] = -np.inf
    second = np.maximum.reduceat(without, talk.first)
    mean = np.where(lengths > 1, (best + second) / 2, best)
    return mean[of_turn]


def _on_turns(values: Scores, talk: Talk, count: int) -> Scores:
    """Return the turns' values at the turns' positions among all items."""
    spread = np.zeros(count)
    spread[talk.turns] = values
    return spread


def first_of_each(values: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return where each different value is first; ``np.unique`` would import masked arrays for it."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return order[is_first]


def _filled_forward(hours: Scores, begins: NDArray[np.bool_]) -> Scores:
    """Return the hours with each unknown one as the last known before it in its thread."""
    positions = np.arange(len(hours))
    known = np.maximum.accumulate(np.where(np.isnan(hours) & ~begins, 0, positions))
    return hours[known]
