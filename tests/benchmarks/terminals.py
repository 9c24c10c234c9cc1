"""A program in a pseudo-terminal of 120 × 36, watched from outside: when does something stand on its screen?

    Terminal(command) ─▶ bytes it writes ─▶ appeared(words) ─▶ when they stood there
             └◀─ keys, and the answer of a terminal that shows each update whole (DEC mode 2026)

Words are looked for in what was written, without the escape sequences that place and colour it. An update of the screen
ends where the program says so.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

COLUMNS, LINES = 120, 36
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78])")
_ASKS_FOR_WHOLE_UPDATES, _HAS_THEM = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_UPDATED = b"\x1b[?2026l"
_PATIENCE = 60.0
"""Seconds after which words that are not there are an error."""
_PORTION = 1 << 16
_OTHERS = {"NO_COLOR", "COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE"}
"""Variables that would have a program show or start otherwise."""


class Terminal:
    """One program in its own pseudo-terminal."""

    def __init__(self, command: Sequence[str], *, cwd: Path, environ: Mapping[str, str]) -> None:
        self.begun = time.perf_counter()
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            _become(command, cwd, environ)
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._written = bytearray()
        self._is_asked = False
        self._cpu: float | None = None

    def appeared(self, words: Sequence[str], *, whole: bool = False) -> float:
        """Wait until words were written; return when: with the last of them, or when its update was ``whole``."""
        wanted = [word.encode() for word in words]
        deadline = time.perf_counter() + _PATIENCE
        while True:
            written = self._written[: self._written.rfind(_UPDATED) + 1] if whole else self._written
            plain = _ESCAPES.sub(b"", written)
            if all(word in plain for word in wanted):
                return time.perf_counter()
            self._read(deadline)

    def forget(self) -> None:
        """Look only for what is written from now on."""
        self._written.clear()

    def quiet(self, seconds: float) -> None:
        """Read until nothing was written for so long."""
        while select.select([self._end], [], [], seconds)[0]:
            self._read(time.perf_counter() + 1)

    @property
    def pid(self) -> int:
        """The program's process."""
        return self._pid

    @property
    def written(self) -> int:
        """How many bytes it has written since nothing of them was forgotten."""
        return len(self._written)

    def read_for(self, seconds: float) -> None:
        """Read whatever is written in so long."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if select.select([self._end], [], [], left)[0]:
                self._read(until + 1)

    def ended(self) -> None:
        """Read until the program ends by itself."""
        try:
            while True:
                self._read(time.perf_counter() + _PATIENCE)
                self.forget()
        except TimeoutError:
            raise
        except OSError:  # how a pseudo-terminal says that nobody is at its other end
            return

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._end, keys.encode())

    def end(self) -> float:
        """End the program as it stands; return the CPU seconds that it took."""
        if self._cpu is None:
            os.kill(self._pid, signal.SIGKILL)
            usage = os.wait4(self._pid, 0)[2]
            os.close(self._end)
            self._cpu = usage.ru_utime + usage.ru_stime
        return self._cpu

    def _read(self, deadline: float) -> None:
        if not select.select([self._end], [], [], max(deadline - time.perf_counter(), 0))[0]:
            raise TimeoutError(_ESCAPES.sub(b"", self._written).decode(errors="replace")[-4000:])
        self._written += os.read(self._end, _PORTION)
        if not self._is_asked and _ASKS_FOR_WHOLE_UPDATES in self._written:
            self._is_asked = True
            os.write(self._end, _HAS_THEM)


@contextmanager
def running(command: Sequence[str], *, cwd: Path) -> Iterator[Terminal]:
    """Run a program with settings and caches of its own in a folder, compiled as an installed one is."""
    environ = {name: value for name, value in os.environ.items() if name not in _OTHERS}
    places = {name: str(cwd) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR")}
    terminal = Terminal(
        command, cwd=cwd, environ=environ | places | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    )
    try:
        yield terminal
    finally:
        terminal.end()


def _become(command: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> None:
    """Be another program, in the child of a fork; never returns."""
    try:
        os.chdir(cwd)
        os.execvpe(command[0], list(command), dict(environ))
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
    finally:
        os._exit(127)
