"""Following a stream on a server, across restarts of it and cut connections.

The connection is the follower's own, and closed after it: one that is given up in the middle of a reply must not serve
anybody else. On a new one, the event that it is after is looked for first. The head is asked for in the same
breath, after the events: where the history was replaced, none of the other one's are shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import redis

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event, Head
from workbench.storage import codec
from workbench.storage.admission import went_back
from workbench.storage.redis.entries import ENTRIES_REPLY, PLACE, PLACE_REPLY, entry_id, line_of
from workbench.storage.redis.failures import failure
from workbench.storage.redis.link import Pauses
from workbench.storage.redis.replies import shaped
from workbench.storage.redis.stream import RedisStream

_LOOK_AGAIN = 0.2
"""Seconds after which a follower looks whether it should stop."""
_BLOCK = 1.0
"""Seconds after which the server answers that there is nothing; also how late a removal is noticed."""
_EVENTS_REPLY = list[tuple[bytes, ENTRIES_REPLY]] | None


class Follower:
    """One reader of one stream."""

    def __init__(
        self, stream: RedisStream, *, after: int, stopped: Callable[[], bool], known: Head | None = None
    ) -> None:
        self._stream = stream
        self._stopped = stopped
        self._cursor = known or Head("", max(after, 0), "")
        """What it is after; without a hash before the first connection."""
        self._header: bytes = b""
        """Names the history that is followed; b"" before the first connection."""
        self._connection = stream.link.own_connection()
        self._is_connected = False

    def batches(self) -> Iterator[Sequence[Event]]:
        """Yield batches until told to stop. Raises as ``EventLog.follow``, and LogUnavailable."""
        pauses = Pauses()
        try:
            while not self._stopped():
                try:
                    batch = self._next()
                except redis.RedisError as error:
                    self._hang_up()
                    if not self._stream.link.is_worth_waiting(error):
                        raise failure(error, self._stream.link.address) from error
                    time.sleep(min(pauses.next(), _LOOK_AGAIN))
                else:
                    if batch is None:
                        return
                    pauses = Pauses()
                    if batch:
                        yield batch
        finally:
            self._hang_up()

    def _next(self) -> Sequence[Event] | None:
        """Return what was appended, nothing if there was nothing for a while, None when told to stop."""
        if not self._is_connected and not self._is_found_again():
            return None
        keys = self._stream.keys
        wait = ("XREAD", "BLOCK", round(_BLOCK * 1000), "COUNT")
        count = 256  # unless a batch is longer
        while True:
            events = (*wait, count, "STREAMS", keys.events, entry_id(self._cursor.seq))
            answers = self._ask(events, ("HMGET", keys.head, *PLACE))
            if answers is None:
                return None
            found = shaped(answers[0], _EVENTS_REPLY)
            self._check(shaped(answers[1], PLACE_REPLY))
            lines = [line_of(entry) for entry in found[0][1]] if found else []
            while lines and codec.is_unfinished(lines[-1]):
                lines.pop()
            if lines or not found:
                return self._accept(lines)
            count *= 4  # a batch that is longer than a portion

    def _accept(self, lines: Sequence[bytes]) -> Sequence[Event]:
        try:
            events = self._stream.name.checked(lines, self._cursor)
        except LogDamaged:
            self._require()
            raise
        if events:
            self._cursor = Head("", events[-1].seq, events[-1].hash)
        return events

    def _is_found_again(self) -> bool:
        """Take up the thread on a new connection; False when told to stop. Raises NotFound, StaleHead."""
        keys = self._stream.keys
        here = entry_id(self._cursor.seq)
        answers = self._ask(("HMGET", keys.head, *PLACE), ("XRANGE", keys.events, here, here))
        if answers is None:
            return False
        self._stream.link.has_answered = True
        entries = shaped(answers[1], ENTRIES_REPLY)
        self._check(shaped(answers[0], PLACE_REPLY))
        cursor = self._stream.name.anchor(self._cursor.seq, entries)
        if self._cursor.hash not in ("", cursor.hash):
            raise went_back(self._stream.name, self._cursor)
        self._cursor, self._is_connected = cursor, True
        return True

    def _check(self, head: Sequence[bytes | None]) -> None:
        """See to it that this is the history we follow, and goes as far as we were told."""
        name = self._stream.name
        if head[0] is None and self._header:
            raise name.removed()
        place = name.place(*head)
        self._header = self._header or place.header
        known = self._cursor
        if place.head.seq < known.seq or (place.head.seq == known.seq and known.hash not in ("", place.head.hash)):
            raise went_back(name, known)
        if place.header != self._header:
            self._require()
            raise name.replaced()

    def _require(self) -> None:
        if self._cursor.hash:
            self._stream.require(self._cursor)

    def _ask(self, *commands: Sequence[str | int]) -> list[Any] | None:
        """Send commands together and return their answers; None when told to stop meanwhile."""
        connection = self._connection
        connection.send_packed_command(connection.pack_commands(commands))
        deadline = time.monotonic() + _BLOCK + 4.0  # overdue, it counts as lost
        answers = []
        for _ in commands:
            while not connection.can_read(_LOOK_AGAIN):
                if self._stopped():
                    return None
                if time.monotonic() > deadline:
                    raise redis.TimeoutError("Timeout")
            answers.append(connection.read_response())
        return answers

    def _hang_up(self) -> None:
        self._is_connected = False
        self._connection.disconnect()
