"""Screens that know which application they are in: ``self.workbench`` is ``self.app`` with its own type.

Textual types ``app`` as any application; the workspace and the marks are ours. Widgets use ``workbench_app(self)``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.app import App
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.message import Message
from textual.messages import Prune
from textual.notifications import SeverityLevel
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget
from textual.worker import NoActiveWorker, WorkerFailed, get_current_worker

from workbench.domain.errors import SettingsError, WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.settings import Settings
from workbench.tui.marks import ASCII_MARKS, Marks
from workbench.tui.settings.preferences import Preference, write_preferences
from workbench.tui.settings.themes import load_themes, shipped_folder

if TYPE_CHECKING:  # opened after the first paint
    from workbench.bootstrap import Workspace
    from workbench.domain.trust import TrustRequest
    from workbench.tui.replay.replaying import Replayed
    from workbench.tui.session.records.looking_back import ReadEvents, Side
    from workbench.tui.sharing.live import Sharing


DEFAULT_THEME = "night"
_MESSAGES = 200  # of what was told, as many are kept
_PLACES = 50  # of the places where a person was, as many


class Workbench(App[str]):
    """The application."""

    looks_for_models = False
    """Whether the first screen looks for servers of language models on this machine: only if a person sits at it."""

    def __init__(self, settings: Settings, user_config: Path | None) -> None:
        """``user_config`` is where preferences are written, with ``themes`` beside it."""
        super().__init__()
        self.settings = settings
        self.user_config = user_config
        self.workspace: Workspace | None = None
        """None until it is open."""
        self.sharing: Sharing | None = None
        """What sessions share; None until the workspace is open."""
        self.messages: deque[tuple[str, str]] = deque(maxlen=_MESSAGES)
        """When something was told, and what: the newest last."""
        self.failure: WorkbenchError | None = None
        """Why the application had to end; None when a person left it."""
        self.first_replayed: Replayed | None = None
        """What it was opened to replay; None for anything else."""
        self.opened: dict[str, str] = {}
        """Mode → the session that it shows."""
        self.been: deque[tuple[str, str, str]] = deque(maxlen=_PLACES)
        """Where the person was before, the last at the end: mode, view and chosen row."""
        self.is_lent = False
        """Whether another program has the terminal: keys that were on their way start no second one."""
        self._is_open = asyncio.Event()
        loaded = load_themes([shipped_folder(), *([user_config.parent / "themes"] if user_config else [])])
        self.theme_failures = loaded.failures
        self.theme_names = tuple(theme.name for theme in loaded.themes)
        """The workbench's own themes and the person's."""
        for theme in loaded.themes:
            self.register_theme(theme)
        self.use(settings)

    def use(self, settings: Settings) -> None:
        """Show everything by these settings from now on."""
        self.settings = settings
        self.theme = settings.theme if settings.theme in self.theme_names else DEFAULT_THEME
        self.set_class(settings.marks == "ascii", "ascii")
        if settings.motion == "reduced":
            self.animation_level = "none"
        self.set_keymap(dict(settings.keys))

    @property
    def marks(self) -> Marks:
        """The signs that are beside colours."""
        return ASCII_MARKS if self.settings.marks == "ascii" else Marks()

    def choose(self, changes: Mapping[str, Preference]) -> None:
        """Change preferences, by name, now and for the next time."""
        changed = [name for name, value in changes.items() if value != getattr(self.settings, name)]
        self.use(replace(self.settings, **changes))  # type: ignore[arg-type]  # each name has its own type
        if changed and self.user_config is not None:
            self.run_worker(self._write({name: changes[name] for name in changed}), group="preferences")

    async def _write(self, changes: Mapping[str, Preference]) -> None:
        if self.user_config is None:
            return
        try:
            await asyncio.to_thread(write_preferences, self.user_config, changes)
        except SettingsError as error:
            self.tell_error(error)
            return
        for name in changes:
            source = self.settings.sources.get(name, "default")
            if source not in {"default", str(self.user_config)}:
                self.notify(f"{source} also sets {name}, and takes precedence when you start again.")

    async def opened_workspace(self) -> Workspace:
        """Return the workspace, once it is open; where a replay has needed none so far, it is opened now."""
        self.open_where_asked()
        await self._is_open.wait()
        if self.workspace is None:
            raise AssertionError  # it is set before the event
        return self.workspace

    def push_dialog(self, dialog: Screen[Any], then: Callable[[Any], None] | None = None) -> None:
        """Show a dialog, but never over the palette: its keys are for typing."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(dialog, then)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Say something in a line at the top, for a moment; the newest alone. All of it stays in the messages."""
        del markup  # no text is ever read as markup
        said = clean(f"{title}: {message}" if title else message)
        self.messages.append((datetime.now().astimezone().isoformat(), said))
        self.clear_notifications()
        super().notify(" ".join(said.split()), severity=severity, timeout=timeout, markup=False)

    def tell(self, said: str | None) -> None:
        """Say what was done, if something was."""
        if said:
            self.notify(said)

    def tell_error(self, error: WorkbenchError) -> None:
        """Say what went wrong."""
        self.notify(str(error), title=error.title, severity="error")

    def fail(self, error: WorkbenchError) -> None:
        """End, as the application cannot do what it was opened for."""
        self.failure = error
        self.exit(return_code=error.exit_code)

    # --- what needs to know the screens: app.py -----------------------------------------------------------------------

    def open_where_asked(self) -> None:
        """Open the workspace now, if that does not come by itself after the first paint."""

    def open_session(self, session: str, *, goes_on: bool = False, at: str = "", sought: str = "") -> None:
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

    def compare(self, a: Side, b: Side) -> None:
        """Show what differs between two points."""

    def ask_to_accept(
        self,
        request: TrustRequest,
        then: Callable[[], object],
        failed: Callable[[WorkbenchError], object],
        otherwise: Callable[[], object] = lambda: None,
    ) -> None:
        """Ask whether to accept something: ``then`` is done once it is, and ``otherwise`` if it is not."""

    def action_new(self) -> None:
        """Begin a new session."""


class WorkspaceOpened(Message):
    """The workspace can be used now."""


def workbench_app(node: DOMNode) -> Workbench:
    """Return the application a screen or widget is in."""
    return cast(Workbench, node.app)


class EndsItsWork(Widget):
    """Ends what runs for a screen before its panes are taken away: Textual itself does so after that.

    It is last among the bases of a screen: styles are inherited by the first one alone.
    """

    is_going: bool = False
    """Whether it is being taken away. What still looks for its panes by then, a timer's last tick, is no defect."""

    @property
    def workbench(self) -> Workbench:
        """The application it is in."""
        return workbench_app(self)

    async def on_prune(self, _event: Prune) -> None:
        """Cancel the workers, which would look for panes that are gone."""
        self.is_going = True
        self.workers.cancel_node(self)


def is_of_a_going_screen(error: Exception) -> bool:
    """Tell whether an error of the worker that runs is a pane not found, of a screen that is being taken away."""
    cause = error.error if isinstance(error, WorkerFailed) else error
    try:
        node = get_current_worker().node
    except NoActiveWorker:
        return False
    return isinstance(cause, NoMatches) and isinstance(node, EndsItsWork) and node.is_going


class WorkbenchScreen(Screen[ScreenResultType], EndsItsWork):
    """A whole screen of the workbench."""

    @property
    def is_coming(self) -> bool:
        """Whether it does not know yet what it shows, and so what a letter means; what is typed waits a while."""
        return False

    def interrupt(self) -> bool:
        """Interrupt what is under way; False if nothing is."""
        return False

    def note_place(self) -> None:
        """Note where the person is, to come back to it."""

    def now(self) -> datetime:
        """Return the time where the person is."""
        return datetime.now().astimezone()
