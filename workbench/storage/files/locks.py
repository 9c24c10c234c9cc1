"""Locks on a session's file: the gate that every append takes for a moment, the driver's lock, and who holds them.

    byte 2^59   queue    taken before the gate and given back after it, so that nobody is overtaken for ever
    byte 2^60   gate     held while a batch is checked and written
    byte 2^62   driver   held as long as a process drives the session

Open-file-description locks (``F_OFD_SETLK``, Linux) on bytes far beyond the end of the file itself: a session stays one
file, threads exclude each other too, and the kernel frees a lock on any death. Reading is never disturbed, and asking
(``F_OFD_GETLK``) never takes anything.

A lock tells who holds it by its length: 1 + (seconds since 1970 << 22 | process id), since the kernel reports the range
of a lock that stands in the way, but for this kind of lock not its process.
"""

from __future__ import annotations

import errno
import os
import struct
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from workbench.domain.errors import LogBusy, LogUnavailable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # every use comes after require

QUEUE = 1 << 59
GATE = 1 << 60
DRIVER = 1 << 62

_PID_BITS = 22
"""Linux never counts process ids further than 2^22."""
_FLOCK = struct.Struct("hhqqi4x")
"""struct flock: type, whence, start, length, pid."""
_SHORTEST_PAUSE = 0.0001
_LONGEST_PAUSE = 0.002
_AWAKE = 0.001
"""Seconds that who is next at the gate stays awake: an append takes a fraction of that, a sleep half of it and more."""


class Holder(NamedTuple):
    """The process that holds a lock."""

    pid: int
    """As that process itself sees it; in another container it may be counted otherwise."""
    since: str
    """UTC, ISO 8601, whole seconds."""


def require() -> None:
    """Raise LogUnavailable where the system has no such locks."""
    if not hasattr(fcntl, "F_OFD_SETLK"):
        raise LogUnavailable(
            "Session files need locks that this system does not have (open-file-description locks).",
            "Run the workbench on Linux, in a Linux container or in WSL.",
        )


def _flock(kind: int, start: int, length: int) -> bytes:
    return _FLOCK.pack(kind, os.SEEK_SET, start, length, 0)


def _length_of_self() -> int:
    return 1 + (int(time.time()) << _PID_BITS | os.getpid())


def take(descriptor: int, start: int) -> bool:
    """Take a lock, if it is free, for an open file description; tell whether it is held now."""
    require()
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _flock(fcntl.F_WRLCK, start, _length_of_self()))
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return False
        raise
    return True


def release(descriptor: int, start: int, length: int = QUEUE) -> None:
    """Give a lock back; closing the file does so too."""
    # Up to twice their first byte nothing else of ours is locked: how long the lock is need not be known.
    fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _flock(fcntl.F_UNLCK, start, length))


def holder(descriptor: int, start: int) -> Holder | None:
    """Ask who holds a lock, without taking it; None when nobody else does."""
    length = _length_in_the_way(descriptor, start)
    if length is None:
        return None
    seconds, pid = divmod(length - 1, 1 << _PID_BITS)
    return Holder(pid, datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def is_held(descriptor: int, start: int) -> bool:
    """Ask whether anybody else holds a lock, without taking it."""
    return _length_in_the_way(descriptor, start) is not None


def _length_in_the_way(descriptor: int, start: int) -> int | None:
    require()
    answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, _flock(fcntl.F_WRLCK, start, 1))
    kind, _, _, length, _ = _FLOCK.unpack(answer)
    return None if kind == fcntl.F_UNLCK else length


def wait(
    descriptor: int, start: int, *, until: float, pause: Callable[[float], None] = time.sleep, awake: float = 0.0
) -> bool:
    """Wait for a lock until a moment of time.monotonic(); tell whether it is held now.

    For the first seconds ``awake`` it does not sleep, but lets others run: for one at a time, who is next.
    """
    begun = time.monotonic()
    while not take(descriptor, start):
        now = time.monotonic()
        if now >= until:
            return False
        if now - begun < awake:
            os.sched_yield()
            continue
        # after a part of the time that it has waited: soon where locks change hands soon
        pause(min(max((now - begun) / 8, _SHORTEST_PAUSE), _LONGEST_PAUSE))
    return True


@contextmanager
def gate(descriptor: int, path: Path, *, patience: float) -> Iterator[None]:
    """Hold the append gate of a file. Raises LogBusy, naming the holder, after ``patience`` seconds of waiting."""
    require()
    try:
        if not (take(descriptor, QUEUE) and take(descriptor, GATE)):
            _wait_to_enter(descriptor, path, patience)
        release(descriptor, QUEUE)
        yield
    finally:
        release(descriptor, QUEUE, DRIVER - QUEUE)


def _wait_to_enter(descriptor: int, path: Path, patience: float) -> None:
    until = time.monotonic() + patience
    for lock, awake in ((QUEUE, 0.0), (GATE, _AWAKE)):
        if not wait(descriptor, lock, until=until, awake=awake):
            other = holder(descriptor, GATE) or holder(descriptor, lock)
            who = f"Process {other.pid}" if other else "Another process"
            raise LogBusy(
                f"{who} has been holding {path} for more than {patience:g} seconds.",
                "End or continue that process, then try again.",
            )


class Grip:
    """An open file that a driver's lock is held on. A forked child closes its copy, or the lock would outlive us."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        _grips.add(self)

    def close(self) -> None:
        """Give the lock back."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


_grips: weakref.WeakSet[Grip] = weakref.WeakSet()


def _close_in_child() -> None:
    for grip in list(_grips):
        grip.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)
