"""The plan as one page: steps first, every other part as a line that unfolds; titles are cut, and unfold."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import CHOOSE, UNDATED_DRAFT, Script, answering, plan_reply
from tests.tui.acting import ROOMY, USUAL, WIDE, RunApp, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of, use
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import (
    Constraint,
    Criterion,
    Decision,
    Effort,
    Fund,
    Item,
    Money,
    Option,
    Place,
    Plan,
    Question,
    Risk,
    Section,
    Step,
)
from workbench.domain.plan.plan import Row as TimetableRow
from workbench.domain.plan.rescheduling import replanned
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import Account, Settled, Statement
from workbench.models.scripted import CallableModel
from workbench.tui.lines import Row, Sheet
from workbench.tui.marks import Marks
from workbench.tui.session.plan_page import STREAM, Page, account_rows, page_rows
from workbench.tui.session.plan_tables import Shown, section_rows
from workbench.tui.session.screen import SessionScreen

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


CRITERIA = (
    Criterion(id="C1", text="Stalls are let", target="20", due="2027-05-22", measure="signed contracts"),
    Criterion(id="C2", text="Nobody is hurt", target="none"),
)
SECTION = Section(id="criteria", title="Criteria", text="In this order.", items=CRITERIA)


def test_funds_places_timetables_and_decisions_are_tables_too() -> None:
    money = Money(Decimal(5000), "EUR")
    items = (
        Fund(id="M1", text="Budget", limit=money, reserve=0.1),
        Place(id="L1", text="Hall", weekdays=(1, 2), hours="10:00-18:00"),
        TimetableRow(id="T1", text="Stop the writes", day="2027-05-03", time="02:15", who="Ben", stop="3 errors"),
        Decision(id="D1", text="Which hall?", owner="Anna", latest="2027-03-01", options=(Option("A", money),)),
    )
    shown = lines(section_rows(Section(id="night", title="Night", items=items), 120, Shown()))
    assert [line.split() for line in shown] == [
        ["limit", "reserve"],
        ["M1", "Budget", "5000", "EUR", "10", "%"],
        ["open", "on", "hours"],
        ["L1", "Hall", "Mon,", "Tue", "10:00-18:00"],
        ["day", "time", "who", "stop", "if"],
        ["T1", "Stop", "the", "writes", "3", "May", "2027", "02:15", "Ben", "3", "errors"],
        ["owner", "latest", "options"],
        ["D1", "Which", "hall?", "Anna", "1", "Mar", "2027", "A", "(5000", "EUR)"],
    ]


@given(st.integers(20, 200), st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=300))
def test_no_word_of_a_text_is_cut(width: int, text: str) -> None:
    rows = section_rows(Section(id="x", title="X", items=(Criterion(id="C1", text=f"Go {text} on"),)), width, Shown())
    room = "".join(line.strip() for line in lines(rows))
    assert f"Go{text}on" in room.replace(" ", "")
    assert max(line.cell_length for row in rows for line in row.lines) <= width


def test_an_unfolded_row_says_the_rest() -> None:
    key = "place:criteria:2"
    folded, unfolded = (" ".join(lines(section_rows(SECTION, 80, Shown(unfolded=one)))) for one in ((), (key,)))
    assert "signed contracts" not in folded
    assert "Measure: signed contracts" in unfolded


def test_a_constraint_says_what_keeps_it_and_a_finding_is_marked() -> None:
    kept = Section(
        id="constraints", title="Constraints", items=(Constraint(id="K1", text="By June", day="2027-06-30"),)
    )
    step = Step(id="S1", title="Go", answers=("K1",))
    plan = Plan(title="", sections=(kept, Section(id="steps", title="Steps", items=(step,))))
    shown_as = Shown.of(plan, None, Shown().marks, findings={"K1"})
    assert lines(section_rows(kept, 60, shown_as))[1].split() == ["!", "K1", "By", "June", "30", "Jun", "2027", "S1"]


async def test_a_step_is_unfolded_and_folded_with_a_key(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: any(row.key == "place:steps:1" for row in pane.rows))
        await pilot.press("ctrl+l")
        pane.cursor = next(place for place, row in enumerate(pane.rows) if row.key == "place:steps:1")
        for key, is_there in (("l", True), ("h", False)):
            await pilot.press(key)
            await until(pilot, lambda is_there=is_there: ("Outcome:" in shown(pilot)) is is_there)


async def test_a_row_of_the_history_opens_at_its_message(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=ROOMY) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        await pilot.press("ctrl+l", "3")
        history = screen.query_one("#history")
        await until(pilot, lambda: len(history.rows) > 4)
        history.focus()
        opened = [at for at, row in enumerate(history.rows) if row.key.startswith("message:")]
        history.cursor = opened[2]
        key = history.chosen
        await pilot.press("enter")
        await until(pilot, lambda: screen.view == "transcript" and screen.plan_pane.chosen == key)
        pane = screen.plan_pane
        first = pane._sheet.starts[pane._sheet.places[key]]
        await until(pilot, lambda: pane.scroll_offset.y <= first < pane.scroll_offset.y + pane.size.height)


async def test_the_reader_stays_at_their_line_when_a_new_version_comes(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=USUAL) as pilot:
        first = await gate(pilot, "checkpoint")
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: any(row.key == "place:steps:1" for row in pane.rows))
        await pilot.press("ctrl+l")
        pane.cursor = next(place for place, row in enumerate(pane.rows) if row.key == "place:steps:1")
        await pilot.pause()
        before = pane.scroll_offset.y
        await pilot.press("f", *"more", "enter")
        await gate(pilot, "checkpoint", other_than=first.id)
        assert pane.chosen == "place:steps:1"
        assert abs(pane.scroll_offset.y - before) <= 3  # a line more or less stands above


@pytest.mark.parametrize(("size", "rows", "columns"), [(WIDE, 26, 90), (USUAL, 15, 70)])
async def test_at_a_checkpoint_the_plan_has_the_page(
    run_app: RunApp, workspace: Workspace, size: tuple[int, int], rows: int, columns: int
) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=size) as pilot:
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "^Y answer" in shown(pilot))
        room = screen_of(pilot).plan_pane.content_size
        assert (room.height >= rows, room.width >= columns) == (True, True), room


SAID = "Move our billing to the new provider. Keep the old invoice numbers. Nobody works at night."
SETTLED = [
    {"id": "U1", "state": "used", "items": ["S1"]},
    {"id": "U2", "state": "declined", "note": "The new provider numbers on its own."},
]


@pytest.fixture
def session(workspace: Workspace) -> str:
    """A session at its first checkpoint: of three statements one is used, one declined, and one forgotten."""
    reply = plan_reply(*UNDATED_DRAFT, title="Move billing", statements=SETTLED)
    use(workspace, CallableModel(Script().always("plan", reply), name="told"))
    manager = workspace.start(SAID)
    asyncio.run(manager.run(answering(CHOOSE)))
    return str(manager.session_id)


async def test_a_statement_that_is_not_used_yet_stands_below_the_plan(
    run_app: RunApp, workspace: Workspace, session: str
) -> None:
    async with run_app(size=USUAL, session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "checkpoint")
        pane = screen_of(pilot).plan_pane
        await until(pilot, lambda: "You said 3" in shown(pilot))
        await said_unfolded(pilot)
        await until(pilot, lambda: "Nobody works at night." in shown(pilot))
        keys = [row.key for row in pane.rows]
        at = keys.index("place:statements:0")
        assert keys[at:] == ["place:statements:0", "statement:U3", "statement:U1", "statement:U2", ""]
        assert all(place < at for place, key in enumerate(keys) if key.startswith("place:steps"))
        await until(pilot, lambda: "Enter fold" in shown(pilot))
        pane.cursor = keys.index("statement:U3")
        await until(pilot, lambda: "Enter" not in shown(pilot))  # there is nothing that it would do
        text = shown(pilot)
        assert text.index("? U3   Nobody works at night.") < text.index("U2   Keep the old invoice numbers.")
        assert "not used yet" in text
        assert "declined: The new provider numbers on its own." in text
    assert [one.statement.id for one in state(workspace, session).accounts if one.is_open] == ["U3"]


async def said_unfolded(pilot: Pilot[Any]) -> None:
    pane = screen_of(pilot).plan_pane
    pane.focus()
    pane.cursor, pane.column = pane._sheet.places["place:statements:0"], "place:statements:0"
    await pilot.press("enter")


def state(workspace: Workspace, session: str) -> SessionState:
    return workspace.session(session).state()


async def test_a_statement_that_is_dismissed_does_not_wait_any_more(
    run_app: RunApp, workspace: Workspace, session: str
) -> None:
    workspace.session(session).mark_statement("U3", "dismissed")
    async with run_app(size=USUAL, session=session) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "You said 3" in shown(pilot))
        await said_unfolded(pilot)
        await until(pilot, lambda: "U3   Nobody works at night." in shown(pilot))
        assert "? U3" not in shown(pilot)
        assert "not used yet" not in shown(pilot)


def one(number: int, text: str, state: str, **more: object) -> Account:
    return Account(Statement(id=f"U{number}", source="goal", start=0, text=text), state, **more)  # type: ignore[arg-type]  # as a test names it


@pytest.mark.parametrize("width", [1, 7, 20, 88])
def test_rows_are_never_wider_than_the_pane_and_hostile_text_is_cleaned(width: int) -> None:
    hostile = "\x1b]52;c;aGk=\x07 [@click=app.quit]x[/] \u202e" + "long " * 40
    part = Settled(statement="U2", state="replaced", part=hostile, by="U1")
    accounts = [one(1, hostile, "open"), one(2, "Kept", "used", items=("S1",), replaced=(part,)), one(3, "No", "used")]
    rows = list(account_rows(accounts, width))
    assert [row.key for row in rows if row.key] == ["statement:U1", "statement:U2", "statement:U3"]
    lines = [line for row in rows for line in row.lines]
    assert all("\x1b" not in line.plain and "\u202e" not in line.plain for line in lines)
    assert all(line.cell_length <= width for row in rows for line in row.lines)
