"""Opening sends nothing, and what a folder or a session asks for is shown before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.models.fake_openai import FakeServer, fake_server
from tests.steady_clock import SteadyClock
from tests.tui.acting import GOAL, RunApp, sees, shown, until
from tests.tui.session_fixtures import screen_of, settled, write
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import trust_folder
from workbench.storage.trust import TrustStore
from workbench.tui.dialog import ConfirmDialog
from workbench.tui.session.screen import SessionScreen

KEY = "sk-trap-0123456789abcdef"


@pytest.fixture
def trap() -> Iterator[FakeServer]:
    with fake_server() as server:
        yield server


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"WORKBENCH_CONFIG": str(tmp_path / "own" / "config.toml"), "OPENAI_API_KEY": KEY}


@pytest.fixture
def workspace(tmp_path: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace whose folder asks for nothing yet, opened with a key in the environment."""
    monkeypatch.chdir(tmp_path)
    return Workspace.open(tmp_path, environ=environ, clock=SteadyClock())


@pytest.fixture
def begun(workspace: Workspace, trap: FakeServer, environ: dict[str, str]) -> str:
    """A session that stands before a call to the trap, in a workspace where nobody accepted that."""
    options = {"model": "openai:m", "base_url": trap.base_url}
    folder = workspace.folder.root.parent
    session = Workspace.open(folder, options=options, environ=environ, clock=SteadyClock()).start(GOAL).session_id
    TrustStore(trust_folder(environ)).revoke(workspace.folder.root)
    return session


async def opened(pilot: Pilot[Any]) -> SessionScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.state is not None)
    await settled(pilot)
    return screen_of(pilot)


async def test_opening_a_session_in_the_middle_of_its_work_waits(run_app: RunApp, workspace: Workspace) -> None:
    session = workspace.start(GOAL).session_id
    before = list(workspace.session(session).events())
    async with run_app(session=session) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "in the middle of its work" in shown(pilot))
        assert list(workspace.session(session).events()) == before
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(list(workspace.session(session).events())) > len(before))


async def test_opening_sends_nothing_to_a_named_server(
    run_app: RunApp, workspace: Workspace, begun: str, trap: FakeServer
) -> None:
    workspace.accept(workspace.session(begun).trust_request())
    async with run_app(session=begun) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "in the middle of its work" in shown(pilot))
        assert trap.requests == []
        await pilot.press("ctrl+r")
        await until(pilot, lambda: trap.requests)


async def test_a_recorded_model_is_asked_about_before_it_is_sent_anything(
    run_app: RunApp, begun: str, trap: FakeServer
) -> None:
    async with run_app(session=begun) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "You have not accepted where" in shown(pilot))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog) and trap.base_url in shown(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: "nothing was sent" in shown(pilot))
        assert trap.requests == []
        await settled(pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        assert trap.requests == []
        await pilot.press("y")
        await until(pilot, lambda: trap.requests)


async def test_a_folders_model_is_asked_about_before_a_session_begins(
    run_app: RunApp, workspace: Workspace, trap: FakeServer, environ: dict[str, str], tmp_path: Path
) -> None:
    workspace.folder.config.write_text(f'model = "openai:m"\nbase_url = "{trap.base_url}"\n')
    workspace.parts.models.settings = Workspace.open(tmp_path, environ=environ).settings
    async with run_app() as pilot:
        await sees(pilot, "you are asked before it is used")
        await write(pilot, GOAL)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog) and trap.base_url in shown(pilot))
        assert (trap.requests, workspace.sessions()) == ([], [])
        await pilot.press("y")
        await until(pilot, lambda: trap.requests)
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))


async def test_the_palette_shows_what_a_folder_asks_for(
    run_app: RunApp, workspace: Workspace, environ: dict[str, str], tmp_path: Path
) -> None:
    workspace.folder.config.write_text('model = "openai:m"\n')
    workspace.parts.models.settings = Workspace.open(tmp_path, environ=environ).settings
    async with run_app() as pilot:
        for answer, withheld in (("n", {"model"}), ("y", set())):
            await pilot.app.action_ask_to_trust()  # type: ignore[attr-defined]
            await until(pilot, lambda: "model: openai:m" in shown(pilot))
            await pilot.press(answer)
            await until(pilot, lambda withheld=withheld: workspace.settings.withheld == withheld)
        await pilot.app.action_ask_to_trust()  # type: ignore[attr-defined]
        await until(pilot, lambda: any("nothing that" in note.message for note in pilot.app._notifications))
