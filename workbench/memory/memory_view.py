"""What one session remembers, for its person or for one of its agents: the only way to search it.

    SessionMemory(session, embedder) ─ at(state) ─▶ MemoryView ─ for_agent(…) ─▶ MemoryView
    SessionState ─▶ items ─▶ those that the agent may see ─▶ a scope of its own ─▶ search ─▶ Found

A view is bound to a session and an agent when it is made. No call names another one, so there is no filter that could
be forgotten; and because each view has an index of its own, what others hold moves neither order nor score.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal

from msgspec import Struct

from workbench.domain.errors import NotFound
from workbench.domain.log.growing import Growing
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.session.items import Item, artefacts, insights, messages, stored_paragraphs, visible_to
from workbench.domain.session.state import Entity, HistoryItem, SessionState
from workbench.memory.found import Found
from workbench.memory.kept_index import KeptIndexes
from workbench.memory.scope import Scope
from workbench.models.embeddings import Embedder

Part = Literal["everything", "insights", "stored"]
"""How much of what may be seen a view holds: ``stored`` is by paragraphs."""
ScopeOf = Callable[[SessionState, AgentId | None, Part], Scope]
"""Returns the scope of the session's person (None) or of one agent: the same one for who sees the same."""
_NO_HISTORY: Growing[HistoryItem] = Growing()
_BESIDE: dict[Part, Callable[[SessionState], Iterable[Item]]] = {
    "everything": artefacts,
    "insights": insights,
    "stored": stored_paragraphs,
}


class Remembered(Struct, frozen=True):
    """What a session remembers under some names, and of some questions."""

    entities: tuple[Entity, ...]
    """The newest version of each entity that was named, in that order."""
    found: tuple[Found, ...]
    """What else is nearest to any of the queries, each item once, best rank first, then as the queries stand."""


class MemoryView:
    """The memory of exactly one session as of one state, as its person or one agent sees it."""

    def __init__(
        self, state: SessionState, scope_of: ScopeOf, agent: AgentId | None = None, part: Part = "everything"
    ) -> None:
        """Look at a session; ``agent`` narrows that to what one agent sees. Nothing is read until it is needed.

        ``SessionMemory.at`` makes views.
        """
        self._state = state
        self._scope_of = scope_of
        self._agent = agent
        self._part = part

    @property
    def session(self) -> SessionId:
        """Whose memory it is."""
        return SessionId(self._state.session)

    def for_agent(self, agent: AgentId) -> MemoryView:
        """Return what one agent sees of this. Raises NotFound in a view that is another agent's already."""
        if self._agent is not None and agent != self._agent:
            raise NotFound(f"Agent {agent} is not in {self._agent}'s view.", "Ask in the session's own view.")
        return MemoryView(self._state, self._scope_of, AgentId(agent), self._part)

    def only(self, part: Part) -> MemoryView:
        """Return a view of a part, with an index and statistics of its own."""
        return MemoryView(self._state, self._scope_of, self._agent, part)

    @property
    def embedder(self) -> str:
        """The name of what it is searched with. Raises ModelUnknown if that is not installed."""
        return self._scope_of(self._state, self._agent, self._part).embedder

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Everything that is remembered, in the order in which it came."""
        said = self._seen_messages(self._state.history) if self._part == "everything" else ()
        return tuple(sorted(chain(said, self._beside.values()), key=lambda item: item.seq))

    def holds_more_than(self, shown: Collection[str]) -> bool:
        """Tell whether anything was said, or stored, that is not among these ids."""
        stored = (name for name in self._beside if name.startswith("entity:"))
        said = (item.id for item in self._seen_messages(self._state.history))
        return any(name not in shown for name in chain(stored, said))

    @property
    def made_by_loop(self) -> set[str]:
        """Ids of the items that the loop made."""
        return {name for name in self._beside if not name.startswith("entity:")}

    def get(self, item_id: str) -> Item:
        """Return an item. Raises NotFound: for one of another session, or of another agent, as for one that is not."""
        item = self._by_id.get(item_id)
        if item is None:
            raise NotFound(f"There is no item {item_id!r} here.", "See `workbench recall`.")
        return item

    def search(self, query: str, limit: int, *, without: Collection[str] = ()) -> tuple[Found, ...]:
        """Return the items nearest to a query, best first. It computes: call it off the event loop.

        Items whose ids are in ``without``, as a prompt shows them already, are left out; that moves neither order, rank
        nor score of the others. An empty tuple says that nothing matches. Raises ModelError if the embedder fails.
        """
        scope = self._scope_of(self._state, self._agent, self._part)
        history = self._state.history if self._part == "everything" else _NO_HISTORY
        return scope.search(query, limit, self._beside, without=without, history=history, said=self._seen_messages)

    def search_similar(self, query: str, max_results: int, session_id: SessionId) -> tuple[Found, ...]:
        """Search as ``search`` does, for a caller that says whose memory it means.

        ``session_id`` is required and must be this view's own: raises InvalidId for anything that is no id, NotFound
        for another session's.
        """
        if SessionId(session_id) != self.session:
            raise NotFound(f"There is no session {session_id} in this view.", "Open that session to search it.")
        return self.search(query, max_results)

    def retrieve_entity(self, name: str) -> Entity:
        """Return the newest version of an entity. Raises NotFound."""
        entity = self._state.entity(name)
        if entity is None:
            raise NotFound(f"Session {self.session} has no entity {name!r}.", "See `workbench sessions show`.")
        return entity

    def search_memory(self, entities: Sequence[str], queries: Sequence[str], limit: int) -> Remembered:
        """Return the entities of these names, and for the queries together up to ``limit`` items beside them.

        Both are lists of texts, and an empty one asks for nothing: no name and no query stands for everything. Raises
        TypeError for anything else, NotFound for a name that there is not, and what ``search`` raises.
        """
        named = tuple(self.retrieve_entity(name) for name in dict.fromkeys(_texts("entities", entities)))
        given = {f"entity:{entity.id}" for entity in named}
        answers = [self.search(query, limit, without=given) for query in _texts("queries", queries)]
        once: dict[str, Found] = {}
        for one in sorted(chain.from_iterable(answers), key=lambda one: one.rank):
            once.setdefault(one.item.id, one)
        return Remembered(named, tuple(once.values())[: max(limit, 0)])

    def _seen_messages(self, history: Iterable[HistoryItem]) -> Iterator[Item]:
        agent = self._agent
        return (item for item in messages(self._state, history) if agent is None or visible_to(item, agent))

    @cached_property
    def _beside(self) -> dict[str, Item]:
        return {item.id: item for item in _BESIDE[self._part](self._state)}

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}


class SessionMemory:
    """The memory of one session as it grows: a scope for its person and for each agent, kept up with the log.

    Whoever looks at a session more than once keeps it: after each event only what is new is embedded. Safe for threads.
    """

    def __init__(self, session: SessionId, embedder: Embedder, kept: KeptIndexes | None = None) -> None:
        """``kept`` is where indexes of long conversations are kept for other processes."""
        self._session = SessionId(session)
        self._embedder = embedder
        self._kept = kept
        self._scopes: dict[tuple[str | None, Part, bool], Scope] = {}
        self._repliers: set[str | None] = set()
        """Who ever replied; None for replies of which nobody knows whose they are."""
        self._known = _NO_HISTORY

    def at(self, state: SessionState) -> MemoryView:
        """Return the session's memory as of a state. Raises NotFound for a state of another session."""
        if state.session != self._session:
            raise NotFound(f"There is no session {state.session} in this memory.", "Open that session to search it.")
        return MemoryView(state, self._scope_of)

    def _scope_of(self, state: SessionState, agent: AgentId | None, part: Part) -> Scope:
        new = state.history.since(self._known)
        said = state.history if new is None else new
        self._repliers.update(one.agent for one in said if one.role == "assistant" and not one.task)
        self._known = state.history
        asker = _asker(agent, self._repliers if part == "everything" else ())
        kept = None if self._kept is None or part != "everything" else self._kept.for_asker(self._session, asker)
        if kept is not None and state.private:
            kept.remove()
            kept = None
        return self._scopes.setdefault((asker, part, state.private), Scope(self._embedder, kept))


def _asker(agent: AgentId | None, repliers: Collection[str | None]) -> str | None:
    """Return who stands for all that see what an agent sees: the person if nobody replied, and "" for the others."""
    if agent is None or not repliers:
        return None
    return agent if agent in repliers else ""


def _texts(what: str, values: object) -> Sequence[str]:
    """Return a list of texts. Raises TypeError: a text alone is a list of letters to Python, and never meant as one."""
    if isinstance(values, list | tuple) and all(isinstance(value, str) for value in values):
        return values
    raise TypeError(f"{what} must be a list of texts")
