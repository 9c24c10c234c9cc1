"""The memory of one session as it grows: an index for its person and one for each agent, kept up with the log.

    SessionMemory(session, embedder) ─ at(state) ─▶ MemoryView ─ for_agent(…) ─▶ MemoryView
                 └── a Scope for each of them, made when it is first searched ──┘

Whoever looks at a session more than once keeps its SessionMemory: after each event only what is new is embedded.
"""

from __future__ import annotations

from workbench.domain.errors import NotFound
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.session.session import SessionState
from workbench.memory.memory_view import MemoryView, Part
from workbench.memory.scope import Scope
from workbench.models.embeddings import Embedder


class SessionMemory:
    """What is kept of exactly one session for searching it; safe for threads."""

    def __init__(self, session: SessionId, embedder: Embedder) -> None:
        self._session = SessionId(session)
        self._embedder = embedder
        self._scopes: dict[tuple[AgentId | None, Part], Scope] = {}

    def at(self, state: SessionState) -> MemoryView:
        """Return the session's memory as of a state. Raises NotFound for a state of another session."""
        if state.session != self._session:
            raise NotFound(f"There is no session {state.session} in this memory.", "Open that session to search it.")
        return MemoryView(state, self._scope_of)

    def _scope_of(self, agent: AgentId | None, part: Part) -> Scope:
        return self._scopes.setdefault((agent, part), Scope(self._embedder))
