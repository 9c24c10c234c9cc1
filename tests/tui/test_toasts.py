"""What is told for a moment stands beside the question and the input, never on them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.acting import GOAL, SMALL, USUAL, WIDE, RunApp, until
from tests.tui.session_fixtures import asking, begin, choose, gate, review, screen_of, use
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets._toast import Toast
from workbench.bootstrap import Workspace
from workbench.models.scripted import CallableModel
from workbench.tui.widgets.gate_pane import GatePane

ASKING = ("#gate", "#purpose", "#input", "#hints")
LONG = "The reply was cut off after four minutes, and nothing of it was lost. " * 4


def seen_toasts(pilot: Pilot[Any]) -> list[Region]:
    """Return where toasts are seen."""
    places = pilot.app.screen._compositor.visible_widgets
    return [region.intersection(clip) for widget, (region, clip) in places.items() if isinstance(widget, Toast)]


async def toasts_leave_room(pilot: Pilot[Any], *names: str) -> None:
    """Assert, at every size, that neither a long toast nor several at once cover these widgets."""
    screen = pilot.app.screen
    for size in (WIDE, USUAL, SMALL):
        await pilot.resize_terminal(*size)
        for count in (1, 4):
            for number in range(count):
                pilot.app.notify(f"{number}. {LONG}", title="Model", markup=False, timeout=600)
            await until(pilot, lambda count=count: len(screen.query(Toast)) == count)  # type: ignore[misc]
            await until(pilot, lambda: seen_toasts(pilot), seconds=9)
            kept = [screen.query_one(name) for name in names]
            seen = seen_toasts(pilot)
            covered = [one.id for one in kept if any(one.region.overlaps(toast) for toast in seen)]
            assert covered == [], (size, count, seen)
            for toast in screen.query(Toast):
                toast._expire()
            await until(pilot, lambda: not screen.query(Toast))
    await pilot.resize_terminal(*WIDE)


@pytest.mark.full
async def test_toasts_never_cover_the_gate_or_the_input(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(asking("What may it cost?"), name="told"))
    async with run_app() as pilot:
        await toasts_leave_room(pilot, "#draft", "#hints")
        await begin(pilot, GOAL)
        await gate(pilot, "question")
        await toasts_leave_room(pilot, *ASKING)
        pane: GatePane = screen_of(pilot).gate_pane
        while pane.gate is not None and pane.gate.kind == "question":
            asked = pane.gate
            await review(pilot, "s")
            await until(pilot, lambda asked=asked: pane.gate not in (None, asked))  # type: ignore[misc]
        await gate(pilot, "approach")
        await toasts_leave_room(pilot, *ASKING)
        await review(pilot)
        await toasts_leave_room(pilot, *ASKING)
        await choose(pilot)
        await gate(pilot, "checkpoint")
        await toasts_leave_room(pilot, *ASKING)
        await pilot.press("ctrl+l", "m", *"Who pays?")
        await until(pilot, lambda: screen_of(pilot).drafting.purpose == "note")
        await toasts_leave_room(pilot, *ASKING)
        await pilot.press("escape", "escape", "ctrl+n")
        await until(pilot, lambda: pilot.app.screen.query_one("#plans").display)
        await toasts_leave_room(pilot, "#draft", "#hints")


async def test_what_is_told_of_a_session_stands_above_no_other(run_app: RunApp) -> None:
    async with run_app() as pilot:
        first = await begin(pilot, GOAL)
        other = pilot.app.workspace.start("Move house by 1 June 2028").session_id  # type: ignore[attr-defined]
        first.notify("Told before", timeout=600)
        await until(pilot, lambda: seen_toasts(pilot), seconds=9)
        pilot.app.open_session(other)  # type: ignore[attr-defined]
        await until(pilot, lambda: screen_of(pilot).session == other)
        first.notify("Told since", timeout=600)
        await pilot.pause()
        assert not pilot.app.screen.query(Toast)
        pilot.app.open_session(first.session)  # type: ignore[attr-defined]
        await until(pilot, lambda: [toast._notification.message for toast in first.query(Toast)] == ["Told since"])
