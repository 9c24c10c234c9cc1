"""What all sessions of a workspace remember, searched for the person, who may read every one of them.

    items of every session, private ones too ─▶ one scope ─┬▶ those that hold all words of the query ─┐
                                                           └▶ those that are near in meaning ─────────┴▶ Recalled

Nothing of it leads into a prompt: no session asks, and nothing is recorded. What a prompt is given of other sessions
comes from other_sessions.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.domain.errors import LogError, NotFound
from workbench.domain.session.items import Item
from workbench.memory.library import Library
from workbench.memory.scope import Recalled, Scope


@dataclass(frozen=True, slots=True)
class EveryResult:
    """What a search of all sessions came to, each part best first."""

    literal: tuple[Recalled, ...]
    """What holds all words of the query."""
    near: tuple[Recalled, ...]
    """What else is nearest to it, which need not be near: ``found.relevant`` tells."""
    unreadable: tuple[str, ...]
    """Sessions whose files could not be read."""


class EverySession:
    """All sessions of a workspace. It reads and computes: call it off the event loop."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._scope = Scope(library.embedder)

    def search(self, query: str, limit: int) -> EveryResult:
        """Return what holds all words of the query, and up to ``limit`` together with that what is nearest to it.

        Raises ModelError where the embedder fails.
        """
        seen: dict[str, Item] = {}
        unreadable = []
        for session in self._library.log.streams():
            try:
                seen |= {f"{session} {item.id}": item for item in self._library.items_for_person(session)}
            except NotFound:  # deleted since it was listed
                continue
            except LogError:
                unreadable.append(session)
        words = query.casefold().split()
        holding = {name for name, item in seen.items() if all(word in item.text.casefold() for word in words)}
        literal = self._scope.search(query, limit, seen, without=seen.keys() - holding) if holding else ()
        near = self._scope.search(query, limit - len(literal), seen, without=holding)
        return EveryResult(literal, near, tuple(unreadable))
