"""The list of sessions, without reading them: a cache of summaries that follows what was appended.

A stream keeps its summary while its stamp does: what a log knows of it without reading, of a file its inode, size and
time, on a server its head. Of another one, what is after the cached cursor is summarised.

What a summary says is the caller's affair; it need only be JSON. The cache can be deleted: it is made again, and so is
every part of it that the caller does not accept, since anybody can have written it. It is replaced whole, so that
several processes may list at once; if it cannot be written, listing works without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Generic

import msgspec

from workbench.domain.errors import LogDamaged, LogError, LogTooNew, NotFound
from workbench.domain.log.envelope import UNREADABLE, Event
from workbench.domain.text.cleaning import clean
from workbench.storage.files.cache_seal import LARGEST_CACHE, PROCESS_SEAL, CacheSeal
from workbench.storage.files.opening import Files, read_whole, replace_whole
from workbench.storage.ports import C, Listable, Stamp

Summary = dict[str, Any]
Summarise = Callable[[Summary | None, Sequence[Event]], Summary]
"""From the summary so far (None at the start of a stream) and the next events, the summary after them. Raises
LogDamaged, or what decoding raises, for what it cannot read."""
Accept = Callable[[msgspec.Raw], Any]
"""Decodes a summary as entries hold it. Raises what decoding raises (``envelope.UNREADABLE``) for one that the caller
could not have made."""

_SUBJECT = "sessions"
_REMEDY = "Restore its file from a copy."
_CONTENT_ERRORS: dict[str, type[LogError]] = {"damaged": LogDamaged, "newer": LogTooNew}


class Entry(msgspec.Struct, frozen=True):
    """One session in the list."""

    stream: str
    summary: Any
    """As ``accept`` gives it; None when it cannot be read."""
    error: LogError | None
    """Why it cannot be read; None when it can."""
    size: int
    """As its stamp says it."""
    changed: float
    """As its stamp says it."""


_NULL = msgspec.Raw(b"null")


class _Known(msgspec.Struct, Generic[C], frozen=True, array_like=True):
    stamp: Stamp
    cursor: C | None = None
    summary: msgspec.Raw = _NULL
    """Decoded only if it is needed: most of a long list stays as it was."""
    problem: tuple[str, str, str] | None = None
    """Kind, message and remedy of an error that only another content of the stream would change."""


class _Cache(msgspec.Struct, Generic[C], frozen=True):
    version: str
    sessions: dict[str, _Known[C]]


_encode = msgspec.json.Encoder().encode


class Catalogue(Generic[C]):
    """The sessions of a log, each with a summary."""

    def __init__(
        self,
        log: Listable[C],
        cache: Path,
        summarise: Summarise,
        *,
        version: str,
        accept: Accept = msgspec.json.decode,
        seal: CacheSeal = PROCESS_SEAL,
        files: Files | None = None,
        is_whole: bool = False,
    ) -> None:
        """``version`` names what ``summarise`` computes; ``accept`` is shown each summary that comes from the cache.

        ``is_whole``: a summary is made of all events of a stream at once, also where only some are new.
        """
        self._log = log
        self._cache = cache
        self._summarise = summarise
        self._version = version
        self._accept = accept
        self._seal = seal
        self._files = files or Files()
        self._is_whole = is_whole
        self._decode = msgspec.json.Decoder(_Cache[log.cursor_type]).decode  # type: ignore[name-defined]  # known only here
        self._known: dict[str, tuple[_Known[C], Any]] | None = None
        """What is known of each stream, with its summary as the caller accepts it; None before the cache was read."""
        self._lock = Lock()

    def entries(self) -> list[Entry]:
        """Return all sessions, sorted by name; those that cannot be read too, with the reason.

        Raises LogUnavailable when the log itself cannot be read. The cache is read once; asked again, only streams that
        changed are looked into.
        """
        with self._lock:
            return self._entries()

    def _entries(self) -> list[Entry]:
        cached, is_changed = self._load() if self._known is None else self._known, False
        known: dict[str, tuple[_Known[C], Any]] = {}
        entries = []
        for stream, stamp in sorted(self._log.stamps()):
            before, summary = cached.get(stream, (None, None))
            try:
                now = before if before is not None and before.stamp == stamp else self._refresh(stream, stamp, before)
            except NotFound:  # deleted since the log was listed
                continue
            except LogError as error:
                entries.append(Entry(stream, None, error, stamp.size, stamp.changed))
                continue
            if now is not before:
                summary, is_changed = self._accepted(now), True
            known[stream] = now, summary
            entries.append(Entry(stream, summary, _error(now), stamp.size, stamp.changed))
        if is_changed or len(known) != len(cached):
            self._save({stream: now for stream, (now, _) in known.items()})
        self._known = known
        return entries

    def _refresh(self, stream: str, stamp: Stamp, before: _Known[C] | None) -> _Known[C]:
        if before is not None and before.stamp.size < stamp.size and not self._is_whole:  # else it begins again
            known = self._read_summary(stream, stamp, before.cursor, before.summary)
            if known.problem is None:
                return known  # else it may be the cache that is wrong
        return self._read_summary(stream, stamp, None, _NULL)

    def _read_summary(self, stream: str, stamp: Stamp, cursor: C | None, cached: msgspec.Raw) -> _Known[C]:
        try:
            summary = msgspec.json.decode(cached, type=Summary | None)
            portions = self._log.since(stream, cursor)
            for events, end in self._together(portions) if self._is_whole else portions:
                summary = self._summarise(None if events[0].seq == 1 else summary, events)
                cursor = end
        except LogTooNew as error:
            return _problem(stamp, "newer", error.message, error.remedy)
        except LogDamaged as error:
            return _problem(stamp, "damaged", error.message, error.remedy)
        except UNREADABLE as error:
            return _problem(stamp, "damaged", f"The events of {stream} cannot be read: {error}.", _REMEDY)
        return _Known(stamp, cursor, msgspec.Raw(_encode(summary)))

    def _together(self, portions: Iterator[tuple[Sequence[Event], C]]) -> Iterator[tuple[Sequence[Event], C]]:
        """Yield all portions as one."""
        every = list(portions)
        if every:
            yield [event for events, _ in every for event in events], every[-1][1]

    def _load(self) -> dict[str, tuple[_Known[C], Any]]:
        """Return what the cache knows of each stream, with its summary as the caller accepts it."""
        try:
            content = self._seal.opened_object(read_whole(self._files, self._cache, LARGEST_CACHE), _SUBJECT)
            if content is None:
                return {}
            cache = self._decode(content)
        except (OSError, *UNREADABLE):
            return {}
        sessions = cache.sessions if cache.version == self._version else {}
        usable = {}
        for stream, known in sessions.items():
            if known.problem is None or known.problem[0] in _CONTENT_ERRORS:
                with suppress(*UNREADABLE):
                    usable[stream] = known, self._accepted(known)
        return usable

    def _accepted(self, known: _Known[C]) -> Any:
        return None if bytes(known.summary) == b"null" else self._accept(known.summary)

    def _save(self, known: dict[str, _Known[C]]) -> None:
        with suppress(OSError):
            content = self._seal.sealed_object(_encode(_Cache(self._version, known)), _SUBJECT)
            replace_whole(self._files, self._cache, content, durable=False)


def _problem(stamp: Stamp, kind: str, message: str, remedy: str) -> _Known[Any]:
    """Return what is known of a stream that cannot be read; the name of its folder may be what no cache can hold."""
    return _Known(stamp, problem=(kind, clean(message), clean(remedy)))


def _error(known: _Known[Any]) -> LogError | None:
    if known.problem is None:
        return None
    kind, message, remedy = known.problem
    return _CONTENT_ERRORS[kind](message, remedy)
