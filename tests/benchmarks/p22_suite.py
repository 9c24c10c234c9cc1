"""P22: the time that README's second command takes, from nothing to the last test.

    python -m tests.benchmarks.p22_suite [--runs 10] [--quick]

It runs in a clean clone of the commit that is checked out, again and again; the first run also sets up the environment.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.long_sessions import printed

ROOT = Path(__file__).parent.parent.parent
BAR = 360.0
"""Seconds, the median on two cores."""


def command_in(readme: str) -> str:
    """Return the command that README gives for setting up the environment and passing the tests."""
    (command,) = re.findall(r"^    (.*\bpytest\b.*)$", readme, re.MULTILINE)
    return str(command)


def run(command: str, cwd: Path) -> tuple[float, float, bool]:
    """Return the seconds of a run, by the clock and of processor time, and whether it passed."""
    before, begun = _processor_seconds(), time.perf_counter()
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=cwd, stdout=sys.stderr, check=False)
    return time.perf_counter() - begun, _processor_seconds() - before, done.returncode == 0


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--quick", action="store_true", help="one run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        clone = Path(name) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        command = command_in((clone / "README.md").read_text())
        runs = [run(command, clone) for _ in range(1 if given.quick else given.runs)]
    seconds = [taken for taken, _, _ in runs]
    median = round(statistics.median(seconds), 1)
    has_passed = all(passed for _, _, passed in runs)
    printed(
        {
            "id": "P22",
            "figures": {"median_s": median, "cpu_s": round(statistics.median(cpu for _, cpu, _ in runs), 1)},
            "bar": BAR,
            "ok": median <= BAR and has_passed,
            "passed": sum(passed for _, _, passed in runs),
            "runs": len(runs),
            "seconds": [round(taken, 1) for taken in seconds],
            "cores": os.cpu_count(),
        }
    )


if __name__ == "__main__":
    main()
