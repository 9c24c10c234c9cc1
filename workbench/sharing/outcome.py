"""What becomes of what a session asks for: a change to a key, or a file or a task for itself.

A claim is granted if it is free or held by a dead session; else queued if that was asked for, and refused where
not. A refusal is recorded too: who holds it sees who wanted it. A claim that still stands is not said again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.shared import events as say
from workbench.domain.shared import leases
from workbench.domain.shared.context import ContextEvent, SharedState, losers_as_objects, lost, plain
from workbench.domain.shared.leases import Kind, Lease
from workbench.domain.shared.merge import Loser

IsAlive = Callable[[str], bool]
"""Tells whether a session is open anywhere."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """Committed as asked for, merged with what was changed meanwhile, or refused."""

    outcome: Literal["committed", "merged", "refused"]
    key: str
    value: Any = None
    """As the key stands now; null if it has none."""
    version: int = 0
    """The key's; 0 if nothing was changed."""
    rule: str
    losers: tuple[Loser, ...] = ()
    merged_with: str = ""
    """The session whose change it was merged with."""
    event: ContextEvent | None = None
    """The change as it is in the log; None if nothing was changed."""
    why: str = ""
    remedy: str = ""

    @classmethod
    def refused(cls, key: object, error: UsageError) -> Outcome:
        """Return the outcome of what could not be let in."""
        shown = key if isinstance(key, str) else ""
        return cls(outcome="refused", key=shown, rule="invalid-input", why=error.message, remedy=error.remedy)

    @classmethod
    def from_event(cls, event: ContextEvent, merged_with: str) -> Outcome:
        """Return the outcome that a change in the log is."""
        is_plain = event.rule == "unchanged"
        return cls(
            outcome="committed" if is_plain else "merged",
            key=event.key,
            value=plain(event.value),
            version=event.version,
            rule=event.rule,
            losers=event.losers,
            merged_with="" if is_plain else merged_with,
            event=event,
        )

    def as_object(self) -> dict[str, Any]:
        """Return it as JSON values."""
        found = {
            "key": self.key,
            "value": self.value,
            "version": self.version,
            "outcome": self.outcome,
            "rule": self.rule,
            "loser": plain(lost(self.losers)),
            "losers": losers_as_objects(self.losers),
            "merged_with": self.merged_with or None,
            "event_id": self.event.event_id if self.event else None,
        }
        return found | ({"error": self.why} if self.why else {})


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a claim."""

    outcome: Literal["granted", "queued", "refused", "released"]
    kind: str
    name: str
    holder: str = ""
    """Who has it now; "" if nobody does."""
    waiting: int = 0
    """Sessions that wait for it, this one included."""
    taken_over: str = ""
    """The dead session that it was taken from; "" if it was free."""
    event: ContextEvent | None = None
    """The event that says so; None if nothing was changed or refused on record."""
    why: str = ""
    remedy: str = ""

    @property
    def from_whom(self) -> str:
        """Whose it was, in words."""
        return f"; {self.taken_over}, which had it, is open nowhere any more" if self.taken_over else ""

    @property
    def to_whom(self) -> str:
        """Whose it is after a release, in words."""
        return f"; {self.holder} has it now" if self.holder else ""

    def as_object(self) -> dict[str, Any]:
        """Return it as JSON values."""
        names = ("outcome", "kind", "name", "holder", "waiting", "taken_over")
        found = {name: getattr(self, name) for name in names} | {
            "event_id": self.event.event_id if self.event else None
        }
        return found | ({"error": self.why} if self.outcome == "refused" else {})

    @classmethod
    def from_event(cls, event: ContextEvent, kind: Kind, name: str, before: Lease | None, now: SharedState) -> Claim:
        """Return what an event in the log is, made of a lease as it was ``before``."""
        lease = now.leases.get(leases.key_of(kind, name))
        outcome: Literal["granted", "queued", "refused"] = _OUTCOMES.get(event.event_type, "refused")
        claim = cls(
            outcome=outcome,
            kind=kind,
            name=name,
            holder=event.holder,
            waiting=len(lease.waiting) if lease else 0,
            event=event,
        )
        if outcome == "granted":
            return replace(claim, taken_over=before.session if before else "")
        if outcome == "queued":
            return claim
        does = "has" if lease and lease.session == event.holder else "is the next to have"
        return replace(
            claim,
            why=f"{event.holder} {does} the {kind} {name}.",
            remedy="Wait until it is released (--queue), or ask for it there.",
        )

    @classmethod
    def impossible(cls, kind: str, name: str, error: UsageError) -> Claim:
        """Return the refusal of what could not be claimed at all."""
        return cls(outcome="refused", kind=kind, name=name, why=error.message, remedy=error.remedy)


_OUTCOMES: dict[str, Literal["granted", "queued"]] = {"claim": "granted", "queue": "queued"}


class Stands(Exception):
    """An earlier claim of the session still stands: nothing has to be said again."""

    def __init__(self, lease: Lease, session: str) -> None:
        super().__init__(lease.key)
        self.claim = Claim(
            outcome="granted" if lease.session == session else "queued",
            kind=lease.kind,
            name=lease.name,
            holder=lease.session,
            waiting=len(lease.waiting),
        )


def decided(state: SharedState, session: str, kind: Kind, name: str, is_alive: IsAlive, *, waits: bool) -> say.OfLease:
    """Return the event that a claim comes to. Raises UsageError if the session is not open, and Stands."""
    if session not in state.members or not is_alive(session):
        raise UsageError(
            f"{session} is not open anywhere, so it cannot claim anything.",
            f"Open it: `workbench open {session}` or `workbench resume {session}`.",
        )
    lease = state.leases.get(leases.key_of(kind, name))
    if lease is None:
        if len(state.leases) >= leases.MOST_LEASES:
            raise UsageError(f"{leases.MOST_LEASES:,} files and tasks are claimed already.", "Release some of them.")
        return say.LeaseClaimed(of=kind, name=name)
    in_the_way = _in_the_way(lease, session, is_alive)
    if lease.session == session or (session in lease.waiting and in_the_way):
        raise Stands(lease, session)
    if not in_the_way:
        return say.LeaseClaimed(of=kind, name=name, over=lease.event)
    if waits and len(lease.waiting) < leases.MOST_WAITING:
        return say.LeaseQueued(of=kind, name=name)
    return say.LeaseRefused(of=kind, name=name, holder=in_the_way)


def _in_the_way(lease: Lease, session: str, is_alive: IsAlive) -> str:
    """Return the living session that has a lease, or gets it next; "" if that is the session itself."""
    first = next((one for one in lease.line if one == session or is_alive(one)), session)
    return "" if first == session else first


def released(state: SharedState, session: str, kind: Kind, name: str) -> say.LeaseReleased:
    """Return the event that gives a claim back. Raises UsageError if the session has none."""
    lease = state.leases.get(leases.key_of(kind, name))
    if lease is None or session not in lease.line:
        who = f"{lease.session} has it" if lease else "nobody has it"
        raise UsageError(f"{session} has no claim on the {kind} {name}: {who}.", "See `workbench shared sessions`.")
    return say.LeaseReleased(of=kind, name=name)
