"""How the work of an agreed plan stands: its groups, agreed beside now, and what a person does there."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.properties.plans import plans
from tests.tui.acting import WIDE, Look, RunApp, finish, shown, until, wait_at_gate
from tests.tui.session_fixtures import calm, screen_of
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.plan.due import due_steps
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import Effort, Plan, Section, Step
from workbench.tui.base import WorkbenchScreen
from workbench.tui.form import FormDialog
from workbench.tui.marks import Marks
from workbench.tui.session import reports
from workbench.tui.session.main_rows import item_at
from workbench.tui.session.plan_page import Page, Standing
from workbench.tui.session.plan_tables import Shown
from workbench.tui.session.screen import SessionScreen
from workbench.tui.session.status_rows import status_rows
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
    return [line.plain.rstrip() for row in status_rows(page(now, AGREED, today, width)) for line in row.lines]


def page(now: Plan, agreed: Plan, today: date, width: int) -> Page:
    told = figures(now)
    late = frozenset(one.step for one in due_steps(now, today, soon=0) if one.kind == "late")
    standing = Standing.of(now, agreed, told, today)
    return Page(now, width, 40, Shown.of(now, told, Marks()), standing=standing, late=late, is_status=True)


def test_steps_stand_by_how_urgent_they_are_and_agreed_beside_now() -> None:
    told = lines(110)
    heads = [line.split()[0] for line in told if line.strip().split()[:1] and line.strip().split()[0].isupper()]
    assert [head for head in heads if len(head) > 3] == ["LATE", "TODAY", "NEXT", "DONE"]
    late = next(line.split() for line in told if " S2 Task 2" in line)
    assert late[:10] == ["!", "S2", "Task", "2", "Tom", "4", "Mar", "5", "Mar", "+1"]
    assert "! S2 holds up S3." in told
    assert any("1 of 4 steps" in line and "none of them on time" in line for line in told)


def test_what_is_over_its_own_deadline_is_late_and_counted_from_there() -> None:
    days = [(MONDAY + timedelta(days=day)).isoformat() for day in (2, 4)]
    done = step(1, 0, 9, status="done", finished=days[1], deadline=days[0])
    now = plan(done, step(2, 2, 20, deadline=days[1]), step(3, 21, 23, needs=("S2",)))
    told = [line.plain for row in status_rows(page(now, now, MONDAY + timedelta(days=7), 110)) for line in row.lines]
    assert any("none of them on time, S1 2 days late" in line for line in told)
    assert next(line.split()[1] for line in told[told.index("  LATE") :] if " Task " in line) == "S2"
    assert any("S2 holds up S3." in line for line in told)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_no_line_is_wider_than_its_room(of: Plan) -> None:
    for width in (20, 56, 76, 116, 196):
        for row in status_rows(page(of, of, MONDAY, width)):
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


async def to_status(pilot: Pilot[Any]) -> SessionScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and screen_of(pilot).state is not None)
    await calm(pilot)
    await pilot.press("ctrl+l", "1")
    await until(pilot, lambda: "status of" in shown(pilot) and "LATE" in shown(pilot))
    return screen_of(pilot)


async def test_what_is_written_there_is_a_report(run_app: RunApp, workspace: Workspace, under_way: str) -> None:
    before = workspace.session(under_way).state()
    async with run_app(session=under_way, size=WIDE) as pilot:
        screen = await to_status(pilot)
        row = next(row for row in screen.plan_pane.rows if row.is_marked)
        late = item_at(screen.state.plan, row.key).id
        screen.draft.focus()
        await pilot.press(*f"{late} done", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog) and "Enter record" in shown(pilot))
        assert workspace.session(under_way).state().version == before.version
        await pilot.press("enter")
        await until(
            pilot, lambda: screen.is_current and screen.state.version > before.version and not screen.draft.text
        )
    after = workspace.session(under_way).state()
    assert after.finished is not None, "it stays finished"
    assert next(one.status for one in after.plan.steps if one.id == late) == "done"


async def test_a_step_that_is_due_opens_how_its_plan_stands(
    run_app: RunApp, workspace: Workspace, under_way: str
) -> None:
    await wait_at_gate(workspace, "Move the shed")
    async with run_app(size=WIDE) as pilot:
        await until(pilot, lambda: "late" in shown(pilot) and pilot.app.screen.query_one("#plans").has_focus)
        plans = pilot.app.screen.query_one("#plans", LineList)
        plans.cursor = next(at for at, row in enumerate(plans.rows) if row.key.startswith(f"{under_way} "))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and "status of" in shown(pilot))
        assert screen_of(pilot).session == under_way


def test_how_it_looks(look: Look, under_way: str) -> None:
    async def then(pilot: Pilot[Any]) -> None:
        await to_status(pilot)
        await calm(pilot)

    assert look(WIDE, then, session=under_way)
