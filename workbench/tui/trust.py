"""The question before a folder's settings, or a session's model, are used: exactly what would hold, and yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from workbench.domain.text.cleaning import clean
from workbench.domain.trust import TrustRequest
from workbench.tui.dialog import Dialog
from workbench.tui.lines import text
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints

_ABOUT = "This came with the folder or the session, perhaps from somebody else. Nothing has been sent."


class ConfirmDialog(Dialog[bool]):
    """Asks yes or no; ends with True where a person said yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "accept", "accept"),
        Binding("escape,n", "close", "decline"),
    ]

    def __init__(self, question: str, about: str, verb: str, values: Sequence[tuple[str, str]] = ()) -> None:
        """``verb``: what yes does; ``values`` stand below the question, and scroll where they are long."""
        super().__init__()
        self._question, self._about, self._verb, self._values = question, about, verb, values

    def compose(self) -> ComposeResult:
        """Return the question, and what it is about."""
        with Vertical(classes="dialog small"):
            yield Static(text(clean(self._question), "bold"), markup=False)
            yield Static(text(clean(self._about), DIM), markup=False)
            if self._values:
                with VerticalScroll(id="values"):
                    for name, value in self._values:
                        yield Static(text(f"{clean(name)}: {clean(value)}"), markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show both keys."""
        self.hint(("y", self._verb), back=f"do not {self._verb}")

    def action_accept(self) -> None:
        """Say yes."""
        self.dismiss(True)


class TrustDialog(ConfirmDialog):
    """Asks whether to accept a request."""

    def __init__(self, request: TrustRequest) -> None:
        super().__init__("Accept exactly this for this workspace?", _ABOUT, "accept", request.rows)
