"""A list of rows in a frame: what is shown stands at its upper edge, what else can be shown at its lower one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
from textual.message import Message

from workbench.tui.lines import joined, text
from workbench.tui.views import DIM
from workbench.tui.widgets.line_list import LineList

_GAP = 3
"""Cells between two names at the lower edge."""


class FramedList(LineList):
    """A list of rows with a title and tabs in its frame."""

    @dataclass
    class ViewWanted(Message):
        """A person wants another view."""

        view: str

    def __init__(self, *, id: str, mark: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id, mark=mark)
        self.tabs: tuple[str, ...] = ()
        self._framed: tuple[str, tuple[str, ...], str, bool] | None = None

    def frame(self, title: str, others: Sequence[str], *, doing: str = "") -> None:
        """Name what is shown, and who is at work, at the top; what else can be shown, at the bottom."""
        framed = (title, tuple(others), doing, self.has_focus)
        if framed == self._framed:
            return
        self._framed = framed
        named = text(title, "bold $foreground" if self.has_focus else "$foreground")
        self.border_title = joined(named, text(f" · {doing}", DIM)) if doing else named
        self.tabs = tuple(others)
        gap = " " * _GAP
        names = [part for name in others for part in (text(name.capitalize(), DIM), text(gap))][:-1]
        self.border_subtitle = joined(*names) if names else Content()

    def on_click(self, event: Click) -> None:
        """Show the view whose name was clicked at the lower edge."""
        if event.y == self.outer_size.height - 1:
            event.prevent_default()
            name = self._tab_at(event.x)
            if name:
                self.post_message(self.ViewWanted(name))

    def _tab_at(self, x: int) -> str:
        end = self.outer_size.width - 2  # the frame's corner and a space stand behind the last name
        for name in reversed(self.tabs):
            start = end - len(name)
            if start <= x < end:
                return name
            end = start - _GAP
        return ""
