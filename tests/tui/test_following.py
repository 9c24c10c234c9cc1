"""Following sessions beside everything else that the application does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.tui.acting import RunApp, shown, until, wait_at_gate
from tests.tui.session_fixtures import screen_of
from textual.message import Message
from workbench.bootstrap import Workspace
from workbench.tui.following import follow_apart
from workbench.tui.screens.session import SessionScreen


async def test_more_sessions_may_be_open_than_the_pool_has_threads(run_app: RunApp, workspace: Workspace) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    sessions = [await wait_at_gate(workspace, name=f"move {number}") for number in range(4)]
    async with run_app() as pilot:
        for session in sessions:
            pilot.app.open_session(session)  # type: ignore[attr-defined]
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await until(pilot, lambda session=session: screen_of(pilot).session == session)
            await until(pilot, lambda: "Choose an approach" in shown(pilot))


async def test_a_source_is_told_to_stop() -> None:
    begun, told = threading.Event(), threading.Event()

    def source(stopped: Callable[[], bool], _post: Callable[[Message], object]) -> None:
        begun.set()
        while not stopped():
            pass
        told.set()

    following = asyncio.create_task(follow_apart(source, lambda _message: None))
    await asyncio.to_thread(begun.wait)
    following.cancel()
    with pytest.raises(asyncio.CancelledError):
        await following
    assert await asyncio.to_thread(told.wait, 20)


async def test_a_defect_of_a_source_is_not_swallowed() -> None:
    def source(_stopped: Callable[[], bool], _post: Callable[[Message], object]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await follow_apart(source, lambda _message: None)
