"""All that is open comes so much later as is said: no step less, and a fixed day too."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.commands.plans import TODAY, parsed
from workbench.domain.commands.results import Parsed
from workbench.domain.plan.plan import Days, DaysOff, Effort, Item, Lag, Person, Plan, Section, Step
from workbench.domain.plan.scheduling.calendar import working_days_between
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.plan.telling.schedule_told import with_computed_dates

PERSON = Person(id="P1", text="Ann", weekdays=(1, 2, 3, 4))
FREEZE = DaysOff(id="H1", text="Freeze", days=(Days("2026-12-24", "2027-01-01"),))


def plan_of(*steps: Step, others: tuple[Item, ...] = ()) -> Plan:
    calendar = Section(id="calendar", title="Calendar", items=others)
    plan = Plan(title="Fair", sections=(calendar, Section(id="steps", title="Steps", items=steps)))
    return with_computed_dates(None, plan, TODAY)


def moved(plan: Plan, text: str) -> tuple[dict[str, Step], Parsed]:
    found = parsed(text, plan)
    return {step.id: step for step in rescheduled(plan, found.plan, today=TODAY).plan.steps}, found


def day(step: Step) -> date:
    return date.fromisoformat(step.on or step.start or "")


def later(begins: date, count: int, unit: str, plan: Plan) -> date:
    if unit == "weeks":
        return begins + timedelta(weeks=count)
    own = WorkTimes.from_plan(plan).own
    return next(
        one
        for one in (begins + timedelta(ahead) for ahead in range(400))
        if working_days_between(begins, one, own) == count
    )


A_DAY = Effort(1, 1, 1)


def test_steps_with_a_day_of_their_own_move_as_far_as_the_others():
    plan = plan_of(
        Step(id="S1", title="Buy", effort=A_DAY),
        Step(id="S2", title="Build", effort=A_DAY, needs=("S1",), not_before="2026-12-14"),
        Step(id="S3", title="Paint", effort=A_DAY, needs=("S2",)),
        Step(id="S4", title="Show", effort=A_DAY, needs=("S1",), on="2026-12-18"),
        Step(id="S5", title="Rest", effort=A_DAY, status="done", finished="2026-11-27"),
    )
    steps, found = moved(plan, "all late 5 working days")
    starts = [(one.start, one.not_before, one.on) for one in steps.values()]
    assert starts[:4] == [
        ("2026-12-07", "2026-12-07", None),
        ("2026-12-21", "2026-12-21", None),
        ("2026-12-22", None, None),  # it follows
        ("2026-12-25", None, "2026-12-25"),
    ]
    assert steps["S5"] == plan.steps[4]
    assert found.notes == ("S4 is on 2026-12-25 then: its fixed day moves, too.",)


@st.composite
def dated_plans(draw: st.DrawFn) -> Plan:
    steps = []
    for number in range(1, draw(st.integers(2, 8))):
        before = [one.id for one in steps]
        needs = tuple(draw(st.sets(st.sampled_from(before), max_size=2))) if before else ()
        fixed = TODAY + timedelta(draw(st.integers(1, 60)))
        kind = draw(st.sampled_from(("free", "free", "not before", "on", "waits")))
        step = Step(
            id=f"S{number}",
            title=f"Step {number}",
            effort=Effort(*[draw(st.sampled_from((0.5, 1.0, 3.0)))] * 3) if kind != "waits" else None,
            waiting=5.0 if kind == "waits" else None,
            owner=draw(st.sampled_from(("", "", "Ann"))),
            needs=needs,
            lags=tuple(Lag(name, 2.0) for name in needs if draw(st.booleans())),
            not_before=fixed.isoformat() if kind == "not before" else None,
            on=fixed.isoformat() if kind == "on" else None,
        )
        steps.append(step)
    return plan_of(*steps, others=draw(st.sampled_from(((), (PERSON,), (PERSON, FREEZE), (FREEZE,)))))


@pytest.mark.cases(60)
@given(dated_plans(), st.integers(1, 12), st.sampled_from(("working days", "weeks")))
@settings(max_examples=1_000, deadline=None)
def test_no_open_step_moves_by_less_than_is_said(plan, count, unit):
    steps, _ = moved(plan, f"all late {count} {unit}")
    for old in plan.steps:
        assert day(steps[old.id]) >= later(day(old), count, unit, plan), old.id


@pytest.mark.cases(60)
@given(dated_plans(), st.integers(1, 12), st.sampled_from(("working days", "weeks")))
@settings(max_examples=1_000, deadline=None)
def test_where_everybody_works_every_weekday_each_step_moves_exactly(plan, count, unit):
    steps = tuple(replace(one, owner="", waiting=None, lags=(), effort=A_DAY) for one in plan.steps)
    plan = plan_of(*steps)
    after, _ = moved(plan, f"all late {count} {unit}")
    for old in plan.steps:
        assert day(after[old.id]) == later(day(old), count, unit, plan), old.id
