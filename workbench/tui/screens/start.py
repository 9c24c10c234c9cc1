"""The first screen: what do you want to plan? Nothing else."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Middle, Vertical
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.goal import check_goal
from workbench.domain.text import clean
from workbench.tui.base import WorkbenchScreen
from workbench.tui.lines import joined, text
from workbench.tui.widgets.bars import Hints, TopLine
from workbench.tui.widgets.draft import Draft


class StartScreen(WorkbenchScreen[None]):
    """Asks for a goal and begins a session with it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "sample", "sample session", id="start.sample", tooltip="Look at a finished session"),
    ]

    def compose(self) -> ComposeResult:
        """Return the question, the input, and what it costs."""
        yield TopLine(joined(text(" workbench", "bold")), id="top", markup=False)
        with Middle(), Vertical(id="ask"):
            yield Static(text("What do you want to plan?", "bold"), markup=False)
            yield Draft(id="draft", placeholder="e.g. Move billing to a new provider by 30 June")
            yield Static("", id="problem", markup=False)
            offline = "Offline guided planner · free · nothing leaves this machine"
            yield Static(text(offline, "$text-muted"), id="model", markup=False)
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Be ready to be written into; open the workspace behind the first paint."""
        self.query_one(Draft).focus()
        self._show_hints()
        self.call_after_refresh(self._open_workspace)

    def on_resize(self) -> None:
        """Fit the hints to the width."""
        self._show_hints()

    def _show_hints(self) -> None:
        hints = [("Enter", "start"), ("^O", "sample session"), ("^S", "sessions"), ("^P", "everything")]
        self.query_one(Hints).show_hints(hints, self.size.width)

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Begin a session with the goal."""
        self._begin(message.text)

    @work(thread=True, group="open-workspace", exclusive=True, exit_on_error=False)
    def _open_workspace(self) -> None:
        app = self.workbench
        if app.workspace is None:
            try:
                app.workspace = app.open_workspace()
            except WorkbenchError as error:
                app.call_from_thread(self._show_problem, error)
                return
        app.call_from_thread(self._workspace_opened)

    def _workspace_opened(self) -> None:
        workspace = self.workbench.workspace
        if workspace is None:
            return
        model = workspace.settings.model
        if model != "guided":
            self.query_one("#model", Static).update(text(f"Plans with {clean(model)}", "$text-muted"))
        if self.workbench.first_session:
            session, self.workbench.first_session = self.workbench.first_session, ""
            self.workbench.open_session(session)

    @work(thread=True, group="begin", exclusive=True, exit_on_error=False)
    def _begin(self, goal: str) -> None:
        app = self.workbench
        try:
            check_goal(goal)
            workspace = app.workspace or app.open_workspace()
            app.workspace = workspace
            session = workspace.start(goal).session_id
        except WorkbenchError as error:
            app.call_from_thread(self._show_problem, error)
            return
        app.call_from_thread(app.open_session, session)

    def _show_problem(self, error: WorkbenchError) -> None:
        """Say what went wrong under the draft, which is kept."""
        self.query_one("#problem", Static).update(text(clean(str(error)), "$error"))

    def action_sample(self) -> None:
        """Look at a finished session."""
        self.workbench.open_sample()
