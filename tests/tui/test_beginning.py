"""What a plan begins with, without a model: steps of a template, what the goal's values are, and steps of one's own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.tui.acting import GOAL, SMALL, USUAL, Look, RunApp, in_turn, pressing, sees, shown, until, wait_at_gate
from tests.tui.session_fixtures import gate, review, write
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.loop.asking.tasks import Approach
from workbench.domain.loop.begin import Begin
from workbench.templates.proposing import OWN_STEPS
from workbench.tui.marks import Marks
from workbench.tui.session.begin import BeginDialog, choice_rows
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.field import Draft

BILLING = f"{GOAL}, for at most 40,000 EUR"
TO_STEPS = ("down",) * 3
"""From what the three values of the goal are to the first step of the template."""
OWN = "Book the hall 2d @Anna by 3 May 2027\nTell the bank"


@pytest.fixture
def session(workspace: Workspace) -> str:
    """A session whose approaches stand to choose: variants of templates, and the person's own steps."""
    return asyncio.run(wait_at_gate(workspace, BILLING, name="billing"))


async def choosing(pilot: Pilot[Any], number: int = 1) -> BeginDialog:
    """Choose an approach, and wait for what is asked then."""
    await gate(pilot, "approach")
    await review(pilot, str(number))
    await until(pilot, lambda: isinstance(pilot.app.screen, BeginDialog))
    dialog = pilot.app.screen
    assert isinstance(dialog, BeginDialog)
    return dialog


async def drafted(pilot: Pilot[Any]) -> None:
    """Draft the plan with what is ticked and typed."""
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    await gate(pilot, "checkpoint")


def begun(workspace: Workspace, session: str) -> Begin:
    given = workspace.session(session).state().begin
    assert given is not None
    return given


def titles(workspace: Workspace, session: str) -> list[str]:
    plan = workspace.session(session).state().plan
    assert plan is not None
    return [step.title for step in plan.steps]


async def test_a_template_is_taken_as_it_is(run_app: RunApp, workspace: Workspace, session: str) -> None:
    steps = workspace.session(session).state().approaches[0].outline
    async with run_app(session=session) as pilot:
        await choosing(pilot)
        await drafted(pilot)
    assert begun(workspace, session) == Begin(template="move-system:cohorts", keep=tuple(range(1, 10)))
    assert titles(workspace, session) == list(steps)


async def test_steps_are_left_out_values_made_something_and_own_steps_written(
    run_app: RunApp, workspace: Workspace, session: str
) -> None:
    first, _, *others = workspace.session(session).state().approaches[0].outline
    async with run_app(session=session) as pilot:
        await choosing(pilot)
        await pilot.press("space", "down", "down", "enter")
        await pilot.press("down", "down", "space", "down", "space", "space", "tab")
        await write(pilot, OWN)
        await drafted(pilot)
    given = begun(workspace, session)
    assert given.keep == (1, *range(3, 10))
    assert given.commands == ("deadline 2028-06-30", "budget 40000 EUR")
    assert titles(workspace, session) == [first, *others, "Book the hall", "Tell the bank"]
    state = workspace.session(session).state()
    assert state.plan is not None
    hall = next(step for step in state.plan.steps if step.title == "Book the hall")
    assert (hall.owner, hall.deadline) == ("Anna", "2027-05-03")
    assert workspace.session(session).audit().ok


async def test_enter_begins_the_next_line_of_own_steps(run_app: RunApp, workspace: Workspace, session: str) -> None:
    own = next(
        number
        for number, one in enumerate(workspace.session(session).state().approaches, 1)
        if one.title.startswith(OWN_STEPS)
    )
    async with run_app(session=session) as pilot:
        dialog = await choosing(pilot, own)
        await pilot.press(*"Pack 2d", "enter", *"Move")
        assert dialog.query_one(Draft).text == "Pack 2d\nMove"
        await drafted(pilot)
    assert begun(workspace, session) == Begin(outline="Pack 2d\nMove")
    assert titles(workspace, session) == ["Pack", "Move"]


async def test_a_plan_without_steps_is_asked_about_and_its_first_steps_are_dated(
    run_app: RunApp, workspace: Workspace, session: str
) -> None:
    own = len(workspace.session(session).state().approaches)
    async with run_app(session=session) as pilot:
        dialog = await choosing(pilot, own)
        await pilot.press("ctrl+s")
        await sees(pilot, "No step is typed yet", "again drafts an empty plan")
        await pilot.press("P", "backspace", "ctrl+s")
        await sees(pilot, "No step is typed yet")
        assert pilot.app.screen is dialog
        await drafted(pilot)
    assert titles(workspace, session) == []
    for line in ("Pack", "Move"):
        workspace.session(session).edit(f'add "{line}" 2d')
    plan = workspace.session(session).state().plan
    assert plan is not None
    assert all(step.start and step.end for step in plan.steps)


async def test_esc_leaves_the_approaches_to_choose(run_app: RunApp, workspace: Workspace, session: str) -> None:
    before = workspace.log.head(session)
    async with run_app(session=session) as pilot:
        await choosing(pilot)
        await pilot.press(*TO_STEPS, "space", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "approach")
        await choosing(pilot)
        assert "[ ] List everything" not in shown(pilot), "what was left is not kept"
    assert workspace.log.head(session) == before


async def test_what_cannot_be_read_says_why_and_keeps_everything(
    run_app: RunApp, workspace: Workspace, session: str
) -> None:
    async with run_app(session=session, size=USUAL) as pilot:
        dialog = await choosing(pilot)
        await pilot.press(*TO_STEPS, "space", "tab")
        await write(pilot, "word " * 200)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Give a step's line at most 500 characters." in shown(pilot))
        assert "^S draft the plan" in shown(pilot)
        dialog.query_one(Draft).clear()
        await until(pilot, lambda: "at most 500" not in shown(pilot))
        await drafted(pilot)
    assert begun(workspace, session).keep == tuple(range(2, 10))


def test_how_it_looks(look: Look, session: str) -> None:
    async def asked(pilot: Pilot[Any]) -> None:
        await choosing(pilot)

    ticked = pressing("space", *TO_STEPS, "down", "space", shows="[ ] Map it")
    assert look(SMALL, in_turn(asked, ticked), session=session)


def template(*steps: str) -> Approach:
    return Approach(id="A1", title="Move", summary="", outline=steps, template="move")


@pytest.mark.parametrize("width", [6, 20, 88])
def test_no_line_is_wider_than_its_room_and_nothing_in_it_acts(width: int) -> None:
    hostile = "\x1b]0;x\x07[@click=app.quit]x[/] \u202e漢字 " + "long " * 60
    rows = list(choice_rows(template(hostile, "Pack"), [hostile], {"step:1"}, width, Marks()))
    assert [row.key for row in rows if row.key] == ["value:1", "step:1", "step:2"]
    lines = [line for row in rows for line in row.lines]
    assert not any(set(line.plain) & set("\x1b\x07\u202e\n") for line in lines)
    assert max(line.cell_length for line in lines) <= width
