"""What Linux tells of other processes."""

from __future__ import annotations

import os
from pathlib import Path


def state_of(pid: int) -> str:
    """Return the letter for what a process does: "R" runs, "S" sleeps, "Z" has ended, "" is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def is_there(pid: int) -> bool:
    """Tell whether a process runs; one that has ended and was not asked after does not."""
    return state_of(pid) not in ("", "Z")


def parent_of(pid: int) -> int:
    """Return the process that started another, which lives."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def seconds_of(pid: int) -> float:
    """Return the processor time of a process, in seconds; 0 if there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
