"""The driver of a terminal of POSIX systems: terminal_input.py reads what it sends."""

from __future__ import annotations

from textual.drivers import linux_driver

from workbench.tui.terminal.terminal_input import use_for


class TerminalInput(linux_driver.LinuxDriver):
    """The terminal, with a reader that no byte and no defect ends silently."""

    def run_input_thread(self) -> None:
        """Read what the terminal sends."""
        use_for(linux_driver, self._app)
        super().run_input_thread()

    def _run_input_thread(self) -> None:
        """Read until the end; a defect ends the application as any other does, with its report."""
        try:
            self.run_input_thread()
        except Exception as error:  # noqa: BLE001 - the edge of a thread: the application reports it
            self._app.call_later(self._app._handle_exception, error)  # noqa: SLF001 - Textual's one way to say so
