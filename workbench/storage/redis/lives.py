"""The lives of sessions on a server: places that last a few seconds, renewed while a session is open, and heartbeats.

One that was not renewed for longer than it lasts (a closed lid, a cut network) looks crashed. Where nobody minded, it
is renewed as if nothing had been; if it was declared dead, what the session still says is refused (Fenced), until it
is opened again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from workbench.domain.errors import LogBusy, NotFound
from workbench.domain.log.ids import SessionId
from workbench.storage.files.lives import open_elsewhere
from workbench.storage.ports import Driver, Sign
from workbench.storage.redis.driving import Drivers
from workbench.storage.redis.keys import Keys, LifeKeys
from workbench.storage.redis.link import RedisLink

_SILENT = Driver(pid=0, host="a machine that was not heard of since the server started", since="")


class RedisLives:
    """Lives of the sessions of one workspace, of all its machines."""

    def __init__(self, link: RedisLink, keys: Keys, drivers: Drivers) -> None:
        self._link = link
        self._keys = keys
        self._drivers = drivers

    @contextmanager
    def live(self, session: str) -> Iterator[None]:
        """Hold the life of a session. Raises LogBusy, naming the process and host that have it open, LogUnavailable."""
        name = SessionId(session)
        self.beat(name)
        with ExitStack() as held:
            try:
                held.enter_context(self._drivers.drive(name, self._keys.life(name)))
            except LogBusy as busy:
                raise open_elsewhere(name, self.holder(name)) from busy
            yield

    def holder(self, session: str) -> Driver | None:
        """Return who has a session open; None if nobody has."""
        name, life = SessionId(session), self._keys.life(SessionId(session))
        try:
            holder = self._drivers.driver(name, life)
        except NotFound:  # nothing ever lived in this workspace
            return None
        return _SILENT if holder is None and self._may_renew(life) else holder

    def _may_renew(self, life: LifeKeys) -> bool:
        """Tell whether a life may have ended only because the server was away: who lives has not renewed it yet."""
        since_start: int = self._link.command("INFO", "server", shape=dict[str, Any]).get("uptime_in_seconds", 0)
        return since_start <= 2 * self._drivers.ttl and bool(self._link.command("HGET", life.fence, "token"))

    def beat(self, session: str) -> None:
        """Note that something is done in a session now, by the server's clock."""
        self._link.run("beat", (self._keys.beats,), (SessionId(session),))

    def since_beat(self, session: str) -> float | None:
        """Return seconds since something was last done in a session; None if that is not known."""
        passed: int | None = self._link.run("since_beat", (self._keys.beats,), (SessionId(session),), shape=int | None)
        return passed if passed is None else passed / 1000

    def sign(self, session: str) -> Sign:
        """Return whether a session is open, and since when nothing was done in it."""
        return Sign(self.holder(session) is not None, self.since_beat(session))

    def is_held(self, session: str) -> bool:
        """Tell whether the life that this process holds of a session is still its own."""
        return self._drivers.holds(self._keys.life(SessionId(session)))

    def declare_dead(self, session: str) -> None:
        """Refuse what a session that nobody has open still sends, until it is opened again."""
        life = self._keys.life(SessionId(session))
        self._link.run("bury", (life.driver, life.fence), ())
