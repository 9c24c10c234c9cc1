"""The shared context: a pure fold over the shared stream, and how a change to it is decided.

The stream is written by every session of a project, so what it says is checked once more when it is folded: keys and
values that are not clean, or too much, have no effect and are shown as ``disregarded``; versions and previous values
are counted here, whatever an event claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import InvalidId, LogDamaged, UsageError
from workbench.domain.log.bodies import Unknown
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId
from workbench.domain.session.events import ContentForgotten
from workbench.domain.shared import events as say
from workbench.domain.shared import leases as held
from workbench.domain.shared.input import (
    MOST_KEYS,
    MOST_MEMBERS,
    MOST_OF_A_VALUE,
    OWN,
    check_owner,
    clean_key,
    clean_value,
    fits,
)
from workbench.domain.shared.merge import ABSENT, Loser, Merged, merge, same
from workbench.domain.text.cleaning import clean_json

EventType = Literal[
    "update", "merge", "delete", "undo", "join", "leave", "claim", "queue", "refuse", "release", "forget", "disregarded"
]

_TYPES: dict[type[say.Body], EventType] = {
    say.KeySet: "update",
    say.KeyMerged: "merge",
    say.KeyDeleted: "delete",
    say.KeyUndone: "undo",
    say.SessionJoined: "join",
    say.SessionLeft: "leave",
    say.LeaseClaimed: "claim",
    say.LeaseQueued: "queue",
    say.LeaseRefused: "refuse",
    say.LeaseReleased: "release",
    ContentForgotten: "forget",
}
_encode = msgspec.json.Encoder().encode


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A key as it is."""

    value: Any = ABSENT
    """ABSENT: it was deleted, or never set; its versions go on."""
    version: int = 0
    session: str = ""
    """Who changed it last."""
    event: str = ""
    seq: int = 0
    """Its place in the stream."""
    time: str = ""
    """UTC, ISO 8601."""


NOTHING = Entry()
"""A key that nobody ever set."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A session that takes part."""

    session: str
    joined: str
    """UTC, ISO 8601."""
    last: str
    """When it last joined, changed something, or claimed, waited for or gave back something."""
    changes: int = 0
    """Since it joined."""


class ContextEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A change to the shared context, as it is shown."""

    seq: int
    event_id: str
    session_id: str
    timestamp: str
    event_type: EventType
    key: str = ""
    """"" if a session joined or left, something was forgotten, or happened to a lease."""
    value: Any = ABSENT
    previous_value: Any = ABSENT
    base_version: int = 0
    version: int = 0
    rule: str = ""
    losers: tuple[Loser, ...] = ()
    undone: str = ""
    """Id of the event that an undo took back."""
    lease: str = ""
    """What was claimed, queued for, refused or released: ``file:docs/plan.md``."""
    holder: str = ""
    """Who has that now, or gets it next if that is why it was refused; "" if nobody does."""
    taken_from: str = ""
    """The dead session that it was taken over from; "" if it was free."""
    context_hash: str
    """The link of the log's hash chain."""

    def as_object(self) -> dict[str, Any]:
        """Return it as JSON values; what is not there is null."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        fields |= {name: fields[name] or None for name in ("key", "rule", "undone", "lease", "holder", "taken_from")}
        return fields | {
            "value": plain(self.value),
            "previous_value": plain(self.previous_value),
            "loser": plain(lost(self.losers)),
            "losers": losers_as_objects(self.losers),
        }


class SharedContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a session is shown of the shared context."""

    context_id: str
    created_at: str
    last_updated: str
    sessions: tuple[str, ...]
    data: dict[str, Any]
    version: int
    """Changes to keys so far."""
    versions: dict[str, int]
    """Key → its version."""


class SharedState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the stream comes to."""

    seq: int = 0
    """Of the last event that was folded."""
    hash: str = ""
    """Of that event: the ``context_hash``."""
    context_id: str = ""
    created_at: str = ""
    last_updated: str = ""
    changes: int = 0
    live: int = 0
    """Keys that have a value."""
    entries: dict[str, Entry] = {}
    members: dict[str, Member] = {}
    leases: dict[str, held.Lease] = {}
    """By what they are known under (``domain.leases.key_of``)."""

    def entry(self, key: str) -> Entry:
        """Return a key as it is; NOTHING if nobody ever set it."""
        return self.entries.get(key, NOTHING)

    def changed_since(self, seq: int) -> Iterator[tuple[str, Entry]]:
        """Yield the keys that changed after a place in the stream, as they are now, the last changed last."""
        later = ((key, entry) for key, entry in self.entries.items() if entry.seq > seq)
        yield from sorted(later, key=lambda one: one[1].seq)

    def context(self) -> SharedContext:
        """Return what a session is shown."""
        there = {key: entry for key, entry in self.entries.items() if entry.value is not ABSENT}
        return SharedContext(
            context_id=self.context_id,
            created_at=self.created_at,
            last_updated=self.last_updated,
            sessions=tuple(sorted(self.members)),
            data={key: entry.value for key, entry in there.items()},
            version=self.changes,
            versions={key: entry.version for key, entry in there.items()},
        )


def plain(value: Any) -> Any:
    """Return a value as JSON has it: null if there is none."""
    return None if value is ABSENT else value


def lost(losers: Iterable[Loser]) -> Any:
    """Return what lost in the shape of the value: the value, or an object of the parts that lost; ABSENT for nothing.

    A deletion that lost is null.
    """
    whole: Any = ABSENT
    for loser in losers:
        if not loser.path:
            return plain(loser.value)
        whole = {} if whole is ABSENT else whole
        place = whole
        for key in loser.path[:-1]:
            inner = place.get(key)
            place[key] = inner if isinstance(inner, dict) else {}
            place = place[key]
        place[loser.path[-1]] = plain(loser.value)
    return whole


def losers_as_objects(losers: Iterable[Loser]) -> list[dict[str, Any]]:
    """Return each that lost with its place, its rule, and whether it was a deletion."""
    return [
        {"path": list(loser.path), "value": plain(loser.value), "deleted": loser.value is ABSENT, "rule": loser.rule}
        for loser in losers
    ]


# deciding


def decide(
    state: SharedState, key: str, mine: Any, base: Entry, *, undone: str = "", passing: bool = False
) -> say.Change:
    """Return the event that a change comes to; ``base`` is the key as its session saw it last.

    ``key`` and ``mine`` are clean; ABSENT deletes. ``undone`` names an event: ``base`` is then what that made of the
    key, and ``mine`` what was before it. Raises UsageError if there would be too many keys.
    """
    now = state.entry(key)
    if base.version == now.version:
        decided = Merged(value=mine, rule="unchanged")
    else:
        decided = merge(base.value, now.value, mine)
    if not fits(decided.value):
        decided = Merged(value=mine, rule="too-large", losers=(Loser(value=now.value, rule="too-large"),))
    if now.value is ABSENT and decided.value is not ABSENT and state.live >= MOST_KEYS:
        raise UsageError(f"The shared context has {MOST_KEYS:,} keys already.", "Delete some of them first.")
    fields: dict[str, Any] = {
        "key": key,
        "value": decided.value,
        "previous_value": now.value,
        "base_version": base.version,
        "version": now.version + 1,
        "rule": decided.rule,
        "losers": decided.losers,
        "passing": passing,
    }
    if undone:
        return say.KeyUndone(undone=undone, **fields)
    if decided.rule != "unchanged":
        return say.KeyMerged(mine=mine, **fields)
    return say.KeyDeleted(**fields) if mine is ABSENT else say.KeySet(**fields)


# folding


def fold(events: Iterable[Event], state: SharedState | None = None) -> SharedState:
    """Return what events come to, after a state that they follow. Never fails on what one says."""
    folding = Folding(state or SharedState())
    for event in events:
        folding.take(event)
    return folding.state()


class Folding:
    """A state in the making: its tables are copied once for a batch, not once for an event."""

    def __init__(self, state: SharedState) -> None:
        self._before = state
        self._last: Event | None = None
        self._created = state.created_at
        self._context_id = state.context_id
        self._changes = state.changes
        self._live = state.live
        self._entries = dict(state.entries)
        self._members = dict(state.members)
        self._leases = dict(state.leases)

    def state(self) -> SharedState:
        """Return the state as of the last event that was taken; nothing is taken any more after this."""
        if self._last is None:
            return self._before
        return SharedState(
            seq=self._last.seq,
            hash=self._last.hash,
            context_id=self._context_id,
            created_at=self._created,
            last_updated=self._last.time,
            changes=self._changes,
            live=self._live,
            entries=self._entries,
            members=self._members,
            leases=self._leases,
        )

    def take(self, event: Event) -> ContextEvent:
        """Fold one event, and return it as it is shown."""
        self._last = event
        self._created = self._created or event.time
        self._context_id = self._context_id or event.workspace
        try:
            SessionId(event.session)
            body = say.content(event)
        except (InvalidId, LogDamaged):
            return _context_event(event, "disregarded")
        match body:
            case Unknown() | say.LessonAccepted() | say.LessonRefused() | say.LessonRetired():
                return _context_event(event, "disregarded")  # lessons have a stream of their own
            case say.SessionJoined() | say.SessionLeft():
                return self._take_member(event, body)
            case say.LeaseClaimed() | say.LeaseQueued() | say.LeaseRefused() | say.LeaseReleased():
                return self._take_lease(event, body)
            case ContentForgotten():
                return _context_event(event, _TYPES[type(body)])
            case _:
                return self._take_change(event, body)

    def _take_member(self, event: Event, body: say.SessionJoined | say.SessionLeft) -> ContextEvent:
        if isinstance(body, say.SessionLeft):
            self._members.pop(event.session, None)
        elif event.session in self._members or len(self._members) < MOST_MEMBERS:
            self._members[event.session] = Member(session=event.session, joined=event.time, last=event.time)
        else:
            return _context_event(event, "disregarded")
        course = self._entries.get(OWN + event.session, NOTHING)
        if isinstance(body, say.SessionLeft) and course.value is not ABSENT:
            self._put(OWN + event.session, ABSENT, event)
        held.end(self._leases, event.session, event=event.id, at=event.time)  # of a life that is over
        return _context_event(event, _TYPES[type(body)])

    def _put(self, key: str, value: Any, event: Event) -> Entry:
        before = self._entries.get(key, NOTHING)
        after = Entry(
            value=value,
            version=before.version + 1,
            session=event.session,
            event=event.id,
            seq=event.seq,
            time=event.time,
        )
        self._entries[key] = after
        self._live += (value is not ABSENT) - (before.value is not ABSENT)
        self._changes += 1
        return after

    def _take_lease(self, event: Event, body: say.OfLease) -> ContextEvent:
        by, key = event.session, held.key_of(body.of, body.name)
        before = self._leases.get(key)
        if not _is_named(body) or by not in self._members or not self._lease_changed(event, body):
            return _context_event(event, "disregarded")
        self._members[by] = replace(self._members[by], last=event.time)
        lease = self._leases.get(key)
        holder = body.holder if isinstance(body, say.LeaseRefused) else lease.session if lease else ""
        taken_from = before.session if isinstance(body, say.LeaseClaimed) and before else ""
        return replace(_context_event(event, _TYPES[type(body)]), lease=key, holder=holder, taken_from=taken_from)

    def _lease_changed(self, event: Event, body: say.OfLease) -> bool:
        leases, by = self._leases, event.session
        match body:
            case say.LeaseClaimed(of=kind, name=name, over=over):
                return held.claim(leases, kind, name, by=by, over=over, event=event.id, at=event.time)
            case say.LeaseQueued(of=kind, name=name):
                return held.queue(leases, kind, name, by=by)
            case say.LeaseReleased(of=kind, name=name):
                return held.release(leases, kind, name, by=by, event=event.id, at=event.time)
            case say.LeaseRefused(of=kind, name=name, holder=holder):
                lease = leases.get(held.key_of(kind, name))
                return lease is not None and holder in lease.line and holder != by

    def _take_change(self, event: Event, body: say.Change) -> ContextEvent:
        before = self._entries.get(body.key, NOTHING)
        live = self._live + (body.value is not ABSENT) - (before.value is not ABSENT)
        if not _is_clean(body, event.session) or live > max(MOST_KEYS, self._live):
            return _context_event(event, "disregarded")
        after = self._put(body.key, body.value, event)
        member = self._members.get(event.session)
        if member is not None:
            counted = replace(member, last=event.time, changes=member.changes + 1)
            self._members[event.session] = counted
        return _context_event(event, _TYPES[type(body)], body, before, after)


def _is_named(body: say.OfLease) -> bool:
    try:
        return held.clean_lease(body.of, body.name) == (body.of, body.name)
    except UsageError:
        return False


def _is_clean(body: say.Change, session: str) -> bool:
    """Tell whether what an event says is as this workbench would have let it in."""
    beside = msgspec.to_builtins((body.rule, body.losers))
    try:
        check_owner(body.key, session)
        return (
            clean_key(body.key) == body.key
            and (body.value is ABSENT or same(clean_value(body.value), body.value))
            and same(clean_json(beside), beside)
            and len(_encode(beside)) <= 2 * MOST_OF_A_VALUE
        )
    except UsageError:
        return False


def _context_event(
    event: Event, event_type: EventType, body: say.Change | None = None, before: Entry = NOTHING, after: Entry = NOTHING
) -> ContextEvent:
    return ContextEvent(
        seq=event.seq,
        event_id=event.id,
        session_id=event.session,
        timestamp=event.time,
        event_type=event_type,
        key=body.key if body else "",
        value=after.value,
        previous_value=before.value,
        base_version=body.base_version if body else 0,
        version=after.version,
        rule=body.rule if body else "",
        losers=body.losers if body else (),
        undone=body.undone if isinstance(body, say.KeyUndone) else "",
        context_hash=event.hash,
    )
