"""Following sessions beside everything else that the application does."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.tui.acting import RunApp, sees, shown, until, wait_at_gate
from tests.tui.session_fixtures import choose, gate, screen_of
from textual.message import Message
from workbench.bootstrap import Listed, Workspace
from workbench.domain.errors import LogDamaged, LogError, LogUnavailable
from workbench.domain.log.envelope import Event
from workbench.domain.session import session as domain_session
from workbench.domain.session.session import SessionState
from workbench.storage.files.stopping import Stop
from workbench.tui.session import following
from workbench.tui.session.following import FollowingFailed, SessionChanged, follow, follow_apart
from workbench.tui.session.screen import SessionScreen


@pytest.mark.full
async def test_more_sessions_may_be_open_than_the_pool_has_threads(run_app: RunApp, workspace: Workspace) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    sessions = [await wait_at_gate(workspace, name=f"move {number}") for number in range(4)]
    async with run_app() as pilot:
        for session in sessions:
            pilot.app.open_session(session)  # type: ignore[attr-defined]
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await until(pilot, lambda session=session: screen_of(pilot).session == session)
            await until(pilot, lambda: "Choose an approach" in shown(pilot))


@pytest.mark.full
async def test_each_event_is_folded_once_for_an_open_session(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen that follows a session and the loop that drives it share its states."""
    opened = await wait_at_gate(workspace)
    folded: Counter[int] = Counter()
    apply = domain_session.apply

    def counting(state: SessionState | None, event: Event) -> SessionState:
        folded[event.seq] += event.session == opened
        return apply(state, event)

    monkeypatch.setattr(domain_session, "apply", counting)
    async with run_app(session=opened) as pilot:
        await gate(pilot, "approach")
        await choose(pilot, 2)
        await gate(pilot, "checkpoint")
        seq = _state(screen_of(pilot)).seq
    assert set(folded.values()) == {1}
    assert len(folded) >= seq


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
    assert await asyncio.to_thread(told.wait, 60)


async def test_a_defect_of_a_source_is_not_swallowed() -> None:
    def source(_stopped: Callable[[], bool], _post: Callable[[Message], object]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await follow_apart(source, lambda _message: None)


def failing(monkeypatch: pytest.MonkeyPatch, workspace: Workspace, *errors: LogError) -> None:
    """Let the next reads of a session meet these errors, one after the other, before it is read as it is."""
    waiting, read = list(errors), workspace.log.read

    def reading(stream: str, **options: Any) -> Iterator[Event]:
        if waiting:
            raise waiting.pop(0)
        return read(stream, **options)

    monkeypatch.setattr(workspace.log, "read", reading)
    monkeypatch.setattr(following, "_AGAIN_AFTER", 0.0)


async def test_a_log_that_was_away_is_followed_again(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await wait_at_gate(workspace)
    away = LogUnavailable("Away.", "Wait.")
    failing(monkeypatch, workspace, away, away)
    posted: list[Message] = []
    stopped = Stop()

    def post(message: Message) -> None:
        posted.append(message)
        if isinstance(message, SessionChanged):
            stopped.set()

    follow(workspace.session(session).log, stopped, post)
    failed, changed = posted
    assert isinstance(failed, FollowingFailed)
    assert (failed.error, failed.goes_on) == (away, True)
    assert isinstance(changed, SessionChanged)
    assert changed.is_anew


async def test_a_log_that_is_damaged_is_not_read_again(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await wait_at_gate(workspace)
    failing(monkeypatch, workspace, LogDamaged("Garbled.", "Repair it."))
    posted: list[Message] = []
    follow(workspace.session(session).log, Stop(), posted.append)
    (failed,) = posted
    assert isinstance(failed, FollowingFailed)
    assert not failed.goes_on


async def test_what_was_said_of_reading_is_gone_when_it_can_be_read_again(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await wait_at_gate(workspace)
    listed, is_away = workspace.sessions, False

    def sessions() -> list[Listed]:
        if is_away:
            raise LogUnavailable("The list is away.", "Wait.")
        return listed()

    monkeypatch.setattr(workspace, "sessions", sessions)
    async with run_app(session=session) as pilot:
        await until(pilot, lambda: "Choose an approach" in shown(pilot))
        screen = screen_of(pilot)
        is_away = True
        screen.fleet.look_around()
        await until(pilot, lambda: "The list is away." in shown(pilot))
        is_away = False
        screen.fleet.look_around()
        await until(pilot, lambda: "The list is away." not in shown(pilot))
        screen.post_message(FollowingFailed(LogUnavailable("The log is away.", "Wait."), goes_on=True))
        await until(pilot, lambda: "The log is away." in shown(pilot))
        screen.post_message(SessionChanged(_state(screen)))
        await until(pilot, lambda: "The log is away." not in shown(pilot))
        screen.post_message(FollowingFailed(LogDamaged("The log is garbled.", "Repair it.")))
        await until(pilot, lambda: "The log is garbled." in shown(pilot))
        screen.post_message(SessionChanged(_state(screen)))
        await pilot.pause()
        await sees(pilot, "The log is garbled.")


def _state(screen: SessionScreen) -> SessionState:
    assert screen.state is not None
    return screen.state
