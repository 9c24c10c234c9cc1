"""The first screen: what do you want to plan? Nothing else."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Middle, Vertical
from textual.content import Content
from textual.widgets import Static

from workbench.domain.errors import NotTrusted, WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.domain.text.goal import check_goal
from workbench.settings import Settings
from workbench.tui.app import WorkspaceOpened
from workbench.tui.base import WorkbenchScreen
from workbench.tui.keymap import hint, key_of
from workbench.tui.lines import joined, text
from workbench.tui.widgets.bars import Hints, TopLine
from workbench.tui.widgets.draft import Draft

if TYPE_CHECKING:  # nothing is asked before the first paint
    from workbench.domain.trust import TrustRequest


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
            yield Static(_planner(self.workbench.settings), id="model", markup=False)
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
            self.query_one("#model", Static).update(_planner(workspace.settings))
            if workspace.settings.model == "guided" and not workspace.settings.withheld:
                self._offer(workspace.settings)

    @work(group="offer", exclusive=True, exit_on_error=False)
    async def _offer(self, settings: Settings) -> None:
        """Name a language model that answers on this machine; nothing is sent to it before a person chooses it."""
        from workbench.bootstrap.known_models import models_on_this_machine

        found = await asyncio.to_thread(lambda: next(models_on_this_machine(), None))
        if found is not None:
            offer = f"{clean(found.model)} answers on this machine: {key_of(self, 'app.palette')}, Models"
            self.query_one("#model", Static).update(joined(_planner(settings), "\n", text(offer, "$text-muted")))

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
            state = (await asyncio.to_thread(workspace.start, goal)).state
        except NotTrusted as error:
            self._say(str(error))
            from workbench.tui.screens.trust import TrustDialog

            self.app.push_screen(TrustDialog(error.request), partial(self._accept, goal, error.request))
            return
        except WorkbenchError as error:
            self._say(str(error))
            return
        finally:
            self._is_beginning = False
        self.query_one(Draft).clear()
        from workbench.domain.session.named_files import files_told  # not for the first paint

        if told := files_told(state.files):
            self.notify(told, markup=False)
        self.workbench.open_session(state.session, goes_on=True)

    def _accept(self, goal: str, request: TrustRequest, accepted: bool | None) -> None:
        """Begin with what the person accepted."""
        if accepted:
            self._begin_with(goal, request)

    @work(group="begin")
    async def _begin_with(self, goal: str, request: TrustRequest) -> None:
        workspace = await self.workbench.opened_workspace()
        try:
            await asyncio.to_thread(workspace.accept, request)
        except WorkbenchError as error:
            self._say(str(error))
            return
        self.query_one("#model", Static).update(_planner(workspace.settings))
        self._begin(goal)

    def _say(self, problem: str) -> None:
        """Say what went wrong under the draft, which is kept."""
        self.query_one("#problem", Static).update(text(clean(problem), "$error"))

    def action_sample(self) -> None:
        """Look at a finished session."""
        self.workbench.open_sample()


def _planner(settings: Settings) -> Content:
    words = f"Plans with {clean(settings.model)}"
    if "model" in settings.withheld:
        words = f"This folder asks for {clean(settings.asked['model'])}; you are asked before it is used"
    elif settings.model == "guided":
        words = (
            "Offline guided planner · free · nothing leaves this machine\n"
            "Reads days, money and people, and asks what it cannot know; for work it\n"
            "has no practice in, a language model knows more: workbench models"
        )
    return text(words, "$text-muted")
