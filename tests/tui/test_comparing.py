"""Two points compared on the screen: reached from a plan and from the list of sessions, read from change to change."""

from __future__ import annotations

import shutil
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import created, told
from tests.properties.plans import plans
from tests.sample_sessions import FOLDER
from tests.tui.acting import USUAL, WIDE, RunApp, sees, shown, until
from tests.tui.hostile import IN_A_FILE, unsafe, unseen
from tests.tui.hostile_session import SHORT, state
from tests.tui.session_fixtures import calm
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.context.entry import Entry
from workbench.domain.plan.changing.difference import Pair, difference_between
from workbench.domain.plan.plan import Bullet, Plan, Section, Step
from workbench.replay.comparing import Comparison, Place, Point, compare, compare_places, point_at
from workbench.replay.contexts import CallContext, CallHeading
from workbench.storage.files.session_file import read_session_file
from workbench.tui.app import WorkbenchApp
from workbench.tui.home.sessions import FoundSessions, SessionsScreen
from workbench.tui.lines import Row
from workbench.tui.marks import ASCII_MARKS, Marks
from workbench.tui.replay.compare import VIEWS, CompareScreen, Look, comparison_rows, head_lines
from workbench.tui.replay.difference_rows import below_each_other, plan_difference_rows, side_by_side
from workbench.tui.session.records.looking_back import Side

BILLING, WEDDING = "move-billing-provider-demo", "organise-wedding-80-demo"


@pytest.fixture
def demo(workspace: Workspace) -> Workspace:
    """A workspace with two of the sample sessions."""
    for name in (BILLING, WEDDING):
        shutil.copy(FOLDER / f"{name}.jsonl", workspace.folder.sessions)
    return workspace


def side(workspace: Workspace, text: str) -> Side:
    place = Place.parse(text)
    return Side(place, workspace.session(place.session).events)


def screen_of(pilot: Pilot[Any]) -> CompareScreen:
    screen = pilot.app.screen
    assert isinstance(screen, CompareScreen)
    return screen


async def to_compare(pilot: Pilot[Any], workspace: Workspace, a: str, b: str, words: str = "changed") -> CompareScreen:
    assert isinstance(pilot.app, WorkbenchApp)
    pilot.app.compare(side(workspace, a), side(workspace, b))
    await until(pilot, lambda: words in shown(pilot))
    return screen_of(pilot)


def chosen(screen: CompareScreen) -> str:
    changes = screen.changes
    return "".join(line.plain for line in changes.rows[changes.cursor].lines)


# --- the screen -------------------------------------------------------------------------------------------------------


async def test_from_change_to_change_and_back(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await to_compare(pilot, demo, f"{BILLING}@v1", f"{BILLING}@v3")
        await sees(pilot, "One session, ", " events apart.")
        seen = [chosen(screen)]
        for _ in range(6):
            await pilot.press("n")
            seen.append(chosen(screen))
            place = screen.changes.cursor
            assert screen.changes._is_in_sight(place) or screen.changes.rows[place].lines[0].plain in shown(pilot)
        assert len(set(seen)) > 1
        assert seen[-1] == seen[-2] == seen[-3]
        await pilot.press(*["p"] * 6)
        assert chosen(screen) == seen[0]


async def test_views_by_key_by_number_and_by_mouse(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await to_compare(pilot, demo, f"{BILLING}@v2", f"{BILLING}@v3")
        await sees(pilot, "2 insights   3 context   4 numbers", "n next change   p previous")
        for number, words in (
            ("3", "Context · +"),
            ("4", "tokens of planner"),
            ("1", "Plan · changed"),
            ("2", "OPEN FINDINGS"),
        ):
            await pilot.press(number)
            await until(pilot, lambda words=words: words in shown(pilot))
            goes = any(row.key.startswith("change:") for row in screen.changes.rows)
            assert ("n next change" in shown(pilot)) is goes, "a hint that is printed is never dead"
        area = screen.changes.region
        await pilot.click(offset=(area.right - 4, area.bottom - 1))
        await until(pilot, lambda: "difference" in shown(pilot))
        await pilot.press("2")
        await until(pilot, lambda: "INSIGHTS" in shown(pilot))


async def test_a_point_that_is_not_there_says_so_in_place(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        await to_compare(pilot, demo, f"{BILLING}@v2", f"{BILLING}@v9", "has no version 9")
        await sees(pilot, "Name one from 1")
        assert "n next" not in shown(pilot)


# --- from a plan ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("demo")
async def test_two_versions_of_a_plan(run_app: RunApp) -> None:
    async with run_app(session=BILLING) as pilot:
        await calm(pilot)
        await pilot.press("ctrl+l", "v")
        await sees(pilot, "choose the first of two", "v3  ", "changed", "v1  first draft")
        assert shown(pilot).index("v3  ") < shown(pilot).index("v1  fi")
        await pilot.press("end", "enter")
        await sees(pilot, "compare v1 with it", "v3  ")
        assert "v1  first draft" not in shown(pilot)
        await pilot.press("escape")
        await sees(pilot, "choose the first of two", "v1  first draft")
        await pilot.press("end", "enter")
        await sees(pilot, "compare v1 with it", "v3  ")
        await pilot.press("home", "enter")
        await until(pilot, lambda: "changed" in shown(pilot) and isinstance(pilot.app.screen, CompareScreen))
        compared = screen_of(pilot)._comparison
        assert compared is not None
        assert (compared.a.state.version, compared.b.state.version) == (1, 3)


# --- from the list of sessions ----------------------------------------------------------------------------------------


async def _list(pilot: Pilot[Any]) -> SessionsScreen:
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen) and BILLING in shown(pilot))
    await pilot.press("down")
    screen = pilot.app.screen
    assert isinstance(screen, SessionsScreen)
    return screen


@pytest.mark.usefixtures("demo")
async def test_one_session_then_another(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await _list(pilot)
        first = screen.query_one(FoundSessions).chosen
        await pilot.press("c")
        await until(pilot, lambda: "compare with…" in shown(pilot))
        await pilot.press("down", "c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and "changed" in shown(pilot))
        compared = screen_of(pilot)._comparison
        assert compared is not None
        assert compared.a.state.session == first
        assert {compared.a.state.session, compared.b.state.session} == {BILLING, WEDDING}


BILLING_OF_COMPARISON_ROWS = "move-billing-provider-demo"
MARKS = Marks()


@cache
def compared(a: str, b: str) -> Comparison:
    events = tuple(read_session_file(FOLDER / f"{BILLING_OF_COMPARISON_ROWS}.jsonl"))
    return compare_places(
        Place.parse(f"{BILLING_OF_COMPARISON_ROWS}@{a}"),
        events,
        Place.parse(f"{BILLING_OF_COMPARISON_ROWS}@{b}"),
        events,
    )


def plain(rows: list[Row]) -> list[str]:
    return [line.plain.rstrip() for row in rows for line in row.lines]


def look(view: str, width: int = 80, **more) -> Look:
    return Look(view, width, MARKS, **more)


def empty() -> Point:
    return point_at(Place.parse("x"), told(created()))


# --- plans ------------------------------------------------------------------------------------------------------------


def test_what_went_stands_above_what_came_or_beside_it():
    pair = Pair("- Copy everything by May", "- Copy everything by June")
    assert [line.plain for line in below_each_other(60)([pair])] == [
        "− • Copy everything by May",
        "+ • Copy everything by June",
    ]
    (line,) = side_by_side(65, "│")([pair])
    assert line.plain == f"{'− • Copy everything by May':<31} │ + • Copy everything by June"


@settings(max_examples=15, deadline=None)
@given(plans(min_sections=0), plans(min_sections=0), st.integers(30, 200), st.booleans())
def test_no_line_is_wider_than_its_place(old, new, width, beside):
    rows = plan_difference_rows(difference_between(old, new), width, "│" if beside else "")
    told = [line for row in rows for line in row.lines]
    headings = [row.lines[0] for row in rows if len(row.lines) == 1]  # cut where they are drawn
    assert all(line.cell_length <= width for line in told if line not in headings)


def test_what_changed_far_below_an_item_s_first_line_stands_below_that_line():
    step = Step(
        id="S1", title="List all", owner="Anna", start="2027-01-01", end="2027-01-02", deadline="2027-01-04",
    )  # fmt: skip
    other = msgspec.structs.replace(step, id="S2", title="Tell all")
    old, new = (
        Plan(title="P", sections=(Section(id="steps", title="Steps", items=(one, other)),))
        for one in (step, msgspec.structs.replace(step, status="done"))
    )
    for divider in ("", "│"):
        said = plain(plan_difference_rows(difference_between(old, new), 80, divider))
        at = next(place for place, line in enumerate(said) if "S1 · List all" in line)
        assert any("Status: done" in line for line in said[at:])


@settings(max_examples=15, deadline=None)
@given(plans(min_sections=0))
def test_every_word_of_a_new_plan_can_be_read(plan):
    said = " ".join(plain(plan_difference_rows(difference_between(None, plan), 4000)))
    for section in plan.sections:
        for item in section.items:
            if isinstance(item, Bullet):
                assert all(word in said for word in item.text.split() if word.isalnum())


# --- the other views --------------------------------------------------------------------------------------------------


def test_nothing_differs():
    for view in VIEWS:
        assert plain(comparison_rows(compared("v2", "v2"), look(view))) == ["Nothing differs.", "The same point."]


# --- contexts ---------------------------------------------------------------------------------------------------------


def item(text: str, **changes) -> Entry:
    said = {"id": "message:x:1", "session": "x", "role": "user", "seq": 1, "time": "", "tokens": 7, "text": text}
    return Entry(**{**said, **changes})


def context(*sent: Entry, dropped: tuple[Entry, ...] = (), is_recorded: bool = True) -> CallContext:
    heading = CallHeading(
        call="c1", role="planner", task="plan", attempt=1, model="m", seq=1, time="2026-03-02T09:30:00Z", tokens=100
    )
    return CallContext(
        session="x",
        heading=heading,
        is_recorded=is_recorded,
        current_conversation=sent,
        relevant_history=(),
        dropped=dropped,
        goes_back_further=False,
        tokens={},
        window=0,
        limit=0,
        receipts=(),
        unavailable="",
        prompt=(),
    )


def contexts(a: CallContext | None, b: CallContext | None) -> Comparison:
    point = empty()
    return compare(msgspec.structs.replace(point, context=a), msgspec.structs.replace(point, context=b))


# --- hostile text -----------------------------------------------------------------------------------------------------


@pytest.mark.cases(2)
@pytest.mark.parametrize("view", VIEWS)
def test_hostile_text_is_read_and_nothing_more(view):
    one = msgspec.structs.replace(empty(), label=SHORT[0].text)
    name = SHORT[1].text
    context_ = context(item(IN_A_FILE.text, id=name, session=name, source="semantic", reason=name))
    other = Point(label=SHORT[0].text, state=state("checkpoint"), context=context_)
    for a, b in ((one, other), (other, one)):
        for beside, marks in product((False, True), (MARKS, ASCII_MARKS)):
            rows = comparison_rows(compare(a, b), Look(view, 500, marks, beside, frozenset()))
            keys = frozenset(row.key for row in rows)
            rows = comparison_rows(compare(a, b), Look(view, 500, marks, beside, keys))
            lines = [line for row in rows for line in row.lines]
            lines += [head_lines(compare(a, b), 200)]
            assert [found for line in lines for part in line.plain.split("\n") for found in unsafe(part)] == []
            assert not any("@" in str(span.style) or "link" in str(span.style) for line in lines for span in line.spans)
            if view != "numbers" and not beside:
                assert unseen(IN_A_FILE, "\n".join(line.plain for line in lines)) == []


async def test_heads_say_what_sessions_are_called(run_app: RunApp, demo: Workspace) -> None:
    demo.session(BILLING).rename("New provider")
    async with run_app(size=WIDE) as pilot:
        await to_compare(pilot, demo, BILLING, WEDDING)
        await sees(pilot, "− New provider", "+ Organise a wedding")
        pilot.app.pop_screen()
        demo.session(WEDDING).rename("New provider")
        await to_compare(pilot, demo, BILLING, WEDDING)
        await sees(pilot, f"− {BILLING}", f"+ {WEDDING}")
