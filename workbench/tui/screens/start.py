"""The first screen: what do you want to plan? Nothing else."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Middle, Vertical
from textual.content import Content
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.goal import check_goal
from workbench.domain.text import clean
from workbench.tui.app import WorkspaceOpened
from workbench.tui.base import WorkbenchScreen
from workbench.tui.keymap import hint, key_of
from workbench.tui.lines import joined, text
from workbench.tui.widgets.bars import Hints, TopLine
from workbench.tui.widgets.draft import Draft


class StartScreen(WorkbenchScreen[None]):
    """Asks for a goal and begins a session with it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "sample", "sample session", id="start.sample", tooltip="Look at a finished session"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._is_beginning = False

    def compose(self) -> ComposeResult:
        """Return the question, the input, and what it costs."""
        yield TopLine(joined(text(" workbench", "bold")), id="top", markup=False)
        with Middle(), Vertical(id="ask"):
            yield Static(text("What do you want to plan?", "bold"), markup=False)
            yield Draft(id="draft", placeholder="e.g. Move billing to a new provider by 30 June")
            yield Static("", id="problem", markup=False)
            yield Static(_planner(self.workbench.settings.model), id="model", markup=False)
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Be ready to be written into."""
        self.query_one(Draft).focus()
        self._show_hints()

    def on_resize(self) -> None:
        """Fit the hints to the width."""
        self._show_hints()

    def on_screen_resume(self) -> None:
        """Show keys and hints as they are set now."""
        self._show_hints()

    def on_workspace_opened(self, _message: WorkspaceOpened) -> None:
        """Say what plans here, by this workspace's own settings."""
        workspace = self.workbench.workspace
        if workspace is not None:
            self.query_one("#model", Static).update(_planner(workspace.settings.model))

    def _show_hints(self) -> None:
        hints = [
            (key_of(self.query_one(Draft), "draft.send"), "start"),
            *hint(self, "start.sample"),
            *hint(self, "app.sessions"),
        ]
        self.query_one(Hints).show_hints([*hints, *hint(self, "app.palette", "everything")], self.size.width)

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Begin a session with the goal."""
        if not self._is_beginning:
            self._is_beginning = True
            self._begin(message.text)

    @work(group="begin")
    async def _begin(self, goal: str) -> None:
        self._say("")
        try:
            check_goal(goal)
            workspace = await self.workbench.opened_workspace()
            session = (await asyncio.to_thread(workspace.start, goal)).session_id
        except WorkbenchError as error:
            self._say(str(error))
            return
        finally:
            self._is_beginning = False
        self.query_one(Draft).clear()
        self.workbench.open_session(session)

    def _say(self, problem: str) -> None:
        """Say what went wrong under the draft, which is kept."""
        self.query_one("#problem", Static).update(text(clean(problem), "$error"))

    def action_sample(self) -> None:
        """Look at a finished session."""
        self.workbench.open_sample()


def _planner(model: str) -> Content:
    words = "Offline guided planner · free · nothing leaves this machine"
    return text(words if model == "guided" else f"Plans with {clean(model)}", "$text-muted")
