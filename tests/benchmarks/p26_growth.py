"""P26: what grows with the length of a session, or of what is beside it, at three lengths, each ten times the other.

    python -m tests.benchmarks.p26_growth [--quick]

CPU seconds of one process for each length, and the most memory it took. ``round``: a person's feedback until the next
checkpoint, in a session that stays open and had a round since messages were brought in; ``first_round`` is that one.
``resumed_round`` is one that opens the session again, as a new process does.
``recall`` is a search in an open session after one more message, ``first_recall`` the first one of a process.
``verify`` executes the session again. ``audit`` is of a short session beside one of this length, which it
does not quote: what is quoted is read to be compared. ``shared_log`` tells the last five of so many shared changes in
a new process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from tests.benchmarks.large_scopes import talk_of
from tests.benchmarks.long_sessions import printed
from workbench import Workspace
from workbench.domain.loop.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decide, Decision
from workbench.planning.remembering import Said

KINDS = ("round", "recall", "verify", "audit", "shared_log")
WHOLE = ("first_round", "resumed_round", "first_recall", "verify")
"""What has to read everything: 12 times as long for ten times as much; 5 times for a round at 100 times; else 2."""


def workspace_in(folder: Path) -> Workspace:
    return Workspace.open(folder, environ={"WORKBENCH_CONFIG": f"{folder}/none"}, options={"checkpoint": 1})


def deciding(*, feedback: str = "") -> Decide:
    """Who says one thing at a checkpoint, and leaves the next one open."""
    given = [feedback] if feedback else []

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        if gate.kind != "checkpoint":
            return Decision(approve_all(gate) or Answer(kind="finish"), "policy")
        return Decision(Answer(kind="feedback", text=given.pop()), "person") if given else None

    return decide


def begun(workspace: Workspace, messages: int, *, recall: bool = True) -> str:
    """Plan up to the first checkpoint, and bring in so many messages; return the session."""
    manager = workspace.start("Move our billing to the new provider by 30 June without downtime", recall=recall)
    asyncio.run(manager.run(deciding()))
    said = talk_of(messages, seed=3)
    for start in range(0, messages, 5_000):
        workspace.session(manager.session_id).remember([Said(one.text) for one in said[start : start + 5_000]])
    return str(manager.session_id)


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return round(time.process_time() - started, 4)


def measured(kind: str, count: int, folder: Path) -> dict[str, float]:
    """Return seconds by name, at one length."""
    workspace = workspace_in(folder)
    if kind == "shared_log":
        shared = workspace.shared()
        for number in range(count):
            shared.update_context("writer-a1b2", f"key-{number % 50}", number)
        tail = workspace_in(folder).shared()
        return {kind: seconds(lambda: list(tail.events(after=tail.state().seq - 5)))}
    session = workspace.session(begun(workspace, count))
    if kind == "audit":
        short = workspace.session(begun(workspace, 100, recall=False))
        short.audit()
        return {kind: seconds(short.audit)}
    if kind == "verify":
        return {kind: seconds(session.verify)}
    if kind == "recall":
        first = seconds(lambda: session.memory().search("con der plan", 10))
        session.remember([Said("One more thing about the plan")])
        return {"first_recall": first, kind: seconds(lambda: session.memory().search("thing der grafi", 10))}
    manager = session.resume()
    rounds = [
        seconds(lambda text=text: asyncio.run(manager.run(deciding(feedback=text))))
        for text in ("Put the risks first", "Name who is told", "Shorten the preparation")
    ]
    resumed = seconds(lambda: asyncio.run(session.resume().run(deciding(feedback="Say who decides"))))
    return {"first_round": rounds[0], kind: min(rounds[1:]), "resumed_round": resumed}


def main() -> None:
    """Measure, each in a process of its own, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the lengths")
    parser.add_argument("--of", nargs=2, metavar=("KIND", "COUNT"), help="one figure, in this process")
    options = parser.parse_args()
    if options.of:
        with tempfile.TemporaryDirectory() as folder:
            figures = measured(options.of[0], int(options.of[1]), Path(folder))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        sys.stdout.write(json.dumps([figures, most]) + "\n")
        return
    sizes = (20, 200, 2_000) if options.quick else (2_000, 20_000, 200_000)
    by_name: dict[str, list[float]] = {}
    memory: dict[str, list[int]] = {}
    for kind in KINDS:
        for size in sizes:
            command = [sys.executable, "-m", "tests.benchmarks.p26_growth", "--of", kind, str(size)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            figures, most = json.loads(done.stdout)
            memory.setdefault(kind, []).append(most)
            for name, value in figures.items():
                by_name.setdefault(name, []).append(value)
    ratios = {name: [round(b / a, 2) for a, b in pairwise(of)] for name, of in by_name.items()}
    growth = by_name["round"][2] / by_name["round"][0]
    is_kept = [max(of) <= (12 if name in WHOLE else 2) for name, of in ratios.items() if name != "round"]
    printed(
        {
            "id": "P26",
            "lengths": sizes,
            "seconds": by_name,
            "memory_mb": memory,
            "ratio": ratios,
            "round_at_100_times": round(growth, 2),
            "ok": all(is_kept) and growth <= 5,
        }
    )


if __name__ == "__main__":
    main()
