"""The critical path method, against examples worked by hand and properties that always hold."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.critical_path import critical_path
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Constraint, Effort, Plan, Section, Step
from workbench.domain.plan.scheduling.calendar import add_working_days, working_days_between
from workbench.domain.plan.scheduling.cycles import find_cycles, knots
from workbench.domain.plan.scheduling.forecast import forecast
from workbench.domain.plan.scheduling.schedule import schedule, with_dates
from workbench.domain.plan.scheduling.step_work import duration

MONDAY = date(2026, 11, 23)
DAYS = st.dates(date(1920, 1, 1), date(2180, 1, 1))


def step(step_id: str, days: float | None = 1, *needs: str) -> Step:
    effort = None if days is None else Effort(low=days, likely=days, high=days)
    return Step(id=step_id, title=step_id, effort=effort, needs=needs)


HOUSE = (step("S1", 3), step("S2", 5, "S1"), step("S3", 2, "S1"), step("S4", 1, "S2", "S3"))
"""S1 → S2 → S4 is 9 days; S3 can slip by 3."""


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Step, ...]:
    """Steps that need only steps before them, in any order."""
    steps = []
    for number in range(draw(st.integers(0, 8))):
        needs = draw(st.lists(st.sampled_from(range(number)), unique=True)) if number else []
        low, likely, high = sorted(draw(st.tuples(*[st.integers(0, 20)] * 3)))
        effort = draw(st.sampled_from([None, Effort(low=low, likely=likely, high=high)]))
        steps.append(Step(id=f"S{number}", title="", effort=effort, needs=tuple(f"S{n}" for n in needs)))
    return tuple(draw(st.permutations(steps)))


@given(DAYS, st.integers(-3000, 3000))
def test_counting_forth_and_back_returns(day, count):
    first = add_working_days(day, 0)
    there = add_working_days(day, count)
    assert there.isoweekday() <= 5
    assert working_days_between(first, there) == count
    assert add_working_days(there, -count) == first


@given(DAYS, st.integers(0, 60))
def test_working_days_are_the_days_that_a_calendar_counts(day, count):
    last = day + timedelta(days=count)
    counted = sum((day + timedelta(days=n)).isoweekday() <= 5 for n in range(1, count + 1))
    assert working_days_between(day, last) == counted
    assert working_days_between(last, day) == -counted


@pytest.mark.parametrize(("day", "count"), [(date.max, 1), (date.min, -1), (MONDAY, 10**12)])
def test_beyond_the_calendar_is_an_error_with_a_remedy(day, count):
    with pytest.raises(PlanUnsound) as caught:
        add_working_days(day, count)
    assert caught.value.remedy


def test_a_step_takes_whole_days_and_at_least_one():
    assert duration(Step(id="S1", title="", effort=Effort(low=1, likely=2, high=4))) == 3
    assert duration(step("S1", 0.1)) == 1
    assert duration(step("S1", None)) == 1


def test_the_longest_chain_is_critical():
    planned = schedule(HOUSE, start=MONDAY, deadline=date(2026, 12, 4))
    rows = {row.step: row for row in planned.rows}
    assert planned.critical_path == ("S1", "S2", "S4")
    assert planned.finish == date(2026, 12, 3)
    assert (rows["S3"].start, rows["S3"].end) == (date(2026, 11, 26), date(2026, 11, 27))
    assert (rows["S3"].late_start, rows["S3"].late_end, rows["S3"].slack) == (date(2026, 12, 1), date(2026, 12, 2), 3)
    assert [row.step for row in planned.rows if row.critical] == ["S1", "S2", "S4"]
    assert planned.slack_days == 1
    assert forecast(planned, deadline=date(2026, 12, 4)).chance == 1.0
    assert [str(row.why) for row in planned.rows] == [
        "the work begins then",
        "S1 has to end before",
        "S1 has to end before",
        "S2 has to end before",
    ]


def test_no_steps_take_no_time():
    planned = schedule([], start=MONDAY, deadline=None)
    assert (planned.rows, planned.finish, planned.critical_path) == ((), MONDAY, ())
    assert planned.slack_days is None
    assert forecast(planned, deadline=MONDAY).chance == 1.0


@given(graphs(), DAYS)
def test_every_schedule_is_sound(steps, start):
    planned = schedule(steps, start=start, deadline=None)
    rows = {row.step: row for row in planned.rows}
    assert list(rows) == [step.id for step in steps]
    for step_ in steps:
        row = rows[step_.id]
        assert start <= row.start <= row.end <= planned.finish
        assert row.late_end <= planned.finish
        assert row.slack == working_days_between(row.end, row.late_end) >= 0
        assert all(rows[needed].end < row.start for needed in step_.needs)
        assert all(rows[needed].late_end < row.late_start for needed in step_.needs)
    assert sum(duration(step_) for step_ in steps if step_.id in planned.critical_path) == (
        working_days_between(add_working_days(start, 0), planned.finish) + bool(steps)
    )
    assert all(rows[step_].critical for step_ in planned.critical_path)


@given(graphs(), DAYS)
def test_without_calendars_and_people_dates_are_those_of_the_critical_path(steps, start):
    planned = schedule(steps, start=start, deadline=None)
    rows, path = critical_path(steps, start)
    assert {row.step: (row.start, row.end, row.late_start, row.late_end) for row in planned.rows} == rows
    assert planned.critical_path == path


@pytest.mark.parametrize(
    ("steps", "named"),
    [
        ((step("S1"), step("S1")), "S1"),
        ((Step(id="S1", title="", effort=Effort(low=1, likely=1, high=float("inf"))),), "S1"),
        ((Step(id="S1", title="", effort=Effort(low=1, likely=float("nan"), high=1)),), "S1"),
    ],
)
def test_what_cannot_be_calculated_is_named(steps, named):
    with pytest.raises(PlanUnsound) as caught:
        schedule(steps, start=MONDAY, deadline=None)
    assert named in caught.value.message
    assert caught.value.remedy


def test_huge_estimates_are_refused_and_not_counted_day_by_day():
    with pytest.raises(PlanUnsound):
        schedule([step("S1", 1e300)], start=MONDAY, deadline=None)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20))
def test_there_is_one_cycle_of_needs_for_each_knot_and_none_where_there_is_an_order(edges):
    needs = {f"S{n}": tuple(f"S{b}" for a, b in edges if a == n) for n in range(7)}
    steps = [step(name, 1, *needed) for name, needed in needs.items()]
    cycles = find_cycles(steps)
    for cycle in cycles:
        for needed, needing in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            assert needed in needs[needing]
        assert len(set(cycle)) == len(cycle)
    assert len(cycles) == len(knots(steps))
    assert all(
        set(cycle) <= set(knot) and cycle[0] == knot[0] for cycle, knot in zip(cycles, knots(steps), strict=True)
    )
    circular = {name for knot in knots(steps) for name in knot}
    assert circular == {name for name in needs if name in reachable(needs, name)}
    schedule(
        [
            step(name, 1, *needed)
            for name, needed in needs.items()
            if name not in circular
            for needed in [[one for one in needed if one not in circular]]
        ],
        start=MONDAY,
        deadline=None,
    )


def reachable(needs, name):
    found, ahead = set(), [name]
    while ahead:
        new = set(needs[ahead.pop()]) - found
        found |= new
        ahead += new
    return found


def test_a_chain_as_long_as_no_plan_is_walked_without_recursion():
    names = [f"S{n}" for n in range(5000)]
    chain = [step(name, 1, *needed) for name, needed in zip(names, [[], *([name] for name in names)], strict=False)]
    assert find_cycles(chain) == ()
    assert find_cycles([step("S0", 1, "S4999"), *chain[1:]]) == (tuple(names),)


def test_only_sections_whose_dates_change_are_new():
    words = Section(id="goal", title="Goal", text="Build.")
    limits = Section(id="constraints", title="Constraints", items=(Constraint(id="K1", text="dry"),))
    plan = Plan(title="House", sections=(words, limits, Section(id="steps", title="Steps", items=HOUSE)))
    dated = with_dates(plan, start=MONDAY, deadline=None)
    assert dated.section("goal") is words
    assert dated.section("constraints") is limits
    assert (dated.steps[1].start, dated.steps[1].end) == ("2026-11-26", "2026-12-02")
    again = with_dates(dated, start=MONDAY, deadline=None)
    assert all(new is old for new, old in zip(again.sections, dated.sections, strict=True))
