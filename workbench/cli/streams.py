"""Standard streams that are closed or gone: under a daemon, into ``head``, or with a terminal that is lost (SIGHUP).

SIGHUP ─▶ the terminal's streams lead nowhere ─▶ the program ends as if the person had left it ─▶ what it holds is free
                                         └─ not within seconds ─▶ it ends all the same: the system frees the locks
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

HUNG_UP = 129
"""Exit code that shells expect of a program that SIGHUP ended."""
_END_WITHIN = 10.0
"""Seconds that the program has to end by itself."""
INTERRUPTED = 130
"""What shells expect of a program that ended by Ctrl+C."""
INTERRUPTED_TOLD = "\nworkbench: interrupted; everything is kept.\n"
_LOOKS, _BETWEEN = 18, 0.05
"""How often a program may be looked at after Ctrl+C, and the seconds in between: a machine that is slow gets longer."""


def nowhere(mode: str) -> TextIO:
    """Return a stream that reads nothing and forgets what is written."""
    return io.TextIOWrapper(io.FileIO(os.devnull, mode), encoding="utf-8")


def make_streams_usable() -> None:
    """Put something in the place of closed streams, and let no terminal's encoding stop a command."""
    sys.stdin = sys.stdin or nowhere("r")
    sys.stdout = sys.stdout or nowhere("w")
    sys.stderr = sys.stderr or nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def interrupt() -> None:
    """Do what Ctrl+C does."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background by a shell without job control
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


@contextmanager
def ending_on_hangup(end: Callable[[], None] = interrupt, *, lives_in_terminal: bool = False) -> Iterator[None]:
    """Call ``end``, in a signal handler, when the terminal is closed.

    Under nohup nothing ends but what ``lives_in_terminal``: without one it could only wait for keys, for ever.
    """
    is_possible = sys.platform != "win32" and threading.current_thread() is threading.main_thread()
    if not is_possible or (signal.getsignal(signal.SIGHUP) is signal.SIG_IGN and not lives_in_terminal):
        yield
        return
    terminals = [descriptor for descriptor in range(3) if os.isatty(descriptor)]

    def hang_up(_signal: int, _frame: object) -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the shell sends it too
        _lead_nowhere(terminals)
        last_resort = threading.Timer(_END_WITHIN, os._exit, [HUNG_UP])
        last_resort.daemon = True
        last_resort.start()
        end()

    before = signal.signal(signal.SIGHUP, hang_up)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGHUP) is hang_up:
            signal.signal(signal.SIGHUP, before)


@contextmanager
def ending_after_interrupt() -> Iterator[None]:
    """End the process a second after Ctrl+C if it has not ended by itself.

    A signal reaches the program between two of its own instructions, and threads that work are waited for: neither may
    come for minutes. What was acknowledged is on disk.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    threading.Thread(target=_end_when_told, args=(heard,), name="last resort", daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)


def _end_when_told(heard: int) -> None:
    while number := os.read(heard, 1):
        if number[0] == signal.SIGHUP:  # which has a last resort of its own
            return
        if number[0] == signal.SIGINT:
            for _ in range(_LOOKS):
                time.sleep(_BETWEEN)
            shown = "\x1b[?25h" if os.isatty(2) else ""  # the cursor, if a line is being told
            with suppress(OSError):
                if select.select((), (2,), (), 0)[1]:  # else nobody reads a pipe that is full
                    os.write(2, (shown + INTERRUPTED_TOLD).encode())
            os._exit(INTERRUPTED)


def _lead_nowhere(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        with nowhere("r" if descriptor == 0 else "w") as stream:
            os.dup2(stream.fileno(), descriptor)
