"""The state of a session: a fold over its events, and nothing else.

    events ──fold──▶ SessionState ──next_step (steps.py)──▶ what happens next
             │
             └ folding/: what each kind changes

So replay, recovery and forks need no code of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.errors import LogDamaged
from workbench.domain.folding import calls, course, decisions, iterations, recalling, rewinding, talking
from workbench.domain.folding.folds import Folds
from workbench.domain.session_state import (
    CHAT,
    CONDENSE,
    WORK,
    Asking,
    Current,
    Entity,
    HistoryItem,
    Moment,
    PendingCall,
    PlanVersion,
    Received,
    SessionState,
    SharedSeen,
    Spent,
    Status,
    Worker,
    tokens_tree,
)

__all__ = [
    "CHAT",
    "CONDENSE",
    "WORK",
    "Asking",
    "Current",
    "Entity",
    "HistoryItem",
    "Moment",
    "PendingCall",
    "PlanVersion",
    "Received",
    "SessionState",
    "SharedSeen",
    "Spent",
    "Status",
    "Worker",
    "apply",
    "created_twice",
    "fold",
    "moves_on",
    "tokens_tree",
]

_FOLDS: Folds = (
    course.FOLDS | rewinding.FOLDS | decisions.FOLDS | calls.FOLDS | iterations.FOLDS | talking.FOLDS | recalling.FOLDS
)

_ASIDE = frozenset(
    {
        "session.renamed",
        "rating.given",
        "outcome.logged",
        "message.given",
        "agent.added",
        "agent.answered",
        "worker.reported",
        "entity.stored",
        "others.searched",
        "shared.observed",
        "privacy.changed",
        "recall.switched",
        "item.marked",
        "content.forgotten",
        "call.retried",
        "conversation.condensed",
    }
)
"""Kinds that do not move the loop, so that nothing is derived because of them; unknown ones do not either."""

_STAYS = frozenset(
    {
        "session.resumed",
        "session.renamed",
        "session.stopped",
        "session.rewound",
        "bounds.changed",
        "rating.given",
        "outcome.logged",
        "agent.added",
        "others.searched",
        "shared.observed",
        "privacy.changed",
        "recall.switched",
        "item.marked",
        "content.forgotten",
    }
)
"""Kinds that a session takes while it stands where it was rewound to."""


def moves_on(kind: str) -> bool:
    """Tell whether a session leaves the place that it was rewound to with an event of a kind.

    Behind any other one the rewind can be taken back.
    """
    return kind in say.KINDS and kind not in _STAYS


def created_twice(event: Event) -> LogDamaged:
    """Return the error for a creation in the middle of a session: what came before would silently be gone."""
    return LogDamaged(
        f"Session {event.session} is created once more by its event {event.seq}.",
        say.KEEP_WHAT_IS_BEFORE,
    )


def apply(state: SessionState | None, event: Event) -> SessionState:
    """Return the state after one more event. Raises LogDamaged when a session is not created first, and once."""
    body = say.content(event)
    if isinstance(body, say.SessionCreated):
        if state is not None:
            raise created_twice(event)
        return course.created(event, body)
    if state is None:
        raise LogDamaged(
            f"Session {event.session} begins with {event.kind!r} instead of its creation.",
            "Restore the file from a copy, or delete the session.",
        )
    changes = _FOLDS[type(body)](state, event, body)
    if state.way.here and moves_on(event.kind):
        changes = {"way": state.way.left()} | changes
    asks = isinstance(body, say.MessageGiven) and body.to != ""
    is_aside = (event.kind in _ASIDE and not asks) or isinstance(body, say.Unknown)
    trigger = state.trigger if is_aside else event.id
    return replace(state, seq=event.seq, updated=event.time, turn=event.turn, trigger=trigger, **changes)


def fold(events: Iterable[Event], state: SessionState | None = None) -> SessionState:
    """Return the state after ``events``, from the beginning or from an earlier ``state``.

    Raises LogDamaged where there is no event at all, or the first one is not a creation.
    """
    for event in events:
        state = apply(state, event)
    if state is None:
        raise LogDamaged("The session has no events.", "Delete it, or restore the file from a copy.")
    return state
