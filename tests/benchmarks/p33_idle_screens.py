"""P33: CPU and bytes to the terminal of screens at which nobody does anything, against an empty Textual app.

    python -m tests.benchmarks.p33_idle_screens [--quick] [--seconds N] [--sessions N]

The first screen beside finished sessions, one of them open, and the first screen in a folder without a workspace; one
after the other, each in a pseudo-terminal of its own. Bars: twice the empty app, and 1 KB in ten minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.full_sessions import fill
from tests.benchmarks.long_sessions import printed
from tests.benchmarks.p18_idle import EMPTY_APP, SETTLED, on_cpu
from tests.benchmarks.processes import workbench
from tests.benchmarks.terminals import running

BAR = 2.0
BYTES_IN_TEN_MINUTES = 1_000


def idle(command: Sequence[str], words: Sequence[str], cwd: Path, seconds: float) -> tuple[float, float]:
    """Return CPU milliseconds of a second, and bytes written in ten minutes, of a program that rests."""
    with running(command, cwd=cwd) as terminal:
        terminal.appeared(words)
        terminal.read_for(SETTLED)
        before, written, begun = on_cpu(terminal), terminal.written, time.perf_counter()
        terminal.read_for(seconds)
        took = time.perf_counter() - begun
        return (on_cpu(terminal) - before) / took * 1e3, (terminal.written - written) / took * 600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="five seconds and ten sessions")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--sessions", type=int, default=200)
    options = parser.parse_args()
    seconds, count = (5.0, 10) if options.quick else (options.seconds, options.sessions)
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as nowhere:
        sessions = fill(Path(name), count)
        screens = {
            "empty": ((sys.executable, "-c", EMPTY_APP), ["nothing here"], nowhere),
            "home": (workbench(), ["UNDER WAY"], name),
            "open": (workbench("open", sessions[0]), ["S1"], name),
            "no_workspace": (workbench(), ["What do you want to plan?"], nowhere),
        }
        found = {of: idle(command, words, Path(cwd), seconds) for of, (command, words, cwd) in screens.items()}
    ratios = {of: round(cpu / found["empty"][0], 2) for of, (cpu, _) in found.items()}
    printed(
        {
            "id": "P33",
            "cpu_ms_a_second": {of: round(cpu, 2) for of, (cpu, _) in found.items()},
            "bytes_in_ten_minutes": {of: round(count) for of, (_, count) in found.items()},
            "ratio": ratios,
            "bar": {"ratio": BAR, "bytes": BYTES_IN_TEN_MINUTES},
            "ok": {of: ratios[of] <= BAR and count <= BYTES_IN_TEN_MINUTES for of, (_, count) in found.items()},
            "seconds": seconds,
            "sessions": count,
        }
    )


if __name__ == "__main__":
    main()
