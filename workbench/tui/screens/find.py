"""Words to find on the page that is shown."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from workbench.tui.base import Dialog
from workbench.tui.lines import text
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field


class FindDialog(Dialog[str]):
    """Returns what to look for; nothing ends the search."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close", show=False)]

    def __init__(self, sought: str) -> None:
        super().__init__()
        self._sought = sought

    def compose(self) -> ComposeResult:
        """Return the field."""
        with Vertical(classes="dialog small"):
            yield Static(text("Find on this page", "bold"), markup=False)
            yield Field(id="place", placeholder="words")
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Be ready to be typed into."""
        self.query_one(Hints).show_hints([("Enter", "find")], self.room, always=[("Esc", "close")])
        field = self.query_one(Field)
        field.value = self._sought
        field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Look for it."""
        self.dismiss(event.value)

    def action_close(self) -> None:
        """Stay."""
        self.dismiss()
