"""Forks: a session that begins with a copy of another one's beginning, and goes its own way from there.

    origin   e1 … e213 e214 … e412         untouched: it is only read
               │    │
    fork     e1 … e213 ─ session.forked ─▶ a gate asks before anything is spent

Copies keep their ids, bodies and times, so a fork needs its origin no more, and the state behind the last copy is the
origin's there. They are chained anew, as a chain belongs to its stream.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.domain import events as say
from workbench.domain.envelope import Draft, Event, Turn, body_digest
from workbench.domain.errors import StaleHead, UsageError
from workbench.domain.ids import SessionId, session_id_for
from workbench.domain.session import SessionState, fold
from workbench.domain.text import clean_name
from workbench.planning import verdicts
from workbench.planning.ports import Clock, stamp
from workbench.planning.session_log import random_ending
from workbench.storage.ports import EventLog


def fork(
    log: EventLog,
    events: Sequence[Event],
    at: int,
    *,
    person: str,
    workspace: str,
    clock: Clock,
    name: str = "",
    ending: str | None = None,
) -> SessionId:
    """Begin a session in ``log`` with the events of another one up to event ``at``; return its id.

    ``events`` are the origin's from its first one, of any log or file; ``ending`` fixes the random end of the fork's
    id, for tests. Raises UsageError for an event that there is not, LogDamaged where they cannot be folded, LogError.
    """
    if not 1 <= at <= len(events):
        raise UsageError(f"There is no event {at}.", f"Fork at one from 1 to {len(events)}.")
    beginning = events[:at]
    state = fold(beginning)
    while True:
        session = session_id_for(state.goal, ending or random_ending())
        turn = Turn(session=session, person=person, workspace=workspace, number=state.turn + 1)
        forked = say.draft(
            _forked(beginning, state, name, private=_is_private(events)),
            turn,
            actor="person",
            cause=beginning[-1].id,
            time=stamp(clock.now()),
        )
        try:
            log.append(str(session), [*copied(beginning, session), forked], expected=0)
        except StaleHead:
            if ending is not None:
                raise
            continue
        return session


def copied(events: Sequence[Event], session: SessionId) -> list[Draft]:
    """Return events as drafts for another session: what they say, when, by whom and under which id stays."""
    return [
        Draft(
            kind=event.kind,
            v=event.v,
            origin=event.origin,
            session=str(session),
            agent=event.agent,
            actor=event.actor,
            person=event.person,
            workspace=event.workspace,
            turn=event.turn,
            cause=event.cause,
            time=event.time,
            body=event.body,
            id=event.id,
        )
        for event in events
    ]


def _is_private(events: Sequence[Event]) -> bool:
    """Tell whether a session is private by now: made private late, it is in all that it said before."""
    changed = next((event for event in reversed(events) if event.kind == "privacy.changed"), None)
    body = None if changed is None else say.content(changed)
    return isinstance(body, say.PrivacyChanged) and body.private


def _forked(beginning: Sequence[Event], state: SessionState, name: str, *, private: bool) -> say.SessionForked:
    last = beginning[-1]
    return say.SessionForked(
        origin=state.session,
        at=last.seq,
        hash=last.hash,
        name=clean_name(name or f"Fork of {state.name}", verdicts.NAME_LENGTH),
        forgotten=tuple(event.id for event in beginning if body_digest(event.body) != event.body_hash),
        private=private,
    )
