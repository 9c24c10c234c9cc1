"""The embedded log: one journal file for each stream, ``{stream}.jsonl``, in one folder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path

import msgspec

from workbench.domain.errors import InvalidId
from workbench.domain.log.envelope import Draft, Event, Head
from workbench.domain.log.ids import SessionId
from workbench.storage import codec
from workbench.storage.admission import check
from workbench.storage.files.archives import Archives
from workbench.storage.files.damage.repair import Repair, repair
from workbench.storage.files.damage.soundness import TakesIn, as_session
from workbench.storage.files.journal import DEFAULT_PATIENCE
from workbench.storage.files.opening import Files, reporting_errors
from workbench.storage.files.redaction import redact
from workbench.storage.files.rotation import Rotation
from workbench.storage.files.session_file import keep_unsaved
from workbench.storage.files.stream import Cursor, StreamFile
from workbench.storage.files.trash import Trash, utc_now
from workbench.storage.files.watching.bell import Bell, Listener, Pauses
from workbench.storage.files.watching.following import follow
from workbench.storage.ports import Decide, Driver, Stamp

SUFFIX = ".jsonl"


class FileLog:
    """An EventLog, and the DriverLocks, over the files of a folder."""

    cursor_type = Cursor

    def __init__(
        self,
        folder: Path,
        *,
        trash: Path | None = None,
        durable: bool = True,
        shared: bool = False,
        archive_at: int | None = None,
        bell: Bell | None = None,
        patience: float = DEFAULT_PATIENCE,
        new_epoch: Callable[[], str] = codec.random_epoch,
        now: Callable[[], datetime] = utc_now,
        files: Files | None = None,
    ) -> None:
        """Use a folder, which need not exist yet; ``trash`` is a folder ``trash`` beside it unless given.

        Durable: an append returns when the events would survive a power cut. Shared: a stream may hold the events of
        several sessions; else it is one session, and every event of it says so. Archive: what a shared stream holds is
        put into the folder ``archive`` when its file has more bytes than that. Bell: wakes those who follow; without
        one they look again and again. Patience: seconds to wait for another process that is appending.
        """
        self.folder = folder
        self.bell = bell
        self._files = files or Files()
        self.trash = Trash(trash or folder.with_name("trash"), files=self._files, now=now)
        self._durable = durable
        self._shared = shared
        self._archive_at = archive_at
        self._patience = patience
        self._new_epoch = new_epoch
        self._known: dict[str, StreamFile] = {}
        self._rotations: dict[str, Rotation] = {}
        self._lock = threading.Lock()

    def append(
        self, stream: str, drafts: Sequence[Draft], *, expected: int | None, known: Head | None = None
    ) -> tuple[Event, ...]:
        """Append a batch and return it as events."""
        file = self.file(stream)
        check(drafts, session=None if self._shared else file.stream)
        if not drafts:
            return ()
        return self._appended(stream, file.append(drafts, expected=expected, known=known))

    def append_decided(self, stream: str, decide: Decide, *, known: Head) -> tuple[Event, ...]:
        """Append what is decided at the very end of a stream, with its gate held."""
        return self._appended(stream, self.file(stream).append_decided(decide, known=known))

    def _appended(self, stream: str, events: tuple[Event, ...]) -> tuple[Event, ...]:
        self._ring(stream)
        if stream in self._rotations:
            self._rotations[stream].appended()
        return events

    def redact(
        self, stream: str, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int
    ) -> tuple[Event, ...]:
        """Give stored events other bodies, and append a batch that says so."""
        file = self.file(stream)
        check(drafts, session=None if self._shared else file.stream)
        written = redact(file, bodies, drafts, expected=expected)
        self._ring(stream)
        return written

    def close(self) -> None:
        """Let go of the files that are kept open; the next append opens them again."""
        with self._lock:
            for file in self._known.values():
                file.journal.close()

    def archives(self, stream: str) -> list[Path]:
        """Return the archives that a shared stream consists of. Raises NotFound, LogDamaged, LogTooNew."""
        file = self.file(stream)
        with file.journal.reading() as opened:
            begin = file.origin(opened).head
        return file.older.files(begin) if file.older is not None else []

    def _ring(self, stream: str) -> None:
        if self.bell is not None:
            self.bell.ring(stream)

    def read(self, stream: str, *, after: int = 0, known: Head | None = None) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order."""
        return self.file(stream).events(after=after, known=known)

    def keep_unsaved(self, stream: str, events: Sequence[Event]) -> Path:
        """Write a session as this process knows it to the trash, and return the file's path. Raises LogUnavailable."""
        return keep_unsaved(self.trash, stream, events)

    def head(self, stream: str) -> Head:
        """Return the end of a stream."""
        end = self.file(stream).head()
        return Head(end.epoch, end.seq, end.hash)

    def epoch(self, stream: str) -> str:
        """Return the epoch in the first line of a stream's file."""
        return self.file(stream).epoch()

    def follow(
        self, stream: str, *, after: int, stopped: Callable[[], bool], known: Head | None = None
    ) -> Iterator[Sequence[Event]]:
        """Yield batches of events after ``after`` as they are committed, until ``stopped()`` is true."""

        def listen() -> Listener:
            return Pauses() if self.bell is None else self.bell.listener(stream, stopped)

        return follow(self.file(stream), after=after, stopped=stopped, listen=listen, known=known)

    def streams(self) -> Iterator[str]:
        """Yield the names of all streams, sorted; files that are not named like one are passed over."""
        with reporting_errors(self.folder):
            names = self._files.names(self.folder)
        yield from sorted(filter(None, map(stream_of, names)))

    def stamps(self) -> Iterator[tuple[str, Stamp]]:
        """Yield each stream with its stamp: no file is opened."""
        with reporting_errors(self.folder):
            entries = self._files.entries(self.folder)
        for name, status in entries:
            stream = stream_of(name)
            if stream is not None:
                content = f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"
                yield stream, Stamp(content, status.st_size, status.st_mtime_ns / 1e9)

    def since(self, stream: str, cursor: Cursor | None) -> Iterator[tuple[Sequence[Event], Cursor]]:
        """Yield what is after a cursor, in portions, each with the place after it."""
        return self.file(stream).since(cursor)

    def place(self, stream: str, seq: int) -> object:
        """Return a place that is not after event ``seq``, as JSON can hold it; None if none is remembered."""
        mark = self.file(stream).mark(seq)
        return None if mark is None else msgspec.to_builtins(mark)

    def begin_at(self, stream: str, place: object) -> None:
        """Let reading begin at a kept place; one that does not hold any more changes nothing."""
        with suppress(msgspec.ValidationError):
            self.file(stream).remember(msgspec.convert(place, Cursor))

    def drive(self, stream: str) -> AbstractContextManager[None]:
        """Hold the driver's lock of a session. Raises LogBusy, naming the process that holds it."""
        return self.file(stream).drive()

    def driver(self, stream: str) -> Driver | None:
        """Return who drives a session, without trying to take the lock; None when nobody does."""
        return self.file(stream).driver()

    def repair(self, stream: str, *, takes_in: TakesIn = as_session, keep_nothing: bool = False) -> Repair:
        """Keep what is sound of a damaged file, as ``repair.repair`` does."""
        done = repair(self.file(stream), takes_in=takes_in, keep_nothing=keep_nothing)
        self._ring(stream)
        return done

    def file(self, stream: str) -> StreamFile:
        """Return a stream's file, which need not exist. Raises InvalidId."""
        known = self._known.get(stream)
        if known is not None:
            return known
        name = str(SessionId(stream))
        with self._lock:
            if name not in self._known:
                self._known[name] = self._open_stream(name)
            return self._known[name]

    def _open_stream(self, name: str) -> StreamFile:
        archives = None
        if self._shared:
            archives = Archives(self.folder / "archive", name, trash=self.trash, files=self._files)
        file = StreamFile(
            self.folder / f"{name}{SUFFIX}",
            name,
            trash=self.trash,
            files=self._files,
            durable=self._durable,
            shared=self._shared,
            patience=self._patience,
            new_epoch=self._new_epoch,
            older=archives,
        )
        if archives is not None and self._archive_at is not None:
            self._rotations[name] = Rotation(file, archives, larger_than=self._archive_at)
        return file


def stream_of(file_name: str) -> str | None:
    """Return the stream a file is named for; None when its name is not an id and ``.jsonl``."""
    stem, dot, suffix = file_name.rpartition(".")
    try:
        return str(SessionId(stem)) if dot + suffix == SUFFIX else None
    except InvalidId:
        return None
