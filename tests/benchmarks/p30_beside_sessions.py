"""P30: ``run``, ``due`` and ``sessions list`` beside 20, 200 and 2,000 finished sessions.

    python -m tests.benchmarks.p30_beside_sessions [--quick] [--sizes N …]

CPU seconds of whole processes, medians. ``first_…`` is the first process of all, which finds nothing kept and reads
every session. ``run`` is two goals: one that shares words with many sessions, and one that shares none. Bars: at 2,000,
``run`` at most twice as long as at 20, and ``due`` at most a second.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.benchmarks.full_sessions import fill
from tests.benchmarks.long_sessions import printed
from tests.benchmarks.processes import PASS, cpu_seconds, medians, workbench

SIZES = (20, 200, 2_000)
RUN, DUE = 2.0, 1.0
GOALS = {"run_related": "Move the office of Baconder to Grajolem by 3 May", "run_unrelated": "Rent a tent by 3 May"}


def measured(sessions: int, runs: int) -> dict[str, float]:
    """Return CPU seconds by name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, sessions)
        plan = {
            of: workbench("run", goal, "--template", "procure", "--approve", "all", "--private")
            for of, goal in GOALS.items()
        }
        commands = {
            "pass": PASS,
            **plan,
            "due": workbench("due"),
            "list": workbench("sessions", "list", "--json"),
        }
        first = {f"first_{of}": cpu_seconds(commands[of], folder) for of in ("list", "due", "run_related")}
        return first | medians(commands, folder, runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="5 and 50 sessions")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    sizes = (5, 50) if options.quick else tuple(options.sizes)
    found = [measured(size, 2 if options.quick else 5) for size in sizes]
    ratios = {name: round(found[-1][name] / found[0][name], 2) for name in found[0]}
    printed(
        {
            "id": "P30",
            "sessions": sizes,
            "seconds": {name: [round(of_size[name], 3) for of_size in found] for name in found[0]},
            "last_over_first": ratios,
            "bar": {"run": RUN, "due_s": DUE},
            "ok": {**{name: ratios[name] <= RUN for name in GOALS}, "due": found[-1]["due"] <= DUE},
        }
    )


if __name__ == "__main__":
    main()
