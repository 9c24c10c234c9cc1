"""Help: the keys of what has the focus, as they are bound now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import ListDialog
from workbench.tui.keymap import Key, hint
from workbench.tui.lines import Row, joined, text
from workbench.tui.told import EMPTY

_KEY_WIDTH = 14  # cells for a key: ``F1 or ?``, ``Shift+Tab``


class HelpScreen(ListDialog[None]):
    """Keys and what they do, grouped; what is nearest to the focus comes first."""

    heading = "Keys"
    has_cursor = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark,enter", "close", "close"),
        Binding("f2", "instead('settings')", "change keys", id="app.settings"),
        Binding("ctrl+p", "instead('command_palette')", "everything", id="app.palette"),
    ]

    def __init__(self, groups: Sequence[tuple[str, Sequence[Key]]]) -> None:
        super().__init__()
        self._groups = groups

    def rows(self, width: int) -> Sequence[Row]:
        """Return a row for each key, under headings."""
        del width
        self.hint(*hint(self, "app.settings"), *hint(self, "app.palette"))
        return list(help_rows(self._groups))

    def action_instead(self, action: str) -> None:
        """Go back, and do something of the application there."""
        self.dismiss()
        self.app.call_later(self.app.run_action, action)


def help_rows(groups: Sequence[tuple[str, Sequence[Key]]]) -> Iterator[Row]:
    """Yield a row for each key, under headings."""
    for number, (heading, keys) in enumerate(groups):
        if number:
            yield EMPTY
        yield Row((text(heading, "bold $primary"),))
        for key in keys:
            shown = text(f"{clean_name(key.shown):<{_KEY_WIDTH}}", "bold")
            yield Row((joined(shown, clean_name(key.tooltip)),))
