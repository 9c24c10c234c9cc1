"""The line on top and the line at the bottom."""

from __future__ import annotations

from textual.content import Content
from textual.events import Click
from textual.widgets import Static

from workbench.tui.lines import cut, joined, text


class StillLine(Static):
    """A line that is drawn anew only when it says something else."""

    def tell(self, line: Content) -> None:
        """Show a line; the same again costs nothing."""
        if not isinstance(self.content, Content) or not self.content.is_same(line):
            self.update(line, layout=False)


class TopLine(StillLine):
    """Which session this is, where it stands, and what it has spent."""


class Hints(StillLine):
    """What can be done with the keys where the focus is; whole hints only, ending in help. A click presses the key."""

    _places: tuple[tuple[int, int, str], ...] = ()
    """First cell, cell behind the last, and key of each hint."""

    def show_hints(self, hints: list[tuple[str, str]], width: int) -> None:
        """Show pairs of key and words, as many as fit."""
        last = _hint("F1", "more")
        line = Content("  ")
        places = []
        for key, words in hints:
            one = _hint(key, words)
            if line.cell_length + one.cell_length + last.cell_length + 3 > width:
                break
            places.append((line.cell_length, line.cell_length + one.cell_length, key))
            line = joined(line, one, "   ")
        places.append((line.cell_length, line.cell_length + last.cell_length, "F1"))
        line = cut(joined(line, last), width)
        self._places = tuple(places)
        self.tell(line)

    def on_click(self, event: Click) -> None:
        """Do what the key of a hint does."""
        offset = event.get_content_offset(self)
        key = next((key for start, end, key in self._places if offset and start <= offset.x < end), "")
        if key:
            self.app.simulate_key(_key_name(key))


def _key_name(shown: str) -> str:
    """Return Textual's name of a key that is shown as people write it."""
    if len(shown) == 1:
        return shown
    return shown.lower().replace("^", "ctrl+").replace("esc", "escape")


def _hint(key: str, words: str) -> Content:
    return joined(text(key, "bold"), text(f" {words}", "$text-muted"))
