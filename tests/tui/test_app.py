"""Starting, leaving, failing: what the application does before and after everything else."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from tests.tui.acting import GOAL, WIDE, RunApp, finish, sees, shown, until
from tests.tui.session_fixtures import screen_of
from textual.messages import Prune
from textual.worker import WorkerFailed
from workbench.bootstrap import Workspace
from workbench.cli import run_command
from workbench.domain.errors import LogUnavailable
from workbench.tui.app import WorkbenchApp
from workbench.tui.dialog import Dialog
from workbench.tui.home.start import StartScreen
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.field import Draft

HEAVY = {"pydantic_ai", "pydantic", "openai", "anthropic", "google.genai", "tinydb", "numpy", "rapidfuzz", "tomlkit"}


async def test_it_begins_with_the_question_and_a_focused_input(run_app: RunApp) -> None:
    async with run_app() as pilot:
        assert isinstance(pilot.app.screen, StartScreen)
        assert isinstance(pilot.app.focused, Draft)
        await sees(pilot, "What do you want to plan?", "nothing leaves this machine")


async def test_ctrl_c_hints_at_how_to_leave(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "^Q leaves" in shown(pilot))


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


@pytest.mark.parametrize("is_going", [True, False])
async def test_a_pane_that_is_not_found_is_a_defect_unless_its_screen_is_going(
    workspace: Workspace, is_going: bool
) -> None:
    class Late(Dialog[None]):
        async def on_prune(self, _event: Prune) -> None:
            self.is_going = True
            with suppress(WorkerFailed):
                await self.run_worker(self.look()).wait()  # as a timer's last tick does

        async def look(self) -> None:
            self.query_one("#gone")

    app = WorkbenchApp(lambda: workspace)

    async def close() -> None:
        async with app.run_test() as pilot:
            screen = Late()
            await app.push_screen(screen)
            if is_going:
                await screen.dismiss()
            else:
                screen.run_worker(screen.look())
            await pilot.pause()

    if is_going:
        await close()
    else:
        with pytest.raises(WorkerFailed):
            await close()
    assert (app.crash is None) == is_going


def test_the_first_paint_loads_no_model_library(tmp_path: Path) -> None:
    script = """
import asyncio, sys
from workbench.tui.app import WorkbenchApp

async def paint():
    app = WorkbenchApp(lambda: asyncio.run(asyncio.sleep(3600)))
    async with app.run_test() as pilot:
        await pilot.pause()
        print("\\n".join(sys.modules))
        import os
        sys.stdout.flush()
        os._exit(0)

asyncio.run(paint())
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert "textual.app" in done.stdout.split()
    assert not HEAVY & set(done.stdout.split())


def test_without_a_terminal_it_says_what_can_be_done(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command([]) == 0
    assert "workbench run" in capsys.readouterr().out
    assert run_command(["open"]) == 2
    assert "needs a terminal" in capsys.readouterr().err


async def test_a_goal_begins_a_session_and_clears_the_input(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        await pilot.press(*GOAL, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert [one.goal for one in workspace.sessions()] == [GOAL]
        await pilot.press("ctrl+n")
        assert isinstance(pilot.app.screen, StartScreen)
        assert pilot.app.screen.query_one(Draft).text == ""


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
            await pilot.press("h", "i")
            assert pilot.app.screen.query_one(Draft).text == "hi"
        finally:
            may_open.set()
        await until(pilot, lambda: screen_of(pilot).state is not None and "Plan v" in shown(pilot))
        assert pilot.app.screen.query_one(Draft).text == "hi"
