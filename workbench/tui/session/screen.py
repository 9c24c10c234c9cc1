"""A session's own screen, to plan in: the gate, the input, and what a person does with them.

    key ─▶ one call into the core (driving.py) ─▶ events ─▶ log ─▶ what view.py shows

A decision and what it leads to meet again in the log: a screen never shows what it only hopes for. The screen asks and
shows; what a draft is for is in drafting.py, what runs in drive.py, what is seen in painting.py.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Paste, ScreenResume
from textual.widget import Widget
from textual.widgets import Static

from workbench.domain.errors import LogBusy, WorkbenchError
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import BOUND_REASONS, Answer, AnswerKind, Gate
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.changing.operations import Change
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.session.named_files import reading_lines
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.planning.driver import Deed
from workbench.storage.files.drafts import KeptDraft
from workbench.tui.dialog import confirm
from workbench.tui.editing import edited
from workbench.tui.keymap import hint, key_of
from workbench.tui.keys import bind
from workbench.tui.lines import text
from workbench.tui.session.drafting import Drafting, Noted, Place
from workbench.tui.session.drive import Drive
from workbench.tui.session.following import FollowingFailed, SessionChanged
from workbench.tui.session.main_rows import place_of, place_of_item
from workbench.tui.session.painting import CHANGES, GATE, HISTORY, LIVE, Picture, Sight
from workbench.tui.session.parts import To
from workbench.tui.session.plan.cell_editing import EDITED
from workbench.tui.session.plan.commands import Commands
from workbench.tui.session.records.context_rows import item_at
from workbench.tui.session.records.looking_back import ReadEvents
from workbench.tui.session.records.memory_rows import last_words
from workbench.tui.session.reports import Reports
from workbench.tui.session.review.gate_rows import NO_DEEDS, Deeds, open_findings
from workbench.tui.session.review.reviewing import Page, Review, rejected, review_of
from workbench.tui.session.sharing import Sharing
from workbench.tui.session.talk import Talk
from workbench.tui.session.view import ROOMY, SessionView
from workbench.tui.session.wording import (
    GO_ON,
    REVIEW,
    enter_words,
    gate_in_short,
    placeholder,
    problem_with,
    purpose_words,
    takes_text,
)
from workbench.tui.sharing.shared_rows import change_at
from workbench.tui.told import counted, thousands
from workbench.tui.widgets.bars import Problem, StillLine
from workbench.tui.widgets.cell_editor import CellEditor
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.gate_pane import GatePane, GateView
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.planning.iteration_manager import IterationManager
    from workbench.tui.review.screen import ReviewScreen

_ONE_LINE = frozenset({"checkpoint", "approach", "question"})
"""Gates that are one line until a person goes to them; the others say what went wrong, whole."""
_WRITTEN = frozenset({"feedback", "answer", "reject"})  # answers that are words
_CHOOSE = "Choose a section or a line of the plan first."
_OF_PROMPTS = ("context", "transcript", HISTORY)
"""Views whose rows can be kept out of prompts."""
_SAVED = frozenset({"stop", "finish", "continue"})
"""Answers of a checkpoint whose keys a saved plan has, too: none of them is silent there."""
_DECIDES = lazy_pattern(r"\s*:\s*[oO]\d")  # about an offer: that is never found written already
_KEPT_AFTER = 0.4  # seconds after the last key until a draft is kept
_LEAVES = frozenset({"q", "q!", "qa", "wq", "x", "quit"})
"""What people of modal editors write to leave; none of it is a command of plans."""
_MOST_OF_A_NAME = 20  # characters of an agent's name before the input


class SessionScreen(SessionView):
    """One session that a person drives: what is seen of it, the gate and the input."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+y", "review", "review", "session.review", "Go to the open question", priority=True),
        bind("ctrl+g", "edit", "edit", "session.edit", "Edit the plan in $EDITOR", priority=True),
        *Drive.BINDINGS,
        *Sharing.BINDINGS,
        *Reports.BINDINGS,
        *Talk.BINDINGS,
        *Commands.BINDINGS,
    ]
    can_drive: ClassVar[bool] = True
    action_go_on, action_checkpoint, action_redo = To("drive"), To("drive"), To("drive")
    action_share, action_claim, action_release = To("sharing"), To("sharing"), To("sharing")
    action_status, action_replan, action_verdict = To("reports"), To("reports"), To("reports")
    action_command = To("commands", "begin_command")
    action_next_agent, action_add_agent, action_recall = To("talk"), To("talk"), To("talk")
    action_mark_item = To("talk", "mark")
    action_undo_list, action_deed, action_add = To("commands"), To("commands"), To("commands", "edit_cell")
    on_cell_editor_looked, on_cell_editor_recorded = To("commands"), To("commands")
    on_cell_editor_pasted = To("commands")
    on_main_pane_dragged, on_draft_nothing_to_undo = To("commands"), To("commands")

    def __init__(self, session: str, *, goes_on: bool = False) -> None:
        """``goes_on``: the person has just begun the session here. Another one waits until they say so."""
        super().__init__(session)
        self._goes_on = goes_on
        self.drafting = Drafting()
        self.drive = Drive(self, lambda: self._gate, self._answer, self.said_ahead, clock=self.clock)
        self.sharing = Sharing(self)
        self.talk = Talk(self, lambda: self.drafting.purpose)
        self.commands = Commands(self, lambda: self.drafting.purpose, self._edit_taken)
        self.reports = Reports(self, self.commands.chosen_steps)
        self._edited = ""  # A plan that was edited and could not be taken: the next edit begins with it
        self._offers: tuple[object, ...] = ()
        self._ahead: deque[str] = deque()
        """What was written while roles worked: the session's own thread takes it before the planner is asked."""
        self._written = ""  # what is in the input: its widget is gone before the screen is
        self._had_plan = False  # whether there was a plan when the screen was painted last
        self._plan_review: ReviewScreen | None = None  # of another program's plan, above this one
        self._kept = KeptDraft()  # what was written, as it was kept last

    # --- panes --------------------------------------------------------------------------------------------------------

    def compose_foot(self) -> ComposeResult:
        """Return the gate and the input, as wide as the screen."""
        yield GatePane(id="gate")
        yield StillLine(id="purpose", markup=False)
        with Horizontal(id="input"):
            yield Static(text("›"), id="prompt", markup=False)
            yield Draft(id="draft", placeholder="…")
        yield Static(id="command", markup=False)
        yield CellEditor(id="editor")

    def on_mount(self) -> None:
        """Hide what is only sometimes there."""
        self.query_one("#purpose").display = False
        self.query_one("#command").display = False
        self.sharing.begin()
        self.drive.start()

    def on_screen_resume(self, _event: ScreenResume) -> None:
        """Show the keys of the gate as they are set now."""
        self.gate_pane.refresh(layout=True)
        self._show_review(self.state)

    def on_session_changed(self, message: SessionChanged) -> None:
        """Give way if it is another program's plan that is reviewed."""
        self._show_review(message.state)

    def _show_review(self, state: SessionState | None) -> None:
        if state is None or not state.submissions:
            return
        if self._plan_review is not None:
            self._plan_review.show_state(state)
        elif self.is_current:
            from workbench.tui.review.screen import ReviewScreen  # few sessions are reviews

            self._plan_review = ReviewScreen(self.session, state)
            self.app.push_screen(self._plan_review, self._leave_review)

    def _leave_review(self, _: None) -> None:
        self.call_later(self._go_home)

    async def _go_home(self) -> None:
        await self.app.run_action("home")
        self._plan_review = None

    @property
    def home(self) -> Widget:
        """What has the focus if nothing else was chosen: the plan, or the input if there is known to be none."""
        return self.draft if self.state is not None and self.state.plan is None else self.plan_pane

    @property
    def _is_home(self) -> bool:
        """Whether the focus is where nothing else was chosen; while roles work, the page is as good without a plan."""
        return self.home.has_focus or (self.plan_pane.has_focus and self.drive.is_acting)

    def key_of(self, binding: str) -> str:
        """Return the key that something on this screen, or in its input, has now."""
        return key_of(self.draft, binding)

    @property
    def gate_pane(self) -> GatePane:
        """The open gate."""
        return self.query_one(GatePane)

    @property
    def _gate(self) -> Gate | None:
        """The gate that is on the screen: the only one that can be answered here."""
        return self.gate_pane.gate

    @property
    def draft(self) -> Draft:
        """The input."""
        return self.query_one(Draft)

    def clock(self) -> float:
        """Return seconds that only grow."""
        return monotonic()

    # --- what is driven -----------------------------------------------------------------------------------------------

    @property
    def shows_round(self) -> bool:
        """Whether the drawer shows the round that runs; a person who closed the drawer keeps it closed."""
        return self.drive.is_long and self._drawers.get(self.size.width >= ROOMY, True)

    @property
    def window(self) -> int | None:
        """Tokens of the model's window; None before the session is driven."""
        return self.drive.driving.driver.window

    def problem(self, state: SessionState) -> Problem | None:
        """Return what this screen met, else what the session itself says while nothing is done about it."""
        return self._problem if self.drive.is_acting else super().problem(state)

    def interrupt(self) -> bool:
        """Interrupt the running step; what was received of it is kept."""
        return self.drive.interrupt()

    def on_following_failed(self, message: FollowingFailed) -> None:
        """Say that the session cannot be read; where its log went back, let the driver keep what it knows."""
        if not self.drive.stop_following(message.error):
            super().on_following_failed(message)

    def events_to_fork(self) -> ReadEvents:
        """Return what reads all events of the session: from the file that keeps them where the log went back."""
        kept = self.drive.kept
        return super().events_to_fork() if kept is None else kept[0]

    def action_fork(self) -> None:
        """Ask where to fork the session; what could not be saved is part of it."""
        kept, state = self.drive.kept, self.state
        if kept is None or state is None:
            super().action_fork()
        else:
            self.workbench.fork(state.name, *kept)

    # --- what there is to see -----------------------------------------------------------------------------------------

    def sight(self) -> Sight | None:
        """Return what there is to see, with what is under way."""
        seen, running = super().sight(), self.drive.driving.driver.running
        if seen is None:
            return None
        partial = self.drive.driving.driver.partial if running is not None else ""
        agent = self.talk.addressee
        seen_by = agent.id if agent is not None else ""
        seen = replace(seen, running=running, partial=partial, noted=self.drafting.notes, seen_by=seen_by)
        return self.sharing.seen(seen)

    @property
    def views(self) -> tuple[str, ...]:
        """What the pane in the middle can show, at this width."""
        return (*super().views, LIVE)

    def on_shared_changed(self) -> None:
        """Show what sessions share as it is now."""
        self.repaint()

    @property
    def cells(self) -> CellEditor:
        """The cell that is edited."""
        return self.commands.cells

    def show(self, picture: Picture) -> None:
        """Put a picture of this session on the screen, with the gate and the input."""
        state, noted = picture.sight.state, picture.sight.noted
        self.drive.tell_rules(state)
        if self.view == GATE and (state.current is not None or state.finished is not None or state.stopped):
            self.view = "plan"
            self.repaint()
        is_noted = self._picture is not None and len(noted) > len(self._picture.sight.noted)
        if self.drafting.queued != (queued := tuple(self._ahead)):
            self.drafting = replace(self.drafting, queued=queued)
            self._keep_draft()
        self._show_gate(state)
        self._show_draft(state)
        self._show_what_comes(picture.sight)
        self.plan_pane.can_edit = state.plan is not None
        self.sharing.show(picture)
        if self._picture is None and self._goes_on and self.plan_pane.has_focus:
            self.home.focus()  # of a session that is only opened, keys on their way are not for the input
        super().show(picture)
        if state.plan is not None:
            self.cells.follow(state.plan)
            if not self._had_plan and self.draft.has_focus and not self.draft.stands:
                self.plan_pane.focus()
        self._had_plan = state.plan is not None
        if is_noted:
            self.call_after_refresh(self.plan_pane.keep_in_sight)
        self._offer()

    def _offer(self) -> None:
        """Let the keys that act now be offered: where what they need is there."""
        way = self.state.way if self.state is not None else None
        offers = (self._gate is not None, self.drive.can_go_on, self.can_change, self.drive.is_acting, way)
        if offers != self._offers:
            self._offers = offers
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done at this moment, and nothing else."""
        match action:
            case "review":
                return self._gate is not None
            case "rewind" if self._ahead:
                return True
            case "edit":
                return self._has_plan
            case "answer":
                return self._takes(str(parameters[0])) or (self._is_saved and parameters[0] in _SAVED)
            case "redo_change":
                return self._has_plan
            case "undo":
                view = self.plan_pane.view
                can_undo = self._has_plan and view in ("plan", GATE)
                return can_undo or view == CHANGES or change_at(self.plan_pane.chosen) != ""
            case "note":
                return self.plan_pane.view in ("plan", CHANGES)
            case "mark_item":
                return not self.plan_pane.has_focus or self._can_mark
            case "out":
                return self.plan_pane.view in ("plan", CHANGES, GATE, *_OF_PROMPTS)
            case _:
                own = (part.acts(action) for part in (self.drive, self.reports, self.talk, self.commands))
                acts = next((answer for answer in own if answer is not None), None)
                return super().check_action(action, parameters) if acts is None else acts

    @property
    def _has_plan(self) -> bool:
        return self.state is not None and self.state.plan is not None

    @property
    def _is_saved(self) -> bool:
        return self._has_plan and self._gate is None and self.state is not None and self.state.finished is not None

    def _takes(self, kind: str) -> bool:
        """Tell whether the open gate takes an answer; without one, feedback begins another round."""
        if kind == "edit" or (kind == "feedback" and self._gate is None):
            return self._has_plan
        return any(one.kind == kind for one in self.gate_pane.offered())

    @property
    def _can_mark(self) -> bool:
        view, key = self.plan_pane.view, self.plan_pane.chosen
        if view == "context":
            return item_at(key) != ""
        return view in _OF_PROMPTS and key.startswith(("message:", "quoted:"))

    def action_out(self) -> None:
        """Take out what is chosen: a change, an item of prompts, notes on a line; or turn a checkpoint's row down."""
        pane = self.plan_pane
        if pane.view == CHANGES:
            super().action_out()
        elif pane.view == GATE:
            if out := self._deeds(pane.chosen).out:
                self.commands.begin_command(out)
        elif self._can_mark:
            self.talk.mark("excluded")
        elif (place := self._place(pane.chosen)) is not None:
            self.drafting = self.drafting.without(place.section, place.block)
            self.repaint()
        else:
            self.notify("Choose what is to be excluded first." if pane.view in _OF_PROMPTS else _CHOOSE)

    def action_undo(self) -> None:
        """Take back the last change, the chosen one of the shared context, or an acceptance."""
        if self.plan_pane.view == CHANGES:
            self.action_decide("undo")
        elif change_at(self.plan_pane.chosen):
            self.sharing.take_back()
        else:
            self.commands.undo_to()

    def action_redo_change(self) -> None:
        """Make again what was undone last."""
        self.commands.carry_out("redo")

    def _show_gate(self, state: SessionState) -> None:
        """Show the open gate once it can be answered: one that was just answered, or just opened, is still in work."""
        gate = None if self.drive.is_acting or self.drive.went_back is not None else state.gate
        begun_before = gate is not None and self.draft.stands and not self.drafting.belongs_to(gate.id)
        is_asked_above = gate is not None and gate.kind == "question" and state.plan is None
        is_short = gate is not None and gate.kind in _ONE_LINE and gate.reason not in BOUND_REASONS
        self.gate_pane.show_gate(
            GateView(
                gate,
                notes=len(self.drafting.notes) + len(self.drafting.queued),
                can_note=state.plan is not None,
                has_question=self.view != GATE and not is_asked_above,
                is_folded=begun_before or is_short,
                in_short=gate_in_short(state) if gate is not None and gate.kind == "checkpoint" else "",
                letters_act=self.plan_pane.has_focus,
            )
        )

    def _show_draft(self, state: SessionState) -> None:
        agent = self.talk.addressee
        words = placeholder(state, self.drafting, self.key_of, acting=self.drive.is_acting, agent=agent)
        self.draft.placeholder = words
        to = "" if agent is None else f"@{clean_name(agent.name, _MOST_OF_A_NAME)} "
        prompt = self.query_one("#prompt", Static)
        if str(prompt.content) != f"{to}›":
            prompt.update(text(f"{to}›"))
        purpose = self.query_one("#purpose", StillLine)
        words = purpose_words(self.drafting, self.key_of, acting=self._gate is None)
        purpose.display = bool(words)
        purpose.tell(text(words, "$text-muted"))

    def _show_what_comes(self, sight: Sight) -> None:
        """Show the last words of the reply that arrives, if no drawer shows them and nothing else is there."""
        purpose = self.query_one("#purpose", StillLine)
        if sight.running is None or self.has_drawer or purpose.display or not sight.partial:
            return
        words = last_words(sight.running, sight.partial, self.size.width - 6)
        purpose.display = bool(words)
        purpose.tell(text(words, "$text-muted"))

    def hints(self) -> list[tuple[str, str]]:
        """Return what can be done where the focus is, the nearest first: keys and words."""
        state, gate, back = self.state, self._gate, self.key_of("session.back")
        to_home = (back, "to the plan" if self.home is self.plan_pane else "to the input")
        if self.cells.editing is not None:
            ids = ("cell.record", "cell.drop", "cell.next", "cell.choose", "cell.below")
            return [one for name in ids for one in hint(self, name)]
        if self.gate_pane.acts and gate is not None:
            return [*self.gate_pane.hints(), to_home]
        hints: list[tuple[str, str]] = []
        if self.draft.has_focus and self._can_send:
            queues, is_command = self.drive.is_acting and self._gate is None, self.commands.command is not None
            does = "record" if is_command else enter_words(self.drafting, acting=queues)
            hints.append((self.key_of("draft.send"), does))
        if self.draft.has_focus and state is not None and state.agents:
            hints += hint(self, "session.next-agent")
        if gate is not None and not self.gate_pane.has_class("folded"):
            hints.append((self.key_of(REVIEW), "answer"))
        if state is not None and state.way.ahead:
            hints += hint(self, "session.redo")
        if self.drafting.purpose != "reply":
            hints.append((back, "leave it"))
        elif not self._is_home:
            hints.append(to_home)
        elif self.drive.is_acting:
            hints += [(back, "interrupt"), *hint(self, "session.checkpoint")]
        elif self.drive.went_back is not None:
            hints.append((self.key_of(GO_ON), "reload"))
        elif self.drive.can_go_on:
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
        shared = self.sharing.hints()
        hints = [*shared, *(self._step_hints() if cards and not shared else []), *super().pane_hints()]
        return [*hints, (self.key_of("session.edit"), "in $EDITOR")] if self.can_change else hints

    def _step_hints(self) -> list[tuple[str, str]]:
        pane = self.plan_pane
        if not pane.can_edit:
            return []
        cell, key = pane.cell, pane.chosen
        column = cell.name if cell is not None and cell.name in EDITED else ""
        if column:
            own = [("Enter", f"edit {column}"), *hint(self, "plan.pick"), *hint(self, "plan.done", "done")]
            own += [*hint(self, "plan.add"), *hint(self, "plan.drop")]
        elif key.startswith(("answer:", "unneeded:")):
            own = [("Enter", "answer" if key.startswith("answer:") else "not needed"), *hint(self, "plan.add")]
        else:
            is_open = (key in self._unfolded) is not key.startswith("stream:")
            folds = key.startswith(("place:", "stream:"))
            own = [*([("Enter", "fold" if is_open else "unfold")] if folds else []), *hint(self, "plan.add")]
        moves = " ".join(key_of(pane, f"plan.move-{way}") for way in ("down", "up"))
        own += [*hint(self, "plan.feedback"), *([(moves, "move")] if column else [])]
        return [*own, *hint(self, "session.command"), *hint(self, "plan.undo")]

    @property
    def _can_send(self) -> bool:
        state, gate = self.state, self._gate
        if state is None or not self.draft.stands:
            return False
        if self.commands.command is not None:
            return bool(self.commands.command.strip())
        if self.drafting.purpose == "reply" and self.talk.addressee is not None:
            return True
        if self.drafting.purpose == "note" or (state.finished is not None and state.plan is not None):
            return True
        if gate is None:
            return self.drive.is_acting or self.drive.can_go_on
        return takes_text(gate) and self.drafting.belongs_to(gate.id)

    @property
    def can_change(self) -> bool:
        """Whether single changes of the plan can be made at this moment, and notes taken."""
        gate = self._gate
        return self._has_plan and gate is not None and any(choice.kind == "feedback" for choice in gate.choices)

    def action_rewind(self) -> None:
        """Take back what was written ahead last; if nothing was, stand before the last decision again."""
        if not self._ahead or self.draft.stands:
            self.drive.rewind()
            return
        with suppress(IndexError):  # it was taken just now
            self.draft.put(self._ahead.pop())
        self.repaint()

    @contextmanager
    def said_ahead(self) -> Iterator[str]:
        """Give, once, what was written while roles worked; what could not be given waits again.

        For the session's own thread.
        """
        said: list[str] = []
        with suppress(IndexError):
            while True:
                said.append(self._ahead.popleft())
        try:
            yield "\n\n".join(said)
        except BaseException:  # an interrupt, too, loses nothing
            self._ahead.extendleft(reversed(said))
            raise

    def action_back(self) -> None:
        """Go back to the plan from wherever it is; there, interrupt the running step."""
        if self.drafting.purpose != "reply":
            self._put_back()
            return
        self.plan_pane.sought = ""
        if not self._is_home or self.view != "plan":
            self.view = "plan"
            self.home.focus()
            self.repaint()
        elif not self.interrupt() and self.plan_pane.picked:
            self.plan_pane.pick(frozenset())

    def on_paste(self, event: Paste) -> None:
        """Let what is pasted beside the input stand in it, unless it is steps: it is never taken for keys."""
        if self.draft.has_focus:
            return
        event.stop()

        def write() -> None:
            self.draft.focus()
            self.draft.insert(event.text)

        if not self.commands.takes_paste(event.text, write):
            write()

    # --- the draft ----------------------------------------------------------------------------------------------------

    def on_text_area_changed(self) -> None:
        """Remember which gate stood when the draft was begun."""
        gate, self._written = self._gate, self.draft.text
        self.drafting = self.drafting.typed(stands=self.draft.stands, gate=gate.id if gate else "")
        self.repaint()
        self.commands.look_at_command()
        self._keep_draft()

    def begin(self) -> None:
        """Show the session, and what its person was writing when a window closed."""
        super().begin()
        self.drive.act(None, opening=not self._goes_on)
        self._restore_draft()

    @work(group="restore", exclusive=True)
    async def _restore_draft(self) -> None:
        workspace = self.workbench.workspace
        if workspace is None:
            return
        kept = await asyncio.to_thread(workspace.folder.drafts.read, self.session)
        self._kept = kept
        self._ahead.extendleft(reversed(kept.queued))
        notes = tuple(Noted(Place(section, block, quoted), said) for section, block, quoted, said in kept.notes)
        self.drafting = replace(self.drafting, notes=(*notes, *self.drafting.notes))
        if kept.text:
            self.draft.put("\n".join(filter(None, (kept.text, self.draft.text))))  # something may be typed already
        self.repaint()

    @work(group="keep-draft", exclusive=True)
    async def _keep_draft(self) -> None:
        await asyncio.sleep(_KEPT_AFTER)
        await self._keep_now()

    async def _keep_now(self) -> None:
        workspace = self.workbench.workspace
        drafting = self.drafting
        reply = self._written if drafting.purpose == "reply" else drafting.kept
        half = drafting.noted(self._written) if drafting.place is not None and self._written.strip() else drafting
        notes = ((note.place.section, note.place.block, note.place.quoted, note.text) for note in half.notes)
        now = KeptDraft("" if not reply.strip() or _DECIDES.match(reply) else reply, tuple(self._ahead), tuple(notes))
        if workspace is not None and now != self._kept:
            self._kept = now
            await asyncio.to_thread(workspace.folder.drafts.keep, self.session, now)

    async def on_unmount(self) -> None:
        """Keep what is written, and end what runs; what was received of it is kept."""
        await self._keep_now()
        await self.drive.close()

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Send the draft to what it was begun for; to nothing else."""
        state, gate = self.state, self._gate
        if state is None:
            return
        if (self.commands.command or "").strip() in _LEAVES:
            self.draft.put("")
            self.call_later(self.run_action, "app.leave")
        elif self.commands.command is not None:
            self.commands.carry_out(self.commands.command)
        elif self.drafting.purpose == "note":
            self._put_back(self.drafting.noted(message.text))
        elif self.drafting.purpose == "reply" and (spoken := self.talk.addressing.spoken(message.text)) is not None:
            self._say_to(*spoken, draft=message.text)
        elif state.finished is not None and state.plan is not None:
            self._reopen(state, message.text)
        elif gate is None and self.drive.is_acting:
            self._ahead.append(message.text)
            self.draft.put("")
            self.repaint()
        elif gate is None:
            self._say_and_go_on(message.text)
        elif not takes_text(gate):
            words = f"Words do not answer this. Your text stays here; {self.key_of(REVIEW)} shows what can be done."
            self.notify(words)
        elif not self.drafting.belongs_to(gate.id):
            self.notify(
                f"This was not written to the question that is open. {self.key_of(REVIEW)} shows it; then Enter sends."
            )
        elif self.drafting.purpose == "reason":
            self._answer(gate, Answer(kind="reject", text=message.text), said=message.text)
        elif _is_a_key(message.text, gate):
            self._go_to_answer(message.text, gate)
        else:
            kind: AnswerKind = "answer" if gate.kind == "question" else "feedback"
            self._answer(gate, self._with_notes(kind, message.text), said=message.text)

    @work(group="say")
    async def _say_and_go_on(self, said: str) -> None:
        """Say what should change, and continue with it; if another process drives the session, that one does."""
        try:
            await self.drive.driving.call(self.drive.driving.driver.aside(lambda manager: manager.feed_back(said)))
            self._went_through(said, ())
            await self.drive.driving.call(self.drive.driving.driver.look())
        except LogBusy:
            self.notify("It goes into the planner's next call, in the process that drives this session.")
        except WorkbenchError as error:
            self.tell(problem_with(error, self.key_of, draft=bool(self.draft.text)))
        else:
            self.action_go_on()

    def _go_to_answer(self, key: str, gate: Gate) -> None:
        """Show the answer that a lone key, sent as text, was meant for: the same key again gives it."""
        card = gate.options[int(key) - 1 : int(key)] if key.isdecimal() and key.isascii() and key != "0" else ()
        kind = "choose" if card else next((one.kind for one in self.gate_pane.offered() if one.key == key), "")
        back = f"{self.key_of('session.back')} goes back to it."
        acts = f"{key} once more takes it" if kind else f"No answer has the key {key}"
        self.gate_pane.review(kind)
        for name in card:
            self.plan_pane.reveal(f"approach:{name}", at_top=True)
        self.notify(f"Nothing was sent. {acts}; {back}")

    def _reopen(self, state: SessionState, said: str) -> None:
        """Go on with one more round; an agreed plan is reopened if the person knows what that costs."""
        reopen = partial(self._send, said, lambda manager: manager.reopen(said))
        if state.saved_version is None:
            reopen()
            return
        tokens = thousands(state.spent.tokens // max(len(state.iterations), 1))
        cost = f"A round took about {tokens} tokens so far. Your text stays until then."
        question = f"Version {state.saved_version} of this plan is agreed. Reopen it for a round?"
        confirm(self.workbench, question, cost, "reopen", reopen)

    def _say_to(self, agent: str, words: str, *, draft: str) -> None:
        self.view = "transcript"
        self._send(draft, lambda manager: manager.address(agent, words))

    def _with_notes(self, kind: AnswerKind, said: str = "") -> Answer:
        if kind != "feedback":
            return Answer(kind=kind, text=said)
        text = "\n\n".join(part for part in (*self.drafting.queued, said) if part)
        return Answer(kind=kind, text=text, notes=tuple(noted.as_note() for noted in self.drafting.notes))

    def _put_back(self, drafting: Drafting | None = None) -> None:
        kept = self.drafting.kept
        self.drafting = self.drafting.back() if drafting is None else drafting
        self.draft.put(kept)
        (self.draft if kept.strip() else self.home).focus()
        self.repaint()

    def _answer(self, gate: Gate, answer: Answer, *, said: str = "") -> None:
        self._send(said, lambda manager: manager.answer(gate, answer), with_notes=answer.kind == "feedback")

    def _send(self, said: str, deed: Deed, *, with_notes: bool = False) -> None:
        """Do what was decided; the draft and the notes are kept until it went through."""
        drafting = self.drafting

        async def sent(manager: IterationManager) -> None:
            known = len(manager.state.files)
            await deed(manager)
            for one in drafting.queued if with_notes else ():  # what was written since waits for the next call
                with suppress(ValueError):
                    self._ahead.remove(one)
            if told := reading_lines(manager.state.files[known:]):
                self.app.call_later(partial(self.notify, told, markup=False))
            self.app.call_later(self._went_through, said, drafting.notes if with_notes else ())

        if not self.drive.act(sent):
            self.notify("The last decision is still being carried out. Your text stays here.")

    def _went_through(self, said: str, notes: tuple[Noted, ...]) -> None:
        """Clear what was sent, and nothing that was written since."""
        self.drafting = replace(self.drafting, notes=tuple(note for note in self.drafting.notes if note not in notes))
        if said and self.draft.text.strip() == said:
            self._put_back()

    # --- the gate -----------------------------------------------------------------------------------------------------

    def action_review(self) -> None:
        """Go to the open question; a draft belongs to it from now on."""
        self.gate_pane.review()

    def on_gate_pane_reviewed(self, message: GatePane.Reviewed) -> None:
        """Let the draft belong to the gate that a person looked at; a checkpoint says what it is about."""
        if message.gate.kind == "checkpoint" and self.view == "plan":
            self.view = GATE
        if self.drafting.purpose == "reply" and self.draft.stands:
            self.drafting = self.drafting.reviewed(message.gate.id)
        self.repaint()

    def action_answer(self, kind: str) -> None:
        """Answer from the plan: writing begins at once, what spends or ends is asked for once more, at the gate."""
        gate = self._gate
        if kind == "edit":
            self.action_edit()
        elif gate is None and kind == "stop":
            self.call_later(self._go_home)
        elif gate is None and kind in _SAVED:
            feedback = key_of(self.plan_pane, "plan.feedback")
            self.notify(f"This plan is saved. {feedback} says what should change, and continues.")
        elif gate is None:
            self.draft.focus()
        elif kind == "feedback":
            self.drafting = self.drafting.reviewed(gate.id)
            self.draft.focus()
            self.repaint()
        else:
            self.gate_pane.review(kind)

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
                self.view = "plan"
                self.plan_pane.focus()
                self.repaint()
                return
            case "finish":
                self._finish(gate)
            case "send-notes":
                self._answer(gate, self._with_notes("feedback"))
            case "edit":
                self.action_edit()
            case "reject":
                if self._is_mid_writing():
                    return
                self.drafting = self.drafting.begun(None, gate.id, self.draft.text)
                self.draft.put("")
            case "choose":
                self._take(gate, message.choice)
            case kind:  # the others need nothing else
                self._answer(gate, Answer(kind=cast("AnswerKind", kind)))
        came_from = self.gate_pane.came_from
        back = came_from if came_from is not None and came_from.focusable else self.home
        (self.draft if message.kind in _WRITTEN else back).focus()
        self.repaint()

    @work(group="finish", exclusive=True)
    async def _finish(self, gate: Gate) -> None:
        """Save the plan; with a major finding, or changes that nobody looked at, only once that is said."""
        state = self.state
        if state is None:
            return
        review = await asyncio.to_thread(review_of, state, 0)
        majors = sum(finding.severity == "major" for finding in state.open_findings)
        unseen = [(one.subject, one.made[0].text) for page in self.reviewing.left(review) if (one := page.change)]
        told = [f"{counted(majors, 'major finding')} open"] if majors else []
        told += [f"{counted(len(unseen), 'change')} of v{review.version} not looked at"] if unseen else []
        finish = partial(self._answer, gate, Answer(kind="finish"))
        if not told:
            finish()
            return
        about = "The plan is saved with it; nothing is lost, and you can go on later."
        question = f"Finish all the same, with {' and '.join(told)}?"
        confirm(self.workbench, question, about, "finish", finish, values=(*open_findings(state).items(), *unseen))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Take the approach that was chosen, or what a row of a checkpoint offers."""
        kind, _, value = message.key.partition(":")
        if self.sharing.opens(message.key) or self.commands.opens(message):
            message.prevent_default()
        elif kind == "approach":
            self._choose(value)
        elif kind == GATE:
            deeds = self._deeds(message.key)
            if deeds.changes:
                self.change_plan(deeds.changes)
            elif deeds.enter:
                self.commands.begin_command(deeds.enter)

    def _deeds(self, row: str) -> Deeds:
        return self._picture.deeds.get(row, NO_DEEDS) if self._picture is not None else NO_DEEDS

    def _choose(self, approach: str) -> None:
        """Choose a card, at a gate that a person went to; before that, a key or click on a card means nothing."""
        gate = self._gate
        if gate is None or gate.kind != "approach" or approach not in gate.options:
            return
        if self.gate_pane.reviewed != gate.id:
            self.notify(f"{self.key_of(REVIEW)} goes to the question; then Enter chooses.")
            return
        self._take(gate, approach)
        self.home.focus()

    def _take(self, gate: Gate, choice: str) -> None:
        """Take an approach; without a model, ask first which steps and values the plan begins with."""
        state = self.state
        approach = next((one for one in state.approaches if one.id == choice), None) if state is not None else None
        if state is None or approach is None or not plans_without_model(state):
            self._answer(gate, Answer(kind="choose", choice=choice))
            return

        def begin(given: Begin | None) -> None:
            if given is not None:
                self._answer(gate, Answer(kind="choose", choice=choice, begin=given))

        from workbench.tui.session.begin import BeginDialog  # with the commands: the frame is painted before

        self.app.push_screen(BeginDialog(approach, state.goal, date.fromisoformat(state.today)), begin)

    # --- the plan -----------------------------------------------------------------------------------------------------

    def action_note(self) -> None:
        """Begin a note on the chosen row of the plan."""
        if (place := self._place(self.plan_pane.chosen)) is not None:
            self._begin_note(place)
        else:
            self.notify(_CHOOSE)

    def _place(self, key: str) -> Place | None:
        plan = self.state.plan if self.state is not None else None
        return place_of(plan, key, self.plan_pane.rows) if plan is not None else None

    def _begin_note(self, place: Place) -> None:
        gate = self._gate
        if gate is None or not self.can_change:
            self.notify("Notes are taken at a checkpoint.")
            return
        if self._is_mid_writing():
            return
        self.drafting = self.drafting.begun(place, gate.id, self.draft.text)
        self.draft.put("")
        self.draft.focus()
        self.repaint()

    def _is_mid_writing(self) -> bool:
        """Tell whether a note or a reason is half written, and go back to it: beginning another would drop it."""
        if self.drafting.purpose == "reply" or not self.draft.stands:
            return False
        enter, back = self.key_of("draft.send"), self.key_of("session.back")
        words = f"{enter}: {enter_words(self.drafting)} · {back}: leave it."
        self.notify(f"You were writing a {self.drafting.purpose}. {words}")
        self.draft.focus()
        return True

    @work(group="edit")
    async def action_edit(self) -> None:
        """Edit the plan in the person's editor; the text becomes the next version."""
        state = self.state
        if self.workbench.is_lent:
            return
        if state is None or state.plan is None:
            self.notify("There is no plan yet that could be edited.")
            return
        before = to_markdown(state.plan)
        try:
            after = await edited(self.app, self._edited or before, otherwise="f gives feedback.")
        except WorkbenchError as error:
            self.tell(Problem(error.message, "The plan is as it was.", error.remedy))
            return
        if after == before:
            return
        self.edit_plan(after)

    def edit_plan(self, text: str) -> None:
        """Make an edited plan its next version; one that cannot be taken is where the next edit begins."""
        self._edited = text
        if (gate := self._gate) is not None and self.can_change:
            self._send("", self._edit(gate, text))
        else:
            self.commands.carry_out_edit(text)

    def _edit_taken(self) -> None:
        self._edited = ""

    def change_plan(self, changes: tuple[Change, ...] | None) -> None:
        """Make changes of the plan: they become its next version."""
        gate = self._gate
        if changes and gate is not None and self.can_change:
            self._send("", lambda manager: manager.answer(gate, Answer(kind="change", changes=changes)))

    @property
    def can_review(self) -> bool:
        """Whether what is shown can be decided about: at a checkpoint, and where the planner left something out."""
        gate = self._gate
        return self.can_change or (gate is not None and gate.kind == "removal")

    def decide_about(self, deed: str, review: Review, page: Page, row: str) -> None:
        """Accept or reject a change, what was left out, or a repair."""
        state, gate = self.state, self._gate
        if state is None or gate is None:
            return
        match deed:
            case "accept" if page.finding is not None:
                self._accept_repair(page, row)
                return
            case "accept" if page.is_open:
                reviewing = self.reviewing.accept(review, page.key)
            case "rest":
                reviewing = self.reviewing.accept(review, *(one.key for one in self.reviewing.left(review)))
            case "undo":
                reviewing = self.reviewing.take_back(page.key)
            case "reject" if page.removal is not None:
                reviewing = self.reviewing.keep(review, page.key)
            case "reject" if page.is_open:
                if review.version <= (state.saved_version or 0):
                    self.commands.ask_to_go_behind(partial(self._reject, state, page))
                    return
                self._reject(state, page)
                reviewing = self.reviewing.on(review)
            case "reply":
                self._reply_to(state, page)
                return
            case _:
                return
        self._review(reviewing)
        removals = reviewing.removals(review)
        if gate.kind == "removal" and removals is not None:
            self._answer(gate, Answer(kind="remove" if removals else "keep", changes=removals))

    def _accept_repair(self, page: Page, row: str) -> None:
        chosen = row.rpartition(":")[2] if row.startswith(f"{page.key}:") else "0"
        if page.offers:
            self.change_plan(page.offers[int(chosen)].changes())

    def _reject(self, state: SessionState, page: Page) -> None:
        """Take a change back, or say which other one stands on it."""
        if not self.can_change:
            self.notify("Decide first about what the planner takes out.")
            return
        try:
            self.change_plan(rejected(state, page))
        except WorkbenchError as error:
            self.tell(Problem(error.message, "The plan is as it was.", error.remedy))

    def _reply_to(self, state: SessionState, page: Page) -> None:
        from workbench.tui.session.review.why import subject_of

        place = place_of_item(state.plan, subject_of(state, page.key)) if state.plan is not None else None
        if place is None:
            self.notify("The line that this is about is not in the plan any more.")
        else:
            self._begin_note(place)

    def _edit(self, gate: Gate, after: str) -> Deed:
        async def taken(manager: IterationManager) -> None:
            await manager.answer(gate, Answer(kind="edit", text=after))
            self._edit_taken()

        return taken


def _is_a_key(said: str, gate: Gate) -> bool:
    """Tell whether a lone letter or digit was meant for the gate: as feedback it would be bought and say nothing."""
    return len(said) == 1 and not (gate.kind == "question" and said.isdigit())
