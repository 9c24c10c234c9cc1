"""The log in memory: the model that the others are compared with, and a fake for tests and rehearsals."""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime

import msgspec
from workbench.domain.errors import LogBusy, NotFound, StaleHead, Vanished
from workbench.domain.log.envelope import Draft, Event, Head, genesis, seal
from workbench.domain.log.ids import SessionId
from workbench.storage import codec
from workbench.storage.admission import already_stored, check, check_redaction, in_order, redacted, went_back
from workbench.storage.files.watching.stopping import ASK_EVERY, Stop
from workbench.storage.ports import Driver


class _Stream:
    def __init__(self, name: str, epoch: str) -> None:
        self.name = name
        self.head = Head(epoch, 0, genesis(name))
        self.kept: list[Event] = []
        self.ids: dict[str, Event] = {}

    def events(self, *, after: int = 0) -> Iterator[Event]:
        return iter(self.kept[max(after, 0) :])

    def named(self, ids: Collection[str]) -> Mapping[str, Event]:
        return {event_id: self.ids[event_id] for event_id in ids if event_id in self.ids}

    def require(self, known: Head | None) -> None:
        """Check that the event of a head is here. Raises LogWentBack."""
        if known is None or known.seq == 0:
            return
        if known.seq > len(self.kept) or self.kept[known.seq - 1].hash != known.hash:
            raise went_back(self.name, known)

    def extend(self, events: Sequence[Event]) -> None:
        self.kept.extend(events)
        self.ids.update((event.id, event) for event in events)
        if events:
            self.head = Head(self.head.epoch, events[-1].seq, events[-1].hash)


class MemoryLog:
    """Streams of events, and drivers' locks, that live as long as this object."""

    def __init__(self, *, shared: bool = False, new_epoch: Callable[[], str] = codec.random_epoch) -> None:
        """Shared: a stream may hold the events of several sessions."""
        self._shared = shared
        self._new_epoch = new_epoch
        self._streams: dict[str, _Stream] = {}
        self._drivers: dict[str, Driver] = {}
        self._changed = threading.Condition()

    def append(
        self, stream: str, drafts: Sequence[Draft], *, expected: int | None, known: Head | None = None
    ) -> tuple[Event, ...]:
        """Append a batch and return it as events."""
        name = str(SessionId(stream))
        check(drafts, session=None if self._shared else name)
        if not drafts:
            return ()
        with self._changed:
            history = self._streams.get(name)
            if history is None:
                if expected != 0:
                    raise _unknown(name)
                history = _Stream(name, self._new_epoch())
            history.require(known)
            seq = history.head.seq
            stored = already_stored(drafts, stream=name, expected=expected, seq=seq, history=history)
            fresh = [draft for index, draft in enumerate(drafts) if index not in stored]
            written = seal(fresh, history.head)
            history.extend(written)
            self._streams[name] = history
            self._changed.notify_all()
        return in_order(drafts, stored, written)

    def redact(
        self, stream: str, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int
    ) -> tuple[Event, ...]:
        """Give stored events other bodies, and append a batch that says so."""
        check(drafts, session=None if self._shared else str(SessionId(stream)))
        with self.drive(stream), self._changed:
            before = self._stream(stream)
            check_redaction(stream, bodies, before.ids, expected=expected, seq=before.head.seq)
            history = _Stream(stream, self._new_epoch())
            history.extend([redacted(event, bodies) for event in before.kept])
            written = seal(drafts, history.head)
            history.extend(written)
            self._streams[stream] = history
            self._changed.notify_all()
        return written

    def read(self, stream: str, *, after: int = 0, known: Head | None = None) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order."""
        with self._changed:
            history = self._stream(stream)
            history.require(known)
            kept = tuple(history.events(after=after))
        yield from kept

    def head(self, stream: str) -> Head:
        """Return the end of a stream."""
        with self._changed:
            return self._stream(stream).head

    def epoch(self, stream: str) -> str:
        """Return the name of a stream's history."""
        return self.head(stream).epoch

    def follow(
        self, stream: str, *, after: int, stopped: Callable[[], bool], known: Head | None = None
    ) -> Iterator[Sequence[Event]]:
        """Yield batches of events after ``after`` as they are committed, until ``stopped()`` is true."""
        epoch = ""
        with ExitStack() as following:
            if isinstance(stopped, Stop):
                following.enter_context(stopped.waking(self._wake_all))
            while not stopped():
                with self._changed:
                    history = self._stream(stream)
                    history.require(known)
                    epoch = epoch or history.head.epoch
                    if history.head.epoch != epoch:
                        raise StaleHead(f"Session {stream} was replaced meanwhile.", "Open the session again.")
                    batch = tuple(history.events(after=after))
                    if not batch and not stopped():
                        self._changed.wait(ASK_EVERY)
                if batch:
                    after = batch[-1].seq
                    known = Head("", after, batch[-1].hash)
                    yield batch

    def _wake_all(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def streams(self) -> Iterator[str]:
        """Yield the names of all streams, sorted."""
        with self._changed:
            names = sorted(self._streams)
        yield from names

    @contextmanager
    def drive(self, stream: str) -> Iterator[None]:
        """Hold the driver's lock of a session. Raises LogBusy."""
        since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        with self._changed:
            self._stream(stream)
            if stream in self._drivers:
                raise LogBusy(f"Session {stream} is driven by this process already.", "Finish there first.")
            self._drivers[stream] = Driver(pid=os.getpid(), host=platform.node(), since=since)
        try:
            yield
        finally:
            with self._changed:
                del self._drivers[stream]

    def driver(self, stream: str) -> Driver | None:
        """Return who drives a session; None when nobody does."""
        with self._changed:
            self._stream(stream)
            return self._drivers.get(stream)

    def _stream(self, stream: str) -> _Stream:
        name = str(SessionId(stream))
        if name not in self._streams:
            raise _unknown(name)
        return self._streams[name]


def _unknown(stream: str) -> NotFound:
    return Vanished(f"There is no session {stream} any more.", "Look at what `workbench sessions list` shows.")
