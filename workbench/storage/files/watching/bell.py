"""Waking who follows a stream: the wake-up is a hint, the cursor is the truth.

Each follower has a socket, ``RUNTIME/{hash of log folder and stream}/{process}-{random}``, and who has appended sends a
datagram to each of them, without waiting for any. A follower looks into the file when it was rung for, every second
whatever it heard, and when its Stop is set; any other function is asked every 0.25 s whether to stop.

What a datagram says is never read, so whoever can send one can make a follower look, and nothing else. A follower that
has fallen behind has a full queue and is awake anyway. One that has died is found out by the next writer, which removes
its socket. Where there is no bell, followers look again after pauses. What only lists or reads imports no sockets.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
import weakref
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from workbench.storage.files.watching.stopping import ASK_EVERY, Stop

LOOK_EVERY = 1.0
"""Seconds after which a follower looks although nobody rang: a ring can be missed."""
_SHORTEST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05
"""Seconds between two looks of a follower without a bell: short while something happens."""
_LONGEST_PATH = 100
"""Bytes that the name of a socket may have: 104 with the zero after it on some systems, 108 on Linux."""
_LONGEST_NAME = len("/4194304-0123456789ab")
_PLACE = 20
"""Characters of the name of a stream's folder."""
_PORTION = 100
"""Listeners that one socket sends to: the system counts all that they have not read yet against it, about 270 at most,
so those who read nothing would keep others from being woken."""


class Listener(AbstractContextManager["Listener"]):
    """What a follower waits on between two looks."""

    @abstractmethod
    def wait(self, *, found: bool) -> None:
        """Wait until it is time to look again; ``found`` tells whether the last look found anything."""

    def close(self) -> None:  # most have nothing to give back
        """Listen no more; closing again does nothing."""

    def __exit__(self, *_error: object) -> None:
        self.close()


class Pauses(Listener):
    """Hears nothing, and looks again after a pause that doubles while nothing is found."""

    def __init__(self) -> None:
        self._pause = _SHORTEST_PAUSE

    def wait(self, *, found: bool) -> None:
        """Sleep 2 ms after what was found, and up to 50 ms if nothing happens."""
        self._pause = _SHORTEST_PAUSE if found else min(self._pause * 2, _LONGEST_PAUSE)
        time.sleep(self._pause)


class _Socket(Listener):
    """A socket of one follower, which is gone with its process; what is left of its name, the next writer removes."""

    def __init__(self, path: Path, look_every: float, stopped: Callable[[], bool]) -> None:
        """Listen until told to stop. Raises OSError."""
        import select
        import socket

        self._path = path
        self._look_every = look_every if isinstance(stopped, Stop) else min(look_every, ASK_EVERY)
        self._process = os.getpid()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.setblocking(False)
            self._socket.bind(str(path))
        except OSError:
            self._socket.close()
            raise
        self._rung = select.poll()
        self._rung.register(self._socket, select.POLLIN)
        _sockets.add(self)
        self._waking = ExitStack()
        if isinstance(stopped, Stop):
            self._waking.enter_context(stopped.waking(self._wake))

    def wait(self, *, found: bool) -> None:  # noqa: ARG002  # who is rung for need not guess when to look
        """Wait for a ring. All that were rung so far are one: what they told of is there by now."""
        if self._process != os.getpid():
            time.sleep(min(self._look_every, ASK_EVERY))
        elif self._rung.poll(self._look_every * 1000):
            with suppress(BlockingIOError):
                while True:
                    self._socket.recv(1)

    def _wake(self) -> None:
        with suppress(OSError):  # its queue is full: it is awake; or it has just been closed
            self._socket.sendto(b"", str(self._path))

    def close(self) -> None:
        """Give the socket and its name back."""
        if self._process == os.getpid() and self._socket.fileno() >= 0:
            self._waking.close()
            self._socket.close()
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
                self._path.parent.rmdir()  # unless others listen too

    def leave_to_parent(self) -> None:
        """Close a forked child's copy: it would take the parent's rings, and outlive it."""
        self._socket.close()


_sockets: weakref.WeakSet[_Socket] = weakref.WeakSet()


def _leave_all_to_parent() -> None:
    for one in list(_sockets):
        one.leave_to_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all_to_parent)


class _Listeners(NamedTuple):
    """The sockets in a folder, when it was looked at."""

    folder: tuple[int, int]
    """Its inode, and the nanosecond of its last change."""
    paths: tuple[str, ...]


_NOBODY = _Listeners((0, 0), ())


class Bell:
    """The bell of a folder of streams: writers ring it, followers listen. Safe to use from several threads."""

    def __init__(self, folder: Path, *, look_every: float = LOOK_EVERY, runtime: Path | None = None) -> None:
        """Ring for the streams of a folder, which need not exist. ``runtime`` is the person's own by default."""
        self._folder = os.fsencode(os.path.realpath(folder))
        self._look_every = min(look_every, LOOK_EVERY)
        self._given = runtime
        self._known: dict[str, _Listeners] = {}
        self._places: dict[str, Path] = {}

    @cached_property
    def unusable(self) -> str:
        """Why there is no bell, as a clause; "" if there is one."""
        import select
        import socket

        if not (hasattr(socket, "AF_UNIX") and hasattr(select, "poll") and hasattr(os, "geteuid")):
            return "this system has no unix sockets"
        if len(os.fsencode(self._place(""))) + _LONGEST_NAME > _LONGEST_PATH:
            return f"{self._runtime} is too long for the name of a socket"
        try:
            self._runtime.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        except OSError as error:
            return f"{self._runtime} cannot be made ({error.strerror})"
        return "" if is_private(self._runtime) else f"{self._runtime} does not belong to you alone"

    @property
    def mechanism(self) -> str:
        """How followers notice what was appended, in words."""
        if self.unusable:
            most = round(_LONGEST_PAUSE * 1000)
            return f"a look at the file at least every {most} ms, without a bell, as {self.unusable}"
        return f"a datagram to each follower (sockets in {self._runtime}), and a look every {self._look_every:g} s"

    def listener(self, stream: str, stopped: Callable[[], bool]) -> Listener:
        """Listen for what is appended to a stream from now on, until told to stop."""
        return (None if self.unusable else self._bound(stream, stopped)) or Pauses()

    def _bound(self, stream: str, stopped: Callable[[], bool]) -> Listener | None:
        place = self._place(stream)
        for _ in range(3):
            try:
                place.mkdir(mode=stat.S_IRWXU, exist_ok=True)
                return _Socket(place / f"{os.getpid()}-{os.urandom(6).hex()}", self._look_every, stopped)
            except FileNotFoundError:  # who listened last has taken the folder away between these two lines
                continue
            except OSError:
                return None
        return None

    def ring(self, stream: str) -> None:
        """Wake who listens to a stream. Never waits, never fails; costs one look at a folder if nobody does."""
        try:
            paths = self._listening(stream)
        except OSError:  # nobody ever did
            return
        for start in range(0, len(paths), _PORTION):
            _send(paths[start : start + _PORTION])

    @cached_property
    def _runtime(self) -> Path:
        return self._given or _runtime_folder()

    def _listening(self, stream: str) -> tuple[str, ...]:
        place = self._place(stream)
        status = os.stat(place)  # noqa: PTH116  # in every append
        seen = (status.st_ino, status.st_mtime_ns)
        known = self._known.get(stream, _NOBODY)
        if known.folder != seen:
            now = time.time_ns()
            paths = tuple(f"{place}/{name}" for name in os.listdir(place)) if is_private(self._runtime) else ()  # noqa: PTH208
            known = _Listeners(seen, paths)
            if now - status.st_mtime_ns > 50_000_000:  # else another may come within the same tick of the clock
                self._known[stream] = known
        return known.paths

    def _place(self, stream: str) -> Path:
        place = self._places.get(stream)
        if place is None:
            name = hashlib.sha256(self._folder + b"\0" + stream.encode()).hexdigest()[:_PLACE]
            place = self._places.setdefault(stream, self._runtime / name)
        return place


def _send(paths: Sequence[str]) -> None:
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        for path in paths:
            try:
                sender.sendto(b"", path)
            except ConnectionRefusedError:
                with suppress(OSError):
                    os.unlink(path)  # noqa: PTH108  # its process is dead
            except OSError:  # its queue is full, or it has just gone
                continue


def _runtime_folder() -> Path:
    import tempfile

    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if given and is_private(Path(given)):
        return Path(given, "workbench")
    user = f"workbench-{os.geteuid() if hasattr(os, 'geteuid') else 'bell'}"
    folder = Path(tempfile.gettempdir(), user)
    # that of macOS is so long that no socket in it could have a name
    has_room = len(os.fsencode(folder / "x")) + _PLACE + _LONGEST_NAME <= _LONGEST_PATH
    return folder if has_room else Path("/tmp", user)  # noqa: S108  # whoever uses it looks whether it is theirs alone


def is_private(folder: Path) -> bool:
    """Tell whether a folder, no link to one, belongs to this user, and nobody else may enter it."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o077
