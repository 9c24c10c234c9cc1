"""Two points compared on the screen: reached from a plan and from the list of sessions, read from change to change."""

from __future__ import annotations

import asyncio
import shutil
from typing import Any

import pytest
from tests.sample_sessions import FOLDER
from tests.tui.acting import USUAL, WIDE, RunApp, finish, open_palette, sees, shown, until, wait_at_gate
from tests.tui.session_fixtures import calm
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.replay.comparing import Place
from workbench.tui.app import WorkbenchApp
from workbench.tui.home.sessions import FoundSessions, SessionsScreen
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.session.looking_back import Side, read_comparison
from workbench.tui.session.screen import SessionScreen
from workbench.tui.session.versions import VersionsDialog

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


async def compare(pilot: Pilot[Any], workspace: Workspace, a: str, b: str, words: str = "changed") -> CompareScreen:
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
        screen = await compare(pilot, demo, f"{BILLING}@v1", f"{BILLING}@v3")
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


async def test_the_next_change_is_looked_for_from_where_a_person_reads(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await compare(pilot, demo, f"{BILLING}@v1", f"{BILLING}@v3")
        first = chosen(screen)
        await pilot.press("end")
        await until(pilot, lambda: screen.changes.scroll_offset.y > 0)
        last = chosen(screen)
        await pilot.press(*["pageup"] * 9)
        await pilot.press("n")
        assert chosen(screen) == first
        await pilot.press(*["pagedown"] * 9)
        await pilot.press("p")
        assert chosen(screen) not in (first, "")
        await pilot.press("n")
        assert chosen(screen) == last


async def test_cursor_keys_scroll_line_by_line(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await compare(pilot, demo, f"{BILLING}@v1", f"{BILLING}@v3")
        before = chosen(screen)
        await pilot.press("down", "down")
        await until(pilot, lambda: screen.changes.scroll_offset.y == 2)
        await pilot.press("up")
        await until(pilot, lambda: screen.changes.scroll_offset.y == 1)
        assert chosen(screen) == before


async def test_views_by_key_by_number_and_by_mouse(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await compare(pilot, demo, f"{BILLING}@v2", f"{BILLING}@v3")
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


@pytest.mark.full
async def test_side_by_side_where_there_is_room_or_where_it_is_wanted(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await compare(pilot, demo, f"{BILLING}@v2", f"{BILLING}@v3")
        assert not screen.is_side_by_side
        await pilot.press("s")
        await until(pilot, lambda: " │   • " in shown(pilot))
        await pilot.press("s")
        await until(pilot, lambda: " │   • " not in shown(pilot))
    async with run_app(size=WIDE) as pilot:
        await compare(pilot, demo, f"{BILLING}@v2", f"{BILLING}@v3", " │   • ")
        await pilot.resize_terminal(*USUAL)
        await until(pilot, lambda: "s side by side" in shown(pilot))


async def test_an_item_of_a_context_unfolds(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await compare(pilot, demo, BILLING, WEDDING)
        await pilot.press("3")
        await until(pilot, lambda: "NOT SENT ANY MORE" in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: len(screen._unfolded) == 1)
        await pilot.press("enter")
        await until(pilot, lambda: not screen._unfolded)


@pytest.mark.full
async def test_escape_goes_back_to_where_a_person_was(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(session=BILLING) as pilot:
        await calm(pilot)
        await compare(pilot, demo, BILLING, BILLING, "Nothing differs.")
        assert "n next" not in shown(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))


async def test_a_point_that_is_not_there_says_so_in_place(run_app: RunApp, demo: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        await compare(pilot, demo, f"{BILLING}@v2", f"{BILLING}@v9", "has no version 9")
        await sees(pilot, "Name one from 1")
        assert "n next" not in shown(pilot)


def test_a_session_that_both_sides_name_is_read_once(demo: Workspace) -> None:
    read = []

    def events() -> Any:
        read.append(BILLING)
        return demo.session(BILLING).events()

    a, b = (Side(Place(session=BILLING, version=version), events) for version in (2, 3))
    second = next(one for one in demo.session(BILLING).state().versions if one.version == 2)
    assert read_comparison(a, b).same_up_to == second.seq
    assert read == [BILLING]


# --- from a plan ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("demo")
async def test_two_versions_of_a_plan(run_app: RunApp) -> None:
    async with run_app(session=BILLING) as pilot:
        await calm(pilot)
        await pilot.press("ctrl+l", "v")
        await until(pilot, lambda: isinstance(pilot.app.screen, VersionsDialog))
        assert shown(pilot).index("v3") < shown(pilot).index("v1")
        await pilot.press("end", "enter")
        await until(pilot, lambda: "compare v1 with it" in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: "choose the first of two" in shown(pilot))
        await pilot.press("enter", "escape", "enter", "home", "enter")
        await until(pilot, lambda: "changed" in shown(pilot) and isinstance(pilot.app.screen, CompareScreen))
        compared = screen_of(pilot)._comparison
        assert compared is not None
        assert (compared.a.state.version, compared.b.state.version) == (1, 3)


@pytest.mark.usefixtures("demo")
async def test_leaving_the_choice_compares_nothing(run_app: RunApp) -> None:
    async with run_app(session=BILLING) as pilot:
        await calm(pilot)
        await pilot.press("ctrl+l", "v")
        await until(pilot, lambda: isinstance(pilot.app.screen, VersionsDialog))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))


async def test_a_plan_without_two_versions_says_so(run_app: RunApp, workspace: Workspace) -> None:
    session = await asyncio.create_task(wait_at_gate(workspace))
    async with run_app(session=session) as pilot:
        await calm(pilot)
        await pilot.press("ctrl+l", "v")
        await until(pilot, lambda: "no two versions" in shown(pilot))


@pytest.mark.full
@pytest.mark.usefixtures("demo")
async def test_the_palette_offers_it(run_app: RunApp) -> None:
    async with run_app(session=BILLING) as pilot:
        await calm(pilot)
        await open_palette(pilot)
        await pilot.press(*"compare")
        await until(pilot, lambda: "Compare versions…" in shown(pilot))


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


@pytest.mark.usefixtures("demo")
async def test_the_first_of_two_is_taken_back_by_c_and_by_escape(run_app: RunApp) -> None:
    async with run_app() as pilot:
        screen = await _list(pilot)
        for back in ("c", "escape"):
            await pilot.press("c")
            await until(pilot, lambda: "compare with…" in shown(pilot))
            await pilot.press(back)
            await until(pilot, lambda: "compare with…" not in shown(pilot))
            assert pilot.app.screen is screen


async def test_what_cannot_be_read_is_not_compared(run_app: RunApp, workspace: Workspace) -> None:
    session = await asyncio.create_task(finish(workspace))
    (workspace.folder.sessions / f"{session}.jsonl").write_text("nonsense\n")
    async with run_app() as pilot:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen) and "unreadable" in shown(pilot))
        await pilot.press("down", "c")
        await pilot.pause()
        assert "compare with…" not in shown(pilot)
        assert isinstance(pilot.app.screen, SessionsScreen)
