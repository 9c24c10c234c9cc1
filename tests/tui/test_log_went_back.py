"""A session's screen while its log goes back: it stops with a sentence, and offers to reload and to fork."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.chains import is_sound
from tests.tui.acting import GOAL, RunApp, until, wait_at_checkpoint, wait_at_gate
from tests.tui.session_fixtures import HeldModel, begin, choose, gate, screen_of, settled, use
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.storage.files.session_file import read_session_file
from workbench.tui.form import FormDialog
from workbench.tui.widgets.bars import Notice


def file_of(workspace: Workspace, session: str) -> Path:
    return workspace.folder.sessions / f"{session}.jsonl"


def kept_files(workspace: Workspace) -> list[Path]:
    return sorted((workspace.folder.root / "trash").glob("*.unsaved-*.jsonl"))


def notice(pilot: Pilot[Any]) -> str:
    """What the screen says went wrong, as one string; "" where it says nothing."""
    problem = screen_of(pilot).query_one(Notice).problem
    return "" if problem is None else f"{problem.happened} {problem.kept} {problem.next}"


async def go_back_at_checkpoint(pilot: Pilot[Any], workspace: Workspace, session: str) -> int:
    """Put an older copy in the file's place while a person looks at a checkpoint; return how many events it has."""
    await gate(pilot, "checkpoint")
    events = list(workspace.session(session).events())
    chosen = next(event.seq for event in events if event.kind == "gate.opened" and b'"approach"' in bytes(event.body))
    path = file_of(workspace, session)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: chosen + 1]))
    await until(pilot, lambda: "older copy" in notice(pilot))
    await until(pilot, lambda: kept_files(workspace))
    await settled(pilot)
    return chosen


async def test_an_idle_screen_stops_and_reloads_what_is_there_now(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, session=await wait_at_gate(workspace))
    known = list(workspace.session(session).events())
    async with run_app(session=session) as pilot:
        there = await go_back_at_checkpoint(pilot, workspace, session)
        (file,) = kept_files(workspace)
        assert list(read_session_file(file))[: len(known)] == known
        assert screen_of(pilot).state.plan is not None, "what was shown stays"
        assert "^R opens what is there now" in notice(pilot)
        await pilot.press("ctrl+r")
        await gate(pilot, "approach")
        assert screen_of(pilot).state.plan is None
        assert "older copy" not in notice(pilot)
        assert len(list(workspace.session(session).events())) == there
        await choose(pilot)
        await gate(pilot, "checkpoint")
    assert is_sound(workspace.log, session)


async def test_an_idle_screen_forks_what_it_knew(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, session=await wait_at_gate(workspace))
    known = len(list(workspace.session(session).events()))
    async with run_app(session=session) as pilot:
        await go_back_at_checkpoint(pilot, workspace, session)
        screen_of(pilot).action_fork()
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, FormDialog))
        await until(pilot, lambda: screen_of(pilot).session != session)
        await gate(pilot, "checkpoint")
        fork = screen_of(pilot).session
    assert len(list(workspace.session(fork).events())) > known
    assert workspace.session(fork).state().plan is not None


async def test_a_reply_on_its_way_is_received_and_kept(run_app: RunApp, workspace: Workspace) -> None:
    model = HeldModel().hold("plan", after=1)
    use(workspace, model)
    async with run_app() as pilot:
        screen = await begin(pilot, GOAL)
        await gate(pilot, "approach")
        path = file_of(workspace, screen.session)
        older = path.read_bytes()
        await choose(pilot)
        await until(pilot, lambda: model.asked["plan"])
        path.write_bytes(older)
        await until(pilot, lambda: "older copy" in notice(pilot))
        model.release("plan")
        await until(pilot, lambda: kept_files(workspace))
        await settled(pilot)
        assert not screen.drive.is_acting
        (file,) = kept_files(workspace)
        assert [event.kind for event in read_session_file(file)][-1] == "call.finished"
        assert path.read_bytes() == older
        assert "is kept in the trash" in notice(pilot)
