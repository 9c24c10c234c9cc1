"""Checks, figures, what is due and the forecast judge alike whether a plan is in time for its day."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.due import due_steps
from workbench.domain.plan.figures import with_forecast
from workbench.domain.plan.plan import Constraint, Criterion, Effort, Plan, Section, Step

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
        pytest.param((MEASURED, MOVE, HAND_BACK), "S2", "", id="only a criterion names the day"),
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
