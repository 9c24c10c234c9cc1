"""The application's driver in a browser: it leaves when whoever serves it is gone, and takes no more than it can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from textual.drivers import web_driver

from workbench.tui.terminal.terminal_input import use_for

if TYPE_CHECKING:
    from textual.message import Message


class HangsUp(Protocol):
    """An application that can be left from another thread."""

    def hang_up(self) -> None:
        """Leave: the terminal is gone."""


_MOST_WAITING = 500  # messages that wait at once; each takes about 2 kB
_PAUSE = 0.01
_MOST_TYPED = 200  # characters of one message that are keys, which take a millisecond each


class BrowserInput(web_driver.WebDriver):
    """Textual's own goes on without input, and would hold a session that nobody can reach."""

    def run_input_thread(self) -> None:
        """Read until the end of input, which is a closed window if nobody asked to leave."""
        use_for(web_driver, self._app, _MOST_TYPED)
        super().run_input_thread()
        if not self.exit_event.is_set():
            cast(HangsUp, self._app).hang_up()

    def process_message(self, message: Message) -> None:
        """Hand on a key; the next one is read when not too many wait."""
        super().process_message(message)
        self._catch_up()

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Hand on what happened to the page, in the same way."""
        super().on_meta(packet_type, payload)
        self._catch_up()

    def _catch_up(self) -> None:
        """Wait, in the thread that reads, while the application is behind: what is typed stays in the pipe."""
        while self._waiting() > _MOST_WAITING and not self.exit_event.wait(_PAUSE):
            pass

    def _waiting(self) -> int:
        app = self._app
        focused = [screen.focused for screen in app.screen_stack[-1:]]
        return max(pump.message_queue_size for pump in (app, *focused) if pump is not None)
