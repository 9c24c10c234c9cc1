"""The plan page: steps first, every other part as a line that unfolds; titles are cut, and unfold."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import CHOOSE, UNDATED_DRAFT, Script, answering, plan_reply
from tests.tui.acting import USUAL, RunApp, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of, use
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import (
    Criterion,
    Effort,
    Item,
    Plan,
    Question,
    Risk,
    Section,
    Step,
)
from workbench.domain.plan.scheduling.rescheduling import replanned
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import Account, Settled, Statement
from workbench.models.scripted import CallableModel
from workbench.tui.lines import Row
from workbench.tui.marks import Marks
from workbench.tui.session.plan.plan_page import STREAM, Page, account_rows, page_rows
from workbench.tui.session.plan.plan_tables import Shown, section_rows
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
    shown_as = Shown.from_plan(plan, figures(plan), Marks(), unfolded=frozenset(unfolded))
    return page_rows(Page(plan, width, height, shown_as))


def lines(rows: list[Row]) -> list[str]:
    return [line.plain.rstrip() for row in rows for line in row.lines]


def step_rows(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.cells and row.key.startswith("place:steps:")]


def test_a_step_says_the_range_of_days_that_its_estimate_gives_it() -> None:
    told = {line.split()[0]: line.split() for line in lines(step_rows(rows_of(plan_of(), 140)))}
    assert "2–7" in told["S1"]
    assert "1" in told["S2"]


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


def test_no_half_of_a_part_stands_in_the_head() -> None:
    whole = lines(rows_of(plan_of(), 200))[0].split(" · ")
    assert len(whole) > 1
    for width in range(40, 120, 7):
        told = lines(rows_of(plan_of(), width))[0].split(" · ")
        assert [part.strip() for part in told] == [part.strip() for part in whole[: len(told)]]


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


@given(st.integers(20, 200), st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=300))
def test_no_word_of_a_text_is_cut(width: int, text: str) -> None:
    rows = section_rows(Section(id="x", title="X", items=(Criterion(id="C1", text=f"Go {text} on"),)), width, Shown())
    room = "".join(line.strip() for line in lines(rows))
    assert f"Go{text}on" in room.replace(" ", "")
    assert max(line.cell_length for row in rows for line in row.lines) <= width


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


def test_parts_with_long_names_keep_their_columns() -> None:
    people = Section(id="team", title="Calendar and people", items=RISKS.items)
    told = [line for line in lines(rows_of(plan_of(RISKS, people))) if line.startswith("▹")]
    assert len({line.index(words) for line in told for words in ("First this", "R1 Nobody") if words in line}) == 1


def test_names_are_told_whole_where_there_is_room() -> None:
    steps = (Step(id="S1", title="Go", owner="Host of those at home", effort=Effort(1, 2, 3)),)
    plan = plan_of(steps=steps)
    assert "Host of those at home" in lines(rows_of(plan, 154))[2]
    assert "Host of tho…" in lines(rows_of(plan, 114))[2]
