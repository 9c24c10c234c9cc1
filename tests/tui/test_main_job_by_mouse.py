"""The whole main job with the mouse alone: everything is clicked where it is seen; only texts are typed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.acting import RunApp, screen_lines, shown, until
from tests.tui.session_fixtures import HeldModel, gate, screen_of, settled, use, write
from textual.command import CommandPalette
from textual.events import Paste
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.tui.home.start import StartScreen
from workbench.tui.session.screen import SessionScreen

GOAL = "Move our billing to the new provider by 30 June 2028"


@pytest.fixture(autouse=True)
def held(workspace: Workspace) -> HeldModel:
    """A small scripted model that every session of the workspace asks."""
    model = HeldModel()
    use(workspace, model)
    return model


async def click(pilot: Pilot[Any], words: str) -> None:
    """Click words where they stand on the screen, the lowest first: the footer before the text above it."""
    await until(pilot, lambda: words in shown(pilot))
    lines = screen_lines(pilot)
    y = max(number for number, line in enumerate(lines) if words in line)
    await pilot.click(offset=(lines[y].index(words) + 1, y))
    await pilot.pause()


async def choose(pilot: Pilot[Any], words: str) -> None:
    """Choose a row and open it: the first click chooses, the second opens."""
    await click(pilot, words)
    await click(pilot, words)


async def shows(pilot: Pilot[Any], *words: str) -> None:
    try:
        await until(pilot, lambda: all(one in shown(pilot) for one in words))
    except TimeoutError as error:
        raise AssertionError(f"Waited for {words}; there was:\n{shown(pilot)}") from error


async def goes_to(pilot: Pilot[Any], screen: type) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, screen))


async def review(pilot: Pilot[Any]) -> None:
    """Go to the open question, by its title."""
    await click(pilot, "^Y answer")
    await until(pilot, lambda: screen_of(pilot).gate_pane.acts)
    await settled(pilot)


@pytest.mark.full
async def test_planning_with_the_mouse_alone(run_app: RunApp, workspace: Workspace, held: HeldModel) -> None:
    async with run_app() as pilot:
        screen = await _begin(pilot, GOAL)
        await gate(pilot, "approach")
        await review(pilot)
        held.hold("plan", after=1)
        await choose(pilot, "2  Way 2")
        await shows(pilot, "is being written", "Esc interrupt")
        await click(pilot, "interrupt")
        await shows(pilot, "Stopped: interrupted by you.")
        held.release("plan")
        await click(pilot, "go on")
        first = await gate(pilot, "checkpoint")
        await _look_around(pilot)
        await _write_notes(pilot)
        await review(pilot)
        await click(pilot, "send 1 note")
        await gate(pilot, "checkpoint", other_than=first.id)
        await review(pilot)
        await click(pilot, "finish")
        await shows(pilot, "Finish all the same, with")
        await click(pilot, "y finish")
        await shows(pilot, "Saved as version")
    state = workspace.session(screen.session).state()
    assert state.chosen == "A2"
    assert [said.text for said in state.feedback] == ["C1: Say whose billing"]
    assert state.status == "finished"


async def _begin(pilot: Pilot[Any], goal: str) -> SessionScreen:
    await goes_to(pilot, StartScreen)
    await write(pilot, goal)
    await click(pilot, "Enter start")
    await goes_to(pilot, SessionScreen)
    return screen_of(pilot)


async def _look_around(pilot: Pilot[Any]) -> None:
    """See every view by its name on the frame, and the outline from the palette."""
    for name, words in (("2 changes", "Changes v1"), ("6 rounds", "Insights"), ("1 plan", "  S1 ")):
        await click(pilot, name)
        await shows(pilot, words)
    await _from_palette(pilot, "transcript", "Show what was said, whole")
    await shows(pilot, "Export the customers")
    await click(pilot, "1 plan")
    await _from_palette(pilot, "outline", "Go to a section")
    await shows(pilot, "OUTLINE")
    await click(pilot, "Esc close")
    await click(pilot, "3 history")
    await shows(pilot, "THIS SESSION", "Plan v2")
    await click(pilot, "Billing runs with the new provider.")
    await _from_palette(pilot, "history", "Show the messages")
    await until(pilot, lambda: "THIS SESSION" not in shown(pilot))


async def _from_palette(pilot: Pilot[Any], typed: str, words: str) -> None:
    await click(pilot, "^P palette")
    await goes_to(pilot, CommandPalette)
    pilot.app.post_message(Paste(typed))
    await click(pilot, words)


async def _write_notes(pilot: Pilot[Any]) -> None:
    """Write a note on a section and take it back by leaving it; write another one and keep it; take a third back."""
    screen = screen_of(pilot)
    await choose(pilot, "Billing runs with the new provider.")
    await click(pilot, "m note   w why")
    await shows(pilot, "Note on")
    await click(pilot, "leave it")
    await until(pilot, lambda: "Note on" not in shown(pilot))
    for number, (place, said) in enumerate(
        (("Copy the customers", "At night"), ("No invoice is lost", "Say whose billing"))
    ):
        await choose(pilot, place)
        await click(pilot, "m note   w why")
        await shows(pilot, "Note on")
        await write(pilot, said)
        await click(pilot, "keep the note")
        await until(pilot, lambda number=number: len(screen.drafting.notes) == number + 1)  # type: ignore[misc]
    await click(pilot, "Copy the customers")
    await _from_palette(pilot, "take out", "Take out")
    await until(pilot, lambda: len(screen.drafting.notes) == 1)
