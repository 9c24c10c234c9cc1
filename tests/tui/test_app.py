"""Starting, leaving, failing: what the application does before and after everything else."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.tui.acting import WIDE, RunApp, finish, shown, until
from tests.tui.session_fixtures import screen_of
from textual.worker import WorkerFailed
from workbench.bootstrap import Workspace
from workbench.cli import run_command
from workbench.domain.errors import LogUnavailable
from workbench.tui.app import WorkbenchApp
from workbench.tui.widgets.field import Draft


async def test_a_session_that_does_not_exist_ends_it_with_a_reason(workspace: Workspace) -> None:
    app = WorkbenchApp(lambda: workspace, session="no-such-session")
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.failure is not None)
    assert "no-such-session" in str(app.failure)
    assert app.return_code == 2


async def test_a_workspace_that_cannot_be_opened_ends_it_with_a_reason() -> None:
    def refuse() -> Workspace:
        raise LogUnavailable("The folder cannot be written.", "Choose another one.")

    app = WorkbenchApp(refuse)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.failure is not None)
    assert app.return_code == 1


async def test_a_defect_is_kept_for_the_report(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(_goal: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(workspace, "start", break_down)
    app = WorkbenchApp(lambda: workspace)

    async def begin() -> None:
        async with app.run_test() as pilot:
            await until(pilot, lambda: app.workspace is not None)
            await pilot.press(*"Paint", "enter")
            await until(pilot, lambda: app.crash is not None)

    with pytest.raises(WorkerFailed):
        await begin()
    assert isinstance(app.crash, ZeroDivisionError)


def test_without_a_terminal_it_says_what_can_be_done(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command([]) == 0
    assert "workbench run" in capsys.readouterr().out
    assert run_command(["open"]) == 2
    assert "needs a terminal" in capsys.readouterr().err


async def test_a_goal_that_cannot_be_planned_says_why_and_is_kept(run_app: RunApp) -> None:
    async with run_app() as pilot:
        pilot.app.screen.query_one(Draft).text = "x" * 100_001
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.query_one("#problem").size.height)
        assert pilot.app.screen.query_one(Draft).text == "x" * 100_001


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


HEAVY_OF_FIRST_PAINT = {
    "pydantic",
    "openai",
    "anthropic",
    "numpy",
    "tomlkit",
    "workbench.bootstrap",
    "workbench.storage.files.log",
    "workbench.domain.loop.workflow",
    "markdown_it",
    "rapidfuzz",
}


@pytest.mark.parametrize(
    ("session", "heavy"), [("", HEAVY_OF_FIRST_PAINT | {"msgspec"}), ("launch-x7k2", HEAVY_OF_FIRST_PAINT)]
)
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
            await pilot.press("h", "i")  # nothing is known that they could be for
            assert pilot.app.screen.query_one(Draft).text == ""
        finally:
            may_open.set()
        await until(pilot, lambda: screen_of(pilot).state is not None and "Plan v" in shown(pilot))
        assert pilot.app.screen.query_one(Draft).text == ""
