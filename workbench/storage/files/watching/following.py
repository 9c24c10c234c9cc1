"""Following a stream: what is committed to its file, as it is committed, and across the archiving of what is read.

A file that begins further on by now was archived: what is missing is in archives. One that was redacted, repaired
or copied is StaleHead, one without the last event read LogWentBack, and one that is gone NotFound.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from workbench.domain.errors import StaleHead, Vanished
from workbench.domain.log.envelope import Event, Head
from workbench.storage.files.opening import OpenFile
from workbench.storage.files.stream import Cursor, StreamFile
from workbench.storage.files.watching.bell import Listener


def follow(
    file: StreamFile,
    *,
    after: int,
    stopped: Callable[[], bool],
    listen: Callable[[], Listener],
    known: Head | None = None,
) -> Iterator[Sequence[Event]]:
    """Yield batches after ``after`` as they are committed, until ``stopped()``. Raises as ``EventLog.follow``."""
    reader = _Reader(file, after, known)
    with listen() as listener:  # before the first look, so that nothing falls between the two
        while True:
            with file.journal.reading() as opened:
                yield from reader.archived(opened)
                while not stopped():
                    if not reader.is_current(opened):
                        break
                    found = False
                    for batch in reader.grown(opened):
                        found = True
                        yield batch
                    listener.wait(found=found)
                else:
                    return


class _Reader:
    """A place in a stream, moved on by reading."""

    def __init__(self, file: StreamFile, after: int, known: Head | None) -> None:
        self._file = file
        self._known = known
        """What has to be in the file that is opened first."""
        self._after = after
        """Events up to this one are known to who follows."""
        self._cursor: Cursor | None = None

    def archived(self, opened: OpenFile) -> Iterator[Sequence[Event]]:
        """Go to where a file that was opened just now begins, or to a place near ``after`` in it."""
        self._file.require(opened, self._known if self._cursor is None else self._cursor.head)
        origin = self._file.origin(opened)
        if self._cursor is None:
            older = self._file.older_than(opened, after=self._after)
        else:
            older = self._archived_after(opened, self._cursor, origin)
        while events := list(islice(older, 500)):
            yield from self._unknown(events)
        self._cursor = self._file.nearest(opened, self._after) if self._cursor is None else origin

    def _archived_after(self, opened: OpenFile, before: Cursor, origin: Cursor) -> Iterator[Event]:
        """Yield the archived events after a place in the file that was here before. Raises StaleHead."""
        if origin.epoch != before.epoch or not before.begin < origin.begin >= before.seq:
            raise self._replaced()
        return self._file.older_than(opened, after=before.seq)

    def grown(self, opened: OpenFile) -> Iterator[Sequence[Event]]:
        """Yield what was appended to the file since the last look. Raises LogWentBack if it was rewritten."""
        cursor = self._cursor
        assert cursor is not None  # noqa: S101  # archived comes first
        if cursor.seq > cursor.begin and not self._file.holds(opened, cursor):
            self._file.require(opened, cursor.head)
            raise self._replaced()
        if os.fstat(opened.descriptor).st_size == cursor.offset:
            return
        for events, end in self._file.scan(opened.descriptor, cursor):
            self._cursor = end
            yield from self._unknown(events)

    def _unknown(self, events: Sequence[Event]) -> Iterator[Sequence[Event]]:
        batch = events[max(self._after - events[0].seq + 1, 0) :]
        if batch:
            yield batch

    def is_current(self, opened: OpenFile) -> bool:
        """Tell whether the file is still the one under its name. Raises NotFound if there is none."""
        file = self._file
        if file.journal.is_current(opened.descriptor):
            return True
        if not file.files.exists(file.path):
            raise Vanished(f"Session {file.stream} was removed meanwhile.", "Look into `workbench sessions trash`.")
        return False

    def _replaced(self) -> StaleHead:
        return StaleHead(f"{self._file.path} was replaced meanwhile.", "Open the session again.")
