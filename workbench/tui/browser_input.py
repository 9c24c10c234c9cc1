"""The application's driver in a browser: one that leaves when whoever serves it is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.drivers.web_driver import WebDriver

if TYPE_CHECKING:
    from workbench.tui.app import WorkbenchApp


class BrowserInput(WebDriver):
    """Textual's own goes on without input, and would hold a session that nobody can reach."""

    def run_input_thread(self) -> None:
        """Read until the end of input, which is a closed window where nobody asked to leave."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            cast("WorkbenchApp", self._app).hang_up()
