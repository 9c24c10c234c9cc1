"""The lexical arm: BM25 over the terms of a scope's passages.

    passages ─▶ terms ─▶ occurrences, sorted: term, passage, how often
    query's words ─▶ terms ─▶ BM25 (Robertson and Zaragoza 2009) of each passage, and its share of what was asked

Frequencies are those of this scope alone. A word that the scope does not have is read as the nearest one that it has,
if that is a slip of the finger away, and counts less (Damerau 1964: four of five misspellings are one such slip).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from itertools import chain, compress
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from workbench.memory.terms import STOP_WORDS, terms, words

_K1, _B = 0.9, 0.4
"""Saturation of repeated words, and normalisation by length: turns of talk are short, and their length says little."""
_CORRECTED = 0.7
"""How much a term counts that was found by correcting another."""
_SHORTEST_CORRECTED = 4
"""Characters below which another word is as likely as a slip."""
_PLACE, _TERM = 10, 39
"""Bits before the number of a passage, and before that of a term: an occurrence is one number, so that they can be
sorted, by term and then by passage. In the lowest bits is how often it occurs there."""
_MOST, _PLACES = (1 << _PLACE) - 1, (1 << _TERM - _PLACE) - 1
_MUCH = 4
"""An older run of occurrences stays as it is while what came since is not a fourth of it: so all runs stay few."""
Occurrences: TypeAlias = NDArray[np.int64]


class QueryTerm(Struct, frozen=True):
    """A term that is looked for."""

    word: str
    """The word of the query that it stands for."""
    term: str
    """What is looked for: the word's stem, or the scope's own term if that was a slip."""
    weight: float
    """How much it says in this scope: its inverse document frequency, less if it was corrected."""
    corrected: bool = False

    @property
    def shown(self) -> str:
        """As a person is told what matched."""
        return self.term if self.corrected else self.word


class LexicalScores(Struct, frozen=True):
    """What the lexical arm says about each passage."""

    scores: NDArray[np.float64]
    """BM25; 0 if no term matches."""
    coverage: NDArray[np.float64]
    """The share of what the query says that the passage has, 0 to 1."""


class LexicalIndex:
    """The terms of passages, in the order in which they were added."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        """The number of each term that was ever added."""
        self._words: dict[str, list[int]] = {}
        """The terms of each word of the scope."""
        self._runs: list[Occurrences] = []
        """Sorted, each of later passages than those before it."""
        self._lengths = array("i")
        """Terms of each passage; 0 of one that was removed."""
        self._gone: list[int] = []
        """Passages that were removed, and whose occurrences are still there."""
        self._removed = 0
        self._norm: NDArray[np.float64] | None = None
        """What each passage's length takes from a term's count; None after a change, until the next search."""

    def __len__(self) -> int:
        return len(self._lengths) - self._removed

    def add(self, texts: Sequence[str]) -> None:
        """Add passages at the end."""
        self._norm = None
        cut = [words(text) for text in texts]
        new = terms(word for of_text in cut for word in of_text if word not in self._words)
        for word, of_word in new.items():
            self._words[word] = [self._numbers.setdefault(term, len(self._numbers)) for term in of_word]
        known = self._words
        found = [[number for word in of_text for number in known[word]] for of_text in cut]
        lengths = array("i", map(len, found))
        passages = np.repeat(np.arange(len(self._lengths), len(self._lengths) + len(found)), lengths)
        places = np.fromiter(chain.from_iterable(found), np.int64, len(passages)) << _TERM | passages << _PLACE
        different, counts = np.unique(places, return_counts=True)
        self._runs.append(different | np.minimum(counts, _MOST))
        self._lengths += lengths

    def _settled(self) -> list[Occurrences]:
        """Return the runs, without what was removed, and small ones together."""
        if self._gone:
            is_there = np.ones(len(self._lengths), np.bool_)
            is_there[self._gone] = False
            self._runs = [run[is_there[run >> _PLACE & _PLACES]] for run in self._runs]
            self._gone.clear()
        size, first = 0, len(self._runs)
        while first and (not size or _MUCH * size >= len(self._runs[first - 1])):
            first -= 1
            size += len(self._runs[first])
        if len(self._runs) - first > 1:
            together = np.concatenate(self._runs[first:])
            together.sort()
            self._runs[first:] = [together]
        return self._runs

    def _occurrences(self, term: str) -> Occurrences:
        """Return where a term occurs, in order."""
        number = self._numbers.get(term)
        if number is None:
            return np.zeros(0, np.int64)
        found = [run[slice(*run.searchsorted((number << _TERM, number + 1 << _TERM)))] for run in self._settled()]
        return found[0] if len(found) == 1 else np.concatenate([np.zeros(0, np.int64), *found])

    def tensors(self, passages: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
        """Return the occurrences in some passages, terms and passages numbered again, as ``restore`` reads them."""
        runs = self._settled()
        every = runs[0] if len(runs) == 1 else np.sort(np.concatenate([np.zeros(0, np.int64), *runs]))
        if not passages.all():
            every = every[passages[every >> _PLACE & _PLACES]]
            every += (np.cumsum(passages) - 1 - np.arange(len(passages)))[every >> _PLACE & _PLACES] << _PLACE
        used = np.zeros(len(self._numbers), np.bool_)
        used[every >> _TERM] = True
        if not used.all():
            every = every + ((np.cumsum(used) - 1 - np.arange(len(used)))[every >> _TERM] << _TERM)
        names = "\n".join(compress(self._numbers, used))
        return {
            "terms": np.frombuffer(names.encode(), np.uint8),
            "occurrences": every,
            "lengths": np.asarray(self._lengths)[passages],
        }

    def restore(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        """Take over the occurrences of another index. This one must be empty. Raises KeyError."""
        self._runs = [tensors["occurrences"]]
        self._lengths = array("i", tensors["lengths"].tobytes())
        names = bytes(tensors["terms"]).decode()
        self._numbers = {term: number for number, term in enumerate(names.split("\n") if names else ())}
        self._norm = None

    def remove(self, first: int, texts: Sequence[str]) -> None:
        """Take out consecutive passages that were added as these texts; the numbers of the others stay."""
        self._norm = None
        for number in range(first, first + len(texts)):
            self._gone.append(number)
            self._lengths[number] = 0
        self._removed += len(texts)

    def query_terms(self, asked: Sequence[str]) -> tuple[QueryTerm, ...]:
        """Return each term of the words of a query once, with how much it says here."""
        found: dict[str, QueryTerm] = {}
        for word, of_word in terms(asked).items():
            for term in of_word:
                found.setdefault(term, self._query_term(word, term))
        return tuple(found.values())

    def scores(self, query_terms: Sequence[QueryTerm]) -> LexicalScores:
        """Return BM25 and coverage of every passage."""
        scores, coverage = np.zeros(len(self._lengths)), np.zeros(len(self._lengths))
        norm = self._norm = self._normalised() if self._norm is None else self._norm
        asked = sum(term.weight for term in query_terms)
        for term in query_terms:
            occurrences = self._occurrences(term.term)
            passages, counts = occurrences >> _PLACE & _PLACES, occurrences & _MOST
            scores[passages] += term.weight * counts * (_K1 + 1) / (counts + norm[passages])
            coverage[passages] += term.weight / asked
        return LexicalScores(scores, coverage)

    def _normalised(self) -> NDArray[np.float64]:
        """Return for each passage what its length takes from a term's count."""
        lengths = np.asarray(self._lengths, np.float64)
        return _K1 * (1 - _B + _B * lengths / max(float(lengths.sum()) / max(len(self), 1), 1.0))

    def occurring(self, query_terms: Sequence[QueryTerm], passages: range) -> tuple[QueryTerm, ...]:
        """Return the terms that occur in any of some consecutive passages, what says most first."""
        found = [term for term in query_terms if self._occurs(term.term, passages)]
        return tuple(sorted(found, key=lambda term: -term.weight))

    def _query_term(self, word: str, term: str) -> QueryTerm:
        near = None if word in STOP_WORDS or len(self._occurrences(term)) else self._nearest(term)
        if near is None:
            return QueryTerm(word, term, self._weight(term))
        return QueryTerm(word, near, _CORRECTED * self._weight(near), corrected=True)

    def _weight(self, term: str) -> float:
        holding = len(self._occurrences(term))
        return math.log(1 + (len(self) - holding + 0.5) / (holding + 0.5))

    def _nearest(self, term: str) -> str | None:
        """Return the scope's own term that is one slip away (two in long words), the more frequent of several."""
        if len(term) < _SHORTEST_CORRECTED:
            return None
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        slips = 1 if len(term) < 2 * _SHORTEST_CORRECTED else 2
        near = extract(term, self._numbers.keys(), scorer=OSA.distance, score_cutoff=slips, limit=None)
        same_beginning = [(distance, other) for other, distance, _ in near if other[0] == term[0]]
        held = [(distance, -len(self._occurrences(other)), other) for distance, other in same_beginning]
        return min(((distance, count, other) for distance, count, other in held if count), default=(0, 0, None))[2]

    def _occurs(self, term: str, passages: range) -> bool:
        places = self._occurrences(term) >> _PLACE & _PLACES
        first = int(np.searchsorted(places, passages.start))
        return first < len(places) and bool(places[first] < passages.stop)
