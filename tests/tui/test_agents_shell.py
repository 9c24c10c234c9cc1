"""The application within an agent's shell: it says that a person decides elsewhere, wherever it would ask them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.steady_clock import SteadyClock
from tests.tui.acting import WIDE, RunApp, finish, sees, shown, until, wait_at_checkpoint, wait_at_gate
from tests.tui.session_fixtures import calm, choose, gate, review, screen_of
from tests.tui.test_forms import NOTE, closed, say_of_a_program, to_plan
from tests.tui.test_gate_page import asking
from tests.tui.test_plan_review import log, opened
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.bootstrap.clients import allowed
from workbench.planning.session_log import SessionLog
from workbench.tui.dialog import ConfirmDialog
from workbench.tui.home.learning import LearningDialog
from workbench.tui.session.screen import SessionScreen

__all__ = ["log"]
REFUSED = "from within an agent (CLAUDECODE)"


@pytest.fixture(autouse=True)
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests prepare as a person, and go into the agent's shell then."""
    monkeypatch.delenv("CLAUDECODE", raising=False)


async def refuses(pilot: Pilot[Any], done: str = "") -> None:
    """Wait until the application says so, on the screen or in a notification."""
    await until(pilot, lambda: is_refused(pilot, done))


def is_refused(pilot: Pilot[Any], done: str = "") -> bool:
    told = (shown(pilot), *(note.message for note in pilot.app._notifications))
    return any(f"{done} {REFUSED}".lstrip() in " ".join(one.split()) for one in told)


async def test_no_plan_is_approved_or_looked_at(
    run_app: RunApp, log: SessionLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    async with run_app(session=str(log.session), size=WIDE) as pilot:
        await opened(pilot)
        for key, told in (("A", "approved"), ("R", "sent back"), ("S", "stopped")):
            await pilot.press(key)
            await refuses(pilot, told)
            assert not isinstance(pilot.app.screen, ConfirmDialog)
        await pilot.press("escape")
        await pilot.pause()
    state = log.refresh()
    assert (state.submissions[0].decided, state.looked_at) == (None, 0)


@pytest.mark.parametrize("command", ["O2 accept", "redo"])
async def test_no_offer_is_accepted(
    run_app: RunApp, workspace: Workspace, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await finish(workspace)
    session = workspace.session(name)
    session.offer("claude", "S1 owner Ben")
    session.offer("claude", "S2 owner Cleo")
    session.edit("O1 accept")
    session.edit("undo")
    before = session.state()
    monkeypatch.setenv("CLAUDECODE", "1")
    async with run_app(session=name, size=WIDE) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
        await calm(pilot)
        screen_of(pilot).commands.carry_out(command)
        await refuses(pilot)
        assert session.state().seq == before.seq
        screen_of(pilot).commands.carry_out("S3 owner Dora")
        await until(pilot, lambda: session.state().version == before.version + 1)


@pytest.mark.parametrize("kind", ["approach", "checkpoint"])
async def test_no_gate_is_answered_with_an_approval(
    run_app: RunApp, workspace: Workspace, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await (wait_at_gate if kind == "approach" else wait_at_checkpoint)(workspace)
    before = workspace.session(name).state()
    monkeypatch.setenv("CLAUDECODE", "1")
    async with run_app(session=name, size=WIDE) as pilot:
        await gate(pilot, kind)
        if kind == "approach":
            await choose(pilot)
        else:
            await review(pilot, "F")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog) or is_refused(pilot))
            await pilot.press("y")
        await refuses(pilot, "approved")
    assert workspace.session(name).state().gate == before.gate


def test_no_tool_is_allowed(run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    session, server = asking(workspace, monkeypatch, {"title": "Move"})
    monkeypatch.setenv("CLAUDECODE", "1")

    async def asked() -> None:
        async with run_app(session=session) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await gate(pilot, "tool")
            await pilot.press("ctrl+y", "y")
            await refuses(pilot, "allowed")

    asyncio.run(asked())
    assert not server.used


async def test_nothing_is_kept_as_the_persons_own(
    run_app: RunApp, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = await finish(workspace)
    workspace.session(name).rate(1, NOTE)
    workspace.folder.config.write_text('model = "openai:m"\n')
    workspace.parts.models.settings = Workspace.open(tmp_path, clock=SteadyClock()).settings
    monkeypatch.setenv("CLAUDECODE", "1")
    async with run_app(session=name, size=WIDE) as pilot:
        await to_plan(pilot)
        await pilot.press("L")
        await until(pilot, lambda: isinstance(pilot.app.screen, LearningDialog) and "proposed" in shown(pilot))
        await pilot.press("home", "a")
        await refuses(pilot)
        await pilot.press("escape")
        await say_of_a_program(pilot, "read")
        await pilot.press("enter")
        await refuses(pilot)
        await pilot.press("escape")
        await closed(pilot)
        await pilot.app.action_ask_to_trust()  # type: ignore[attr-defined]
        await sees(pilot, "openai:m")
        await pilot.press("y")
        await refuses(pilot)
    assert (allowed(workspace), workspace.lessons()[0].status) == ([], "proposed")
    assert not workspace.accepted().settings
