"""A list of rows through the line API: a hundred thousand rows cost what is on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.cache import LRUCache
from textual.content import Content, Span
from textual.events import Click, MouseDown
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual

from workbench.domain.text.excerpt import holds, sought
from workbench.domain.text.patterns import lazy_pattern
from workbench.tui.keys import bind
from workbench.tui.lines import Cell, Row, Sheet, joined, text
from workbench.tui.settings.themes import ON_ROW

_PICKED = "*"  # is beside rows that a person marked

_BELOW_SOUGHT = 5  # lines from what is sought on: it stays in sight if something takes some of the room

_COLOR = lazy_pattern(rf"\$({'|'.join(ON_ROW)})(?![\w-])")


def on_row(line: Content) -> Content:
    """Return a line in the colours that can be read on the chosen row."""
    spans = [
        Span(span.start, span.end, _COLOR.sub(r"$row-\1", span.style) if isinstance(span.style, str) else span.style)
        for span in line.spans
    ]
    return Content(line.plain, spans=spans)


def _has(row: Row, wanted: Sequence[str]) -> bool:
    return holds(" ".join(line.plain for line in row.lines), wanted)


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
        bind("g", "to_top", "first row", "list.top", "Go to the first row"),
        bind("G", "edge(1)", "last row", "list.bottom", "Go to the last row"),
        bind(
            "enter",
            "choose",
            "open",
            "list.open",
            "Open the chosen row; in the plan, edit its title, owner, dates or needs",
        ),
        bind("full_stop", "app.command_palette", "all", "list.all", "All that can be done"),
    ]
    cursor: reactive[int] = reactive(-1, repaint=False)
    """Index of the chosen row; -1 for none."""

    @dataclass
    class Chosen(Message):
        """A row was opened."""

        list: LineList
        key: str
        cell: str = ""
        """Name of the cell that was opened; "" for the whole row."""

    class Resized(Message):
        """It is as wide or as high as it was not before: what it shows is to be laid out again."""

    def __init__(self, *, id: str, has_cursor: bool = True, mark: str = "") -> None:  # noqa: A002 - Textual's own name
        """``mark`` is beside the chosen row, in a gutter of its own; without one there is no gutter."""
        super().__init__(id=id)
        self._sheet = Sheet()
        self._has_cursor = has_cursor
        self.mark = mark
        self._drawn_width = 0
        self._follows = False  # whether the end is kept in sight if it was in sight
        self._is_at_end = True
        self._is_revealed = False  # whether a row was gone to: what comes at the end does not take it out of sight
        self._is_fresh = self._is_brought = False
        """Whether it got the focus just now, and whether the last press did that: such a click opens nothing."""
        self.column = ""
        """Name of the cell that is chosen in each row that has it."""
        self.keeps_cursor = False
        """Whether the chosen row is shown while the focus is elsewhere: in one of its cells."""
        self.to_reveal = ""
        """Key of a row that is gone to once it is shown; a person who goes elsewhere meanwhile is left alone."""
        self.picked: frozenset[str] = frozenset()
        """Keys of rows that are marked by a person."""
        self._sought = ""
        self._is_pressed = False  # whether the chosen row was clicked just now: nothing moves under the pointer
        self._strips: LRUCache[tuple[object, ...], tuple[Content, Strip]] = LRUCache(1024)
        """What was drawn lately; each with the line it was drawn of, so that its id is not given away."""

    @property
    def rows(self) -> Sequence[Row]:
        """What is shown."""
        return self._sheet

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of all rows that can be chosen, from the top."""
        return tuple(row.key for row in self._sheet if row.key)

    def pick(self, keys: frozenset[str]) -> None:
        """Mark these rows, and no others."""
        self.picked = keys
        self.refresh()

    @property
    def chosen(self) -> str:
        """Key of the chosen row, or of its chosen cell if that has its own; "" for none."""
        if not 0 <= self.cursor < len(self._sheet):
            return ""
        cell = self.cell
        return cell.name if cell is not None and ":" in cell.name else self._sheet[self.cursor].key

    @property
    def cell(self) -> Cell | None:
        """The chosen cell of the chosen row; None if it has none."""
        cells = self._sheet[self.cursor].cells if 0 <= self.cursor < len(self._sheet) else ()
        return next((cell for cell in cells if cell.name == self.column), cells[0] if cells else None)

    @property
    def _head(self) -> int:
        return self._sheet.head

    @property
    def _foot(self) -> int:
        """Lines that stand still at the end; none if they would leave too little room for the others."""
        height = self.scrollable_content_region.height
        return self._sheet.foot if self._sheet.head + self._sheet.foot <= height * 2 // 3 else 0

    def line_of(self, y: int, sheet: Sheet | None = None) -> tuple[Content, int, int]:
        """Return what is on a line of the screen: the line, its row, and which of the row's lines it is."""
        sheet, height = sheet or self._sheet, self.scrollable_content_region.height
        if y < sheet.head or sheet.height <= height:
            return sheet.line_at(y)
        if y >= height - self._foot:
            return sheet.line_at(sheet.height - height + y)
        return sheet.line_at(self.scroll_offset.y + y)

    def line_on_screen(self, place: int) -> int:
        """Return on which line of the screen a row begins, counted from the top of the list."""
        start = self._sheet.starts[place] if 0 <= place < len(self._sheet) else 0
        height = self.scrollable_content_region.height
        if start < self._head or self._sheet.height <= height:
            return start
        if start >= self._sheet.height - self._foot:
            return start - self._sheet.height + height
        return start - self.scroll_offset.y

    def bring(self, start: int, end: int) -> None:
        """Scroll as little as brings lines between those that stand still; their beginning goes before their end."""
        first, room = self._head, self.scrollable_content_region.height - self._foot
        if start < first or start >= self._sheet.height - self._foot:
            return
        top = self.scroll_offset.y
        if end > top + room:
            top = end - room
        self.scroll_to(y=min(top, start - first), animate=False, force=True)

    @property
    def room(self) -> int:
        """Cells that a row has: a space stays between it and the scrollbar."""
        gutter = 2 if self.mark else 0  # at the left, for the mark of the chosen row
        return max(self.scrollable_content_region.width - gutter - 1, 0)

    def show(
        self,
        rows: Sequence[Row],
        *,
        follow: bool = False,
        from_top: bool = False,
        at: tuple[str, int] = ("", 0),
    ) -> None:
        """Show these rows. The cursor stays with its key; ``follow`` keeps the end in sight if it was in sight.

        ``from_top`` begins at the first row, or ``at`` a key and a line: something else is shown now. A Sheet is taken
        as it is. Where the chosen row is gone, the one in its place is chosen.
        """
        self._follows = follow
        self._is_revealed = self._is_revealed and not from_top
        if rows is self._sheet:
            return
        before, key, cursor = self._sheet, at[0] or ("" if from_top else self.chosen), self.cursor
        self._sheet = rows if isinstance(rows, Sheet) else Sheet(rows)
        self.virtual_size = Size(0, self._sheet.height)
        place = self._sheet.places.get(key, -1)
        if place < 0 <= cursor and not from_top:
            near = (self._next(cursor - 1, 1), self._next(min(cursor, len(self._sheet)), -1))
            place = next((one for one in near if one is not None), -1)
        self.set_reactive(LineList.cursor, place)
        if from_top and not follow:
            self.scroll_to(y=at[1], animate=False, force=True)
        elif at[0]:
            self.call_after_refresh(self.keep_in_sight)
        elif follow and (self._is_at_end or from_top):
            self.call_after_refresh(self._scroll_to_end)
        if self.has_focus and self.cursor < 0:
            self._choose()
        if self._sheet.height != before.height:
            self.refresh(layout=self.styles.is_auto_height)
        else:
            self._refresh_changed(before, cursor)

    def _refresh_changed(self, before: Sheet, cursor: int) -> None:
        """Draw only those lines in sight again that say something else: a second that passes changes one."""
        for y in range(self.scrollable_content_region.height):
            line, place, offset = self.line_of(y)
            old, old_place, old_offset = self.line_of(y, before)
            is_marked = (place == self.cursor, offset == 0)
            was_marked = (old_place == cursor, old_offset == 0)
            if not line.is_same(old) or (self.has_focus and is_marked != was_marked):
                self.refresh(Region(0, y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        """Render one line of the screen."""
        line, place, offset = self.line_of(y)
        has_focus = self.has_focus
        is_cursor = (has_focus or self.keeps_cursor) and self._has_cursor and place >= 0 and place == self.cursor
        is_picked = offset == 0 and place >= 0 and self._sheet[place].key in self.picked
        cell = self.cell if is_cursor and offset == 0 else None
        return self._drawn(line, cell, is_cursor=is_cursor, first=(offset == 0, is_picked))

    def _drawn(self, line: Content, cell: Cell | None, *, is_cursor: bool, first: tuple[bool, bool]) -> Strip:
        """Return a line as it is drawn; the same line is drawn once, because drawing is what costs."""
        width, (is_first, is_picked) = self._drawn_width, first
        key = (id(line), cell, is_cursor, first, width, self.visual_style)
        known = self._strips.get(key)
        if known is not None and known[0] is line:
            return known[1]
        drawn = self._with_sought(on_row(line) if is_cursor else line)
        drawn = drawn if cell is None else drawn.stylize("reverse", cell.start, cell.end)
        if self.mark:
            here, picked = self.mark if is_cursor and is_first else " ", _PICKED if is_picked else " "
            drawn = joined(text(f"{here}{picked}", "$primary"), drawn)
        style = self.visual_style
        if is_cursor:
            style = self.get_visual_style("line-list--cursor-first" if is_first else "line-list--cursor")
        strip = self._strip(drawn, width, style)
        self._strips[key] = (line, strip)
        return strip

    def _strip(self, line: Content, width: int, style: Style) -> Strip:
        strips = Visual.to_strips(self, line, width, 1, style) if width else []
        strip = strips[0] if strips else Strip.blank(width, style.rich_style)
        return strip.extend_cell_length(width, style.rich_style).crop(0, width)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render lines of the screen."""
        self._drawn_width = self.scrollable_content_region.width
        return super().render_lines(crop)

    def notify_style_update(self) -> None:
        """Draw everything again in other colours."""
        super().notify_style_update()
        self._strips.clear()

    def watch_cursor(self) -> None:
        """Keep the chosen row in sight."""
        if 0 <= self.cursor < len(self._sheet) and not self._is_pressed:
            start = self._sheet.starts[self.cursor]
            self.bring(start, start + len(self._sheet[self.cursor].lines))
        self.refresh()

    def reveal(self, key: str, *, at_top: bool = False) -> None:
        """Choose a row and bring it into sight, with the rows below that belong to it: those that cannot be chosen."""
        place = self._sheet.places.get(key, -1)
        if place < 0:
            return
        self._is_revealed = True
        self.set_reactive(LineList.cursor, place)
        self.column = key if any(cell.name == key for cell in self._sheet[place].cells) else self.column
        self.refresh()
        after = self._next(place, 1)
        end = self._sheet.height if after is None else self._sheet.starts[after]
        start = self._sheet.starts[place]
        if at_top:
            self.scroll_to(y=start - self._head, animate=False, force=True)
            return
        self.bring(start, end)

    def keep_in_sight(self) -> None:
        """Bring the chosen row into sight, with those below that belong to it."""
        self.reveal(self.chosen)

    def reveal_wanted(self, *, at_top: bool = False) -> None:
        """Go to the row that was asked for, unless a person went elsewhere since."""
        key = self.to_reveal
        if key in self._sheet.places:
            self.to_reveal = ""
            self.reveal(key, at_top=at_top)
            self._bring_sought()

    # --- what is looked for -------------------------------------------------------------------------------------------

    @property
    def sought(self) -> str:
        """Words that a person looks for in these rows: they stand out."""
        return self._sought

    @sought.setter
    def sought(self, words: str) -> None:
        if words != self._sought:
            self._sought = words
            self._strips.clear()
            self.refresh()

    def go(self, step: int) -> bool:
        """Go to the next place to stop at, or back to the one before, or by a row if there is none.

        Return whether there was one in that direction.
        """
        stops = list(self.stops())
        ahead = [place for place in stops if (place - self.cursor) * step > 0]
        if not stops:
            self.action_move(step)
        elif ahead:
            self._stop_at(ahead[0] if step > 0 else ahead[-1])
        return bool(ahead)

    def stops(self) -> Iterator[int]:
        """Yield the rows to stop at: those with the words searched for, else those that need attention."""
        wanted = sought(self.sought)
        for place, row in enumerate(self.rows):
            if row.key and (_has(row, wanted) if wanted else row.is_marked):
                yield place

    def find(self, words: str) -> int:
        """Look for words from the chosen row on, as they are before scattered; return how many rows have them."""
        self.sought = words.strip()
        places = list(self.stops()) if self.sought else []
        phrase = [" ".join(self.sought.casefold().split())]
        best = [place for place in places if _has(self._sheet[place], phrase)] or places
        if best:
            self._stop_at(next((place for place in best if place > self.cursor), best[0]))
        return len(places)

    def _stop_at(self, place: int) -> None:
        self._is_revealed, self.to_reveal = True, ""
        self.cursor = place
        self._bring_sought()

    def _bring_sought(self) -> None:
        """Bring that line of the chosen row into sight which has most of what is sought: a row may be taller."""
        wanted, row = sought(self.sought), self._sheet[self.cursor] if self.cursor >= 0 else Row(())
        count, line = max(
            ((sum(one in line.plain.casefold() for one in wanted), -at) for at, line in enumerate(row.lines)),
            default=(0, 0),
        )
        if count:
            start = self._sheet.starts[self.cursor] - line
            self.bring(start, min(start + _BELOW_SOUGHT, self._sheet.height - self._foot))

    def _with_sought(self, line: Content) -> Content:
        for one in sought(self.sought):
            for found in re.finditer(re.escape(one), line.plain, re.IGNORECASE):
                line = line.stylize("bold underline", *found.span())
        return line

    # --- focus, size, mouse -------------------------------------------------------------------------------------------

    def on_focus(self) -> None:
        """Show where the cursor is."""
        self._is_fresh = True
        self.call_after_refresh(self._end_fresh)
        if self.cursor < 0:
            self._choose()
        self.refresh()

    def on_blur(self) -> None:
        """Show that keys go elsewhere."""
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Remember whether the end is in sight."""
        super().watch_scroll_y(old_value, new_value)
        self._is_at_end = new_value >= self.max_scroll_y - 1

    def on_resize(self) -> None:
        """Keep the end in sight if another list took some of the room."""
        self.post_message(self.Resized())
        if self._follows and self._is_at_end:
            self.call_after_refresh(self._scroll_to_end)

    def _scroll_to_end(self) -> None:
        if self._is_revealed:
            return
        self.scroll_to(y=self.max_scroll_y, animate=False)

    def _choose(self) -> None:
        """Put the cursor on the first row in sight, or the last where its end is, without moving anything."""
        is_at_end = self._follows and self._is_at_end
        first = max(self._sheet.line_at(self.scroll_offset.y)[1], 0) - 1
        place = self._next(len(self._sheet), -1) if is_at_end else self._next(first, 1)
        if place is not None:
            self.set_reactive(LineList.cursor, place)

    def _next(self, place: int, step: int) -> int | None:
        place += step
        while 0 <= place < len(self._sheet) and not any(self._sheet[place].keys):
            place += step
        return place if 0 <= place < len(self._sheet) else None

    def _end_fresh(self) -> None:
        self._is_fresh = False

    def on_mouse_down(self, _event: MouseDown) -> None:
        """Note whether this press brings the focus."""
        self._is_brought = self._is_fresh

    def on_click(self, event: Click) -> None:
        """Choose by mouse: the first click selects, the second opens; below a row's first line, the whole row.

        What cannot be chosen belongs to the row above it that can.
        """
        offset = event.get_content_offset(self)
        _, at, line = (Content(), -1, 0) if offset is None else self.line_of(offset.y)
        place = self._next(at + 1, -1) if at >= 0 else None
        if offset is None or place is None:
            return
        x = offset.x - (2 if self.mark else 0)
        clicked = [cell.name for cell in self._sheet[place].cells if line == 0 and cell.start <= x < cell.end]
        before = self.chosen, self.cell
        self.column = clicked[0] if clicked else self.column
        if place == at == self.cursor and before == (self.chosen, self.cell) and not self._is_brought:
            if line and (key := self._sheet[place].key):
                self.post_message(self.Chosen(self, key))
            else:
                self.action_choose()
        self._is_brought, self.to_reveal = False, ""
        self._is_pressed = place == at
        self.cursor = place
        self._is_pressed = False
        self.refresh()

    def action_move(self, step: int) -> None:
        """Move to the next row that can be chosen; scroll if none can, or where the chosen one is taller."""
        self._is_revealed, self.to_reveal = False, ""
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
        if first < self._head or first >= self._sheet.height - self._foot:
            return False
        top, height = self.scroll_offset.y, self.scrollable_content_region.height - self._foot
        return last > top + height if step > 0 else first < top + self._head

    def action_page(self, step: int) -> None:
        """Scroll by a page, and take the cursor along."""
        self._is_revealed, self.to_reveal = False, ""
        page = step * max(self.size.height - 1, 1)
        self.scroll_relative(y=page, animate=False)
        if self._has_cursor and 0 <= self.cursor < len(self._sheet):
            line = min(max(self._sheet.starts[self.cursor] + page, 0), self._sheet.height - 1)
            at = self._sheet.line_at(line)[1]
            places = (self._next(at - step, step), self._next(at, -step))
            starts = self._sheet.starts  # where only text stands, it is read, and no far row is gone to
            near = (place for place in places if place is not None and abs(starts[place] - line) < abs(page))
            self.cursor = next(near, self.cursor)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave a letter to a screen that does something else with it."""
        if action == "to_top" and "list.top" in getattr(self.screen, "without", ()):
            return False
        return super().check_action(action, parameters)

    def action_to_top(self) -> None:
        """Go to the first row."""
        self.action_edge(-1)

    def action_edge(self, step: int) -> None:
        """Go to the first or last row."""
        self._is_revealed, self.to_reveal = False, ""
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
            cell = self.cell
            self.post_message(self.Chosen(self, self.chosen, "" if cell is None or ":" in cell.name else cell.name))

    def action_side(self, step: int) -> None:
        """Go to the next cell of the chosen row, or the one before."""
        cell = self.cell
        if cell is not None:
            cells = self._sheet[self.cursor].cells
            self.column = cells[min(max(cells.index(cell) + step, 0), len(cells) - 1)].name
            self.refresh()
