"""P26: what grows with the length of a session, or of what is beside it, at three sizes, each ten times the last.

    python -m tests.benchmarks.p26_growth [--quick] [--of KIND]

CPU seconds of one process for each size, and its peak memory. Sizes are messages; other sessions for ``audit``, shared
changes for ``shared_log`` and lines for ``import``.

    round          a person's feedback until the next checkpoint, in a session that stays open
    first_round    the first such round after the messages were brought in: everything is summarised and indexed
    resumed_round  the same in a process that opens the session again, with the index that the others kept
    search         a search in an open session after one more message
    first_search   the first search of a session; ``reopened_search``: the first one of another process
    verify         ``replay --verify``
    audit          audit of a session in a new process
    shared_log     ``shared log --limit 5`` in a new process
    import         ``remember --jsonl`` in a new process
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
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
from workbench.cli import run_command
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.planning.memory.remembering import Said
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decide, Decision

SIZES = {"audit": (10, 100, 1_000), "shared_log": (10_000, 100_000, 1_000_000), "import": (10_000, 100_000, 1_000_000)}
MESSAGES = (2_000, 20_000, 200_000)
KINDS = ("round", "search", "verify", *SIZES)
READS_EVERYTHING = 12.0
"""Most times as long for ten times as much."""
READS_A_PART = 2.0
PARTIAL = ("audit", "shared_log")
ROUND_AT_100_TIMES = 5.0
MOST_MEMORY_GROWTH = 1.2
"""Of an import, between any two sizes."""


def workspace_in(folder: Path) -> Workspace:
    return Workspace.open(folder, environ=os.environ, options={"checkpoint": 1})


def deciding(*, feedback: str = "") -> Decide:
    """Who says one thing at a checkpoint, and leaves the next one open."""
    given = [feedback] if feedback else []

    async def decide(_state: SessionState, gate: Gate) -> Decision | None:
        if gate.kind != "checkpoint":
            return Decision(approve_all(gate) or Answer(kind="finish"), "policy")
        return Decision(Answer(kind="feedback", text=given.pop()), "person") if given else None

    return decide


def begun(workspace: Workspace, messages: int) -> str:
    """Plan up to the first checkpoint, and bring in so many messages; return the session."""
    manager = workspace.start("Move our billing to the new provider by 30 June without downtime", recall=False)
    asyncio.run(manager.run(deciding()))
    talk = talk_of(messages, seed=3)
    for start in range(0, messages, 5_000):
        said = [Said(message.text) for message in talk[start : start + 5_000]]
        workspace.session(manager.session_id).remember(said)
    return str(manager.session_id)


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return round(time.process_time() - started, 4)


def round_of(workspace: Workspace, session: str, *feedback: str) -> list[float]:
    """Return the seconds of one round for each piece of feedback, opening the session among the first."""
    started, taken = time.process_time(), []
    manager = workspace.session(session).resume()
    for text in feedback:
        asyncio.run(manager.run(deciding(feedback=text)))
        taken.append(round(time.process_time() - started, 4))
        started = time.process_time()
    return taken


# --- one kind at one size: prepared in a process, measured in others --------------------------------------------------


def prepare(kind: str, count: int, folder: Path) -> str:
    """Write what is measured; return the session."""
    workspace = workspace_in(folder)
    if kind == "shared_log":
        shared = workspace.shared()
        for number in range(count):
            shared.update_context("writer-a1b2", f"key-{number % 50}", number)
        return ""
    session = begun(workspace, 100 if kind in SIZES else count)
    if kind == "audit":
        for number in range(count):
            workspace.session(session).fork(name=f"Copy {number}")
    if kind == "import":
        with (folder / "talk.jsonl").open("w") as file:
            for number in range(count):
                file.write(json.dumps({"text": f"Message {number} about the cut-over of the billing"}) + "\n")
    return session


def measure(kind: str, folder: Path, session: str) -> dict[str, float]:
    """Return seconds by name, of a process that opens the workspace."""
    workspace = workspace_in(folder)
    match kind:
        case "round":
            first, *rounds = round_of(
                workspace, session, "Put the risks first", "Name who is told", "Shorten the setup"
            )
            return {"first_round": first, "round": min(rounds)}
        case "resumed_round":
            return {kind: round_of(workspace, session, "Say who decides")[0]}
        case "search":
            first = seconds(lambda: workspace.session(session).memory().search("con der plan", 10))
            opened = workspace.session(session)
            opened.memory().search("con der plan", 10)
            opened.remember([Said("One more thing about the plan")])
            return {"first_search": first, kind: seconds(lambda: opened.memory().search("thing der grafi", 10))}
        case "reopened_search":
            return {kind: seconds(lambda: workspace.session(session).memory().search("con der plan", 10))}
        case "verify":
            return {kind: seconds(lambda: workspace.session(session).verify())}
        case "audit":
            return {kind: seconds(lambda: workspace.session(session).audit())}
        case "shared_log":
            return {kind: seconds(lambda: run_command(["shared", "log", "--limit", "5", "--workspace", str(folder)]))}
        case _:
            file = str(folder / "talk.jsonl")
            arguments = ["remember", "--workspace", str(folder), "--session", session, "--jsonl", file]
            return {kind: seconds(lambda: run_command(arguments))}


AFTERWARDS = {"round": "resumed_round", "search": "reopened_search", "audit": "audit"}
"""What is measured once more in another process; of an audit that one counts, as it finds what the first one kept."""


def in_own_process(*arguments: str) -> tuple[dict[str, float], int, str]:
    """Return the figures of a process, its peak memory in MB, and the session."""
    command = [sys.executable, "-m", "tests.benchmarks.p26_growth", "--within", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures, memory, session = json.loads(done.stdout.splitlines()[-1])
    return figures, memory, session


def figures_of(kind: str, count: int) -> tuple[dict[str, float], int]:
    """Return seconds by name at one size, and the peak memory in MB of the process that was measured first."""
    with tempfile.TemporaryDirectory() as folder:
        session = in_own_process("prepare", kind, str(count), folder)[2]
        figures, memory, _ = in_own_process("measure", kind, session, folder)
        if kind in AFTERWARDS:
            figures |= in_own_process("measure", AFTERWARDS[kind], session, folder)[0]
    return figures, memory


def run_within(what: str, kind: str, value: str, folder: str) -> None:
    """Do one part in this process, and print its figures."""
    os.environ["WORKBENCH_CONFIG"] = f"{folder}/none"  # one person's, so that caches keep their seal
    session = prepare(kind, int(value), Path(folder)) if what == "prepare" else ""
    figures = measure(kind, Path(folder), value) if what == "measure" else {}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(json.dumps([figures, memory, session]) + "\n")


def is_kept(name: str, ratios: list[float], memory: list[int]) -> bool:
    """Tell whether what has been measured under a name keeps its bar."""
    if name in ("round", "resumed_round"):
        return ratios[0] * ratios[1] <= ROUND_AT_100_TIMES
    if name == "import" and max(later / earlier for earlier, later in pairwise(memory)) > MOST_MEMORY_GROWTH:
        return False
    return max(ratios) <= (READS_A_PART if name in PARTIAL else READS_EVERYTHING)


def main() -> None:
    """Measure, each in processes of its own, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the sizes")
    parser.add_argument("--of", choices=KINDS, help="only this")
    parser.add_argument("--within", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.within:
        run_within(*options.within)
        return
    sizes = {
        kind: tuple(max(size // 100, 1) if options.quick else size for size in SIZES.get(kind, MESSAGES))
        for kind in ((options.of,) if options.of else KINDS)
    }
    by_name: dict[str, list[float]] = {}
    memory: dict[str, list[int]] = {}
    for kind, of_kind in sizes.items():
        for size in of_kind:
            figures, most = figures_of(kind, size)
            memory.setdefault(kind, []).append(most)
            for name, value in figures.items():
                by_name.setdefault(name, []).append(value)
    ratios = {name: [round(later / earlier, 2) for earlier, later in pairwise(of)] for name, of in by_name.items()}
    printed(
        {
            "id": "P26",
            "sizes": sizes,
            "seconds": by_name,
            "memory_mb": memory,
            "ratio": ratios,
            "kept": {name: is_kept(name, of, memory.get(name, [])) for name, of in ratios.items()},
        }
    )


if __name__ == "__main__":
    main()
