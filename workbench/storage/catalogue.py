"""The list of sessions, without reading their files: a cache of summaries that follows what was appended.

    for each file:  stamp (inode, size, mtime) as cached?  ─ yes ─▶ the cached summary
                              │ no
                              ▼
                    summarise(cached summary, events behind the cached cursor)

What a summary says is the caller's affair; it need only be JSON. The cache can be deleted: it is built anew, and so is
every part of it that the caller does not accept, since anybody can have written it.
It is replaced whole, so that several processes may list at once; where it cannot be written, listing works without.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from workbench.domain.envelope import UNREADABLE, Event
from workbench.domain.errors import LogDamaged, LogError, LogTooNew, NotFound
from workbench.domain.text import clean
from workbench.storage.file_log import FileLog, stream_of
from workbench.storage.files import Files, replace_whole, reported
from workbench.storage.stream_file import Cursor

Summary = dict[str, Any]
Summarise = Callable[[Summary | None, Sequence[Event]], Summary]
"""From the summary so far (None at the start of a stream) and the next events, the summary behind them. Raises
LogDamaged, or what decoding raises, for what it cannot read."""
Accept = Callable[[Summary], object]
"""Raises what decoding raises (``envelope.UNREADABLE``) for a summary that the caller could not have made."""

_REMEDY = "Restore its file from a copy."
_CONTENT_ERRORS: dict[str, type[LogError]] = {"damaged": LogDamaged, "newer": LogTooNew}


class Entry(msgspec.Struct, frozen=True):
    """One session in the list."""

    stream: str
    summary: Summary | None
    """None when the file cannot be read."""
    error: LogError | None
    """Why it cannot be read; None when it can."""
    size: int
    """Bytes of its file."""
    changed: float
    """When its file was last written: seconds since 1970."""


class _Stamp(msgspec.Struct, frozen=True, array_like=True):
    inode: int
    size: int
    mtime_ns: int


class _Known(msgspec.Struct, frozen=True, array_like=True):
    stamp: _Stamp
    cursor: Cursor | None = None
    summary: Summary | None = None
    problem: tuple[str, str, str] | None = None
    """Kind, message and remedy of an error that only another content of the file would change."""


class _Cache(msgspec.Struct, frozen=True):
    version: str
    sessions: dict[str, _Known]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Cache).decode


class Catalogue:
    """The sessions of a log, each with a summary."""

    def __init__(
        self,
        log: FileLog,
        cache: Path,
        summarise: Summarise,
        *,
        version: str,
        accept: Accept = dict,
        files: Files | None = None,
    ) -> None:
        """List a log's streams through a cache file; ``version`` names what ``summarise`` computes.

        ``accept`` is shown each summary that comes from the cache.
        """
        self._log = log
        self._cache = cache
        self._summarise = summarise
        self._version = version
        self._accept = accept
        self._files = files or Files()

    def entries(self) -> list[Entry]:
        """Return all sessions, sorted by name; those whose file cannot be read too, with the reason.

        Raises LogUnavailable when the folder itself cannot be read.
        """
        cached = self._load()
        known: dict[str, _Known] = {}
        entries = []
        for stream, stamp in sorted(self._stamps()):
            before = cached.get(stream)
            try:
                now = before if before is not None and before.stamp == stamp else self._look(stream, stamp, before)
            except NotFound:  # deleted since the folder was listed
                continue
            except LogError as error:
                entries.append(_entry(stream, _Known(stamp), error))
                continue
            known[stream] = now
            entries.append(_entry(stream, now, _error(now)))
        if any(cached.get(stream) is not now for stream, now in known.items()) or len(known) != len(cached):
            self._save(known)
        return entries

    def _stamps(self) -> Iterator[tuple[str, _Stamp]]:
        with reported(self._log.folder):
            if not self._log.folder.exists():
                return
            with os.scandir(self._log.folder) as folder:
                for file in folder:
                    stream = stream_of(file.name)
                    if stream is not None:
                        with suppress(FileNotFoundError):
                            status = file.stat()
                            yield stream, _Stamp(status.st_ino, status.st_size, status.st_mtime_ns)

    def _look(self, stream: str, stamp: _Stamp, before: _Known | None) -> _Known:
        if before is not None and before.stamp.size < stamp.size:  # else it was rewritten: begin anew
            known = self._read(stream, stamp, before.cursor, before.summary)
            if known.problem is None:
                return known  # else it may be the cache that is wrong
        return self._read(stream, stamp, None, None)

    def _read(self, stream: str, stamp: _Stamp, cursor: Cursor | None, summary: Summary | None) -> _Known:
        try:
            for events, end in self._log.file(stream).since(cursor):
                summary = self._summarise(None if events[0].seq == 1 else summary, events)
                cursor = end
        except LogTooNew as error:
            return _problem(stamp, "newer", error.message, error.remedy)
        except LogDamaged as error:
            return _problem(stamp, "damaged", error.message, error.remedy)
        except UNREADABLE as error:
            return _problem(stamp, "damaged", f"The events of {stream} cannot be read: {error}.", _REMEDY)
        return _Known(stamp, cursor, summary)

    def _load(self) -> dict[str, _Known]:
        try:
            cache = _decode(self._cache.read_bytes())
        except (OSError, *UNREADABLE):
            return {}
        sessions = cache.sessions if cache.version == self._version else {}
        return {stream: known for stream, known in sessions.items() if self._is_usable(known)}

    def _is_usable(self, known: _Known) -> bool:
        if known.problem is not None:
            return known.problem[0] in _CONTENT_ERRORS
        try:
            self._accept({} if known.summary is None else known.summary)
        except UNREADABLE:
            return False
        return True

    def _save(self, known: dict[str, _Known]) -> None:
        with suppress(OSError):
            replace_whole(self._files, self._cache, _encode(_Cache(self._version, known)), durable=False)


def _entry(stream: str, known: _Known, error: LogError | None) -> Entry:
    return Entry(stream, known.summary, error, known.stamp.size, known.stamp.mtime_ns / 1e9)


def _problem(stamp: _Stamp, kind: str, message: str, remedy: str) -> _Known:
    """Return what is known of a file that cannot be read; the name of its folder may be what no cache can hold."""
    return _Known(stamp, problem=(kind, clean(message), clean(remedy)))


def _error(known: _Known) -> LogError | None:
    if known.problem is None:
        return None
    kind, message, remedy = known.problem
    return _CONTENT_ERRORS[kind](message, remedy)
