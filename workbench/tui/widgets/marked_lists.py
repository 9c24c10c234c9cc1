"""Lists whose rows a person decides about: what the next prompt may hold, and what sessions changed for each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.message import Message

from workbench.tui.keys import bind
from workbench.tui.sharing.shared_rows import change_at
from workbench.tui.widgets.framed_list import CALLED, NUMBERED
from workbench.tui.widgets.line_list import LineList

Mark = Literal["excluded", "pinned"]


@dataclass
class MarkWanted(Message):
    """A person decided about an item; the same again takes it back."""

    key: str
    mark: Mark


_VIEWS = tuple(
    bind(str(digit), f"screen.view({name!r})", CALLED.get(name, name), f"plan.{name}", "")
    for digit, name in enumerate(NUMBERED[:-1], 1)
)
"""The digits of the page act in the drawer beside it, too."""


class MarkableList(LineList):
    """What was said in this session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *_VIEWS,
        bind("7", "screen.isolation", "people", "plan.people", ""),
        bind("z", "screen.zoom", "zoom", "plan.zoom", ""),
        bind("x", "mark('excluded')", "exclude", "recalled.exclude", "Keep it out of the next prompt"),
        bind("P", "mark('pinned')", "pin", "recalled.pin", "Put it into every prompt"),
    ]

    def action_mark(self, mark: Mark) -> None:
        """Ask for a mark on the chosen item."""
        if self.chosen:
            self.post_message(MarkWanted(self.chosen, mark))


class RecalledList(MarkableList):
    """What was found in other sessions."""


@dataclass
class UndoWanted(Message):
    """A person wants to take a change back."""

    event: str


class LivePane(LineList):
    """Changes to the shared context, the newest at the end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("u", "undo", "undo", "shared.undo", "Take the chosen change back"),
    ]

    def action_undo(self) -> None:
        """Ask that the chosen change is taken back."""
        if self.chosen:
            self.post_message(UndoWanted(change_at(self.chosen)))
