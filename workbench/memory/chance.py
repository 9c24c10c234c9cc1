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
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from workbench.domain.values.calendar_words import MONTHS, ORDINAL_DAYS, SEASONS, WEEKDAYS
from workbench.domain.values.small_words import SMALL
from workbench.domain.values.units import UNITS
from workbench.memory.common_words import FOREIGN, VERBS
from workbench.memory.passages import passages
from workbench.memory.terms import STOP_WORDS, query_words, terms, words

_MOST_CHANCE = 0.005
"""Chance, of all sessions together, that unrelated text shares as much. Words come in clusters, so that unrelated
sessions reach it two to four times as often."""
_RARE, _COMMON = 4e-5, 3e-4
"""Occurrences of a word for each word of unrelated text: of any word, and of one that most plans may have."""
_SESSIONS_ASSUMED = 4
"""How many sessions the assumed frequency of a word counts for, beside those that the workspace has."""
_LEAST_TO_COMPARE = 3
"""From how many other sessions on a word that most of them have is left out."""
_SHORTEST_SESSION, _SHORTEST_PASSAGE = 50, 12
"""Words that a text counts for at least: of a short one, chance is hard to tell."""
_UNIT = 0.25
"""Surprises are rounded to this many nats, so that equal sums of them can be added up."""
_SHORTEST_WORD = 3
_IN_MANY_SESSIONS = """
    accepted account afternoon agreed allowed alternative anyway approved area arrives authors average bad bag bank
    battery big birds board box breaks came camera card care certificate chain chair cheaper children class clock
    coffee colleague colour come company condition congratulations correction costs count course customers data date
    decision delivery different doesn dogs don door drawn dry end engineer evening exactly failed family fee fine
    fire floor food form forty frame free full gaps gate gave general goes ground group hall head holidays home
    house included insurance invoices isn job key kitchen know land laughed law lease left letter life likes limit
    line longer lost love lunch machine mail maker minus missing money morning mother neighbours noon notice number
    office ones owner page pair panels paper parents part people permit person photograph pictures pieces plus point
    policy possible power price problem proof protect public questions quiet quote rain real reason refuse rejected
    rest right room rows rules said sales samples says school seats sentence short side single site sleep slow small
    smells spare stand stone sum table text thanks told took touch twice typed usually value went whoever windows
    wish won word wrong wrote yes yesterday
"""
"""Words, beside the verbs of planning, that at least a third of the sessions in tests/memory/data have."""
_COUNTING = """
    three four five six seven eight nine ten eleven twelve dozen hundred thousand million percent euro euros eur usd
    gbp chf dollar dollars pound pounds metre metres meter meters square cubic quadratmeter zwei drei vier fünf sechs
    sieben acht neun zehn hundert tausend prozent
"""
_GERMAN = """
    alle allem allen alles andere anderen beim bereits bitte damit dann dass dazu diese diesem diesen dieser dieses doch
    dort durch etwa etwas gegen ganz gibt gut hatte hier ihm ihn ihnen ihre ihrem ihren ihrer immer ins jede jedem jeden
    jeder jedes jetzt kann können könnte machen man mehr mein meine meinem meinen meiner möchte müssen neu neue neuem
    neuen neuer neues nun schon sehr sein seine seinem seinen seiner sich sie solche sollen sollte sollten sondern
    unser unsere unserem unseren unserer unseres viel viele vielen während wann war waren warum was weil welche welchem
    welchen welcher welches wenn wer werde wie wieder will wo wollen wurde wurden zwischen
"""
_NEVER_COUNTED = (
    SMALL
    | STOP_WORDS
    | FOREIGN
    | MONTHS.keys()
    | WEEKDAYS.keys()
    | ORDINAL_DAYS.keys()
    | UNITS.keys()
    | SEASONS.keys()
    | set(_COUNTING.split())
    | set(_GERMAN.split())
)
"""Words without a subject of their own: small words, words of dates, numbers and amounts."""


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Which passages hold which terms of a goal."""

    held: NDArray[np.bool_]
    """A row for each term, a column for each passage."""
    lengths: NDArray[np.int_]
    """Words of each passage."""
    sessions: NDArray[np.int_]
    """The number of each passage's session."""
    goals: NDArray[np.bool_]
    """Whether each passage is of what its session is for: the first thing that was said in it."""
    frequencies: NDArray[np.float64]
    """Occurrences of each term for each word of unrelated text, as ``assumed_frequencies`` has them."""


def counted_words(goal: str) -> tuple[str, ...]:
    """Return the different words of a goal by which text can concern it: no small words, numbers or dates."""
    return tuple(word for word in query_words(goal) if _can_count(word))


def assumed_frequencies(counted: Sequence[str]) -> dict[str, float]:
    """Return for each term of some words how often it occurs for each word of unrelated text."""
    common = _common_terms()
    different = dict.fromkeys(term for of_word in terms(counted).values() for term in of_word)
    return {term: _COMMON if term in common else _RARE for term in different}


def concerned(shared: SharedWords) -> frozenset[int]:
    """Return the numbers of the sessions that share more with the goal than unrelated text would by chance."""
    numbers = sorted(set(shared.sessions.tolist()))
    count = len(numbers)
    own = [shared.sessions == number for number in numbers]
    holding = np.array([shared.held[:, passages].any(axis=1) for passages in own])
    having = holding.sum(axis=0)
    return frozenset(
        int(number)
        for number, passages, held in zip(numbers, own, holding, strict=True)
        if held.any() and _chance_of_session(shared, passages, having - held, count - 1) * count <= _MOST_CHANCE
    )


def chance_of(expected: NDArray[np.float64], held: NDArray[np.bool_]) -> float:
    """Return the chance that a text which holds each term with the expected probability holds as telling ones."""
    surprises = _surprises(expected)
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


def telling_passage(text: str, goal: str) -> str:
    """Return the passage of a text that shares most words with a goal, the first of several.

    An ellipsis stands where the text goes on, before it or after it.
    """
    asked = assumed_frequencies(counted_words(goal)).keys()

    def shared(passage: str) -> int:
        return len({term for of_word in terms(words(passage)).values() for term in of_word} & asked)

    parts = passages(text)
    if len(parts) == 1:
        return text
    best = max(range(len(parts)), key=lambda part: shared(parts[part]))
    return ("…" if best else "") + parts[best] + ("…" if best + 1 < len(parts) else "")


def _chance_of_session(shared: SharedWords, own: NDArray[np.bool_], having: NDArray[np.int_], others: int) -> float:
    """Return the chance for a session's words together, for its goal, or for its most telling passage: the least.

    ``own`` are its passages; ``having`` says how many of the others have each term.
    """
    counts = 2 * having <= others if others >= _LEAST_TO_COMPARE else np.ones(len(having), np.bool_)
    held, lengths, goal = shared.held[np.ix_(counts, own)], shared.lengths[own], shared.goals[own]
    length = max(int(lengths.sum()), _SHORTEST_SESSION)
    assumed = _SESSIONS_ASSUMED * _occurring(shared.frequencies, length)
    expected = ((having + assumed) / (others + _SESSIONS_ASSUMED))[counts]
    frequencies = -np.log1p(-expected) / length
    best = int(np.argmax(_surprises(_occurring(frequencies, _SHORTEST_PASSAGE)) @ held))
    in_passage = _occurring(frequencies, max(int(lengths[best]), _SHORTEST_PASSAGE))
    in_goal = _occurring(frequencies, max(int(lengths[goal].sum()), _SHORTEST_PASSAGE))
    return min(
        chance_of(expected, held.any(axis=1)),
        chance_of(in_goal, held[:, goal].any(axis=1)),
        chance_of(in_passage, held[:, best]) * len(lengths),
    )


def _occurring(frequencies: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    """Return the probability that a text of so many words has each term at least once."""
    return -np.expm1(-frequencies * length)


def _surprises(expected: NDArray[np.float64]) -> NDArray[np.int_]:
    """Return how much it says that a text holds each term, in units; at least one."""
    return np.maximum(np.round(-np.log(expected) / _UNIT), 1).astype(np.int_)


def _can_count(word: str) -> bool:
    is_short = word.isascii() and len(word) < _SHORTEST_WORD
    return not (is_short or word[0].isdigit() or word in _NEVER_COUNTED)


@cache
def _common_terms() -> frozenset[str]:
    """Return the terms of the words that sessions on any subject may have."""
    return frozenset(term for of_word in terms({*VERBS, *_IN_MANY_SESSIONS.split()}).values() for term in of_word)
