"""Standard streams that are closed or gone: under a daemon, into ``head``, or with a terminal that is lost (SIGHUP).

SIGHUP ─▶ the terminal's streams lead nowhere ─▶ the program ends as if the person had left it ─▶ what it holds is free
                                         └─ not within seconds ─▶ it ends all the same: the system frees the locks
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

HUNG_UP = 129
"""Exit code that shells expect of a program that SIGHUP ended."""
_END_WITHIN = 10.0
"""Seconds that the program has to end by itself."""


def nowhere(mode: str) -> TextIO:
    """Return a stream that reads nothing and forgets what is written."""
    return io.TextIOWrapper(io.FileIO(Path(os.devnull), mode), encoding="utf-8")


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


def _lead_nowhere(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        with nowhere("r" if descriptor == 0 else "w") as stream:
            os.dup2(stream.fileno(), descriptor)
