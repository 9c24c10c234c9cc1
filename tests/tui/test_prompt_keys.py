"""Keys that come in one packet, as a slow connection delivers them, act in the order in which they were pressed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.acting import RunApp, until
from textual.events import Key
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import Settings
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.widgets.field import Draft, Field


async def press_at_once(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys without waiting between them, and wait until all of them acted."""
    for key in keys:
        pilot.app.post_message(Key(key, key if len(key) == 1 else None))
    await pilot.press("end")


@pytest.mark.parametrize(
    ("keys", "stands"),
    [
        (["b", "a", "backspace", "c"], "bc"),
        (["a", "c", "left", "b"], "abc"),
        (["a", "b", "ctrl+u", "c"], "c"),
    ],
)
async def test_keys_that_edit_keep_their_place_among_letters(run_app: RunApp, keys: list[str], stands: str) -> None:
    async with run_app() as pilot:
        await press_at_once(pilot, *keys)
        assert pilot.app.query_one(Draft).text == stands
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
        await press_at_once(pilot, *keys)
        assert pilot.app.screen.query_one("#query", Field).value == stands


async def test_what_was_taken_back_before_enter_is_not_sent(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        await press_at_once(pilot, *"Plan 500", "backspace", "enter")
        await until(pilot, workspace.sessions)
        assert [one.goal for one in workspace.sessions()] == ["Plan 50"]


@pytest.mark.full
async def test_sending_has_the_key_that_a_person_gave_it_and_no_other(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(settings=Settings(keys={"draft.send": "f12"})) as pilot:
        await pilot.press(*"Plan a", "enter", *"party")
        assert pilot.app.query_one(Draft).text == "Plan a\nparty"
        await pilot.press("f12")
        await until(pilot, workspace.sessions)
