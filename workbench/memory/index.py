"""A scope's items, searched: one index holds one scope, so there is no filter that could be forgotten.

    items ─▶ passages ─┬▶ lexical.py  ─▶ best passage of each  ─┐
                       └▶ semantic.py ─▶ of a turn, their mean ──┴▶ in the order of threads ─▶ ranking.py ─▶ Found

Isolation is in the construction: no argument names a session or an agent. Who may see less is given an index of what it
may see. Statistics too are of this scope alone: what others hold cannot move a result.

An index is kept in memory and built from its session's own events. Adding embeds, which blocks, and an index is not
safe for two threads at once: build and search it off the event loop, one at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import nan
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from workbench.domain.session.items import Item
from workbench.memory.found import Found, reason
from workbench.memory.lexical import LexicalIndex, QueryTerm
from workbench.memory.passages import asks, dated_passages, is_turn, moment_of, spoken_passages
from workbench.memory.ranking import IN_CONTEXT, Scores, Talk, Weights, best, rank, relevance, talk
from workbench.memory.semantic import SemanticIndex
from workbench.memory.terms import content_words, query_words, words
from workbench.models.embeddings import Embedder

_JUDGED = 10
"""How many of the best decide whether a search found enough, however many are asked for."""
_PORTION = 1000
"""Items that are indexed at once, which bounds the memory that indexing takes."""


class _Layout(Struct, frozen=True):
    """How items, their passages and their speakers lie."""

    order: NDArray[np.intp]
    """Rows, thread by thread, and in each by their places, whenever they were added."""
    is_whole: bool
    """Whether that is every row as it was added, as it is in a scope of one session."""
    first: NDArray[np.intp]
    """For each row, its first passage; after the last, how many passages there are."""
    talk: Talk
    speakers: tuple[str, ...]
    """The different speakers."""
    said_by: NDArray[np.intp]
    """For each item, which of the speakers."""

    def best(self, scores: Scores) -> Scores:
        """Return for each item the score of its best passage: a word counts wherever it stands."""
        is_single = len(scores) == len(self.first) - 1
        return self._ordered(scores if is_single else np.maximum.reduceat(scores, self.first[:-1]))

    def of_whole(self, scores: Scores) -> Scores:
        """Return for each item its best passage's score, and for a turn the mean over its passages.

        A document is about many things. An answer is about one: some passage of a long one is near to anything.
        """
        best = self.best(scores)
        if (self.talk.passages > 1).any():
            mean = self._ordered(np.add.reduceat(scores, self.first[:-1]) / np.diff(self.first))
            best[self.talk.turns] = mean[self.talk.turns]
        return best

    def _ordered(self, of_rows: Scores) -> Scores:
        return of_rows if self.is_whole else of_rows[self.order]

    def passages(self, position: int) -> range:
        """Return the passages of an item."""
        return self.passages_of(int(self.order[position]))

    def passages_of(self, row: int) -> range:
        """Return the passages of a row."""
        return range(int(self.first[row]), int(self.first[row + 1]))

    def said_by_one_of(self, names: Collection[str]) -> NDArray[np.bool_]:
        """Return for each item whether a word of its speaker's name is among the names."""
        named = [not set(words(speaker)).isdisjoint(names) for speaker in self.speakers]
        return np.array(named, np.bool_)[self.said_by]


class _Rows:
    """What is known of each item that was added, a row for each; those of removed items stay, and count for nothing."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.number: dict[str, int] = {}
        """The row of each item that is there."""
        self._passages, self._threads, self._speakers = array("i"), array("i"), array("i")
        self._seqs, self._hours = array("q"), array("d")
        self._are_there, self._are_turns, self._ask = array("b"), array("b"), array("b")
        self._thread_numbers: dict[str, int] = {}
        self._speaker_numbers: dict[str, int] = {}

    def add(self, name: str, item: Item, passages: int) -> None:
        moment, speaker = moment_of(item), item.agent or ""
        self.number[name] = len(self.names)
        self.names.append(name)
        self._passages.append(passages)
        self._threads.append(self._thread_numbers.setdefault(item.session, len(self._thread_numbers)))
        self._speakers.append(self._speaker_numbers.setdefault(speaker, len(self._speaker_numbers)))
        self._seqs.append(item.seq)
        self._hours.append(moment.timestamp() / 3600 if moment else nan)
        self._are_there.append(True)
        self._are_turns.append(is_turn(item))
        self._ask.append(asks(item))

    def places(self, names: Iterable[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return for each row, and for each passage, whether it is of one of these items."""
        rows = np.zeros(len(self.names), np.bool_)
        rows[[self.number[name] for name in names]] = True
        return rows, np.repeat(rows, np.asarray(self._passages))

    def tensors(self, rows: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
        """Return some rows as columns: what ``restore`` reads."""
        columns = {f"row.{name}": np.asarray(column)[rows] for name, column in self._columns.items()}
        labels = [list(self._thread_numbers), list(self._speaker_numbers)]
        return columns | {"labels": np.frombuffer(msgspec.json.encode(labels), np.uint8)}

    def restore(self, tensors: Mapping[str, NDArray[Any]], names: Iterable[str]) -> None:
        """Take over the rows of another index, each under its name. Raises KeyError, ValueError for other tensors."""
        threads, speakers = msgspec.json.decode(bytes(tensors["labels"]), type=tuple[list[str], list[str]])
        self.names = list(names)
        for name, column in self._columns.items():
            column.frombytes(tensors[f"row.{name}"].tobytes())
            if len(column) != len(self.names):
                raise ValueError("another number of rows")
        self.number = {name: row for row, name in enumerate(self.names)}
        self._are_there = array("b", bytes([True]) * len(self.names))
        self._thread_numbers = {thread: number for number, thread in enumerate(threads)}
        self._speaker_numbers = {speaker: number for number, speaker in enumerate(speakers)}

    @property
    def _columns(self) -> dict[str, array[Any]]:
        return {
            "passages": self._passages,
            "threads": self._threads,
            "speakers": self._speakers,
            "seqs": self._seqs,
            "hours": self._hours,
            "turns": self._are_turns,
            "ask": self._ask,
        }

    def remove(self, name: str) -> None:
        self._are_there[self.number.pop(name)] = False

    def layout(self) -> _Layout:
        there = np.flatnonzero(self._are_there)
        of_thread = np.asarray(self._threads)[there]
        place_of_thread = np.argsort(np.argsort(np.array(list(self._thread_numbers))))
        order = there[np.lexsort((np.asarray(self._seqs)[there], place_of_thread[of_thread]))]
        return _Layout(
            order,
            is_whole=len(order) == len(self.names) and bool((np.diff(order) > 0).all()),
            first=np.concatenate([[0], np.cumsum(self._passages)]),
            talk=talk(
                np.asarray(self._are_turns, np.bool_)[order],
                np.asarray(self._ask, np.bool_)[order],
                np.asarray(self._passages, np.intp)[order],
                np.asarray(self._hours)[order],
                np.asarray(self._threads, np.intp)[order],
            ),
            speakers=tuple(self._speaker_numbers),
            said_by=np.asarray(self._speakers, np.intp)[order],
        )


class SearchIndex:
    """The items of exactly one scope: results are the same in whatever order threads were added and kept up."""

    def __init__(self, embedder: Embedder, weights: Weights | None = None) -> None:
        self._weights = weights or (Weights() if embedder.additive else IN_CONTEXT)
        self.items: dict[str, Item] = {}
        """What is indexed, by names that are unique in the scope, in the order in which it was added."""
        self._rows = _Rows()
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
        if any(name in self.items for name in items):
            raise ValueError("an item can be added only once")
        self._semantic.reserve(len(items))
        for portion in _portions(items):
            spoken = [(name, item, spoken_passages(item)) for name, item in portion.items()]
            self._semantic.add([passage for *_, passages in spoken for passage in passages])
            self._lexical.add([text for _, item, _ in spoken for text in dated_passages(item)])
            for name, item, passages in spoken:
                self._rows.add(name, item, len(passages))
            self.items |= portion
            self._layout = None

    def tensors(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """Return what takes long to compute of some items, as ``restore`` reads it."""
        rows, passages = self._rows.places(names)
        return self._rows.tensors(rows) | self._semantic.tensors(passages) | self._lexical.tensors(passages)

    def restore(self, tensors: Mapping[str, NDArray[Any]], items: Mapping[str, Item]) -> None:
        """Take over these items, in the order in which another index had added them. The index must be empty.

        Raises ValueError for vectors of another size or another number of items, KeyError for a missing tensor.
        """
        self._rows.restore(tensors, items)
        self._semantic.restore(tensors)
        self._lexical.restore(tensors)
        self.items = dict(items)

    def remove(self, names: Collection[str]) -> None:
        """Take items out: results are then those of an index that never had them. Unknown names change nothing."""
        gone = [name for name in names if name in self.items]
        if not gone:
            return
        layout, self._layout = self._laid_out(), None
        for name in gone:
            item, passages = self.items.pop(name), layout.passages_of(self._rows.number[name])
            self._rows.remove(name)
            self._lexical.remove(passages.start, dated_passages(item))
            self._semantic.blank(passages)

    def search(self, query: str, limit: int, *, without: Collection[str] = ()) -> tuple[Found, ...]:
        """Return the items nearest to the query, best first, ties as they are; () if nothing matches.

        Names in ``without`` are passed over: the others keep their ranks, scores and whether they are relevant.
        """
        if not self.items or limit < 1:
            return ()
        layout = self._laid_out()
        asked = query_words(query)
        content = content_words(asked)
        query_terms = self._lexical.query_terms(asked)
        telling = [term for term in query_terms if term.word in content]
        by_words = self._lexical.scores(telling)
        vectors = self._semantic.query_vectors(query, asked, _weights_of_words(asked, query_terms))
        lexical, semantic = (layout.best(by_words.scores), layout.of_whole(self._semantic.scores(vectors.ranking)))
        ranking = rank(lexical, semantic, layout.said_by_one_of(content), layout.talk, self._weights)
        total = ranking.total
        matching = (lexical > 0) | (semantic > 0)
        if matching.any():
            matching |= total > 0  # what is beside a match may share nothing with the query

        def near(position: int) -> float:
            own = layout.passages(position)
            coverage = float(by_words.coverage[own.start : own.stop].max())
            return relevance(coverage, self._semantic.closeness(vectors.whole, own))

        def why(position: int) -> str:
            shared = self._lexical.occurring(telling, layout.passages(position))
            return reason(ranking.parts(position), [term.shown for term in shared])

        left_out = {name for name in without if name in self.items}
        names = self._rows.names
        positions = best(total, matching, max(limit + len(left_out), _JUDGED))
        relevant = any(near(position) >= self._weights.threshold for position in positions[:_JUDGED])
        ranked = enumerate(positions, start=1)
        named = ((number, position, names[layout.order[position]]) for number, position in ranked)
        wanted = (one for one in named if one[2] not in left_out)
        return tuple(
            Found(
                item=self.items[name],
                rank=number,
                parts=ranking.parts(position),
                relevance=near(position),
                relevant=relevant,
                why=why(position),
            )
            for number, position, name in islice(wanted, limit)
        )

    def _laid_out(self) -> _Layout:
        self._layout = self._layout or self._rows.layout()
        return self._layout


def _portions(items: Mapping[str, Item]) -> Iterator[dict[str, Item]]:
    rest = iter(items.items())
    while portion := dict(islice(rest, _PORTION)):
        yield portion


def _weights_of_words(asked: Sequence[str], query_terms: Sequence[QueryTerm]) -> list[float]:
    """Return how much each word says in this scope."""
    weights = {term.word: term.weight for term in reversed(query_terms)}
    return [weights.get(word, 0.0) for word in asked]
