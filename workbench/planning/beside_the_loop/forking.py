"""Forks: a session that begins with a copy of another one's beginning, and goes its own way from there.

    origin   e1 … e213 e214 … e412         untouched: it is only read
               │    │
    fork     e1 … e213 ─ session.forked ─▶ a gate asks before anything is spent

Copies keep their ids, bodies and times, so a fork needs its origin no more, and the state after the last copy is the
origin's there. They are chained again, as a chain belongs to its stream.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.domain.errors import LogDamaged, StaleHead, UsageError
from workbench.domain.log import rules
from workbench.domain.log.envelope import Draft, Event, Turn, body_digest
from workbench.domain.log.ids import SessionId, session_id_for
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState, fold
from workbench.domain.text.cleaning import clean_name
from workbench.planning.beside_the_loop import verdicts
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

    ``events`` are all of the origin's, of any log or file: one that was made private later has private forks.
    ``ending`` fixes the random end of the fork's id, for tests. Raises UsageError for an event that there is not, or
    that is after a damaged place, LogDamaged if they cannot be folded, LogError.
    """
    whole = next((place for place, event in enumerate(events) if event.seq != place + 1), len(events))
    if not 1 <= at <= whole:
        why = f"What stands before event {at} is damaged." if whole < len(events) else f"There is no event {at}."
        raise UsageError(why, f"Fork at one from 1 to {whole}.")
    beginning = events[:at]
    _check_ids(beginning)
    state = fold(beginning)
    private = fold(events[at:], state).private
    while True:
        session = session_id_for(state.goal, ending or random_ending())
        turn = Turn(session=session, person=person, workspace=workspace, number=state.turn + 1)
        forked = say.draft(
            _forked(beginning, state, name, private=private),
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
        except ValueError as error:  # a file can hold, in a part that nobody reads, what no log accepts
            why = f"The events up to event {at} cannot be taken over: {error}"
            raise LogDamaged(why, "Fork at an earlier event, with --at.") from error
        return session


def _check_ids(events: Sequence[Event]) -> None:
    """Raise LogDamaged if two events have the same id: no log takes in both."""
    first: dict[str, int] = {}
    for event in events:
        if event.id in first:
            remedy = f"Fork at one from 1 to {event.seq - 1}."
            raise LogDamaged(f"Events {first[event.id]} and {event.seq} have the same id.", remedy)
        first[event.id] = event.seq


def copied(events: Sequence[Event], session: SessionId) -> list[Draft]:
    """Return events as drafts for another session: what they say, when, by whom and under which id stays."""
    said = ({name: getattr(event, name) for name in Draft.__struct_fields__} for event in events)
    return [Draft(**fields | {"session": str(session)}) for fields in said]


def _forked(beginning: Sequence[Event], state: SessionState, name: str, *, private: bool) -> say.SessionForked:
    last = beginning[-1]
    return say.SessionForked(
        origin=state.session,
        at=last.seq,
        hash=last.hash,
        name=clean_name(name or f"Fork of {state.name}", verdicts.NAME_LENGTH),
        forgotten=tuple(event.id for event in beginning if body_digest(event.body) != event.body_hash),
        private=private,
        rules=rules.CURRENT,
    )
