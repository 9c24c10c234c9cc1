"""The terms of a session's passages: its own index, by which is told whether it concerns a goal.

    a session's items ─▶ passages ─▶ terms ─▶ SessionTerms, kept beside its items
    goal ─▶ its terms ─▶ SessionTerms of each other session ─▶ those that hold one of them ─▶ chance.py

It is of one session alone, and says nothing of any other. Most sessions hold no term of a goal, and of these nothing
else is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, compress, pairwise

import msgspec

from workbench.domain.session.items import Item
from workbench.memory.goal_words import assumed_frequencies, counted_words
from workbench.memory.passages import dated_passages
from workbench.memory.terms import terms, words


class SessionTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Which passages of a session hold which terms."""

    stamp: str = ""
    """Of the session's log when it was read."""
    seers: tuple[str | None, ...] = ()
    """For each item the one agent who may see it, "" for none; None if all may."""
    seqs: tuple[int, ...] = ()
    """The event of each item."""
    passages: tuple[int, ...] = ()
    """How many passages each item has."""
    lengths: tuple[int, ...] = ()
    """Terms of each passage."""
    postings: dict[str, tuple[int, ...]] = {}
    """Term → the passages that hold it."""

    def seen(self, agent: str | None) -> list[bool]:
        """Return for each passage that has terms whether an agent may see it; None sees all."""
        may = [agent is None or seer is None or (seer != "" and seer == agent) for seer in self.seers]
        of_passages = [sees for sees, count in zip(may, self.passages, strict=True) for _ in range(count)]
        return [sees and length > 0 for sees, length in zip(of_passages, self.lengths, strict=True)]

    def beginnings(self, seen: Sequence[bool]) -> list[bool]:
        """Return for each passage whether it is of the first item of which a passage is seen."""
        spans = list(pairwise(accumulate(self.passages, initial=0)))
        visible = [number for number, (start, end) in enumerate(spans) if any(seen[start:end])]
        first = min(visible, key=lambda number: (self.seqs[number], number), default=None)
        return [number == first for number, (start, end) in enumerate(spans) for _ in range(start, end)]


class TermReader:
    """Reads the terms of sessions; a word that several have is stemmed once."""

    def __init__(self) -> None:
        self._known: dict[str, list[str]] = {}

    def read(self, items: Iterable[Item], stamp: str) -> SessionTerms:
        """Return the terms of a session's items."""
        every = tuple(items)
        dated = [dated_passages(item) for item in every]
        cut = [words(passage) for of_item in dated for passage in of_item]
        self._known |= terms(word for passage in cut for word in passage if word not in self._known)
        postings: dict[str, list[int]] = {}
        lengths = []
        for number, passage in enumerate(cut):
            found = [term for word in passage for term in self._known[word]]
            lengths.append(len(found))
            for term in dict.fromkeys(found):
                postings.setdefault(term, []).append(number)
        return SessionTerms(
            stamp=stamp,
            seers=tuple(None if item.role != "assistant" else item.agent or "" for item in every),
            seqs=tuple(item.seq for item in every),
            passages=tuple(map(len, dated)),
            lengths=tuple(lengths),
            postings={term: tuple(places) for term, places in postings.items()},
        )


def sessions_concerned(goal: str, of_sessions: Iterable[tuple[str, SessionTerms]], agent: str | None) -> frozenset[str]:
    """Return the sessions that share more words with a goal than unrelated text would by chance; ``agent`` sees them.

    What the others hold counts too: how many of them have a word says how much it tells.
    """
    frequencies = assumed_frequencies(counted_words(goal))
    names: list[str] = []
    holding: list[tuple[SessionTerms, list[bool]]] = []
    count = 0
    for name, one in of_sessions:
        seen = one.seen(agent)
        if not any(seen):
            continue
        count += 1
        if any(seen[place] for term in frequencies for place in one.postings.get(term, ())):
            names.append(name)
            holding.append((one, seen))
    if not holding:
        return frozenset()
    import numpy as np  # here: most goals share no word with any session

    from workbench.memory.chance import SharedWords, concerned

    def held(term: str, one: SessionTerms, seen: Sequence[bool]) -> list[bool]:
        places = set(one.postings.get(term, ()))
        return [number in places for number, sees in enumerate(seen) if sees]

    shared = SharedWords(
        held=np.array([[has for of_one in holding for has in held(term, *of_one)] for term in frequencies], np.bool_),
        lengths=np.array([length for one, seen in holding for length in compress(one.lengths, seen)], np.int_),
        sizes=[sum(seen) for _, seen in holding],
        goals=np.array([is_one for one, seen in holding for is_one in compress(one.beginnings(seen), seen)], np.bool_),
        frequencies=np.array(list(frequencies.values())),
    )
    return frozenset(names[number] for number in concerned(shared, count))
