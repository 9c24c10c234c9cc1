"""Who drives a session, when processes are on several machines and no kernel sees them all die.

A drive is a key that lives a few seconds and is renewed until it is left, and the next fencing epoch. The key says who
to wait for; the epoch decides. A driver cannot know that it was paused (a closed lid, SIGSTOP, a cut network), so
whoever stores its events has to: every append names the epochs it was made under, and is refused (Fenced) once another
driver came. Where nobody came, the old one continues as if nothing had been.
"""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from workbench.domain.errors import LogBusy, LogError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.text.cleaning import clean_name
from workbench.storage.ports import Driver
from workbench.storage.redis.entries import unknown
from workbench.storage.redis.keys import LifeKeys, StreamKeys
from workbench.storage.redis.link import RedisLink

Places = StreamKeys | LifeKeys
"""What one process at a time may hold."""


class Fence(NamedTuple):
    """One drive, as appends name it."""

    key: str
    epoch: int
    token: str


class _Driving(Driver, frozen=True, kw_only=True):
    """What a driver's key holds."""

    token: str


class Drivers:
    """The drives of one store, and what its appends are fenced with."""

    def __init__(self, link: RedisLink, *, ttl: float) -> None:
        self._link = link
        self._ttl = ttl
        self._fences: dict[str, Fence] = {}
        self._lost: set[str] = set()
        """Tokens of drives that another one came after."""

    @contextmanager
    def drive(self, stream: str, keys: Places) -> Iterator[None]:
        """Hold the driver's place of a stream. Raises LogBusy, NotFound."""
        token = os.urandom(8).hex()
        since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        who = msgspec.json.encode(_Driving(pid=os.getpid(), host=platform.node(), since=since, token=token))
        fence = self._start_driving(stream, keys, who, token)
        left = threading.Event()
        renewing = threading.Thread(
            target=self._renew, args=(keys, who, fence, left), name=f"renewing {stream}", daemon=True
        )
        self._fences[keys.fence] = fence
        renewing.start()
        try:
            yield
        finally:
            left.set()
            del self._fences[keys.fence]
            self._lost.discard(token)
            with suppress(LogError):  # without it, the key goes by itself
                self._link.run("release", (keys.driver, keys.fence), (who, token), once=True)
            renewing.join(self._ttl)

    def _start_driving(self, stream: str, keys: Places, who: bytes, token: str) -> Fence:
        answer = self._link.run("drive", (keys.head, keys.driver, keys.fence), (who, token, self._lasts()))
        match answer:
            case [b"driving", int(epoch)]:
                return Fence(keys.fence, epoch, token)
            case [b"busy", bytes(other)]:
                driver = _decode_driver(other)
                raise LogBusy(
                    f"Session {stream} is driven by process {driver.pid} on {driver.host} since {driver.since}.",
                    "Wait until it is done there, or end that process.",
                )
        raise unknown(stream)

    def _renew(self, keys: Places, who: bytes, fence: Fence, left: threading.Event) -> None:
        while not left.wait(self._ttl / 3):  # one that is lost costs nothing
            with suppress(LogError):  # the server is away: its clock goes on, and so do we
                args = (who, fence.token, self._lasts(), fence.epoch)
                if self._link.run("renew", (keys.driver, keys.fence), args, once=True) == b"lost":
                    self._lost.add(fence.token)
                    return

    def _lasts(self) -> int:
        return round(self._ttl * 1000)

    def held(self, fences: Iterable[str]) -> list[Fence]:
        """Return the drives of this store among those that these keys fence."""
        known = (self._fences.get(key) for key in sorted(set(fences)))
        return [fence for fence in known if fence is not None]

    def holds(self, keys: Places) -> bool:
        """Tell whether this store drives, and no other one came after."""
        fence = self._fences.get(keys.fence)
        return fence is not None and fence.token not in self._lost

    @property
    def ttl(self) -> float:
        """Seconds after which a driver that says nothing may be replaced."""
        return self._ttl

    def driver(self, stream: str, keys: Places) -> Driver | None:
        """Return who drives a stream; None when nobody does. Raises NotFound."""
        is_there, who = self._link.together([("EXISTS", keys.head), ("GET", keys.driver)], shape=int | bytes | None)
        if not is_there:
            raise unknown(stream)
        return _decode_driver(who) if isinstance(who, bytes) else None


def _decode_driver(stored: bytes) -> Driver:
    try:
        driving = msgspec.json.decode(stored, type=_Driving)
    except UNREADABLE:
        return Driver(pid=0, host="an unknown host", since="an unknown time")
    return Driver(pid=driving.pid, host=clean_name(driving.host), since=clean_name(driving.since))
