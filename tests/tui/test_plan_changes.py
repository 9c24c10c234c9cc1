"""What made the plan, on a screen: the changes with their causes, an undo, and repairs for its findings."""

from __future__ import annotations

import asyncio

import pytest
from tests.builders import CRITERIA, GOAL_SECTION, Script, plan_reply
from tests.planning.test_removals import ELEVEN
from tests.tui.acting import GOAL, SMALL, WIDE, Look, RunApp, shown, until
from tests.tui.session_fixtures import calm, screen_of, use
from tests.tui.test_session_snapshots import then
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.loop.gates import Answer, Gate
from workbench.domain.plan.operations import Cause, Change, SetField
from workbench.domain.session.session import SessionState
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approve_all
from workbench.planning.ports import Decision
from workbench.tui.screens.plan_changes import PlanChangesDialog
from workbench.tui.screens.session import SessionScreen

EDIT = Answer(kind="change", changes=(Change(SetField("S3", "needs", ["S22"]), Cause("person")),))


@pytest.fixture
def edited(workspace: Workspace) -> str:
    """A session at a checkpoint whose last version, by hand, has a step that needs what is not there."""
    use(workspace, CallableModel(Script().then("plan", plan_reply(GOAL_SECTION, CRITERIA, ELEVEN)), name="guided"))
    manager = workspace.start(GOAL)
    answers = iter([EDIT])

    async def decide(_state: SessionState, asked: Gate) -> Decision | None:
        answer = next(answers, None) if asked.kind == "checkpoint" else approve_all(asked)
        return None if answer is None else Decision(answer, "person")

    asyncio.run(manager.run(decide))
    assert manager.state.version == 3
    return str(manager.session_id)


async def opened(pilot: Pilot[object]) -> None:
    await calm(pilot)
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    await pilot.press("ctrl+l", "w")
    await until(pilot, lambda: isinstance(pilot.app.screen, PlanChangesDialog))
    await until(pilot, lambda: "Repairs offered" in shown(pilot))


def needs(workspace: Workspace, session: str) -> tuple[int, tuple[str, ...]]:
    state = workspace.session(session).state()
    assert state.plan is not None
    return state.version, next(step.needs for step in state.plan.steps if step.id == "S3")


async def test_a_repair_is_accepted(run_app: RunApp, workspace: Workspace, edited: str) -> None:
    async with run_app(session=edited) as pilot:
        await opened(pilot)
        assert "S3 needs S2 in place of S22" in shown(pilot)
        await pilot.press("home", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await until(pilot, lambda: "Plan v4" in shown(pilot))
        await until(pilot, lambda: screen_of(pilot).state.gate is not None)
    assert needs(workspace, edited) == (4, ("S2",))


async def test_a_change_is_undone_and_one_that_others_stand_on_says_why_not(
    run_app: RunApp, workspace: Workspace, edited: str
) -> None:
    before = workspace.session(edited).state().versions[-2].plan
    async with run_app(session=edited) as pilot:
        await opened(pilot)
        listed = pilot.app.screen.query_one("#made")
        places = {row.key: place for place, row in enumerate(listed.rows)}
        first = next(row.key for row in listed.rows if "Steps" in str(row.lines[0]) and "1." in row.key)
        listed.cursor = places[first]
        await pilot.press("u")
        await until(pilot, lambda: "was changed again since, last by 3.1" in " ".join(shown(pilot).split()))
        listed.cursor = places["change 3.1"]
        await pilot.press("u")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await until(pilot, lambda: "Plan v4" in shown(pilot))
        await until(pilot, lambda: screen_of(pilot).state.gate is not None)
    assert workspace.session(edited).state().plan == before


async def test_leaving_it_changes_nothing(run_app: RunApp, workspace: Workspace, edited: str) -> None:
    async with run_app(session=edited) as pilot:
        await opened(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    assert needs(workspace, edited) == (3, ("S22",))


@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])
def test_how_it_looks(look: Look, edited: str, size: tuple[int, int]) -> None:
    assert look(size, then(opened), session=edited)
