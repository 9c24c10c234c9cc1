"""CPU seconds of whole processes, taking turns, so that drift of the machine's speed cancels out."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PASS = (sys.executable, "-c", "pass")
"""The baseline: the interpreter alone."""
_OTHERS = ("PYTHONDONTWRITEBYTECODE",)
"""Variables under which a program starts otherwise than an installed one."""


def workbench(*arguments: str) -> tuple[str, ...]:
    """Return a command line of the workbench."""
    return (str(Path(sys.executable).parent / "workbench"), *arguments)


def cpu_seconds(command: Sequence[str], cwd: Path) -> float:
    """Run a program and return the CPU seconds that it took. Raises CalledProcessError where it fails."""
    environ = {name: value for name, value in os.environ.items() if name not in _OTHERS}
    process = subprocess.Popen(
        command, cwd=cwd, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime


def medians(commands: Mapping[str, Sequence[str]], cwd: Path, runs: int) -> dict[str, float]:
    """Return the median CPU seconds of each command; the first round, which warms up, does not count."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            seconds = cpu_seconds(command, cwd)
            if run:
                taken[name].append(seconds)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}
