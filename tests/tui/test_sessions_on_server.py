"""The application over a server: sessions of another machine are listed, opened and deleted like its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.redis_server import RedisServer, new_workspace
from tests.tui.acting import RunApp, finish, shown, until
from workbench.bootstrap import Workspace
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.session.screen import SessionScreen


def opened(folder: Path, address: str) -> Workspace:
    folder.mkdir(exist_ok=True)
    environ = {"WORKBENCH_CONFIG": str(folder / "user.toml")}
    return Workspace.open(folder, options={"log": address}, environ=environ)


@pytest.fixture
def address(redis_server: RedisServer) -> str:
    return f"{redis_server.url}?workspace={new_workspace()}"


@pytest.fixture
def workspace(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """This machine's."""
    monkeypatch.chdir(tmp_path)
    return opened(tmp_path / "here", address)


@pytest.mark.full
async def test_a_session_of_another_machine_is_found_and_opened(
    run_app: RunApp, tmp_path: Path, address: str, workspace: Workspace
) -> None:
    theirs = await finish(opened(tmp_path / "there", address), "Paint the fence by May 2029", name="Garden")
    async with run_app() as pilot:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen) and "Garden" in shown(pilot))
        await pilot.press(*"garden", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        screen: Any = pilot.app.screen
        assert screen.session == theirs
        await until(pilot, lambda: "Paint the fence" in shown(pilot))
    assert list((workspace.folder.sessions).iterdir()) == []
