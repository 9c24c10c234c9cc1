"""What is calculated from a plan: dates and why, costs, people, and how likely the end is."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, example, given, settings
from msgspec.structs import replace
from tests.full_plan import PLAN
from tests.properties.plans import plans
from workbench.domain.plan.figures import _firm, _has_no_end, _leaves, figures, first_day, with_forecast
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import (
    Constraint,
    Days,
    Effort,
    Item,
    Lag,
    Money,
    Person,
    Plan,
    Section,
    Step,
    WorkingTime,
    deadline_of,
)
from workbench.domain.plan.scheduling.schedule import with_dates

MONDAY = date(2027, 1, 4)
FRIDAY = "2027-01-29"
BY_FRIDAY = Constraint(id="K1", text="Done by 29 January 2027", limits="date", day=FRIDAY)


def step(number: int, days: float = 1, **fields: object) -> Step:
    effort = Effort(low=days, likely=days, high=days)
    return Step(**{"id": f"S{number}", "title": f"Task {number}", "effort": effort, **fields})


def plan_of(*items: Item) -> Plan:
    return Plan(title="", sections=(Section(id="all", title="All", items=items),))


def dated(*items: Item) -> Plan:
    plan = plan_of(*items)
    return with_dates(plan, start=MONDAY, deadline=deadline_of(plan))


def why(plan: Plan) -> dict[str, str]:
    return {one.step: one.why for one in figures(plan).steps}


ANNA = Person(id="P1", text="Anna", away=(Days("2027-01-05", "2027-01-08"),))


@pytest.mark.parametrize(
    ("items", "told"),
    [
        ([step(1)], {"S1": "the work begins"}),
        ([step(1), step(2, needs=("S1",))], {"S2": "after S1"}),
        ([step(1), step(2, needs=("S1",), lags=(Lag("S1", 2),))], {"S2": "after S1 + 2 days"}),
        ([step(1), step(2, needs=("S1",), lags=(Lag("S1", 3, elapsed=True),))], {"S2": "after S1 + 3 calendar days"}),
        (
            [Person(id="P1", text="Anna"), step(1, owner="Anna"), step(2, owner="Anna")],
            {"S1": "the work begins", "S2": "Anna is busy with S1"},
        ),
        ([ANNA, step(1), step(2, needs=("S1",), owner="Anna")], {"S2": "after S1; Anna is away until 8 Jan"}),
        ([step(1), step(2, not_before="2027-01-12")], {"S2": "not before 12 Jan"}),
        (
            [ANNA, step(1), step(2, owner="Anna", not_before="2027-01-06")],
            {"S2": "not before 6 Jan; Anna is away until 8 Jan"},
        ),
        ([step(1), step(2, on="2027-01-09")], {"S2": "its fixed day"}),
        (
            [step(1, status="done", started="2027-01-04", finished="2027-01-05"), step(2, needs=("S1",))],
            {"S1": "done", "S2": "after S1"},
        ),
        ([step(1, status="under-way", started="2027-01-04")], {"S1": "it began then"}),
        ([step(1), step(2, parent="S1")], {"S1": "with its first part", "S2": "the work begins"}),
        (
            [WorkingTime(id="W1", backward=True), BY_FRIDAY, step(1), step(2, needs=("S1",))],
            {"S1": "just in time for S2", "S2": "just in time for the deadline"},
        ),
    ],
)
def test_each_step_says_why_it_begins_then(items, told):
    assert why(dated(*items)).items() >= told.items()


def test_a_day_that_the_plan_sets_is_kept_and_holds_what_follows():
    gap = dated(step(1), step(2, needs=("S1",)), step(3, needs=("S2",)))
    later = {"S2": "2027-01-18", "S3": "2027-01-19"}
    steps = [replace(one, start=later.get(one.id, one.start), end=later.get(one.id, one.end)) for one in gap.steps]
    told = figures(plan_of(BY_FRIDAY, *steps))
    assert [one.why for one in told.steps] == ["the work begins", "set by the plan", "after S2"]
    assert (told.finish, told.slack_days) == (date(2027, 1, 19), 8)
    assert told.steps[0].slack == 9, "it can use the gap before the second"


def test_the_full_plan_comes_to_its_figures():
    told = with_forecast(PLAN)
    assert (told.done, told.count) == (1, 6)
    assert (told.finish, told.deadline, told.slack_days) == (date(2026, 5, 29), date(2026, 5, 29), 0)
    assert [off.days for off in told.calendar.days_off] == [3]
    (limit,) = told.limits
    assert (limit.planned.amount, limit.over) == (Decimal("12300.00"), Decimal(-1700))
    assert told.forecast.p50 <= told.forecast.p80
    assert {one.step: one.part_of for one in told.steps if one.part_of} == {"S3": "S2", "S4": "S2"}


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
@example(plan_of(step(1, needs=("S9",), status="under-way"), step(2, condition="it rains", end="2027-01-08")))
def test_any_plan_has_figures(plan):
    quick, whole = figures(plan), with_forecast(plan)
    assert replace(whole, forecast=None) == quick
    is_open = any(
        map(_has_no_end, _firm(plan, list(_leaves(plan))))
    )  # nobody has said when one happens or how long it takes
    if quick.unsound:  # then no step has other days than its own
        assert quick.finish is None or not is_open
    else:
        assert (quick.finish is None) == (first_day(plan) is None or is_open)
    assert [one.step for one in quick.steps] == [one.id for one in plan.steps]
    if whole.forecast is not None and whole.forecast.chance is not None:
        assert 0 <= whole.forecast.chance <= 1


@pytest.mark.parametrize(
    ("amount", "shown"), [("41301.6", "41,301.60"), ("12300", "12,300"), ("-0.5", "-0.50"), ("0.125", "0.125")]
)
def test_cents_have_two_digits(amount: str, shown: str) -> None:
    assert money_text(Money(Decimal(amount), "GBP")) == f"{shown} GBP"
