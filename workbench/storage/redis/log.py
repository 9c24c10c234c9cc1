"""The log on a server: an EventLog with drivers and redaction over Redis or Valkey."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from workbench.domain.errors import LogError, LogUnavailable
from workbench.domain.log.envelope import Draft, Event, Head
from workbench.domain.log.ids import SessionId, is_id
from workbench.storage.admission import check
from workbench.storage.files.session_file import keep_unsaved
from workbench.storage.files.trash import Trash
from workbench.storage.ports import Decide, Driver, Stamp
from workbench.storage.redis.driving import Drivers, Fence
from workbench.storage.redis.entries import PLACE, PLACE_REPLY, StreamName
from workbench.storage.redis.following import Follower
from workbench.storage.redis.keys import Group, Keys
from workbench.storage.redis.link import RedisLink
from workbench.storage.redis.stream import RedisStream


class RedisLog:
    """Streams of events on a server. Made by ``RedisStore.log`` and ``RedisStore.shared_log``."""

    cursor_type = Head

    def __init__(
        self,
        link: RedisLink,
        keys: Keys,
        drivers: Drivers,
        *,
        group: Group,
        patience: float,
        new_epoch: Callable[[], str],
        unsaved: Trash | None = None,
    ) -> None:
        """Use a group of a workspace's streams; in the group "shared" one may hold the events of several sessions.

        Unsaved: where this machine keeps what the server lost.
        """
        self._unsaved = unsaved
        self._link = link
        self._keys = keys
        self._drivers = drivers
        self._group = group
        self._is_shared = group == "shared"
        self._patience = patience
        self._new_epoch = new_epoch
        self._known: dict[str, RedisStream] = {}

    def append(
        self, stream: str, drafts: Sequence[Draft], *, expected: int | None, known: Head | None = None
    ) -> tuple[Event, ...]:
        """Append a batch and return it as events. Raises also Fenced."""
        events = self._stream(stream)
        check(drafts, session=None if self._is_shared else events.name.stream)
        if not drafts:
            return ()
        return events.append(drafts, expected=expected, fences=self._fences(stream, drafts), known=known)

    def append_decided(self, stream: str, decide: Decide, *, known: Head) -> tuple[Event, ...]:
        """Append what is decided, after the very head that the writer knows, or nothing. Raises also Fenced."""
        drafts = decide(())
        events = self._stream(stream)
        check(drafts, session=None if self._is_shared else events.name.stream)
        return events.append(drafts, expected=known.seq, fences=self._fences(stream, drafts), link=known.hash)

    def _fences(self, stream: str, drafts: Sequence[Draft]) -> list[tuple[Fence, str]]:
        """Return the drives of this store that a batch is made under, each with its session."""
        names = {self._keys.stream(self._group, stream).fence: stream}
        for session in {draft.session for draft in drafts}:
            names[self._keys.stream("sessions", session).fence] = session
            if self._is_shared:
                names[self._keys.life(session).fence] = session
        return [(fence, names[fence.key]) for fence in self._drivers.held(names)]

    def redact(
        self, stream: str, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int
    ) -> tuple[Event, ...]:
        """Give stored events other bodies, and append a batch that says so.

        The server's own files forget the old bodies when they are next rewritten: that is asked for, with patience
        if they are being written already. A user who may not ask for it leaves it to who runs the server.
        """
        events = self._stream(stream)
        check(drafts, session=None if self._is_shared else events.name.stream)
        with self.drive(stream):
            written = events.redact(bodies, drafts, expected=expected)
        with suppress(LogError):  # what was asked for is done; this is what can be done beyond it
            _rewrite_files(self._link)
        return written

    def read(self, stream: str, *, after: int = 0, known: Head | None = None) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order.

        Raises also StaleHead when the stream is replaced in the middle of it.
        """
        return self._stream(stream).events(after=after, known=known)

    def head(self, stream: str) -> Head:
        """Return the end of a stream."""
        return self._stream(stream).place().head

    def epoch(self, stream: str) -> str:
        """Return the name of a stream's history."""
        return self.head(stream).epoch

    def follow(
        self, stream: str, *, after: int, stopped: Callable[[], bool], known: Head | None = None
    ) -> Iterator[Sequence[Event]]:
        """Yield batches of events after ``after`` as they are committed, until ``stopped()`` is true.

        Goes on when the server comes back. While it connects it does not look at ``stopped``.
        """
        return Follower(self._stream(stream), after=after, stopped=stopped, known=known).batches()

    def stamps(self) -> Iterator[tuple[str, Stamp]]:
        """Yield each stream with its stamp: one question for the names, and one for all their ends."""
        names = list(self.streams())
        ends = self._link.together(
            [("HMGET", self._keys.stream(self._group, name).head, *PLACE) for name in names], shape=PLACE_REPLY
        )
        for name, (header, seq, link) in zip(names, ends, strict=True):
            if header is not None:  # else it was deleted in this moment
                content = b":".join((header, seq or b"", link or b"")).decode("utf-8", "replace")
                yield name, Stamp(content, int(seq or 0), 0)

    def since(self, stream: str, cursor: Head | None) -> Iterator[tuple[Sequence[Event], Head]]:
        """Yield what is after a cursor, in portions, each with the place after it."""
        epoch = self.head(stream).epoch
        events = self._events_after(stream, cursor) if cursor is not None and cursor.epoch == epoch else None
        events = self.read(stream) if events is None else events
        while portion := list(islice(events, 500)):  # are summarised together
            yield portion, Head(epoch, portion[-1].seq, portion[-1].hash)

    def _events_after(self, stream: str, cursor: Head) -> Iterator[Event] | None:
        """Return the events after a cursor; None if the very event it is after is not there."""
        events = self.read(stream, after=cursor.seq - 1)
        last = next(events, None)
        return events if last is not None and last.hash == cursor.hash else None

    def keep_unsaved(self, stream: str, events: Sequence[Event]) -> Path:
        """Write a session as this process knows it to this machine's trash, and return the file's path.

        Raises LogUnavailable.
        """
        if self._unsaved is None:
            raise LogUnavailable("This log has no folder on this machine.", "Open it through its workspace.")
        return keep_unsaved(self._unsaved, stream, events)

    def streams(self) -> Iterator[str]:
        """Yield the names of all streams, sorted; others, which no workbench gives, are passed over."""
        names: set[bytes] = self._link.command("SMEMBERS", self._keys.streams(self._group), shape=set[bytes])
        yield from sorted(name for name in (one.decode("utf-8", "replace") for one in names) if is_id(name))

    def drive(self, stream: str) -> AbstractContextManager[None]:
        """Hold the driver's lock of a session. Raises LogBusy, naming the process and host that hold it."""
        return self._drivers.drive(stream, self._stream(stream).keys)

    def driver(self, stream: str) -> Driver | None:
        """Return who drives a session; None when nobody does."""
        return self._drivers.driver(stream, self._stream(stream).keys)

    def _stream(self, stream: str) -> RedisStream:
        if stream not in self._known:
            name = str(SessionId(stream))
            self._known[name] = RedisStream(
                self._link,
                StreamName(name, self._link.address, self._is_shared),
                self._keys.stream(self._group, name),
                streams=self._keys.streams(self._group),
                patience=self._patience,
                new_epoch=self._new_epoch,
            )
        return self._known[stream]


def _rewrite_files(link: RedisLink) -> None:
    """Let the server write its files without what is gone: the append-only one, or else the snapshot."""
    has_journal = link.command("INFO", "persistence", shape=dict[str, Any]).get("aof_enabled")
    link.command("BGREWRITEAOF" if has_journal else "BGSAVE")
