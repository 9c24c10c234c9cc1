"""P19: whole-process time of ``workbench --help`` and ``workbench sessions list --json`` against ``python -c pass``.

The commands take turns with the baseline, so that drift of the machine's speed cancels out; medians are compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BARS = {"help": 7.0, "list": 12.0}


def seconds(command: list[str], cwd: Path) -> float:
    begun = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    runs = 5 if parser.parse_args().quick else 31
    workbench = str(Path(sys.executable).parent / "workbench")
    with tempfile.TemporaryDirectory() as folder:
        cwd = Path(folder)
        for number in range(3):
            goal = f"Paint fence {number} by May"
            subprocess.run([workbench, "run", goal, "--approve", "all"], cwd=cwd, check=True, capture_output=True)
        commands = {
            "pass": [sys.executable, "-c", "pass"],
            "help": [workbench, "--help"],
            "list": [workbench, "sessions", "list", "--json"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for run in range(runs + 1):
            for name, command in commands.items():
                taken = seconds(command, cwd)
                if run:  # the first round warms up
                    times[name].append(taken)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    ratios = {name: round(medians[name] / medians["pass"], 2) for name in BARS}
    print(
        json.dumps(
            {
                "id": "P19",
                "figures": {f"{name}_ms": round(medians[name] * 1000, 1) for name in BARS},
                "baseline": {"python_pass_ms": round(medians["pass"] * 1000, 1)},
                "ratio": ratios,
                "bar": BARS,
                "ok": all(ratios[name] <= bar for name, bar in BARS.items()),
                "runs": runs,
            }
        )
    )


if __name__ == "__main__":
    main()
