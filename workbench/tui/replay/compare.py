"""Two points compared: what differs between their plans, insights, contexts and numbers.

    Side, Side ─▶ read_comparison (thread) ─▶ Comparison ─▶ comparison_rows (thread) ─▶ one list, both sides in it

Nothing is written and nothing followed: it shows two points that stay as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.replay.comparing import Comparison
from workbench.tui.base import WorkbenchScreen
from workbench.tui.keymap import hint
from workbench.tui.keys import bind
from workbench.tui.lines import Row, Sheet, joined, text, wrapped
from workbench.tui.marks import DIM, FAILED
from workbench.tui.pauses import beside
from workbench.tui.replay.comparison_rows import READING, VIEWS, Look, comparison_rows, head_lines, title_of
from workbench.tui.replay.difference_rows import CHANGE
from workbench.tui.session.looking_back import Side, read_comparison
from workbench.tui.widgets.bars import Hints, StillLine, TopLine
from workbench.tui.widgets.framed_list import FramedList
from workbench.tui.widgets.line_list import LineList


class ChangeList(FramedList):
    """Rows of which those that differ can be chosen; the cursor keys scroll, letters go to the next change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("n", "change(1)", "next", "compare.next", "Go to the next change"),
        bind("p", "change(-1)", "previous", "compare.previous", "Go to the change before"),
        bind("s", "screen.lay_out", "side by side", "compare.layout", "Side by side, or below each other"),
        bind("1", "view('plan')", "plan", "compare.plan", "Show the plans"),
        bind("2", "view('insights')", "insights", "compare.insights", "Show the insights"),
        bind("3", "view('context')", "context", "compare.context", "Show what was sent"),
        bind("4", "view('numbers')", "numbers", "compare.numbers", "Show tokens and cost"),
    ]

    digits: ClassVar[Mapping[str, str]] = {"plan": "1", "insights": "2", "context": "3", "numbers": "4"}

    def action_view(self, view: str) -> None:
        """Show another view."""
        self.post_message(self.ViewWanted(view))

    def action_move(self, step: int) -> None:
        """Scroll: between two changes stands what did not change, and is read too."""
        self.scroll_relative(y=step, animate=False)

    def action_change(self, step: int) -> None:
        """Go to the next change; from what is in sight, where the chosen one is not."""
        place = self._next(self.cursor if self._is_in_sight(self.cursor) else self._edge(step), step)
        if place is None:
            return
        if self._is_in_sight(place):
            self.cursor = place
            return
        self.cursor = place
        self.scroll_to(y=max(self._sheet.starts[place] - self._height // 4, 0), animate=False)

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    def _is_in_sight(self, place: int) -> bool:
        if not 0 <= place < len(self._sheet):
            return False
        first = self._sheet.starts[place]
        top = self.scroll_offset.y
        return top <= first and first + len(self._sheet[place].lines) <= top + self._height

    def _edge(self, step: int) -> int:
        """Return the row before the first one in sight, or behind the last."""
        top = self.scroll_offset.y
        if step > 0:
            return self._sheet.line_at(top)[1] - 1
        return self._sheet.line_at(min(top + self._height, self._sheet.height) - 1)[1] + 1


WIDE = 100
"""Columns from which two plans stand side by side."""


class CompareScreen(WorkbenchScreen[None]):
    """What differs between two points."""

    CSS_PATH = "compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "back", "back", "compare.back", "Go back to where you were"),
    ]

    def __init__(self, a: Side, b: Side) -> None:
        """Compare ``b`` with ``a``: what came is in ``b``, what went was in ``a``."""
        super().__init__()
        self._sides = (a, b)
        self._comparison: Comparison | None = None
        self._trouble = ""
        self._view = VIEWS[0]
        self._shown = ""
        """The view that is on the screen."""
        self._side_by_side: bool | None = None
        """As a person chose; None for by the width."""
        self._unfolded: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """Return both points, and what differs between them."""
        yield TopLine(id="top", markup=False)
        yield StillLine(id="head", markup=False)
        with Vertical(id="compared"):
            yield ChangeList(id="changes", mark=self.workbench.marks.here)
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin to read."""
        self.changes.focus()
        self.query_one(TopLine).tell(text("  Comparison", "bold"))
        self.changes.frame(VIEWS[0].capitalize(), [])
        self.changes.show([Row((text(READING, DIM),))])
        self._read()

    @property
    def changes(self) -> ChangeList:
        """What differs."""
        return self.query_one(ChangeList)

    @property
    def is_side_by_side(self) -> bool:
        """Whether two plans stand beside each other."""
        return self.size.width >= WIDE if self._side_by_side is None else self._side_by_side

    @work(group="read-comparison", exclusive=True)
    async def _read(self) -> None:
        try:
            self._comparison = await asyncio.to_thread(read_comparison, *self._sides)
        except WorkbenchError as error:
            self._trouble = str(error)
        self._repaint()

    def on_line_list_resized(self) -> None:
        """Break lines anew."""
        self._repaint()

    @work(group="paint-comparison", exclusive=True)
    async def _repaint(self) -> None:
        """Lay out what is to be seen in a thread; what is not wanted any more by then is dropped."""
        comparison, width = self._comparison, self.changes.room
        if not width:  # nothing is laid out yet; then this comes again
            return
        if comparison is None:
            if self._trouble:
                self.changes.show([Row(tuple(text(line, FAILED) for line in wrapped(clean(self._trouble), width)))])
            self._show_hints()
            return
        look = Look(self._view, width, self.workbench.marks, self.is_side_by_side, self._unfolded)
        self._show(comparison, look.view, await beside(lambda: Sheet(comparison_rows(comparison, look))))

    def _show(self, comparison: Comparison, view: str, sheet: Sheet) -> None:
        self.query_one(TopLine).tell(joined(text("  Comparison", "bold"), text(f"  {comparison.relation}", DIM)))
        self.query_one("#head", StillLine).tell(head_lines(comparison, self.size.width))
        self.changes.frame(title_of(comparison, view), [one for one in VIEWS if one != view])
        self.changes.show(sheet, from_top=view != self._shown)
        self._shown = view
        self._show_hints()

    def _show_hints(self) -> None:
        always = [*hint(self, "compare.back"), ("F1", "more")]
        if self._comparison is None or not self._comparison.differs:
            self.query_one(Hints).show_hints([], self.size.width, always=always)
            return
        layout = "below each other" if self.is_side_by_side else "side by side"
        goes = any(row.key.startswith(CHANGE) for row in self.changes.rows)
        hints = [
            *([*hint(self, "compare.next", "next change"), *hint(self, "compare.previous")] if goes else []),
            *([("Enter", "unfold")] if goes and self._view == "context" else []),
            *(hint(self, "compare.layout", layout) if self._view == "plan" else []),
            ("1–4", "views"),
        ]
        self.query_one(Hints).show_hints(hints, self.size.width, always=always)

    # --- what a person does -------------------------------------------------------------------------------------------

    def on_framed_list_view_wanted(self, message: FramedList.ViewWanted) -> None:
        """Show the view that was asked for."""
        self._view = message.view
        self._repaint()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Show the whole text of an item, or its first line again."""
        self._unfolded ^= {message.key}
        self._repaint()

    def action_lay_out(self) -> None:
        """Put two plans side by side, or what went above what came."""
        self._side_by_side = not self.is_side_by_side
        self._repaint()

    def action_back(self) -> None:
        """Go back."""
        self.dismiss()
