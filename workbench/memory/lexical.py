"""The lexical arm: BM25 over the terms of a scope's passages.

    passages ─▶ terms ─▶ postings: term ─▶ (passage, how often)
    query's words ─▶ terms ─▶ BM25 (Robertson and Zaragoza 2009) of each passage, and its share of what was asked

Frequencies are those of this scope alone. A word that the scope does not have is read as the nearest one that it has,
if that is a slip of the finger away, and counts less (Damerau 1964: four of five misspellings are one such slip).
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.memory.terms import STOP_WORDS, terms, words

_K1, _B = 0.9, 0.4
"""Saturation of repeated words, and normalisation by length: turns of talk are short, and their length says little."""
_CORRECTED = 0.7
"""How much a term counts that was found by correcting another."""
_SHORTEST_CORRECTED = 4
"""Characters below which another word is as likely as a slip."""


@dataclass(slots=True)
class _Postings:
    """Where one term occurs."""

    passages: array[int] = field(default_factory=lambda: array("i"))
    counts: array[int] = field(default_factory=lambda: array("i"))


@dataclass(frozen=True, slots=True)
class QueryTerm:
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


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """What the lexical arm says about each passage."""

    scores: NDArray[np.float64]
    """BM25; 0 where no term matches."""
    coverage: NDArray[np.float64]
    """The share of what the query says that the passage has, 0 to 1."""


class LexicalIndex:
    """The terms of passages, in the order in which they were added."""

    def __init__(self) -> None:
        self._postings: dict[str, _Postings] = {}
        self._terms: dict[str, list[str]] = {}
        """The terms of each word of the scope."""
        self._lengths = array("i")
        """Terms of each passage; 0 of one that was removed."""
        self._removed = 0
        self._norm: NDArray[np.float64] | None = None
        """What each passage's length takes from a term's count; None after a change, until the next search."""

    def __len__(self) -> int:
        return len(self._lengths) - self._removed

    def add(self, texts: Sequence[str]) -> None:
        """Add passages at the end."""
        self._norm = None
        for number, found in enumerate(self._counted(texts), start=len(self._lengths)):
            for term, count in found.items():
                if (postings := self._postings.get(term)) is None:
                    postings = self._postings[term] = _Postings()
                postings.passages.append(number)
                postings.counts.append(count)
            self._lengths.append(found.total())

    def tensors(self, passages: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
        """Return the postings of some passages one term after the other, renumbered, as ``restore`` reads them."""
        number = np.cumsum(passages, dtype=np.int32) - 1
        empty = np.zeros(0, np.int32)
        terms, places, counts = [], [empty], [empty]
        for term, postings in self._postings.items():
            of_term = np.asarray(postings.passages)
            is_kept = passages[of_term]
            if is_kept.any():
                terms.append(term)
                places.append(number[of_term[is_kept]])
                counts.append(np.asarray(postings.counts)[is_kept])
        return {
            "terms": np.frombuffer("\n".join(terms).encode(), np.uint8),
            "sizes": np.array([len(each) for each in places[1:]], np.int32),
            "passages": np.concatenate(places),
            "counts": np.concatenate(counts),
            "lengths": np.asarray(self._lengths)[passages],
        }

    def restore(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        """Take over the postings of another index. This one must be empty."""
        passages, counts = tensors["passages"], tensors["counts"]
        self._lengths = array("i", tensors["lengths"].tobytes())
        ends = np.cumsum(tensors["sizes"]).tolist()
        for term, start, end in zip(bytes(tensors["terms"]).decode().split("\n"), [0, *ends], ends, strict=False):
            self._postings[term] = _Postings(
                array("i", passages[start:end].tobytes()), array("i", counts[start:end].tobytes())
            )
        self._norm = None

    def remove(self, first: int, texts: Sequence[str]) -> None:
        """Take out consecutive passages that were added as these texts; the numbers of the others stay."""
        self._norm = None
        for number, found in enumerate(self._counted(texts), start=first):
            for term in found:
                postings = self._postings[term]
                place = bisect_left(postings.passages, number)
                del postings.passages[place], postings.counts[place]
                if not postings.passages:
                    del self._postings[term]
            self._lengths[number] = 0
        self._removed += len(texts)

    def _counted(self, texts: Sequence[str]) -> Iterator[Counter[str]]:
        """Yield how often each term occurs in each text."""
        cut = [words(text) for text in texts]
        self._terms |= terms(word for of_text in cut for word in of_text if word not in self._terms)
        return (Counter(term for word in of_text for term in self._terms[word]) for of_text in cut)

    def query_terms(self, asked: Sequence[str]) -> tuple[QueryTerm, ...]:
        """Return each term of the words of a query once, with how much it says here."""
        unknown = terms(word for word in asked if word not in self._terms)
        found: dict[str, QueryTerm] = {}
        for word in asked:
            for term in unknown[word] if word in unknown else self._terms[word]:
                found.setdefault(term, self._query_term(word, term))
        return tuple(found.values())

    def scores(self, query_terms: Sequence[QueryTerm]) -> LexicalScores:
        """Return BM25 and coverage of every passage."""
        scores, coverage = np.zeros(len(self._lengths)), np.zeros(len(self._lengths))
        norm = self._norm = self._normalised() if self._norm is None else self._norm
        asked = sum(term.weight for term in query_terms)
        for term in query_terms:
            if (postings := self._postings.get(term.term)) is not None:
                passages, counts = np.asarray(postings.passages), np.asarray(postings.counts)
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
        near = None if term in self._postings or word in STOP_WORDS else self._nearest(term)
        if near is None:
            return QueryTerm(word, term, self._weight(term))
        return QueryTerm(word, near, _CORRECTED * self._weight(near), corrected=True)

    def _weight(self, term: str) -> float:
        holding = len(self._postings[term].passages) if term in self._postings else 0
        return math.log(1 + (len(self) - holding + 0.5) / (holding + 0.5))

    def _nearest(self, term: str) -> str | None:
        """Return the scope's own term that is one slip away (two in long words), the more frequent of several."""
        if len(term) < _SHORTEST_CORRECTED:
            return None
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        slips = 1 if len(term) < 2 * _SHORTEST_CORRECTED else 2
        near = extract(term, self._postings.keys(), scorer=OSA.distance, score_cutoff=slips, limit=None)
        same_beginning = [(distance, other) for other, distance, _ in near if other[0] == term[0]]
        ranked = sorted(same_beginning, key=lambda found: (found[0], -len(self._postings[found[1]].passages), found[1]))
        return ranked[0][1] if ranked else None

    def _occurs(self, term: str, passages: range) -> bool:
        postings = self._postings.get(term)
        if postings is None:
            return False
        first = int(np.searchsorted(np.asarray(postings.passages), passages.start))
        return first < len(postings.passages) and postings.passages[first] < passages.stop
