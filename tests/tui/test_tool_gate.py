"""The gate of a tool that does more than read: how it looks, and what its letters do."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.builders import Script
from tests.planning.test_tools import Tickets
from tests.tui.acting import GOAL, SMALL, USUAL, WIDE, Look, RunApp, sees, shown, until
from tests.tui.session_fixtures import gate, use
from tests.tui.test_session_snapshots import reviewing, then
from workbench.bootstrap import Workspace
from workbench.domain.session.session import SessionState
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all
from workbench.planning.tools import Toolbox
from workbench.tui.session.screen import SessionScreen

HOSTILE = {
    "title": "Move [@click=app.quit]the ward[/] \x1b]52;c;eA==\x07",
    "text": "harmless" + "\n" * 60 + " " * 1_500 + "and its end",
    "last": True,
}


def asking(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any]) -> tuple[str, Tickets]:
    """Return a session whose planner asks for a tool, and the server that has it."""
    server = Tickets()
    monkeypatch.setattr(workspace.parts, "toolbox", lambda: Toolbox(servers={"tickets": server}))
    call = json.dumps({"tool": "tickets.open_ticket", "arguments": arguments})
    use(workspace, CallableModel(Script().then("plan", call), name="told"))
    manager = workspace.start(GOAL)
    asyncio.run(manager.run(approving_all()))
    assert manager.state.gate is not None
    assert manager.state.gate.kind == "tool"
    return str(manager.session_id), server


@pytest.fixture
def asks(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Tickets]:
    return asking(workspace, monkeypatch, HOSTILE)


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
            await until(pilot, lambda: state().uses)

    asyncio.run(decided())
    assert len(server.used) == used
    assert (state().tools_allowed == ("tickets.open_ticket",)) == (key == "v")


@pytest.mark.cases(1)
@pytest.mark.parametrize("size", [USUAL, SMALL, WIDE])
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"text": "harmless" + "\n" * 60 + " " * 1_500 + "TAIL", "b": "LAST"}, ["⏎ ×60", "␣ ×1,500", "TAIL", "LAST"]),
        ({"lines": [f"line {number}." for number in range(60)]}, [f"line {number}." for number in range(60)]),
    ],
)
def test_no_key_allows_what_was_not_shown_to_its_end(
    run_app: RunApp,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    arguments: dict[str, Any],
    parts: list[str],
    size: tuple[int, int],
) -> None:
    session, server = asking(workspace, monkeypatch, arguments)
    pages: list[str] = []

    async def looked() -> None:
        async with run_app(session=session, size=size) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await gate(pilot, "tool")
            await pilot.press("ctrl+y")
            await sees(pilot, "y  once", "q  stop", "Esc" if size == WIDE else "y once")
            while "Allow it?" not in (page := shown(pilot)):
                await sees(pilot, "below: PgDn, PgUp", "y  once", "q  stop")
                pages.append(page)
                for key in ("y", "v", "down"):
                    await pilot.press(key)
                await until(pilot, lambda page=page: shown(pilot) != page)
            pages.append(page)
            assert not server.used
            await pilot.press("y")
            await until(pilot, lambda: server.used)

    asyncio.run(looked())
    assert [part for part in parts if not any(part in page for page in pages)] == []
    assert server.used == [arguments]


def test_it_shows_what_is_asked_for(look: Look, asks: tuple[str, Tickets]) -> None:
    assert look(USUAL, then(reviewing()), session=asks[0])
