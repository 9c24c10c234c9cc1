"""The field in a cell of the plan, and what fits what is typed below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.events import Blur, Click
from textual.message import Message
from textual.widgets import Static

from workbench.domain.text.cleaning import clean_name
from workbench.tui.keys import bind
from workbench.tui.lines import cut, joined, spread, text
from workbench.tui.marks import DIM
from workbench.tui.session.cell_editing import Offer
from workbench.tui.widgets.field import Field


class CellField(Field):
    """One line of text in place of a cell."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "finish('record')", "record", "cell.record", "Record what is typed"),
        bind("alt+enter", "finish('below')", "record, next row", "cell.below", "Record it, and open the cell below"),
        bind("escape", "finish('drop')", "drop", "cell.drop", "Leave the cell as it was"),
        bind("tab", "finish('next')", "next cell", "cell.next", "Go on in the next cell; both are recorded together"),
        bind("shift+tab", "finish('before')", "cell before", "cell.before", "Go on in the cell before"),
        bind("down", "choose(1)", "choose", "cell.choose", "Go to the next suggestion"),
        bind("up", "choose(-1)", "choose", "cell.choose-before", "Go to the suggestion before"),
        bind("right", "take", "complete", "cell.take", "Take the suggestion; inside the text, go right"),
    ]

    without: ClassVar[frozenset[str]] = frozenset(
        {
            "session.back",
            "session.next-agent",
            "sessions.close",
            "isolation.close",
            "compare.back",
            "versions.close",
            "settings.close",
        }
    )
    """What has no key while a cell is open, or is never on one screen with a cell."""

    @dataclass
    class Finished(Message):
        """A person left the cell, or an arrow asks for another suggestion."""

        how: str
        """record, below, drop, next, before."""

    @dataclass
    class OfferWanted(Message):
        """A person goes to another suggestion; ``step`` 0 takes the one that is chosen."""

        step: int

    @dataclass
    class Left(Message):
        """The focus went elsewhere."""

    def action_finish(self, how: str) -> None:
        """Leave the cell."""
        self.post_message(self.Finished(how))

    def action_choose(self, step: int) -> None:
        """Go to another suggestion."""
        self.post_message(self.OfferWanted(step))

    def action_take(self) -> None:
        """Take the suggestion, at the end of what is typed."""
        if self.cursor_position < len(self.value):
            self.action_cursor_right()
        else:
            self.post_message(self.OfferWanted(0))

    def _on_blur(self, event: Blur) -> None:
        super()._on_blur(event)
        self.post_message(self.Left())


class CellOffers(Static):
    """What fits what is typed into a cell, a row each."""

    @dataclass
    class Clicked(Message):
        """A row was clicked."""

        index: int

    def show(self, offers: Sequence[Offer], chosen: int, mark: str, width: int) -> None:
        """Show the offers; the chosen one begins with a mark."""
        self.display = bool(offers)
        lines = []
        for at, offer in enumerate(offers):
            here = text(f"{mark if at == chosen else ' '} ", "$primary")
            name = text(clean_name(offer.text, 60), "bold" if at == chosen else "")
            lines.append(cut(spread(joined(here, name), text(clean_name(offer.told, 60), DIM), width), width))
        self.update(Content("\n").join(lines))

    def on_click(self, event: Click) -> None:
        """Take the row that was clicked."""
        event.stop()
        self.post_message(self.Clicked(event.y))
