"""The figures of a plan in words, in the head of a plan and in tables: the same in every export."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from tests.full_plan import PLAN, state_with
from workbench.domain.plan.figures import figures, with_forecast
from workbench.domain.plan.plan import Constraint, Effort, Plan, Section, Step
from workbench.domain.plan.scheduling.forecast import Forecast
from workbench.domain.session.items import items
from workbench.export.figures import figures_of, headline, tables
from workbench.export.objects import session_object

HEADLINE = (
    "1 of 6 steps done · finish 29 May 2026 · 50% by 29 May, 80% by 1 Jun · "
    "51% by the deadline, 29 May · 12,300 of 14,000 EUR"
)


def test_the_headline_says_what_a_plan_comes_to():
    assert headline(with_forecast(PLAN)) == HEADLINE
    quick = headline(figures(PLAN))
    assert quick == "1 of 6 steps done · finish 29 May 2026 · on the deadline, 29 May · 12,300 of 14,000 EUR"


@pytest.mark.parametrize(
    ("chance", "said"),
    [(0.834, "83% by the deadline"), (1.0, "over 99% by"), (0.001, "under 1% by"), (0.0, "under 1% by")],
)
def test_a_chance_is_never_certain(chance, said):
    day = date(2026, 5, 29)
    known = replace(figures(PLAN), forecast=Forecast(day, day, chance))
    assert said in headline(known)
    assert "80% by 29 May" in headline(known)


def test_tables_have_schedule_costs_and_people():
    schedule, costs, kinds, people, origins = tables(with_forecast(PLAN))
    assert origins.columns == ("from", "lines", "share")
    assert sum(int(lines) for _, lines, _ in origins.rows) == len([item for item in PLAN.items if item.origin])
    assert [table.title for table in (schedule, costs, kinds, people)] == [
        "Schedule",
        "Costs",
        "Costs by kind",
        "People",
    ]
    assert ("└ S4", "Sign the contracts", "Anna", "", "2026-03-10", "2026-03-25", "39", "after S3") in schedule.rows
    assert ("S8", "Print a newspaper", "", "dropped", "", "", "", "") in schedule.rows
    assert "Public holidays (DE): 3 days off." in schedule.notes
    assert costs.rows[0] == ("S1", "Rent the square", "rent", "1,200.10 EUR")
    assert kinds.rows[-3:] == (("all", "12,300 EUR"), ("limit K1", "14,000 EUR"), ("left", "1,700 EUR"))
    assert people.rows[0][:3] == ("Anna", "organiser", "20 h a week, Mon, Tue, Wed, Thu, Fri")
    assert people.rows[0][-1] == "2026-03-16 – 2026-03-20"


def _headline(*items) -> str:
    section = Section(id="steps", title="Steps", items=items)
    return headline(with_forecast(Plan(title="", sections=(section,))))


def test_a_step_that_nobody_estimated_leaves_no_finish_and_no_chance():
    known = Step(id="S1", title="Ask", effort=Effort(1, 2, 3), start="2026-03-02", end="2026-03-03")
    unknown = Step(id="S2", title="Build", needs=("S1",))
    limit = Constraint(id="K1", text="By 1 June", limits="date", day="2026-06-01")
    assert _headline(known, unknown, limit) == "no finish: S2 has no estimate"
    assert "by the deadline" in _headline(known, limit)


def test_every_export_says_the_same():
    state = state_with(PLAN)
    assert headline(figures_of(state, PLAN)) == HEADLINE
    exported = session_object(state)["plan"]["figures"]
    assert exported["forecast"] == {
        "p50": "2026-05-29",
        "p80": "2026-06-01",
        "chance": pytest.approx(0.51, abs=0.01),
        "varies": True,
    }
    assert exported["finish"] == "2026-05-29"


def test_every_field_of_a_plan_is_found_by_a_search():
    found = "\n".join(item.text for item in items(state_with(PLAN)) if item.id.startswith("section:"))
    for said in ("Away: 2026-03-16", "Public holidays", "Not before: 2026-05-25", "Cost: 1200.10 EUR", "Left: 1 day",
                 "Part of: S2", "Tags: town, paper", "Notes: ask for Mr Vogt", "Wait: 28 days", "Milestone: yes",
                 "From: feedback F1", "S5 + 2 days", "Status: dropped", "Limits: amount"):  # fmt: skip
        assert said in found
