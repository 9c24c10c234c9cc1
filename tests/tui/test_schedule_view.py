"""The figures of a plan in the application: a line in its head, and a view with why, costs and people."""

from __future__ import annotations

from datetime import date
from threading import Event, current_thread, main_thread

import pytest
from hypothesis import HealthCheck, given, settings
from tests.full_plan import PLAN, TEXT
from tests.properties.plans import plans
from tests.tui.acting import USUAL, WIDE, Look, RunApp, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import calm, settled
from workbench.bootstrap import Workspace
from workbench.domain.loop.gates import Answer
from workbench.domain.plan.figures import figures, with_forecast
from workbench.domain.plan.plan import Plan
from workbench.planning.policies import nobody
from workbench.tui.marks import Marks
from workbench.tui.session.schedule_rows import NOT_SCHEDULED, headline_rows, schedule_rows, when
from workbench.tui.session.view import SessionView

MARKS = Marks()


def lines(width: int) -> list[str]:
    told = with_forecast(PLAN)
    return [line.plain.rstrip() for row in schedule_rows(told, width, MARKS) for line in row.lines]


async def market(workspace: Workspace) -> str:
    """Return a session that waits at a checkpoint, with a plan in which all fields say something."""
    session = await wait_at_checkpoint(workspace, "Hold a market")
    manager = workspace.session(session).resume()
    await manager.answer(manager.state.gate, Answer(kind="edit", text=TEXT))
    await manager.run(nobody)
    return session


def test_a_reason_stands_beside_its_step_or_below_it():
    assert "  S4      Sign the contracts        10–25 Mar           39  after S3" in lines(76)
    assert "✔ S1    Rent the square             2–5 Mar                 done" in lines(76)
    assert "        after S1; waiting" in lines(76), "where it is too long for its column"
    assert (
        lines(58)[lines(58).index("  S4      Sign the contracts       10–25 Mar           39") + 1]
        == "        after S3 · Anna"
    )
    assert any("Anna" in line and line.endswith("with its first part") for line in lines(110)), "with its owner"


def test_costs_people_and_notes_stand_below():
    told = lines(76)
    assert "limit K1    14,000 EUR" in told
    assert any("away: 2026-03-16 – 2026-03-20" in line for line in told)
    assert "Public holidays (DE): 3 days off." in told
    assert told[:2] == [
        "1 of 6 steps done · finish 29 May 2026 · half of all courses by 29 May,",
        "four of five by 1 Jun · 51% by the deadline, 29 May · 12,300 of 14,000 EUR",
    ], "broken where something else is said, and nowhere else"


def test_without_dates_and_costs_it_says_what_will_stand_there():
    empty = figures(Plan(title=""))
    for told in (None, empty):
        said = " ".join(line.plain for row in schedule_rows(told, 60, MARKS) for line in row.lines)
        assert said.strip() == NOT_SCHEDULED
    assert headline_rows(empty, 60) == []


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_no_line_is_wider_than_its_room(plan):
    told = figures(plan)
    for width in (20, 58, 76, 120):
        for row in (*schedule_rows(told, width, MARKS), *headline_rows(told, width)):
            assert all(line.cell_length <= width for line in row.lines)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ("2027-03-12", "2027-03-12", "12 Mar"),
        ("2027-03-12", "2027-03-23", "12–23 Mar"),
        ("2027-03-24", "2027-04-14", "24 Mar–14 Apr"),
        ("2026-11-16", "2026-11-18", "16–18 Nov 26"),
        ("2026-11-16", "2026-12-18", "16 Nov–18 Dec 26"),
        ("2026-12-28", "2027-01-04", "28 Dec 26–4 Jan"),
    ],
)
def test_days_are_told_shortly(start, end, said):
    assert when(date.fromisoformat(start), date.fromisoformat(end), date(2027, 6, 1)) == said


@pytest.mark.full
async def test_the_forecast_comes_after_the_plan_and_holds_up_nothing(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await market(workspace)
    may_go_on, threads = Event(), []

    def slow(_state: object, plan: Plan) -> object:
        threads.append(current_thread())
        assert may_go_on.wait(60)
        return with_forecast(plan)

    monkeypatch.setattr("workbench.export.figures.figures_of", slow)
    async with run_app(size=USUAL) as pilot:
        pilot.app.open_session(session)
        await until(pilot, lambda: "on the deadline, 29 May" in shown(pilot) and threads)
        assert "half of all courses" not in shown(pilot)
        may_go_on.set()
        await until(pilot, lambda: "half of all courses by 29 May" in shown(pilot))
        await settled(pilot)
    assert len(threads) == 1
    assert threads[0] is not main_thread()


async def test_a_key_shows_the_schedule_and_another_the_plan(run_app: RunApp, workspace: Workspace) -> None:
    session = await market(workspace)
    async with run_app(size=USUAL) as pilot:
        pilot.app.open_session(session)
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionView))
        await calm(pilot)
        await pilot.press("ctrl+l", "i")
        await until(pilot, lambda: "why then" in shown(pilot))
        await pilot.press("1")
        await until(pilot, lambda: "Plan v" in shown(pilot) and "why then" not in shown(pilot))


def test_schedule(look: Look, workspace: Workspace) -> None:
    async def go(pilot) -> None:
        pilot.app.open_session(await market(workspace))
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionView))
        await calm(pilot)
        await pilot.press("ctrl+l", "i")
        await until(pilot, lambda: "why then" in shown(pilot) or "slack" in shown(pilot))

    assert look(WIDE, go)
