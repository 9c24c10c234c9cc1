"""One table of keys: no key means two things in one focus, and every key that is printed does something there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from tests.tui.acting import (
    ROOMY,
    RunApp,
    Way,
    finish,
    in_turn,
    pressing,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from tests.tui.session_fixtures import HeldModel, calm, gate, review, screen_of, use
from tests.tui.test_session_snapshots import guided_reply
from textual.dom import DOMNode
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.tui.keymap import all_keys, key_name, meet
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.bars import Hints


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


async def in_a_cell(pilot: Pilot[Any]) -> None:
    pane = screen_of(pilot).plan_pane
    pane.focus()
    pane.cursor = next(n for n, row in enumerate(pane.rows) if row.cells)
    await pilot.press("enter")
    await until(pilot, lambda: screen_of(pilot).cells.editing is not None)


WAYS: dict[str, Way] = {
    "plan": pressing("ctrl+l"),
    "changes": pressing("ctrl+l", "2"),
    "history": pressing("ctrl+l", "3"),
    "context": pressing("ctrl+l", "4"),
    "shared": pressing("ctrl+l", "5"),
    "rounds": pressing("ctrl+l", "6"),
    "transcript": pressing("ctrl+l", "t"),
    "status": pressing("ctrl+l", "i"),
    "gate": review,
    "draft": typed,
    "cell": in_a_cell,
}


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


@pytest.mark.full
@pytest.mark.parametrize("start", [wait_at_checkpoint, finish])
async def test_keys_mean_one_thing_and_printed_ones_act(
    run_app: RunApp, workspace: Workspace, start: Callable[..., Any]
) -> None:
    session = await start(workspace)
    async with run_app(session=session, size=ROOMY) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and screen_of(pilot).state is not None)
        await calm(pilot)
        for name, way in WAYS.items():
            if name == "gate" and start is finish:
                continue
            await in_turn(way)(pilot)
            await looked_at(pilot, name)
            await pilot.press("escape", "escape")
            assert screen_of(pilot).plan_pane.has_focus, f"Esc leads back to the plan from {name}"
            assert screen_of(pilot).view == "plan"
            screen_of(pilot).draft.clear()


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
