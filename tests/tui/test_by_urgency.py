"""The steps of an agreed plan by how urgent they are: late, due today, next, done."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.properties.plans import plans
from tests.tui.acting import WIDE, Look, RunApp, finish, sees, shown, until, wait_at_gate
from tests.tui.session_fixtures import calm, screen_of
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.plan.due import due_steps
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import Effort, Plan, Section, Step
from workbench.tui.base import WorkbenchScreen
from workbench.tui.marks import Marks
from workbench.tui.session import reports
from workbench.tui.session.main_rows import item_at
from workbench.tui.session.plan.plan_page import Page, Standing, page_rows
from workbench.tui.session.plan.plan_tables import Shown
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.line_list import LineList

MONDAY = date(2027, 3, 1)
BILLING = "Move our billing to the new provider by 30 June 2027 without downtime"


def step(number: int, first: int, last: int, **more: Any) -> Step:
    start, end = ((MONDAY + timedelta(days=day)).isoformat() for day in (first, last))
    effort = Effort(1, 2, 3)
    return Step(id=f"S{number}", title=f"Task {number}", owner="Tom", start=start, end=end, effort=effort, **more)


def plan(*steps: Step) -> Plan:
    return Plan(title="Fair", sections=(Section(id="steps", title="Steps", items=steps),))


AGREED = plan(step(1, 0, 1), step(2, 2, 3), step(3, 7, 8, needs=("S2",)), step(4, 9, 10))
NOW = plan(
    step(1, 0, 2, status="done", finished=(MONDAY + timedelta(days=2)).isoformat()),
    step(2, 2, 4),
    step(3, 7, 8, needs=("S2",)),
    step(4, 9, 10),
)


def lines(width: int, now: Plan = NOW) -> list[str]:
    today = MONDAY + timedelta(days=7)
    return [line.plain.rstrip() for row in page_rows(page(now, AGREED, today, width)) for line in row.lines]


def page(now: Plan, agreed: Plan, today: date, width: int) -> Page:
    told = figures(now)
    late = frozenset(one.step for one in due_steps(now, today, soon=0) if one.kind == "late")
    standing = Standing.from_plans(now, agreed, today)
    return Page(now, width, 40, Shown.from_plan(now, told, Marks()), standing=standing, late=late, by_urgency=True)


def test_steps_stand_by_how_urgent_they_are_beside_what_was_agreed() -> None:
    told = lines(110)
    assert [line.strip() for line in told if line.strip() in ("LATE", "TODAY", "NEXT", "DONE")] == [
        *("LATE", "TODAY", "NEXT", "DONE")
    ]
    late = next(line.split() for line in told if " S2 Task 2" in line)
    assert late[:10] == ["!", "S2", "Task", "2", "Tom", "3", "Mar", "5", "Mar", "+1"]


def test_what_moved_is_told_in_days_of_the_calendar() -> None:
    told = lines(110, plan(step(1, 0, 1), step(2, 2, 3), step(3, 7, 8, needs=("S2",)), step(4, 9, 17)))
    assert "+7" in next(line.split() for line in told if " S4 Task 4" in line)


def test_what_is_over_its_own_deadline_is_late() -> None:
    days = [(MONDAY + timedelta(days=day)).isoformat() for day in (2, 4)]
    done = step(1, 0, 9, status="done", finished=days[1], deadline=days[0])
    told = lines(110, plan(done, step(2, 2, 20, deadline=days[1]), step(3, 21, 23, needs=("S2",))))
    assert next(line.split()[1] for line in told[told.index("  LATE") :] if " Task " in line) == "S2"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_no_line_is_wider_than_its_room(of: Plan) -> None:
    for width in (56, 76, 116, 196):
        for row in page_rows(page(of, of, MONDAY, width)):
            assert all(line.cell_length <= width for line in row.lines)


@pytest.fixture
async def under_way(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> str:
    """A saved plan of which a step is done and the next one late."""
    session = await finish(workspace, BILLING)
    opened = workspace.session(session)
    state = opened.state()
    assert state.plan is not None
    steps = sorted((one for one in state.plan.steps if one.end), key=lambda one: one.end or "")
    day = date.fromisoformat(steps[0].end or "")
    opened.edit(f"{steps[0].id} done", today=day)
    now = datetime.fromisoformat(f"{steps[1].end}T09:30:00+00:00").astimezone(UTC) + timedelta(days=3)
    monkeypatch.setattr(WorkbenchScreen, "now", lambda _screen: now)
    monkeypatch.setattr(reports, "today", now.date)
    return session


async def by_urgency(pilot: Pilot[Any]) -> SessionScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and screen_of(pilot).state is not None)
    await calm(pilot)
    await pilot.press("ctrl+l", "i")
    await until(pilot, lambda: "by urgency" in shown(pilot) and "LATE" in shown(pilot))
    return screen_of(pilot)


async def test_a_key_goes_there_and_back(run_app: RunApp, under_way: str) -> None:
    async with run_app(session=under_way, size=WIDE) as pilot:
        await by_urgency(pilot)
        await pilot.press("i")
        await until(pilot, lambda: "LATE" not in shown(pilot))


async def report(pilot: Pilot[Any]) -> None:
    """Say on the first screen that the chosen step is done."""
    await pilot.press("d")
    await sees(pilot, "How does the work stand?", "Enter record")
    await pilot.press("enter")


async def test_a_step_is_said_to_be_done_on_the_first_screen(
    run_app: RunApp, workspace: Workspace, under_way: str
) -> None:
    own = workspace.session(under_way)
    before = own.state().plan
    async with run_app(size=WIDE) as pilot:
        await until(pilot, lambda: "late" in shown(pilot) and pilot.app.screen.query_one("#plans").has_focus)
        plans = pilot.app.screen.query_one("#plans", LineList)
        plans.cursor = next(at for at, row in enumerate(plans.rows) if row.key.startswith(f"{under_way} "))
        await report(pilot)
        await until(pilot, lambda: own.state().plan != before)


async def test_a_step_that_is_due_opens_its_plan_at_that_step(
    run_app: RunApp, workspace: Workspace, under_way: str
) -> None:
    await wait_at_gate(workspace, "Move the shed")
    async with run_app(size=WIDE) as pilot:
        await until(pilot, lambda: "late" in shown(pilot) and pilot.app.screen.query_one("#plans").has_focus)
        plans = pilot.app.screen.query_one("#plans", LineList)
        plans.cursor = next(at for at, row in enumerate(plans.rows) if row.key.startswith(f"{under_way} "))
        step = plans.chosen.partition(" ")[2]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and screen_of(pilot).state is not None)
        screen = screen_of(pilot)
        await until(pilot, lambda: (item := item_at(screen.state.plan, screen.plan_pane.chosen)) and item.id == step)
        assert screen.session == under_way


def test_how_it_looks(look: Look, under_way: str) -> None:
    async def then(pilot: Pilot[Any]) -> None:
        await by_urgency(pilot)
        await calm(pilot)

    assert look(WIDE, then, session=under_way)
