"""One session's log as a process sees it: its state, kept up with the log, and the way to append to it.

    record(bodies) ─▶ drafts of this turn ─▶ log.append(expected = the head this state has seen) ─▶ state
                                                ├─ StaleHead: somebody else (a rename, a rating) came first
                                                └─ LogWentBack: what this process knows is kept in a file
    follow() ─▶ the state after each batch that anybody appends; an event that is in the state is not folded again

Synchronous, and safe to use from several threads: call it from worker threads.
"""

from __future__ import annotations

import secrets
import shlex
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import msgspec

from workbench.domain.errors import (
    LogDamaged,
    LogError,
    LogUnavailable,
    LogWentBack,
    NotFound,
    StaleHead,
    UsageError,
    WorkbenchError,
)
from workbench.domain.log.envelope import Draft, Event, Head, Origin, Turn, seal
from workbench.domain.log.ids import AgentId, SessionId, session_id_for
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState, fold
from workbench.planning.ports import Clock, stamp
from workbench.planning.trust.consents import check_decisions
from workbench.storage.ports import DriverLocks, EventLog, KeepsUnsaved, Redactable

Pace = Callable[[Iterator[Event]], Iterable[Event]]
"""Passes events on as they are read, with pauses in which others work; it can end the reading with an exception."""

_OF_A_TRANSCRIPT = (
    say.MessageGiven, say.SessionStopped, say.SessionRenamed, say.PrivacyChanged, say.ContentForgotten,
)  # fmt: skip
"""What may be recorded in a session that is another agent's transcript."""
_CATCH_UPS = 50
"""How often a given event is tried again after a head that keeps moving, before it is put behind whatever is there."""


class KnownEvents:
    """Events 1, 2, 3 … of one session that this process has read or written: what is left where its log goes back.

    Takes as much memory as the session's file.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []

    def taking(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield consecutive events, and remember each instead of what was known from its number on."""
        for event in events:
            del self.events[event.seq - 1 :]
            self.events.append(event)
            yield event

    def hash_of(self, seq: int) -> str:
        """Return the hash of a known event."""
        return self.events[seq - 1].hash


class SessionLog:
    """A session as one process sees it."""

    def __init__(self, log: EventLog, session: SessionId, *, person: str, clock: Clock, pace: Pace = iter) -> None:
        """Open a session. Raises NotFound, LogDamaged, LogTooNew, and what ``pace`` raises."""
        self._log = log
        self._clock = clock
        self.session = SessionId(session)
        self._person = person
        self._lock = threading.RLock()
        self._known = KnownEvents()
        self._appended: Head | None = None
        """Behind what was appended and not seen; None if the state has everything."""
        self._kept_in: Path | None = None
        """The file that was written when the log went back."""
        self._epoch = log.epoch(self.session)
        """Of the history that the state is of, or of the one before: asked first, so that a redaction is noticed."""
        self._state = fold(self._known.taking(pace(iter(log.read(self.session)))))

    @classmethod
    def create(
        cls,
        log: EventLog,
        created: say.SessionCreated,
        *,
        person: str,
        workspace: str,
        clock: Clock,
        ending: str | None = None,
    ) -> SessionLog:
        """Begin a session under an id that nobody else has. ``ending`` fixes the id's random end, for tests."""
        while True:
            session = session_id_for(created.goal, ending or random_ending())
            turn = Turn(session=session, person=person, workspace=workspace)
            first = say.draft(created, turn, actor="person", cause="", time=stamp(clock.now()))
            try:
                log.append(session, [first], expected=0)
            except StaleHead:
                if ending is not None:
                    raise
                continue
            return cls(log, session, person=person, clock=clock)

    @property
    def state(self) -> SessionState:
        """The session as of the last event this process has seen."""
        return self._state

    @contextmanager
    def driving(self) -> Iterator[None]:
        """Hold the driver's lock of the session, where its log knows drivers. Raises LogBusy."""
        if not isinstance(self._log, DriverLocks):
            yield
            return
        with ExitStack() as driven:
            with self._keeping():
                driven.enter_context(self._log.drive(self.session))
            self.refresh()
            yield

    @property
    def is_driven(self) -> bool:
        """Whether some process holds that lock."""
        return isinstance(self._log, DriverLocks) and self._log.driver(self.session) is not None

    def refresh(self, unsaved: Sequence[say.Body] = (), *, actor: str = "person", pace: Pace = iter) -> SessionState:
        """Catch up with the log and return the state.

        ``unsaved`` is what is about to be recorded, by ``actor``: where the log went back, it is kept in the file that
        LogWentBack names.
        """

        def drafts() -> Sequence[Draft]:
            return self._drafts(self._state, unsaved, actor=actor)

        with self._lock, self._keeping(drafts):
            self._appended = None
            epoch = self._log.epoch(self.session)
            try:
                events = list(self._log.read(self.session, after=self._state.seq, known=self._head(self._state)))
            except StaleHead:  # repaired
                is_continued = False
            else:
                is_continued = epoch == self._epoch
            if is_continued:
                self._state = fold(self._known.taking(events), self._state)
            else:  # redacted or repaired: what was forgotten must not come back from this state
                events = list(pace(iter(self._log.read(self.session))))
                self._state = fold(self._known.taking(events))
                self._epoch = epoch
            return self._state

    def follow(self, stopped: Callable[[], bool], *, after: int) -> Iterator[SessionState]:
        """Yield the newest state after each batch of events after ``after``, until ``stopped()`` is true.

        Raises StaleHead if the log was replaced: refresh then, and follow from there. Raises LogWentBack.
        """
        known = Head("", after, self._known.hash_of(after))
        for events in self._log.follow(self.session, after=after, stopped=stopped, known=known):
            with self._lock:
                new = [event for event in events if event.seq > self._state.seq]
                if new and new[0].seq > self._state.seq + 1:
                    self.refresh()
                elif new:
                    self._state = fold(self._known.taking(new), self._state)
            yield self._state

    def _head(self, state: SessionState) -> Head:
        return Head(self._epoch, state.seq, self._known.hash_of(state.seq))

    @contextmanager
    def _keeping(self, drafts: Callable[[], Sequence[Draft]] = tuple) -> Iterator[None]:
        """Write what this process knows, and the log lost, to a file, with the drafts that cannot be appended."""
        try:
            yield
            self._kept_in = None
        except (LogWentBack, LogDamaged, NotFound) as error:
            raise self._with_file(error, drafts()) from error

    def _with_file(self, error: WorkbenchError, drafts: Sequence[Draft]) -> LogWentBack:
        """Return an error that names the file that everything is kept in."""
        if drafts or self._kept_in is None:
            try:
                self._kept_in = self._keep(drafts)
            except LogError as failure:
                lost = "What this process knows could not be written to a file"
                return LogWentBack(f"{error.message} {lost}: {failure.message}", error.remedy)
        unsaved = ", with what it could not save," if drafts else ""
        take_in = f"workbench sessions import --new-id {shlex.quote(str(self._kept_in))}"
        return LogWentBack(
            f"{error.message} All that this process knows of the session{unsaved} is in {self._kept_in}.",
            f"Make a session of that file with `{take_in}`, "
            f"or go on with what is there now: `workbench resume {self.session}`.",
            kept_in=str(self._kept_in),
            kept=len(self._known.events) + len(drafts),
        )

    def _keep(self, drafts: Sequence[Draft]) -> Path:
        if not isinstance(self._log, KeepsUnsaved):
            raise LogUnavailable("This log does not keep its sessions in files.", "Use the log of a workspace.")
        last = self._known.events[-1]
        unsaved = seal(drafts, Head(self._epoch, last.seq, last.hash))
        return self._log.keep_unsaved(self.session, [*self._known.events, *unsaved])

    def events(self) -> tuple[Event, ...]:
        """Return every event of the session as it is in the log."""
        return tuple(self._log.read(self.session))

    def record(
        self,
        bodies: Sequence[say.Body],
        *,
        actor: str,
        cause: str = "",
        agent: str | None = None,
        origin: Origin | None = None,
        next_turn: bool = False,
        seen: SessionState | None = None,
    ) -> tuple[Event, ...]:
        """Append events after the last one of ``seen``, by default of the state as it is, and fold them.

        ``cause`` is the event that led to them, by default the last one that moved the loop. Raises StaleHead when
        somebody else came first: what was derived from an older state must be derived again. Raises UsageError if a
        person is to have decided in the shell of an agent.
        """
        with self._lock:
            state = seen or self._state
            if actor == "person":
                check_decisions(state, bodies)
            in_full = self._drafts(
                state, bodies, actor=actor, cause=cause, agent=agent, origin=origin, next_turn=next_turn
            )
            drafts = list(state.recent.recorded(in_full))
            with self._keeping(lambda: drafts):
                events = self._log.append(self.session, drafts, expected=state.seq, known=self._head(state))
            self._state = fold(self._known.taking(events), state)
            return events

    def new_day(self) -> tuple[say.DayBegun, ...]:
        """Return what is recorded before something from outside, where today is a later day than the session knows."""
        today, state = self._clock.now().date().isoformat(), self._state
        return (say.DayBegun(today=today),) if today > state.today and not state.options.transcript else ()

    def record_given(
        self,
        bodies: Sequence[say.Body],
        *,
        actor: str,
        cause: str = "",
        agent: str | None = None,
        next_turn: bool = False,
    ) -> tuple[Event, ...]:
        """Append what came from outside, behind whatever is there by now: a received reply is never dropped."""
        for _ in range(_CATCH_UPS):
            try:
                return self.record(bodies, actor=actor, cause=cause, agent=agent, origin="given", next_turn=next_turn)
            except StaleHead:
                self.refresh()
        with self._lock:
            drafts = self._drafts(self._state, bodies, actor=actor, cause=cause, agent=agent, next_turn=next_turn)
            return self._append_anywhere(drafts)

    def _append_anywhere(self, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        with self._keeping(lambda: drafts):
            events = self._log.append(self.session, drafts, expected=None, known=self._head(self._state))
        self.refresh()
        return events

    def redact(self, bodies: Mapping[str, msgspec.Raw], said: say.ContentForgotten, *, seen: SessionState) -> None:
        """Give events other bodies, and record it after the last one of ``seen``; both or neither.

        Raises StaleHead if somebody appended meanwhile, LogBusy while anybody drives the session.
        """
        if not isinstance(self._log, Redactable):
            raise LogUnavailable("The events in this log cannot be changed.", "Delete the session instead.")
        with self._lock:
            drafts = self._drafts(seen, [said], actor="person")
            self._log.redact(self.session, bodies, drafts, expected=seen.seq)
            self.refresh()

    def bring_in(
        self, said: Sequence[tuple[say.MessageGiven, AgentId | None]], *, actor: str, seen: bool = True
    ) -> tuple[Event, ...]:
        """Append messages from elsewhere in one batch, each with the agent that it is of; they move no loop.

        Unless ``seen``, the state has them with the next ``refresh`` only: however many are brought in, none is kept
        in memory.
        """
        with self._lock:
            state = self._state
            drafts = [self._drafts(state, [body], actor=actor, agent=agent)[0] for body, agent in said]
            if seen:
                return self._append_anywhere(drafts)
            with self._keeping(lambda: drafts):
                known = self._appended or self._head(state)
                events = self._log.append(self.session, drafts, expected=None, known=known)
            self._appended = Head(self._epoch, events[-1].seq, events[-1].hash)
            return events

    def go(self, to: int | None, *, back: bool) -> SessionState:
        """Let the session stand at another place of its way, by default the nearest; return its state.

        One event, and nothing is lost. For whoever drives it. Raises UsageError if there is no such place, or a step
        is not finished.
        """
        while True:
            state = self.refresh()
            rewound = say.SessionRewound(to=_place(state, to, back=back), redo=not back)
            with suppress(StaleHead):  # a rename, a rating: look again
                self.record([rewound], actor="person", origin="given", seen=state)
                return self.state

    def _drafts(
        self,
        state: SessionState,
        bodies: Sequence[say.Body],
        *,
        actor: str,
        cause: str = "",
        agent: str | None = None,
        origin: Origin | None = "given",
        next_turn: bool = False,
    ) -> list[Draft]:
        if state.options.transcript and not all(isinstance(body, _OF_A_TRANSCRIPT) for body in bodies):
            raise UsageError(
                f"{self.session} is a transcript ({state.options.transcript}) and cannot be continued.",
                "Begin a session of your own, which can search it: workbench run GOAL",
            )
        return drafts_of(
            state,
            bodies,
            person=self._person,
            time=stamp(self._clock.now()),
            actor=actor,
            cause=cause,
            agent=agent,
            origin=origin,
            next_turn=next_turn,
        )


def drafts_of(
    state: SessionState,
    bodies: Sequence[say.Body],
    *,
    person: str,
    time: str,
    actor: str,
    cause: str = "",
    agent: str | None = None,
    origin: Origin | None = None,
    next_turn: bool = False,
) -> list[Draft]:
    """Return bodies, in full, as drafts of what comes after a state, in one batch of one time. Raises UsageError."""
    turn = Turn(
        session=SessionId(state.session),
        person=person,
        workspace=state.workspace,
        number=state.turn + next_turn,
        agent=None if agent is None else AgentId(agent),
    )
    cause = cause or state.trigger
    return [say.draft(body, turn, actor=actor, cause=cause, time=time, origin=origin) for body in bodies]


def _place(state: SessionState, to: int | None, *, back: bool) -> int:
    places = tuple(reversed(state.way.behind)) if back else state.way.ahead
    if state.pending is not None or state.received is not None:
        raise UsageError("A step of the session is not finished.", "Go on with it to its next question first.")
    if not places:
        nothing = "Nothing was decided in it yet." if back else "Nothing was rewound that could be redone."
        raise UsageError(nothing, "To go on from any other event, fork the session there.")
    if to is not None and to not in places:
        known = ", ".join(map(str, sorted(places)))
        raise UsageError(f"Nothing was decided after event {to}.", f"Choose one of {known}, or fork the session.")
    return places[0] if to is None else to


def random_ending() -> str:
    """Return four characters without vowels and look-alikes: no words, no 0 for o."""
    return "".join(secrets.choice("bcdfghjkmnpqrstvwxz23456789") for _ in range(4))
