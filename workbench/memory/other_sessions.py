"""What other sessions remember, searched for one that asks: the only reading across sessions that leads into prompts.

    each log's head ── as cached? ─ yes ─▶ its items
                             └ no ─▶ fold, items, cache ─┐
    items of every other session that is not private ────┴▶ what the asker's agent may see ─▶ an index ─▶ Recalled

What is found is another session's, and every item says whose. Private sessions are not even indexed. The caller records
the search in the asking session (planning/recalling.py); nothing is searched for nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import msgspec

from workbench.domain.envelope import UNREADABLE, Head
from workbench.domain.errors import LogError, NotFound
from workbench.domain.ids import AgentId, SessionId
from workbench.domain.items import Item, items, visible_to
from workbench.domain.session import fold
from workbench.memory.documents import Document
from workbench.memory.memory_view import Recalled, document_of
from workbench.models.embeddings import Embedder
from workbench.storage.files import Files, replace_whole
from workbench.storage.ports import EventLog

if TYPE_CHECKING:  # numpy is imported when something is searched
    from workbench.memory.index import SearchIndex


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


class _Scope:
    """What one asker may see of others: an index that is kept up, as most of it is the same for the next search."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._items: dict[str, Item] = {}
        self._index: SearchIndex | None = None

    def search(self, query: str, limit: int, seen: dict[str, Item]) -> tuple[Recalled, ...]:
        """Search exactly these items."""
        if not seen:
            return ()
        index = self._index_of(seen)
        return tuple(
            Recalled(seen[one.id], one) for one in index.search(query, limit) if one.relevant and one.score >= 0
        )

    def _index_of(self, seen: dict[str, Item]) -> SearchIndex:
        from workbench.memory.index import SearchIndex

        gone = [name for name, item in self._items.items() if seen.get(name) != item]
        if self._index is None or len(gone) > len(self._items) // 2:
            self._items, self._index = {}, SearchIndex(self._embedder)
        elif gone:
            self._index.remove(gone)
            self._items = {name: item for name, item in self._items.items() if name not in set(gone)}
        new = {name: item for name, item in seen.items() if name not in self._items}
        self._index.add(_documents(new))
        self._items |= new
        return self._index


class OtherSessions:
    """The sessions of a workspace, seen from one of them. It reads and computes: call it off the event loop."""

    def __init__(self, log: EventLog, embedder: Embedder, cache: Path, files: Files | None = None) -> None:
        """Search a log's sessions; ``cache`` is a folder of what was read of them, which can be deleted."""
        self._log = log
        self._embedder = embedder
        self._cache = cache
        self._files = files or Files()
        self._scopes: dict[tuple[str, str | None], _Scope] = {}
        self._lock = Lock()

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
        with self._lock:
            scope = self._scopes.setdefault((asking, agent), _Scope(self._embedder))
            return AcrossResult(scope.search(query, limit, seen), tuple(unreadable))

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


def _documents(seen: dict[str, Item]) -> Iterator[Document]:
    for name, item in seen.items():
        yield replace(document_of(item), id=name)
