"""The state of a session: a fold over its events, and nothing else.

    events ──fold──▶ SessionState ──next_step (steps.py)──▶ what happens next
             │
             └ folding/: what each kind changes

So replay, recovery and forks need no code of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.copies import outline
from workbench.domain.session.folding import (
    calls,
    course,
    decisions,
    iterations,
    recalling,
    reviewing,
    rewinding,
    talking,
    using,
)
from workbench.domain.session.state import SessionState

__all__ = ["SessionState", "apply", "created_twice", "fold", "said_after"]

_THEMES = (
    course.folds,
    rewinding.folds,
    decisions.folds,
    calls.folds,
    iterations.folds,
    talking.folds,
    reviewing.folds,
    using.folds,
    recalling.folds,
)
_FOLDS = {kind: fold for theme in _THEMES for kind, fold in theme.by_kind.items()}


def created_twice(event: Event) -> LogDamaged:
    """Return the error for a creation in the middle of a session: what came before would silently be gone."""
    return LogDamaged(
        f"Session {event.session} is created a second time by its event {event.seq}.", say.KEEP_WHAT_IS_BEFORE
    )


def apply(state: SessionState | None, event: Event) -> SessionState:
    """Return the state after one more event.

    Raises LogDamaged when a session is not created first, and once; LogTooNew for rules that are not known here.
    """
    # a call's fold needs nothing that is copied; what it was sent is rebuilt when somebody looks at it
    body = say.content(outline(event)) if event.kind == say.CallStarted.kind else said_after(state, event)
    if isinstance(body, say.SessionCreated):
        if state is not None:
            raise created_twice(event)
        return course.created(event, body)
    if state is None:
        raise LogDamaged(
            f"Session {event.session} begins with {event.kind!r} instead of its creation.",
            "Restore the file from a copy, or delete the session.",
        )
    fold_body = None if isinstance(body, say.Unknown) else _FOLDS.get(event.kind)
    after = state if fold_body is None else fold_body(state, event, body)
    asks = isinstance(body, say.MessageGiven) and body.to != ""
    moves_loop = asks or (isinstance(body, say.Body) and body.moves_loop)
    return replace(
        after,
        seq=event.seq,
        updated=event.time,
        turn=event.turn,
        trigger=event.id if moves_loop else state.trigger,
        recent=state.recent.after(event),
        way=after.way.left() if after.way.here and event.kind in say.ENDS_REWIND else after.way,
    )


def said_after(state: SessionState | None, event: Event) -> say.Body | say.Unknown:
    """Return all that the event after a state says. Raises LogDamaged."""
    return say.content(event if state is None else state.recent.whole(event))


def fold(events: Iterable[Event], state: SessionState | None = None) -> SessionState:
    """Return the state after ``events``, from the beginning or from an earlier ``state``.

    Raises LogDamaged if there is no event at all, and as ``apply`` does.
    """
    for event in events:
        state = apply(state, event)
    if state is None:
        raise LogDamaged("The session has no events.", "Delete it, or restore the file from a copy.")
    return state
