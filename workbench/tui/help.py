"""Help: the keys of what has the focus, as they are bound now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import Dialog
from workbench.tui.keymap import Key, hint
from workbench.tui.lines import Row, joined, text
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList

_KEY_WIDTH = 14
"""Cells for a key: ``F1 or ?``, ``Shift+Tab``."""


class HelpScreen(Dialog[None]):
    """Keys and what they do, grouped; what is nearest to the focus comes first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,question_mark,enter", "close", "close"),
        Binding("f2", "instead('settings')", "change keys", id="app.settings"),
        Binding("ctrl+p", "instead('command_palette')", "everything", id="app.palette"),
    ]

    def __init__(self, groups: Sequence[tuple[str, Sequence[Key]]]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        """Return the page."""
        with Vertical(classes="dialog"):
            yield Static(text("Keys", "bold"), markup=False)
            yield LineList(id="keys", has_cursor=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show the keys."""
        self.query_one(LineList).show(list(help_rows(self._groups)))
        self.hint(*hint(self, "app.settings"), *hint(self, "app.palette"))

    def action_instead(self, action: str) -> None:
        """Go back, and do something of the application there."""
        self.dismiss()
        self.app.call_later(self.app.run_action, action)


def help_rows(groups: Sequence[tuple[str, Sequence[Key]]]) -> Iterator[Row]:
    """Yield a row for each key, under headings."""
    for number, (heading, keys) in enumerate(groups):
        if number:
            yield Row((Content(),))
        yield Row((text(heading, "bold $primary"),))
        for key in keys:
            shown = text(f"{clean_name(key.shown):<{_KEY_WIDTH}}", "bold")
            yield Row((joined(shown, clean_name(key.tooltip)),))
