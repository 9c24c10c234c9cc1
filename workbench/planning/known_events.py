"""The events of a session that this process has read or written: what is left where its log goes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.domain.log.envelope import Event


class KnownEvents:
    """Events 1, 2, 3 … of one session. Takes as much memory as the session's file."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def taking(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield consecutive events, and remember each in place of what was known from its number on."""
        for event in events:
            del self.events[event.seq - 1 :]
            self.events.append(event)
            yield event

    def hash_of(self, seq: int) -> str:
        """Return the hash of a known event."""
        return self.events[seq - 1].hash
