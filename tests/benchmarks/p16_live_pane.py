"""P16: a session open in the application while another process shares 10,000 changes a second for four seconds.

    python -m tests.benchmarks.p16_live_pane [--quick] [--log redis://HOST:PORT]

    writer (this process) ─▶ shared stream ─▶ the application, in a pseudo-terminal of its own ─▶ its own figures

Counted are the changes that are shown and those that are said not to be: together they are all there were. Measured in
the application itself are its CPU seconds, threads and all, and how late its event loop is for a sleep of 10 ms, from
the first change to the last one's paint. The writer appends portions, twenty a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.benchmarks.long_sessions import GOAL, printed
from tests.benchmarks.terminals import running
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import StaleHead
from workbench.domain.log.envelope import Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.shared import events as say
from workbench.sharing.shared_context import STREAM
from workbench.tui.app import WorkbenchApp
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.main_pane import MainPane

BAR_LAG_MS, BAR_CORE = 100.0, 0.25
RATE, PORTIONS = 10_000, 20
"""Changes, and appends, a second."""
NAP = 0.01
PAINTED = 0.3
"""Seconds after the last change in which it is painted."""
ROOT = Path(__file__).parents[2]
OTHER = SessionId("infra-7k3p")


# --- the application, in a process of its own -------------------------------------------------------------------------


class Measuring:
    """Says what the changes cost once the last of them was painted, and ends the application."""

    def __init__(self, app: WorkbenchApp, folder: Path, last: int) -> None:
        self._app, self._folder, self._last = app, folder, last

    async def __call__(self, pilot: Pilot[str]) -> None:
        await self._until(lambda: isinstance(self._app.screen, SessionScreen) and self._app.screen.state is not None)
        await pilot.press("f5")
        await self._until(lambda: len(self._pane.rows) > 1)
        await asyncio.sleep(1)
        before = self._seen()
        (self._folder / "ready").touch()
        await self._until(lambda: self._seen() != before)
        cpu, wall = time.process_time(), time.perf_counter()
        late = await self._until(lambda: self._seen() >= self._last)
        await asyncio.sleep(PAINTED)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        self._report(core=cpu / wall, late=late)

    async def _until(self, holds: Callable[[], bool]) -> list[float]:
        """Look again and again; return how late each look was."""
        late = []
        while not holds():
            asleep = time.perf_counter()
            await asyncio.sleep(NAP)
            late.append(time.perf_counter() - asleep - NAP)
        return late

    @property
    def _pane(self) -> MainPane:
        return self._app.screen.query_one(MainPane)

    def _seen(self) -> int:
        return self._app.sharing.newest if self._app.sharing is not None else 0

    def _report(self, *, core: float, late: list[float]) -> None:
        rows, sharing = self._pane.rows, self._app.sharing
        keys = [row.key for row in rows if row.key]
        figures = {
            "core": core,
            "lag_p50_ms": statistics.median(late) * 1e3,
            "lag_p99_ms": statistics.quantiles(late, n=100)[-1] * 1e3,
            "kept": len(sharing.seen().changes) if sharing is not None else 0,
            "not_shown": sharing.seen().not_shown if sharing is not None else 0,
            "says": next((line.plain for row in rows for line in row.lines if "not shown" in line.plain), ""),
            "newest": keys[-1],
        }
        (self._folder / "figures").write_text(json.dumps(figures))
        os._exit(0)


# --- the writer -------------------------------------------------------------------------------------------------------


def burst(workspace: Workspace, seconds: int) -> None:
    """Append changes of a few keys at the rate that is measured."""
    log = workspace.backend.shared_log()
    turn = Turn(session=OTHER, person="bench", workspace="bench")
    seq, portion = log.head(STREAM).seq, RATE // PORTIONS
    begun = time.perf_counter()
    for number in range(seconds * PORTIONS):
        drafts = [
            say.draft(
                say.KeySet(key=f"step-{at % 20}", value=f"part {number}", base_version=0, version=1, rule="unchanged"),
                turn,
                actor="bench",
                time="2026-11-22T08:00:00.000000Z",
            )
            for at in range(portion)
        ]
        while True:
            try:
                seq = log.append(STREAM, drafts, expected=seq)[-1].seq
                break
            except StaleHead:  # the application said something of its own
                seq = log.head(STREAM).seq
        time.sleep(max(begun + (number + 1) / PORTIONS - time.perf_counter(), 0))


def measured(folder: Path, seconds: int) -> dict[str, Any]:
    """Let an application show a burst; return what it reports."""
    workspace = Workspace.open(folder)
    session = str(workspace.start(GOAL).session_id)
    workspace.shared().update_context(OTHER, "phase", "build")
    arm = [sys.executable, "-m", "tests.benchmarks.p16_live_pane", "--arm", session, str(folder), str(seconds)]
    with running(["env", f"PYTHONPATH={ROOT}", *arm], cwd=folder) as terminal:
        while not (folder / "ready").exists():
            terminal.quiet(NAP)
        writer = get_context("fork").Process(target=burst, args=(workspace, seconds))
        writer.start()
        terminal.ended()
        writer.join()
    if writer.exitcode:
        raise RuntimeError("The writer failed; what it printed stands above.")
    return json.loads((folder / "figures").read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--log", metavar="URL", help="where the logs are kept; by default in files")
    parser.add_argument("--arm", nargs=3, metavar=("SESSION", "FOLDER", "SECONDS"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.arm:
        session, folder, seconds = given.arm
        workspace = Workspace.open(folder)
        app = WorkbenchApp(lambda: workspace, session=session)
        app.run(auto_pilot=Measuring(app, Path(folder), int(seconds) * RATE))
        return
    if given.log:
        os.environ["WORKBENCH_LOG"] = given.log
    seconds = 1 if given.quick else 4
    with tempfile.TemporaryDirectory() as name:
        found = measured(Path(name), seconds)
    changes = seconds * RATE
    is_said = f"+{found['not_shown']:,} not shown" in found["says"]
    all_counted = is_said and found["kept"] + found["not_shown"] >= changes
    printed(
        {
            "id": "P16",
            "figures": {
                "core": round(found["core"], 3),
                "lag_p50_ms": round(found["lag_p50_ms"], 1),
                "lag_p99_ms": round(found["lag_p99_ms"], 1),
                "kept_to_be_shown": found["kept"],
                "not_shown": found["not_shown"],
            },
            "bar": {"core": BAR_CORE, "lag_p99_ms": BAR_LAG_MS},
            "ok": all_counted and found["core"] <= BAR_CORE and found["lag_p99_ms"] <= BAR_LAG_MS,
            "all_shown_or_counted": all_counted,
            "log": given.log or "files",
            "changes": changes,
            "seconds": seconds,
        }
    )


if __name__ == "__main__":
    main()
