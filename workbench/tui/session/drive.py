"""A session is driven: what a person decides is done to it, and it continues until it waits or rests.

a deed ─▶ Driving (driving.py) ─▶ events ─▶ log ─▶ what view.py shows
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from textual.timer import Timer

from workbench.domain.errors import LogWentBack, NotTrusted, WorkbenchError
from workbench.domain.log.rules import Stretches, rules_change_text
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.planning.driver import Deed
from workbench.planning.ports import Ahead, Watch
from workbench.storage.files.session_file import read_session_file
from workbench.tui.dialog import confirm
from workbench.tui.keys import bind
from workbench.tui.session.driving import Driving
from workbench.tui.session.records.looking_back import ReadEvents, in_portions
from workbench.tui.session.view import SessionView
from workbench.tui.session.wording import NOTHING_ACCEPTED, cut_off, in_the_middle, not_accepted, problem_with
from workbench.tui.widgets.bars import Notice
from workbench.tui.widgets.field import Draft

if TYPE_CHECKING:  # the loop of a session is imported when it is first driven
    from workbench.planning.iteration_manager import IterationManager

_ARRIVES_EVERY = 0.1  # seconds between two pictures of a reply that arrives: each paints the whole frame
_LONG = 1.0  # seconds after which a call is shown in the drawer
_STOP_REASON = "interrupted by you"
_REWOUND = "Back before your last decision. Nothing is lost: Alt+↓ goes forward again."
_REDONE = "Forward again, as it was."


class Drive:
    """Goes on with a session as a person decides."""

    BINDINGS = (
        bind("ctrl+r", "go_on", "go on", "session.go-on", "Go on after a stop", priority=True),
        bind("C", "checkpoint", "ask after this round", "session.checkpoint", "Be asked after the round that runs"),
        bind("alt+up", "rewind", "rewind", "session.rewind", "Undo the last decision", priority=True),
        bind("alt+down", "redo", "redo", "session.redo", "Redo what was rewound", priority=True),
    )

    def __init__(
        self,
        screen: SessionView,
        gate: Callable[[], Gate | None],
        answer: Callable[[Gate, Answer], None],
        said_ahead: Ahead,
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Take what gives the gate that can be answered, and what gives an ``answer``.

        ``said_ahead`` gives, once, what was written while roles worked; for the session's own thread.
        """
        self._screen, self._gate, self._answer, self._said_ahead = screen, gate, answer, said_ahead
        self._clock = clock
        self.driving = self._new_driving()
        self._planned_under: Stretches = ()  # rules of the session before it was driven here; () until then
        self.is_acting = False
        """Whether a decision or a run is under way."""
        self._is_long = False
        """Whether what runs has run long enough to be shown in the drawer: what is over at once would only flicker."""
        self.went_back: LogWentBack | None = None
        """Set while the session's log is not the one that this screen shows any more."""
        self._ticking: Timer | None = None

    @property
    def _draft(self) -> Draft:
        return self._screen.query_one(Draft)

    def _new_driving(self) -> Driving:
        driving = Driving(self._screen.session, self._resume, self._clock)
        driving.driver.said_ahead = self._said_ahead
        driving.driver.on_notice = lambda role, note: self._screen.app.call_later(self._notice, role, note)
        return driving

    def _notice(self, role: str, note: str) -> None:
        """Say what holds a call up, or what is left out of it: where it stands it is gone with the next words."""
        self._screen.notify(f"{clean_name(role)}: {clean(note)}")

    def start(self) -> None:
        """Keep time while something runs."""
        self._ticking = self._screen.set_interval(_ARRIVES_EVERY, self._screen.repaint, pause=True)

    @property
    def can_go_on(self) -> bool:
        """Whether the session waits for nobody, and rests in the middle of its work."""
        state = self._screen.state
        if state is None or state.finished is not None:
            return False
        return state.gate is None or (state.gate.kind == "failure" and self._gate() is not None)

    def acts(self, action: str) -> bool | None:
        """Tell whether an action acts now; None for one of somebody else."""
        state = self._screen.state
        match action:
            case "rewind":
                return state is not None and bool(state.way.behind)
            case "redo":
                return state is not None and bool(state.way.ahead)
            case "checkpoint":
                is_due = state is not None and state.current is not None and not state.checkpoint_wanted
                return self.is_acting and is_due
            case "go_on":
                return (self.can_go_on or self.went_back is not None) and not self.is_acting
            case _:
                return None

    async def close(self) -> None:
        """End what runs; what was received of it is kept."""
        await self.driving.close()

    @property
    def is_long(self) -> bool:
        """Whether a round runs, and has run for a while."""
        running = self.driving.driver.running
        if not self.is_acting:
            self._is_long = False
        elif running is not None and running.seconds >= _LONG:
            self._is_long = True
        return self._is_long

    def tell_rules(self, state: SessionState) -> None:
        """Say once that newer rules begin to apply."""
        if self._planned_under and (change := rules_change_text(self._planned_under, state.rules)):
            self._planned_under = state.rules
            self._screen.notify(change)

    def act(self, deed: Deed | None, *, opening: bool = False) -> bool:
        """Do one thing to the session, then drive it until it waits or rests. Return False if something runs."""
        if self.is_acting:
            return False
        self._screen.tell(None)
        self._begin_acting(deed, opening=opening)
        return True

    def _begin_acting(self, deed: Deed | None, *, opening: bool = False) -> None:
        self.is_acting = True
        self._screen.run_worker(self._go_on_with(deed, opening=opening), group="drive")

    async def _go_on_with(self, deed: Deed | None, *, opening: bool) -> None:
        if self._ticking is not None:
            self._ticking.resume()
        try:
            if opening:
                await self._look()
            else:
                self._planned_under = self._planned_under or (await self.driving.open()).rules
                if deed is not None:
                    await self.driving.call(self.driving.driver.do(deed))
                    deed = None
                await self.driving.call(self.driving.driver.run())
                self._count_failure(await self.driving.open())
        except LogWentBack as error:
            self._stop_following(error)
        except NotTrusted as error:
            self._screen.tell(not_accepted(error))
            if not opening and self._screen.is_current:
                self._screen.workbench.ask_to_accept(
                    error.request,
                    partial(self.act, deed),
                    self._tell_error,
                    partial(self._screen.tell, NOTHING_ACCEPTED),
                )
        except WorkbenchError as error:
            if self.went_back is None:
                self._tell_error(error)
        finally:
            self.is_acting = False
            if self._ticking is not None:
                self._ticking.pause()
        self._screen.repaint()

    def _tell_error(self, error: WorkbenchError) -> None:
        self._screen.tell(problem_with(error, self._screen.key_of, draft=bool(self._draft.text)))

    async def _look(self) -> None:
        """Open the session and send nothing: what is in the middle of its work waits for the person."""
        from workbench.domain.loop.steps import Abandon, Rest, Wait

        await self._screen.first_seen()
        step = await self.driving.call(self.driving.driver.look())
        if isinstance(step, Abandon):
            self._screen.tell(cut_off(self._screen.key_of))
        elif isinstance(step, Wait | Rest):
            self._count_failure(await self.driving.open())
        else:
            self._screen.tell(in_the_middle(self._screen.key_of))

    def _count_failure(self, state: SessionState) -> None:
        """Tell a failure that the session itself holds as one that happened just now."""
        if state.failure is not None and self._screen.is_mounted:
            self._screen.query_one(Notice).tell(self._screen.problem_of_session(state), happened=True)

    def _resume(self, watch: Watch) -> IterationManager:
        return self._screen.in_workspace.resume(watch=watch, pace=in_portions)

    def interrupt(self) -> bool:
        """Interrupt the running step; what was received of it is kept."""
        if self.is_acting:
            self._screen.run_worker(self._interrupt(), group="interrupt", exclusive=True)
        return self.is_acting

    async def _interrupt(self) -> None:
        try:
            if await self.driving.call(self.driving.driver.interrupt(_STOP_REASON)):
                self._draft.focus()  # whoever stops has the next word
        except WorkbenchError as error:
            self._screen.tell(problem_with(error, self._screen.key_of, draft=False))

    def stop_following(self, error: WorkbenchError) -> bool:
        """Let the driver keep what it knows, where the log went back; False for any other error."""
        if not isinstance(error, LogWentBack):
            return False
        if self.went_back is None:
            self._stop_following(error)
        if not self.is_acting:
            self._begin_acting(None)
        return True

    def _stop_following(self, error: LogWentBack) -> None:
        self.went_back = error
        self._tell_error(error)

    async def _reload(self) -> None:
        """Open what the log has now, instead of what this screen knew."""
        await self.driving.close()
        self.driving = self._new_driving()
        self.went_back = None
        self._screen.tell(None)
        self._screen.follow()
        self.act(None, opening=True)

    @property
    def kept(self) -> tuple[ReadEvents, int] | None:
        """What reads the events that could not be saved, where the log went back, and how many there are."""
        error = self.went_back
        if error is None or not error.kept_in:
            return None
        return partial(read_session_file, Path(error.kept_in)), error.kept

    def go_on(self) -> None:
        """Go on after a stop or a failure, if a process was cut off, or with a log that went back."""
        state, gate = self._screen.state, self._gate()
        if self.went_back is not None:
            self._screen.run_worker(self._reload(), group="reload", exclusive=True)
        elif gate is not None and gate.kind == "failure":
            self._answer(gate, Answer(kind="again"))
        elif state is not None and (state.stopped or state.failure is not None):
            self.act(lambda manager: manager.resume())
        else:
            self.act(None)

    def checkpoint(self) -> None:
        """Be asked after the round that runs."""
        self._screen.run_worker(self._want_checkpoint(), group="aside")

    async def _want_checkpoint(self) -> None:
        try:
            await self.driving.call(self.driving.driver.aside(lambda manager: manager.want_checkpoint()))
        except WorkbenchError as error:
            self._screen.tell(problem_with(error, self._screen.key_of, draft=False))
        else:
            self._screen.notify("You are asked after this round.")

    def rewind(self) -> None:
        """Stand before the last decision again; nothing is lost by it. A save is not gone behind without a question."""
        state = self._screen.state
        saved = state.saved_version if state is not None else None
        rewind = partial(self._go, lambda manager: manager.rewind(), _REWOUND)
        if state is None or saved is None or self.is_acting or _before_last_decision(state).saved_version == saved:
            rewind()
            return
        since = f" What was changed since goes too: the plan is version {state.version}." * (state.version > saved)
        about = f"The plan is not saved there.{since} {self._screen.key_of('session.redo')} brings all of it back."
        question = f"Go back before version {saved} was saved?"
        confirm(self._screen.workbench, question, about, "go back", rewind)

    def redo(self) -> None:
        """Go forward again after a rewind."""
        self._go(lambda manager: manager.redo(), _REDONE)

    def _go(self, deed: Callable[[IterationManager], Awaitable[object]], said: str) -> None:
        async def gone(manager: IterationManager) -> None:
            await deed(manager)
            self._screen.app.call_later(self._screen.notify, said, markup=False)

        if not self.act(gone):
            self._screen.notify("A step is under way. Esc interrupts it; then it can be rewound.")


def _before_last_decision(state: SessionState) -> SessionState:
    """Return a session as it was before its last decision; as it is, where nothing was decided."""
    last = state.way.behind[-1] if state.way.behind else 0
    return next((point.state for point in state.points if point.seq == last), state)
