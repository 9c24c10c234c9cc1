"""The streams of a workspace on a server, to be copied from and to.

What arrives in portions is in no list before it was compared whole; what was interrupted goes on where it ended.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from workbench.domain.errors import LogBusy, NotFound
from workbench.domain.log.envelope import Event, Head, genesis
from workbench.storage import codec
from workbench.storage.holdings import Held
from workbench.storage.log_address import LogAddress
from workbench.storage.redis.entries import Place, StreamName
from workbench.storage.redis.keys import Group, StreamKeys
from workbench.storage.redis.store import PATIENCE, RedisStore
from workbench.storage.redis.stream import RedisStream

_GROUPS: dict[str, Group] = {"session": "sessions", "shared": "shared"}
"""The groups of streams that are not in the trash."""


class RedisHoldings:
    """The streams of one workspace on one server."""

    def __init__(self, address: LogAddress) -> None:
        """Use the streams of the workspace that an address names. Raises SettingsError."""
        self.where = address.shown
        self._store = RedisStore(address.url, address.workspace)
        self._link = self._store.link
        self._keys = self._store.keys
        self.sessions = self._store.log()
        self.lives = self._store.lives()

    def close(self) -> None:
        """Let go of the connections."""
        self._store.close()

    def held(self) -> list[Held]:
        """Return every stream, sessions first."""
        sessions = [Held("session", stream) for stream in self.sessions.streams()]
        shared = [Held("shared", stream) for stream in self._store.shared_log().streams()]
        return [*sessions, *shared, *(Held("deleted", one.name, one.when) for one in self._store.trash().entries())]

    def left(self) -> list[str]:
        """Return nothing: all that a server holds, files can hold too."""
        return []

    def head(self, one: Held) -> Head | None:
        """Return the end of a stream; None if it is not here."""
        try:
            return self._stream(one).place().head
        except NotFound:
            return None

    def events(self, one: Held) -> Iterator[Event]:
        """Yield a stream's events, their chain checked."""
        return self._stream(one).events()

    def take_in(self, one: Held, events: Iterator[Event], *, behind: Head | None, has_redacted: bool) -> None:
        """Store events as they are after a stream's end, or as a new one."""
        keys = self._keys_for(one)
        place = self._new(one, has_redacted=has_redacted) if behind is None else self._stream(one).place()
        while portion := list(islice(events, 200)):  # are sent together
            sent: list[str | bytes | int] = [one.name, place.header, place.head.seq, place.head.hash]
            sent += [os.urandom(6).hex(), portion[-1].hash, 0]
            for event in portion:
                sent += [event.id, "", codec.encode_event(event, more=False)[:-1]]
            if self._link.run("append", (*keys, self._arriving(one)), sent) != [b"stored"]:
                raise LogBusy(f"Somebody else appends to {one} in {self.where}.", "Try again.")
            place = Place(place.header, Head(place.head.epoch, portion[-1].seq, portion[-1].hash))

    def _new(self, one: Held, *, has_redacted: bool) -> Place:
        epoch = codec.random_epoch()
        header = codec.FileHeader(codec.FORMAT, codec.REDACTED if has_redacted else codec.PLAIN, one.stream, epoch)
        return Place(codec.encode_header(header)[:-1], Head(epoch, 0, genesis(one.stream)))

    def publish(self, one: Held) -> None:
        """Let a stream that was taken in whole be found."""
        if one.part == "deleted":
            self._link.command("HSET", self._keys_for(one).head, "stream", one.stream, "when", one.when)
        self._link.together([("SADD", self._names_key(one), one.name), ("SREM", self._arriving(one), one.name)])

    def _keys_for(self, one: Held) -> StreamKeys:
        group = _GROUPS.get(one.part)
        return self._keys.stream(group, one.name) if group else self._keys.trashed(one.name)

    def _names_key(self, one: Held) -> str:
        """Return the key of the names that a stream is found among."""
        group = _GROUPS.get(one.part)
        return self._keys.streams(group) if group else self._keys.trash

    def _arriving(self, one: Held) -> str:
        return f"{self._names_key(one)}:arriving"

    def _stream(self, one: Held) -> RedisStream:
        return RedisStream(
            self._link,
            StreamName(one.stream, self._link.address, is_shared=one.part == "shared"),
            self._keys_for(one),
            streams=self._names_key(one),
            patience=PATIENCE,
            new_epoch=codec.random_epoch,
        )
