"""Locks by ``flock`` on files of their own, for systems without locks on open file descriptions, as macOS.

    .locks/{file}.queue, .gate, .driver    locked by who holds them; they stay. The gate's says who holds it
    .locks/{file}.owner                    who holds the driver's lock: locked itself, and there as long as that is held

``flock`` can only be tried, and a lock that is tried would be in the way of whoever takes it then. So who takes the
driver's lock publishes a record that is locked already, and who asks tries that record's lock: nobody else wants it. It
is refused while the owner lives, and a record that a death left behind is replaced by the next owner's.
"""

from __future__ import annotations

import os
import time
import weakref
from contextlib import suppress
from pathlib import Path

from workbench.storage.files.locking.locks import DRIVER, GATE, Holder, Lock
from workbench.storage.files.opening import Files, Kept, opened, write_all

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # lock_choice refuses it

FOLDER = ".locks"
_OWNER = "owner"
_SIZE = 40
"""Bytes of a record: process id, seconds since 1970, spaces."""
_NOBODY = b" " * _SIZE


def try_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock an open file, if that is possible now. Raises OSError if files have no such locks."""
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class FileLocks:
    """The locks of the file at a path, whichever file that is by now."""

    def __init__(self, files: Files, path: Path) -> None:
        self._files = files
        self._stem = path.parent / FOLDER / path.name
        self._open: dict[str, Kept] = {}
        self._held: set[Lock] = set()
        _known.add(self)

    def take(self, lock: Lock) -> bool:
        """Take a lock, if it is free."""
        if lock in self._held:
            return True
        descriptor = self._open_lock(lock)
        if not try_lock(descriptor):
            return False
        self._held.add(lock)
        try:
            if lock == GATE:
                os.pwrite(descriptor, _record(), 0)
            elif lock == DRIVER:
                self._publish()
        except BaseException:
            self.release(lock)
            raise
        return True

    def release(self, *locks: Lock) -> None:
        """Give locks back."""
        for lock in self._held.intersection(locks):
            try:
                with suppress(OSError):  # then a record names who held it, and its lock says that nobody does
                    if lock == GATE:
                        os.pwrite(self._open_lock(lock), _NOBODY, 0)
                    elif _OWNER in self._open:
                        self._files.unlink(self._path(_OWNER))  # while nobody else can have published one
            finally:
                if lock == DRIVER and (owner := self._open.pop(_OWNER, None)):
                    owner.close()
                fcntl.flock(self._open_lock(lock), fcntl.LOCK_UN)
                self._held.discard(lock)

    def holder(self, lock: Lock) -> Holder | None:
        """Ask who else holds a lock; of the gate, by its record alone: who asks was refused."""
        if lock in self._held:
            return None
        try:
            with opened(self._files, self._path(lock if lock != DRIVER else _OWNER), os.O_RDONLY) as file:
                if lock == DRIVER and try_lock(file.descriptor, shared=True):
                    return None
                return _holder(self._files.read(file.descriptor, _SIZE, 0))
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Give everything back, and close the files."""
        self.release(*self._held)
        self.leave_to_parent()

    def leave_to_parent(self) -> None:
        """Close the files: unlocking what a parent holds would take it from the parent."""
        self._held.clear()
        while self._open:
            self._open.popitem()[1].close()

    def _path(self, name: str) -> Path:
        return self._stem.with_name(f"{self._stem.name}.{name}")

    def _open_lock(self, lock: Lock) -> int:
        if lock not in self._open:
            try:
                self._open[lock] = Kept(self._files, self._path(lock), os.O_RDWR | os.O_CREAT)
            except FileNotFoundError:
                self._files.make_folder(self._stem.parent)
                self._open[lock] = Kept(self._files, self._path(lock), os.O_RDWR | os.O_CREAT)
        return self._open[lock].file.descriptor

    def _publish(self) -> None:
        """Name the owner of the driver's lock, in a record that is locked before anybody can see it."""
        aside = self._path(f"{_OWNER}.new")
        with suppress(FileNotFoundError):
            self._files.unlink(aside)  # its process died before the rename
        record = Kept(self._files, aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        write_all(self._files, record.file.descriptor, _record())
        try_lock(record.file.descriptor)
        self._files.replace(aside, self._path(_OWNER))
        self._open[_OWNER] = record


def _record() -> bytes:
    return f"{os.getpid()} {int(time.time())}".encode().ljust(_SIZE)


def _holder(record: bytes) -> Holder | None:
    """Return whom a record names; None if it names nobody, or is none."""
    pid, _, seconds = record.decode("ascii", "replace").strip().partition(" ")
    return Holder(int(pid), min(int(seconds), 1 << 36)) if pid.isdecimal() and seconds.isdecimal() else None


_known: weakref.WeakSet[FileLocks] = weakref.WeakSet()


def _leave_all_to_parent() -> None:
    for locks in list(_known):
        locks.leave_to_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all_to_parent)
