"""P1: first paint of ``workbench`` in a workspace of 200 sessions, against an empty Textual app.

    python -m tests.benchmarks.p01_first_paint [--quick] [--harlequin PROGRAM]

Every program is started in a pseudo-terminal of its own, in turns, and ended as soon as what is waited for stands on
its screen: the frame, the pane in the middle, the input and the line at the bottom. ``start`` is ``workbench`` alone
(what do you want to plan?), ``open_frame`` is the first paint of ``workbench open ID``, and ``open_plan`` is when the
plan stands in that frame too. Medians of wall time are compared, and medians of CPU time, which other programs on the
machine disturb less.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.long_sessions import draft_of, printed, written_by_the_product
from tests.benchmarks.terminals import running
from workbench.bootstrap import Workspace

BAR = 2.5
EMPTY_APP = """
from textual.app import App
from textual.widgets import Static

class EmptyApp(App):
    def compose(self):
        yield Static("nothing here")

EmptyApp().run()
"""


@dataclass(frozen=True)
class Arm:
    """A program, and what stands on its screen after its first paint."""

    command: Sequence[str]
    words: Sequence[str]

    def started(self, cwd: Path) -> tuple[float, float]:
        """Start it once; return wall and CPU seconds until its first paint."""
        with running(self.command, cwd=cwd) as terminal:
            painted = terminal.appeared(self.words) - terminal.begun
            return painted, terminal.end()


def workspace_of(folder: Path, count: int) -> str:
    """Make a workspace of so many sessions; return the id of the one that was changed last."""
    events = written_by_the_product(folder)
    workspace = Workspace.open(folder)
    for number in range(count - 1):
        session = f"session-{number}"
        workspace.log.append(session, [draft_of(event, session) for event in events], expected=0)
    return workspace.sessions()[0].session


def arms(session: str, harlequin: str | None) -> dict[str, Arm]:
    """Return what is compared, by name."""
    workbench = str(Path(sys.executable).parent / "workbench")
    compared = {
        "empty": Arm([sys.executable, "-c", EMPTY_APP], ["nothing here"]),
        "start": Arm([workbench], ["What do you want to plan?", "╭", "e.g. Move", "F1 more"]),
        "open_frame": Arm([workbench, "open", session], ["╭─ Plan", "›", "F1 more"]),
        "open_plan": Arm([workbench, "open", session], ["╭─ 1 Plan v", " who ", "Goal"]),
    }
    if harlequin is not None:
        words = ["Data Catalog", "Query Results", "Run Query"]
        compared["harlequin"] = Arm([harlequin, "--locale", "C", "--no-write-history"], words)
    return compared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--harlequin", metavar="PROGRAM", help="harlequin, installed in an environment of its own")
    given = parser.parse_args()
    sessions, runs = (20, 3) if given.quick else (200, 15)
    harlequin = given.harlequin and shutil.which(given.harlequin)
    with tempfile.TemporaryDirectory() as folder:
        compared = arms(workspace_of(Path(folder), sessions), harlequin)
        for arm in compared.values():
            arm.started(Path(folder))  # warms the caches
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in compared}
        for _ in range(runs):
            for name, arm in compared.items():
                times[name].append(arm.started(Path(folder)))
    wall = {name: statistics.median(one[0] for one in taken) for name, taken in times.items()}
    cpu = {name: statistics.median(one[1] for one in taken) for name, taken in times.items()}
    ratio = {name: round(seconds / wall["empty"], 2) for name, seconds in wall.items() if name != "empty"}
    printed(
        {
            "id": "P1",
            "figures": {f"{name}_ms": round(wall[name] * 1e3) for name in ratio}
            | {f"{name}_cpu_ms": round(cpu[name] * 1e3) for name in ratio},
            "baseline": {"empty_ms": round(wall["empty"] * 1e3), "empty_cpu_ms": round(cpu["empty"] * 1e3)},
            "ratio": ratio if harlequin else ratio | {"harlequin": "n/a"},
            "cpu_ratio": {name: round(cpu[name] / cpu["empty"], 2) for name in ratio},
            "bar": BAR,
            "ok": max(ratio["start"], ratio["open_frame"]) <= BAR,
            "sessions": sessions,
            "runs": runs,
        }
    )


if __name__ == "__main__":
    main()
