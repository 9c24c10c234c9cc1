"""A person at a real terminal: keys go to a program in a pseudo-terminal, and what it draws is read from a screen.

    press("ctrl+s") ─▶ bytes ─▶ the installed program ─▶ bytes ─▶ pyte's screen ─▶ until(sees("Sessions"))

Nothing is slept for: every wait is for something on the screen, and says what was there when it never came.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pexpect
import pyte

PATIENCE = 60.0
"""Seconds until something that never came is a failure: a busy machine is slow."""
_NAMED = {"enter": "\r", "escape": "\x1b", "up": "\x1b[A", "down": "\x1b[B", "home": "\x1b[H", "end": "\x1b[F"}
_NAMED |= {"pagedown": "\x1b[6~", "tab": "\t", "f1": "\x1bOP", "f2": "\x1bOQ"}
_NAMED |= {"f5": "\x1b[15~", "f8": "\x1b[19~", "f9": "\x1b[20~"}

_ASKS_FOR_FRAMES, _HAS_FRAMES = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
"""Whether the terminal knows where a frame begins and ends, so that nothing half drawn is seen; and that it does."""
_IN_FRAME = 2026 << 5
"""The mode between the two, as pyte numbers it."""
_LEAVES = b"\x1b[?1049l"
"""Gives the shell its own screen back."""


class RealTerminal:
    """A program in a pseudo-terminal, and the screen that it draws."""

    def __init__(self, child: pexpect.spawn[bytes], size: tuple[int, int]) -> None:
        self.child = child
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def shown(self) -> str:
        """What stands on the screen."""
        rows, columns = range(self._screen.lines), range(self._screen.columns)
        lines = (self._screen.buffer[y] for y in rows)  # pyte's own display measures each character again
        return "\n".join("".join(line[x].data for x in columns).rstrip() for line in lines)

    def colour_behind(self, words: str) -> str:
        """Return the colour behind words on the screen."""
        for y, line in enumerate(self._screen.display):
            if words in line:
                return str(self._screen.buffer[y][line.index(words)].bg)
        raise AssertionError(f"{words!r} does not stand here:\n{self.shown}")

    def until(self, holds: Callable[[], object], awaited: str = "it") -> None:
        """Read what the program draws until something holds."""
        deadline = monotonic() + PATIENCE
        while not (self._is_whole and holds()):
            try:
                self._read(max(deadline - monotonic(), 0))
            except (pexpect.TIMEOUT, pexpect.EOF) as error:
                raise AssertionError(f"Waited for {awaited}; there was:\n{self.shown}") from error

    def _read(self, timeout: float) -> None:
        written = self.child.read_nonblocking(1 << 16, timeout=timeout)
        self._stream.feed(written)
        if _ASKS_FOR_FRAMES in written:
            self.child.send(_HAS_FRAMES)

    @property
    def _is_whole(self) -> bool:
        """Whether no frame is half drawn."""
        return _IN_FRAME not in self._screen.mode

    def sees(self, *words: str, without: Sequence[str] = ()) -> None:
        """Wait until all these words stand on the screen, and none of the others."""

        def seen() -> bool:
            shown = self.shown
            return all(one in shown for one in words) and not any(one in shown for one in without)

        self.until(seen, f"{words} without {tuple(without)}")

    def press(self, *keys: str) -> None:
        """Press keys by their names; a letter is itself."""
        for key in keys:
            control = key.removeprefix("ctrl+")
            self.child.send(_NAMED.get(key, chr(ord(control) & 31) if control != key else key))

    def type(self, words: str) -> None:
        """Type words, and wait until the end of them stands on the screen."""
        self.child.send(words)
        self.sees(words[-12:])

    def ended(self) -> str:
        """Wait for the end of the program; return what it left on the shell's own screen."""
        written = b""
        try:
            while True:
                written += self.child.read_nonblocking(1 << 16, timeout=PATIENCE)
        except pexpect.EOF:
            self.child.wait()
        left = written.rpartition(_LEAVES)[2].decode()
        return re.sub(r"\x1b\[[0-9;?<>=]*[a-zA-Z]", "", left).replace("\r\n", "\n")


@contextmanager
def real_terminal(*program: str, cwd: Path, size: tuple[int, int] = (120, 36)) -> Iterator[RealTerminal]:
    """Run a program in a pseudo-terminal of so many columns and rows."""
    columns, rows = size
    child: pexpect.spawn[bytes] = pexpect.spawn(
        program[0],
        list(program[1:]),
        cwd=str(cwd),
        timeout=PATIENCE,
        dimensions=(rows, columns),
        env=dict(os.environ),  # not the C library's: readline, which pytest loads, puts a size of its own into that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what starts pytest may ignore it
    )
    try:
        yield RealTerminal(child, size)
    finally:
        child.close(force=True)
