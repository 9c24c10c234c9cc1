"""One stream of events in one journal file: appended to by any process, followed by any other.

    append:  gate ─▶ still this file? ─▶ read the tail ─▶ retry? head as expected? ─▶ cut what is torn ─▶ write, sync
    read:    header ─▶ blocks of complete batches ─▶ chain holds? this session? ─▶ events 1, 2, 3 …    (no lock)

What is remembered between calls (the last places where reading ended, and one for about every mebibyte before) is a
cache. A place is used only where the very event it stands behind still ends there, in the same history.
"""

from __future__ import annotations

import os
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import msgspec

from workbench.domain.envelope import UNREADABLE, Draft, Event, Head, followed, genesis, seal
from workbench.domain.errors import LogBusy, LogDamaged, NotFound, StaleHead
from workbench.storage import codec, locks
from workbench.storage.admission import already_stored, in_order
from workbench.storage.files import Files, OpenFile, create_whole, reported
from workbench.storage.identity import random_epoch
from workbench.storage.journal import DEFAULT_PATIENCE, Journal, Position
from workbench.storage.ports import Driver
from workbench.storage.trash import Trash

_RECENT = 64
"""Places that are remembered however near they are to each other."""
_MARK_EVERY = 1 << 20
"""Bytes between two older ones."""
_SHORTEST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05
"""Seconds between two looks of a follower: short while something happens."""


class Cursor(msgspec.Struct, frozen=True):
    """A place behind an event in a file, from which reading can go on without what is before it."""

    inode: int
    epoch: str
    offset: int
    """Bytes from the start of the file."""
    seq: int
    hash: str

    @property
    def head(self) -> Head:
        """The same place for the chain."""
        return Head(self.epoch, self.seq, self.hash)

    @property
    def position(self) -> Position:
        """The same place for the journal: one line for each event, and one for the header."""
        return Position(self.offset, self.seq + 1)

    def is_before(self, other: Cursor) -> bool:
        """Tell whether another cursor stands further on in the same history."""
        return (self.inode, self.epoch) == (other.inode, other.epoch) and self.seq <= other.seq


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
        new_epoch: Callable[[], str] = random_epoch,
    ) -> None:
        """Use a file, which need not exist yet. Shared: its events may belong to sessions of other names."""
        self.path = path
        self.stream = stream
        self.trash = trash
        self.files = files or Files()
        remedy = (
            "Move that file away: what is shared begins anew, and no session loses anything."
            if shared
            else f"Run `workbench sessions repair {stream}`: it keeps them, and puts the damaged file into the trash."
        )
        self.journal = Journal(path, files=self.files, patience=patience, remedy=remedy)
        self.new_epoch = new_epoch
        self.shared = shared
        self._durable = durable
        self._remembering = threading.Lock()
        self._marks: list[Cursor] = []
        self._ids: dict[str, int] = {}
        self._ids_until: Cursor | None = None

    # writing

    def append(self, drafts: Sequence[Draft], *, expected: int | None) -> tuple[Event, ...]:
        """Append a batch, as EventLog.append does."""
        if expected == 0 and not self._exists():
            return self._create(drafts)
        return self._append(drafts, expected)

    def _exists(self) -> bool:
        with reported(self.path):
            return self.path.exists()

    def _create(self, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        locks.require()
        epoch = self.new_epoch()
        events = seal(drafts, Head(epoch, 0, genesis(self.stream)))
        header = codec.FileHeader(codec.FORMAT, codec.PLAIN, self.stream, epoch)
        lines = codec.encode_header(header) + codec.encode_events(events)
        with reported(self.path):
            try:
                create_whole(self.files, self.path, lines, durable=self._durable)
            except FileExistsError:  # another process was first: now it is an append, and stale unless it is a retry
                return self._append(drafts, 0)
        return events

    def _append(self, drafts: Sequence[Draft], expected: int | None) -> tuple[Event, ...]:
        with self.journal.appending() as file:
            end = self._caught_up(file)
            stored = already_stored(drafts, stream=self.stream, expected=expected, seq=end.seq, history=self)
            if not stored:
                return self._write(file, end, drafts)
            if self._durable:
                self.files.datasync(file.descriptor)  # whoever wrote them may have died before this
            fresh = [draft for index, draft in enumerate(drafts) if index not in stored]
            written = self._write(file, end, fresh) if fresh else ()
        return in_order(drafts, stored, written)

    def _write(self, file: OpenFile, end: Cursor, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        if file.size > end.offset:
            self.trash.keep(self.stream, "torn", self.journal.torn(file, end.position))
            self.files.truncate(file.descriptor, end.offset)
        events = seal(drafts, Head(end.epoch, end.seq, end.hash))
        lines = codec.encode_events(events)
        self.journal.append(file.descriptor, end.offset, lines, durable=self._durable)
        self._remember(_moved(end, events, end.offset + len(lines)))
        return events

    # reading

    def events(self, *, after: int = 0) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order."""
        with self.journal.reading() as file:
            for events, _ in self._scan(file.descriptor, self._nearest(file, after)):
                if events[0].seq > after:
                    yield from events
                else:
                    yield from events[after - events[0].seq + 1 :]

    def first_broken_link(self) -> Event | None:
        """Return the first event whose number, body or chain does not hold; None when all do. Raises LogDamaged."""
        with self.journal.reading() as file:
            start = self._origin(file)
            lines = (line for block in self.journal.blocks(file.descriptor, start.position) for line in block.lines)
            links = followed(codec.decode_events(lines), start.head)
            seq = 0
            try:
                for seq, (event, holds) in enumerate(links, 1):  # noqa: B007  # said in the error
                    if not holds:
                        return event
            except UNREADABLE as error:
                raise self._no_event(seq + 1, error) from error
        return None

    def head(self) -> Cursor:
        """Return the place behind the last event."""
        with self.journal.reading() as file:
            end = self._caught_up(file)
            if end.epoch == self._origin(file).epoch:
                return end
            with self._remembering:  # a file that is gone had the same number: what is remembered is not of this one
                self._marks = []
            return self._caught_up(file)

    def since(self, cursor: Cursor | None) -> Iterator[tuple[Sequence[Event], Cursor]]:
        """Yield what stands behind a cursor, in portions, each with the place behind it.

        From the start of the file where the cursor is None or belongs to another history; the first portion then
        begins with event 1.
        """
        with self.journal.reading() as file:
            origin = self._origin(file)
            is_ours = cursor is not None and cursor.epoch == origin.epoch and self._holds(file, cursor)
            start = cursor if cursor is not None and is_ours else origin
            yield from self._scan(file.descriptor, start)

    def whole(self, file: OpenFile) -> tuple[list[tuple[bytes, Event]], Cursor]:
        """Return every line with its event, all checked, and the place behind the last. Raises LogDamaged."""
        cursor = self._origin(file)
        lines: list[tuple[bytes, Event]] = []
        for block in self.journal.blocks(file.descriptor, cursor.position):
            events = self._checked(block.lines, cursor)
            cursor = _moved(cursor, events, block.end.offset)
            lines += zip(block.lines, events, strict=True)
        return lines, cursor

    def named(self, ids: Collection[str]) -> Mapping[str, Event]:
        """Return the events among these ids that the stream holds. The first call reads the whole stream."""
        for events, end in self.since(self._ids_until):
            if events[0].seq == 1:
                self._ids.clear()
            self._ids.update((event.id, event.seq) for event in events)
            self._ids_until = end
        found = [self._ids[event_id] for event_id in ids if event_id in self._ids]
        return {event.id: event for seq in found for event in islice(self.events(after=seq - 1), 1)}

    def follow(self, *, after: int, stopped: Callable[[], bool]) -> Iterator[Sequence[Event]]:
        """Yield events behind ``after`` as they are committed. Raises StaleHead when the file is replaced."""
        pause = _SHORTEST_PAUSE
        with self.journal.reading() as file:
            cursor = self._nearest(file, after)
            while not stopped():
                for events, end in self._grown(file, cursor):
                    cursor, pause = end, _SHORTEST_PAUSE
                    batch = events[max(after - events[0].seq + 1, 0) :]
                    if batch:
                        yield batch
                time.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)

    def _grown(self, file: OpenFile, cursor: Cursor) -> Iterator[tuple[list[Event], Cursor]]:
        self._check_current(file.descriptor)
        if os.fstat(file.descriptor).st_size == cursor.offset:
            return
        if cursor.seq > 0 and not self._holds(file, cursor):
            raise self._replaced()
        yield from self._scan(file.descriptor, cursor)

    def _check_current(self, descriptor: int) -> None:
        if not self.journal.is_current(descriptor):
            if not self.path.exists():
                raise NotFound(f"Session {self.stream} was removed meanwhile.", "Look into `workbench sessions trash`.")
            raise self._replaced()

    def _replaced(self) -> StaleHead:
        return StaleHead(f"{self.path} was replaced meanwhile.", "Open the session again.")

    # driving

    @contextmanager
    def drive(self) -> Iterator[None]:
        """Hold the driver's lock. Raises LogBusy, naming the process that holds it."""
        grip = self._gripped()
        try:
            yield
        finally:
            grip.close()

    def _gripped(self) -> locks.Grip:
        with reported(self.path):
            while True:
                grip = locks.Grip(self.files.open(self.path, os.O_RDWR))
                free = locks.take(grip.descriptor, locks.DRIVER)
                if free and self.journal.is_current(grip.descriptor):
                    return grip
                other = locks.holder(grip.descriptor, locks.DRIVER)
                grip.close()
                if not free:
                    raise self._driven(other)

    def _driven(self, other: locks.Holder | None) -> LogBusy:
        who = f"process {other.pid} since {other.since}" if other else "another process"
        return LogBusy(
            f"Session {self.stream} is driven by {who}.", "Wait until it is done there, or end that process."
        )

    def driver(self) -> Driver | None:
        """Return who drives the session, without touching its lock; None when nobody does."""
        with self.journal.reading() as file:
            other = locks.holder(file.descriptor, locks.DRIVER)
        return Driver(pid=other.pid, host=os.uname().nodename, since=other.since) if other else None

    # positions

    def _origin(self, file: OpenFile) -> Cursor:
        header, position = self.journal.header(file.descriptor)
        if header.stream != self.stream:
            raise LogDamaged(
                f"{self.path} holds {header.stream or 'documents'}, not {self.stream}.",
                f"Rename it to {header.stream}.jsonl." if header.stream else "Move it away.",
            )
        return Cursor(file.inode, header.epoch, position.offset, 0, genesis(self.stream))

    def _caught_up(self, file: OpenFile) -> Cursor:
        end = self._nearest(file)
        if end.seq == 0 or file.size > end.offset:
            for _, position in self._scan(file.descriptor, end):
                end = position
        return end

    def _nearest(self, file: OpenFile, after: int | None = None) -> Cursor:
        """Return the last remembered place that is not behind event ``after``, else the start of the file."""
        with self._remembering:
            marks = self._marks
            index = len(marks) if after is None else bisect_right(marks, after, key=lambda mark: mark.seq)
            nearest = marks[index - 1] if index else None
        if nearest is not None and self._holds(file, nearest):
            return nearest
        origin = self._origin(file)
        with self._remembering:
            if self._marks and (nearest is not None or not origin.is_before(self._marks[0])):
                self._marks = []
        return origin

    def _holds(self, file: OpenFile, cursor: Cursor) -> bool:
        """Tell whether the very event a cursor stands behind ends there: its hash stands for all that is before it."""
        ending = codec.ending(cursor.hash)
        return (
            file.inode == cursor.inode
            and cursor.offset > len(ending)
            and self.files.read(file.descriptor, len(ending), cursor.offset - len(ending)) == ending
        )

    def _scan(self, descriptor: int, start: Cursor) -> Iterator[tuple[list[Event], Cursor]]:
        cursor = start
        for block in self.journal.blocks(descriptor, start.position):
            events = self._checked(block.lines, cursor)
            cursor = _moved(cursor, events, block.end.offset)
            self._remember(cursor)
            yield events, cursor
        if cursor.seq == 0:
            raise self.journal.damaged(2, "it holds no complete event", readable=0)

    def _checked(self, lines: list[bytes], before: Cursor) -> list[Event]:
        events: list[Event] = []
        try:
            for event, holds in followed(codec.decode_events(lines), before.head):
                if not holds or (event.session != self.stream and not self.shared):
                    raise self._wrong(event, before.seq + len(events) + 1, holds=holds)
                events.append(event)
        except UNREADABLE as error:
            raise self._no_event(before.seq + len(events) + 1, error) from error
        return events

    def _no_event(self, seq: int, error: Exception) -> LogDamaged:
        return self.journal.damaged(seq + 1, f"it is no event ({error})", readable=seq - 1)

    def _wrong(self, event: Event, seq: int, *, holds: bool) -> LogDamaged:
        if holds:
            why = f"event {seq} belongs to the session {event.session!r}"
        elif event.seq != seq:
            why = f"event {seq} is missing"
        else:
            why = f"event {seq} was changed, or does not follow the one before it"
        return self.journal.damaged(seq + 1, why, readable=seq - 1)

    def _remember(self, cursor: Cursor) -> None:
        with self._remembering:
            marks = self._marks
            if marks and not (marks[-1].is_before(cursor) and marks[-1].seq < cursor.seq):
                return
            marks.append(cursor)
            if len(marks) > _RECENT and marks[-_RECENT].offset - marks[-_RECENT - 1].offset < _MARK_EVERY:
                del marks[-_RECENT]


def _moved(cursor: Cursor, events: Sequence[Event], offset: int) -> Cursor:
    return Cursor(cursor.inode, cursor.epoch, offset, events[-1].seq, events[-1].hash)
