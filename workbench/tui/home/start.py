"""The first screen: what do you want to plan? Below it stand the sessions that are there, by what each needs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Middle, Vertical
from textual.events import Paste
from textual.widgets import Static

from workbench.domain.errors import NotTrusted, WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.domain.text.goal import check_goal
from workbench.tui.base import WorkbenchScreen, WorkspaceOpened
from workbench.tui.keymap import hint, key_of
from workbench.tui.keys import bind
from workbench.tui.lines import joined, spread, text
from workbench.tui.pauses import beside
from workbench.tui.widgets.bars import Hints, TopLine
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # nothing is asked before the first paint
    from workbench.bootstrap import Listed
    from workbench.settings import Settings
    from workbench.tui.home.home_rows import Glance

LOW = 30
"""Rows below which only one line says what plans here, where sessions are listed."""
LOOK_AGAIN, _AT_REST = 2.0, 5.0
"""Seconds until the sessions are listed again, as others go on meanwhile; and after a while in which none did."""


class StartScreen(WorkbenchScreen[None]):
    """Asks for a goal and begins a session with it."""

    without: ClassVar[frozenset[str]] = frozenset({
        "plan.next", "plan.find", "plan.done", "found.search", "found.delete",
        "compare.next", "gate.no", "gate.stop", "plan.stop", "cell.drop",
    })  # fmt: skip
    """Keys of lists, and of gates, that never stand here."""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("f5", "sample", "sample session", "start.sample", "Look at a finished session"),
        bind("n", "next", "next that asks", "start.next", "Go to the next plan that asks, or is late"),
        bind("d", "done", "step done", "start.done", "Say that the chosen step is done, or how it stands"),
        bind("slash", "app.sessions", "search", "start.search", "Search all plans"),
        bind("L", "app.show_learning", "learning", "start.learning", "See what sessions teach"),
        bind("q", "app.leave", "quit", "start.quit", "Leave; everything is kept"),
        bind("escape", "to_plans", "to the plans", "start.plans", "Go from the goal to the plans"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._is_beginning = False
        self._listed: Sequence[Listed] = ()
        self._glances: dict[str, Glance] = {}
        self._offered = ""  # what says that a model answers on this machine; "" if none is known to
        self._has_come = asyncio.Event()  # set when sessions are to be counted at once
        self._is_new = True
        """Until the sessions were listed: then they have the focus, unless something was written or begun."""
        self._is_known = False  # whether each session was looked into, so that its rows stay where they are
        self._planner_told: tuple[object, ...] = ()  # what was said of the planner last

    def compose(self) -> ComposeResult:
        """Return the question, the input, and what it costs."""
        yield TopLine(joined(text(" workbench", "bold")), id="top", markup=False)
        with Middle(), Vertical(id="ask"):
            yield Static(text("What do you want to plan?", "bold"), id="asks", markup=False)
            yield Draft(id="draft", placeholder="e.g. Move billing to a new provider by 30 June")
            yield Static("", id="problem", markup=False)
            yield Static(id="model", markup=False)
        yield LineList(id="plans", mark=">" if self.workbench.settings.marks == "ascii" else "▸")  # marks come later
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Be ready to be written into."""
        self.query_one("#plans").display = False
        self.query_one(Draft).focus()
        self._tell_planner()
        self._show_hints()
        self.watch(self.query_one("#plans", LineList), "cursor", self._show, init=False)
        self._look_around()

    def on_resize(self) -> None:
        """Fit hints and rows to the size."""
        self.set_class(self.size.height < LOW, "low")
        self._show_hints()
        self.call_after_refresh(self._show)

    def on_line_list_resized(self) -> None:
        """Fit the rows to the room that they have now."""
        self._show()

    def on_screen_resume(self) -> None:
        """Show keys and hints as they are set now, and count again at once."""
        self._show_hints()
        self._has_come.set()

    def on_descendant_focus(self) -> None:
        """Let the hints follow the focus."""
        self._show_hints()

    def on_paste(self, event: Paste) -> None:
        """Let what is pasted be a goal, also where the sessions have the focus."""
        if not self.query_one(Draft).has_focus:
            self.write()
            self.query_one(Draft).insert(event.text)

    @property
    def is_coming(self) -> bool:
        """Whether the sessions are not listed yet: a letter is for them if there are some, else for a goal."""
        return not self._is_known and (self._is_new or self.query_one("#plans").has_focus)

    def write(self) -> None:
        """Go to the input: another session is to be begun."""
        self._is_new = False
        self.query_one(Draft).focus()

    # --- the sessions that are there ----------------------------------------------------------------------------------

    @work(group="home", exclusive=True)
    async def _look_around(self) -> None:
        """List the sessions, and look into each, while this screen is in front: again if one of them changed."""
        workspace = await self.workbench.opened_workspace()
        from workbench.tui.home.home_rows import Glances  # not for the first paint

        glances = Glances(lambda session: workspace.session(session).state(), lambda: self.now().date())
        day, minute, pause = None, "", LOOK_AGAIN
        while True:
            self._has_come.clear()
            if self.is_current:
                with suppress(WorkbenchError):  # the list of sessions says why it cannot be read
                    before, self._listed = self._listed, await beside(workspace.sessions)
                    is_same = before == self._listed and day == (day := self.now().date())
                    is_at_rest = is_same and all(one.status != "running" for one in self._listed)
                    pause = min(pause * 1.2, _AT_REST) if is_at_rest else LOOK_AGAIN
                    if not is_same:
                        self._show()
                        looking = glances.look(self._listed)
                        while (known := await beside(next, looking, None)) is not None:
                            self._glances[known[0]] = known[1]
                        self._show()
                self._is_known = True
                if minute != (minute := f"{self.now():%H:%M}"):  # how long ago things happened is told in minutes
                    self._show()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_come.wait(), pause)

    def _show(self) -> None:
        if not self._listed or not self.is_mounted:
            return
        from workbench.tui.home.home_rows import Home, home_rows, plans_text  # not for the first paint

        plans = self.query_one("#plans", LineList)
        is_first = not plans.display
        plans.display = True
        if is_first:
            self.add_class("home")
            self.query_one(Draft).border_title = text("What do you want to plan?", "bold $foreground")
        home = Home(self._listed, self._glances, self.now(), plans.chosen)
        if plans.room:  # else it is laid out first, and this comes again
            plans.show(home_rows(home, plans.room, self.workbench.marks))
        workspace = self.workbench.workspace
        place = f"   {clean(_known_as(workspace.folder.root.parent))}" if workspace is not None else ""
        told = text(f"{plans_text(home)}  ", "$text-muted")
        left = joined(text(" workbench", "bold"), text(place, "$text-muted"))
        self.query_one(TopLine).tell(spread(left, told, self.size.width))
        self._tell_planner()
        if is_first and self._is_new and self.is_current and not self.query_one(Draft).stands:
            plans.focus()
        self._is_new = False
        self._show_hints()

    def _tell_planner(self) -> None:
        """Say what plans here: in the frame of the input where plans are listed, else below it."""
        workspace = self.workbench.workspace
        planner, more = _planner(self.workbench.settings if workspace is None else workspace.settings)
        is_home = self.has_class("home")
        offered = "" if is_home and self.has_class("low") else self._offered
        told = (planner, more, offered, is_home)
        if told == self._planner_told:  # a border that is set is drawn, whatever it says
            return
        self._planner_told = told
        self.query_one(Draft).border_subtitle = text(planner, "$text-muted") if is_home else ""
        lines = [line for line in (*(() if is_home else (planner, *more)), offered) if line]
        model = self.query_one("#model", Static)
        model.update(text("\n".join(lines), "$text-muted"))
        model.display = bool(lines)

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Open the chosen session, or the one whose step is due, at that step."""
        session, _, step = message.key.partition(" ")
        self.workbench.open_session(session, at=f"item:{step}" if step else "")

    def on_workspace_opened(self, _message: WorkspaceOpened) -> None:
        """Say what plans here, by this workspace's own settings."""
        workspace = self.workbench.workspace
        if workspace is not None:
            self._tell_planner()
            settings = workspace.settings
            if self.workbench.looks_for_models and settings.model == "guided" and not settings.withheld:
                self._offer()

    @work(group="offer", exclusive=True, exit_on_error=False)
    async def _offer(self) -> None:
        """Name a language model that answers on this machine, or how one is had; nothing is sent to any before that."""
        from workbench.bootstrap.known_models import models_on_this_machine

        found = await asyncio.to_thread(lambda: next(models_on_this_machine(), None))
        self._offered = "A model on this machine: workbench models get; with a key: --model"
        if found is not None:
            self._offered = f"{clean(found.model)} answers on this machine: {key_of(self, 'app.palette')}, Models"
        self._tell_planner()

    def _show_hints(self) -> None:
        if not self.is_active:
            return  # after a dialog its keys do not act; they are shown again when it goes
        if self.query_one("#plans").has_focus:
            is_step = " " in self.query_one("#plans", LineList).chosen
            done = hint(self, "start.done") if is_step else []
            hints = [("Enter", "open"), *done, ("j k", "move"), *hint(self, "start.next"), ("Tab", "new plan")]
            hints += [*hint(self, "app.sessions", "search"), *hint(self, "app.quit"), *hint(self, "start.learning")]
        else:
            hints = [(key_of(self.query_one(Draft), "draft.send"), "start"), *hint(self, "start.sample", "sample")]
            hints += [*hint(self, "start.plans"), *hint(self, "app.sessions"), *hint(self, "app.quit")]
        self.query_one(Hints).show_hints([*hints, *hint(self, "app.palette", "everything")], self.size.width)

    def action_next(self) -> None:
        """Go to the next plan that asks, or the next step that is due."""
        plans = self.query_one("#plans", LineList)
        marked = [place for place, row in enumerate(plans.rows) if row.is_marked]
        if marked:
            plans.cursor = next((place for place in marked if place > plans.cursor), marked[0])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to go to the plans where there are some."""
        if action == "to_plans":
            return self.query_one("#plans").display
        return super().check_action(action, parameters)

    def action_to_plans(self) -> None:
        """Go from the goal to the plans; what is written stays."""
        self.query_one("#plans").focus()

    def action_done(self) -> None:
        """Say that the chosen step is done, or how it stands."""
        session, _, step = self.query_one("#plans", LineList).chosen.partition(" ")
        workspace = self.workbench.workspace
        if workspace is None or not step:
            self.notify("Choose a step that is due first.")
            return
        from workbench.tui.form import FormDialog
        from workbench.tui.settings.forms import status_form  # not for the first paint

        form = status_form(workspace.session(session), self.now().date(), f"{step} done")
        self.workbench.push_dialog(FormDialog(form), self.workbench.tell)

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
            if workspace.settings.model.startswith("local:"):
                from workbench.bootstrap.known_models import local_model_text  # not for the first paint

                self._say("Loads the model …")
                self.notify(await asyncio.to_thread(local_model_text, workspace.settings.model, workspace.settings))
            state = (await asyncio.to_thread(workspace.start, goal)).state
        except NotTrusted as error:
            self._say(str(error))
            self.workbench.ask_to_accept(error.request, partial(self._begin, goal), lambda error: self._say(str(error)))
            return
        except WorkbenchError as error:
            self._say(str(error))
            return
        finally:
            self._is_beginning = False
        if (draft := self.query_one(Draft)).text.strip() == goal:  # what was written since stays
            draft.clear()
        from workbench.domain.session.named_files import reading_lines  # not for the first paint

        self.workbench.open_session(state.session, goes_on=True)
        if told := reading_lines(state.files):
            self.notify(told)

    def _say(self, problem: str) -> None:
        """Say what went wrong under the draft, which is kept."""
        below = self.query_one("#problem", Static)
        below.update(text(clean(problem), "$error"))
        below.display = bool(problem)

    def action_sample(self) -> None:
        """Look at a finished session."""
        self.workbench.open_sample()


def _known_as(folder: Path) -> str:
    """Return a folder as its person knows it: from their home, else by its name."""
    return f"~/{folder.relative_to(Path.home())}" if folder.is_relative_to(Path.home()) else folder.name


def _planner(settings: Settings) -> tuple[str, tuple[str, ...]]:
    """Return what plans in a line, and what more there is to say of it."""
    if "model" in settings.withheld:
        return f"This folder asks for {clean(settings.asked['model'])}; you are asked before it is used", ()
    stays = " · nothing leaves this machine" if settings.stays_here else ""
    if settings.model != "guided":
        return f"Plans with {clean(settings.model)}{stays}", ()
    reads = "Reads days, money and people, and asks what it cannot know"
    return f"Offline guided planner · free{stays}", (
        f"{reads}; for work it has no practice in, a language model knows more: workbench models",
    )
