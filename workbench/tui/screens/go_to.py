"""Going to a place in a replay: the number of an event, or a time."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean
from workbench.replay.recording import Recording
from workbench.tui.base import Dialog
from workbench.tui.going_to import place_named
from workbench.tui.lines import text
from workbench.tui.views import DIM, FAILED
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field


class GoToDialog(Dialog[int]):
    """Asks where to; ends with the number of an event, 0 where it is left."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close", show=False)]

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self._recording = recording

    def compose(self) -> ComposeResult:
        """Return the field, and what can be written into it."""
        with Vertical(classes="dialog small"):
            yield Static(text("Go to", "bold"), markup=False)
            yield Static(
                text(f"an event from 1 to {self._recording.length:,}, or a time of that day", DIM), markup=False
            )
            yield Field(id="place", placeholder="213 or 12:03")
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Be ready to be typed into."""
        self.query_one("#problem").display = False
        self.query_one(Hints).show_hints([("Enter", "go")], self.room, always=[("Esc", "close")])
        self.query_one("#place").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go there, or say why not."""
        try:
            place = place_named(self._recording, event.value)
        except UsageError as error:
            problem = self.query_one("#problem", Static)
            problem.update(text(clean(str(error)), FAILED))
            problem.display = True
        else:
            self.dismiss(place)

    def action_close(self) -> None:
        """Stay where it is."""
        self.dismiss(0)
