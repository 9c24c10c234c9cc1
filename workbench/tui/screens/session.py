"""A session's own screen, to plan in: the gate, the input, and what a person does with them.

    key ─▶ one call into the core (driving.py) ─▶ events ─▶ log ─▶ what session_view.py shows

A decision and what it leads to meet again in the log: a screen never shows what it only hopes for. The screen asks and
shows; what a draft is for stands in drafting.py, what runs in driving.py, what is seen in painting.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import ScreenResume
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from workbench.domain.errors import LogWentBack, NotTrusted, WorkbenchError
from workbench.domain.log.rules import Stretches, change_told
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.gates import BOUND_REASONS, Answer, AnswerKind, Gate
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.operations import Change
from workbench.domain.session.named_files import files_told
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.domain.trust import TrustRequest
from workbench.export.editor import edit_text
from workbench.planning.driver import Deed
from workbench.planning.ports import Watch
from workbench.storage.files.session_file import read_session_file
from workbench.tui.addressing import Addressing
from workbench.tui.drafting import Drafting, Place
from workbench.tui.driving import Driving
from workbench.tui.following import FollowingFailed
from workbench.tui.keymap import hint, key_of
from workbench.tui.lines import text
from workbench.tui.looking_back import ReadEvents, in_portions
from workbench.tui.main_rows import place_of
from workbench.tui.painting import Picture, Sight
from workbench.tui.screens.agent import AgentDialog
from workbench.tui.screens.session_view import AT_MOST_EVERY
from workbench.tui.screens.telling_view import TellingView
from workbench.tui.screens.trust import TrustDialog
from workbench.tui.widgets.bars import StillLine
from workbench.tui.widgets.draft import Draft
from workbench.tui.widgets.gate_pane import GatePane
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane
from workbench.tui.widgets.marked_lists import MarkWanted
from workbench.tui.widgets.notice import Notice, Problem
from workbench.tui.wording import (
    GO_ON,
    NOTHING_ACCEPTED,
    REVIEW,
    cut_off,
    enter_words,
    in_the_middle,
    not_accepted,
    placeholder,
    problem_with,
    purpose_words,
    takes_text,
)

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.bootstrap import Session
    from workbench.planning.iteration_manager import IterationManager

_ONE_LINE = frozenset({"checkpoint", "approach", "question"})
"""Gates that are one line until a person goes to them; the others say what went wrong, whole."""
_STOP_REASON = "interrupted by you"
_MOST_OF_A_NAME = 20
"""Characters of an agent's name before the input."""
_REWOUND = "Back before your last decision. Nothing is lost: Alt+↓ goes forward again."
_REDONE = "Forward again, as it was."
_MARKED = {
    "excluded": "It is kept out of every prompt from the next one on.",
    "pinned": "It is in every prompt from the next one on.",
    "": "The mark is taken back from the next prompt on.",
}


class SessionScreen(TellingView):
    """One session that a person drives: what is seen of it, the gate and the input."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+y", "review", "review", id="session.review", tooltip="Go to the open question", priority=True),
        Binding("ctrl+g", "edit", "edit", id="session.edit", tooltip="Edit the plan in $EDITOR", priority=True),
        Binding(
            "ctrl+t", "recall", "recall", show=False, id="session.recall", tooltip="Recall on or off", priority=True
        ),
        Binding(
            "ctrl+r", "go_on", "go on", show=False, id="session.go-on", tooltip="Go on after a stop", priority=True
        ),
        Binding(
            "shift+tab",
            "next_agent",
            "next agent",
            show=False,
            id="session.next-agent",
            tooltip="Talk to the next agent",
            priority=True,
        ),
        Binding(
            "alt+up",
            "rewind",
            "rewind",
            show=False,
            id="session.rewind",
            tooltip="Undo the last decision",
            priority=True,
        ),
        Binding(
            "alt+down", "redo", "redo", show=False, id="session.redo", tooltip="Redo what was rewound", priority=True
        ),
        Binding(
            "f3", "add_agent", "add an agent", show=False, id="session.add-agent", tooltip="Add an agent to talk to"
        ),
    ]
    can_drive: ClassVar[bool] = True

    def __init__(self, session: str, *, goes_on: bool = False) -> None:
        """``goes_on``: the person has just begun the session here. Another one waits until they say so."""
        super().__init__(session)
        self._goes_on = goes_on
        self.drafting = Drafting()
        self.addressing = Addressing()
        self._driving = Driving(session, self._resume, self.clock)
        self._planned_under: Stretches = ()
        """Rules of the session before it was driven here; () until then."""
        self._is_acting = False
        """Whether a decision or a run is under way."""
        self._went_back: LogWentBack | None = None
        """Set while the session's log is not the one that this screen shows any more."""
        self._edited = ""
        """A plan that was edited and could not be taken: the next edit begins with it."""
        self._ticking: Timer | None = None
        self._offers: tuple[object, ...] = ()

    # --- panes --------------------------------------------------------------------------------------------------------

    def compose_below(self) -> ComposeResult:
        """Return the gate, what went wrong, and the input."""
        yield GatePane(id="gate")
        yield from super().compose_below()
        yield StillLine(id="purpose", markup=False)
        with Horizontal(id="input"):
            yield Static(text("›"), id="prompt", markup=False)
            yield Draft(id="draft", placeholder="…")

    def on_mount(self) -> None:
        """Keep time while something runs."""
        self.query_one("#purpose").display = False
        self._ticking = self.set_interval(AT_MOST_EVERY, self._repaint, pause=True)

    def begin(self) -> None:
        """Show the session where it stands; one that was begun here goes on."""
        super().begin()
        self._act(None, opening=not self._goes_on)

    async def on_unmount(self) -> None:
        """End what runs; what was received of it is kept."""
        await self._driving.close()

    def on_screen_resume(self, _event: ScreenResume) -> None:
        """Show the keys of the gate as they are set now."""
        self.gate_pane.show_keys()

    @property
    def home(self) -> Widget:
        """What has the focus where nothing else was chosen."""
        return self.draft

    def key_of(self, binding: str) -> str:
        """Return the key that something on this screen, or in its input, has now."""
        return key_of(self.draft, binding)

    @property
    def draft(self) -> Draft:
        """The input."""
        return self.query_one(Draft)

    @property
    def gate_pane(self) -> GatePane:
        """The open gate."""
        return self.query_one(GatePane)

    @property
    def _gate(self) -> Gate | None:
        """The gate that stands on the screen: the only one that can be answered here."""
        return self.gate_pane.gate

    # --- what there is to see -----------------------------------------------------------------------------------------

    def sight(self) -> Sight | None:
        """Return what there is to see, with what is under way."""
        seen, running = super().sight(), self._driving.driver.running
        if seen is None:
            return None
        partial = self._driving.driver.partial if running is not None else ""
        agent = self._addressee
        seen_by = agent.id if agent is not None else ""
        return replace(seen, running=running, partial=partial, noted=self.drafting.notes, seen_by=seen_by)

    def show(self, picture: Picture) -> None:
        """Put a picture of this session on the screen, with the gate and the input."""
        state, noted = picture.sight.state, picture.sight.noted
        self._tell_rules(state)
        is_noted = self._picture is not None and len(noted) > len(self._picture.sight.noted)
        self._show_gate(state)
        self._show_draft(state)
        super().show(picture)
        if is_noted:
            self.call_after_refresh(self.plan_pane.reveal, noted[-1].place.key)
        self._offer()

    def _tell_rules(self, state: SessionState) -> None:
        """Say once that newer rules begin to apply."""
        if self._planned_under and (change := change_told(self._planned_under, state.rules)):
            self._planned_under = state.rules
            self.notify(change, markup=False)

    @property
    def window(self) -> int | None:
        """Tokens of the model's window; None before the session is driven."""
        return self._driving.driver.window

    def _offer(self) -> None:
        """Let the keys that act now be offered: where what they need is there."""
        way = self.state.way if self.state is not None else None
        offers = (self._gate is not None, self._can_go_on, self._can_note, self._is_acting, way)
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
            case "rewind":
                return self.state is not None and bool(self.state.way.behind)
            case "redo":
                return self.state is not None and bool(self.state.way.ahead)
            case "go_on":
                return (self._can_go_on or self._went_back is not None) and not self._is_acting
            case "next_agent":
                return self.state is not None and bool(self.state.agents) and self.drafting.purpose == "reply"
            case _:
                return super().check_action(action, parameters)

    def _show_gate(self, state: SessionState) -> None:
        """Show the open gate once it can be answered: one that was just answered, or just opened, is still in work."""
        gate = None if self._is_acting or self._went_back is not None else state.gate
        begun_before = gate is not None and self.draft.stands and not self.drafting.belongs_to(gate.id)
        self.gate_pane.show_gate(
            gate,
            notes=len(self.drafting.notes),
            can_note=state.plan is not None,
            has_question=not (gate is not None and gate.kind == "question" and state.plan is None),
            fold=begun_before or (gate is not None and gate.kind in _ONE_LINE and gate.reason not in BOUND_REASONS),
        )

    def problem(self, state: SessionState) -> Problem | None:
        """Return what this screen met, else what the session itself says while nothing is done about it."""
        return self._problem if self._is_acting else super().problem(state)

    def _show_draft(self, state: SessionState) -> None:
        agent = self._addressee
        self.draft.placeholder = placeholder(state, self.drafting, self.key_of, acting=self._is_acting, agent=agent)
        to = "" if agent is None else f"@{clean_name(agent.name, _MOST_OF_A_NAME)} "
        prompt = self.query_one("#prompt", Static)
        if str(prompt.content) != f"{to}›":
            prompt.update(text(f"{to}›"))
        purpose = self.query_one("#purpose", StillLine)
        words = purpose_words(self.drafting, self.key_of)
        purpose.display = bool(words)
        purpose.tell(text(words, "$text-muted"))

    def hints(self) -> list[tuple[str, str]]:
        """Return what can be done where the focus is, the nearest first: keys and words."""
        state, gate, back = self.state, self._gate, self.key_of("session.back")
        if self.gate_pane.acts and gate is not None:
            offered = [(one.key, one.label) for one in self.gate_pane.offered()]
            return [*offered, (back, "to the input")]
        hints: list[tuple[str, str]] = []
        if self.draft.has_focus and self._can_send:
            hints.append((self.key_of("draft.send"), enter_words(self.drafting)))
        if self.draft.has_focus and state is not None and state.agents:
            hints += hint(self, "session.next-agent")
        if gate is not None:
            hints.append((self.key_of(REVIEW), "review"))
        if state is not None and state.way.ahead:
            hints += hint(self, "session.redo")
        if self.drafting.purpose != "reply":
            hints.append((back, "leave it"))
        elif self._is_acting:
            hints.append((back, "interrupt"))
        elif self._went_back is not None:
            hints.append((self.key_of(GO_ON), "reload"))
        elif self._can_go_on:
            hints.append((self.key_of(GO_ON), "go on"))
        return [*hints, *super().hints()]

    def always_hints(self) -> list[tuple[str, str]]:
        """Return the hints that have room at every width; at a gate, its own answers come first."""
        always = super().always_hints()
        return always[-1:] if self.gate_pane.acts else always

    def pane_hints(self) -> list[tuple[str, str]]:
        """Return how to see another view, and what can be done with the plan."""
        gate = self._gate
        cards = self.plan_pane.has_focus and self.view == "plan"
        if cards and gate is not None and gate.id == self.gate_pane.reviewed and gate.options:
            return [("Enter", "choose this one"), *super().pane_hints()]
        if not self._can_note:
            return super().pane_hints()
        note = (
            [(key_of(self.plan_pane, "plan.note"), "note")] if self.plan_pane.has_focus and self.view == "plan" else []
        )
        has_findings = self.state is not None and bool(self.state.findings)
        repairs = [(key_of(self.plan_pane, "plan.changes"), "repairs")] if note and has_findings else []
        return [*note, *repairs, *super().pane_hints(), (self.key_of("session.edit"), "edit")]

    @property
    def _can_send(self) -> bool:
        """Whether Enter does something with what is written."""
        state, gate = self.state, self._gate
        if state is None or not self.draft.stands:
            return False
        if self.drafting.purpose == "reply" and self._addressee is not None:
            return True
        if self.drafting.purpose == "note" or (state.finished is not None and state.plan is not None):
            return True
        return gate is not None and takes_text(gate) and self.drafting.belongs_to(gate.id)

    @property
    def _can_go_on(self) -> bool:
        state = self.state
        if state is None or state.finished is not None:
            return False
        return state.gate is None or (state.gate.kind == "failure" and self._gate is not None)

    @property
    def _can_note(self) -> bool:
        gate = self._gate
        return (
            self.state is not None
            and self.state.plan is not None
            and gate is not None
            and any(choice.kind == "feedback" for choice in gate.choices)
        )

    # --- driving ------------------------------------------------------------------------------------------------------

    def _act(self, deed: Deed | None, *, opening: bool = False) -> bool:
        """Do one thing to the session, then go on with it until it waits or rests; False while something runs."""
        if self._is_acting:
            return False
        self._tell(None)
        self._begin_acting(deed, opening=opening)
        return True

    def _begin_acting(self, deed: Deed | None, *, opening: bool = False) -> None:
        self._is_acting = True
        self._go_on_with(deed, opening=opening)

    @work(group="drive")
    async def _go_on_with(self, deed: Deed | None, *, opening: bool) -> None:
        if self._ticking is not None:
            self._ticking.resume()
        try:
            if opening:
                await self._look()
            else:
                self._planned_under = self._planned_under or (await self._driving.open()).rules
                if deed is not None:
                    await self._driving.do(deed)
                    deed = None
                await self._driving.run()
                self._count_failure(await self._driving.open())
        except LogWentBack as error:
            self._stop_following(error)
        except NotTrusted as error:
            self._tell(not_accepted(error))
            if not opening and self.is_current:
                self.app.push_screen(TrustDialog(error.request), partial(self._answered, error.request, deed))
        except WorkbenchError as error:
            if self._went_back is None:
                self._tell(problem_with(error, self.key_of, draft=bool(self.draft.text)))
        finally:
            self._is_acting = False
            if self._ticking is not None:
                self._ticking.pause()
        self._repaint()
        self.fleet.look_around()

    async def _look(self) -> None:
        """Open the session and send nothing: what is in the middle of its work waits for the person."""
        from workbench.domain.loop.steps import Abandon, Rest, Wait

        step = await self._driving.look()
        if isinstance(step, Abandon):
            self._tell(cut_off(self.key_of))
        elif isinstance(step, Wait | Rest):
            self._count_failure(await self._driving.open())
        else:
            self._tell(in_the_middle(self.key_of))

    def _answered(self, request: TrustRequest, deed: Deed | None, accepted: bool | None) -> None:
        """Go on with what the person accepted, or say what else they can do."""
        if accepted:
            self._accept(request, deed)
        else:
            self._tell(NOTHING_ACCEPTED)

    @work(group="accept", exclusive=True)
    async def _accept(self, request: TrustRequest, deed: Deed | None) -> None:
        workspace = self.workbench.workspace
        if workspace is None:
            return
        try:
            await asyncio.to_thread(workspace.accept, request)
        except WorkbenchError as error:
            self._tell(problem_with(error, self.key_of, draft=bool(self.draft.text)))
        else:
            self._act(deed)

    def _count_failure(self, state: SessionState) -> None:
        """Tell a failure that the session itself holds as one that happened just now."""
        if state.failure is not None and self.is_mounted:
            self.query_one(Notice).tell(super().problem(state), happened=True)

    def clock(self) -> float:
        """Return seconds that only grow."""
        return monotonic()

    def _resume(self, watch: Watch) -> IterationManager:
        workspace = self.workbench.workspace
        if workspace is None:
            raise AssertionError  # a session is opened from a workspace
        return workspace.session(self.session).resume(watch=watch, pace=in_portions)

    def action_back(self) -> None:
        """Go back to the input from wherever it is; there, interrupt the running step."""
        if self.drafting.purpose != "reply":
            self._put_back()
        elif not self.interrupt():
            self.home.focus()

    def interrupt(self) -> bool:
        """Interrupt the running step; what was received of it is kept."""
        if self._is_acting:
            self._interrupt()
        return self._is_acting

    @work(group="interrupt", exclusive=True)
    async def _interrupt(self) -> None:
        try:
            await self._driving.interrupt(_STOP_REASON)
        except WorkbenchError as error:
            self._tell(problem_with(error, self.key_of, draft=False))

    def on_following_failed(self, message: FollowingFailed) -> None:
        """Say that the session cannot be read; where its log went back, let the driver keep what it knows."""
        if not isinstance(message.error, LogWentBack):
            super().on_following_failed(message)
            return
        if self._went_back is None:
            self._stop_following(message.error)
        if not self._is_acting:
            self._begin_acting(None)

    def _stop_following(self, error: LogWentBack) -> None:
        self._went_back = error
        self._tell(problem_with(error, self.key_of, draft=bool(self.draft.text)))

    @work(group="reload", exclusive=True)
    async def _reload(self) -> None:
        """Open what the log has now, in place of what this screen knew."""
        await self._driving.close()
        self._driving = Driving(self.session, self._resume, self.clock)
        self._went_back = None
        self._tell(None)
        self._follow()
        self._act(None, opening=True)

    def events_to_fork(self) -> ReadEvents:
        """Return what reads all events of the session: from the file that keeps them where the log went back."""
        error = self._went_back
        if error is None or not error.kept_in:
            return super().events_to_fork()
        return partial(read_session_file, Path(error.kept_in))

    def action_fork(self) -> None:
        """Ask where to fork the session; what could not be saved is part of it."""
        error, state = self._went_back, self.state
        if error is None or not error.kept_in or state is None:
            super().action_fork()
        else:
            self.workbench.fork(state.name, self.events_to_fork(), error.kept)

    def action_go_on(self) -> None:
        """Go on after a stop or a failure, where a process was cut off, or with a log that went back."""
        state, gate = self.state, self._gate
        if self._went_back is not None:
            self._reload()
        elif gate is not None and gate.kind == "failure":
            self._answer(gate, Answer(kind="again"))
        elif state is not None and (state.stopped or state.failure is not None):
            self._act(lambda manager: manager.resume())
        else:
            self._act(None)

    # --- back, and forward again --------------------------------------------------------------------------------------

    def action_rewind(self) -> None:
        """Stand before the last decision again; nothing is lost by it."""
        self._go(_rewind, _REWOUND)

    def action_redo(self) -> None:
        """Go forward again after a rewind."""
        self._go(_redo, _REDONE)

    def _go(self, deed: Deed, said: str) -> None:
        async def gone(manager: IterationManager) -> None:
            await deed(manager)
            self.app.call_later(self.notify, said, markup=False)

        if not self._act(gone):
            self.notify("A step is under way. Esc interrupts it; then it can be rewound.", markup=False)

    # --- agents -------------------------------------------------------------------------------------------------------

    @property
    def _addressee(self) -> Agent | None:
        """Who what is written is for; None where it is about the plan."""
        state = self.state
        if state is None or self.drafting.purpose != "reply":
            return None
        return self.addressing.agent(self.draft.text, state.agents)

    def action_next_agent(self) -> None:
        """Talk to the next agent, and after the last one about the plan again."""
        if self.state is not None:
            self.addressing = self.addressing.after(self.state.agents)
            self.draft.focus()
            self._repaint()

    def action_add_agent(self) -> None:
        """Add an agent to this session, and talk to it."""
        self.app.push_screen(AgentDialog(self._add_agent), self._talk_to)

    def _add_agent(self, agent: Agent) -> None:
        workspace = self.workbench.workspace
        if workspace is not None:
            workspace.session(self.session).add_agent(agent)

    def _talk_to(self, agent: str | None) -> None:
        if agent:
            self.addressing = Addressing(agent)
            self.draft.focus()
            self._repaint()

    # --- what prompts hold --------------------------------------------------------------------------------------------

    def on_mark_wanted(self, message: MarkWanted) -> None:
        """Keep an item out of the next prompt, or put it into each; the same again takes that back."""
        state = self.state
        if state is None:
            return
        kind, _, name = message.key.partition(":")
        session, item = (str(self.session), message.key) if kind == "message" else name.split(" ", 1)
        said = next((one for one in state.history if kind == "message" and one.id == name), None)
        if said is not None and said.task:
            self.notify("This reply became the plan and its findings; it is not sent as it is.", markup=False)
            return
        mark = "" if state.mark_of(session, item) == message.mark else message.mark
        told = _MARKED[mark] if self.view == "context" else ""  # a call shows what it was sent then, and no mark
        self._decide_aside(lambda own: own.mark(session, item, mark), told)

    def action_recall(self) -> None:
        """Search other sessions from now on, or no longer."""
        if self.state is not None:
            on = not self.state.recall
            self._decide_aside(lambda session: session.switch_recall(on=on))
            said = "Other sessions are searched before the next call." if on else "Other sessions are not searched."
            self.notify(said, markup=False)

    @work(group="aside")
    async def _decide_aside(self, deed: Callable[[Session], object], said: str = "") -> None:
        """Record what moves no loop: it may be said at any time, whoever drives the session."""
        workspace = self.workbench.workspace
        if workspace is None:
            return
        try:
            await asyncio.to_thread(lambda: deed(workspace.session(self.session)))
        except WorkbenchError as error:
            self._tell(problem_with(error, self.key_of, draft=False))
            return
        if said:
            self.notify(said, markup=False)

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
        elif self.drafting.purpose == "reply" and (spoken := self.addressing.spoken(message.text)) is not None:
            self._say_to(*spoken, draft=message.text)
        elif state.finished is not None and state.plan is not None:
            self._send(message.text, lambda manager: manager.reopen(message.text))
        elif gate is None and self._is_acting:
            self.notify("The roles are at work. Your text stays here until the next question.", markup=False)
        elif gate is None:
            self.notify(f"Nothing runs now. Your text stays here; {self.key_of(GO_ON)} goes on.", markup=False)
        elif not takes_text(gate):
            words = f"Words do not answer this. Your text stays here; {self.key_of(REVIEW)} shows what can be done."
            self.notify(words, markup=False)
        elif not self.drafting.belongs_to(gate.id):
            self.notify(
                f"A question opened while you wrote. {self.key_of(REVIEW)} shows it; then Enter sends.", markup=False
            )
        elif self.drafting.purpose == "reason":
            self._answer(gate, Answer(kind="reject", text=message.text), said=message.text)
        elif _is_a_key(message.text, gate):
            self.action_review()
            words = f"Nothing was sent. {message.text} acts here now; {self.key_of('session.back')} goes back to it."
            self.notify(words, markup=False)
        else:
            kind: AnswerKind = "answer" if gate.kind == "question" else "feedback"
            self._answer(gate, self._with_notes(kind, message.text), said=message.text)

    def _say_to(self, agent: str, words: str, *, draft: str) -> None:
        """Say something to an agent; what it answers stands in the transcript."""
        self.view = "transcript"
        self._send(draft, lambda manager: manager.address(agent, words))

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
            known = len(manager.state.files)
            await deed(manager)
            if told := files_told(manager.state.files[known:]):
                self.app.call_later(partial(self.notify, told, markup=False))
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
        if len(self.draft.text.strip()) == 1:
            self.draft.put("")
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
                if self._is_mid_writing():
                    return
                self.drafting = self.drafting.for_reason(gate.id, self.draft.text)
                self.draft.put("")
            case "choose":
                self._answer(gate, Answer(kind="choose", choice=message.choice))
            case "skip" | "keep" | "remove" | "again" | "offline" | "without" | "continue" | "finish" | "stop":
                self._answer(gate, Answer(kind=message.kind))
            case _:
                return
        self.draft.focus()
        self._repaint()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Take the approach that was chosen."""
        kind, _, value = message.key.partition(":")
        if kind == "approach":
            self._choose(value)

    def _choose(self, approach: str) -> None:
        """Choose a card, at a gate that a person went to; before that, a key or click on a card means nothing."""
        gate = self._gate
        if gate is None or gate.kind != "approach" or approach not in gate.options:
            return
        if self.gate_pane.reviewed != gate.id:
            self.notify(f"{self.key_of(REVIEW)} goes to the question; then Enter chooses.", markup=False)
            return
        self._answer(gate, Answer(kind="choose", choice=approach))
        self.draft.focus()

    # --- the plan -----------------------------------------------------------------------------------------------------

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
        if self._is_mid_writing():
            return
        self.drafting = self.drafting.for_note(place, gate.id, self.draft.text)
        self.draft.put("")
        self.draft.focus()
        self._repaint()

    def _is_mid_writing(self) -> bool:
        """Tell whether a note or a reason is half written, and go back to it: beginning another would drop it."""
        if self.drafting.purpose == "reply" or not self.draft.stands:
            return False
        enter, back = self.key_of("draft.send"), self.key_of("session.back")
        words = f"{enter}: {enter_words(self.drafting)} · {back}: leave it."
        self.notify(f"You were writing a {self.drafting.purpose}. {words}", markup=False)
        self.draft.focus()
        return True

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
        self.edit_plan(after)

    def edit_plan(self, text: str) -> None:
        """Make an edited plan its next version; one that cannot be taken is where the next edit begins."""
        if (gate := self._gate) is not None:
            self._edited = text
            self._send("", self._edit(gate, text))

    @property
    def can_change(self) -> bool:
        """Whether single changes of the plan can be made at this moment."""
        return self._can_note

    def change_plan(self, changes: tuple[Change, ...] | None) -> None:
        """Make changes of the plan: they become its next version."""
        gate = self._gate
        if changes and gate is not None and self._can_note:
            self._send("", lambda manager: manager.answer(gate, Answer(kind="change", changes=changes)))

    def _edit(self, gate: Gate, after: str) -> Deed:
        async def taken(manager: IterationManager) -> None:
            await manager.answer(gate, Answer(kind="edit", text=after))
            self._edited = ""

        return taken


def _is_a_key(said: str, gate: Gate) -> bool:
    """Tell whether a lone letter or digit was meant for the gate: as feedback it would be bought and say nothing."""
    return len(said) == 1 and not (gate.kind == "question" and said.isdigit())


async def _rewind(manager: IterationManager) -> None:
    await manager.rewind()


async def _redo(manager: IterationManager) -> None:
    await manager.redo()
