"""The gate of a tool that does more than read: how it looks, and what its letters do."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.builders import Script
from tests.planning.test_tools import Tickets
from tests.tui.acting import GOAL, WIDE, Look, RunApp, until
from tests.tui.session_fixtures import gate, use
from tests.tui.test_session_snapshots import reviewing, then
from workbench.bootstrap import Workspace
from workbench.domain.session.session import SessionState
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all
from workbench.planning.tools import Toolbox
from workbench.tui.screens.session import SessionScreen


@pytest.fixture
def asks(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Tickets]:
    """A session whose planner asks for a tool; the server that has it."""
    server = Tickets()
    monkeypatch.setattr(workspace.parts, "toolbox", lambda: Toolbox(servers={"tickets": server}))
    hostile = "Move [@click=app.quit]the ward[/] \x1b]52;c;eA==\x07"
    call = json.dumps({"tool": "tickets.open_ticket", "arguments": {"title": hostile}})
    use(workspace, CallableModel(Script().then("plan", call), name="told"))
    manager = workspace.start(GOAL)
    asyncio.run(manager.run(approving_all()))
    assert manager.state.gate is not None
    assert manager.state.gate.kind == "tool"
    return str(manager.session_id), server


@pytest.mark.cases(1)
@pytest.mark.parametrize(("key", "used"), [("y", 1), ("v", 1), ("d", 0)])
def test_its_letters_allow_or_refuse(
    run_app: RunApp, workspace: Workspace, asks: tuple[str, Tickets], key: str, used: int
) -> None:
    session, server = asks

    def state() -> SessionState:
        return workspace.session(session).state()

    async def decided() -> None:
        async with run_app(session=session) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await gate(pilot, "tool")
            assert not server.used
            await pilot.press("ctrl+y", key)
            await gate(pilot, "checkpoint")

    asyncio.run(decided())
    assert len(server.used) == used
    assert (state().tools_allowed == ("tickets.open_ticket",)) == (key == "v")


def test_it_shows_what_is_asked_for(look: Look, asks: tuple[str, Tickets]) -> None:
    assert look(WIDE, then(reviewing()), session=asks[0])
