"""The line on top and the line at the bottom."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from workbench.tui.lines import cut, joined, text


class TopLine(Static):
    """Which session this is, where it stands, and what it has spent."""


class Hints(Static):
    """What can be done with the keys where the focus is; whole hints only, ending in help."""

    def show_hints(self, hints: list[tuple[str, str]], width: int) -> None:
        """Show pairs of key and words, as many as fit."""
        last = _hint("F1", "more")
        line = Content()
        for key, words in hints:
            one = _hint(key, words)
            if line.cell_length + one.cell_length + last.cell_length + 4 > width:
                break
            line = joined(line, one, "   ")
        self.update(cut(joined(" ", line, last), width))


def _hint(key: str, words: str) -> Content:
    return joined(text(key, "bold"), text(f" {words}", "$text-muted"))
