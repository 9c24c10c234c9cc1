"""What other sessions remember, searched for one that asks: the only reading across sessions that leads into prompts.

    items of every other session that is not private ─▶ what the asker's agent may see ─▶ its scope ─▶ Recalled

What is found is another session's, and every item says whose. Private sessions are not even indexed. The caller records
the search in the asking session (planning/recalling.py); nothing is searched for nobody.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.domain.errors import LogError, NotFound
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.session.items import Item, visible_to
from workbench.memory.library import Library
from workbench.memory.scope import Recalled, Scope


@dataclass(frozen=True, slots=True)
class AcrossResult:
    """What a search of other sessions came to."""

    found: tuple[Recalled, ...]
    unreadable: tuple[str, ...]
    """Sessions whose files could not be read."""


class OtherSessions:
    """The sessions of a workspace, seen from one of them. It reads and computes: call it off the event loop."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._scopes: dict[tuple[SessionId, AgentId | None], Scope] = {}

    def search(self, query: str, limit: int, *, asking: SessionId, agent: AgentId | None) -> AcrossResult:
        """Return what other sessions remember nearest to a query, best first; nothing where nothing is near enough.

        ``agent`` sees what people said, artefacts, and of the replies those of the agent of the same name.
        Raises ModelError where the embedder fails.
        """
        asking = SessionId(asking)
        seen: dict[str, Item] = {}
        unreadable = []
        for session in self._library.log.streams():
            if session == asking:
                continue
            try:
                for item in self._library.items(session):
                    if agent is None or visible_to(item, agent):
                        seen[f"{session} {item.id}"] = item
            except NotFound:  # deleted since it was listed
                continue
            except LogError:
                unreadable.append(session)
        scope = self._scopes.setdefault((asking, agent), Scope(self._library.embedder))
        found = scope.search(query, limit, seen)
        return AcrossResult(tuple(one for one in found if _is_near(one)), tuple(unreadable))


def _is_near(one: Recalled) -> bool:
    """Tell whether another session's item may lead into a prompt."""
    return one.found.is_near
