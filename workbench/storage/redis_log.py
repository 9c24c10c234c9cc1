"""The log on a server: an EventLog, Redactable, DriverLocks and Heartbeats over Redis or Valkey."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import msgspec

from workbench.domain.envelope import Draft, Event, Head
from workbench.storage.ports import Driver


class RedisLog:
    """Streams of events on a server. Made by ``RedisStore.log`` and ``RedisStore.shared_log``."""

    def append(self, stream: str, drafts: Sequence[Draft], *, expected: int | None) -> tuple[Event, ...]:
        """Append a batch and return it as events. Raises also Fenced."""
        raise NotImplementedError

    def redact(
        self, stream: str, bodies: Mapping[str, msgspec.Raw], drafts: Sequence[Draft], *, expected: int
    ) -> tuple[Event, ...]:
        """Give stored events other bodies, and append a batch that says so."""
        raise NotImplementedError

    def read(self, stream: str, *, after: int = 0) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``, in order."""
        raise NotImplementedError

    def head(self, stream: str) -> Head:
        """Return the end of a stream."""
        raise NotImplementedError

    def follow(self, stream: str, *, after: int, stopped: Callable[[], bool]) -> Iterator[Sequence[Event]]:
        """Yield batches of events behind ``after`` as they are committed, until ``stopped()`` is true."""
        raise NotImplementedError

    def streams(self) -> Iterator[str]:
        """Yield the names of all streams, sorted."""
        raise NotImplementedError

    def drive(self, stream: str) -> AbstractContextManager[None]:
        """Hold the driver's lock of a session. Raises LogBusy, naming the process and host that hold it."""
        raise NotImplementedError

    def driver(self, stream: str) -> Driver | None:
        """Return who drives a session; None when nobody does."""
        raise NotImplementedError

    def beat(self, session: str) -> None:
        """Say that a session is alive."""
        raise NotImplementedError

    def since_beat(self, session: str) -> float | None:
        """Return the seconds since a session's last beat, by the server's clock; None where there never was one."""
        raise NotImplementedError

    def verify(self, stream: str) -> Event | None:
        """Return the first event whose number, body or chain does not hold; None when all do."""
        raise NotImplementedError
