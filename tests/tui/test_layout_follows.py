"""The layout: it follows sizes and the focus, nothing is wider than its room, and what is told covers nothing."""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from tests.tui.acting import (
    GOAL,
    ROOMY,
    SMALL,
    USUAL,
    WIDE,
    RunApp,
    sees,
    shown,
    until,
    wait_at_checkpoint,
)
from tests.tui.replays import loaded
from tests.tui.session_fixtures import begin, calm, gate, screen_of
from textual.events import Key
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets._toast import Toast
from workbench.bootstrap import Workspace
from workbench.domain.session.session import SessionState, fold
from workbench.storage.files.session_file import read_session_file
from workbench.tui.marks import Marks
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.session.painting import CHANGES, VIEWS, Painter, Picture, Sight
from workbench.tui.session.screen import SessionScreen
from workbench.tui.settings.screen import SettingsScreen
from workbench.tui.views import top_line


async def test_what_has_the_focus_is_given_all_the_room_and_is_as_it_was_again(
    run_app: RunApp, workspace: Workspace
) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=ROOMY) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        await pilot.press("ctrl+l", "3", "ctrl+l", "4")
        await calm(pilot)
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "context" and not screen.has_drawer)
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "context" and screen.has_drawer)
        screen.query_one("#history").focus()
        await pilot.pause()
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "history" and screen.plan_pane.has_focus)
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "context" and screen.query_one("#history").has_focus)


FOOT = ["gate", "draft"]


def picture(widget: Widget) -> list[Strip]:
    """Return what is drawn of a widget, with the frame that it or the drawer around it has."""
    framed = next(
        (one for one in widget.ancestors_with_self if isinstance(one, Widget) and one.styles.border.top[0]), widget
    )
    lines = widget.screen._compositor.render_strips()
    return [lines[y].crop(framed.region.x, framed.region.right) for y in framed.region.line_range]


async def goes_around(pilot: Pilot[Any]) -> list[str]:
    """Go around with Tab, and all the way back; return the ids of the stops from the first of the screen on."""
    screen = pilot.app.screen
    await until(pilot, lambda: screen.focused)
    shown = [one for one in screen.query() if one.can_focus and one.region and not one.disabled]
    stops: list[Widget] = []
    while screen.focused not in stops:
        stop = screen.focused
        assert stop is not None, f"nothing has the focus after {stops[-1].id}"
        lit = picture(stop)
        stops.append(stop)
        await pilot.press("tab")
        assert len(shown) == 1 or picture(stop) != lit, f"{stop.id} looks the same with and without the focus"
    assert screen.focused is stops[0], "the way around ends where it began"
    assert set(stops) == set(shown), "no stop is left out"
    for stop in reversed(stops):
        await pilot.press("shift+tab")
        assert screen.focused is stop, f"Shift+Tab goes the same way back, to {stop.id} of {stops}"
    return [stop.id or "" for stop in screen.focus_chain]


@pytest.mark.full
async def test_tab_goes_around_every_screen_and_shift_tab_back(run_app: RunApp, workspace: Workspace) -> None:
    await wait_at_checkpoint(workspace, commands=("S2 owner Jonas",))
    async with run_app(size=ROOMY) as pilot:
        await until(pilot, lambda: pilot.app.screen.query_one("#plans").has_focus)
        assert await goes_around(pilot) == ["draft", "plans"]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.query("#gate"))
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        for key, view, stops in (
            ("", "plan", ["plan", *FOOT]),
            ("2", "changes", ["changes", "plan", *FOOT]),
            ("4", "context", ["plan", *FOOT]),
            ("5", "live", ["plan", *FOOT]),
            ("6", "rounds", ["plan", *FOOT]),
            ("7", "people", ["plan", *FOOT]),
            ("1w", "plan", ["plan", "why", *FOOT]),
            ("w3", "plan", ["plan", "history", *FOOT]),
        ):
            await pilot.press("ctrl+l", *key)
            await until(pilot, lambda view=view: screen._picture.sight.view == view)  # type: ignore[misc, union-attr]
            await calm(pilot)
            assert await goes_around(pilot) == stops, view
        await pilot.resize_terminal(*USUAL)
        await calm(pilot)
        assert await goes_around(pilot) == ["plan", *FOOT]
        await pilot.resize_terminal(*ROOMY)
        for keys, kind, stops in (
            (("f2",), SettingsScreen, ["settings"]),
            (("ctrl+l", "v", "enter", "down", "enter"), CompareScreen, ["changes"]),
        ):
            await pilot.press(*keys)
            await until(pilot, lambda kind=kind: isinstance(pilot.app.screen, kind))  # type: ignore[misc]
            assert await goes_around(pilot) == stops
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("f6")
        await loaded(pilot)
        assert await goes_around(pilot) == ["plan", "timeline"]


WIDTHS = (60, 80, 100, 120, 160, 200)
TITLES = {
    "2": "2 Findings",
    "4": "4 Context of",
    "5": "5 Shared context",
    "6": "6 Rounds,",
    "7": "7 People and agents",
    "1": "1 Plan v1",
    "3": "3 History",
}
"""The key of each view, and words that it alone shows."""
SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))


@pytest.fixture(scope="module")
def sessions() -> list[SessionState]:
    return [fold(read_session_file(sample)) for sample in SAMPLES]


def pictures(state: SessionState, width: int, views: Sequence[str] = VIEWS) -> list[Picture]:
    """Views as they are painted for a terminal of a width, with the panes that stand beside them there."""
    left = 0 if width < 100 else 22
    right = 44 if width >= 150 else 0
    painter = Painter()
    sights = [
        Sight(state=state, marks=Marks(), view=view, left=left * (2 if view == CHANGES else 1), right=right)
        for view in views
    ]
    return [
        painter.paint(Sight(**{**_fields(sight), "main": width - sight.left - sight.right - 8})) for sight in sights
    ]


def _fields(sight: Sight) -> dict[str, object]:
    return {name: getattr(sight, name) for name in sight.__slots__}


@pytest.mark.cases(3)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_of_any_view_leaves_its_pane(sessions: list[SessionState], width: int) -> None:
    for state in sessions:
        for picture in pictures(state, width):
            sight = picture.sight
            panes = {
                "main": (picture.main, sight.main),
                "changes": (picture.changes, sight.left),
                "drawer": (picture.drawer, sight.right),
                "recalled": (picture.recalled, sight.right),
            }
            assert len(picture.main) > 0, (state.session, sight.view)
            for name, (sheet, room) in panes.items():
                widest = max((line.cell_length for row in sheet for line in row.lines), default=0)
                assert widest <= max(room, 1), (state.session, sight.view, name, widest, room)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_plan_says_every_title_at_every_width(sessions: list[SessionState], width: int) -> None:
    for state in sessions:
        if state.plan is None:
            continue
        folded = pictures(state, width, VIEWS[:1])[0]
        sight = replace(folded.sight, opened=frozenset(row.key for row in folded.main))
        said = "".join(line.plain for row in Painter().paint(sight).main for line in row.lines)
        letters = "".join(said.split())
        assert [step.id for step in state.plan.steps if step.id not in said] == []
        longest = [max(step.title.split(), key=len) for step in state.plan.steps]
        assert [word for word in longest if len(word) < 20 and word not in letters] == []


async def test_the_keys_of_the_views_work_at_every_width(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        for width in WIDTHS[::3]:
            await pilot.resize_terminal(width, 36)
            for key, title in TITLES.items():
                if key != "3" or not screen.has_drawer:
                    await pilot.press("ctrl+l", key)
                await sees(pilot, title)
            await sees(pilot, "^Y")
            assert screen.plan_pane.size.height >= 26 - 2 * (width < 100)
            assert screen.plan_pane.region.right <= width


PICTURES = Path(__file__).parent / "__snapshots__" / "test_session_snapshots"
WITH_A_DIALOG = re.compile(
    "agent_is_added|a_fork_asks|a_new_key|claim|choosing_two|going_to|help$|palette$|isolation|list_of|sessions$|the_dialog|settings|whole_of"
)
"""What stands behind a dialog is shaded: its colours are no further ones, and its footer does not act."""
AMBER = "#e7b04a"
"""``attention`` of the theme night, as a terminal gets it."""
NEEDS_YOU = re.compile(
    r"([▲!] ?)?(((Checkpoint|A bound) )?asks you|A question for you|No answer came|Choose an approach)?"
    r"|[▲!] ((Iteration|Round) \d+|The plan) .+|\^Y( answer)?|answer|[╭╮╰╯─│|+-]+"
)

THUMB = re.compile("[▁▂▃▄▅▆▇█▔▀]+")
"""The ends of a scrollbar, which is no text."""

_FILLED = re.compile(r'<rect fill="(#[0-9a-f]+)"')
_STYLE = re.compile(r"\.terminal-(r\d+) \{ fill: (#\w+)")
_RUN = re.compile(r'<text class="terminal-(r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)


class Run(NamedTuple):
    """Words in one style."""

    colour: str
    x: float
    y: float
    words: str


def runs(picture: Path) -> list[Run]:
    svg = picture.read_text(encoding="utf-8")
    styles = dict(_STYLE.findall(svg))
    return [
        Run(styles[style], float(x), float(y), html.unescape(words).replace("\xa0", " ").rstrip("\n"))
        for style, x, y, words in _RUN.findall(svg)
    ]


def grounds(picture: Path) -> set[str]:
    """Return the colours behind all and the chosen row: a letter in one stands in the caret or the chosen cell."""
    filled = Counter(_FILLED.findall(picture.read_text(encoding="utf-8")))
    return {colour for colour, _ in filled.most_common(2)}


def screens() -> list[Path]:
    return [one for one in sorted(PICTURES.glob("*.svg")) if not WITH_A_DIALOG.search(one.stem)]


@pytest.mark.parametrize("picture", screens(), ids=lambda picture: picture.stem)
def test_a_picture_keeps_calm(picture: Path) -> None:
    seen = [run for run in runs(picture) if run.words.strip()]
    behind = grounds(picture)
    assert len({run.colour for run in seen if run.colour not in behind and not THUMB.fullmatch(run.words.strip())}) <= 8
    for run in seen:
        assert run.colour != AMBER or NEEDS_YOU.fullmatch(run.words.strip()), run
    rows = defaultdict(list)
    for run in seen:
        rows[run.y].append(run)
    footer = "".join(run.words for run in sorted(rows[max(rows)], key=lambda run: run.x))
    assert footer.rstrip().endswith("F1 more")
    assert "…" not in footer


def test_there_are_pictures_to_look_at() -> None:
    assert len(screens()) >= 12


async def test_what_is_told_is_a_line_at_the_top_and_stays_in_the_messages(run_app: RunApp) -> None:
    async with run_app() as pilot:
        for size in (WIDE, USUAL, SMALL):
            await pilot.resize_terminal(*size)
            for number in range(3):
                pilot.app.notify(f"{number} \n" + "Nothing of the reply was lost. " * 9, title="Model", timeout=600)
            await until(pilot, lambda: shown(pilot).strip().startswith("Model: 2"), seconds=9)
            seen = {widget.region for widget in pilot.app.screen.query(Toast)}
            assert {(region.y, region.height) for region in seen} == {(0, 1)}
        await pilot.press("ctrl+p", *"messages")
        await sees(pilot, "What was told at the top")
        await pilot.press("enter")
        await sees(pilot, "Model: 1", "was lost.")


async def test_keys_that_come_at_once_act_where_the_focus_is_by_then(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, GOAL)
    async with run_app(session=session, size=USUAL) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen) and pilot.app.screen.plan_pane.can_edit)
        screen = screen_of(pilot)
        for key in ("f", *"done", "ctrl+l", "enter", *"Anna"):  # e and d are keys of the plan, n and a letters of it
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: screen.cells.editing is not None, seconds=9)
        await until(pilot, lambda: screen.query_one("#cell", Input).value == "Anna", seconds=9)
        assert screen.draft.text == "done"


async def test_what_is_told_of_a_session_stands_above_no_other(run_app: RunApp) -> None:
    async with run_app() as pilot:
        first = await begin(pilot, GOAL)
        other = pilot.app.workspace.start("Move house by 1 June 2028").session_id  # type: ignore[attr-defined]
        first.notify("Told before", timeout=600)
        await until(pilot, lambda: first.query(Toast), seconds=9)
        pilot.app.open_session(other)  # type: ignore[attr-defined]
        await until(pilot, lambda: screen_of(pilot).session == other)
        first.notify("Told since", timeout=600)
        await pilot.pause()
        assert not pilot.app.screen.query(Toast)
        pilot.app.open_session(first.session)  # type: ignore[attr-defined]
        await until(pilot, lambda: [toast._notification.message for toast in first.query(Toast)] == ["Told since"])


@pytest.mark.parametrize("width", [60, 80, 100, 120])
async def test_where_an_agreed_plan_stands_is_told_at_every_width(workspace: Workspace, width: int) -> None:
    state = workspace.session(await wait_at_checkpoint(workspace, GOAL)).state()
    agreed = msgspec.structs.replace(state, saved_version=state.version)
    line = top_line(agreed, 200_000, width, Marks()).plain
    assert f"agreed · plan v{state.version}" in line
    assert "round" not in line
    assert "$0.00" in line
    assert len(line) <= width
