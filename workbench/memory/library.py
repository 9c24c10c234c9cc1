"""The sessions of a workspace as items that can be searched together: read once, kept in the cache.

    each log's head ─ as kept here, or in the cache? ─ yes ─▶ its items ─┐
                                                     └ no ─▶ fold, cache ┴▶ items, and their vectors known

A private session's items are never written, nor are their vectors. Whoever searches many sessions decides what of them
may be seen (other_sessions.py).
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from workbench.domain.errors import LogError
from workbench.domain.log.envelope import UNREADABLE, Head
from workbench.domain.session.items import Item, items
from workbench.domain.session.session import fold
from workbench.memory.passages import spoken_passages
from workbench.memory.vectors import KeptVectors
from workbench.models.embeddings import Embedder
from workbench.storage.files.cache_seal import LARGEST_CACHE, PROCESS_SEAL, CacheSeal
from workbench.storage.files.opening import Files, read_whole, replace_whole
from workbench.storage.ports import EventLog


class _Kept(msgspec.Struct, frozen=True):
    """A session's items as of an event; of a private one, none are written."""

    epoch: str
    seq: int
    hash: str
    items: tuple[Item, ...]
    private: bool

    def is_of(self, session: str, head: Head) -> bool:
        """Tell whether it is what the session remembers now."""
        is_current = (self.epoch, self.seq, self.hash) == (head.epoch, head.seq, head.hash)
        return is_current and all(item.session == session for item in self.items)


_decode = msgspec.json.Decoder(_Kept).decode
_encode = msgspec.json.Encoder().encode


class Library:
    """The items of every session of a log. It reads, writes and computes: call it off the event loop."""

    def __init__(
        self,
        log: EventLog,
        embedder: Embedder,
        cache: Path,
        files: Files | None = None,
        *,
        seal: CacheSeal = PROCESS_SEAL,
    ) -> None:
        """Read a log's sessions; ``cache`` is a folder of what was read of them, which can be deleted."""
        self.log = log
        self._files = files or Files()
        self._cache = cache
        self._seal = seal
        self._vectors = KeptVectors(embedder, cache, self._files, seal)
        self._kept: dict[str, _Kept] = {}

    @property
    def embedder(self) -> Embedder:
        """What to search the items with: it knows their vectors already."""
        return self._vectors

    def items(self, session: str) -> tuple[Item, ...]:
        """Return what a session lets others see: of a private one, nothing.

        Raises NotFound, LogError, and what the embedder raises.
        """
        kept = self._current(session)
        return () if kept.private else kept.items

    def items_for_person(self, session: str) -> tuple[Item, ...]:
        """Return everything that a session remembers, private or not. Raises as ``items`` does."""
        kept = self._current(session)
        return items(fold(self.log.read(session))) if kept.private else kept.items

    def _current(self, session: str) -> _Kept:
        head = self.log.head(session)
        kept = self._kept.get(session)
        if kept is None or not kept.is_of(session, head):
            kept = self._read(session, head) or self._made(session, head)
            self._vectors.keep(session, (text for one in kept.items for text in spoken_passages(one)))
            self._kept[session] = kept
        return kept

    def _read(self, session: str, head: Head) -> _Kept | None:
        with suppress(OSError, *UNREADABLE):
            data = read_whole(self._files, self._file(session), LARGEST_CACHE)
            content = self._seal.opened_object(data, "items", session)
            kept = None if content is None else _decode(content)
            return kept if kept is not None and kept.is_of(session, head) else None
        return None

    def _made(self, session: str, head: Head) -> _Kept:
        state = fold(self.log.read(session))
        kept = _Kept(head.epoch, head.seq, head.hash, () if state.private else items(state), state.private)
        if state.seq == head.seq:
            with suppress(LogError, OSError):  # a cache: where it cannot be written, it is read again
                content = self._seal.sealed_object(_encode(kept), "items", session)
                replace_whole(self._files, self._file(session), content)
        return kept

    def _file(self, session: str) -> Path:
        return self._cache / f"{session}.json"
