"""Small plans whose steps have little time in common, long chains and many funds: worked out at once, or refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from tests.pace import took
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.scheduling.schedule import schedule
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.plan.telling.schedule_told import with_missing_dates
from workbench.export.imported import Preview

TODAY = date(2026, 12, 1)
DAYS = ("Mon", "Tue", "Wed", "Thu")


def listed(title: str, items: list[str]) -> str:
    return "\n".join([f"## {title}", "", *items, ""])


def steps(count: int, fields: Callable[[int], str]) -> str:
    return "# P\n\n" + listed("Steps", [f"- S{n} · step {n}\n  - {fields(n)}" for n in range(1, count + 1)])


def people() -> str:
    away = [
        f"- P{n} · A{n}\n  - Hours: {n + 5} a week\n  - Away again: weekly on {DAYS[n]} from 2027-01-06"
        for n in range(4)
    ]
    return listed("People", away)


def together(count: int) -> str:
    return steps(count, lambda _: "Owner: A0 · Also: A1, A2, A3 · Effort: 2 days each · Mode: together") + people()


def on_fridays(count: int) -> str:
    of_each = "Owner: A0 · Also: A1, A2, A3 · Effort: 2 days each · Duration: 10 days · Mode: together · Place: L1"
    place = listed("Places", ["- L1 · Room\n  - Weekdays: Fri · Hours: 08:00-18:00"])
    return steps(count, lambda _: of_each) + people() + place


def funds(count: int) -> str:
    limits = [f"- M{n} · fund {n}\n  - Limit: {n} EUR · Reserve: 10 %" for n in range(1, count + 1)]
    return steps(count, lambda n: f"Cost: {n} EUR · Fund: M{n}") + listed("Money", limits)


def waits(count: int) -> str:
    return steps(count, lambda n: "Wait: 480 hours" + (f" · Needs: S{n - 1} + 48 hours" if n > 1 else ""))


def periods(count: int) -> str:
    days = (f"{2027 + n % 100}-0{n % 9 + 1}" for n in range(count))
    hours = [f"  - Capacity: {n % 30 + 1} h a week from {day}-01 until {day}-20" for n, day in enumerate(days)]
    return steps(1, lambda _: "Owner: Anna · Effort: 3 days") + listed("People", ["- P1 · Anna", *hours])


def chain(count: int) -> str:
    return steps(count, lambda n: "Effort: 3 days" + (f" · Needs: S{n - 1}" if n > 1 else ""))


PLANS = {
    "a chain": (chain, 2_500, 3.0),
    "funds": (funds, 1_250, 2.0),
    "waits": (waits, 1_200, 3.0),
    "periods of one person": (periods, 1_000, 3.0),
}
"""What makes them, of how many steps, and the seconds within which each is read, dated and checked."""


@pytest.mark.untraced
@pytest.mark.parametrize("kind", PLANS)
def test_a_small_plan_is_worked_out_at_once(kind: str) -> None:
    made, count, within = PLANS[kind]
    text = made(count)
    read = lambda: Preview.from_imported(import_plan(text, name="plan.md", today=TODAY), TODAY)  # noqa: E731
    assert took(read, within=within) < within


@pytest.mark.untraced
@pytest.mark.cases(1)
@pytest.mark.parametrize(("made", "count"), [(together, 60), (on_fridays, 80)])
def test_steps_that_share_little_time_are_dated_soon(made: Callable[[int], str], count: int) -> None:
    plan = import_plan(made(count), name="plan.md", today=TODAY).plan
    dated: list[Plan] = []
    assert took(lambda: dated.append(with_missing_dates(plan, TODAY)), within=3) < 3
    assert all(step.end for step in dated[0].steps)


def test_what_would_take_too_long_to_date_is_refused_in_words() -> None:
    plan = import_plan(on_fridays(200), name="plan.md", today=TODAY).plan
    with pytest.raises(PlanUnsound, match="too many steps share too little time"):
        schedule(plan.steps, start=TODAY, deadline=None, times=WorkTimes.from_plan(plan))
