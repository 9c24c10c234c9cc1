"""A list of rows in a frame: what is shown is at its upper edge, what else can be shown at its lower one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from textual.content import Content
from textual.events import Click
from textual.message import Message

from workbench.tui.lines import joined, text
from workbench.tui.marks import DIM
from workbench.tui.widgets.line_list import LineList

_GAP = 3  # cells between two names at the lower edge
NUMBERED = ("plan", "changes", "history", "context", "live", "rounds", "people")
"""Views by their digit, from 1."""
_KEYS = {name: str(digit) for digit, name in enumerate(NUMBERED, 1)}
_BY_LETTER = ("transcript",)  # views that have a letter and no digit: they have no place at the edge
CALLED = {"live": "shared"}


class FramedList(LineList):
    """A list of rows with a title and tabs in its frame."""

    digits: ClassVar[Mapping[str, str]] = _KEYS
    """The digit of each of its views."""
    shows_digits = True
    """Whether digits go to its views now: elsewhere, where the focus is, they may do something else."""

    @dataclass
    class ViewWanted(Message):
        """A person wants another view."""

        view: str

    def __init__(self, *, id: str, mark: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id, mark=mark)
        self.tabs: tuple[str, ...] = ()
        self.offered: frozenset[str] = frozenset()
        """Everything else that can be shown, also what has no place in the frame."""
        self._named: tuple[str, ...] = ()  # those whose names have room at the lower edge
        self._framed: tuple[object, ...] | None = None

    def frame(self, title: str, others: Sequence[str], *, doing: str = "") -> None:
        """Name what is shown, and who is at work, at the top; what else can be shown, at the bottom."""
        width = self.outer_size.width
        framed = (title, tuple(others), doing, self.has_focus, width, self.shows_digits)
        if framed == self._framed:
            return
        self._framed = framed
        named = text(title, "bold $foreground" if self.has_focus else "$foreground")
        self.border_title = joined(named, text(f" · {doing}", DIM)) if doing else named
        self.offered = frozenset(others)
        self.tabs = tuple(
            sorted((other for other in others if other not in _BY_LETTER), key=lambda name: self.digits.get(name, "z"))
        )
        ends = accumulate(len("".join(self._label(name))) + _GAP for name in self.tabs)
        self._named = tuple(name for name, end in zip(self.tabs, ends, strict=True) if end <= width - 6 + _GAP)
        labels = map(self._label, self._named)
        names = [
            part
            for digit, name in labels
            for part in (text(digit, "bold $foreground"), text(name, DIM), text(" " * _GAP))
        ]
        self.border_subtitle = joined(*names[:-1]) if names else Content()

    def on_click(self, event: Click) -> None:
        """Show the view whose name was clicked at the lower edge."""
        if event.y == self.outer_size.height - 1:
            event.prevent_default()
            name = self._tab_at(event.x)
            if name:
                self.post_message(self.ViewWanted(name))

    def _tab_at(self, x: int) -> str:
        end = self.outer_size.width - 2  # the frame's corner and a space stand behind the last name
        for name in reversed(self._named):
            start = end - len("".join(self._label(name)))
            if start <= x < end:
                return name
            end = start - _GAP
        return ""

    def _label(self, name: str) -> tuple[str, str]:
        """Return the key of a view, with a space after it, and what it is called."""
        digit = self.digits.get(name, "") if self.shows_digits else ""
        return f"{digit} " if digit else "", CALLED.get(name, name)
