"""P28: bytes of the log, and seconds of a round, of opening, of telling and of verifying, by the number of rounds.

    python -m tests.benchmarks.p28_rounds [--quick]

A session is planned offline at 3, 30 and 300 rounds, each with feedback that adds to the plan. ``in_full`` is
what the bodies would take without copies. Bar: at most 12 times as much for 10 times as many rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from tests.benchmarks.long_sessions import printed
from workbench import Workspace
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.session.copies import in_full
from workbench.domain.session.session import SessionState
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decision

ROUNDS = (3, 30, 300)
MOST = 12.0
SHORTEST = 0.01
"""Seconds: below this a clock of processor time tells nothing, so that no ratio is taken of it."""
_THINGS = ("risks", "rollback", "cut-over", "invoices", "tests", "training", "contracts")


def feedback(number: int) -> str:
    """Return what a person says in a round."""
    thing = _THINGS[number % len(_THINGS)]
    step = 1 + number % 5
    said = (
        f"Round {number}: put the {thing} first",
        f"Rename step {step} to {thing} {number}",
        f"The {thing} of step {step} takes {1 + number % 9} days",
    )
    return said[number % len(said)]


def measured(rounds: int, folder: Path) -> dict[str, float]:
    """Return bytes and CPU seconds of a session of so many rounds."""
    options = {"checkpoint": 1, "max_iterations": 10_000}
    workspace = Workspace.open(folder, environ={**os.environ, "WORKBENCH_CONFIG": f"{folder}/none"}, options=options)
    manager = workspace.start("Move our billing to the new provider by 30 June", recall=False)
    left = [feedback(number) for number in range(rounds)]

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        if gate.kind != "checkpoint":
            return Decision(approve_all(gate) or Answer(kind="finish"), "policy")
        return Decision(Answer(kind="feedback", text=left.pop(0)), "person") if left else None

    started = time.process_time()
    asyncio.run(manager.run(decide))
    figures = {"run": time.process_time() - started}
    session = workspace.session(str(manager.session_id))
    for name, work in (
        ("open", lambda: workspace.session(session.id).state()),
        ("course", lambda: list(session.course())),
        ("verify", session.verify),
    ):
        started = time.process_time()
        work()
        figures[name] = time.process_time() - started
    figures["file"] = (workspace.folder.sessions / f"{session.id}.jsonl").stat().st_size
    figures["bodies"] = sum(len(event.body) for event in session.events())
    figures["in_full"] = sum(len(event.body) for event in in_full(session.events()))
    return {name: round(value, 3) for name, value in figures.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="without the longest session")
    sizes = ROUNDS[:-1] if parser.parse_args().quick else ROUNDS
    found = []
    for rounds in sizes:
        with tempfile.TemporaryDirectory() as folder:
            found.append(measured(rounds, Path(folder)))
    ratios = {name: [round(b[name] / max(a[name], SHORTEST), 2) for a, b in pairwise(found)] for name in found[0]}
    kept = {name: max(ratios[name]) <= MOST for name in ("file", "bodies")}
    printed({"id": "P28", "rounds": sizes, "figures": found, "ratio": ratios, "kept": kept})


if __name__ == "__main__":
    main()
