"""P32: what a plan of 30, 300, 3,000 and 5,000 steps takes to be read, changed and shown.

    python -m tests.benchmarks.p32_plan_sizes [--quick] [--sizes N …]

CPU seconds of whole processes. The steps come from a table, each with an owner, a length and one that it needs; the
first one is given a day, so that all have dates. Bars: ``plan`` of 3,000 in 3 s; 12 times for ten times as much.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import pairwise
from pathlib import Path

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.processes import PASS, cpu_seconds, medians, workbench

SIZES = (30, 300, 3_000, 5_000)
PLAN, MOST = 3.0, 12.0


def table(steps: int) -> str:
    """Return the steps as CSV."""
    rows = [f"{n},Do part {n} of the work,Anna,{1 + n % 4}d,{n - 7 if n > 7 else ''}" for n in range(1, steps + 1)]
    return "\n".join(["ID,Task,Owner,Duration,Depends on", *rows, ""])


def measured(steps: int, runs: int) -> dict[str, float]:
    """Return CPU seconds by name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plan.csv").write_text(table(steps))
        begin = workbench("run", "Do the work", "--proposal", "plan.csv", "--approve", "all", "--no-recall")
        found = {"run": cpu_seconds(begin, folder)}
        (session,) = (path.stem for path in (folder / ".workbench" / "sessions").iterdir())
        found["first_day"] = cpu_seconds(workbench("edit", session, "S1 not before 4 January 2027", "--yes"), folder)
        found["edit"] = cpu_seconds(workbench("edit", session, "S5 takes 6d", "--yes"), folder)
        commands = {
            "pass": PASS,
            "plan": workbench("plan", session),
            "show": workbench("sessions", "show", session),
        }
        return found | medians(commands, folder, runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="30 and 300 steps")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    sizes = SIZES[:2] if options.quick else tuple(options.sizes)
    found = {size: measured(size, 1 if options.quick else 3) for size in sizes}
    seconds = {name: [round(of_size[name], 3) for of_size in found.values()] for name in found[sizes[0]]}
    ratios = {name: [round(b / a, 2) for a, b in pairwise(of)] for name, of in seconds.items()}
    printed(
        {
            "id": "P32",
            "steps": sizes,
            "seconds": seconds,
            "ratio": ratios,
            "bar": {"plan_s_at_3000": PLAN, "ratio": MOST},
            "ok": all(found[size]["plan"] <= PLAN for size in sizes if size <= 3_000)
            and all(max(of) <= MOST for of in ratios.values()),
        }
    )


if __name__ == "__main__":
    main()
