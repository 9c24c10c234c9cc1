"""A session's own screen: everything on it is this session's, and comes from its log.

    key ─▶ one call into the core (driving.py) ─▶ events ─▶ follower ─▶ SessionChanged ─▶ Painter (thread) ─▶ panes

A decision and what it leads to meet again in the log: a screen never shows what it only hopes for. The screen asks and
shows; what a draft is for stands in drafting.py, what runs in driving.py, what is seen in painting.py.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import DescendantBlur, DescendantFocus, ScreenResume
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import get_current_worker

from workbench.domain.errors import LogBusy, WorkbenchError
from workbench.domain.gates import Answer, AnswerKind, Gate
from workbench.domain.plan_markdown import to_markdown
from workbench.domain.session import SessionState
from workbench.export.editor import edit_text
from workbench.planning.ports import Watch
from workbench.tui.base import WorkbenchScreen
from workbench.tui.drafting import Drafting, Place
from workbench.tui.driving import Deed, Driving
from workbench.tui.following import FollowingFailed, SessionChanged, Source, following
from workbench.tui.gate_layout import options
from workbench.tui.lines import text
from workbench.tui.main_rows import place_of
from workbench.tui.painting import NARROW_VIEWS, VIEWS, Painter, Picture, Sight
from workbench.tui.pauses import BESIDE
from workbench.tui.views import fleet_rows, top_line
from workbench.tui.widgets.bars import Hints, StillLine, TopLine
from workbench.tui.widgets.draft import Draft
from workbench.tui.widgets.gate_pane import GatePane
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane
from workbench.tui.widgets.notice import Notice, Problem

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.bootstrap import Listed
    from workbench.planning.iteration_manager import IterationManager

WIDE = 100
"""Columns from which the side columns stand beside the plan."""
ROOMY = 116
"""Columns from which they take their share; below, the plan comes first."""
LOW = 24
"""Rows below which a gate that nobody looks at takes one line."""
_AT_MOST_EVERY = 0.05
"""Seconds between two pictures: twenty a second are enough for any eye."""
_LOOK_AROUND = 2.0
"""Seconds until the list of sessions is read again."""
_STOP_REASON = "interrupted by you"


class SessionScreen(WorkbenchScreen[None]):
    """One session: fleet, rounds and memory, plan, gate and input, history."""

    CSS_PATH = "session.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+y", "review", "review", id="session.review", tooltip="Go to the open question", priority=True),
        Binding("ctrl+d", "flip", "difference", id="session.flip", tooltip="Show the next view", priority=True),
        Binding("ctrl+g", "edit", "edit", id="session.edit", tooltip="Edit the plan in $EDITOR", priority=True),
        Binding("ctrl+l", "plan", "plan", show=False, id="session.plan", tooltip="Go to the plan", priority=True),
        Binding(
            "ctrl+b", "columns", "columns", show=False, id="session.columns", tooltip="Fold columns", priority=True
        ),
        Binding(
            "escape", "back", "back", show=False, id="session.back", tooltip="Interrupt a step, or go to the input"
        ),
        Binding(
            "ctrl+r", "go_on", "go on", show=False, id="session.go-on", tooltip="Go on after a stop", priority=True
        ),
    ]

    def __init__(self, session: str, *, source: Source | None = None, can_drive: bool = True, badge: str = "") -> None:
        """Show a session. ``source`` is where its states come from, by default its log in the workspace.

        Without ``can_drive`` it is only looked at: nothing is ever written. ``badge`` stands before its name.
        """
        super().__init__()
        self.session = session
        self.can_drive = can_drive
        self.state: SessionState | None = None
        self.view = "plan"
        self.drafting = Drafting()
        self._badge = badge
        self._source = source
        self._driving: Driving | None = None
        self._is_acting = False
        """Whether a decision or a run is under way."""
        self._painter = Painter()
        self._unseen = asyncio.Event()
        """Set when there is something to paint."""
        self._picture: Picture | None = None
        self._back = 0
        self._edited = ""
        """A plan that was edited and could not be taken: the next edit begins with it."""
        self._problem: Problem | None = None
        self._ticking: Timer | None = None
        self._is_looking = False
        """Whether the list of sessions is being read: once at a time is enough."""
        self._offers: tuple[bool, ...] = ()

    # --- panes --------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Return the panes; empty ones say what will come."""
        mark = self.workbench.marks.here
        yield TopLine(id="top", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield LineList(id="fleet", mark=mark)
                yield LineList(id="rounds", mark=mark)
                yield LineList(id="memory", mark=mark)
            with Vertical(id="centre"):
                yield MainPane(id="plan", mark=mark)
                yield GatePane(id="gate")
                yield Notice(id="notice")
                yield StillLine(id="purpose", markup=False)
                with Horizontal(id="input"):
                    yield Static("›", id="prompt", markup=False)
                    yield Draft(id="draft", placeholder="…")
            with Vertical(id="right"):
                yield LineList(id="history", mark=mark)
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Follow the session, and go on with it where it stands."""
        self.query_one("#purpose").display = False
        self.query_one("#input").display = self.can_drive
        (self.draft if self.can_drive else self.plan_pane).focus()
        self._ticking = self.set_interval(_AT_MOST_EVERY, self._repaint, pause=True)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Read behind the first paint: nothing contends with it."""
        self._paint()
        self._follow()
        self._look_around()
        self.set_interval(_LOOK_AROUND, self._look_around)
        if self.can_drive:
            self._act(None, opening=True)

    async def on_unmount(self) -> None:
        """End what runs; what was received of it is kept."""
        if self._driving is not None:
            await self._driving.close()

    @property
    def draft(self) -> Draft:
        """The input."""
        return self.query_one(Draft)

    @property
    def plan_pane(self) -> MainPane:
        """The pane in the middle."""
        return self.query_one(MainPane)

    @property
    def gate_pane(self) -> GatePane:
        """The open gate."""
        return self.query_one(GatePane)

    @property
    def is_narrow(self) -> bool:
        """Whether the side columns are folded."""
        return self.has_class("narrow") or self.has_class("plain")

    @property
    def _gate(self) -> Gate | None:
        """The gate that stands on the screen: the only one that can be answered here."""
        return self.gate_pane.gate

    # --- what there is to see -----------------------------------------------------------------------------------------

    @work(thread=True, group="follow", exclusive=True)
    def _follow(self) -> None:
        worker = get_current_worker()
        workspace = self.workbench.workspace
        source = self._source
        if source is None and workspace is not None:
            source = following(workspace.log, self.session)
        if source is not None:
            source(lambda: worker.is_cancelled, self.post_message)

    def on_session_changed(self, message: SessionChanged) -> None:
        """Show the session as it is now."""
        self.state = message.state
        self._repaint()

    def on_following_failed(self, message: FollowingFailed) -> None:
        """Say that the session cannot be read any more."""
        self._tell(Problem(message.error.message, "What is shown here stays.", message.error.remedy))

    def _repaint(self) -> None:
        self._unseen.set()

    @work(group="paint", exclusive=True)
    async def _paint(self) -> None:
        """Paint whenever there is something new, in a thread, the newest only, and never faster than anybody sees."""
        while True:
            await self._unseen.wait()
            self._unseen.clear()
            sight = self._sight()
            if sight is not None:
                picture = await asyncio.to_thread(self._painter.paint, sight)
                self._show(picture)
            await asyncio.sleep(_AT_MOST_EVERY)

    def _sight(self) -> Sight | None:
        state = self.state
        if state is None or not self.is_current:
            return None
        driving = self._driving
        running = driving.running if driving is not None else None
        narrow = self.is_narrow
        return Sight(
            state=state,
            marks=self.workbench.marks,
            view=self.view if narrow or self.view in VIEWS else "plan",
            main=max(self.plan_pane.room, 10),
            left=0 if narrow else max(self.query_one("#rounds", LineList).room, 10),
            right=0 if narrow else max(self.query_one("#history", LineList).room, 10),
            running=running,
            partial=driving.partial if driving is not None and running is not None else "",
            noted=self.drafting.notes,
            back=self._back,
        )

    def _show(self, picture: Picture) -> None:
        """Put a picture of this session on the screen."""
        before, sight = self._picture, picture.sight
        state = sight.state
        self._picture = picture
        another = before is None or (before.sight.view, before.title) != (sight.view, picture.title)
        self.plan_pane.show(picture.main, follow=sight.view in {"transcript", "history"}, from_top=another)
        self.plan_pane.frame(picture.title, [view for view in self._views if view != sight.view])
        self.query_one("#rounds", LineList).show(picture.rounds, follow=True)
        self.query_one("#memory", LineList).show(picture.memory)
        self.query_one("#history", LineList).show(picture.history, follow=True, from_top=before is None)
        self._show_top(state)
        self._show_gate(state)
        self._show_problem(state)
        self._show_draft(state)
        self._show_hints()
        self._offer()

    def _offer(self) -> None:
        """Let the keys that act now be offered: where what they need is there."""
        offers = (self._gate is not None, self._can_go_on, self._can_note, self._is_acting)
        if offers != self._offers:
            self._offers = offers
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done at this moment, and nothing else."""
        match action:
            case "review":
                return self._gate is not None
            case "edit":
                return self._can_note
            case "go_on":
                return self._can_go_on and not self._is_acting
            case _:
                return super().check_action(action, parameters)

    @property
    def _views(self) -> tuple[str, ...]:
        return NARROW_VIEWS if self.is_narrow else VIEWS

    def _show_top(self, state: SessionState) -> None:
        window = self._driving.window if self._driving is not None else None
        line = top_line(state, window, self.size.width, self.workbench.marks, badge=self._badge)
        self.query_one(TopLine).tell(line)

    def _show_gate(self, state: SessionState) -> None:
        gate = state.gate if self.can_drive else None
        begun_before = gate is not None and self.draft.stands and not self.drafting.belongs_to(gate.id)
        self.gate_pane.show_gate(
            gate,
            notes=len(self.drafting.notes),
            can_note=state.plan is not None,
            has_question=not (gate is not None and gate.kind == "question" and state.plan is None),
            fold=begun_before or self.size.height < LOW,
        )

    def _show_problem(self, state: SessionState) -> None:
        """Show what this screen met, else what the session itself says."""
        problem = self._problem
        if problem is None and not self._is_acting:
            problem = _problem_of(state, can_drive=self.can_drive)
        self.query_one(Notice).tell(problem, self.workbench.marks)

    def _tell(self, problem: Problem | None) -> None:
        again = problem is not None and problem == self._problem
        self._problem = problem
        if self.is_mounted:
            self.query_one(Notice).tell(problem, self.workbench.marks, again=again)
            self._repaint()

    def _show_draft(self, state: SessionState) -> None:
        self.draft.placeholder = _placeholder(state, acting=self._is_acting)
        purpose = self.query_one("#purpose", StillLine)
        words = _purpose_words(self.drafting)
        purpose.display = bool(words)
        purpose.tell(text(words, "$text-muted"))

    def _show_hints(self) -> None:
        self.query_one(Hints).show_hints(self._hints(), self.size.width)

    def _hints(self) -> list[tuple[str, str]]:
        state, gate = self.state, self._gate
        if self.gate_pane.acts and gate is not None:
            notes, can_note = len(self.drafting.notes), state is not None and state.plan is not None
            offered = [(one.key, one.label) for one in options(gate, notes=notes, can_note=can_note)]
            return [*offered, ("Esc", "to the input")]
        hints: list[tuple[str, str]] = []
        if self.draft.has_focus and self.draft.stands:
            hints.append(("Enter", _sends(self.drafting)))
        if gate is not None:
            hints.append(("^Y", "review"))
        if self._is_acting:
            hints.append(("Esc", "interrupt"))
        elif self._can_go_on:
            hints.append(("^R", "go on"))
        if self.plan_pane.has_focus:
            hints += [("n", "note")] if self._can_note else []
            hints += [(name[0], name) for name in self._views if name != self.view]
        else:
            hints.append(("^D", _next(self._views, self.view)))
        if self._can_note:
            hints.append(("^G", "edit"))
        return [*hints, ("^S", "sessions"), ("^N", "new"), ("^P", "palette")]

    @property
    def _can_go_on(self) -> bool:
        state = self.state
        return self.can_drive and state is not None and state.gate is None and state.finished is None

    @property
    def _can_note(self) -> bool:
        gate = self._gate
        return (
            self.state is not None
            and self.state.plan is not None
            and gate is not None
            and any(choice.kind == "feedback" for choice in gate.choices)
        )

    # --- size, focus --------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Fold the side columns where there is no room for them, and break lines anew."""
        self.set_class(self.size.width < WIDE, "narrow")
        self.set_class(self.size.width < ROOMY, "snug")
        self.set_class(self.size.height < LOW, "low")
        self.call_after_refresh(self._repaint)

    def on_screen_resume(self, _event: ScreenResume) -> None:
        """Show what happened while another session was in front."""
        self._repaint()

    def on_descendant_focus(self, _event: DescendantFocus) -> None:
        """Let the hints follow the focus."""
        self._repaint()

    def on_descendant_blur(self, _event: DescendantBlur) -> None:
        """Let the hints follow the focus."""
        self._repaint()

    # --- the other sessions -------------------------------------------------------------------------------------------

    @work(group="fleet")
    async def _look_around(self) -> None:
        if self.workbench.workspace is None or not self.is_current or self._is_looking:
            return
        self._is_looking = True
        try:
            listed, driven = await asyncio.to_thread(self._listed)
        except WorkbenchError as error:
            self._tell(Problem(error.message, "", error.remedy))
            return
        finally:
            self._is_looking = False
        fleet = self.query_one("#fleet", LineList)
        fleet.show(fleet_rows(listed, self.session, max(fleet.room, 10), self.workbench.marks, driven=driven))

    def _listed(self) -> tuple[list[Listed], set[str]]:
        workspace = self.workbench.workspace
        if workspace is None:
            return [], set()
        with BESIDE:
            listed = workspace.sessions()
        running = [one.session for one in listed if one.status == "running"]
        return listed, {session for session in running if workspace.log.driver(session) is not None}

    # --- driving ------------------------------------------------------------------------------------------------------

    def _act(self, deed: Deed | None, *, opening: bool = False) -> bool:
        """Do one thing to the session, then go on with it until it waits or rests; False while something runs."""
        if self._is_acting or not self.can_drive:
            return False
        self._is_acting = True
        self._tell(None)
        self._go_on_with(deed, opening=opening)
        return True

    @work(group="drive")
    async def _go_on_with(self, deed: Deed | None, *, opening: bool) -> None:
        if self._ticking is not None:
            self._ticking.resume()
        try:
            driving = self._driving = self._driving or Driving(self.session, self._resume, self.clock)
            if opening and (await driving.open()).pending is not None and await asyncio.to_thread(self._rests):
                self._tell(_CUT_OFF)
                return
            if deed is not None:
                await driving.do(deed)
            await driving.run()
        except WorkbenchError as error:
            self._tell(_problem_with(error, draft=bool(self.draft.text)))
        finally:
            self._is_acting = False
            if self._ticking is not None:
                self._ticking.pause()
            self._repaint()
            self._look_around()

    def clock(self) -> float:
        """Return seconds that only grow."""
        return monotonic()

    def _resume(self, watch: Watch) -> IterationManager:
        workspace = self.workbench.workspace
        if workspace is None:
            raise AssertionError  # a session is opened from a workspace
        with BESIDE:
            return workspace.resume(self.session, watch=watch)

    def _rests(self) -> bool:
        """Tell whether nobody drives the session: an open call is then one that a process left behind."""
        workspace = self.workbench.workspace
        return workspace is not None and workspace.log.driver(self.session) is None

    def action_back(self) -> None:
        """Go back to the input from wherever it is; there, interrupt the running step."""
        if self.drafting.purpose != "reply":
            self._put_back()
        elif not self.draft.has_focus and not self._is_acting:
            (self.draft if self.can_drive else self.plan_pane).focus()
        elif self._is_acting:
            self._interrupt()

    @work(group="interrupt", exclusive=True)
    async def _interrupt(self) -> None:
        if self._driving is not None:
            try:
                await self._driving.interrupt(_STOP_REASON)
            except WorkbenchError as error:
                self._tell(_problem_with(error, draft=False))

    def action_go_on(self) -> None:
        """Go on after a stop or a failure, or where a process was cut off."""
        state = self.state
        if state is not None and (state.stopped or state.failure is not None):
            self._act(lambda manager: manager.resume())
        else:
            self._act(None)

    # --- the draft ----------------------------------------------------------------------------------------------------

    def on_text_area_changed(self) -> None:
        """Remember which gate stood when the draft was begun."""
        gate = self._gate
        self.drafting = self.drafting.typed(stands=self.draft.stands, gate=gate.id if gate else "")
        self._repaint()

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Send the draft to what it was begun for; to nothing else."""
        state, gate = self.state, self._gate
        if state is None:
            return
        if self.drafting.purpose == "note":
            self._put_back(self.drafting.noted(message.text))
        elif state.finished is not None and state.plan is not None:
            self._send(message.text, lambda manager: manager.reopen(message.text))
        elif gate is None:
            self.notify("The roles are at work. Your text stays here until the next question.", markup=False)
        elif not self.drafting.belongs_to(gate.id):
            self.notify("A question opened while you wrote. ^Y shows it; then Enter sends.", markup=False)
        elif self.drafting.purpose == "reason":
            self._answer(gate, Answer(kind="reject", text=message.text), said=message.text)
        else:
            kind: AnswerKind = "answer" if gate.kind == "question" else "feedback"
            self._answer(gate, self._with_notes(kind, message.text), said=message.text)

    def _with_notes(self, kind: AnswerKind, said: str = "") -> Answer:
        notes = tuple(noted.as_note() for noted in self.drafting.notes) if kind == "feedback" else ()
        return Answer(kind=kind, text=said, notes=notes)

    def _put_back(self, drafting: Drafting | None = None) -> None:
        """Return to the reply that was put aside for a note or a reason."""
        kept = self.drafting.kept
        self.drafting = self.drafting.back() if drafting is None else drafting
        self.draft.put(kept)
        self.draft.focus()
        self._repaint()

    def _answer(self, gate: Gate, answer: Answer, *, said: str = "") -> None:
        self._send(said, lambda manager: manager.answer(gate, answer), with_notes=bool(answer.notes))

    def _send(self, said: str, deed: Deed, *, with_notes: bool = False) -> None:
        """Do what was decided; the draft and the notes are kept until it went through."""

        async def sent(manager: IterationManager) -> None:
            await deed(manager)
            self.app.call_later(self._went_through, said, with_notes)

        if not self._act(sent):
            self.notify("The last decision is still being carried out. Your text stays here.", markup=False)

    def _went_through(self, said: str, with_notes: bool) -> None:
        """Clear what was sent, and nothing that was written since."""
        if with_notes:
            self.drafting = replace(self.drafting, notes=())
        if said and self.draft.text.strip() == said:
            self._put_back()

    # --- the gate -----------------------------------------------------------------------------------------------------

    def action_review(self) -> None:
        """Go to the open question; a draft belongs to it from now on."""
        self.gate_pane.review()

    def on_gate_pane_reviewed(self, message: GatePane.Reviewed) -> None:
        """Let the draft belong to the gate that a person looked at."""
        if self.drafting.purpose == "reply" and self.draft.stands:
            self.drafting = self.drafting.reviewed(message.gate.id)
        self._repaint()

    def on_gate_pane_plan_wanted(self) -> None:
        """Go from the gate to what it is about: the cards can be chosen there now."""
        self.plan_pane.focus()

    def on_gate_pane_decided(self, message: GatePane.Decided) -> None:
        """Take a decision that was made with its key."""
        gate = message.gate
        match message.kind:
            case "feedback" | "answer":
                self.drafting = self.drafting.reviewed(gate.id)
            case "note":
                self.plan_pane.focus()
                return
            case "send-notes":
                self._answer(gate, self._with_notes("feedback"))
            case "edit":
                self.action_edit()
            case "reject":
                self.drafting = self.drafting.for_reason(gate.id, self.draft.text)
                self.draft.put("")
            case "choose":
                self._answer(gate, Answer(kind="choose", choice=message.choice))
            case "skip" | "continue" | "finish" | "stop":
                self._answer(gate, Answer(kind=message.kind))
            case _:
                return
        self.draft.focus()
        self._repaint()

    # --- the plan -----------------------------------------------------------------------------------------------------

    def action_plan(self) -> None:
        """Go to the plan."""
        self.plan_pane.focus()

    def action_flip(self) -> None:
        """Go to the next view: plan, difference, transcript and, where columns are folded, what stood there."""
        self.view = _next(self._views, self.view)
        self._repaint()

    def action_columns(self) -> None:
        """Show or hide the side columns."""
        self.toggle_class("plain")
        if not self.is_narrow and self.view not in VIEWS:
            self.view = "plan"
        self.call_after_refresh(self._repaint)

    def on_main_pane_view_wanted(self, message: MainPane.ViewWanted) -> None:
        """Show the view that was asked for."""
        if message.view in self._views:
            self.view = message.view
            self._repaint()

    def on_main_pane_older_wanted(self, message: MainPane.OlderWanted) -> None:
        """Compare older versions, or newer ones."""
        versions = len(self.state.versions) if self.state is not None else 0
        self._back = min(max(self._back + message.step, 0), max(versions - 2, 0))
        self.view = "difference"
        self._repaint()

    def on_main_pane_note_wanted(self, message: MainPane.NoteWanted) -> None:
        """Begin a note on a row of the plan, or take its notes back."""
        place = self._place(message.key)
        if place is None:
            self.notify("Choose a section or a line of the plan first.", markup=False)
        elif message.taken_back:
            self.drafting = self.drafting.without(place.section, place.block)
            self._repaint()
        else:
            self._begin_note(place)

    def _place(self, key: str) -> Place | None:
        plan = self.state.plan if self.state is not None else None
        return place_of(plan, key, self.plan_pane.rows) if plan is not None else None

    def _begin_note(self, place: Place) -> None:
        gate = self._gate
        if gate is None or not self._can_note:
            self.notify("Notes are taken at a checkpoint.", markup=False)
            return
        self.drafting = self.drafting.for_note(place, gate.id, self.draft.text)
        self.draft.put("")
        self.draft.focus()
        self._repaint()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Open what was chosen: a session, an approach, a place of the plan, a message."""
        kind, _, value = message.key.partition(":")
        if message.list.id == "fleet":
            if message.key != self.session or not self.can_drive:
                self.workbench.open_session(message.key)
        elif kind == "approach":
            self._choose(value)
        elif kind == "place":
            self.on_main_pane_note_wanted(MainPane.NoteWanted(message.key))
        elif kind == "message" and message.list.id == "history":
            self.view = "transcript"
            self._repaint()

    def _choose(self, approach: str) -> None:
        """Choose a card, at a gate that a person went to; before that, a key or click on a card means nothing."""
        gate = self._gate
        if gate is None or gate.kind != "approach" or approach not in gate.options:
            return
        if self.gate_pane.reviewed != gate.id:
            self.notify("^Y goes to the question; then Enter chooses.", markup=False)
            return
        self._answer(gate, Answer(kind="choose", choice=approach))
        self.draft.focus()

    @work(group="edit", exclusive=True)
    async def action_edit(self) -> None:
        """Edit the plan in the person's editor; the text becomes the next version."""
        state, gate = self.state, self._gate
        if state is None or state.plan is None or gate is None or not self._can_note:
            return
        before = to_markdown(state.plan)
        try:
            with (
                self.app.batch_update(),
                self.app.suspend(),
            ):  # batched: nothing is drawn while the editor has the screen
                after = await asyncio.to_thread(edit_text, self._edited or before)
        except SuspendNotSupported:
            self._tell(
                Problem("This terminal cannot be lent to an editor.", "The plan is as it was.", "f gives feedback.")
            )
            return
        except WorkbenchError as error:
            self._tell(Problem(error.message, "The plan is as it was.", error.remedy))
            return
        if after == before:
            return
        self._edited = after
        self._send("", self._edit(gate, after))

    def _edit(self, gate: Gate, after: str) -> Deed:
        async def taken(manager: IterationManager) -> None:
            await manager.answer(gate, Answer(kind="edit", text=after))
            self._edited = ""

        return taken


def _next(views: tuple[str, ...], view: str) -> str:
    return views[(views.index(view) + 1) % len(views)] if view in views else views[0]


def _placeholder(state: SessionState, *, acting: bool) -> str:
    """Return what can be written now."""
    gate = state.gate
    if gate is not None:
        return {"question": "your answer", "approach": "what none of these take into account"}.get(
            gate.kind, "feedback: what should change?"
        )
    if state.finished is not None:
        return "feedback goes on with one more round" if state.plan is not None else "^N begins another session"
    return "you can write ahead; it is sent when you say so" if acting else "^R goes on"


def _purpose_words(drafting: Drafting) -> str:
    """Return what the draft is, where it is not simply a reply."""
    if drafting.purpose == "note" and drafting.place is not None:
        return f"Note on {drafting.place.quoted} · Enter keeps it · Esc leaves it"
    if drafting.purpose == "reason":
        return "Why is this rejected? Enter ends the session without a plan · Esc leaves it open"
    return ""


def _sends(drafting: Drafting) -> str:
    return {"note": "keep the note", "reason": "reject"}.get(drafting.purpose, "send")


_CUT_OFF = Problem(
    "The process that drove this session ended in the middle of a call.",
    "Everything up to that call is kept.",
    "^R asks the model again.",
    failed=False,
)


def _problem_with(error: WorkbenchError, *, draft: bool) -> Problem:
    if isinstance(error, LogBusy):
        return Problem(
            error.message, "This screen follows along and changes nothing.", f"{error.remedy} ^R tries again."
        )
    return Problem(error.message, "Your text is kept." if draft else "Everything so far is kept.", error.remedy)


def _problem_of(state: SessionState, *, can_drive: bool) -> Problem | None:
    """Return what keeps a session from going on by itself."""
    again = "^R tries again." if can_drive else ""
    if state.failure is not None:
        kept = f"Kept: {_progress(state)}."
        return Problem(state.failure.message, kept, f"{state.failure.remedy} {again}".strip())
    if state.stopped:
        go_on = "^R goes on." if can_drive else ""
        return Problem(f"Stopped: {state.stopped}.", "What was received is kept.", go_on, failed=False)
    if state.finished is not None:
        saved = f"Saved as version {state.saved_version}" if state.saved_version else "Ended without a plan"
        return Problem(f"{saved}: {state.finished.reason}.", failed=False)
    return None


def _progress(state: SessionState) -> str:
    rounds = len(state.iterations)
    plan = f"plan v{state.version}" if state.version else "the goal"
    return f"{plan} and {rounds} round{'s' if rounds != 1 else ''}" if rounds else plan
