"""The application over hostile workspaces: it lists, opens and replays, and nothing leaves."""

from __future__ import annotations

import asyncio

import pytest
from tests.hostile.conftest import CloneIn
from tests.hostile.test_commands import seen
from tests.hostile.trap import KEY, Trap
from tests.hostile.workspaces import SECRET, WAYS, Clone, Way
from tests.tui.acting import shown, until
from tests.tui.hostile import obeyed
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import WorkbenchError
from workbench.settings import find_settings
from workbench.tui.app import WorkbenchApp

LIMIT = 60.0
"""Seconds after which the application counts as hung."""


async def at_rest(pilot: Pilot[str]) -> None:
    """Wait until no worker is at work that ends by itself; followers go on for as long as a screen is there."""
    ends = {"preferences", "open-workspace", "load", "read", "search", "export-page"}
    await until(pilot, lambda: not any(w.group in ends and not w.is_finished for w in pilot.app.workers))
    await pilot.pause(0.1)


async def look_around(clone: Clone, number: int, *, full: bool) -> list[str]:
    """Open the list, each session and its replay, go on by Ctrl+R and decline; return every screen's text.

    By default a third of that, which depends on the number of the way.
    """
    screens: list[str] = []
    try:
        settings = find_settings(clone.project)
    except WorkbenchError as error:
        return [str(error)]
    app = WorkbenchApp(lambda: Workspace.open(clone.project), settings=settings, user_config=clone.own / "config.toml")
    async with asyncio.timeout(LIMIT), app.run_test(size=(120, 36), notifications=True) as pilot:
        await until(pilot, lambda: app.workspace is not None or app.failure is not None)
        if app.workspace is None:
            return [str(app.failure)]
        await pilot.press("ctrl+s")
        await at_rest(pilot)
        screens.append(shown(pilot))
        await pilot.press("escape")
        visits = [(visit, session) for session in clone.sessions.values() for visit in (app.open_session, app.replay)]
        for visit, session in visits if full else visits[number % 3 :: 3]:
            visit(session)
            await at_rest(pilot)
            screens.append(shown(pilot))
            await pilot.press("escape")
    assert app.crash is None, app.crash
    return screens


@pytest.mark.cases(1)
@pytest.mark.untraced
async def test_the_application_sends_touches_and_waits_for_nothing(
    application_way: Way, clone_in: CloneIn, trap: Trap, full_counts: bool
) -> None:
    clone = clone_in(application_way)
    before = seen(clone.canary)
    text = "".join(await look_around(clone, WAYS.index(application_way), full=full_counts)).replace("\n", "")
    assert trap.take() == []
    assert seen(clone.canary) == before
    assert obeyed(text) == []
    assert KEY not in text
    assert SECRET not in text
