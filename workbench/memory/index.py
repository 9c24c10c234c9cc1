"""A scope's items, searched: one index holds one scope, so there is no filter that could be forgotten.

    items ─▶ passages ─┬▶ lexical.py  ─┐
                       └▶ semantic.py ─┴▶ best passage of each ─▶ in the order of threads ─▶ ranking.py ─▶ Found

Isolation is in the construction: no argument names a session or an agent. Who may see less is given an index of what it
may see. Statistics too are of this scope alone: what others hold cannot move a result.

An index is kept in memory and built from its session's own events. Adding embeds, which blocks, and an index is not
safe for two threads at once: build and search it off the event loop, one at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan

import numpy as np
from numpy.typing import NDArray

from workbench.domain.session.items import Item
from workbench.memory.found import Found, reason
from workbench.memory.lexical import LexicalIndex, QueryTerm
from workbench.memory.passages import asks, date_in_words, is_turn, moment_of, spoken_passages
from workbench.memory.ranking import IN_CONTEXT, Scores, Talk, Weights, best, rank, relevance, talk
from workbench.memory.semantic import SemanticIndex
from workbench.memory.terms import content_words, query_words, words
from workbench.models.embeddings import Embedder

_JUDGED = 10
"""How many of the best decide whether a search found enough, however many are asked for."""
_PORTION = 1000
"""Items that are indexed at once, which bounds the memory that indexing takes."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """How items, their passages and their speakers lie."""

    names: tuple[str, ...]
    items: tuple[Item, ...]
    """Thread by thread, and in each by their places, whenever they were added."""
    added: NDArray[np.intp]
    """For each item, as the how-manieth it was added, from 0."""
    in_order: bool
    """Whether that is the order of the items, as it is in a scope of one session."""
    first: NDArray[np.intp]
    """For each item as added, its first passage; behind the last, how many passages there are."""
    talk: Talk
    speakers: tuple[str, ...]
    """The different speakers."""
    said_by: NDArray[np.intp]
    """For each item, which of the speakers."""

    def of_items(self, scores: Scores) -> Scores:
        """Return for each item the score of its best passage."""
        of_added = scores if len(scores) == len(self.items) else np.maximum.reduceat(scores, self.first[:-1])
        return of_added if self.in_order else of_added[self.added]

    def passages(self, position: int) -> range:
        """Return the passages of an item."""
        added = self.added[position]
        return range(int(self.first[added]), int(self.first[added + 1]))

    def said_by_one_of(self, names: Collection[str]) -> NDArray[np.bool_]:
        """Return for each item whether a word of its speaker's name is among the names."""
        named = [not set(words(speaker)).isdisjoint(names) for speaker in self.speakers]
        return np.array(named, np.bool_)[self.said_by]


class SearchIndex:
    """The items of exactly one scope: results are the same in whatever order threads were added and kept up."""

    def __init__(self, embedder: Embedder, weights: Weights | None = None) -> None:
        self._weights = weights or (Weights() if embedder.additive else IN_CONTEXT)
        self.items: dict[str, Item] = {}
        """What is indexed, by names that are unique in the scope."""
        self._passages = array("i")
        """For each item, how many passages it has."""
        self._lexical = LexicalIndex()
        self._semantic = SemanticIndex(embedder)
        self._layout: _Layout | None = None
        """None after a change, until the next search."""

    def __len__(self) -> int:
        return len(self.items)

    def add(self, items: Mapping[str, Item]) -> None:
        """Add items under their names. Raises ValueError if a name is there already, and adds none then.

        Raises what the embedder raises; what was indexed until then stays, and is whole.
        """
        if not items.keys().isdisjoint(self.items):
            raise ValueError("an item can be added only once")
        for portion in _portions(items):
            self._semantic.add([spoken for item in portion.values() for spoken in spoken_passages(item)])
            self._add_terms(portion)

    def remove(self, names: Collection[str]) -> None:
        """Take items out: results are then those of an index that never had them. Unknown names change nothing."""
        stays = np.array([name not in names for name in self.items], np.bool_)
        if stays.all():
            return
        kept = {name: item for name, item in self.items.items() if name not in names}
        self._semantic.keep(np.repeat(stays, np.asarray(self._passages)))
        self.items, self._passages, self._lexical, self._layout = {}, array("i"), LexicalIndex(), None
        for portion in _portions(kept):
            self._add_terms(portion)

    def search(self, query: str, limit: int, *, without: Collection[str] = ()) -> tuple[Found, ...]:
        """Return the items nearest to the query, best first, ties as they stand; () where nothing matches.

        Names in ``without`` are passed over: the others keep their ranks, scores and whether they are relevant.
        """
        if not self.items or limit < 1:
            return ()
        layout = self._layout = self._layout or _laid_out(self.items, self._passages)
        asked = query_words(query)
        content = content_words(asked)
        query_terms = self._lexical.query_terms(asked)
        telling = [term for term in query_terms if term.word in content]
        by_words = self._lexical.scores(telling)
        vectors = self._semantic.query_vectors(query, asked, _weights_of_words(asked, query_terms))
        lexical, semantic = (
            layout.of_items(by_words.scores),
            layout.of_items(self._semantic.scores(vectors.ranking)),
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

        left_out = {name for name in without if name in self.items}
        positions = best(total, matching, max(limit + len(left_out), _JUDGED))
        relevant = any(near(position) >= self._weights.threshold for position in positions[:_JUDGED])
        ranked = enumerate(positions, start=1)
        wanted = ((number, position) for number, position in ranked if layout.names[position] not in left_out)
        return tuple(
            Found(
                item=layout.items[position],
                rank=number,
                parts=ranking.parts(position),
                relevance=near(position),
                relevant=relevant,
                why=why(position),
            )
            for number, position in islice(wanted, limit)
        )

    def _add_terms(self, items: Mapping[str, Item]) -> None:
        self.items |= items
        spoken = [(item, spoken_passages(item)) for item in items.values()]
        self._passages.extend(len(passages) for _, passages in spoken)
        self._lexical.add([f"{passage} {date_in_words(item)}" for item, passages in spoken for passage in passages])
        self._layout = None


def _portions(items: Mapping[str, Item]) -> Iterator[dict[str, Item]]:
    rest = iter(items.items())
    while portion := dict(islice(rest, _PORTION)):
        yield portion


def _laid_out(by_name: Mapping[str, Item], passage_counts: Sequence[int]) -> _Layout:
    names, as_added = tuple(by_name), tuple(by_name.values())
    added = sorted(range(len(as_added)), key=lambda number: (as_added[number].session, as_added[number].seq))
    items = tuple(as_added[number] for number in added)
    speakers, threads = (
        _numbered(item.agent or "" for item in items),
        _numbered(item.session for item in items),
    )
    moments = [moment_of(item) for item in items]
    return _Layout(
        tuple(names[number] for number in added),
        items,
        added=np.array(added, np.intp),
        in_order=added == list(range(len(added))),
        first=np.concatenate([[0], np.cumsum(passage_counts)]),
        talk=talk(
            np.array([is_turn(item) for item in items], np.bool_),
            np.array([asks(item) for item in items], np.bool_),
            np.array([moment.timestamp() / 3600 if moment else nan for moment in moments]),
            np.array([threads[item.session] for item in items], np.intp),
        ),
        speakers=tuple(speakers),
        said_by=np.array([speakers[item.agent or ""] for item in items], np.intp),
    )


def _numbered(names: Iterable[str]) -> dict[str, int]:
    """Return the different names, each with its number."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _weights_of_words(asked: Sequence[str], query_terms: Sequence[QueryTerm]) -> list[float]:
    """Return how much each word says in this scope."""
    weights = {term.word: term.weight for term in reversed(query_terms)}
    return [weights.get(word, 0.0) for word in asked]
