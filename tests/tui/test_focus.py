"""Tab and Shift+Tab go around every screen, the one as the other backwards; what has the focus is always seen."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tui.acting import ROOMY, USUAL, RunApp, until, wait_at_checkpoint
from tests.tui.replays import loaded
from tests.tui.session_fixtures import HeldModel, calm, gate, review, screen_of, use
from tests.tui.test_session_snapshots import guided_reply
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget
from workbench.bootstrap import Workspace
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.session.isolation import IsolationScreen
from workbench.tui.session.screen import SessionScreen
from workbench.tui.settings.screen import SettingsScreen

RAIL = ["outline", "rounds", "fleet", "live"]
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
            ("4", "context", [*RAIL, "plan", *FOOT]),
            ("5", "live", [*RAIL, "plan", *FOOT]),
            ("6", "rounds", [*RAIL, "plan", *FOOT]),
            ("13", "plan", ["plan", "history", *FOOT]),
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
            (("ctrl+l", "7"), IsolationScreen, ["isolation"]),
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


async def test_tab_goes_around_a_session_at_work(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.tui.session.drive._LONG", 0.0)
    model = HeldModel(guided_reply)
    use(workspace, model)
    session = await wait_at_checkpoint(workspace)
    model.hold("verify")
    async with run_app(session=session, size=ROOMY) as pilot:
        await gate(pilot, "checkpoint")
        await review(pilot, "c")
        await until(pilot, lambda: model.asked["verify"] > 1 and pilot.app.screen.query_one("#under-way").region)
        assert await goes_around(pilot) == ["plan", "under-way", "draft"]
        model.release("verify")
        await gate(pilot, "checkpoint")
