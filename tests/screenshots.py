"""Make the pictures of README anew, from the saved sessions in ``sessions/``: ``python -m tests.screenshots``.

    sessions/*.jsonl, up to a moment ─▶ a workspace ─▶ the application, by keys ─▶ docs/images/checkpoint.svg
    a plan of two versions ─▶ its review ────────────────────────────────────────▶ docs/images/review.svg
    sessions/*.jsonl ─▶ ^O in the application ───────────────────────────────────▶ docs/images/difference.svg

A session's file is only ever appended to, so its first lines are the session as it stood then. Nothing runs: the same
product makes the same bytes. A picture refers to nothing outside itself.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.conftest import leave_out_settings
from tests.pictures import plain
from tests.tui.acting import WIDE, pressing, until
from tests.tui.session_fixtures import calm, review
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.bootstrap.reviews import review_of
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.session.session import SessionState, fold
from workbench.planning.beside_the_loop.reviewing import decide, deliver, submit, write_notes
from workbench.storage.files.session_file import read_session_file
from workbench.tui.app import WorkbenchApp

ROOT = Path(__file__).parent.parent
SESSIONS = ROOT / "sessions"
FOLDER = ROOT / "docs" / "images"

REVIEWED = (
    "# Move the billing\n\n## Copy\n- Copy the data\n- Test the copy\n\n## Switch\n- Switch over\n- Tell everybody\n"
)
_IDS = re.compile(r"\bterminal-\d+-")


async def make(folder: Path) -> None:
    """Write the pictures into a folder."""
    with tempfile.TemporaryDirectory() as place:
        workspace = as_it_stood(Path(place))
        async with opened(workspace, session="move-billing-provider-demo") as pilot:
            await calm(pilot)
            await review(pilot)
            await calm(pilot)
            write(pilot, folder / "checkpoint.svg")
    with tempfile.TemporaryDirectory() as place:
        async with opened(Workspace.open(place, environ={})) as pilot:
            await pressing("f5", shows="SAMPLE")(pilot)
            await calm(pilot)
            await pressing("ctrl+l", "2", shows="2 Findings")(pilot)
            await pressing("left_square_bracket", shows="Changes v1 → v2")(pilot)
            await calm(pilot)
            write(pilot, folder / "difference.svg")
    with tempfile.TemporaryDirectory() as place:
        workspace = Workspace.open(place, environ={})
        log = review_of(workspace, "claude:1", "claude", REVIEWED)
        submit(log, REVIEWED, "claude", waits=True)
        write_notes(log, 1, [(4, 4, "Which data? The drafts are old.")])
        deliver(log, decide(log, 1, "sent back").version)
        submit(log, REVIEWED.replace("the data", "all data but the drafts") + "- Celebrate\n", "claude", waits=True)
        write_notes(log, 2, [(7, 9, "Say who does what, please.")])
        async with opened(workspace, session=str(log.session)) as pilot:
            await until(pilot, lambda: "Say who does what" in pilot.app.export_screenshot().replace("&#160;", " "))
            await pilot.pause()
            write(pilot, folder / "review.svg")


def as_it_stood(place: Path) -> Workspace:
    """Return a workspace with a session at its second checkpoint, one that asks for an approach, and a finished one."""
    workspace = Workspace.open(place, environ={})
    moments: dict[str, Callable[[SessionState, Gate], bool]] = {
        "move-billing-provider-demo": lambda state, gate: gate.kind == "checkpoint" and len(state.iterations) > 1,
        "organise-wedding-80-demo": lambda _state, gate: gate.kind == "approach",
        "write-field-guide-demo": lambda _state, _gate: False,
    }
    for name, is_moment in moments.items():
        sample = SESSIONS / f"{name}.jsonl"
        file = place / ".workbench" / "sessions" / sample.name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"".join(sample.read_bytes().splitlines(keepends=True)[: _lines_until(sample, is_moment)]))
        file.chmod(0o600)
    return workspace


def _lines_until(sample: Path, is_moment: Callable[[SessionState, Gate], bool]) -> int | None:
    """Return how many lines, the one about the file too, tell a session up to a moment; None where it never comes."""
    state: SessionState | None = None
    for event in read_session_file(sample):
        state = fold([event], state)
        if state.gate is not None and is_moment(state, state.gate):
            return event.seq + 1
    return None


@asynccontextmanager
async def opened(workspace: Workspace, *, session: str = "") -> AsyncIterator[Pilot[Any]]:
    """Run the application over a workspace."""
    app = WorkbenchApp(lambda: workspace, session=session)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.workspace is not None and (not session or session == app.last_session))
        yield pilot


def write(pilot: Pilot[Any], file: Path) -> None:
    """Write what is seen, without an id of the moment."""
    svg = _IDS.sub("terminal-", plain(pilot.app.export_screenshot(title="workbench", simplify=True)))
    file.write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        leave_out_settings(folder)
        asyncio.run(make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
