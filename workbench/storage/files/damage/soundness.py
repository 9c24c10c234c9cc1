"""What of a damaged session file is sound: every line is looked at by itself, and by what is before it.

Up to the first damage everything is proven: numbers and hash chain hold from the very beginning. After one, events
prove only themselves and each other; what was in the damaged place they cannot replace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import UNREADABLE, Damage, Event, Head, body_digest, followed, genesis
from workbench.storage import codec

TakesIn = Callable[[Any, Event], Any]
"""From what is known so far (None at first) and the next event, what is known then. Raises LogDamaged."""


def as_session(state: Any, event: Event) -> Any:
    """Take in an event as opening its session does."""
    from workbench.domain.session.session import apply  # listing sessions must not import it

    return apply(state, event)


def parted(lines: list[bytes]) -> tuple[codec.FileHeader | None, list[bytes]]:
    """Return the header, None when it is unreadable, and the lines that may be events."""
    first, *rest = lines
    if codec.first_garbled([first]) is not None:
        joined = first.find(b'{"crc":"', 1)  # where only the line's end is gone, an event follows on the same line
        return None, [first[joined:], *rest] if joined > 0 else rest
    try:
        return codec.decode_header(first), rest
    except UNREADABLE:
        return None, lines


class Examination:
    """Looks at the lines of a stream, one after the other."""

    def __init__(
        self, begin: codec.FileHeader, takes_in: TakesIn, *, first_line: int = 2, shared: bool = False
    ) -> None:
        """``first_line`` is where the lines are in their file; ``shared``: they may be of sessions of other names."""
        self._stream = begin.stream
        self._takes_in = takes_in
        self._shared = shared
        self._line = first_line - 1
        self._seq = begin.seq
        """Of the last event, with one more for each place since that cannot be read."""
        self._last = begin.seq
        """Of the last event that was sound."""
        self._before: Head | None = Head("", begin.seq, begin.hash if begin.seq else genesis(begin.stream))
        """What the next event has to follow; None after a place that cannot be read."""
        self._state: Any = None

    def examine(self, lines: Iterable[bytes]) -> Iterator[Event | Damage]:
        """Yield what each line is: an event, a damage, or a damage in front of it and the event.

        Ends if not even a beginning could be taken in: nothing that follows has anything to stand on.
        """
        for line in lines:
            self._line += 1
            event = self._check_line(line)
            if isinstance(event, Damage):
                self._seq += 1
                self._before = None
                yield event
                continue
            missing = self._missing(line, event)
            if missing is not None:
                yield missing
            self._seq, self._last, self._before = event.seq, event.seq, Head("", event.seq, event.hash)
            try:
                self._state = self._takes_in(self._state, event)
            except (LogDamaged, *UNREADABLE) as error:
                why = error.message if isinstance(error, LogDamaged) else f"it cannot be taken in ({error})"
                yield self._damage(event.seq, why.rstrip("."))
                if self._state is None:
                    return
            else:
                yield event

    def _check_line(self, line: bytes) -> Event | Damage:
        """Return the event of a line that is sound by itself."""
        place = self._seq + 1
        if codec.first_garbled([line]) is not None:
            return self._damage(place, "its checksum does not hold")
        try:
            event, _ = next(codec.decode_events([line]))
        except UNREADABLE as error:
            return self._damage(place, f"it is no event ({error})")
        if event.session != self._stream and not self._shared:
            return self._damage(place, f"it belongs to the session {event.session!r}")
        if event.seq <= self._last:
            return self._damage(place, f"event {event.seq} stands there")
        if (event.redacted or event.body_hash) != body_digest(event.body):
            return self._damage(place, "it was changed")
        return event

    def _missing(self, line: bytes, event: Event) -> Damage | None:
        """Return what is wrong between an event and what is before it."""
        if event.seq > self._seq + 1:
            return self._damage(self._seq + 1, f"event {event.seq} stands there")
        if self._before is None:
            return None
        ((_, holds),) = followed(codec.decode_events([line]), self._before)
        return None if holds else self._damage(event.seq, "it was changed, or does not follow the one before it")

    def _damage(self, seq: int, why: str) -> Damage:
        return Damage(self._line, seq, why)
