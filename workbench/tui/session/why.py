"""Why the plan says what a line says: what was done to it, because of what, back to the person's own words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from workbench.domain.session.state import SessionState
from workbench.tui.dialog import Dialog
from workbench.tui.lines import Row, text
from workbench.tui.pauses import BESIDE
from workbench.tui.session.why_rows import why_rows
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList


class WhyDialog(Dialog[str]):
    """Returns the key of what a person wants to see where it stands: a message, a change, another session's item."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,w", "close", "close")]

    def __init__(self, state: SessionState, subject: str, names: Mapping[str, str]) -> None:
        """``subject``: the id of an item of the plan, or of a section; ``names``: what sessions are called."""
        super().__init__()
        self._state = state
        self._subject = subject
        self._names = names

    def compose(self) -> ComposeResult:
        """Return the chain."""
        with Vertical(classes="dialog"):
            yield Static(text("Why", "bold"), markup=False)
            yield LineList(id="why", mark=self.workbench.marks.here)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show the chain."""
        self.query_one(LineList).focus()
        self._show()

    def on_resize(self) -> None:
        """Break the rows anew."""
        self._show()

    @work(group="why", exclusive=True)
    async def _show(self) -> None:
        width, marks = self.room, self.workbench.marks
        self.hint(("Enter", "where it stands"))

        def made() -> list[Row]:
            with BESIDE:
                return why_rows(self._state, self._subject, width, marks, self._names)

        self.query_one(LineList).show(await asyncio.to_thread(made))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Go to where the chosen thing stands."""
        message.stop()
        self.dismiss(message.key)
