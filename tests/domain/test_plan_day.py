"""Checks, figures, what is due and the forecast judge alike whether a plan is in time for its day."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.due import due_steps
from workbench.domain.plan.figures import figures, with_forecast
from workbench.domain.plan.plan import Constraint, Criterion, Effort, Plan, Section, Step
from workbench.export.figures import tables

TODAY = date(2027, 3, 1)
DAY = Constraint(id="K1", text="First patient", limits="date", day="2027-04-05")
MOVE = Step(id="S1", title="Move", effort=Effort(1, 1, 1), start="2027-04-02", end="2027-04-02")
HAND_BACK = Step(
    id="S2", title="Hand back", effort=Effort(4, 4, 4), start="2027-04-05", end="2027-04-08", needs=("S1",)
)
LATE = replace(MOVE, start="2027-04-06", end="2027-04-06")
EVENT = replace(MOVE, start=None, end=None, on="2027-04-05")
MEASURED = Criterion(id="C1", text="Patients are seen", due="2027-04-05")


def plan_of(*items: Step | Constraint | Criterion) -> Plan:
    return Plan(title="Move", sections=(Section(id="steps", title="Steps", items=items),))


@pytest.mark.parametrize(
    ("items", "late", "held"),
    [
        pytest.param((DAY, MOVE), "", "", id="ends before its day"),
        pytest.param((DAY, MOVE, HAND_BACK), "S2", "", id="nothing answers the day"),
        pytest.param((DAY, replace(MOVE, answers=("K1",)), HAND_BACK), "", "S1", id="what answers it is in time"),
        pytest.param((DAY, replace(LATE, answers=("K1",)), HAND_BACK), "S1", "S1", id="what answers it is late"),
        pytest.param((DAY, EVENT, HAND_BACK), "", "S1", id="the rest follows the event"),
        pytest.param(
            (MEASURED, replace(MOVE, answers=("C1",)), HAND_BACK), "", "S1", id="a step answers the criterion"
        ),
    ],
)
def test_one_rule_says_whether_a_plan_is_late(items: tuple[Step, ...], late: str, held: str) -> None:
    plan = plan_of(*items)
    told = with_forecast(plan)
    assert told.held == held
    assert told.slack_days is not None
    assert (told.slack_days < 0) is bool(late)
    assert told.forecast is not None
    assert told.forecast.chance == (0 if late else 1)
    found = [one for one in check_plan(plan, today=TODAY) if one.rule == "dates.deadline"]
    assert [(one.item, one.severity) for one in found] == ([(late, "major")] if late else [])
    assert [row.step for row in due_steps(plan, TODAY) if row.kind == "at risk"] == ([late] if late else [])


def test_when_a_criterion_is_measured_is_no_deadline_of_what_does_not_answer_it() -> None:
    plan = plan_of(MEASURED, MOVE, HAND_BACK)
    told = with_forecast(plan)
    assert (told.deadline, told.slack_days, told.forecast and told.forecast.chance) == (None, None, None)
    assert [one for one in check_plan(plan, today=TODAY) if one.rule == "dates.deadline"] == []


# --- the plan's days among other dates --------------------------------------------------------------------------------

FAIR = Constraint(id="K1", text="The fair", limits="date", day="2027-04-05", sets="goal-day")
ALL_DONE = Constraint(id="K3", text="Everything is done", limits="date", day="2027-04-07", sets="deadline")


def told_of(*items: Step | Constraint) -> list[tuple[str, str | None]]:
    kinds = ("dates.deadline", "dates.beyond")
    return [(one.rule, one.item) for one in check_plan(plan_of(*items), today=TODAY) if one.rule in kinds]


def test_what_the_day_it_is_for_needs_has_to_be_done_by_then_though_the_plan_goes_on() -> None:
    posters = replace(LATE, id="S3", needs=())
    assert told_of(FAIR, ALL_DONE, EVENT, posters) == [("dates.deadline", "S3")]
    assert told_of(FAIR, ALL_DONE, EVENT, replace(posters, needs=("S1",))) == []


def test_what_ends_after_the_last_day_is_named_whatever_else_is_in_time() -> None:
    answered = replace(MOVE, answers=("K1", "K3"))
    assert told_of(ALL_DONE, answered, HAND_BACK) == [("dates.deadline", "S2")]
    loose = replace(HAND_BACK, needs=())
    assert told_of(FAIR, answered, loose) == [("dates.beyond", "S2")]
    assert told_of(FAIR, answered, HAND_BACK) == []
    assert told_of(FAIR, answered, replace(loose, deadline="2027-04-09")) == []
    (found,) = (
        one
        for one in check_plan(plan_of(FAIR, MOVE, HAND_BACK, replace(LATE, id="S3")), today=TODAY)
        if one.item == "S2"
    )
    assert found.text.endswith("S3 ends after it, too.")


@pytest.mark.parametrize(
    ("day", "stands"),
    [
        ("2027-03-12", ("1 day", "before")),
        ("2027-03-13", ("", "on")),
        ("2027-03-14", ("1 day", "after")),
        ("2027-03-11", ("1 working day", "before")),
    ],
)
def test_no_other_day_of_a_weekend_is_the_day_it_is_for(day: str, stands: tuple[str, str]) -> None:
    wedding = Constraint(id="K1", text="Wedding", limits="date", day="2027-03-13", sets="goal-day")
    told = figures(plan_of(wedding, Step(id="S1", title="Deliver", on=day, start=day, end=day)))
    assert told.distance == stands
    notes = tables(told)[0].notes
    end = f"on {date.fromisoformat(day).day} Mar, " if stands[0] == "1 day" else ""
    said = f"It ends {end}{' '.join(stands).lstrip()} the day it is for, 13 Mar 2027."
    assert said in notes
