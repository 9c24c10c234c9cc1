"""What is set for a day stays on it, and the first of some days of waiting is the day that is set for it."""

from __future__ import annotations

from datetime import date

import pytest
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.figures import figures
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.schedule import with_dates

TODAY = date(2026, 11, 30)
PEOPLE = """
## People

- P1 · Ann
  - Hours: 16 a week
- P2 · Ben
  - Hours: 40 a week
"""


def plan_of(steps: str, rest: str = PEOPLE) -> Plan:
    return with_dates(
        from_markdown(f"# Plan\n\n## Steps\n\n{steps}\n{rest}", Plan(title="")), start=TODAY, deadline=None
    )


def dates(plan: Plan) -> dict[str, tuple[str | None, str | None]]:
    return {step.id: (step.start, step.end) for step in plan.steps}


def told(plan: Plan, *rules: str) -> list[str]:
    return [one.text for one in check_plan(plan, today=TODAY) if one.rule in rules]


@pytest.mark.parametrize(
    "says",
    ["Effort: 1 day", "Effort: 3 days", "Effort: 1 day · Mode: together", "Effort: 1 day · Hours: 09:00-12:00"],
)
def test_all_the_work_of_a_set_day_is_on_it(says: str) -> None:
    plan = plan_of(
        f"- S1 · Inspect\n  - Owner: Ann · On: 2027-01-12 · {says}\n"
        "- S2 · Report\n  - Owner: Ann · On: 2027-01-13\n  - Needs: S1"
    )
    assert dates(plan)["S1"] == ("2027-01-12", "2027-01-12")
    assert told(plan, "dates.needs", "dates.on") == []


def test_a_duration_begins_on_the_day_that_is_set() -> None:
    plan = plan_of("- S1 · Camp\n  - Owner: Ben · Effort: 2 days · Duration: 5 days · On: 2027-01-11")
    assert dates(plan)["S1"] == ("2027-01-11", "2027-01-15")


@pytest.mark.parametrize(
    ("says", "last"),
    [
        ("Wait: 40 days · Not before: 2027-01-25", "2027-03-05"),
        ("Wait: 40 days · On: 2027-01-25", "2027-03-05"),
        ("Wait: 5 working days · Not before: 2027-01-11", "2027-01-15"),
        ("Wait: 5 working days · On: 2027-01-11", "2027-01-15"),
        ("Wait: 5 working days · Not before: 2027-01-09", "2027-01-15"),
        ("Wait: 1 day · On: 2027-01-11", "2027-01-11"),
    ],
)
def test_waiting_begins_with_the_day_that_is_set(says: str, last: str) -> None:
    plan = plan_of(f"- S1 · Delivery\n  - {says}\n- S2 · Unpack\n  - Owner: Ben · Effort: 1 day\n  - Needs: S1")
    assert dates(plan)["S1"][1] == last
    assert (dates(plan)["S2"][0] or "") > last
    assert told(plan, "dates.effort", "dates.needs") == []
    assert figures(plan).finish == max(date.fromisoformat(last or "") for _, last in dates(plan).values())


def test_waiting_behind_a_set_day_and_behind_a_need_is_as_long() -> None:
    plan = plan_of(
        "- S1 · Order\n  - Owner: Ben · Effort: 1 day · On: 2027-01-08\n"
        "- S2 · Delivery\n  - Wait: 5 working days\n  - Needs: S1\n"
        "- S3 · Delivery\n  - Wait: 5 working days · Not before: 2027-01-11"
    )
    assert dates(plan)["S2"][1] == dates(plan)["S3"][1] == "2027-01-15"
