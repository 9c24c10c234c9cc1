"""The plan as one page: steps first, every other part as a line that unfolds; titles are cut, and unfold."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.full_plan import PLAN
from tests.tui.acting import RunApp, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of
from workbench.bootstrap import Workspace
from workbench.domain.plan.figures import figures, with_forecast
from workbench.domain.plan.plan import Effort, Item, Plan, Question, Risk, Section, Step
from workbench.domain.plan.rescheduling import replanned
from workbench.tui.lines import Row, Sheet
from workbench.tui.marks import Marks
from workbench.tui.session.main_rows import item_at
from workbench.tui.session.plan_page import STREAM, Page, page_rows
from workbench.tui.session.plan_tables import Shown, costs_and_people

LONG = "List every tariff, every interface and everybody who reads from either of them or writes to one"
STEPS = (
    Step(id="S1", title=LONG, owner="Mara", effort=Effort(2, 4, 7), check="All is old"),
    Step(id="S2", title="Sign the terms", owner="Weiss", also=("Ada",), needs=("S1",), effort=Effort(1, 1, 1)),
    Step(id="S3", title="Switch the old system off", status="done", owner="Mara"),
    Step(id="S4", title="Tell everybody"),
)
RISKS = Section(id="risks", title="Risks", items=(Risk(id="R1", text="Nobody comes"),))
QUESTIONS = Section(id="questions", title="Questions", items=(Question(id="Q1", text="Who pays?", owner="Sam"),))
APPROACH = Section(id="approach", title="Approach", text=f"First this.\n\n{LONG}, word for word.")


def plan_of(*sections: Section, steps: tuple[Item, ...] = STEPS) -> Plan:
    plan = Plan(title="Move", sections=(APPROACH, Section(id="steps", title="Steps", items=steps), *sections))
    return replanned(plan, date(2027, 3, 1))


def rows_of(plan: Plan, width: int = 114, height: int = 30, *unfolded: str) -> list[Row]:
    shown_as = Shown.of(plan, figures(plan), Marks(), unfolded=frozenset(unfolded))
    return page_rows(Page(plan, width, height, shown_as))


def lines(rows: list[Row]) -> list[str]:
    return [line.plain.rstrip() for row in rows for line in row.lines]


def step_rows(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.cells and row.key.startswith("place:steps:")]


def test_an_unfolded_step_says_why_it_stands_on_its_days() -> None:
    told = lines(rows_of(plan_of(), 114, 30, "place:steps:2"))
    at = next(number for number, line in enumerate(told) if " S2 " in line)
    assert "after S1" in told[at + 1]
    assert "Sign the terms" in told[at + 2]


def test_costs_and_people_stand_in_tables_with_their_notes() -> None:
    told = lines(list(costs_and_people(with_forecast(PLAN), 76)))
    assert "limit K1    14,000 EUR" in told
    assert any("away: 2026-03-16 – 2026-03-20" in line for line in told)
    assert "Public holidays (DE): 3 days off." in told


def test_steps_stand_first_with_bars_and_each_other_part_is_a_line() -> None:
    told = lines(rows_of(plan_of(RISKS, QUESTIONS)))
    assert told[1].split()[:4] == ["step", "who", "start", "end"]
    assert told[2].split()[0] == "S1"
    assert "▄" in told[2]
    assert [line.split()[0:2] for line in told[6:]] == [
        ["──", "Questions"],
        ["Q1", "Who"],
        [told[8]],
        ["▹", "Approach"],
        ["▹", "Risks"],
        ["▹", "People,"],
    ]


def test_a_part_is_read_whole_where_it_is_unfolded() -> None:
    folded, opened = (" ".join(lines(rows_of(plan_of(), 60, 30, *keys))) for keys in ((), ("place:approach:0",)))
    assert "word for word" not in folded
    assert "First this." in opened
    assert "word for word." in opened


def test_what_is_done_has_a_tick_and_a_step_without_an_owner_says_so() -> None:
    first, second, third, fourth = (row.lines[0].plain for row in step_rows(rows_of(plan_of())))
    assert third.startswith("✔ S3")
    assert "—" in fourth
    assert "Weiss +1" in second
    assert "—" not in first


@given(st.integers(56, 220), st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=300))
def test_a_step_is_one_line_at_any_width_and_unfolded_it_says_all(width: int, title: str) -> None:
    plan = plan_of(steps=(Step(id="S1", title=f"Go {title} on", owner="Someone Else"),))
    rows = rows_of(plan, width)
    assert len(step_rows(rows)[0].lines) == 1
    assert max(line.cell_length for row in rows for line in row.lines) <= width
    opened = "".join(line.plain for line in step_rows(rows_of(plan, width, 30, "place:steps:1"))[0].lines[1:])
    assert "".join(title.split()) in "".join(opened.split()) or not title.isprintable() or not title.isalnum()


def test_columns_leave_where_there_is_no_room_for_them() -> None:
    heads = [tuple(lines(rows_of(plan_of(), width))[1].split()) for width in (150, 76, 56)]
    assert [set(head) & {"who", "start", "end", "days", "needs", "slack", "Mar"} for head in heads] == [
        {"who", "start", "end", "days", "needs", "Mar"},
        {"who", "start", "end", "days"},
        {"who", "start", "end"},
    ]


def test_in_a_low_page_parts_share_lines_and_each_can_be_chosen() -> None:
    rows = rows_of(plan_of(RISKS), 76, 15)
    assert [cell.name for cell in rows[-1].cells] == ["place:approach:0", "place:risks:0", "place:money:0"]
    assert Sheet(rows).places["place:risks:0"] == len(rows) - 1


def test_workstreams_fold() -> None:
    steps = tuple(Step(id=f"S{n}", title="Go", workstream="Ground" if n < 3 else "Roof") for n in range(1, 5))
    plan = plan_of(steps=steps)
    assert len(step_rows(rows_of(plan))) == 4
    folded = rows_of(plan, 114, 30, f"{STREAM}Ground")
    assert len(step_rows(folded)) == 2
    assert "0 of 2" in next(row.lines[0].plain for row in folded if row.key == f"{STREAM}Ground")


def test_rows_are_the_items_that_they_show() -> None:
    plan = plan_of(RISKS, QUESTIONS)
    found = [item_at(plan, row.key) for row in rows_of(plan, 114, 30, "place:risks:0") if row.key.startswith("place:")]
    assert [item.id for item in found if item] == ["S1", "S2", "S3", "S4", "Q1", "R1"]


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_parts_and_questions_keep_their_place_while_steps_scroll(
    run_app: RunApp, workspace: Workspace, size: tuple[int, int]
) -> None:
    session = await wait_at_checkpoint(workspace)
    more = "; ".join(f'add "Step number {n}"' for n in range(40))
    workspace.session(session).edit(more)
    async with run_app(session=session, size=size) as pilot:
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "Risks" in shown(pilot))
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: pane.has_focus and len(pane.rows) > 45)
        await pilot.press(*["j"] * 20)
        await pilot.pause()
        told = shown(pilot)
        assert "Risks" in told
        assert " who " in told
        assert pane.rows[pane.cursor].lines[0].plain.split()[0] in told
