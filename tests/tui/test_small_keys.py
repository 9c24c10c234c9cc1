"""Keys that act on one row: copied, said to be done; and the scale of the days beside the steps."""

from __future__ import annotations

import pytest
from tests.tui.acting import RunApp, finish, sees, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import gate, screen_of
from workbench.bootstrap import Workspace
from workbench.export.figures import quick_figures_of
from workbench.replay.rounds import CallFigures, Rounds
from workbench.tui.form import FormDialog
from workbench.tui.home.start import StartScreen
from workbench.tui.lines import Row, text
from workbench.tui.marks import Marks
from workbench.tui.session.memory_rows import running_rows
from workbench.tui.table import Timescale
from workbench.tui.views import OLDER, UNFOLDED, history_rows
from workbench.tui.widgets.line_list import LineList


@pytest.mark.full
async def test_y_copies_the_row_without_control_characters(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(session=await wait_at_checkpoint(workspace)) as pilot:
        await gate(pilot, "checkpoint")
        pane = screen_of(pilot).plan_pane
        pane.focus()
        await pilot.press("g", "y")
        assert pilot.app.clipboard.startswith("Goal ")
        pane.show([Row((text("S1  a\x1b]52;c;aGk=\x07"), text("  more    here")), key="place:x:1")])
        pane.cursor = 0
        pane.action_copy()  # at once: the plan is painted over it
        assert pilot.app.clipboard.startswith("S1 a")
        assert pilot.app.clipboard.endswith("\nmore here")
        assert not set("\x1b\x07") & set(pilot.app.clipboard)


@pytest.mark.full
async def test_plus_and_minus_change_the_scale_within_bounds(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(session=await wait_at_checkpoint(workspace), size=(200, 45)) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        screen.plan_pane.focus()
        await pilot.press("minus", *["plus"] * 9)
        await until(pilot, lambda: screen._picture is not None and screen._picture.sight.closer == 5)
        await pilot.press(*["minus"] * 9)
        await until(pilot, lambda: screen._picture is not None and screen._picture.sight.closer == 0)


@pytest.mark.parametrize("closer", [1, 2, 5])
async def test_a_closer_scale_shows_fewer_days(workspace: Workspace, closer: int) -> None:
    state = workspace.session(await wait_at_checkpoint(workspace)).state()
    told = quick_figures_of(state, state.plan)
    assert told is not None
    whole, near = Timescale.of(told.steps, told, 66), Timescale.of(told.steps, told, 66, closer)
    assert whole is not None
    assert near is not None
    assert near.first == whole.first
    assert near.last < whole.last
    bars = [near.bar(step, Marks()).plain for step in told.steps]
    assert {len(bar) for bar in bars} == {near.width}
    later = [bar for step, bar in zip(told.steps, bars, strict=True) if step.start and step.start > near.last]
    assert later or closer < 5
    assert not any("▄" in bar for bar in later)


async def test_d_on_home_asks_about_the_chosen_step(run_app: RunApp, workspace: Workspace) -> None:
    await finish(workspace)
    async with run_app(size=(120, 36)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen) and "TODAY" in shown(pilot))
        plans = pilot.app.screen.query_one("#plans", LineList)
        plans.focus()
        plans.cursor = next(place for place, row in enumerate(plans.rows) if row.key and " " not in row.key)
        await pilot.press("d")
        assert not isinstance(pilot.app.screen, FormDialog)
        plans.cursor = next(place for place, row in enumerate(plans.rows) if " " in row.key)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await sees(pilot, "S1 done")


@pytest.mark.parametrize("width", [38, 46])
async def test_a_running_round_says_what_it_spent(workspace: Workspace, width: int) -> None:
    state = workspace.session(await wait_at_checkpoint(workspace)).state()
    calls = [
        CallFigures(call="c1", role="planner", model="m", read=6_000, written=500, cost=0.25, seconds=41.0),
        CallFigures(call="c2", role="verifier", model="m", read=1_500, written=100, cost=0.5, seconds=12.0),
    ]
    number = state.current.number if state.current is not None else 0
    rows = running_rows(state, None, "", Rounds(calls={number: tuple(calls)}), size=(width, 30), marks=Marks())
    lines = {line.plain.split()[0]: line.plain.split() for row in rows for line in row.lines if line.plain.split()}
    assert [lines[name][1] for name in ("tokens", "money", "calls")] == ["8.1k", "$0.75", "2"]
    assert lines["time"][1:3] == ["53", "s"]
    assert max(line.cell_length for row in rows for line in row.lines) <= width


async def test_older_entries_are_one_row_and_answers_stand_below_their_questions(workspace: Workspace) -> None:
    from msgspec.structs import replace
    from workbench.domain.log.growing import Growing
    from workbench.domain.loop.tasks import Answered
    from workbench.domain.session.state import HistoryItem

    state = workspace.session(await wait_at_checkpoint(workspace)).state()
    said = [
        HistoryItem(id=f"h{n}", seq=n, role="user", agent=None, text=f"word {n}", time="2026-11-16T09:00:00Z")
        for n in range(100)
    ]
    answers = Growing(
        [Answered(question="Skipped?", answer=""), Answered(question="Who goes first?", answer="word 99")]
    )
    state = replace(state, history=Growing(said), answers=answers)
    rows = history_rows(state, 46, Marks(), folded=True)
    assert [row.key for row in rows[1:3]] == [OLDER, f"message:h{100 - UNFOLDED}"]
    assert f"{100 - UNFOLDED} older entries" in rows[1].lines[0].plain
    assert [line.plain.strip(" ┃") for line in rows[-1].lines][1:] == ["Who goes first?", "↳ word 99"]
    title, first, skipped, *_ = whole = history_rows(state, 46, Marks())
    assert len(whole) == len(said) + 2
    assert (title.is_title, first.key) == (True, "message:h0")
    assert [line.plain.strip(" ┃") for line in skipped.lines] == ["question", "Skipped?", "↳ not answered"]
