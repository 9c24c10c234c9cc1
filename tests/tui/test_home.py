"""The first screen where sessions are: what needs you, what is due, what rests and what is done."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.tui.acting import ROOMY, USUAL, WIDE, Look, RunApp, finish, sees, shown, until, wait_at_gate
from textual.pilot import Pilot
from workbench.bootstrap import Listed, Workspace
from workbench.domain.errors import UsageError
from workbench.domain.plan.due import DueStep
from workbench.tui.app import WorkbenchApp
from workbench.tui.home.home_rows import Glance, Home, home_rows
from workbench.tui.home.start import StartScreen
from workbench.tui.marks import Marks
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.line_list import LineList

NOW = datetime(2027, 3, 2, 9, 30, tzinfo=UTC)
LATE = DueStep(
    kind="late", step="S4", title="Contract the caterer", owner="Tom", start="2027-02-26", end="2027-02-28", days=-2,
    why="2 days late",
)  # fmt: skip
STATUSES = ("finished", "finished", "waiting", "running", "interrupted", "stopped", "unreadable")
LISTED = [
    Listed(session=f"s{number}", goal=f"Goal {number} " + "word " * 30, status=status, updated="2027-03-02T09:26:00Z")
    for number, status in enumerate(STATUSES)
]
GLANCES = {
    "s0": Glance(is_under_way=True, steps="3 of 14", due=(LATE,), cost=1.1),
    "s2": Glance(asks="7 changes, 1 finding", round="2 of 5", cost=None),
}


def lines(width: int) -> list[str]:
    rows = home_rows(Home(LISTED, GLANCES, NOW), width, Marks())
    return [line.plain for row in rows for line in row.lines]


def test_sessions_stand_under_what_can_be_done_with_them() -> None:
    found = lines(110)
    heads = [line.split()[0] for line in found if line[:1].isupper()]
    assert heads == ["NEEDS", "TODAY", "RUNNING", "UNDER", "RESTING", "DONE"]
    asks = found[1].split()
    assert asks[:3] == ["▲", "Goal", "2"]
    assert asks[-9:] == ["2", "of", "5", "7", "changes,", "1", "finding", *["4", "min", "n/a"]][-9:]
    due = next(line for line in found if line.startswith("! S4"))
    assert due.split()[2:6] == ["Contract", "the", "caterer", "Tom"]
    assert due.endswith("2 days late")
    assert next(line for line in found if "Goal 0" in line and line.startswith("  G")).split()[-7:-3] == [
        "14", "1", "step", "late",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [52, 72, 92, 112, 152, 192])
def test_no_line_is_wider_than_its_place(width: int) -> None:
    assert max(map(len, lines(width))) <= width
    assert any(line.rstrip().endswith("2 days late") for line in lines(width))


async def at_home(pilot: Pilot[object]) -> None:
    await until(pilot, lambda: "NEEDS YOU" in shown(pilot) and "choose an approach" in shown(pilot))
    await pilot.pause()


@pytest.fixture
async def some(workspace: Workspace) -> str:
    """Two sessions: one is done, one asks."""
    await finish(workspace, "Paint the fence")
    return await wait_at_gate(workspace, "Move the shed")


@pytest.mark.usefixtures("some")
def test_how_it_looks(look: Look) -> None:
    async def then(pilot: Pilot[object]) -> None:
        await until(pilot, lambda: isinstance(pilot.app.screen, StartScreen))
        await at_home(pilot)
        parts = ("2 plans", "cost", "Enter opens it", "begins today", "on time", "next that asks", "everything")
        await until(pilot, lambda: all(part in shown(pilot) for part in parts))  # rows are drawn as they are read

    assert look(WIDE, then)


@pytest.mark.usefixtures("some")
async def test_a_new_session_is_listed_while_the_list_has_the_focus(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        await at_home(pilot)
        workspace.start("Plant the hedge")
        await until(pilot, lambda: "Plant the hedge" in shown(pilot))


def test_a_goal_is_told_as_far_as_there_is_room() -> None:
    goal = "Organise a wedding for 80 guests in Lyon on 12 June 2027, at most 25,000 EUR"
    one = Listed(session="s", name=f"{goal[:59]}…", goal=goal, status="waiting", updated="2027-03-02T09:26:00Z")
    rows = home_rows(Home([one], {"s": Glance(due=(LATE,) * 50)}, NOW), 160, Marks())
    found = [line.plain for row in rows for line in row.lines]
    assert any(goal in line for line in found)
    assert sum("Contract the caterer" in line for line in found) == 40
    assert any("10 more" in line for line in found)


@pytest.mark.usefixtures("some")
async def test_what_is_wrong_with_a_goal_is_said_beside_the_plans(run_app: RunApp, monkeypatch: Any) -> None:
    def refuse(_goal: str) -> None:
        raise UsageError("That is no goal.")

    monkeypatch.setattr("workbench.tui.home.start.check_goal", refuse)
    async with run_app() as pilot:
        await at_home(pilot)
        await pilot.press("ctrl+n", *"Hm", "enter")
        await sees(pilot, "That is no goal.")


@pytest.mark.usefixtures("some")
async def test_all_that_is_due_is_listed_where_it_has_room(run_app: RunApp, workspace: Workspace) -> None:
    for number in range(9):
        await wait_at_gate(workspace, f"Plant hedge number {number}")
    async with run_app(size=ROOMY) as pilot:
        await at_home(pilot)
        await sees(pilot, "number 0", "number 8")


@pytest.mark.usefixtures("some")
async def test_plans_have_the_rows_of_what_is_offered_where_these_are_few(
    run_app: RunApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.models.servers.discovery.USUAL_SERVERS", [])
    monkeypatch.setattr(WorkbenchApp, "looks_for_models", True)
    async with run_app(size=WIDE) as pilot:
        await at_home(pilot)
        await sees(pilot, "workbench models get")
        await pilot.resize_terminal(*USUAL)
        await until(pilot, lambda: "workbench models get" not in shown(pilot) and "NEEDS YOU" in shown(pilot))


@pytest.mark.usefixtures("some")
async def test_letters_typed_while_plans_are_read_are_for_the_plans(
    run_app: RunApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, sessions = threading.Event(), Workspace.sessions

    def slowly(own: Workspace) -> Any:
        held.wait(30)
        return sessions(own)

    monkeypatch.setattr("workbench.tui.app._LONGEST_WAIT", 30)
    monkeypatch.setattr(Workspace, "sessions", slowly)
    async with run_app() as pilot:
        await pilot.press("n", "j")
        held.set()
        plans = pilot.app.screen.query_one("#plans", LineList)
        await until(pilot, lambda: plans.cursor > 0)
        assert plans.has_focus
        assert not pilot.app.screen.query_one(Draft).text


async def test_a_goal_typed_while_nothing_is_known_stands_in_the_input(
    run_app: RunApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, sessions = threading.Event(), Workspace.sessions

    def slowly(own: Workspace) -> Any:
        held.wait(30)
        return sessions(own)

    monkeypatch.setattr(Workspace, "sessions", slowly)
    async with run_app() as pilot:
        await pilot.press(*"Move")
        held.set()
        await until(pilot, lambda: pilot.app.screen.query_one(Draft).text == "Move")
        assert pilot.app.screen.query_one(Draft).has_focus


@pytest.mark.usefixtures("some")
async def test_escape_leaves_the_goal_for_the_plans(run_app: RunApp) -> None:
    async with run_app() as pilot:
        await at_home(pilot)
        await pilot.press("ctrl+n", *"Hm")
        await sees(pilot, "Esc to the plans")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.query_one("#plans").has_focus)
        await sees(pilot, "^Q quit")
        await pilot.press("q")
        await until(pilot, lambda: pilot.app._exit)
