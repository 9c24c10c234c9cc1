"""Locks on bytes far beyond the end of the file itself: open-file-description locks (``F_OFD_SETLK``) of Linux.

    byte 2^59   queue
    byte 2^60   gate
    byte 2^62   driver

A session stays one file. The length of a lock tells who holds it, 1 + (seconds since 1970 << 22 | process id): the
kernel reports the range of a lock that is in the way (``F_OFD_GETLK``), but for this kind of lock not its process.
"""

from __future__ import annotations

import errno
import os
import struct
import time

from workbench.storage.files.locking.locks import DRIVER, GATE, QUEUE, Holder, Lock

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # lock_choice refuses it

_START: dict[Lock, int] = {QUEUE: 1 << 59, GATE: 1 << 60, DRIVER: 1 << 62}
_LONGEST = 1 << 59
"""Bytes from the start of each lock in which nothing else of ours is locked: how long the lock is need not be known."""
_PID_BITS = 22
"""Linux never counts process ids further than 2^22."""
_FLOCK = struct.Struct("hhqqi4x")
"""struct flock of Linux: type, whence, start, length, pid."""


def _flock(kind: int, start: int, length: int) -> bytes:
    return _FLOCK.pack(kind, os.SEEK_SET, start, length, 0)


def _length_of_self() -> int:
    return 1 + (int(time.time()) << _PID_BITS | os.getpid())


class RangeLocks:
    """The locks of an open file description; closing the file gives them back."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def take(self, lock: Lock) -> bool:
        """Take a lock, if it is free."""
        request = _flock(fcntl.F_WRLCK, _START[lock], _length_of_self())
        try:
            fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, request)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise
        return True

    def release(self, *locks: Lock) -> None:
        """Give locks back."""
        for lock in locks:
            fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, _flock(fcntl.F_UNLCK, _START[lock], _LONGEST))

    def holder(self, lock: Lock) -> Holder | None:
        """Ask who else holds a lock."""
        answer = fcntl.fcntl(self._descriptor, fcntl.F_OFD_GETLK, _flock(fcntl.F_WRLCK, _START[lock], 1))
        kind, _, _, length, _ = _FLOCK.unpack(answer)
        if kind == fcntl.F_UNLCK:
            return None
        seconds, pid = divmod(length - 1, 1 << _PID_BITS)
        return Holder(pid, seconds)

    def close(self) -> None:
        """Do nothing: who opened the file closes it."""

    def leave_to_parent(self) -> None:
        """Do nothing, for the same reason."""
