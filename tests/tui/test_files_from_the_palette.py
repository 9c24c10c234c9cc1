"""From the palette: a session is written as a page, and another one is taken in from a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.acting import GOAL, RunApp, finish, open_palette, shown, until
from tests.tui.session_fixtures import gate, review
from textual.command import CommandList
from textual.pilot import Pilot
from textual.widgets import Static
from workbench.bootstrap import Workspace
from workbench.tui.app import WorkbenchApp
from workbench.tui.form import FormDialog
from workbench.tui.home.files import import_form
from workbench.tui.session.screen import SessionScreen

SAMPLE = Path(__file__).parents[2] / "sessions" / "organise-wedding-80-demo.jsonl"


async def chosen(pilot: Pilot[str], words: str) -> None:
    """Choose a command in the palette by its words."""
    await open_palette(pilot)
    await pilot.press(*("space" if letter == " " else letter for letter in words.lower()))
    listed = pilot.app.screen.query_one(CommandList)
    await until(pilot, lambda: listed.option_count and words in str(listed.get_option_at_index(0).prompt))
    await pilot.press("enter")


def said_by(pilot: Pilot[str]) -> str:
    return str(pilot.app.screen.query_one("#problem", Static).content)


async def test_a_session_is_written_as_a_page_over_nothing(
    run_app: RunApp, workspace: Workspace, tmp_path: Path
) -> None:
    session = await finish(workspace)
    (tmp_path / f"{session}.html").write_text("mine")
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await until(pilot, lambda: pilot.app.screen.state is not None)
        await chosen(pilot, "Export as a web page")
        await until(pilot, (tmp_path / f"{session}-2.html").exists)
    assert (tmp_path / f"{session}.html").read_text() == "mine"
    assert (tmp_path / f"{session}-2.html").read_text() == workspace.session(session).page()


async def test_a_file_is_taken_in_and_opened_and_why_not_is_said(
    run_app: RunApp, workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("Dear all")
    async with run_app() as pilot:
        await until(pilot, lambda: pilot.app.workspace is not None)
        await chosen(pilot, "Import a session")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        field = pilot.app.screen.query_one("#file")
        await pilot.press("enter")
        field.value = str(tmp_path / "letter.txt")
        await pilot.press("enter")
        await until(pilot, lambda: "does not begin like a file of the workbench" in said_by(pilot))
        assert list(workspace.log.streams()) == []
        field.value = "~nobody-of-that-name/x.jsonl"
        await pilot.press("enter")
        await until(pilot, lambda: "There is no file" in said_by(pilot))
        field.value = str(SAMPLE)
        await pilot.press("enter")
        app = pilot.app
        assert isinstance(app, WorkbenchApp)
        await until(pilot, lambda: app.last_session == SAMPLE.stem and isinstance(app.screen, SessionScreen))
    assert list(workspace.log.streams()) == [SAMPLE.stem]


@pytest.mark.full
async def test_what_was_in_the_middle_of_its_work_spends_nothing_by_being_looked_at(
    run_app: RunApp, workspace: Workspace, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Workspace.open(tmp_path_factory.mktemp("elsewhere"), environ={})
    session = str(other.start(GOAL).session_id)
    (tmp_path / "it.jsonl").write_bytes(other.session(session).file())
    async with run_app() as pilot:
        await until(pilot, lambda: pilot.app.workspace is not None)
        await chosen(pilot, "Import a session")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        pilot.app.screen.query_one("#file").value = str(tmp_path / "it.jsonl")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and "Stopped: imported" in shown(pilot))
        assert workspace.session(session).state().spent.calls == 0
        await pilot.press("ctrl+r")
        assert "nothing in it was approved here" in (await gate(pilot, "checkpoint")).question
        assert workspace.session(session).state().spent.calls == 0
        await review(pilot, "c")
        await gate(pilot, "approach")
        assert workspace.session(session).state().spent.calls == 1


async def test_escape_imports_nothing(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        await until(pilot, lambda: pilot.app.workspace is not None)
        pilot.app.push_dialog(FormDialog(import_form(workspace)))
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, FormDialog))
    assert list(workspace.log.streams()) == []
