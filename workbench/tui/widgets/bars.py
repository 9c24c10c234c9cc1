"""The line on top and the line at the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from textual.content import Content
from textual.events import Click
from textual.widgets import Static

from workbench.tui.keymap import key_name
from workbench.tui.lines import cut, joined, text

Hint = tuple[str, str]
"""A key as people write it, and what it does."""
_INDENT, _GAP = 2, 3
"""Cells before the first hint, and between two."""


class StillLine(Static):
    """A line that is drawn anew only when it says something else."""

    def tell(self, line: Content) -> None:
        """Show a line; the same again costs nothing."""
        if not isinstance(self.content, Content) or not self.content.is_same(line):
            self.update(line, layout=False)


class TopLine(StillLine):
    """Which session this is, where it stands, and what it has spent."""


class Hints(StillLine):
    """What can be done with the keys where the focus is; whole hints only. A click presses the key."""

    _places: tuple[tuple[int, int, str], ...] = ()
    """First cell, cell behind the last, and key of each hint."""

    def show_hints(self, hints: Sequence[Hint], width: int, *, always: Sequence[Hint] = (("F1", "more"),)) -> None:
        """Show pairs of key and words: as many as fit, and at the end those that are always there."""
        room = width - _INDENT + _GAP - sum(_hint(*hint).cell_length + _GAP for hint in always)
        ends = accumulate(_hint(*hint).cell_length + _GAP for hint in hints)
        fitting = [hint for hint, end in zip(hints, ends, strict=True) if end <= room]
        line, places = Content(" " * _INDENT), []
        for number, (key, words) in enumerate((*fitting, *always)):
            line = joined(line, " " * _GAP if number else "", one := _hint(key, words))
            places.append((line.cell_length - one.cell_length, line.cell_length, key))
        self._places = tuple(places)
        self.tell(cut(line, width))

    def on_click(self, event: Click) -> None:
        """Do what the key of a hint does."""
        offset = event.get_content_offset(self)
        key = next((key for start, end, key in self._places if offset and start <= offset.x < end), "")
        if key:
            self.app.simulate_key(key_name(key))


def _hint(key: str, words: str) -> Content:
    return joined(text(key, "bold"), text(f" {words}", "$text-muted"))
