"""Whatever the screen says of a key is true of the key that a person gave it."""

from __future__ import annotations

import pytest
from tests.tui.acting import GOAL, RunApp, shown, until, wait_at_checkpoint, wait_at_gate
from tests.tui.session_fixtures import calm, gate, screen_of
from workbench.bootstrap import Workspace
from workbench.settings import Settings
from workbench.tui.app import WorkbenchApp
from workbench.tui.keymap import all_keys, key_of
from workbench.tui.settings.screen import SettingsScreen

SWAPPED = {"gate.continue": "F", "gate.finish": "c", "session.review": "f11", "app.palette": "ctrl+e"}


async def test_a_gate_shows_the_letters_that_answer_it(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, GOAL)
    async with run_app(settings=Settings(keys=SWAPPED), session=session) as pilot:
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "F11 answer" in shown(pilot))
        assert "^E palette" in shown(pilot).splitlines()[-1]
        await pilot.press("f11")
        await until(pilot, lambda: screen_of(pilot).gate_pane.acts)
        await until(pilot, lambda: "f feedback" in shown(pilot).splitlines()[-1])
        assert {one.kind: one.key for one in screen_of(pilot).gate_pane.offered()}["finish"] == "c"
        await pilot.press("c")
        await until(pilot, lambda: workspace.session(session).state().finished is not None)


@pytest.mark.full
async def test_a_gate_shows_a_key_that_is_set_while_it_is_open(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, GOAL)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "^Y answer" in shown(pilot))
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
        app = pilot.app
        assert isinstance(app, WorkbenchApp)
        app.choose({"keys": SWAPPED})
        await pilot.press("escape")
        await until(pilot, lambda: "F11 answer" in shown(pilot))


async def test_every_key_of_a_session_can_be_named(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(session=await wait_at_gate(workspace, GOAL)) as pilot:
        await calm(pilot)
        screen = screen_of(pilot)
        for key in all_keys():
            if issubclass(type(screen), key.owner) or key.group == "app":
                assert key_of(screen, key.id) == key.shown.partition(" or ")[0]


async def test_a_key_is_named_where_what_it_does_is_not_in_front(run_app: RunApp) -> None:
    async with run_app() as pilot:
        assert key_of(pilot.app.screen, "session.review") == "^Y"


@pytest.mark.full
async def test_where_no_card_is_in_sight_no_card_can_be_chosen(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(session=await wait_at_gate(workspace, GOAL)) as pilot:
        await gate(pilot, "approach")
        await pilot.press("ctrl+y")
        await until(pilot, lambda: screen_of(pilot).gate_pane.acts)
        await pilot.press("up")
        await until(pilot, lambda: "choose this one" in shown(pilot))
        await pilot.press("2")
        await until(pilot, lambda: "Nothing changed yet" in shown(pilot))
        await until(pilot, lambda: "choose this one" not in shown(pilot))
