"""The outline above the plan, where there is no room for it beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from workbench.domain.session.state import SessionState
from workbench.tui.dialog import Dialog
from workbench.tui.lines import Row
from workbench.tui.views import Marks
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList

Rows = Callable[[int], Sequence[Row]]


def outline_of(state: SessionState, marks: Marks) -> Rows:
    """Return what lays a session's outline out for a width."""
    from workbench.tui.session.outline_rows import outline_rows

    plan = state.plan
    return (lambda _width: ()) if plan is None else partial(outline_rows, state, plan, marks=marks)


class OutlineDialog(Dialog[str]):
    """Returns the key of the section that a person goes to."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,o", "close", "close")]

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self._laid_out = rows

    def compose(self) -> ComposeResult:
        """Return the sections."""
        with Vertical(classes="dialog small"):
            yield LineList(id="sections", mark=self.workbench.marks.here)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show them."""
        sections = self.query_one(LineList)
        self.call_after_refresh(self._fill)
        sections.focus()
        self.hint(("Enter", "go there"))

    def _fill(self) -> None:
        sections = self.query_one(LineList)
        sections.show(self._laid_out(sections.room))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Go there."""
        message.stop()
        self.dismiss(message.key)
