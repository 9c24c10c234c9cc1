"""Lists whose rows a person decides about: what the next prompt may hold, and what sessions changed for each other."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from workbench.tui.keys import bind
from workbench.tui.widgets.framed_list import CALLED, NUMBERED
from workbench.tui.widgets.line_list import LineList

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
        bind("x", "screen.mark('excluded')", "exclude", "recalled.exclude", "Keep it out of the next prompt"),
        bind("P", "screen.mark('pinned')", "pin", "recalled.pin", "Put it into every prompt"),
    ]


class RecalledList(MarkableList):
    """What was found in other sessions."""


class LivePane(LineList):
    """Changes to the shared context, the newest at the end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("u", "screen.take_back", "undo", "shared.undo", "Take the chosen change back"),
    ]
