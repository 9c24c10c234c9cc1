"""A screen above another one, with what all of them share: the line of keys, the line of what went wrong, and Esc."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Static

from workbench.domain.text.cleaning import clean
from workbench.tui.base import EndsItsWork
from workbench.tui.keys import bind
from workbench.tui.lines import text
from workbench.tui.widgets.bars import Hints

DIALOG_WIDTH = 90
"""Cells of a dialog where there is room for them, as in app.tcss."""


class Dialog(ModalScreen[ScreenResultType], EndsItsWork):
    """A screen above another one, which stays visible behind it. Left with Esc, it ends with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close"),
        bind("f1,question_mark", "app.help", "help", "app.help", "Keys of what has the focus"),
    ]
    has_help: ClassVar[bool] = False
    """Whether it has keys worth a page of help."""

    @property
    def room(self) -> int:
        """Cells for a row of a list in it: its width without frame, padding, mark, scrollbar and a space before it."""
        return min(DIALOG_WIDTH, self.app.size.width) - 10

    def hint(self, *hints: tuple[str, str], back: str = "close") -> None:
        """Say what the keys do: each key with its words; Esc goes ``back``."""
        self.query_one(Hints).show_hints(hints, self.room, always=[("Esc", back)])

    def say(self, words: str, style: str = "$error") -> None:
        """Say what went wrong, or what is under way, below the fields; "" takes it away."""
        problem = self.query_one("#problem", Static)
        problem.update(text(clean(words), style))
        problem.display = bool(words)

    def action_close(self) -> None:
        """Go back; nothing is done."""
        self.dismiss()
