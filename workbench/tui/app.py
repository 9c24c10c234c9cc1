"""The application: wires themes, screens and global keys. Workflow is not here.

    WorkbenchApp ─▶ StartScreen            what do you want to plan?
                 ├▶ SessionScreen(id) …    one for each open session: a screen of its own, with its own follower
                 ├▶ SessionsScreen         find, rename, delete
                 └▶ HelpScreen, SettingsScreen

A key of the application works on every screen; a screen's own keys come first.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from workbench.tui.themes import load_themes, shipped_folder
from workbench.tui.views import ASCII_MARKS, Marks

if TYPE_CHECKING:
    from workbench.bootstrap import Workspace

DEFAULT_THEME = "night"


class WorkbenchApp(App[str]):
    """The workbench in a terminal. Returns the id of the session that was open last, for the farewell."""

    TITLE = "workbench"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+s",
            "sessions",
            "sessions",
            id="app.sessions",
            tooltip="Find, open, rename or delete a session",
            priority=True,
        ),
        Binding("ctrl+n", "new", "new", id="app.new", tooltip="Begin a new session", priority=True),
        Binding("ctrl+p", "command_palette", "palette", id="app.palette", tooltip="Everything that can be done"),
        Binding("f1,question_mark", "help", "help", show=False, id="app.help", tooltip="Keys of what has the focus"),
        Binding(
            "ctrl+q", "leave", "quit", show=False, id="app.quit", tooltip="Leave; everything is kept", priority=True
        ),
    ]

    def __init__(
        self,
        open_workspace: Callable[[], Workspace],
        *,
        session: str = "",
        ascii_marks: bool = False,
        user_themes: Path | None = None,
    ) -> None:
        """Begin without touching a file: the workspace is opened after the first paint, off the event loop."""
        super().__init__()
        self.open_workspace = open_workspace
        self.workspace: Workspace | None = None
        self.marks = ASCII_MARKS if ascii_marks else Marks()
        self.first_session = session
        self.opened: dict[str, str] = {}
        """Mode → the session that it shows."""
        loaded = load_themes([shipped_folder(), *([user_themes] if user_themes else [])])
        self.theme_failures = loaded.failures
        for theme in loaded.themes:
            self.register_theme(theme)
        self.theme = DEFAULT_THEME

    def on_mount(self) -> None:
        """Begin with the question what to plan."""
        from workbench.tui.screens.start import StartScreen

        self.add_mode("start", StartScreen)
        self.switch_mode("start")

    def open_session(self, session: str) -> None:
        """Go to a session's own stack of screens, which is made when it is first needed."""
        from workbench.tui.screens.session import SessionScreen

        mode = f"session-{session}"
        if mode not in self.opened:
            self.opened[mode] = session
            self.add_mode(mode, lambda: SessionScreen(session))
        self.switch_mode(mode)

    def action_new(self) -> None:
        """Begin a new session."""
        self.switch_mode("start")

    def action_sessions(self) -> None:
        """Find a session."""
        self.notify("The list of sessions comes with the next change.", markup=False)

    def action_help(self) -> None:
        """Show the keys of what has the focus."""
        self.notify("Help comes with the next change.", markup=False)

    def open_sample(self) -> None:
        """Look at a session that comes with the workbench."""
        self.notify("The sample session comes with the next change.", markup=False)

    def action_leave(self) -> None:
        """Leave; everything is kept."""
        self.exit(self.opened.get(self.current_mode, ""))
