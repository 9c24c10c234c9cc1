"""P17: CPU of a plan of 5,000 tokens that streams in at 200 tokens a second, against Textual's MarkdownStream.

    python -m tests.benchmarks.p17_streaming [--quick]

Each arm is a process in a pseudo-terminal of its own, and its own CPU time is compared, from the first piece to the
last one's paint. ``plan`` is the workbench at work: a model streams the planner's reply (JSON, in as many pieces)
through manager, driver and painter into the pane, which shows a section when it is complete; ``transcript`` is the same
with the transcript in front, which shows the reply as it arrives. The baseline appends the same plan's Markdown to a
Markdown widget through ``MarkdownStream``. The plan is the product's own, its sections repeated until it is long.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
from tests.benchmarks.long_sessions import GOAL, printed, written_by_the_product
from tests.benchmarks.terminals import running
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Markdown
from workbench.bootstrap import Workspace
from workbench.domain.loop.asking.tasks import PlanReply, PlanTask
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.plan import Amendment, Plan
from workbench.domain.session.session import SessionState
from workbench.models.ports import Part, Request, TextDelta
from workbench.models.tokens import estimate_tokens
from workbench.planning.ports import Decision
from workbench.tui.app import WorkbenchApp
from workbench.tui.session.screen import SessionScreen

BAR = 0.5
RATE = 200
"""Pieces a second."""
PAINTED = 0.3
"""Seconds after the last piece in which it is painted."""
_GO_ON = "\x12"
"""Ctrl+R: a session that is opened in the middle of its work waits for it."""
ROOT = Path(__file__).parents[2]


# --- what is streamed -------------------------------------------------------------------------------------------------


def long_plan(folder: Path, tokens: int) -> Plan:
    """Return a plan of about so many tokens: the first one that the product writes, its sections again and again."""
    replies = (json.loads(bytes(event.body)).get("text", "") for event in written_by_the_product(folder))
    reply = msgspec.json.decode(next(text for text in replies if '"amendments"' in text), type=PlanReply)
    written = [amendment.section for amendment in reply.amendments]
    plan, number = Plan(title=reply.title), 0
    while estimate_tokens(to_markdown(plan)) < tokens:
        turn, place = divmod(number, len(written))
        section = written[place]
        again = msgspec.structs.replace(section, id=f"{section.id}-{turn}", title=f"{section.title} ({turn + 1})")
        plan = msgspec.structs.replace(plan, sections=(*plan.sections, again))
        number += 1
    return plan


def reply_of(plan: Plan) -> str:
    """Return the planner's reply that writes a plan."""
    amendments = tuple(Amendment(section=section) for section in plan.sections)
    return msgspec.json.encode(PlanReply(title=plan.title, amendments=amendments)).decode()


async def paced(text: str, count: int) -> AsyncIterator[str]:
    """Yield a text in so many pieces, at the rate of a model."""
    begun = time.perf_counter()
    for number in range(count):
        await asyncio.sleep(max(begun + number / RATE - time.perf_counter(), 0))
        yield text[number * len(text) // count : (number + 1) * len(text) // count]


# --- the arms, each in a process of its own ---------------------------------------------------------------------------


def reported(file: Path, cpu: float) -> None:
    """Tell the CPU seconds that were taken, and end."""
    file.write_text(str(cpu))
    os._exit(0)


class MarkdownApp(App[None]):
    """Textual's own way."""

    def __init__(self, file: Path, plan: Plan, count: int) -> None:
        super().__init__()
        self._file, self._markdown, self._count = file, to_markdown(plan), count

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).anchor()
        self.call_after_refresh(lambda: self.run_worker(self._stream()))

    async def _stream(self) -> None:
        begun = time.process_time()
        stream = Markdown.get_stream(self.query_one(Markdown))
        async for piece in paced(self._markdown, self._count):
            await stream.write(piece)
        await stream.stop()
        await asyncio.sleep(PAINTED)
        reported(self._file, time.process_time() - begun)


class StreamingModel:
    """Streams a plan, and tells what the application spent on it."""

    name = "streaming"
    window = 100_000

    def __init__(self, file: Path, plan: Plan, count: int, view: str) -> None:
        self._file, self._reply, self._count, self._view = file, reply_of(plan), count, view
        self.app: WorkbenchApp | None = None

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        if not isinstance(request.task, PlanTask) or self.app is None:
            raise AssertionError(request.task)
        self.app.call_from_thread(self._look)
        begun = time.process_time()
        async for piece in paced(self._reply, self._count):
            yield TextDelta(piece)
        await asyncio.sleep(PAINTED)
        reported(self._file, time.process_time() - begun)

    def _look(self) -> None:
        if self.app is not None and isinstance(self.app.screen, SessionScreen):
            self.app.screen.view = self._view


async def at_the_plan(workspace: Workspace) -> str:
    """Begin a session and choose an approach; return its id. What comes next is the plan."""

    async def skip(_state: SessionState, gate: Gate) -> Decision | None:
        return Decision(Answer(kind="skip"), "person") if gate.kind == "question" else None

    manager = workspace.start(GOAL)
    await manager.run(skip)
    gate = manager.state.gate
    if gate is None:
        raise AssertionError(manager.state)
    await manager.answer(gate, Answer(kind="choose", choice=gate.options[0]))
    return str(manager.session_id)


def run_arm(name: str, folder: Path, count: int) -> None:
    """Be one arm: stream, report, end."""
    plan = msgspec.json.decode((folder / "plan.json").read_bytes(), type=Plan)
    if name == "markdown":
        MarkdownApp(folder / name, plan, count).run()
        return
    workspace = Workspace.open(folder / f"workspace-{name}")
    session = asyncio.run(at_the_plan(workspace))
    model = StreamingModel(folder / name, plan, count, name)
    workspace.parts.models._open = lambda _model: model
    model.app = WorkbenchApp(lambda: workspace, session=session)
    model.app.run()


# --- the comparison ---------------------------------------------------------------------------------------------------


def cpu_of(name: str, folder: Path, count: int) -> float:
    """Run an arm in a terminal and return the CPU seconds that it reports."""
    (folder / f"workspace-{name}").mkdir(exist_ok=True)
    arm = [sys.executable, "-m", "tests.benchmarks.p17_streaming", "--arm", name, str(folder), "--count", str(count)]
    with running(["env", f"PYTHONPATH={ROOT}", *arm], cwd=folder) as terminal:
        if name != "markdown":
            terminal.appeared(["goes on"])
            terminal.press(_GO_ON)
        terminal.ended()
    return float((folder / name).read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--arm", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.arm:
        run_arm(given.arm[0], Path(given.arm[1]), given.count)
        return
    tokens = 500 if given.quick else 5_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = long_plan(folder, tokens)
        (folder / "plan.json").write_bytes(msgspec.json.encode(plan))
        cpu = {arm: cpu_of(arm, folder, tokens) for arm in ("markdown", "plan", "transcript")}
    ratio = {arm: round(cpu[arm] / cpu["markdown"], 3) for arm in ("plan", "transcript")}
    printed(
        {
            "id": "P17",
            "figures": {f"{arm}_cpu_s": round(cpu[arm], 2) for arm in ratio},
            "baseline": {"markdown_stream_cpu_s": round(cpu["markdown"], 2)},
            "ratio": ratio | {"harlequin": "n/a"},
            "bar": BAR,
            "ok": max(ratio.values()) <= BAR,
            "tokens": tokens,
            "seconds": tokens / RATE,
        }
    )


if __name__ == "__main__":
    main()
