"""What stands on the screen before the workspace is opened, and what is imported for it."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.tui.acting import WIDE, finish, shown, until
from tests.tui.session_fixtures import screen_of
from workbench.bootstrap import Workspace
from workbench.tui.app import WorkbenchApp
from workbench.tui.widgets.field import Draft

IMPORTED_WHEN_PAINTED = """
import asyncio, sys
from workbench.tui.app import WorkbenchApp

async def paint():
    app = WorkbenchApp(lambda: None, session=sys.argv[1])
    app._begin = lambda: None
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        app.screen.query_one("#draft")
        print(*sys.modules)

asyncio.run(paint())
"""


HEAVY = {
    "workbench.bootstrap",
    "workbench.storage.files.log",
    "workbench.domain.loop.workflow",
    "markdown_it",
    "rapidfuzz",
}


@pytest.mark.parametrize(("session", "heavy"), [("", HEAVY | {"msgspec"}), ("launch-x7k2", HEAVY)])
def test_the_first_paint_comes_before_anything_heavy(session: str, heavy: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED_WHEN_PAINTED, session], capture_output=True, text=True, check=True, timeout=60
    )
    assert heavy.isdisjoint(done.stdout.split())


async def test_a_session_is_framed_before_its_workspace_is_open(workspace: Workspace, tmp_path: Path) -> None:
    session = await finish(workspace)
    may_open = threading.Event()

    def opened() -> Workspace:
        may_open.wait()
        return workspace

    app = WorkbenchApp(opened, session=session, user_config=tmp_path / "user" / "config.toml")
    async with app.run_test(size=WIDE) as pilot:
        try:
            await until(pilot, lambda: "F1 more" in shown(pilot))
            assert session in shown(pilot)
            assert "╭─ Plan ─" in shown(pilot)
            await pilot.press("h", "i")
            assert pilot.app.screen.query_one(Draft).text == "hi"
        finally:
            may_open.set()
        await until(pilot, lambda: screen_of(pilot).state is not None and "Plan v" in shown(pilot))
        assert pilot.app.screen.query_one(Draft).text == "hi"


@pytest.mark.full
async def test_another_theme_colours_screens_that_stand_behind(workspace: Workspace, tmp_path: Path) -> None:
    session = await finish(workspace)
    app = WorkbenchApp(lambda: workspace, user_config=tmp_path / "user" / "config.toml")
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.workspace is not None)
        before = app.screen.styles.background
        app.open_session(session)
        await until(pilot, lambda: screen_of(pilot).state is not None)
        app.choose({"theme": "paper"})
        await pilot.pause()
        assert screen_of(pilot).styles.background != before
        await pilot.press("ctrl+n")
        await until(pilot, lambda: app.current_mode == "start")
        assert app.screen.styles.background != before
