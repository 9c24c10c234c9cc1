"""The twelve tasks of docs/tasks.md: their keys are counted, the tests behind them exist, and two are done here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.tui.acting import GOAL, RunApp, finish, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of
from tests.tui.test_forms import closed, to_plan
from textual.command import CommandPalette
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.tui.form import FormDialog

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "tasks.md"


class Task(NamedTuple):
    """A row of the page."""

    before: int
    now: int
    keys_before: int
    keys_now: int
    tests: list[str]
    by_mouse: bool


def strokes(cell: str) -> int:
    """Return how many keys a cell names: commands by their letters, keys by the spaces between them."""
    return sum(
        len(span) if span.startswith("workbench ") else len(span.split()) for span in re.findall("`([^`]+)`", cell)
    )


def tasks() -> list[Task]:
    rows = [
        line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    return [
        Task(int(before), int(now), strokes(old), strokes(new), re.findall("`([^`]+)`", keys + mouse), "`" in mouse)
        for _, before, now, old, new, keys, mouse in rows[1:]
    ]


def test_the_keys_are_counted() -> None:
    assert len(tasks()) == 12
    for task in tasks():
        assert (task.before, task.now) == (task.keys_before, task.keys_now)
        assert task.now <= task.before
    assert sum(task.now for task in tasks()) <= sum(task.before for task in tasks()) * 2 / 3


def test_the_tests_that_are_named_exist() -> None:
    for name in (name for task in tasks() for name in task.tests):
        file, _, test = name.partition("::")
        assert f"def {test}(" in (HERE / file).read_text(encoding="utf-8"), name


async def test_a_plan_is_closed_and_rated(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, GOAL)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("ctrl+y")
        await until(pilot, lambda: screen_of(pilot).gate_pane.acts)
        await pilot.press("F")
        await until(pilot, lambda: screen_of(pilot).state.finished is not None)
        await pilot.press("ctrl+l", "asterisk")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("4", "enter")
        await closed(pilot)
    state = workspace.session(session).state()
    assert state.finished is not None
    assert state.rating.stars == 4


@pytest.mark.full
async def test_a_slip_and_a_rating_with_the_mouse(run_app: RunApp, workspace: Workspace) -> None:
    session = await finish(workspace, GOAL)
    before = workspace.session(session).state()
    async with run_app(session=session) as pilot:
        await to_plan(pilot)
        await from_the_palette(pilot, "How the work stands")
        await pilot.press(*f"{before.plan.steps[0].id} takes 9 days")
        await click(pilot, "Enter preview")
        await until(pilot, lambda: "ends" in shown(pilot) and "Enter record" in shown(pilot))
        await click(pilot, "Enter record")
        await closed(pilot)
        await from_the_palette(pilot, "Rate, outcome")
        await pilot.press("4")
        await click(pilot, "Enter record")
        await closed(pilot)
    after = workspace.session(session).state()
    assert after.version == before.version + 1
    assert after.rating.stars == 4


async def from_the_palette(pilot: Pilot[Any], words: str) -> None:
    """Click on the palette, and on a command in it; words are typed, as everywhere."""
    await click(pilot, "^P palette")
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
    await pilot.press(*words.lower())
    await until(pilot, lambda: words in shown(pilot))
    await click(pilot, words)
    await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))


async def click(pilot: Pilot[Any], words: str) -> None:
    """Click on words of the screen."""
    lines = shown(pilot).splitlines()
    row = next(number for number, line in enumerate(lines) if words in line)
    await pilot.click(offset=(lines[row].index(words) + 1, row))
