"""What is painted has the room that it stands in: from the first picture on, and when something opens or closes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.tui.acting import ROOMY, USUAL, WIDE, RunApp, sees, until, wait_at_checkpoint
from tests.tui.session_fixtures import calm, gate, screen_of
from workbench.bootstrap import Workspace
from workbench.tui.lines import Row
from workbench.tui.session.painting import Picture
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.line_list import LineList


@pytest.mark.parametrize("size", [USUAL, WIDE, ROOMY])
async def test_no_picture_is_narrower_than_its_panes(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    session = await wait_at_checkpoint(workspace)
    pictures: list[Picture] = []
    show = SessionScreen.show

    def noted(screen: SessionScreen, picture: Picture) -> None:
        pictures.append(picture)
        show(screen, picture)

    monkeypatch.setattr(SessionScreen, "show", noted)
    async with run_app(session=session, size=size) as pilot:
        await gate(pilot, "checkpoint")
        await pilot.press("ctrl+l", "3")
        await calm(pilot)
        await pilot.press("3")
        await calm(pilot)
    for picture in pictures:
        sight = picture.sight
        assert sight.main >= 50
        assert sight.left == 0 or sight.left >= 20
        assert sight.right == 0 or sight.right >= 40


async def test_what_stands_beside_a_drawer_is_laid_out_anew_however_it_closes(
    run_app: RunApp, workspace: Workspace
) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=ROOMY) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        await pilot.press("ctrl+l", "3")
        await until(pilot, lambda: screen._picture.sight.right)  # type: ignore[union-attr]
        before = screen.plan_pane.room
        screen.query_one("#right").display = False  # nothing is told to paint
        await until(pilot, lambda: screen.plan_pane.room > before)
        await until(pilot, lambda: screen._picture.sight.main == screen.plan_pane.room)  # type: ignore[union-attr]


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
        await until(pilot, lambda: screen.view == "context" and not screen.has_drawer and not screen.has_rail)
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "context" and screen.has_drawer and screen.has_rail)
        screen.query_one("#history").focus()
        await pilot.pause()
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "history" and screen.plan_pane.has_focus)
        await pilot.press("z")
        await until(pilot, lambda: screen.view == "context" and screen.query_one("#history").has_focus)


async def test_a_drawer_is_remembered_for_each_width(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session, size=ROOMY) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        await pilot.press("ctrl+l", "3")
        await until(pilot, lambda: screen.query_one("#history").has_focus)
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: not screen.has_drawer and screen.plan_pane.has_focus)
        await pilot.press("3")
        await until(pilot, lambda: screen.has_drawer and not screen.has_rail)
        await pilot.resize_terminal(*ROOMY)
        await until(pilot, lambda: screen.has_drawer)
        await pilot.press("3")
        await until(pilot, lambda: not screen.has_drawer)
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: screen.has_drawer)


async def test_the_first_rows_of_the_first_screen_have_all_their_room(
    run_app: RunApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wait_at_checkpoint(workspace)
    widths: list[int] = []
    show = LineList.show

    def noted(pane: LineList, rows: Sequence[Row], **options: Any) -> None:
        if pane.id == "plans":
            widths.append(max(line.cell_length for row in rows for line in row.lines))
        show(pane, rows, **options)

    monkeypatch.setattr(LineList, "show", noted)
    async with run_app(size=WIDE) as pilot:
        await sees(pilot, "NEEDS YOU")
    assert min(widths) > 100
