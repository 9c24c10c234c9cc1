"""What can happen in the shared context: the bodies of its stream's events.

All are given: they come from sessions that know nothing of each other but this stream. None of them is an event of a
session, so no peer can answer a gate, approve a plan or change a bound: whatever a value says, it is data. A body's
fields only grow, each new one with a default.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from workbench.domain.log import bodies
from workbench.domain.log.envelope import Draft, Event, Turn
from workbench.domain.session.events import ContentForgotten, Count, Lesson
from workbench.domain.shared.leases import Kind
from workbench.domain.shared.merge import ABSENT, Loser


class _Change(msgspec.Struct, frozen=True, kw_only=True):
    """One key has another value from now on."""

    key: str
    value: Any = ABSENT
    """JSON; left out if the key is deleted from now on."""
    previous_value: Any = ABSENT
    """What was before; left out if nothing did."""
    base_version: Count
    """The version of the key that its session had seen last; 0 if it had seen none."""
    version: Count
    """1 for the key's first value, then +1 with each change, deletions too."""
    rule: str
    """What decided: ``unchanged`` if nobody had changed the key since, else one of ``domain.merge``."""
    losers: tuple[Loser, ...] = ()
    """What was wanted and does not stand."""
    passing: bool = False
    """Whether its session exists for this one change only: a command without a session of its own."""


class KeySet(_Change, frozen=True, kw_only=True):
    """A session set a key that nobody had changed since it looked."""


class KeyMerged(_Change, frozen=True, kw_only=True):
    """A session's change met one it had not seen."""

    mine: Any = ABSENT
    """What its session asked for; left out if that was a deletion."""


class KeyDeleted(_Change, frozen=True, kw_only=True):
    """A session deleted a key; its versions go on."""


class KeyUndone(_Change, frozen=True, kw_only=True):
    """A change was taken back, and what others changed since was kept if it could be."""

    undone: str
    """Id of the event that made it."""


class SessionJoined(msgspec.Struct, frozen=True, kw_only=True):
    """A session takes part from now on."""


class SessionLeft(msgspec.Struct, frozen=True, kw_only=True):
    """A session takes part no more."""

    reason: str = ""


class _OfLease(msgspec.Struct, frozen=True, kw_only=True):
    """Something happened to a file or a task that sessions have for themselves."""

    of: Kind
    name: str


class LeaseClaimed(_OfLease, frozen=True, kw_only=True):
    """A session has it for itself from now on."""

    over: str = ""
    """Id of the event that gave it to a session which is dead; "" if it was free."""


class LeaseQueued(_OfLease, frozen=True, kw_only=True):
    """A session waits for it."""


class LeaseRefused(_OfLease, frozen=True, kw_only=True):
    """A session wanted it and did not get it; nothing changed, and both can see it."""

    holder: str
    """Who has it, or gets it next."""


class LeaseReleased(_OfLease, frozen=True, kw_only=True):
    """A session has it no more, or waits for it no more."""


class _Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A person decided about a lesson of earlier sessions; the last decision holds. In a stream of their own."""

    lesson: Lesson


class LessonAccepted(_Decision, frozen=True, kw_only=True):
    """Sessions that it fits are given it from now on; with other words than were proposed, if they are reworded."""


class LessonRefused(_Decision, frozen=True, kw_only=True):
    """No session is given it."""


class LessonRetired(_Decision, frozen=True, kw_only=True):
    """It was accepted, and no further session is given it."""


Change = KeySet | KeyMerged | KeyDeleted | KeyUndone
OfLease = LeaseClaimed | LeaseQueued | LeaseRefused | LeaseReleased
Decision = LessonAccepted | LessonRefused | LessonRetired
Body = Change | SessionJoined | SessionLeft | OfLease | Decision | ContentForgotten

FORGOTTEN = "shared.forgotten"
"""The kind that vouches for redacted events of the shared stream; it says the same as a session's own."""

KINDS: dict[str, type[Body]] = {
    FORGOTTEN if body is ContentForgotten else bodies.kind_of(body): body for body in get_args(Body)
}
"""By kind: that of the class, so a class that is in files keeps its name."""

_KINDS: bodies.Kinds[Body] = bodies.Kinds(
    KINDS, dict.fromkeys(KINDS, 1), remedy="It has no effect; nothing else is lost."
)


def content(event: Event) -> Body | bodies.Unknown:
    """Return what an event says. Raises LogDamaged if it does not say what its kind should."""
    return _KINDS.content(event)


def draft(body: Body, turn: Turn, *, actor: str, time: str) -> Draft:
    """Return a body as the draft of an event; each is its own cause. Raises UsageError for one with no JSON."""
    return _KINDS.draft(body, turn, actor=actor, cause="", time=time, origin="given")
