"""Long sessions open and scroll without holding up a key: the event loop is never blocked for more than 100 ms."""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter, process_time

import pytest
from tests.benchmarks.long_sessions import long_session
from tests.benchmarks.p25_after_an_operation import plan_of
from tests.pace import slowness
from tests.tui.acting import ROOMY, RunApp, finish, sees, until, wait_at_checkpoint
from tests.tui.replays import loaded, shows_its_place
from tests.tui.session_fixtures import gate, screen_of, settled
from workbench.bootstrap import Workspace
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.plan.markdown import to_markdown
from workbench.planning.policies import nobody
from workbench.tui.session.screen import SessionScreen

pytestmark = [pytest.mark.untraced, pytest.mark.draws, pytest.mark.first]
"""What is measured here is the product, not the tracing of it."""
ALLOWED = 0.100
"""Seconds, on a quiet machine and without coverage's tracing: what ``--full-counts`` holds it to."""
ROOM = 4
"""How many times as much the suite allows: on a shared machine wall-clock time decides nothing closely."""
LOOK = 0.01
"""Seconds between two looks. Looks more often would keep Textual's pilot from ever finding the application idle."""
ATTEMPTS = 3


class LoopLag:
    """How long the event loop was blocked, at worst, while this process computed.

    Wall time, as far as this process used a processor meanwhile: what other programs on the machine take is not ours.
    """

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        while True:
            before, computed = perf_counter(), process_time()
            await asyncio.sleep(LOOK)
            blocked = min(perf_counter() - before, process_time() - computed)
            self.longest = max(self.longest, blocked)


@asynccontextmanager
async def loop_lag() -> AsyncIterator[LoopLag]:
    gc.collect()
    gc.freeze()  # what other tests left behind is not this application's
    lag = LoopLag()
    watching = asyncio.create_task(lag.watch())
    try:
        yield lag
    finally:
        watching.cancel()
        gc.unfreeze()


@pytest.fixture
def allowed(full_counts: bool) -> float:
    return ALLOWED if full_counts else ALLOWED * ROOM


@pytest.mark.full
async def test_ten_thousand_events(run_app: RunApp, workspace: Workspace, allowed: float) -> None:
    events = list(workspace.session(await finish(workspace)).events())
    session = long_session(workspace.log, events, 10_000, small=False)
    await _holds_nobody_up(lambda: _lag(run_app, session, seq=10_000), allowed)


async def _holds_nobody_up(lag: Callable[[], Awaitable[float]], allowed: float) -> None:
    """Measure up to three times: what else this machine does must not decide, and a slow path is slow every time."""
    lags: list[float] = []
    while not lags or (lags[-1] >= allowed and len(lags) < ATTEMPTS):
        before = slowness()
        longest = await lag()
        lags.append(longest / max(before, slowness()))
    assert min(lags) < allowed, lags


async def _lag(run_app: RunApp, session: str, *, seq: int) -> float:
    async with run_app() as pilot, loop_lag() as lag:
        pilot.app.open_session(session)  # type: ignore[attr-defined]
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        screen = screen_of(pilot)
        await until(pilot, lambda: screen.state is not None and screen.state.seq >= seq)
        await settled(pilot)
        for key, view in (("2", "changes"), ("t", "transcript"), ("1", "plan"), ("t", "transcript")):
            await pilot.press("ctrl+l", key)
            await until(pilot, lambda view=view: screen._picture is not None and screen._picture.sight.view == view)
            await pilot.press("end", "pageup", "up", "down", "home", "pagedown")
        await pilot.resize_terminal(100, 30)
        await settled(pilot)
        await sees(pilot, "Transcript")
    return lag.longest


@pytest.mark.full
async def test_a_plan_of_300_steps_scrolls_without_a_pause(
    run_app: RunApp, workspace: Workspace, allowed: float
) -> None:
    session = await wait_at_checkpoint(workspace)
    manager = workspace.session(session).resume()
    assert manager.state.gate is not None
    await manager.answer(manager.state.gate, Answer(kind="edit", text=to_markdown(plan_of(300))))
    await manager.run(nobody)
    await _holds_nobody_up(lambda: _lag_of_scrolling(run_app, session), allowed)


async def _lag_of_scrolling(run_app: RunApp, session: str) -> float:
    """Return how long the loop was blocked at worst while a plan was scrolled, searched, unfolded and resized."""
    async with run_app(session=session, size=ROOMY) as pilot:
        await gate(pilot, "checkpoint")
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: len(pane.rows) > 300)
        await pilot.press("ctrl+l")
        async with loop_lag() as lag:
            await pilot.press("end", *["pageup"] * 6, "home", *["pagedown"] * 6, *["down"] * 10, *["up"] * 5)
            assert pane.scroll_offset.y > 0
            await pilot.press("enter", "n", "n", "N", "G", "g", "z", "z", "plus", "minus")
            await pilot.resize_terminal(100, 30)
            await settled(pilot)
            await pilot.press("end", *["pageup"] * 3)
    return lag.longest


@pytest.mark.full
async def test_a_long_replay_is_scrubbed(run_app: RunApp, workspace: Workspace, allowed: float) -> None:
    events = list(workspace.session(await finish(workspace)).events())
    count = 100_000
    session = long_session(workspace.log, events, count, small=True)
    await _holds_nobody_up(lambda: _lag_of_replay(run_app, session, count, pulls=20), allowed)


async def _lag_of_replay(run_app: RunApp, session: str, count: int, *, pulls: int) -> float:
    places = random.Random(15)
    async with run_app() as pilot, loop_lag() as lag:
        pilot.app.replay(session)  # type: ignore[attr-defined]
        screen = await loaded(pilot)
        for _ in range(pulls):
            await pilot.mouse_down("#timeline", offset=(3, 0))
            for cell in (places.randrange(3, 110) for _ in range(5)):
                await pilot.hover("#timeline", offset=(cell, 0))
            await pilot.mouse_up("#timeline", offset=(3, 0))
            await shows_its_place(pilot)
        await pilot.press("ctrl+l", "t", "escape", *("left_square_bracket", "right") * 20, "9", "space")
        await until(pilot, lambda: screen.timeline.player.position > 500)  # type: ignore[union-attr]
        await pilot.press("space", "end")
        await shows_its_place(pilot)
        assert screen.state is not None
        assert screen.state.seq == count
    return lag.longest
