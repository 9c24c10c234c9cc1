"""The lives of sessions as files: one empty file for each, locked while the session is open, touched by its heartbeat.

Of ``shared/lives/{session}`` the lock says who has it open, freed by the kernel on any death; the mtime is the last
heartbeat. Asking touches nothing: a lock that is tried would be in the way of whoever opens the session then.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, time

from workbench.domain.errors import LogBusy
from workbench.domain.log.ids import SessionId
from workbench.storage.files.locking.lock_choice import locks_of
from workbench.storage.files.locking.locks import DRIVER, Grip, Holder, Locks
from workbench.storage.files.opening import Files, OpenFile, opened, reporting_errors
from workbench.storage.ports import Driver, Sign


class FileLives:
    """Lives in a folder, of all processes of this machine."""

    def __init__(self, folder: Path, files: Files | None = None, *, now: Callable[[], float] = time) -> None:
        """Use a folder, which need not exist yet; ``now`` gives seconds since 1970, as the file system counts them."""
        self._folder = folder
        self._files = files or Files()
        self._now = now
        self._paths: dict[str, Path] = {}

    @contextmanager
    def live(self, session: str) -> Iterator[None]:
        """Hold the life of a session. Raises LogBusy, naming the process that has it open, and LogUnavailable."""
        path = self._path(session)
        with reporting_errors(path):
            self._files.make_folder(self._folder)
            descriptor = self._files.open(path, os.O_RDWR | os.O_CREAT)
            grip = Grip(descriptor, locks_of(self._files, path, descriptor))
        try:
            with reporting_errors(path):
                is_ours = grip.locks.take(DRIVER)
            if not is_ours:
                raise open_elsewhere(session, grip.locks.holder(DRIVER))
            self.beat(session)
            yield
        finally:
            grip.close()

    def holder(self, session: str) -> Driver | None:
        """Return who has a session open; None if nobody has. Raises LogUnavailable."""
        with self._open_life(session) as file:
            held = self._locks(session, file).holder(DRIVER) if file else None
        return Driver(pid=held.pid, host=os.uname().nodename, since=held.since) if held else None

    @contextmanager
    def _open_life(self, session: str) -> Iterator[OpenFile | None]:
        """Open the file of a life to look at it; None if there is none. Raises LogUnavailable."""
        path = self._path(session)
        with ExitStack() as opening:
            file = None
            with reporting_errors(path), suppress(FileNotFoundError):
                file = opening.enter_context(opened(self._files, path, os.O_RDONLY))
            yield file

    def _locks(self, session: str, file: OpenFile) -> Locks:
        return locks_of(self._files, self._path(session), file.descriptor)

    def beat(self, session: str) -> None:
        """Note that something is done in a session now."""
        with reporting_errors(self._path(session)):
            self._files.set_time(self._path(session), self._now())

    def since_beat(self, session: str) -> float | None:
        """Return seconds since something was last done in a session; None if that is not known."""
        try:
            return max(0.0, self._now() - self._files.status(self._path(session)).st_mtime)
        except OSError:
            return None

    def sign(self, session: str) -> Sign:
        """Return whether a session is open, and since when nothing was done in it. Raises LogUnavailable."""
        with self._open_life(session) as file:
            if file is None:
                return Sign(is_open=False, since_beat=None)
            beaten = os.fstat(file.descriptor).st_mtime
            is_open = self._locks(session, file).holder(DRIVER) is not None
            return Sign(is_open, max(0.0, self._now() - beaten))

    def is_held(self, session: str) -> bool:  # noqa: ARG002  # the kernel takes none from a living process
        """Return True: a lock is its process's until that gives it back, or dies."""
        return True

    def declare_dead(self, session: str) -> None:
        """Do nothing: a life that nobody holds has ended with its process."""

    def _path(self, session: str) -> Path:
        path = self._paths.get(session)
        if path is None:
            path = self._paths.setdefault(session, self._folder / SessionId(session))
        return path


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
        """Return who has a session open; None if nobody has."""
        with self._lock:
            is_held = SessionId(session) in self._held
        return Driver(pid=os.getpid(), host=os.uname().nodename, since="") if is_held else None

    def beat(self, session: str) -> None:
        """Note that something is done in a session now."""
        with self._lock:
            self._beats[session] = self._now()

    def since_beat(self, session: str) -> float | None:
        """Return seconds since something was last done in a session; None if that is not known."""
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


def open_elsewhere(session: str, other: Holder | Driver | None) -> LogBusy:
    """Return the error for a session that another process has open."""
    who = f"process {other.pid} since {other.since}" if other else "another process"
    return LogBusy(f"Session {session} is open in {who}.", "Go on with it there, or close it there first.")
