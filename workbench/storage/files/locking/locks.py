"""Locks on a session's file: the gate that every append takes for a moment, the driver's lock, and who holds them.

    queue    taken before the gate and given back after it, so that nobody is overtaken for ever
    gate     held while a batch is checked and written
    driver   held as long as a process drives the session

Threads exclude each other too, the system frees a lock on any death, reading is never disturbed, and asking who holds a
lock takes nothing. ``range_locks`` and ``lock_files`` are two ways to keep that; ``lock_choice`` chooses.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from workbench.domain.errors import LogBusy

Lock = Literal["queue", "gate", "driver"]
QUEUE: Lock = "queue"
GATE: Lock = "gate"
DRIVER: Lock = "driver"

_SHORTEST_PAUSE = 0.0001
_LONGEST_PAUSE = 0.002
_AWAKE = 0.001
"""Seconds that who is next at the gate stays awake: an append takes a fraction of that, a sleep half of it and more."""
_let_others_run: Callable[[], None] = getattr(os, "sched_yield", lambda: time.sleep(0))


class Holder(NamedTuple):
    """The process that holds a lock."""

    pid: int
    """As that process itself sees it; in another container it may be counted otherwise."""
    seconds: int
    """Since 1970, when it took the lock."""

    @property
    def since(self) -> str:
        """When it took the lock: UTC, ISO 8601, whole seconds."""
        return datetime.fromtimestamp(self.seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Locks(Protocol):
    """The locks of one file, as one who may hold some of them sees them. Raises OSError."""

    def take(self, lock: Lock) -> bool:
        """Take a lock, if it is free; tell whether it is held now."""

    def release(self, *locks: Lock) -> None:
        """Give locks back; those that are not held are left alone."""

    def holder(self, lock: Lock) -> Holder | None:
        """Ask who holds a lock, without taking it; None when nobody else does."""

    def close(self) -> None:
        """Give everything back."""

    def leave_to_parent(self) -> None:
        """Let go, in a forked child, of what its parent holds."""


def wait(
    locks: Locks, lock: Lock, *, until: float, pause: Callable[[float], None] = time.sleep, awake: float = 0.0
) -> bool:
    """Wait for a lock until a moment of time.monotonic(); tell whether it is held now.

    For the first seconds ``awake`` it does not sleep, but lets others run: for one at a time, who is next.
    """
    begun = time.monotonic()
    while not locks.take(lock):
        now = time.monotonic()
        if now >= until:
            return False
        if now - begun < awake:
            _let_others_run()
            continue
        # after a part of the time that it has waited: soon where locks change hands soon
        pause(min(max((now - begun) / 8, _SHORTEST_PAUSE), _LONGEST_PAUSE))
    return True


@contextmanager
def gate(locks: Locks, path: Path, *, patience: float) -> Iterator[None]:
    """Hold the append gate of a file. Raises LogBusy, naming the holder, after ``patience`` seconds of waiting."""
    try:
        if not (locks.take(QUEUE) and locks.take(GATE)):
            _wait_to_enter(locks, path, patience)
        locks.release(QUEUE)
        yield
    finally:
        locks.release(QUEUE, GATE)


def _wait_to_enter(locks: Locks, path: Path, patience: float) -> None:
    until = time.monotonic() + patience
    for lock, awake in ((QUEUE, 0.0), (GATE, _AWAKE)):
        if not wait(locks, lock, until=until, awake=awake):
            other = locks.holder(GATE) or locks.holder(lock)
            who = f"Process {other.pid}" if other else "Another process"
            raise LogBusy(
                f"{who} has been holding {path} for more than {patience:g} seconds.",
                "End or continue that process, then try again.",
            )


class Grip:
    """An open file and its locks, to hold the driver's. A forked child lets go, or the lock would outlive us."""

    def __init__(self, descriptor: int, locks: Locks) -> None:
        self.descriptor = descriptor
        self.locks = locks
        _grips.add(self)

    def close(self) -> None:
        """Give the lock back."""
        self.locks.close()
        self._close_file()

    def leave_to_parent(self) -> None:
        """Close a forked child's copies."""
        self.locks.leave_to_parent()
        self._close_file()

    def _close_file(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


_grips: weakref.WeakSet[Grip] = weakref.WeakSet()


def _leave_all_to_parent() -> None:
    for grip in list(_grips):
        grip.leave_to_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all_to_parent)
