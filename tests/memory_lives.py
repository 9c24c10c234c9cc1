"""Lives within this process: the model that the others are compared with, and a fake for tests."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from workbench.domain.log.ids import SessionId
from workbench.storage.files.lives import open_elsewhere
from workbench.storage.ports import Driver, Sign


class MemoryLives:
    """Lives within this process: the model that the others are compared with."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """``now`` gives seconds that only grow."""
        self._now = now
        self._held: set[str] = set()
        self._beats: dict[str, float] = {}
        self._lock = threading.Lock()

    @contextmanager
    def live(self, session: str) -> Iterator[None]:
        """Hold the life of a session. Raises LogBusy."""
        name = SessionId(session)
        with self._lock:
            if name in self._held:
                raise open_elsewhere(name, None)
            self._held.add(name)
        self.beat(name)
        try:
            yield
        finally:
            self.die(name)

    def die(self, session: str) -> None:
        """Take a life, as the death of its process would."""
        with self._lock:
            self._held.discard(session)

    def holder(self, session: str) -> Driver | None:
        """Return who has a session open; None where nobody has."""
        with self._lock:
            is_held = SessionId(session) in self._held
        return Driver(pid=os.getpid(), host=os.uname().nodename, since="") if is_held else None

    def beat(self, session: str) -> None:
        """Note that something is done in a session now."""
        with self._lock:
            self._beats[session] = self._now()

    def since_beat(self, session: str) -> float | None:
        """Return seconds since something was last done in a session; None where that is not known."""
        with self._lock:
            beat = self._beats.get(session)
        return None if beat is None else self._now() - beat

    def sign(self, session: str) -> Sign:
        """Return whether a session is open, and since when nothing was done in it."""
        return Sign(self.holder(session) is not None, self.since_beat(session))

    def is_held(self, session: str) -> bool:
        """Tell whether a session was not declared dead."""
        with self._lock:
            return session in self._held

    def declare_dead(self, session: str) -> None:
        """Do nothing: a life that nobody holds has ended with its process."""
