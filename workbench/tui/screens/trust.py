"""The question before a folder's settings, or a session's model, are used: exactly what would hold, and yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from workbench.domain.text.cleaning import clean
from workbench.domain.trust import TrustRequest
from workbench.tui.base import Dialog
from workbench.tui.lines import text
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints

_ABOUT = "This came with the folder or the session, perhaps from somebody else. Nothing has been sent."


class TrustDialog(Dialog[bool]):
    """Asks whether to accept a request; ends with True where the person did."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "accept", "accept", show=False),
        Binding("escape,n", "decline", "decline", show=False),
    ]

    def __init__(self, request: TrustRequest) -> None:
        super().__init__()
        self._request = request

    def compose(self) -> ComposeResult:
        """Return the values, the longest of which scroll."""
        with Vertical(classes="dialog small"):
            yield Static(text("Accept exactly this for this workspace?", "bold"), markup=False)
            yield Static(text(_ABOUT, DIM), markup=False)
            with VerticalScroll(id="values"):
                for name, value in self._request.rows:
                    yield Static(text(f"{clean(name)}: {clean(value)}"), markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll the values."""
        self.query_one(Hints).show_hints([("y", "accept")], self.room, always=[("Esc", "do not accept")])
        self.query_one("#values").focus()

    def action_accept(self) -> None:
        """Accept it."""
        self.dismiss(True)

    def action_decline(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)
