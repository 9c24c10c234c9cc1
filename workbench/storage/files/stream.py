"""One stream of events in one journal file: appended to by any process, followed by any other.

What is remembered between calls (the last places where reading ended, and one for about every mebibyte before) is a
cache. A place is used only where the very event it is after still ends there, in the same history.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Protocol

import msgspec

from workbench.domain.errors import LogBusy, LogDamaged, LogTooNew, StaleHead
from workbench.domain.log.envelope import UNREADABLE, Draft, Event, Head, followed, genesis, seal
from workbench.storage import codec
from workbench.storage.admission import already_stored, check, in_order, went_back
from workbench.storage.files.journal import DEFAULT_PATIENCE, Journal, Position
from workbench.storage.files.locking.lock_choice import lock_kind, locks_of
from workbench.storage.files.locking.locks import DRIVER, Grip, Holder
from workbench.storage.files.opening import Files, OpenFile, create_whole, reporting_errors
from workbench.storage.files.trash import Trash
from workbench.storage.ports import Decide, Driver

_RECENT = 512
"""Places that are remembered however near they are to each other; older ones are a mebibyte apart."""


class Cursor(msgspec.Struct, frozen=True):
    """A place after an event in a file, from which reading can continue without what is before it."""

    inode: int
    epoch: str
    offset: int
    """Bytes from the start of the file."""
    seq: int
    hash: str
    begin: int = 0
    """Of the event that the file begins after."""

    @property
    def head(self) -> Head:
        """The same place for the chain."""
        return Head(self.epoch, self.seq, self.hash)

    @property
    def position(self) -> Position:
        """The same place for the journal: one line for each event, and one for the header."""
        return Position(self.offset, self.seq - self.begin + 1)

    def is_before(self, other: Cursor) -> bool:
        """Tell whether another cursor stands further on in the same history."""
        return (self.inode, self.epoch) == (other.inode, other.epoch) and self.seq <= other.seq


class Older(Protocol):
    """Where the events are that stand no longer in a stream's file. Raises LogDamaged, LogTooNew."""

    def events(self, *, after: int, until: Head) -> Iterator[Event]:
        """Yield the events after ``after`` up to where the file begins."""

    def files(self, until: Head) -> list[Path]:
        """Return the files that they are in."""

    def redact(self, bodies: Mapping[str, msgspec.Raw], *, until: Head) -> None:
        """Give those of them that are named by their ids other bodies. Raises OSError."""


class StreamFile:
    """The events of one stream in one file."""

    def __init__(
        self,
        path: Path,
        stream: str,
        *,
        trash: Trash,
        files: Files | None = None,
        durable: bool = True,
        shared: bool = False,
        patience: float = DEFAULT_PATIENCE,
        new_epoch: Callable[[], str] = codec.random_epoch,
        older: Older | None = None,
        remedy: str = "",
    ) -> None:
        """Use a file, which need not exist yet.

        Shared: its events may belong to sessions of other names. Older: its first events may be elsewhere. Remedy:
        what to do when it is damaged.
        """
        self.path = path
        self.stream = stream
        self.trash = trash
        self.files = files or Files()
        remedy = remedy or (
            "Move that file away: what is shared begins again, and no session loses anything."
            if shared
            else f"Run `workbench sessions repair {stream}`: it keeps what is sound, the damaged file in the trash."
        )
        self.journal = Journal(path, files=self.files, patience=patience, remedy=remedy)
        self.new_epoch = new_epoch
        self.shared = shared
        self.older = older
        self._durable = durable
        self._remembering = threading.Lock()
        self._marks: list[Cursor] = []
        self._ids: dict[str, int] = {}
        self._ids_until: Cursor | None = None

    # writing

    def append(self, drafts: Sequence[Draft], *, expected: int | None, known: Head | None = None) -> tuple[Event, ...]:
        """Append a batch, as EventLog.append does."""
        if expected == 0:
            with reporting_errors(self.path):
                is_there = self.files.exists(self.path)
            if not is_there:
                return self._create(drafts)
        return self._append(drafts, expected, known)

    def _create(self, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        lock_kind()  # before there is a file that nobody can append to
        epoch = self.new_epoch()
        events = seal(drafts, Head(epoch, 0, genesis(self.stream)))
        header = codec.FileHeader(codec.FORMAT, codec.PLAIN, self.stream, epoch)
        lines = codec.encode_header(header) + codec.encode_events(events)
        with reporting_errors(self.path):
            try:
                create_whole(self.files, self.path, lines, durable=self._durable)
            except FileExistsError:  # another process was first: now it is an append, and stale unless it is a retry
                return self._append(drafts, 0, None)
        return events

    def _append(self, drafts: Sequence[Draft], expected: int | None, known: Head | None) -> tuple[Event, ...]:
        with self.journal.appending() as file:
            self.require(file, known)
            end = self.caught_up(file)
            stored = self._stored_in(end, drafts, expected)
            if not stored:
                return self._write(file, end, drafts, durable=self._durable)
            if self._durable:
                self.files.datasync(file.descriptor)  # whoever wrote them may have died before this
            fresh = [draft for index, draft in enumerate(drafts) if index not in stored]
            written = self._write(file, end, fresh, durable=self._durable) if fresh else ()
        return in_order(drafts, stored, written)

    def _stored_in(self, end: Cursor, drafts: Sequence[Draft], expected: int | None) -> Mapping[int, Event]:
        """Return the stored events of drafts, as ``already_stored`` does. Raises StaleHead."""
        try:
            return already_stored(drafts, stream=self.stream, expected=expected, seq=end.seq, history=self)
        except (LogDamaged, LogTooNew) as error:
            if expected is None or expected >= end.begin:
                raise
            # what would tell a retry is in an archive that cannot be read: whoever begins so far back reads on first
            raise StaleHead(f"{self.stream} ends with event {end.seq}, not {expected}.", "Read on.") from error

    def append_decided(self, decide: Decide, *, known: Head) -> tuple[Event, ...]:
        """Append what is decided at the end, as Deciding.append_decided does.

        The gate is not held while the disk is waited for: what others append meanwhile is synced with it.
        """
        with ExitStack() as unsynced:
            events, descriptor = self._append_unsynced(decide, known, unsynced)
            if self._durable and events:
                with reporting_errors(self.path):
                    self.files.datasync(descriptor)
        return events

    def _append_unsynced(self, decide: Decide, known: Head, unsynced: ExitStack) -> tuple[tuple[Event, ...], int]:
        """Append without syncing; return the events, and the file, which stays open until it is synced."""
        with self.journal.appending() as file:
            missed, end = self._read_after(file, known)
            if end.epoch != known.epoch or not self._contains(file, known):
                raise StaleHead(f"{self.stream} has been replaced by another history.", "Read it again.")
            drafts = decide(missed)
            check(drafts, session=None if self.shared else self.stream)
            descriptor = os.dup(file.descriptor)
            unsynced.callback(os.close, descriptor)
            return self._write(file, end, drafts, durable=False) if drafts else (), descriptor

    def _read_after(self, file: OpenFile, known: Head) -> tuple[list[Event], Cursor]:
        """Return what is after a head, and the place after it; each event is read once, the usual case."""
        end = start = self.nearest(file)
        missed: list[Event] = []
        if start.seq == 0 or file.size > start.offset:
            for events, place in self.scan(file.descriptor, start):
                missed += events
                end = place
        if start.seq == known.seq:
            if start.hash != known.hash:
                raise StaleHead(f"{self.stream} has been replaced by another history.", "Read it again.")
            return missed, end
        return list(self.events_in(file, after=known.seq)), end

    def _write(self, file: OpenFile, end: Cursor, drafts: Sequence[Draft], *, durable: bool) -> tuple[Event, ...]:
        if file.size > end.offset:
            self.trash.keep(self.stream, "torn", self.journal.torn(file, end.position))
            self.files.truncate(file.descriptor, end.offset)
        events = seal(drafts, Head(end.epoch, end.seq, end.hash))
        lines = codec.encode_events(events)
        self.journal.append(file.descriptor, end.offset, lines, durable=durable)
        self.remember(_advanced(end, events, end.offset + len(lines)))
        return events

    # reading

    def events(self, *, after: int = 0, known: Head | None = None) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order."""
        with self.journal.reading() as file:
            self.require(file, known)
            yield from self.events_in(file, after=after)

    def events_in(self, file: OpenFile, *, after: int) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, up to the end of a file that is open."""
        yield from self.older_than(file, after=after)
        for events, _ in self.scan(file.descriptor, self.nearest(file, after)):
            if events[0].seq > after:
                yield from events
            else:
                yield from events[after - events[0].seq + 1 :]

    def older_than(self, file: OpenFile, *, after: int) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after`` up to where a file that is open begins."""
        begin = self.origin(file)
        if after >= begin.seq:
            return
        if self.older is None:
            raise self.journal.damaged(1, f"it begins after event {begin.seq}, and there are no archives", readable=0)
        yield from self.older.events(after=after, until=begin.head)

    @property
    def size(self) -> int:
        """Bytes of the file up to the last event that was read or written through this object."""
        with self._remembering:
            return self._marks[-1].offset if self._marks else 0

    def epoch(self) -> str:
        """Return the name of the file's history; only its first line is read."""
        with self.journal.reading() as file:
            return self.origin(file).epoch

    def head(self) -> Cursor:
        """Return the place after the last event."""
        with self.journal.reading() as file:
            end = self.caught_up(file)
            if end.epoch == self.origin(file).epoch:
                return end
            with self._remembering:  # a file that is gone had the same number: what is remembered is not of this one
                self._marks = []
            return self.caught_up(file)

    def since(self, cursor: Cursor | None) -> Iterator[tuple[Sequence[Event], Cursor]]:
        """Yield what is after a cursor, in portions, each with the place after it.

        From the start of the file where the cursor is None or belongs to another history; the first portion then
        begins with its first event.
        """
        with self.journal.reading() as file:
            yield from self.scan(file.descriptor, self._going_on(file, cursor))

    def _going_on(self, file: OpenFile, cursor: Cursor | None) -> Cursor:
        origin = self.origin(file)
        is_ours = cursor is not None and cursor.epoch == origin.epoch and self.holds(file, cursor)
        return cursor if cursor is not None and is_ours else origin

    def whole(self, file: OpenFile) -> tuple[list[tuple[bytes, Event]], Cursor]:
        """Return every line with its event, all checked, and the place after the last. Raises LogDamaged."""
        cursor = self.origin(file)
        lines: list[tuple[bytes, Event]] = []
        for block in self.journal.blocks(file.descriptor, cursor.position):
            events = self._decode_checked(block.lines, cursor)
            cursor = _advanced(cursor, events, block.end.offset)
            lines += zip(block.lines, events, strict=True)
        return lines, cursor

    def named(self, ids: Collection[str]) -> Mapping[str, Event]:
        """Return the events among these ids that the stream holds. The first call reads the whole stream."""
        with self.journal.reading() as file:
            start = self._going_on(file, self._ids_until)
            if start.seq == start.begin:
                self._ids.clear()
                with suppress(LogDamaged, LogTooNew):  # an archive that cannot be read keeps nobody from appending
                    self._ids.update((event.id, event.seq) for event in self.older_than(file, after=0))
            for events, end in self.scan(file.descriptor, start):
                self._ids.update((event.id, event.seq) for event in events)
                self._ids_until = end
        found = [self._ids[event_id] for event_id in ids if event_id in self._ids]
        return {event.id: event for seq in found for event in islice(self.events(after=seq - 1), 1)}

    # driving

    @contextmanager
    def drive(self) -> Iterator[None]:
        """Hold the driver's lock. Raises LogBusy, naming the process that holds it."""
        grip = self._gripped()
        try:
            yield
        finally:
            grip.close()

    def _gripped(self) -> Grip:
        with reporting_errors(self.path):
            while True:
                descriptor = self.files.open(self.path, os.O_RDWR)
                grip = Grip(descriptor, locks_of(self.files, self.path, descriptor))
                try:
                    free = grip.locks.take(DRIVER)
                    if free and self.journal.is_current(grip.descriptor):
                        return grip
                    other = grip.locks.holder(DRIVER)
                except BaseException:
                    grip.close()
                    raise
                grip.close()
                if not free:
                    raise self._driven(other)

    def _driven(self, other: Holder | None) -> LogBusy:
        who = f"process {other.pid} since {other.since}" if other else "another process"
        return LogBusy(
            f"Session {self.stream} is driven by {who}.", "Wait until it is done there, or end that process."
        )

    def driver(self) -> Driver | None:
        """Return who drives the session, without touching its lock; None when nobody does."""
        with self.journal.reading() as file:
            other = locks_of(self.files, self.path, file.descriptor).holder(DRIVER)
        return Driver(pid=other.pid, host=os.uname().nodename, since=other.since) if other else None

    # positions

    def origin(self, file: OpenFile) -> Cursor:
        """Return the place where a file begins. Raises LogDamaged, LogTooNew."""
        header, position = self.journal.header(file.descriptor)
        if header.stream != self.stream:
            raise LogDamaged(
                f"{self.path} holds {header.stream or 'no session'}, not {self.stream}.",
                f"Rename it to {header.stream}.jsonl." if header.stream else "Move it away.",
            )
        link = header.hash if header.seq else genesis(self.stream)
        return Cursor(file.inode, header.epoch, position.offset, header.seq, link, header.seq)

    def caught_up(self, file: OpenFile) -> Cursor:
        """Return the place after the last event of a file, whatever is torn left out."""
        end = self.nearest(file)
        if end.seq == 0 or file.size > end.offset:
            for _, position in self.scan(file.descriptor, end):
                end = position
        return end

    def nearest(self, file: OpenFile, after: int | None = None) -> Cursor:
        """Return the last remembered place that is not after event ``after``, else the start of the file."""
        nearest = self.mark(after)
        if nearest is not None and self.holds(file, nearest):
            return nearest
        origin = self.origin(file)
        with self._remembering:
            if self._marks and (nearest is not None or not origin.is_before(self._marks[0])):
                self._marks = []
        return origin

    def holds(self, file: OpenFile, cursor: Cursor) -> bool:
        """Tell whether the very event a cursor is after ends there: its hash stands for all that is before it."""
        ending = codec.ending(cursor.hash)
        return (
            file.inode == cursor.inode
            and cursor.offset > len(ending)
            and self.files.read(file.descriptor, len(ending), cursor.offset - len(ending)) == ending
        )

    def require(self, file: OpenFile, known: Head | None) -> None:
        """Check that a file or its archives have a head's event. Raises LogWentBack; StaleHead after a repair."""
        if known is None:
            return
        repaired = ""
        with suppress(LogDamaged):  # cut off or garbled before that event: it is not there any more either
            if self._contains(file, known):
                return
            repaired = self.journal.header(file.descriptor)[0].repaired
        if known.epoch and known.epoch == repaired:
            raise StaleHead(f"{self.path} was repaired.", "Read it again.")
        raise went_back(self.path, known)

    def _contains(self, file: OpenFile, known: Head) -> bool:
        mark = self.nearest(file, known.seq)
        if mark.seq == known.seq:
            return mark.hash == known.hash
        event = next(self.events_in(file, after=known.seq - 1), None) if known.seq > 0 else None
        return event is not None and event.hash == known.hash

    def scan(self, descriptor: int, start: Cursor) -> Iterator[tuple[list[Event], Cursor]]:
        """Yield what is after a place, checked, in portions, each with the place after it."""
        cursor = start
        for block in self.journal.blocks(descriptor, start.position):
            events = self._decode_checked(block.lines, cursor)
            cursor = _advanced(cursor, events, block.end.offset)
            self.remember(cursor)
            yield events, cursor
        if cursor.seq == 0:
            raise self.journal.damaged(2, "it holds no complete event", readable=0)

    def _decode_checked(self, lines: list[bytes], before: Cursor) -> list[Event]:
        events: list[Event] = []
        try:
            for event, holds in followed(codec.decode_events(lines), before.head):
                if not holds or (event.session != self.stream and not self.shared):
                    raise self._damage_error(event, before, before.seq + len(events) + 1, holds=holds)
                events.append(event)
        except UNREADABLE as error:
            seq = before.seq + len(events) + 1
            raise self.journal.damaged(seq - before.begin + 1, f"it is no event ({error})", readable=seq - 1) from error
        return events

    def _damage_error(self, event: Event, before: Cursor, seq: int, *, holds: bool) -> LogDamaged:
        if holds:
            why = f"event {seq} belongs to the session {event.session!r}"
        elif event.seq != seq:
            why = f"event {seq} is missing"
        else:
            why = f"event {seq} was changed, or does not follow the one before it"
        return self.journal.damaged(seq - before.begin + 1, why, readable=seq - 1)

    def mark(self, after: int | None = None) -> Cursor | None:
        """Return the last remembered place that is not after event ``after``; it may hold no more."""
        with self._remembering:
            marks = self._marks
            index = len(marks) if after is None else bisect_right(marks, after, key=lambda mark: mark.seq)
            return marks[index - 1] if index else None

    def remember(self, cursor: Cursor) -> None:
        """Remember a place that is further on than those that are; it is looked at again before it is used."""
        with self._remembering:
            marks = self._marks
            if marks and not (marks[-1].is_before(cursor) and marks[-1].seq < cursor.seq):
                return
            marks.append(cursor)
            if len(marks) > _RECENT and marks[-_RECENT].offset - marks[-_RECENT - 1].offset < 1 << 20:
                del marks[-_RECENT]


def _advanced(cursor: Cursor, events: Sequence[Event], offset: int) -> Cursor:
    return Cursor(cursor.inode, cursor.epoch, offset, events[-1].seq, events[-1].hash, cursor.begin)
