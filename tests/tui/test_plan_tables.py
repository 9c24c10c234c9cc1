"""The plan as tables: nothing that a person wrote is cut, columns leave by width, a row unfolds."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.acting import ROOMY, USUAL, WIDE, RunApp, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of
from workbench.bootstrap import Workspace
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Constraint, Criterion, Decision, Fund, Money, Option, Place, Plan, Section, Step
from workbench.domain.plan.plan import Row as TimetableRow
from workbench.tui.lines import Row
from workbench.tui.markdown_lines import markdown_lines
from workbench.tui.session.plan_tables import Shown, section_rows

CRITERIA = (
    Criterion(id="C1", text="Stalls are let", target="20", due="2027-05-22", measure="signed contracts"),
    Criterion(id="C2", text="Nobody is hurt", target="none"),
)
SECTION = Section(id="criteria", title="Criteria", text="In this order.", items=CRITERIA)


def lines(rows: list[Row]) -> list[str]:
    return [line.plain.rstrip() for row in rows for line in row.lines]


def test_an_item_is_a_line_with_its_columns() -> None:
    prose, head, *rows = lines(section_rows(SECTION, 100, Shown()))
    assert prose.strip() == "In this order."
    assert head.split() == ["target", "by"]
    assert rows[0].split() == ["C1", "Stalls", "are", "let", "20", "22", "May", "2027"]


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


def test_rows_have_the_places_that_notes_are_kept_with() -> None:
    blocks = {line.block for line in markdown_lines(section_to_markdown(SECTION), 80) if line.block >= 0}
    keys = [row.key for row in section_rows(SECTION, 80, Shown()) if row.key]
    assert keys == [f"place:criteria:{block}" for block in sorted(blocks) if block]


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


@pytest.mark.parametrize("size", [WIDE, ROOMY])
async def test_the_history_is_a_drawer_that_never_opens_by_itself(
    run_app: RunApp, workspace: Workspace, size: tuple[int, int]
) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=size) as pilot:
        await gate(pilot, "checkpoint")
        await until(pilot, lambda: "Plan v" in shown(pilot) and "THIS SESSION" not in shown(pilot))
        await pilot.press("ctrl+l", "3")
        await until(pilot, lambda: "THIS SESSION" in shown(pilot) and screen_of(pilot).query_one("#history").has_focus)
        await pilot.press("3")
        await until(pilot, lambda: "THIS SESSION" not in shown(pilot))
        await pilot.press("4")
        await until(pilot, lambda: screen_of(pilot).view == "context")


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
