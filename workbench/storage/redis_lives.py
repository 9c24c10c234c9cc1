"""Which sessions are open somewhere, on any machine: held like a driver's place, on keys of their own.

workbench:{w-1}:lives:<session>:head, driver, fence     head: that it was ever open; the others as of a driven stream
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from workbench.domain.errors import NotFound
from workbench.domain.ids import SessionId
from workbench.storage.ports import Driver
from workbench.storage.redis_driving import Drivers
from workbench.storage.redis_keys import Keys, StreamKeys
from workbench.storage.redis_link import RedisLink
from workbench.storage.redis_log import RedisLog


class RedisLives:
    """Lives on a server: one that is not renewed in time is given back."""

    def __init__(self, log: RedisLog, link: RedisLink, keys: Keys, *, ttl: float = 5.0) -> None:
        """Use the heartbeats of a log of sessions. TTL: seconds after which a life that says nothing is over."""
        self._log = log
        self._link = link
        self._base = keys.beats.removesuffix("beats") + "lives"
        self._drivers = Drivers(link, ttl=ttl)

    @contextmanager
    def live(self, session: str) -> Iterator[None]:
        """Hold the life of a session. Raises LogBusy, naming the process and host that have it open."""
        keys = self._keys(session)
        self._link.command("SET", keys.head, session)
        with self._drivers.drive(session, keys):
            self.beat(session)
            yield

    def holder(self, session: str) -> Driver | None:
        """Return who has a session open; None where nobody has."""
        try:
            return self._drivers.driver(session, self._keys(session))
        except NotFound:  # it never was
            return None

    def beat(self, session: str) -> None:
        """Note that something is done in a session now."""
        self._log.beat(session)

    def since_beat(self, session: str) -> float | None:
        """Return seconds since something was last done in a session; None where that is not known."""
        return self._log.since_beat(session)

    def _keys(self, session: str) -> StreamKeys:
        base = f"{self._base}:{SessionId(session)}"
        return StreamKeys(f"{base}:head", f"{base}:events", f"{base}:ids")
