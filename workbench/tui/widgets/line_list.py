"""A list of rows through the line API: a hundred thousand rows cost what is on the screen."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from workbench.tui.lines import Row


class LineList(ScrollView, can_focus=True):
    """Rows of one or more lines; the chosen one is bold and marked, so that it is seen without colour too."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"line-list--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "previous row", show=False, id="list.previous", tooltip="Go to the row above"),
        Binding("down", "move(1)", "next row", show=False, id="list.next", tooltip="Go to the row below"),
        Binding("pageup", "page(-1)", "page up", show=False, id="list.page-up", tooltip="Go up by a page"),
        Binding("pagedown", "page(1)", "page down", show=False, id="list.page-down", tooltip="Go down by a page"),
        Binding("home", "edge(-1)", "first", show=False, id="list.first", tooltip="Go to the first row"),
        Binding("end", "edge(1)", "last", show=False, id="list.last", tooltip="Go to the last row"),
        Binding("enter", "choose", "open", show=False, id="list.open", tooltip="Open the chosen row"),
    ]
    cursor: reactive[int] = reactive(-1, repaint=False)
    """Index of the chosen row; -1 for none."""

    @dataclass
    class Chosen(Message):
        """A row was opened."""

        list: LineList
        key: str

        @property
        def control(self) -> LineList:
            """The list it happened in."""
            return self.list

    def __init__(self, *, id: str, has_cursor: bool = True) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._rows: Sequence[Row] = ()
        self._starts: list[int] = []
        self._has_cursor = has_cursor

    @property
    def rows(self) -> Sequence[Row]:
        """What is shown."""
        return self._rows

    def show(self, rows: Sequence[Row], *, follow: bool = False) -> None:
        """Show these rows. The cursor stays with its key; ``follow`` keeps the end in sight where it was in sight."""
        if rows == self._rows and self._starts:
            return
        at_end = self.scroll_offset.y >= self.max_scroll_y - 1
        key = self._rows[self.cursor].key if 0 <= self.cursor < len(self._rows) else ""
        self._rows = rows
        self._starts = []
        height = 0
        for row in rows:
            self._starts.append(height)
            height += len(row.lines)
        self.virtual_size = Size(self.size.width, height)
        places = {row.key: place for place, row in enumerate(rows) if row.key}
        self.set_reactive(LineList.cursor, places.get(key, -1))
        if follow and at_end:
            self.scroll_end(animate=False)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render one line of the screen."""
        line, place = self._line_at(self.scroll_offset.y + y)
        width = self.scrollable_content_region.width
        is_cursor = place == self.cursor and place >= 0 and self.has_focus and self._has_cursor
        style = self.get_visual_style("line-list--cursor") if is_cursor else self.visual_style
        strips = Visual.to_strips(self, line, width, 1, style) if width else []
        strip = strips[0] if strips else Strip.blank(width, style.rich_style)
        return strip.extend_cell_length(width, style.rich_style).crop(0, width)

    def _line_at(self, number: int) -> tuple[Content, int]:
        place = bisect_right(self._starts, number) - 1
        if place < 0:
            return Content(), -1
        lines = self._rows[place].lines
        offset = number - self._starts[place]
        return (lines[offset], place) if offset < len(lines) else (Content(), -1)

    def watch_cursor(self) -> None:
        """Keep the chosen row in sight."""
        if 0 <= self.cursor < len(self._rows):
            region = Region(0, self._starts[self.cursor], 1, len(self._rows[self.cursor].lines))
            self.scroll_to_region(region, animate=False, force=True)
        self.refresh()

    def on_focus(self) -> None:
        """Show where the cursor is."""
        if self.cursor < 0:
            self.action_move(1)
        self.refresh()

    def on_blur(self) -> None:
        """Show that keys go elsewhere."""
        self.refresh()

    def on_click(self, event: Click) -> None:
        """Choose by mouse: the first click selects, the second opens."""
        place = self._line_at(self.scroll_offset.y + event.y)[1]
        if place < 0 or not self._rows[place].key:
            return
        if place == self.cursor:
            self.action_choose()
        self.cursor = place

    def action_move(self, step: int) -> None:
        """Move to the next row that can be chosen; scroll where none can."""
        place = self.cursor + step
        while 0 <= place < len(self._rows) and not self._rows[place].key:
            place += step
        if 0 <= place < len(self._rows):
            self.cursor = place
        else:
            self.scroll_relative(y=step, animate=False)

    def action_page(self, step: int) -> None:
        """Scroll by a page."""
        self.scroll_relative(y=step * max(self.size.height - 1, 1), animate=False)

    def action_edge(self, step: int) -> None:
        """Go to the first or last row."""
        if step < 0:
            self.scroll_home(animate=False)
        else:
            self.scroll_end(animate=False)

    def action_choose(self) -> None:
        """Open the chosen row."""
        if 0 <= self.cursor < len(self._rows) and self._rows[self.cursor].key:
            self.post_message(self.Chosen(self, self._rows[self.cursor].key))
