"""What a screen or widget may ask of the application that it stands in; ``app.py`` fulfils it and knows the screens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from textual.dom import DOMNode
from textual.screen import Screen

from workbench.settings import Settings
from workbench.tui.settings.preferences import Preference
from workbench.tui.settings.themes import ThemeFailure

if TYPE_CHECKING:  # opened behind the first paint
    from workbench.bootstrap import Workspace
    from workbench.domain.errors import WorkbenchError
    from workbench.domain.trust import TrustRequest
    from workbench.tui.marks import Marks
    from workbench.tui.replay.comparing import Side
    from workbench.tui.replay.replaying import Replayed
    from workbench.tui.session.looking_back import ReadEvents
    from workbench.tui.sharing.live import Sharing


class Workbench(Protocol):
    """The application."""

    settings: Settings
    user_config: Path | None
    workspace: Workspace | None
    """None until it is open."""
    sharing: Sharing | None
    opened: dict[str, str]
    """Mode → the session that it shows."""
    theme_names: tuple[str, ...]
    theme_failures: tuple[ThemeFailure, ...]
    looks_for_models: bool

    @property
    def marks(self) -> Marks:
        """The signs that stand beside colours."""

    @property
    def current_mode(self) -> str:
        """Name of the stack of screens in front."""

    async def opened_workspace(self) -> Workspace:
        """Return the workspace, once it is open."""

    def use(self, settings: Settings) -> None:
        """Show everything by these settings from now on."""

    def choose(self, changes: Mapping[str, Preference]) -> None:
        """Change preferences, by name, now and for the next time."""

    def set_here(self, name: str, then: Callable[[], None]) -> None:
        """Ask for a setting, and keep it."""

    def open_session(self, session: str, *, goes_on: bool = False, view: str = "") -> None:
        """Go to a session."""

    async def close_session(self, session: str) -> None:
        """Take a session's screens away."""

    def look_at(self, session: str) -> None:
        """Look at a session without driving it."""

    def open_sample(self, name: str = "") -> None:
        """Look at a session that comes with the workbench."""

    def leave_view(self) -> None:
        """Go back to where what is in front was asked for."""

    def fork(self, name: str, events: ReadEvents, at: int) -> None:
        """Ask where to fork a session."""

    def replay(self, session: str) -> None:
        """Walk through a session."""

    def replay_failed(self, replayed: Replayed, error: WorkbenchError) -> None:
        """End where there is nothing to replay, and nothing else was asked for."""

    def compare(self, a: Side, b: Side) -> None:
        """Show what differs between two points."""

    def confirm(
        self,
        question: str,
        about: str,
        verb: str,
        then: Callable[[], object],
        *,
        values: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Ask yes or no; ``then`` is done where the person says yes."""

    def ask_to_accept(
        self,
        request: TrustRequest,
        then: Callable[[], object],
        failed: Callable[[WorkbenchError], object],
        otherwise: Callable[[], object] = lambda: None,
    ) -> None:
        """Ask whether to accept something: ``then`` is done once it is, and ``otherwise`` where it is not."""

    async def import_session(self) -> None:
        """Take in a session's file, and open it."""

    async def export_page(self) -> None:
        """Write the session in front as a web page."""

    async def show_models(self) -> None:
        """Choose a model, and set what holds for it."""

    async def ask_to_trust(self) -> None:
        """Ask whether to accept what the folder's settings ask for."""

    async def show_trust(self) -> None:
        """Show what was accepted."""

    async def show_learning(self) -> None:
        """Show what saved sessions teach."""

    def tell(self, said: str | None) -> None:
        """Say what was done, where something was."""

    def push_dialog(self, dialog: Any, then: Callable[[Any], None] | None = None) -> None:
        """Show a dialog, but never over the palette."""

    def action_new(self) -> None:
        """Begin a new session."""

    # of every Textual application

    theme: str

    @property
    def screen_stack(self) -> Sequence[Screen[Any]]:
        """The screens above each other."""

    def notify(self, message: str, *, title: str = "", severity: Any = "information", markup: bool = True) -> None:
        """Say something for a moment."""

    def run_worker(self, work: Any, *, group: str = "default", exit_on_error: bool = True) -> Any:
        """Do something beside the event loop."""

    def call_later(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Do something behind what waits."""

    def run_action(self, action: str, default_namespace: DOMNode | None = None) -> Awaitable[bool]:
        """Do what a binding says."""
