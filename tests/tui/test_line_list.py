"""A list draws what changed, and nothing else."""

from __future__ import annotations

import pytest
from tests.tui.acting import RunApp, until
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.strip import Strip
from workbench.tui.lines import Cell, Row, text
from workbench.tui.widgets.line_list import LineList

pytestmark = pytest.mark.draws


class Counted(LineList):
    """Counts which lines are rendered."""

    def __init__(self) -> None:
        super().__init__(id="list")
        self.rendered: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.rendered.append(y)
        return super().render_line(y)


class ListApp(App[None]):
    CSS = "LineList { height: auto; max-height: 12; }"

    def compose(self) -> ComposeResult:
        yield Counted()


def rows(*changed: int, count: int = 8) -> list[Row]:
    return [Row((text("new" if number in changed else "old"),), key=f"{number}") for number in range(count)]


def shown(pilot: Pilot[None]) -> list[str]:
    strips = pilot.app.screen._compositor.render_strips()
    return [word for strip in strips if (word := "".join(part.text for part in strip).strip())]


async def redrawn(pilot: Pilot[None], then: list[Row]) -> list[int]:
    """Show other rows; return which lines were rendered for them."""
    listed = pilot.app.query_one(Counted)
    await pilot.pause()
    listed.rendered.clear()
    listed.show(then)
    await pilot.pause()
    return sorted(set(listed.rendered))


async def test_a_line_that_says_something_else_is_drawn_alone():
    async with ListApp().run_test() as pilot:
        pilot.app.screen.set_focus(None)
        pilot.app.query_one(Counted).show(rows())
        assert await redrawn(pilot, rows(3)) == [3]
        assert shown(pilot) == ["old", "old", "old", "new", "old", "old", "old", "old"]


async def test_a_scrollbar_is_dragged_by_mouse(run_app: RunApp) -> None:
    """The last line of defence takes actions out of what is drawn, but not those of a scrollbar."""
    async with run_app() as pilot:
        rows = LineList(id="it", mark="▸")
        await pilot.app.screen.mount(rows)
        rows.styles.height = 10
        rows.show([Row((text(f"row {number}"),)) for number in range(200)])
        await until(pilot, lambda: rows.max_scroll_y > 0 and rows.vertical_scrollbar.region.height > 0)
        await pilot.click(rows.vertical_scrollbar, offset=(0, rows.vertical_scrollbar.region.height - 1))
        await until(pilot, lambda: rows.scroll_offset.y > 0)


@pytest.mark.parametrize(
    ("then", "chosen"),
    [(["a", "b", "c", "d"], "c"), (["new", "a", "b", "c"], "c"), (["a", "b", "d"], "d"), (["a"], "a"), ([], "")],
)
async def test_the_chosen_row_stays_or_the_one_in_its_place_is_chosen(then: list[str], chosen: str):
    async with ListApp().run_test() as pilot:
        listed = pilot.app.query_one(Counted)
        listed.show([Row((text(key),), key=key) for key in "abcd"])
        listed.focus()
        await pilot.pause()
        await pilot.press("down", "down")
        listed.show([Row((text(key),), key=key) for key in then])
        assert listed.chosen == chosen


class Told(ListApp):
    """Keeps what was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[str, str]] = []

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        self.opened.append((message.key, message.cell))


def unfolded(key: str, lines: int) -> Row:
    return Row(tuple(text(f"{key} {line}") for line in range(lines)), key=key, cells=(Cell("owner", 0, 9),))


async def test_a_click_on_a_line_further_down_chooses_its_row_and_moves_nothing():
    async with Told().run_test() as pilot:
        listed = pilot.app.query_one(Counted)
        listed.show([unfolded("a", 10), unfolded("b", 10), Row((text("a note"),)), unfolded("c", 9)])
        listed.focus()
        await pilot.pause()
        listed.scroll_to(y=6, animate=False, immediate=True)
        await pilot.pause()
        await pilot.click(listed, offset=(3, 2))
        assert (listed.chosen, listed.scroll_offset.y) == ("a", 6)
        await pilot.click(listed, offset=(3, 7))
        assert (listed.chosen, listed.scroll_offset.y) == ("b", 6)
        await pilot.click(listed, offset=(3, 7))
        await pilot.pause()
        assert pilot.app.opened == [("a", ""), ("b", "")], "not a cell, which stands in another line"
        listed.scroll_to(y=20, animate=False, immediate=True)
        await pilot.pause()
        await pilot.click(listed, offset=(3, 3))
        assert listed.chosen == "c"
        await pilot.click(listed, offset=(3, 0))
        assert listed.chosen == "b", "what cannot be chosen belongs to the row above it"
        assert len(pilot.app.opened) == 2
