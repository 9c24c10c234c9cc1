"""A scope's documents, searched: one index holds one scope, so there is no filter that could be forgotten.

    documents ─▶ passages ─┬▶ lexical.py  ─┐
                           └▶ semantic.py ─┴▶ best passage of each ─▶ in the order of threads ─▶ ranking.py ─▶ Found

Isolation is in the construction: no argument names a session or an agent. Who may see less is given an index of what it
may see. Statistics too are of this scope alone: what others hold cannot move a result.

An index is kept in memory and built from its session's own events. Adding embeds, which blocks, and an index is not
safe for two threads at once: build and search it off the event loop, one at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan

import numpy as np
from numpy.typing import NDArray

from workbench.memory.documents import Document
from workbench.memory.found import Found, reason
from workbench.memory.lexical import LexicalIndex, QueryTerm
from workbench.memory.passages import spoken_passages
from workbench.memory.ranking import IN_CONTEXT, Scores, Talk, Weights, best, rank, relevance, talk
from workbench.memory.semantic import SemanticIndex
from workbench.memory.terms import content_words, query_words, words
from workbench.models.embeddings import Embedder

_JUDGED = 10
"""How many of the best decide whether a search found enough, however many are asked for."""
_PORTION = 1000
"""Documents that are indexed at once, which bounds the memory that indexing takes."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """How documents, their passages and their speakers lie."""

    documents: tuple[Document, ...]
    """Thread by thread, and in each by their places, whenever they were added."""
    added: NDArray[np.intp]
    """For each document, as the how-manieth it was added, from 0."""
    in_order: bool
    """Whether that is the order of the documents, as it is in a scope of one session."""
    first: NDArray[np.intp]
    """For each document as added, its first passage; behind the last, how many passages there are."""
    talk: Talk
    speakers: tuple[str, ...]
    """The different speakers."""
    said_by: NDArray[np.intp]
    """For each document, which of the speakers."""

    def of_documents(self, scores: Scores) -> Scores:
        """Return for each document the score of its best passage."""
        of_added = scores if len(scores) == len(self.documents) else np.maximum.reduceat(scores, self.first[:-1])
        return of_added if self.in_order else of_added[self.added]

    def passages(self, position: int) -> range:
        """Return the passages of a document."""
        added = self.added[position]
        return range(int(self.first[added]), int(self.first[added + 1]))

    def said_by_one_of(self, names: Collection[str]) -> NDArray[np.bool_]:
        """Return for each document whether a word of its speaker's name is among the names."""
        named = [not set(words(speaker)).isdisjoint(names) for speaker in self.speakers]
        return np.array(named, np.bool_)[self.said_by]


class SearchIndex:
    """The documents of exactly one scope: results are the same in whatever order threads were added and kept up."""

    def __init__(self, embedder: Embedder, weights: Weights | None = None) -> None:
        self._weights = weights or (Weights() if embedder.additive else IN_CONTEXT)
        self._documents: dict[str, Document] = {}
        self._passages = array("i")
        """For each document, how many passages it has."""
        self._lexical = LexicalIndex()
        self._semantic = SemanticIndex(embedder)
        self._layout: _Layout | None = None
        """None after a change, until the next search."""

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._documents

    def add(self, documents: Iterable[Document]) -> None:
        """Add documents. Raises ValueError if an id is there already, and adds none then.

        Raises what the embedder raises; what was indexed until then stays, and is whole.
        """
        new = tuple(documents)
        ids = {document.id for document in new}
        if len(ids) < len(new) or not ids.isdisjoint(self._documents):
            raise ValueError("a document can be added only once")
        for portion in _portions(new):
            self._semantic.add([spoken for document in portion for spoken in spoken_passages(document)])
            self._add_terms(portion)

    def remove(self, ids: Collection[str]) -> None:
        """Take documents out: results are then those of an index that never had them. Unknown ids change nothing."""
        stays = np.array([document_id not in ids for document_id in self._documents], np.bool_)
        if stays.all():
            return
        kept = [document for document in self._documents.values() if document.id not in ids]
        self._semantic.keep(np.repeat(stays, np.asarray(self._passages)))
        self._documents, self._passages, self._lexical, self._layout = {}, array("i"), LexicalIndex(), None
        for portion in _portions(kept):
            self._add_terms(portion)

    def search(self, query: str, limit: int, *, without: Collection[str] = ()) -> tuple[Found, ...]:
        """Return the documents nearest to the query, best first, ties as they stand; () where nothing matches.

        Ids in ``without`` are passed over: the others keep their ranks, scores and whether they are relevant.
        """
        if not self._documents or limit < 1:
            return ()
        layout = self._layout = self._layout or _laid_out(tuple(self._documents.values()), self._passages)
        asked = query_words(query)
        content = content_words(asked)
        query_terms = self._lexical.query_terms(asked)
        telling = [term for term in query_terms if term.word in content]
        by_words = self._lexical.scores(telling)
        vectors = self._semantic.query_vectors(query, asked, _weights_of_words(asked, query_terms))
        lexical, semantic = (
            layout.of_documents(by_words.scores),
            layout.of_documents(self._semantic.scores(vectors.ranking)),
        )
        ranking = rank(lexical, semantic, layout.said_by_one_of(content), layout.talk, self._weights)
        total = ranking.total
        matching = (lexical > 0) | (semantic > 0)
        if matching.any():
            matching |= total > 0  # what stands beside a match may share nothing with the query

        def near(position: int) -> float:
            own = layout.passages(position)
            coverage = float(by_words.coverage[own.start : own.stop].max())
            return relevance(coverage, self._semantic.closeness(vectors.whole, own))

        def why(position: int) -> str:
            shared = self._lexical.occurring(telling, layout.passages(position))
            return reason(ranking.parts(position), [term.shown for term in shared])

        left_out = {name for name in without if name in self._documents}
        positions = best(total, matching, max(limit + len(left_out), _JUDGED))
        relevant = any(near(position) >= self._weights.threshold for position in positions[:_JUDGED])
        ranked = enumerate(positions, start=1)
        wanted = ((number, position) for number, position in ranked if layout.documents[position].id not in left_out)
        return tuple(
            Found(
                layout.documents[position].id,
                rank=number,
                parts=ranking.parts(position),
                relevance=near(position),
                relevant=relevant,
                why=why(position),
            )
            for number, position in islice(wanted, limit)
        )

    def _add_terms(self, documents: Sequence[Document]) -> None:
        for document in documents:
            self._documents[document.id] = document
            self._passages.append(len(spoken_passages(document)))
        self._lexical.add(
            [f"{spoken} {document.date_in_words}" for document in documents for spoken in spoken_passages(document)]
        )
        self._layout = None


def _portions(documents: Sequence[Document]) -> Iterator[list[Document]]:
    rest = iter(documents)
    while portion := list(islice(rest, _PORTION)):
        yield portion


def _laid_out(as_added: Sequence[Document], passage_counts: Sequence[int]) -> _Layout:
    added = sorted(range(len(as_added)), key=lambda number: (as_added[number].thread, as_added[number].place))
    documents = tuple(as_added[number] for number in added)
    speakers, threads = (
        _numbered(document.speaker for document in documents),
        _numbered(document.thread for document in documents),
    )
    moments = [document.moment for document in documents]
    return _Layout(
        documents,
        added=np.array(added, np.intp),
        in_order=added == list(range(len(added))),
        first=np.concatenate([[0], np.cumsum(passage_counts)]),
        talk=talk(
            np.array([document.talk for document in documents], np.bool_),
            np.array([document.asks for document in documents], np.bool_),
            np.array([moment.timestamp() / 3600 if moment else nan for moment in moments]),
            np.array([threads[document.thread] for document in documents], np.intp),
        ),
        speakers=tuple(speakers),
        said_by=np.array([speakers[document.speaker] for document in documents], np.intp),
    )


def _numbered(names: Iterable[str]) -> dict[str, int]:
    """Return the different names, each with its number."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _weights_of_words(asked: Sequence[str], query_terms: Sequence[QueryTerm]) -> list[float]:
    """Return how much each word says in this scope."""
    weights = {term.word: term.weight for term in reversed(query_terms)}
    return [weights.get(word, 0.0) for word in asked]
