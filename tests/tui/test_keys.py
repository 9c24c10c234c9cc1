"""One table of keys: no key means two things in one focus, and every key that is printed does something there."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

import pytest
from tests.tui.acting import (
    GOAL,
    RunApp,
    finish,
    sees,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from tests.tui.session_fixtures import HeldModel, calm, gate, review, screen_of, use
from tests.tui.test_session_snapshots import guided_reply
from textual.dom import DOMNode
from textual.events import Key
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.settings import Settings
from workbench.tui.form import FormDialog
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.home.start import StartScreen
from workbench.tui.keymap import all_keys, key_name, meet
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Draft, Field
from workbench.tui.widgets.line_list import LineList


def test_no_key_has_two_meanings_in_one_focus() -> None:
    both = [
        (one.id, other.id, key)
        for one, other in combinations(all_keys(), 2)
        if meet(one, other)
        for key in {*one.keys} & {*other.keys}
    ]
    assert both == []


def acting(pilot: Pilot[Any]) -> dict[str, set[str]]:
    """Return what each key does where the focus is, of what has an id: more than one thing is a defect."""
    found: dict[str, set[str]] = defaultdict(set)
    for node, bindings in pilot.app.screen._binding_chain:
        for key, several in bindings.key_to_bindings.items():
            for binding in several:
                if binding.id and acts(node, binding.action):
                    found[key].add(binding.id)
    return found


def acts(node: DOMNode, action: str) -> bool:
    """Tell whether an action is enabled; of another node, whether that one has it enabled."""
    return node.app._check_action_state(action, node) is True


async def typed(pilot: Pilot[Any]) -> None:
    screen_of(pilot).draft.focus()
    await pilot.press(*"a word")


async def looked_at(pilot: Pilot[Any], name: str) -> None:
    if name != "running":
        await calm(pilot)
    both = {key: ids for key, ids in acting(pilot).items() if len(ids) > 1 and key != "escape"}
    assert both == {}, name
    screen = pilot.app.screen
    hints = screen.query_one(Hints)
    for _, _, printed in hints._places:
        for one in printed.split() if printed not in ("Enter", "Esc") else [printed]:
            key = key_name(one.partition("–")[0])
            active = screen.active_bindings.get(key)
            assert active is not None, f"{name}: {printed} is printed and dead"
            assert active.enabled, f"{name}: {printed} is printed and does nothing"
            is_text = getattr(screen.focused, "is_text", False) or screen.focused is getattr(screen, "draft", None)
            assert not (is_text and len(key) == 1), f"{name}: {printed} is printed and would be typed"


async def test_keys_while_roles_run_and_before_there_is_a_plan(run_app: RunApp, workspace: Workspace) -> None:
    waiting = await wait_at_gate(workspace)
    async with run_app(session=waiting) as pilot:
        await gate(pilot, "approach")
        await looked_at(pilot, "approaches")
        await pilot.press("ctrl+l")
        await looked_at(pilot, "cards")
    model = HeldModel(guided_reply)
    use(workspace, model)
    session = await wait_at_checkpoint(workspace)
    model.hold("verify")
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await review(pilot, "c")
        await until(pilot, lambda: model.asked["verify"] > 1 and "interrupt" in shown(pilot))
        await looked_at(pilot, "running")
        await pilot.press("escape")
        await until(pilot, lambda: "Stopped" in shown(pilot) and screen_of(pilot).draft.has_focus)
        await looked_at(pilot, "stopped")
        await pilot.press("escape", "f")
        assert screen_of(pilot).draft.has_focus, "whoever stops says what should change"
        model.release("verify")


async def press_at_once(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys without waiting between them, and wait until all of them acted."""
    for key in keys:
        pilot.app.post_message(Key(key, key if len(key) == 1 else None))
    await pilot.press("end")


@pytest.mark.parametrize(
    ("keys", "stands"),
    [(["b", "a", "backspace", "c"], "bc"), (["a", "c", "left", "b"], "abc"), (["a", "b", "ctrl+u", "c"], "c")],
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


SWAPPED = {"gate.continue": "F", "gate.finish": "c", "session.review": "f11", "app.palette": "ctrl+e"}


async def test_a_gate_shows_the_letters_that_answer_it(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, GOAL)
    async with run_app(settings=Settings(keys=SWAPPED), session=session) as pilot:
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "F11 answer" in shown(pilot))
        assert "^E palette" in shown(pilot).splitlines()[-1]
        await pilot.press("f11")
        await until(pilot, lambda: screen_of(pilot).gate_pane.acts)
        await sees(pilot, "f  feedback", "c  finish")
        assert {one.kind: one.key for one in screen_of(pilot).gate_pane.offered()}["finish"] == "c"
        await pilot.press("c")
        await until(pilot, lambda: workspace.session(session).state().finished is not None)


async def test_d_on_home_asks_about_the_chosen_step(run_app: RunApp, workspace: Workspace) -> None:
    await finish(workspace)
    async with run_app(size=(120, 36)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen) and "TODAY" in shown(pilot))
        plans = pilot.app.screen.query_one("#plans", LineList)
        plans.focus()
        plans.cursor = next(place for place, row in enumerate(plans.rows) if row.key and " " not in row.key)
        await pilot.press("d")
        assert not isinstance(pilot.app.screen, FormDialog)
        plans.cursor = next(place for place, row in enumerate(plans.rows) if " " in row.key)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await sees(pilot, "S1 done")
