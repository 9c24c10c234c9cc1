"""Standard streams that are closed, or gone: a command run by a daemon, by cron, or into ``head``."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TextIO


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
