"""A list of rows through the line API: a hundred thousand rows cost what is on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.events import Click, MouseDown
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from workbench.tui.keys import bind
from workbench.tui.lines import Row, Sheet, joined, text


class LineList(ScrollView, can_focus=True):
    """Rows of one or more lines; the chosen one begins bold and with a mark, so that it is seen without colour too."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"line-list--cursor", "line-list--cursor-first"}
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("up,k", "move(-1)", "previous row", "list.previous", "Go to the row above"),
        bind("down,j", "move(1)", "next row", "list.next", "Go to the row below"),
        bind("pageup", "page(-1)", "page up", "list.page-up", "Go up by a page"),
        bind("pagedown", "page(1)", "page down", "list.page-down", "Go down by a page"),
        bind("home", "edge(-1)", "first", "list.first", "Go to the first row"),
        bind("end", "edge(1)", "last", "list.last", "Go to the last row"),
        bind("enter", "choose", "open", "list.open", "Open the chosen row"),
        bind("full_stop", "app.command_palette", "all", "list.all", "All that can be done"),
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

    class Resized(Message):
        """It is as wide or as high as it was not before: what it shows is to be laid out anew."""

    def __init__(self, *, id: str, has_cursor: bool = True, mark: str = "") -> None:  # noqa: A002 - Textual's own name
        """``mark`` stands beside the chosen row, in a gutter of its own; without one there is no gutter."""
        super().__init__(id=id)
        self._sheet = Sheet()
        self._has_cursor = has_cursor
        self._mark = mark
        self._drawn_width = 0
        self._follows = False
        """Whether the end is kept in sight where it was in sight."""
        self._is_at_end = True
        self._holds = False
        """Whether the chosen row is held in sight, and the last one is chosen first."""
        self._is_fresh = self._is_brought = False
        """Whether it got the focus just now, and whether the last press did that: such a click opens nothing."""
        self._strips: LRUCache[tuple[object, ...], tuple[Content, Strip]] = LRUCache(1024)
        """What was drawn lately; each with the line it was drawn of, so that its id is not given away."""

    @property
    def rows(self) -> Sequence[Row]:
        """What is shown."""
        return self._sheet

    @property
    def chosen(self) -> str:
        """Key of the chosen row; "" for none."""
        return self._sheet[self.cursor].key if 0 <= self.cursor < len(self._sheet) else ""

    @property
    def room(self) -> int:
        """Cells that a row has: a space stays between it and the scrollbar."""
        gutter = 2 if self._mark else 0  # at the left, for the mark of the chosen row
        return max(self.scrollable_content_region.width - gutter - 1, 0)

    def show(self, rows: Sequence[Row], *, follow: bool = False, from_top: bool = False, holds: bool = False) -> None:
        """Show these rows. The cursor stays with its key; ``follow`` keeps the end in sight where it was in sight.

        ``from_top`` begins at the first row: something else is shown now. ``holds``: rows come at the end by
        themselves, so the last one is chosen first, and the chosen one is never followed out of sight. A Sheet is taken
        as it is.
        """
        self._follows, self._holds = follow, holds
        if rows is self._sheet:
            return
        before, key, cursor = self._sheet, self.chosen, self.cursor
        self._sheet = rows if isinstance(rows, Sheet) else Sheet(rows)
        self.virtual_size = Size(0, self._sheet.height)
        self.set_reactive(LineList.cursor, -1 if from_top else self._sheet.places.get(key, -1))
        if from_top and not follow:
            self.scroll_home(animate=False)
        elif follow and (self._is_at_end or from_top):
            self.call_after_refresh(self._scroll_to_end)
        if self.has_focus and self.cursor < 0:
            self._choose()
        if self._sheet.height != before.height:
            self.refresh(layout=self.styles.is_auto_height)
        else:
            self._refresh_changed(before, cursor)

    def _refresh_changed(self, before: Sheet, cursor: int) -> None:
        """Draw only those lines in sight anew that say something else: a second that passes changes one."""
        for y in range(self.scrollable_content_region.height):
            line, place, offset = self._line_at(y)
            old, old_place, old_offset = _line_of(before, self.scroll_offset.y, y)
            is_marked = (
                place == self.cursor,
                offset == 0,
                0 <= place < len(self._sheet) and self._sheet[place].is_title,
            )
            was_marked = (
                old_place == cursor,
                old_offset == 0,
                0 <= old_place < len(before) and before[old_place].is_title,
            )
            if not line.is_same(old) or (self.has_focus and is_marked != was_marked):
                self.refresh(Region(0, y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        """Render one line of the screen."""
        line, place, offset = self._line_at(y)
        has_focus = self.has_focus
        is_cursor = has_focus and self._has_cursor and place >= 0 and place == self.cursor
        is_title = has_focus and place >= 0 and self._sheet[place].is_title
        return self._drawn(line, self._drawn_width, is_cursor=is_cursor, is_title=is_title, is_first=offset == 0)

    def _drawn(self, line: Content, width: int, *, is_cursor: bool, is_title: bool, is_first: bool) -> Strip:
        """Return a line as it is drawn; the same line is drawn once, because drawing is what costs."""
        key = (id(line), is_cursor, is_title, is_first, width, self.visual_style)
        known = self._strips.get(key)
        if known is not None and known[0] is line:
            return known[1]
        drawn = line
        if self._mark:
            drawn = joined(text(f"{self._mark} " if is_cursor and is_first else "  ", "$primary"), line)
        if is_title:
            drawn = text(drawn.plain, "bold $primary")
        style = self.visual_style
        if is_cursor:
            style = self.get_visual_style("line-list--cursor-first" if is_first else "line-list--cursor")
        strip = self._strip(drawn, width, style)
        self._strips[key] = (line, strip)
        return strip

    def _line_at(self, y: int) -> tuple[Content, int, int]:
        return _line_of(self._sheet, self.scroll_offset.y, y)

    def _strip(self, line: Content, width: int, style: Style) -> Strip:
        strips = Visual.to_strips(self, line, width, 1, style) if width else []
        strip = strips[0] if strips else Strip.blank(width, style.rich_style)
        return strip.extend_cell_length(width, style.rich_style).crop(0, width)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render lines of the screen."""
        self._drawn_width = self.scrollable_content_region.width
        return super().render_lines(crop)

    def notify_style_update(self) -> None:
        """Draw everything anew in other colours."""
        super().notify_style_update()
        self._strips.clear()

    def watch_cursor(self) -> None:
        """Keep the chosen row in sight."""
        if 0 <= self.cursor < len(self._sheet):
            region = Region(0, self._sheet.starts[self.cursor], 1, len(self._sheet[self.cursor].lines))
            self.scroll_to_region(region, animate=False, force=True)
        self.refresh()

    def reveal(self, key: str, *, at_top: bool = False) -> None:
        """Choose a row and bring it into sight, with the rows below that belong to it: those that cannot be chosen."""
        place = self._sheet.places.get(key, -1)
        if place < 0:
            return
        self.set_reactive(LineList.cursor, place)
        self.refresh()
        after = self._next(place, 1)
        end = self._sheet.height if after is None else self._sheet.starts[after]
        start = self._sheet.starts[place]
        if at_top:
            self.scroll_to(y=start, animate=False, force=True)
            return
        self.scroll_to_region(Region(0, start, 1, end - start), animate=False, force=True)

    def on_focus(self) -> None:
        """Show where the cursor is."""
        self._is_fresh = True
        self.call_after_refresh(self._end_fresh)
        if self.cursor < 0:
            self._choose()
        self.refresh()

    def on_blur(self) -> None:
        """Show that keys go elsewhere, and the newest again where rows come by themselves."""
        if self._holds:
            self.set_reactive(LineList.cursor, -1)
            self._scroll_to_end()
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Remember whether the end is in sight."""
        super().watch_scroll_y(old_value, new_value)
        self._is_at_end = new_value >= self.max_scroll_y - 1

    def on_resize(self) -> None:
        """Keep the end in sight where another list took some of the room."""
        self.post_message(self.Resized())
        if self._follows and self._is_at_end:
            self.call_after_refresh(self._scroll_to_end)

    def _scroll_to_end(self) -> None:
        end = self.max_scroll_y
        if self._holds and self.has_focus and 0 <= self.cursor < len(self._sheet):
            end = min(end, self._sheet.starts[self.cursor] - self._sheet[0].is_title)
        self.scroll_to(y=end, animate=False)

    def _choose(self) -> None:
        """Put the cursor on the first row in sight that can be chosen, or on the last one, without moving anything."""
        first_seen = max(self._sheet.line_at(self.scroll_offset.y)[1], 0)
        place = self._next(len(self._sheet), -1) if self._holds else self._next(first_seen - 1, 1)
        if place is not None:
            self.set_reactive(LineList.cursor, place)

    def _next(self, place: int, step: int) -> int | None:
        place += step
        while 0 <= place < len(self._sheet) and not self._sheet[place].key:
            place += step
        return place if 0 <= place < len(self._sheet) else None

    def _end_fresh(self) -> None:
        self._is_fresh = False

    def on_mouse_down(self, _event: MouseDown) -> None:
        """Note whether this press brings the focus."""
        self._is_brought = self._is_fresh

    def on_click(self, event: Click) -> None:
        """Choose by mouse: the first click selects, the second opens."""
        offset = event.get_content_offset(self)
        place = -1 if offset is None else self._line_at(offset.y)[1]
        if place < 0 or not self._sheet[place].key:
            return
        if place == self.cursor and not self._is_brought:
            self.action_choose()
        self._is_brought = False
        self.cursor = place

    def action_move(self, step: int) -> None:
        """Move to the next row that can be chosen; scroll where none can, or where the chosen one is taller."""
        place = self._next(self.cursor, step)
        if place is None or self._goes_beyond(step):
            self.scroll_relative(y=step, animate=False)
        else:
            self.cursor = place

    def _goes_beyond(self, step: int) -> bool:
        """Tell whether the chosen row goes on beyond the edge of the screen, so that reading it comes first."""
        if not 0 <= self.cursor < len(self._sheet):
            return False
        first = self._sheet.starts[self.cursor]
        last = first + len(self._sheet[self.cursor].lines)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        return last > top + height if step > 0 else first < top

    def action_page(self, step: int) -> None:
        """Scroll by a page."""
        self.scroll_relative(y=step * max(self.size.height - 1, 1), animate=False)

    def action_edge(self, step: int) -> None:
        """Go to the first or last row."""
        place = self._next(-1, 1) if step < 0 else self._next(len(self._sheet), -1)
        if place is not None and self._has_cursor:
            self.cursor = place
        if step < 0:
            self.scroll_home(animate=False)
        else:
            self.scroll_end(animate=False)

    def action_choose(self) -> None:
        """Open the chosen row."""
        if self.chosen:
            self.post_message(self.Chosen(self, self.chosen))


def _line_of(sheet: Sheet, top: int, y: int) -> tuple[Content, int, int]:
    """Return what stands on a line of the screen, scrolled down to ``top``; the name of a list stays where it is."""
    is_name = y == 0 and len(sheet) > 0 and sheet[0].is_title
    return sheet.line_at(0 if is_name else top + y)
