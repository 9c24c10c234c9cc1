"""A session's own screen: everything on it is this session's, and comes from its log.

    key ─▶ one call into the core (a worker of this screen) ─▶ events ─▶ follower ─▶ SessionChanged ─▶ panes

A decision and what it leads to meet again in the log: a screen never shows what it only hopes for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.widgets import Static
from textual.worker import Worker, get_current_worker

from workbench.domain.change import unified
from workbench.domain.errors import WorkbenchError
from workbench.domain.gates import Answer, AnswerKind, Note
from workbench.domain.plan_markdown import to_markdown
from workbench.domain.session import SessionState
from workbench.domain.text import clean
from workbench.models.ports import Part, TextDelta
from workbench.planning.policies import nobody
from workbench.planning.ports import Asked
from workbench.tui.base import WorkbenchScreen
from workbench.tui.editor import edit_text
from workbench.tui.following import FollowingFailed, SessionChanged, follow
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, text
from workbench.tui.markdown_lines import markdown_lines
from workbench.tui.views import (
    Running,
    approach_rows,
    difference_lines,
    fleet_rows,
    gist,
    history_rows,
    memory_rows,
    round_rows,
    top_line,
)
from workbench.tui.widgets.bars import Hints, TopLine
from workbench.tui.widgets.draft import Draft
from workbench.tui.widgets.gate_pane import GatePane
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from workbench.planning.iteration_manager import IterationManager

Act = Callable[["IterationManager"], Awaitable[None]]

WIDE = 100
"""Columns from which the side columns stand beside the plan."""


class SessionScreen(WorkbenchScreen[None]):
    """One session: fleet, rounds and memory, plan, gate and input, history."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+y", "review", "review", id="session.review", tooltip="Go to the open question", priority=True),
        Binding(
            "ctrl+d", "flip", "difference", id="session.flip", tooltip="Plan, difference, transcript", priority=True
        ),
        Binding("ctrl+g", "edit", "edit", id="session.edit", tooltip="Edit the plan in $EDITOR", priority=True),
        Binding(
            "ctrl+b",
            "columns",
            "columns",
            show=False,
            id="session.columns",
            tooltip="Show or hide the columns",
            priority=True,
        ),
        Binding("escape", "interrupt", "interrupt", show=False, id="session.interrupt", tooltip="Interrupt the step"),
        Binding(
            "ctrl+r",
            "go_on",
            "go on",
            show=False,
            id="session.go-on",
            tooltip="Go on after a stop or a failure",
            priority=True,
        ),
    ]
    state: reactive[SessionState | None] = reactive(None)
    view: reactive[str] = reactive("plan")
    """plan, difference or transcript."""
    running: reactive[Running | None] = reactive(None)
    problem: reactive[str] = reactive("")

    def __init__(self, session: str) -> None:
        super().__init__()
        self.session = session
        self._manager: IterationManager | None = None
        self._drive: Worker[None] | None = None
        self._draft_gate = ""
        self._notes: list[Note] = []
        self._note_section = ""
        self._begun = 0.0
        self._asked: Asked | None = None
        self._role = ""
        self._received = 0
        self._sessions: list[object] = []

    def compose(self) -> ComposeResult:
        """Return the panes; empty ones say what will come."""
        yield TopLine(id="top", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield LineList(id="fleet")
                yield LineList(id="rounds")
                yield LineList(id="memory")
            with Vertical(id="centre"):
                yield LineList(id="plan")
                yield GatePane(id="gate")
                yield Static("", id="problem", markup=False)
                yield Draft(id="draft", placeholder="feedback, or an answer")
            with Vertical(id="right"):
                yield LineList(id="history", has_cursor=False)
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Follow the session, and go on with it where it stands."""
        self.query_one(Draft).focus()
        self._follow()
        self._refresh_fleet()
        self.set_interval(2.0, self._refresh_fleet)
        self.set_interval(0.5, self._tick)
        self.act(None)

    # --- following ----------------------------------------------------------------------------------------------------

    @work(thread=True, group="follow", exclusive=True, exit_on_error=False)
    def _follow(self) -> None:
        workspace = self.workbench.workspace
        worker = get_current_worker()
        if workspace is not None:
            follow(workspace.log, self.session, lambda: worker.is_cancelled, self.post_message)

    def on_session_changed(self, message: SessionChanged) -> None:
        """Show the session as it is now."""
        self.state = message.state

    def on_following_failed(self, message: FollowingFailed) -> None:
        """Say that the session cannot be read any more."""
        self.problem = str(message.error)

    @work(thread=True, group="fleet", exclusive=True, exit_on_error=False)
    def _refresh_fleet(self) -> None:
        workspace = self.workbench.workspace
        if workspace is None:
            return
        try:
            listed = workspace.sessions()
        except WorkbenchError as error:
            self.app.call_from_thread(setattr, self, "problem", str(error))
            return
        self.app.call_from_thread(self._show_fleet, listed)

    def _show_fleet(self, listed: list[object]) -> None:
        self._sessions = listed
        fleet = self.query_one("#fleet", LineList)
        fleet.show(fleet_rows(listed, self.session, max(fleet.size.width, 10), self.workbench.marks))

    # --- driving ------------------------------------------------------------------------------------------------------

    def act(self, deed: Act | None) -> None:
        """Do one thing to the session, then go on with it until it waits or rests."""
        if self._drive is not None and self._drive.is_running:
            return
        self.problem = ""
        self._drive = self._go_on_with(deed)

    @work(group="drive", exclusive=True, exit_on_error=False)
    async def _go_on_with(self, deed: Act | None) -> None:
        workspace = self.workbench.workspace
        if workspace is None:
            return
        try:
            if self._manager is None:
                self._manager = await asyncio.to_thread(workspace.resume, self.session, watch=self._watch)
            if deed is not None:
                await deed(self._manager)
            await self._manager.run(nobody)
        except WorkbenchError as error:
            self.problem = str(error)
        finally:
            self._asked = None
            self.running = None

    def _watch(self, role: str, part: Part | Asked) -> None:
        if isinstance(part, Asked):
            self._role, self._asked, self._begun, self._received = role, part, monotonic(), 0
            self._tick()
        elif isinstance(part, TextDelta):
            self._received += len(part.text)

    def _tick(self) -> None:
        if self._asked is not None:
            self.running = Running(self._role, self._asked.task, monotonic() - self._begun, self._received)

    # --- showing ------------------------------------------------------------------------------------------------------

    def watch_state(self) -> None:
        """Show the state in every pane."""
        self._show()

    def watch_view(self) -> None:
        """Show the other view of the plan."""
        self._show()

    def watch_running(self) -> None:
        """Show which role is at work."""
        self._show_rounds()

    def watch_problem(self, problem: str) -> None:
        """Say what went wrong, in its place, until it is mended."""
        if self.is_mounted:
            self.query_one("#problem", Static).update(text(clean(problem), "$error"))
            self.query_one("#problem").display = bool(problem)

    def on_resize(self) -> None:
        """Fold the side columns where there is no room for them, and break lines anew."""
        self.set_class(self.size.width < WIDE, "narrow")
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        state = self.state
        if state is None or not self.is_mounted:
            return
        marks = self.workbench.marks
        self.query_one(TopLine).update(top_line(state, self._window, self.size.width, marks))
        self._show_rounds()
        memory = self.query_one("#memory", LineList)
        memory.show(memory_rows(state, max(memory.size.width, 10)))
        history = self.query_one("#history", LineList)
        history.show(history_rows(state, max(history.size.width - 1, 10), marks), follow=True)
        self.query_one("#plan", LineList).show(self._plan_rows(state))
        gate = self.query_one(GatePane)
        gate.show_gate(state.gate, has_notes=state.plan is not None)
        if state.failure is not None:
            self.problem = f"{state.failure.message} {state.failure.remedy} ^R tries again."
        elif state.stopped and self.running is None:
            self.problem = f"Stopped: {state.stopped}. ^R goes on."
        self._show_hints()

    @property
    def _window(self) -> int:
        return self._manager.window if self._manager is not None else 200_000

    def _show_rounds(self) -> None:
        if self.state is not None and self.is_mounted:
            rounds = self.query_one("#rounds", LineList)
            rounds.show(round_rows(self.state, self.running, max(rounds.size.width, 10), self.workbench.marks))

    def _plan_rows(self, state: SessionState) -> list[Row]:
        pane = self.query_one("#plan", LineList)
        width = min(max(pane.size.width - 2, 10), MAX_PROSE_WIDTH)
        if self.view == "difference":
            versions = state.versions
            old, new = (versions[-2].plan, versions[-1].plan) if len(versions) > 1 else (None, None)
            return difference_lines(unified(old, new) if old and new else "", width)
        if self.view == "transcript":
            told = "\n\n".join(
                f"## {item.agent or 'you'}\n\n{gist(item.text) if item.agent else clean(item.text)}"
                for item in state.history
            )
            return [Row((line.content,)) for line in markdown_lines(told, width)]
        if state.plan is not None:
            lines = markdown_lines(to_markdown(state.plan), width)
            return [Row((line.content,), key=f"section:{line.section}" if line.section else "") for line in lines]
        if state.approaches and state.approach is None:
            return approach_rows(state.approaches, width)
        return [Row((text("The plan stands here once an approach is chosen.", "$text-muted"),))]

    def _show_hints(self) -> None:
        state = self.state
        hints = []
        if state is not None and state.gate is not None:
            hints.append(("^Y", "review"))
        if state is not None and state.plan is not None:
            hints += [("^D", "difference" if self.view == "plan" else "plan"), ("^G", "edit")]
        hints += [("^S", "sessions"), ("^N", "new"), ("^P", "palette")]
        self.query_one(Hints).show_hints(hints, self.size.width)

    # --- what a person does -------------------------------------------------------------------------------------------

    def on_text_area_changed(self) -> None:
        """Remember which gate stood when the draft was begun."""
        draft = self.query_one(Draft)
        if not draft.stands:
            self._draft_gate = ""
        elif not self._draft_gate:
            gate = self.state.gate if self.state else None
            self._draft_gate = gate.id if gate else "none"

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Send the draft to what it was begun for; to nothing else."""
        state = self.state
        if state is None:
            return
        if state.finished is not None and state.plan is not None:
            self._send(lambda manager: manager.reopen(message.text))
        elif state.gate is None:
            self.notify("The roles are at work. Your text stays until the next question.", markup=False)
        elif self._draft_gate != state.gate.id:
            self.notify("A question opened while you wrote. ^Y shows it; then Enter sends.", markup=False)
        elif self._note_section:
            self._add_note(message.text)
        else:
            kind: AnswerKind = "answer" if state.gate.kind == "question" else "feedback"
            self._answer(Answer(kind=kind, text=message.text, notes=tuple(self._notes)))

    def _add_note(self, said: str) -> None:
        self._notes.append(Note(section=self._note_section, text=said))
        self._note_section = ""
        self.query_one(Draft).clear()
        self.notify(f"{len(self._notes)} notes collected; send them with feedback (f).", markup=False)

    def _answer(self, answer: Answer) -> None:
        state = self.state
        gate = state.gate if state else None
        if gate is not None:
            self._notes = []
            self._send(lambda manager: manager.answer(gate, answer))

    def _send(self, deed: Act) -> None:
        """Do what was decided; the draft is kept until it went through."""
        draft = self.query_one(Draft)
        said = draft.text

        async def sent(manager: IterationManager) -> None:
            await deed(manager)
            if draft.text == said:
                draft.clear()

        self.act(sent)

    def on_gate_pane_decided(self, message: GatePane.Decided) -> None:
        """Take a decision that was made with its key."""
        match message.kind:
            case "feedback" | "answer":
                self._draft_gate = message.gate.id
                self.query_one(Draft).focus()
            case "edit":
                self.action_edit()
            case "choose":
                self._answer(Answer(kind="choose", choice=message.choice))
            case "skip" | "continue" | "finish" | "stop" | "reject":
                self._answer(Answer(kind=message.kind))
            case _:
                pass

    def action_review(self) -> None:
        """Go to the open question; a draft belongs to it from now on."""
        gate = self.state.gate if self.state else None
        if gate is None:
            self.notify("No question is open.", markup=False)
            return
        self._draft_gate = gate.id
        self.query_one(GatePane).focus()

    def action_flip(self) -> None:
        """Go from the plan to its difference with the last version, to the transcript, and back."""
        views = ["plan", "difference", "transcript"]
        self.view = views[(views.index(self.view) + 1) % len(views)]

    def action_columns(self) -> None:
        """Show or hide the side columns."""
        self.toggle_class("plain")

    def action_interrupt(self) -> None:
        """Interrupt the running step; what was received is kept."""
        if self._drive is None or not self._drive.is_running or self._asked is None:
            self.query_one(Draft).focus()
            return
        self._drive.cancel()
        self._stopped()

    @work(group="stop", exclusive=True, exit_on_error=False)
    async def _stopped(self) -> None:
        if self._manager is not None:
            await self._manager.stop("interrupted by you")

    def action_go_on(self) -> None:
        """Go on after a stop or a failure."""
        self.act(lambda manager: manager.resume())

    def action_edit(self) -> None:
        """Edit the plan in the person's editor; the text becomes the next version."""
        state = self.state
        if state is None or state.plan is None or state.gate is None:
            self.notify("The plan can be edited at a checkpoint.", markup=False)
            return
        before = to_markdown(state.plan)
        try:
            with self.app.suspend():
                after = edit_text(before)
        except WorkbenchError as error:
            self.problem = str(error)
            return
        if after != before:
            self._answer(Answer(kind="edit", text=after))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Open what was chosen: a session, a section to note on."""
        kind, _, value = message.key.partition(":")
        if message.list.id == "fleet":
            self.workbench.open_session(message.key)
        elif kind == "section":
            self._begin_note(value)

    def _begin_note(self, title: str) -> None:
        state = self.state
        if state is None or state.plan is None or state.gate is None:
            return
        section = next((one for one in state.plan.sections if one.title == title), None)
        if section is not None:
            self._note_section, self._draft_gate = section.id, state.gate.id
            self.notify(f"Note on “{clean(title)}”: write it and press Enter.", markup=False)
            self.query_one(Draft).focus()
