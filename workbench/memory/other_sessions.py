"""What all sessions of a workspace remember, searched: for one that asks, and for the person, who may read every one.

    items of every other session that is not private ─▶ what the asker's agent may see ─▶ its scope ─▶ Found
    items of every session, private ones too ─▶ one scope ─┬▶ those that hold all words of the query ─┐
                                                           └▶ those that are near in meaning ─────────┴▶ Found

The first is the only reading across sessions that leads into prompts: what is found is another session's, every item
says whose, and the caller records the search in the asking session (planning/memory/recalling.py). For a call, only
sessions that concern its goal are searched (chance.py); for a person who asks, all of them. Private sessions are not
even indexed there. Nothing that is found for the person leads into a prompt: no session asks, nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from workbench.domain.errors import LogError, NotFound
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.session.items import Item, visible_to
from workbench.domain.text.excerpt import holds, sought
from workbench.memory.found import NEAREST, Found
from workbench.memory.goal_words import counted_words
from workbench.memory.library import Library
from workbench.memory.scope import Scope
from workbench.memory.session_terms import sessions_concerned

T = TypeVar("T")
_BESIDE = 24
"""Sessions that are looked at together, so that those which concern a goal are not compared with each other alone."""


class AcrossResult(Struct, frozen=True):
    """What a search of sessions came to, each part best first."""

    near: tuple[Found, ...]
    """What is nearest to the query; for the person it need not be near, ``relevant`` tells."""
    unreadable: tuple[str, ...]
    """Sessions whose files could not be read."""
    literal: tuple[Found, ...] = ()
    """For the person: what holds all words of the query, and is not among the rest."""


class OtherSessions:
    """The sessions of a workspace, seen from one of them. It reads and computes: call it off the event loop."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._scopes: dict[tuple[SessionId, AgentId | None], Scope] = {}

    def search(self, query: str, limit: int, *, asking: SessionId, agent: AgentId | None) -> AcrossResult:
        """Return what other sessions remember nearest to a query, best first; nothing if nothing is near enough.

        ``agent`` sees what people said, artefacts, and of the replies those of the agent of the same name.
        Raises ModelError if the embedder fails.
        """
        stamps = self._others(asking)
        found, unreadable = _read_each(stamps, lambda session: self._library.searchable(session, stamps[session]))
        near = self._scope(asking, agent).search(query, limit, _by_unique_name(found, agent))
        return AcrossResult(tuple(one for one in near if one.is_near), unreadable)

    def concerning(self, goal: str, limit: int, *, asking: SessionId, agent: AgentId | None) -> AcrossResult:
        """Return what is nearest to a goal in the sessions that concern it, best first; nothing if none does.

        A session concerns it that shares more of its words than unrelated text would by chance: its own terms tell,
        and of the others only some are read, to know what is usual. ``agent`` and what is raised: as for ``search``.
        """
        stamps = self._others(asking)
        terms, unreadable = _read_each(stamps, lambda session: self._library.terms(session, stamps[session]))
        concerned = sessions_concerned(goal, terms.items(), agent)
        if not concerned:
            return AcrossResult((), unreadable)
        read = concerned | set(_some_of(sorted(terms.keys() - concerned), _BESIDE - len(concerned)))
        found, unreadable_too = _read_each(read, lambda session: self._library.searchable(session, stamps[session]))
        seen = _by_unique_name(found, agent)
        beside = {name for name, item in seen.items() if item.session not in concerned}
        query = " ".join(counted_words(goal))
        near = self._scope(asking, agent).search(query, limit, seen, without=beside)
        return AcrossResult(tuple(one for one in near if one.why != NEAREST), (*unreadable, *unreadable_too))

    def _others(self, asking: SessionId) -> dict[str, str]:
        asking = SessionId(asking)
        return {session: stamp for session, stamp in self._library.stamps().items() if session != asking}

    def _scope(self, asking: SessionId, agent: AgentId | None) -> Scope:
        return self._scopes.setdefault((asking, agent), Scope(self._library.embedder))


class EverySession:
    """All sessions of a workspace, for the person. It reads and computes: call it off the event loop."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._scope = Scope(library.embedder)

    def search(self, query: str, limit: int) -> AcrossResult:
        """Return what holds all words of the query, and up to ``limit`` together with that what is nearest to it.

        Raises ModelError if the embedder fails.
        """
        stamps = self._library.stamps()
        found, unreadable = _read_each(stamps, lambda session: self._library.items_for_person(session, stamps[session]))
        seen = _by_unique_name(found, None)
        wanted = sought(query)
        holding = {name for name, item in seen.items() if holds(item.text, wanted)}
        literal = self._scope.search(query, limit, seen, without=seen.keys() - holding) if holding else ()
        near = self._scope.search(query, limit - len(literal), seen, without=holding)
        return AcrossResult(near, unreadable, literal)


def _some_of(names: Sequence[str], count: int) -> Sequence[str]:
    """Return so many names, spread evenly."""
    return names[:: max(-(-len(names) // count), 1)] if count > 0 else ()


def _read_each(sessions: Iterable[str], read: Callable[[str], T]) -> tuple[dict[str, T], tuple[str, ...]]:
    """Return what is read of each session, and the sessions that cannot be read."""
    found: dict[str, T] = {}
    unreadable: list[str] = []
    for session in sorted(sessions):
        try:
            found[session] = read(session)
        except NotFound:  # deleted since it was listed
            continue
        except LogError:
            unreadable.append(session)
    return found, tuple(unreadable)


def _by_unique_name(found: Mapping[str, Sequence[Item]], agent: AgentId | None) -> dict[str, Item]:
    """Return the items of sessions that an agent sees, None all, by names that are unique among them."""
    every = (item for of_session in found.values() for item in of_session)
    return {f"{item.session} {item.id}": item for item in every if agent is None or visible_to(item, agent)}
