"""The sessions of a workspace as items that can be searched together: read once, kept in the cache.

    each log's stamp ─ as kept here, or in the cache? ─ yes ─▶ its terms ─▶ its items ─▶ its vectors
                                                      └ no ─▶ fold, cache ─┘

Each is read only if it is asked for: of most sessions, the terms. Nothing of a private session is ever written.
Whoever searches many sessions decides what of them may be seen (other_sessions.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from workbench.domain.errors import LogError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.session.items import Item, items
from workbench.domain.session.session import fold
from workbench.memory.passages import spoken_passages
from workbench.memory.session_terms import SessionTerms, TermReader
from workbench.memory.vectors import KeptVectors
from workbench.models.embeddings import Embedder
from workbench.storage.files.cache_seal import LARGEST_CACHE, PROCESS_SEAL, CacheSeal
from workbench.storage.files.opening import Files, read_whole, replace_whole
from workbench.storage.ports import EventLog, Stamped


class _Kept(msgspec.Struct, frozen=True):
    """A session's items as of an event; of a private one, none are written."""

    stamp: str
    items: tuple[Item, ...]
    private: bool

    def is_of(self, session: str, stamp: str) -> bool:
        """Tell whether it is what the session remembers now."""
        return self.stamp == stamp and all(item.session == session for item in self.items)


_decode = msgspec.json.Decoder(_Kept).decode
_decode_terms = msgspec.json.Decoder(SessionTerms).decode
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
        self._terms: dict[str, SessionTerms] = {}
        self._reader = TermReader()

    @property
    def embedder(self) -> Embedder:
        """What to search the items with: it knows the vectors of those that are ``searchable`` already."""
        return self._vectors

    def stamps(self) -> Mapping[str, str]:
        """Return each session with what tells one content of its log from another, "" if only its end does."""
        known = {}
        if isinstance(self.log, Stamped):
            known = {stream: stamp.content for stream, stamp in self.log.stamps()}
        return {stream: known.get(stream, "") for stream in self.log.streams()}

    def terms(self, session: str, stamp: str = "") -> SessionTerms:
        """Return the terms of what a session lets others see: of a private one, none. Raises NotFound, LogError."""
        stamp = stamp or self._stamp(session)
        found = self._terms.get(session)
        if found is None or found.stamp != stamp:
            found = self._terms[session] = self._read_terms(session, stamp) or self._made_terms(session, stamp)
        return found

    def items(self, session: str, stamp: str = "") -> tuple[Item, ...]:
        """Return what a session lets others see: of a private one, nothing. Raises NotFound, LogError."""
        kept = self._current(session, stamp)
        return () if kept.private else kept.items

    def searchable(self, session: str, stamp: str = "") -> tuple[Item, ...]:
        """Return what a session lets others see, and know its vectors.

        Raises NotFound, LogError, and what the embedder raises.
        """
        found = self.items(session, stamp)
        self._vectors.keep(session, (text for one in found for text in spoken_passages(one)))
        return found

    def items_for_person(self, session: str, stamp: str = "") -> tuple[Item, ...]:
        """Return everything that a session remembers, private or not. Raises as ``searchable`` does."""
        found = self.searchable(session, stamp)
        return items(fold(self.log.read(session))) if self._kept[session].private else found

    def _stamp(self, session: str) -> str:
        head = self.log.head(session)
        return f"{head.epoch}:{head.seq}:{head.hash}"

    def _current(self, session: str, stamp: str) -> _Kept:
        stamp = stamp or self._stamp(session)
        kept = self._kept.get(session)
        if kept is None or not kept.is_of(session, stamp):
            kept = self._kept[session] = self._read_kept(session, stamp) or self._build_kept(session, stamp)
        return kept

    def _read_kept(self, session: str, stamp: str) -> _Kept | None:
        with suppress(OSError, *UNREADABLE):
            kept = _decode(self._read_sealed(session, "items"))
            return kept if kept.is_of(session, stamp) else None
        return None

    def _build_kept(self, session: str, stamp: str) -> _Kept:
        state = fold(self.log.read(session))
        kept = _Kept(stamp, () if state.private else items(state), state.private)
        self._write(session, "items", kept)
        if kept.private:
            self._vectors.keep(session, ())
        return kept

    def _read_terms(self, session: str, stamp: str) -> SessionTerms | None:
        with suppress(OSError, *UNREADABLE):
            found = _decode_terms(self._read_sealed(session, "terms"))
            return found if found.stamp == stamp else None
        return None

    def _made_terms(self, session: str, stamp: str) -> SessionTerms:
        found = self._reader.read(self.items(session, stamp), stamp)
        self._write(session, "terms", found)
        return found

    def _read_sealed(self, session: str, subject: str) -> bytes:
        """Return what is kept of a session. Raises OSError, ValueError."""
        data = read_whole(self._files, self._file(session, subject), LARGEST_CACHE)
        content = self._seal.opened_object(data, subject, session)
        if content is None:
            raise ValueError("another seal")
        return content

    def _write(self, session: str, subject: str, value: _Kept | SessionTerms) -> None:
        with suppress(LogError, OSError):  # a cache: if it cannot be written, it is read again
            content = self._seal.sealed_object(_encode(value), subject, session)
            replace_whole(self._files, self._file(session, subject), content, durable=False)

    def _file(self, session: str, subject: str) -> Path:
        return self._cache / f"{session}.{'json' if subject == 'items' else subject}"
