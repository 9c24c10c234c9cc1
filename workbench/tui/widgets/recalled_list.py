"""Lists of what the next prompt may hold: each item can be kept out of it, or pinned to every one from now on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.message import Message

from workbench.tui.widgets.line_list import LineList

Mark = Literal["excluded", "pinned"]


@dataclass
class MarkWanted(Message):
    """A person decided about an item; the same again takes it back."""

    key: str
    mark: Mark


class MarkableList(LineList):
    """What was said in this session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "mark('excluded')", "exclude", id="recalled.exclude", tooltip="Keep it out of the next prompt"),
        Binding("p", "mark('pinned')", "pin", id="recalled.pin", tooltip="Put it into every prompt"),
    ]

    def action_mark(self, mark: Mark) -> None:
        """Ask for a mark on the chosen item."""
        if self.chosen:
            self.post_message(MarkWanted(self.chosen, mark))


class RecalledList(MarkableList):
    """What was found in other sessions."""
