"""What one session remembers, for its person or for one of its agents: the only way to search it.

    SessionState ─▶ items ─▶ those that the agent may see ─▶ an index of its own ─▶ search ─▶ Recalled

A view is bound to a session and an agent when it is made. No call names another one, so there is no filter that could
be forgotten; and because each view has an index of its own, what others hold moves neither order nor score.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.domain.errors import NotFound
from workbench.domain.ids import AgentId, SessionId
from workbench.domain.items import Item, items, visible_to
from workbench.domain.session import SessionState
from workbench.memory.documents import Document
from workbench.memory.found import Found
from workbench.models.embeddings import Embedder

if TYPE_CHECKING:  # numpy is imported when something is searched
    from workbench.memory.index import SearchIndex


@dataclass(frozen=True, slots=True)
class Recalled:
    """An item that was found, and how."""

    item: Item
    found: Found


class MemoryView:
    """The memory of exactly one session as of one state, as its person or one agent sees it."""

    def __init__(self, state: SessionState, embedder: Embedder, agent: AgentId | None = None) -> None:
        """Look at a session; ``agent`` narrows that to what one agent sees. Nothing is read until it is needed."""
        self._state = state
        self._embedder = embedder
        self._agent = agent

    @property
    def session(self) -> SessionId:
        """Whose memory it is."""
        return SessionId(self._state.session)

    def for_agent(self, agent: AgentId) -> MemoryView:
        """Return what one agent sees of this. Raises NotFound in a view that is another agent's already."""
        if self._agent is not None and agent != self._agent:
            raise NotFound(f"Agent {agent} is not in {self._agent}'s view.", "Ask in the session's own view.")
        return MemoryView(self._state, self._embedder, AgentId(agent))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Everything that is remembered, in the order in which it came."""
        agent = self._agent
        return tuple(item for item in items(self._state) if agent is None or visible_to(item, agent))

    def get(self, item_id: str) -> Item:
        """Return an item. Raises NotFound: for one of another session, or of another agent, as for one that is not."""
        item = self._by_id.get(item_id)
        if item is None:
            raise NotFound(f"There is no item {item_id!r} here.", "See `workbench recall`.")
        return item

    def search(self, query: str, limit: int) -> tuple[Recalled, ...]:
        """Return the items nearest to a query, best first. It computes: call it off the event loop.

        An empty tuple says that nothing matches. Raises ModelUnknown where the embedder cannot be had.
        """
        return tuple(Recalled(self._by_id[found.id], found) for found in self._index.search(query, limit))

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}

    @cached_property
    def _index(self) -> SearchIndex:
        from workbench.memory.index import SearchIndex

        index = SearchIndex(self._embedder)
        index.add(document_of(item) for item in self.items)
        return index


def document_of(item: Item) -> Document:
    """Return an item as it is indexed: messages are turns of a talk, artefacts stand for themselves."""
    return Document(id=item.id, text=item.text, speaker=item.agent or "", time=item.time, talk=item.role != "artefact")
