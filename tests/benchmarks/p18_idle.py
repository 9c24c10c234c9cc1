"""P18: CPU of a session that is open and idle, five others live, against an empty Textual app.

    python -m tests.benchmarks.p18_idle [--quick] [--log redis://HOST:PORT]

Each program rests in a pseudo-terminal of its own, one after the other; the time that its threads were on a processor
is read from the system before and after. The five others are open in this process: each holds its life, has joined, and
has a heartbeat. They change nothing, as sessions that wait for their person.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks.long_sessions import GOAL, printed
from tests.benchmarks.terminals import Terminal, running
from workbench.bootstrap import Workspace
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.planning.ports import Decision

BAR = 3.0
OTHERS = 5
SETTLED = 3.0
"""Seconds after which a program that was started rests."""
EMPTY_APP = """
from textual.app import App
from textual.widgets import Static

class EmptyApp(App):
    def compose(self):
        yield Static("nothing here")

EmptyApp().run()
"""


def on_cpu(terminal: Terminal) -> float:
    """Return the seconds that a program's threads have been on a processor."""
    tasks = Path(f"/proc/{terminal.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def idle_cpu(command: Sequence[str], words: Sequence[str], cwd: Path, seconds: float) -> float:
    """Start a program, let it rest, and return the CPU seconds it takes in a second of resting."""
    with running(command, cwd=cwd) as terminal:
        terminal.appeared(words)
        terminal.read_for(SETTLED)
        before, begun = on_cpu(terminal), time.perf_counter()
        terminal.read_for(seconds)
        return (on_cpu(terminal) - before) / (time.perf_counter() - begun)


async def asking(workspace: Workspace, goal: str) -> str:
    """Begin a session that waits for its person; return its id."""

    async def skip(_state: SessionState, gate: Gate) -> Decision | None:
        return Decision(Answer(kind="skip"), "person") if gate.kind == "question" else None

    manager = workspace.start(goal)
    await manager.run(skip)
    return str(manager.session_id)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--log", metavar="URL", help="where the logs are kept; by default in files")
    given = parser.parse_args()
    if given.log:
        os.environ["WORKBENCH_LOG"] = given.log
    seconds, rounds = (5.0, 1) if given.quick else (20.0, 3)
    with tempfile.TemporaryDirectory() as name, ExitStack() as live:
        folder = Path(name)
        workspace = Workspace.open(folder)
        sessions = [asyncio.run(asking(workspace, f"{GOAL} {number}")) for number in range(OTHERS + 1)]
        for session in sessions[1:]:
            coordinator = workspace.session(session).coordinator()
            coordinator.start()
            live.callback(coordinator.stop)
        arms = {
            "empty": ([sys.executable, "-c", EMPTY_APP], ["nothing here"]),
            "workbench": (
                [str(Path(sys.executable).parent / "workbench"), "open", sessions[0]],
                ["Choose an approach"],
            ),
        }
        cpu: dict[str, list[float]] = {arm: [] for arm in arms}
        for _ in range(rounds):
            for arm, (command, words) in arms.items():
                cpu[arm].append(idle_cpu(command, words, folder, seconds))
    p50 = {arm: statistics.median(taken) for arm, taken in cpu.items()}
    ratio = round(p50["workbench"] / p50["empty"], 2)
    printed(
        {
            "id": "P18",
            "figures": {"workbench_cpu_ms_per_s": round(p50["workbench"] * 1e3, 2)},
            "baseline": {"empty_cpu_ms_per_s": round(p50["empty"] * 1e3, 2)},
            "ratio": {"workbench": ratio},
            "bar": BAR,
            "ok": ratio <= BAR,
            "log": given.log or "files",
            "others": OTHERS,
            "seconds": seconds,
            "rounds": rounds,
        }
    )


if __name__ == "__main__":
    main()
