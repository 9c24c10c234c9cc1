"""The figures of a plan in words, in the head of a plan and in tables: the same in every export."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from tests.full_plan import PLAN, state_with
from workbench.domain.plan.figures import figures, with_forecast
from workbench.domain.plan.figures_told import nested
from workbench.domain.plan.forecast import Forecast
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Constraint, Effort, Origin, Plan, Section, Step, WorkingTime
from workbench.domain.session.items import items
from workbench.domain.text.tables import markdown_table
from workbench.export.figures import change_line, figures_of, headline, tables
from workbench.export.markdown import session_markdown
from workbench.export.objects import session_object

HEADLINE = (
    "1 of 6 steps done · finish 29 May 2026 · half of all courses by 29 May, four of five by 1 Jun · "
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
    assert "four of five courses by 29 May" in headline(known)


def test_nothing_is_said_where_nothing_is_known():
    empty = figures(Plan(title="T", sections=(Section(id="goal", title="Goal", text="x"),)))
    assert (headline(empty), tables(empty)) == ("", ())


def test_columns_that_are_empty_are_left_out():
    bare = Plan(title="", sections=(Section(id="s", title="S", items=(Step(id="S1", title="T", start="2026-03-02"),)),))
    (schedule,) = tables(figures(bare))
    assert schedule.columns == ("step", "title", "start", "end", "slack", "why then")


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


def test_a_part_stands_below_its_whole_wherever_the_plan_has_it():
    def step(name: str, parent: str = "") -> Step:
        return Step(id=name, title=name, parent=parent)

    steps = (step("S3", "S1"), step("S1"), step("S4", "S3"), step("S2", "S1"), step("S5", "S5"), step("S6", "S9"))
    plan = Plan(title="", sections=(Section(id="s", title="S", items=steps),))
    told = [(one.step, is_part) for one, is_part in nested(figures(plan).steps)]
    assert sorted(name for name, _ in told) == ["S1", "S2", "S3", "S4", "S5", "S6"], "each once"
    assert told[told.index(("S1", False)) + 1] == ("S2", True)


def test_a_change_says_what_it_does_to_finish_and_costs():
    old = figures(PLAN)
    later = replace(old, finish=date(2026, 6, 2), limits=())
    assert change_line(old, later) == "finish 29 May 2026 → 2 Jun 2026 · 12,300 of 14,000 EUR → 12,300 EUR"
    assert change_line(old, old) == change_line(None, old) == ""


def _headline(*items) -> str:
    section = Section(id="steps", title="Steps", items=items)
    return headline(with_forecast(Plan(title="", sections=(section,))))


def test_a_step_that_nobody_estimated_leaves_no_finish_and_no_chance():
    known = Step(id="S1", title="Ask", effort=Effort(1, 2, 3), start="2026-03-02", end="2026-03-03")
    unknown = Step(id="S2", title="Build", needs=("S1",))
    limit = Constraint(id="K1", text="By 1 June", limits="date", day="2026-06-01")
    assert _headline(known, unknown, limit) == "no finish: S2 has no estimate"
    assert "by the deadline" in _headline(known, limit)


def test_what_happens_on_its_day_is_neither_late_nor_finished_after_it():
    before = Step(id="S1", title="Invite", effort=Effort(1, 2, 3), start="2026-05-28", end="2026-05-29")
    fair = Step(id="S2", title="Fair", needs=("S1",), on="2026-05-30", start="2026-05-30", end="2026-05-31")
    times = WorkingTime(id="W1", backward=True)
    limit = Constraint(id="K1", text="The days are 30 and 31 May", limits="date", day="2026-05-31")
    after = Step(id="S3", title="Clear up", effort=Effort(1, 1, 1), needs=("S2",), start="2026-06-01", end="2026-06-01")
    assert _headline(before, fair, times, limit) == "30 May to 31 May 2026"
    section = Section(id="steps", title="Steps", items=(before, fair, after, times, limit))
    notes = tables(with_forecast(Plan(title="", sections=(section,))))[0].notes
    assert not [note for note in notes if "after the deadline" in note]
    assert _headline(before, fair, after, times, limit) == "30 May to 31 May 2026 · the rest until 1 Jun"


def test_efforts_that_practice_assumes_give_no_chance():
    step = Step(
        id="S1",
        title="Ask",
        effort=Effort(1, 2, 3),
        start="2026-03-02",
        end="2026-03-03",
        origin=Origin("practice", "a/b"),
    )
    limit = Constraint(id="K1", text="By 1 June", limits="date", day="2026-06-01")
    assert _headline(step, limit) == "finish 3 Mar 2026 · efforts assumed"


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


def test_a_cell_does_not_break_its_table():
    step = Step(id="S1", title="a | b\nc", start="2026-03-02", end="2026-03-02")
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=(step,)),))
    assert from_markdown(session_markdown(state_with(plan)), plan) == plan
    (schedule,) = tables(figures_of(state_with(plan), plan))
    assert "| S1 | a \\| b c |" in markdown_table(schedule)


def test_a_file_that_does_not_say_when_it_began_can_be_shown():
    state = replace(state_with(PLAN), today="yesterday")
    assert "finish 29 May 2026" in headline(figures_of(state, PLAN))
