"""Two points compared: what differs between their plans, insights, contexts and numbers.

    Side, Side ─▶ read_comparison (thread) ─▶ Comparison ─▶ comparison_rows (thread) ─▶ one list, both sides in it

Nothing is written and nothing followed: it shows two points that stay as they are.
"""

from __future__ import annotations

import asyncio
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
from workbench.tui.pauses import BESIDE
from workbench.tui.replay.comparing import Side, read_comparison
from workbench.tui.replay.comparison_rows import READING, VIEWS, Look, comparison_rows, head_lines, title_of
from workbench.tui.replay.difference_rows import CHANGE
from workbench.tui.widgets.bars import Hints, StillLine, TopLine
from workbench.tui.widgets.change_list import ChangeList
from workbench.tui.widgets.framed_list import FramedList
from workbench.tui.widgets.line_list import LineList

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
        self._show(comparison, look.view, await asyncio.to_thread(_painted, comparison, look))

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


def _painted(comparison: Comparison, look: Look) -> Sheet:
    with BESIDE:
        return Sheet(comparison_rows(comparison, look))
