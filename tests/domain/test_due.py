"""Which steps of a plan want attention on a day, and where the plan stands as a whole."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.plans import plans
from workbench.domain.plan.due import due_steps, standing
from workbench.domain.plan.plan import Constraint, Plan, Section, Step

TODAY = date(2027, 3, 10)


def plan_of(*items: Step | Constraint) -> Plan:
    return Plan(title="", sections=(Section(id="steps", title="Steps", items=items),))


def step(number: int = 1, **fields: object) -> Step:
    return Step(id=f"S{number}", title=f"Step {number}", **fields)  # type: ignore[arg-type]  # fields by name


WANTED = [
    ({"start": "2027-03-01", "end": "2027-03-07"}, "late", "3 days late"),
    ({"start": "2027-03-01", "end": "2027-03-31", "deadline": "2027-03-09"}, "late", "1 day late"),
    ({"start": "2027-03-01", "end": "2027-03-07", "deadline": "2027-03-08"}, "late", "2 days late"),
    (
        {"start": "2027-03-10", "end": "2027-03-11", "deadline": "2027-03-10"},
        "at risk",
        "ends 1 day after its deadline",
    ),
    ({"start": "2027-03-01", "end": "2027-03-12"}, "today", "should have begun 9 days ago"),
    ({"start": "2027-03-10", "end": "2027-03-12"}, "today", "begins today"),
    ({"start": "2027-03-10", "end": "2027-03-10"}, "today", "ends today"),
    ({"status": "under-way", "started": "2027-03-08", "end": "2027-03-11"}, "today", "goes on, 1 day left"),
    ({"start": "2027-03-12", "end": "2027-03-17"}, "soon", "begins in 2 days"),
    ({"on": "2027-03-15"}, "soon", "begins in 5 days"),
    (
        {"start": "2027-06-01", "end": "2027-06-10", "deadline": "2027-06-08"},
        "at risk",
        "ends 2 days after its deadline",
    ),
]


@pytest.mark.parametrize(("fields", "kind", "why"), WANTED)
def test_a_step_wants_attention_for_one_reason(fields: dict[str, object], kind: str, why: str) -> None:
    [row] = due_steps(plan_of(step(**fields)), TODAY)
    assert (row.kind, row.why) == (kind, why)
    assert kind != "late" or row.days == -int(why.split(maxsplit=1)[0])


@pytest.mark.parametrize(
    "fields",
    [
        {"start": "2027-03-01", "end": "2027-03-07", "status": "done"},
        {"start": "2027-03-01", "end": "2027-03-07", "status": "dropped"},
        {"start": "2027-05-01", "end": "2027-05-07"},
        {"end": "soon"},
        {},
    ],
)
def test_what_is_done_far_off_or_undated_wants_none(fields: dict[str, object]) -> None:
    assert due_steps(plan_of(step(**fields)), TODAY) == ()


def test_a_later_day_of_a_step_puts_off_no_deadline_of_the_plan() -> None:
    by = Constraint(id="K1", text="By 1 June", limits="date", day="2027-06-01")
    late = step(start="2027-06-10", end="2027-06-25", deadline="2027-07-01")
    assert [one.kind for one in due_steps(plan_of(by, late), TODAY)] == ["at risk"]


def test_what_comes_after_the_event_is_not_late() -> None:
    limit = Constraint(id="K1", text="The fair is on 1 June 2027", limits="date", day="2027-06-01")
    fair = step(1, on="2027-06-01", start="2027-06-01", end="2027-06-01")
    clearing = step(2, needs=("S1",), start="2027-06-02", end="2027-06-02")
    accounts = step(3, needs=("S2",), start="2027-06-10", end="2027-06-12", deadline="2027-06-11")
    thanks = step(4, on="2027-06-05", start="2027-06-05", end="2027-06-05")
    forgotten = step(5, start="2027-06-02", end="2027-06-03")
    rows = due_steps(plan_of(limit, fair, clearing, accounts, thanks, forgotten), TODAY)
    assert [(row.step, row.why) for row in rows] == [
        ("S5", "ends 2 days after the deadline"),
        ("S3", "ends 1 day after its deadline"),
    ]
    moved = msgspec.structs.replace(fair, on="2027-06-03", start="2027-06-03", end="2027-06-03")
    assert [row.step for row in due_steps(plan_of(limit, moved, clearing), TODAY)] == ["S2", "S1"]


def test_a_step_that_moved_says_when_it_was_agreed() -> None:
    agreed = plan_of(step(start="2027-03-08", end="2027-03-09"))
    [row] = due_steps(plan_of(step(start="2027-03-09", end="2027-03-11")), TODAY, baseline=agreed)
    assert row.was == "2027-03-09"


@given(plans(), st.dates(date(2026, 1, 1), date(2028, 1, 1)))
def test_any_plan_can_be_asked_the_most_urgent_first(plan: Plan, today: date) -> None:
    rows = due_steps(plan, today)
    kinds = [row.kind for row in rows]
    assert kinds == sorted(kinds, key=("late", "at risk", "today", "soon").index)
    assert all(row.days < 0 for row in rows if row.kind == "late")


STANDINGS = [
    ((), True, "agreed"),
    ((), False, "draft"),
    (("todo", "done"), True, "under way"),
    (("under-way",), False, "under way"),
    (("done", "dropped"), True, "done"),
    (("dropped",), True, "agreed"),
]


@pytest.mark.parametrize(("statuses", "is_agreed", "expected"), STANDINGS)
def test_a_plan_stands_where_its_steps_stand(statuses: tuple[str, ...], is_agreed: bool, expected: str) -> None:
    plan = plan_of(*(step(number, status=status) for number, status in enumerate(statuses, 1)))
    assert standing(plan, is_agreed=is_agreed) == expected
    assert standing(plan, is_agreed=is_agreed, is_given_up=True) == "given up"
