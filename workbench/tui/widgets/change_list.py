"""What differs between two points: scrolled line by line, and read from change to change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.binding import BindingType

from workbench.tui.keys import bind
from workbench.tui.widgets.framed_list import FramedList


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
