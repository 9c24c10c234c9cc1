"""The shared context as it changes: each change can be taken back, or opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from workbench.tui.shared_rows import SHARED
from workbench.tui.widgets.line_list import LineList


@dataclass
class UndoWanted(Message):
    """A person wants to take a change back."""

    event: str
    """Its id."""


class LivePane(LineList):
    """Changes to the shared context, the newest at the end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "undo", id="shared.undo", tooltip="Take the chosen change back"),
    ]

    def action_undo(self) -> None:
        """Ask that the chosen change is taken back."""
        if self.chosen:
            self.post_message(UndoWanted(self.chosen.removeprefix(SHARED)))
