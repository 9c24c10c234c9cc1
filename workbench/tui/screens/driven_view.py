"""A session that is driven: what a person decides is done to it, and it goes on until it waits or rests.

a deed ─▶ Driving (driving.py) ─▶ events ─▶ log ─▶ what session_view.py shows
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType
from textual.timer import Timer

from workbench.domain.errors import LogWentBack, NotTrusted, WorkbenchError
from workbench.domain.log.rules import Stretches, change_told
from workbench.domain.loop.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.trust import TrustRequest
from workbench.planning.driver import Deed
from workbench.planning.ports import Watch
from workbench.storage.files.session_file import read_session_file
from workbench.tui.driving import Driving
from workbench.tui.following import FollowingFailed
from workbench.tui.keys import bind
from workbench.tui.looking_back import ReadEvents, in_portions
from workbench.tui.screens.session_frame import AT_MOST_EVERY, ROOMY
from workbench.tui.screens.talking_view import TalkingView
from workbench.tui.screens.trust import ConfirmDialog, TrustDialog
from workbench.tui.widgets.notice import Notice, Problem
from workbench.tui.wording import NOTHING_ACCEPTED, cut_off, in_the_middle, not_accepted, problem_with

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.planning.iteration_manager import IterationManager

_LONG = 1.0
"""Seconds after which a call is shown in the drawer."""
_STOP_REASON = "interrupted by you"
_REWOUND = "Back before your last decision. Nothing is lost: Alt+↓ goes forward again."
_REDONE = "Forward again, as it was."


class DrivenView(TalkingView):
    """One session that goes on as a person decides."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+r", "go_on", "go on", "session.go-on", "Go on after a stop", priority=True),
        bind(
            "C",
            "checkpoint",
            "ask after this round",
            "session.checkpoint",
            "Be asked after the round that runs, whatever the interval is",
        ),
        bind("alt+up", "rewind", "rewind", "session.rewind", "Undo the last decision", priority=True),
        bind("alt+down", "redo", "redo", "session.redo", "Redo what was rewound", priority=True),
    ]
    can_drive: ClassVar[bool] = True

    def __init__(self, session: str, *, goes_on: bool = False) -> None:
        """``goes_on``: the person has just begun the session here. Another one waits until they say so."""
        super().__init__(session)
        self._goes_on = goes_on
        self._driving = self._new_driving()
        self._planned_under: Stretches = ()
        """Rules of the session before it was driven here; () until then."""
        self._is_acting = False
        """Whether a decision or a run is under way."""
        self._is_long = False
        """Whether what runs has run long enough to be shown in the drawer: what is over at once would only flicker."""
        self._went_back: LogWentBack | None = None
        """Set while the session's log is not the one that this screen shows any more."""
        self._ticking: Timer | None = None

    def _new_driving(self) -> Driving:
        driving = Driving(self.session, self._resume, self.clock)
        driving.driver.said_ahead = self.said_ahead
        driving.driver.on_notice = lambda role, note: self.app.call_later(self._notice, role, note)
        return driving

    def said_ahead(self) -> str:
        """Return, once, what was written while roles worked; for the session's own thread."""
        return ""

    def _notice(self, role: str, note: str) -> None:
        """Say what holds a call up, or what is left out of it: where it stands it is gone with the next words."""
        self.notify(f"{clean_name(role)}: {clean(note)}", markup=False)

    def on_mount(self) -> None:
        """Keep time while something runs."""
        self._ticking = self.set_interval(AT_MOST_EVERY, self._repaint, pause=True)

    @property
    def _gate(self) -> Gate | None:
        """The gate that can be answered here."""
        return None

    def _answer(self, gate: Gate, answer: Answer, *, said: str = "") -> None:
        """Answer a gate, where a screen can."""

    @property
    def _can_go_on(self) -> bool:
        state = self.state
        if state is None or state.finished is not None:
            return False
        return state.gate is None or (state.gate.kind == "failure" and self._gate is not None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done at this moment, and nothing else."""
        match action:
            case "rewind":
                return self.state is not None and bool(self.state.way.behind)
            case "redo":
                return self.state is not None and bool(self.state.way.ahead)
            case "checkpoint":
                state = self.state
                is_due = state is not None and state.current is not None and not state.checkpoint_wanted
                return self._is_acting and is_due
            case "go_on":
                return (self._can_go_on or self._went_back is not None) and not self._is_acting
            case _:
                return super().check_action(action, parameters)

    def begin(self) -> None:
        """Show the session where it stands; one that was begun here goes on."""
        super().begin()
        self._act(None, opening=not self._goes_on)

    async def on_unmount(self) -> None:
        """End what runs; what was received of it is kept."""
        await self._driving.close()

    @property
    def shows_round(self) -> bool:
        """Whether the drawer shows the round that runs; a person who closed the drawer keeps it closed."""
        running = self._driving.driver.running
        if not self._is_acting:
            self._is_long = False
        elif running is not None and running.seconds >= _LONG:
            self._is_long = True
        return self._is_long and self._drawers.get(self.size.width >= ROOMY, True)

    @property
    def window(self) -> int | None:
        """Tokens of the model's window; None before the session is driven."""
        return self._driving.driver.window

    def _tell_rules(self, state: SessionState) -> None:
        """Say once that newer rules begin to apply."""
        if self._planned_under and (change := change_told(self._planned_under, state.rules)):
            self._planned_under = state.rules
            self.notify(change, markup=False)

    def problem(self, state: SessionState) -> Problem | None:
        """Return what this screen met, else what the session itself says while nothing is done about it."""
        return self._problem if self._is_acting else super().problem(state)

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

    def interrupt(self) -> bool:
        """Interrupt the running step; what was received of it is kept."""
        if self._is_acting:
            self._interrupt()
        return self._is_acting

    @work(group="interrupt", exclusive=True)
    async def _interrupt(self) -> None:
        try:
            if await self._driving.interrupt(_STOP_REASON):
                self.draft.focus()  # whoever stops has the next word
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
        self._driving = self._new_driving()
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

    @work(group="aside")
    async def action_checkpoint(self) -> None:
        """Be asked after the round that runs."""
        try:
            await self._driving.aside(lambda manager: manager.want_checkpoint())
        except WorkbenchError as error:
            self._tell(problem_with(error, self.key_of, draft=False))
        else:
            self.notify("You are asked after this round.", markup=False)

    def action_rewind(self) -> None:
        """Stand before the last decision again; nothing is lost by it. A save is not gone behind without a question."""
        state = self.state
        saved = state.saved_version if state is not None else None
        if state is None or saved is None or self._is_acting or _before_last_decision(state).saved_version == saved:
            self._go(_rewind, _REWOUND)
            return
        since = f" What was changed since goes too: the plan is version {state.version}." * (state.version > saved)
        about = f"The plan is not saved there.{since} {self.key_of('session.redo')} brings all of it back."

        def answered(yes: bool | None) -> None:
            if yes:
                self._go(_rewind, _REWOUND)

        self.app.push_screen(ConfirmDialog(f"Go back before version {saved} was saved?", about, "go back"), answered)

    def action_redo(self) -> None:
        """Go forward again after a rewind."""
        self._go(_redo, _REDONE)

    def _go(self, deed: Deed, said: str) -> None:
        async def gone(manager: IterationManager) -> None:
            await deed(manager)
            self.app.call_later(self.notify, said, markup=False)

        if not self._act(gone):
            self.notify("A step is under way. Esc interrupts it; then it can be rewound.", markup=False)


def _before_last_decision(state: SessionState) -> SessionState:
    """Return a session as it stood before its last decision; as it is, where nothing was decided."""
    last = state.way.behind[-1] if state.way.behind else 0
    return next((point.state for point in state.points if point.seq == last), state)


async def _rewind(manager: IterationManager) -> None:
    await manager.rewind()


async def _redo(manager: IterationManager) -> None:
    await manager.redo()
