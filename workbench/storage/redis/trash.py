"""The trash of a workspace on a server: deleted sessions, under other names, until a person empties it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from workbench.domain.errors import NotFound, UsageError
from workbench.domain.log.ids import SessionId
from workbench.storage.files.trash import Trashed, trash_names
from workbench.storage.redis.driving import Drivers
from workbench.storage.redis.entries import PLACE_REPLY
from workbench.storage.redis.keys import Keys
from workbench.storage.redis.link import RedisLink

_SHOWN = "%Y-%m-%dT%H:%M:%S.%fZ"


class RedisTrash:
    """Sessions that were put away and can be brought back. Made by ``RedisStore.trash``."""

    def __init__(self, link: RedisLink, keys: Keys, drivers: Drivers, *, now: Callable[[], datetime]) -> None:
        self._link = link
        self._keys = keys
        self._drivers = drivers
        self._now = now

    def put(self, stream: str) -> Trashed:
        """Move a session into the trash. Raises NotFound, LogBusy while anybody drives it."""
        keys = self._keys.stream("sessions", SessionId(stream))
        now = self._now()
        with self._drivers.drive(stream, keys):
            for name in trash_names(stream, "deleted", now):
                places = (*keys, *self._keys.trashed(name), self._keys.streams("sessions"), self._keys.trash)
                args = (stream, name, now.strftime(_SHOWN))
                if self._link.run("put_away", (*places, self._keys.beats), args) != b"taken":
                    break
        return next(entry for entry in self.entries() if entry.name == name)

    def entries(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""
        names = [
            name.decode("utf-8", "replace")
            for name in self._link.command("SMEMBERS", self._keys.trash, shape=set[bytes])
        ]
        fields = ("stream", "when", "size")
        heads = self._link.together(
            [("HMGET", self._keys.trashed(name).head, *fields) for name in names], shape=PLACE_REPLY
        )
        entries = [
            Trashed(name, stream.decode(), "deleted", when.decode(), int(size or 0))
            for name, (stream, when, size) in zip(names, heads, strict=True)
            if stream is not None  # emptied or restored by somebody else in this moment
        ]
        return sorted(entries, key=lambda entry: (entry.when, entry.name))

    def restore(self, name: str) -> str:
        """Take a session out of the trash, by its name there, and return its id.

        Raises NotFound, UsageError when a session with its id exists.
        """
        stream = str(SessionId(name.partition(".")[0]))
        here, there = self._keys.stream("sessions", stream), self._keys.trashed(name)
        keys = (*here, *there, self._keys.streams("sessions"), self._keys.trash)
        match self._link.run("restore", keys, (stream, name)):
            case b"restored":
                return stream
            case b"exists":
                raise UsageError(f"There is a session {stream} already.", "Delete that one first.")
        raise NotFound(f"There is nothing called {name!r} in the trash.", "Look at what the trash holds.")

    def empty(self) -> int:
        """Remove everything in the trash for good; return how many sessions that were."""
        entries = self.entries()
        for entry in entries:
            self.remove(entry.name)
        return len(entries)

    def remove(self, name: str) -> None:
        """Remove a session for good, by its name in the trash."""
        self._link.together([("UNLINK", *self._keys.trashed(name)), ("SREM", self._keys.trash, name)])
