"""P19: CPU of whole processes of the workbench's commands against ``python -c pass``.

    python -m tests.benchmarks.p19_command [--quick]

The commands take turns with the baseline; medians are compared. There are three sessions, and private ones that ``run``
adds, so that none has words of its goal: p30_beside_sessions.py measures it beside sessions that have.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.processes import PASS, cpu_seconds, medians, workbench

BARS = {"version": 6.0, "help": 7.0, "list": 12.0, "read": 8.0, "due": 15.0, "show": 20.0, "run": 30.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    runs = 5 if parser.parse_args().quick else 21
    with tempfile.TemporaryDirectory() as folder:
        cwd = Path(folder)
        for number in range(3):
            cpu_seconds(workbench("run", f"Paint fence {number} by May", "--approve", "all"), cwd)
        session = min(path.stem for path in (cwd / ".workbench" / "sessions").iterdir())
        commands = {
            "pass": PASS,
            "version": workbench("--version"),
            "help": workbench("--help"),
            "list": workbench("sessions", "list", "--json"),
            "read": workbench("read", "Two weeks after Easter for at most 300 EUR"),
            "due": workbench("due"),
            "show": workbench("sessions", "show", session),
            "run": workbench("run", "Rent a hall", "--approve", "all", "--private"),
        }
        found = medians(commands, cwd, runs)
    ratios = {name: round(found[name] / found["pass"], 2) for name in BARS}
    printed(
        {
            "id": "P19",
            "figures": {f"{name}_ms": round(found[name] * 1000, 1) for name in BARS},
            "baseline": {"python_pass_ms": round(found["pass"] * 1000, 1)},
            "ratio": ratios,
            "bar": BARS,
            "ok": {name: ratios[name] <= bar for name, bar in BARS.items()},
            "runs": runs,
        }
    )


if __name__ == "__main__":
    main()
