"""What other sessions remember, searched for one that asks: the only reading across sessions that leads into prompts.

    each log's head ── as cached? ─ yes ─▶ its items
                             └ no ─▶ fold, items, cache ─┐
    items of every other session that is not private ────┴▶ what the asker's agent may see ─▶ an index ─▶ Recalled

What is found is another session's, and every item says whose. Private sessions are not even indexed. The caller records
the search in the asking session (planning/recalling.py); nothing is searched for nobody.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from workbench.domain.envelope import UNREADABLE, Head
from workbench.domain.errors import LogError, NotFound
from workbench.domain.ids import AgentId, SessionId
from workbench.domain.items import Item, items, visible_to
from workbench.domain.session import fold
from workbench.memory.scope import Recalled, Scope
from workbench.models.embeddings import Embedder
from workbench.storage.files import Files, replace_whole
from workbench.storage.ports import EventLog


class _Kept(msgspec.Struct, frozen=True):
    """A session's items as of an event; of a private one, none."""

    epoch: str
    seq: int
    hash: str
    items: tuple[Item, ...]

    def is_of(self, session: str, head: Head) -> bool:
        """Tell whether it is what the session remembers now: anybody can have written the cache."""
        is_current = (self.epoch, self.seq, self.hash) == (head.epoch, head.seq, head.hash)
        return is_current and all(item.session == session for item in self.items)


@dataclass(frozen=True, slots=True)
class AcrossResult:
    """What a search of other sessions came to."""

    found: tuple[Recalled, ...]
    unreadable: tuple[str, ...]
    """Sessions whose files could not be read."""


_decode = msgspec.json.Decoder(_Kept).decode
_encode = msgspec.json.Encoder().encode


class OtherSessions:
    """The sessions of a workspace, seen from one of them. It reads and computes: call it off the event loop."""

    def __init__(self, log: EventLog, embedder: Embedder, cache: Path, files: Files | None = None) -> None:
        """Search a log's sessions; ``cache`` is a folder of what was read of them, which can be deleted."""
        self._log = log
        self._embedder = embedder
        self._cache = cache
        self._files = files or Files()
        self._scopes: dict[tuple[SessionId, AgentId | None], Scope] = {}

    def search(self, query: str, limit: int, *, asking: SessionId, agent: AgentId | None) -> AcrossResult:
        """Return what other sessions remember nearest to a query, best first; nothing where nothing is near enough.

        ``agent`` sees what people said, artefacts, and of the replies those of the agent of the same name.
        Raises ModelUnknown where the embedder cannot be had.
        """
        asking = SessionId(asking)
        seen: dict[str, Item] = {}
        unreadable = []
        for session in self._log.streams():
            if session == asking:
                continue
            try:
                for item in self._items(session):
                    if agent is None or visible_to(item, agent):
                        seen[f"{session} {item.id}"] = item
            except NotFound:  # deleted since it was listed
                continue
            except LogError:
                unreadable.append(session)
        scope = self._scopes.setdefault((asking, agent), Scope(self._embedder))
        found = scope.search(query, limit, seen)
        return AcrossResult(tuple(one for one in found if _is_near(one)), tuple(unreadable))

    def _items(self, session: str) -> tuple[Item, ...]:
        head = self._log.head(session)
        file = self._cache / f"{session}.json"
        with suppress(OSError, *UNREADABLE):
            kept = _decode(file.read_bytes())
            if kept.is_of(session, head):
                return kept.items
        state = fold(self._log.read(session))
        remembered = () if state.private else items(state)
        if state.seq == head.seq:
            with suppress(LogError, OSError):  # a cache: where it cannot be written, it is read anew
                self._cache.mkdir(mode=0o700, parents=True, exist_ok=True)
                kept = _Kept(head.epoch, head.seq, head.hash, remembered)
                replace_whole(self._files, file, _encode(kept))
        return remembered


def _is_near(one: Recalled) -> bool:
    """Tell whether another session's item may lead into a prompt."""
    return one.found.relevant and one.found.score >= 0
