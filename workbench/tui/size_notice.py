"""The notice that stands where there is no room for a screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.geometry import Size
from textual.widgets import Static

from workbench.tui.dialog import Dialog
from workbench.tui.lines import joined, text
from workbench.tui.marks import DIM


class SizeNotice(Dialog[None]):
    """Says the size there is and the size that is needed, takes all keys, and goes away when there is room."""

    def __init__(self, needed: Size) -> None:
        super().__init__()
        self._needed = needed

    def compose(self) -> ComposeResult:
        """Return the notice."""
        yield Static(id="size", markup=False)

    def action_close(self) -> None:
        """Stay: there is no room for what it hides."""

    def on_resize(self) -> None:
        """Say the new size, or give way to the screen."""
        size, needed = self.app.size, self._needed
        if size.width >= needed.width and size.height >= needed.height:
            if self.is_current:
                self.dismiss()
            return
        needs = text(f"The workbench needs {needed.width} × {needed.height}.", "bold")
        here = text(f"This terminal is {size.width} × {size.height}.", DIM)
        self.query_one("#size", Static).update(joined(needs, "\n", here))

    on_screen_resume = on_resize
    """The size may have changed while another session was shown."""
