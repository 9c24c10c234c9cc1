"""One session's log, opened for one actor: its state, kept up with the log, and the way to append to it.

    record(bodies) ─▶ drafts of this turn ─▶ log.append(expected = the head this state has seen) ─▶ state
                                                └─ StaleHead: somebody else (a rename, a rating) came first

Synchronous, and safe to use from several threads: call it from worker threads.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from workbench.domain import events as say
from workbench.domain.envelope import Draft, Event, Origin, Turn
from workbench.domain.errors import LogUnavailable, StaleHead
from workbench.domain.ids import AgentId, SessionId, session_id_for
from workbench.domain.session import SessionState, fold
from workbench.planning.ports import Clock, stamp
from workbench.storage.ports import DriverLocks, EventLog, Redactable

_CATCH_UPS = 50
"""How often a given event is tried again behind a head that keeps moving, before it is put behind whatever is there."""


class SessionLog:
    """A session as one process sees it."""

    def __init__(self, log: EventLog, session: SessionId, *, person: str, clock: Clock) -> None:
        """Open a session. Raises NotFound, LogDamaged, LogTooNew."""
        self._log = log
        self._clock = clock
        self.session = SessionId(session)
        self._person = person
        self._lock = threading.RLock()
        self._state = fold(log.read(self.session))
        head = log.head(self.session)
        self._epoch = head.epoch if head.seq == self._state.seq else ""
        """Of the history that the state is of; "" where that is not sure, as it grew while it was read."""

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
        with self._log.drive(self.session):
            self._start_again_if_replaced()
            yield

    def _start_again_if_replaced(self) -> None:
        """Fold anew what was redacted or repaired meanwhile: what was forgotten must not come back from this state."""
        with self._lock:
            epoch = self._log.head(self.session).epoch
            if epoch != self._epoch:
                self._epoch, self._state = epoch, fold(self._log.read(self.session))

    def refresh(self) -> SessionState:
        """Catch up with the log and return the state."""
        with self._lock:
            self._start_again_if_replaced()
            self._state = fold(self._log.read(self.session, after=self._state.seq), self._state)
            return self._state

    def events(self) -> tuple[Event, ...]:
        """Return every event of the session as it stands in the log."""
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
        """Append events behind the last one of ``seen``, by default of the state as it is, and fold them.

        ``cause`` is the event that led to them, by default the last one that moved the loop. Raises StaleHead when
        somebody else came first: what was derived from an older state must be derived again.
        """
        with self._lock:
            state = seen or self._state
            drafts = self._drafts(
                state, bodies, actor=actor, cause=cause, agent=agent, origin=origin, next_turn=next_turn
            )
            events = self._log.append(self.session, drafts, expected=state.seq)
            self._state = fold(events, state)
            return events

    def record_given(
        self,
        bodies: Sequence[say.Body],
        *,
        actor: str,
        cause: str = "",
        agent: str | None = None,
        next_turn: bool = False,
    ) -> tuple[Event, ...]:
        """Append what came from outside, behind whatever stands there by now: a received reply is never dropped."""
        for _ in range(_CATCH_UPS):
            try:
                return self.record(bodies, actor=actor, cause=cause, agent=agent, origin="given", next_turn=next_turn)
            except StaleHead:
                self.refresh()
        with self._lock:
            drafts = self._drafts(
                self._state, bodies, actor=actor, cause=cause, agent=agent, origin="given", next_turn=next_turn
            )
            events = self._log.append(self.session, drafts, expected=None)
            self.refresh()
            return events

    def redact(self, bodies: Mapping[str, msgspec.Raw], said: say.ContentForgotten, *, seen: SessionState) -> None:
        """Give events other bodies, and record it behind the last one of ``seen``; both or neither.

        Raises StaleHead where somebody appended meanwhile, LogBusy while anybody drives the session.
        """
        if not isinstance(self._log, Redactable):
            raise LogUnavailable("What stands in this log cannot be changed.", "Delete the session instead.")
        with self._lock:
            drafts = self._drafts(seen, [said], actor="person", cause="", agent=None, origin="given", next_turn=False)
            self._log.redact(self.session, bodies, drafts, expected=seen.seq)
            self._start_again_if_replaced()

    def bring_in(self, said: Sequence[tuple[say.MessageGiven, AgentId | None]], *, actor: str) -> tuple[Event, ...]:
        """Append messages from elsewhere in one batch, each with the agent that it is of; they move no loop."""
        with self._lock:
            state = self._state
            drafts = [
                draft
                for body, agent in said
                for draft in self._drafts(
                    state, [body], actor=actor, cause="", agent=agent, origin="given", next_turn=False
                )
            ]
            events = self._log.append(self.session, drafts, expected=None)
            self.refresh()
            return events

    def _drafts(
        self,
        state: SessionState,
        bodies: Sequence[say.Body],
        *,
        actor: str,
        cause: str,
        agent: str | None,
        origin: Origin | None,
        next_turn: bool,
    ) -> list[Draft]:
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
    """Return bodies as they are appended behind a state, in one batch of one time. Raises UsageError."""
    turn = Turn(
        session=SessionId(state.session),
        person=person,
        workspace=state.workspace,
        number=state.turn + next_turn,
        agent=None if agent is None else AgentId(agent),
    )
    cause = cause or state.trigger
    return [say.draft(body, turn, actor=actor, cause=cause, time=time, origin=origin) for body in bodies]


def random_ending() -> str:
    """Return four characters without vowels and look-alikes: no words, no 0 for o."""
    return "".join(secrets.choice("bcdfghjkmnpqrstvwxz23456789") for _ in range(4))
