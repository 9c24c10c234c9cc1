"""What every event carries, whatever it says: place, origin, cause, actor, and its link in the hash chain.

    hash(n) = sha256(hash(n-1) + header(n)),   header(n) includes sha256(body(n))

The chain runs over headers and over the *hash* of each stored body, so a body can be redacted and the chain still
holds: the event then names the body that it has now, and a later event vouches for it (domain/session/forgetting.py).
Bodies are kept as the bytes that were written: an event of a kind this version does not know survives every copy
unchanged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.log.ids import AgentId, SessionId

Origin = Literal["given", "derived"]
"""Given: came from outside (a person, a model's reply, a tool, a clock, another process). Derived: follows from the
events before it, and can be computed again from them."""

UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
"""What decoding bytes of any origin may raise: no JSON, another type, no UTF-8, a number of 5,000 digits, nested
100,000 deep."""


def said_at(stamp: str) -> datetime:
    """Return an event's time, without an offset in UTC; the beginning of 1970 for what is no time, or earlier."""
    first = datetime.fromtimestamp(0, UTC)
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return first
    return max(moment if moment.tzinfo else moment.replace(tzinfo=UTC), first)


class Header(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Everything about an event except what it says."""

    seq: int
    """Position in its stream: 1 for the first event, then +1, without gaps."""
    id: str
    """``{session}:{n}``; unique in the stream. A repeated id is acknowledged and not stored twice."""
    kind: str
    """What happened, ``noun.past-participle``; the type of the body."""
    v: int
    """Version of the kind's body; raised when its fields change, read through domain/log/bodies.py."""
    origin: Origin
    session: str
    agent: str | None
    """The role or agent whose turn it was; None outside of any agent's turn."""
    actor: str
    """Who did it: ``person``, ``policy``, ``workbench``, a role's name, ``model``, ``tool:{name}``."""
    person: str
    """The person at the keyboard (settings, else the system's user)."""
    workspace: str
    turn: int
    """Which stretch of driving it belongs to: 1 from creation, +1 whenever a process takes the session up again."""
    cause: str
    """Id of the event that led to it; the first event of a session is its own cause."""
    time: str
    """UTC, ISO 8601 with microseconds and Z. For display; order is ``seq``."""
    body_hash: str
    """sha256 of the body as it was written, hex."""


class Event(Header, frozen=True, kw_only=True, omit_defaults=True):
    """One fact in a log."""

    redacted: str = ""
    """sha256 of the body as it is now, hex, if that is not the one that was written; "" if it is."""
    body: msgspec.Raw
    """JSON as stored. ``workbench.domain.session.events.content`` gives the typed body."""
    hash: str
    """This event's link of the chain, hex."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event before its log has given it a place."""

    kind: str
    v: int
    origin: Origin
    session: str
    agent: str | None
    actor: str
    person: str
    workspace: str
    turn: int
    cause: str
    """An event's id, or "" for the first event of a stream, which is its own cause."""
    time: str
    body: msgspec.Raw
    id: str = ""
    """Given by writers that number their own events; "" lets the log say ``{session}:{seq}``."""


class Head(msgspec.Struct, frozen=True):
    """The end of a stream: the cursor after its last event, and the hash to chain to."""

    epoch: str
    """Names one continuous history. Another epoch, or a gap, means: read again from the start."""
    seq: int
    """0 for an empty stream."""
    hash: str


class Turn(Struct, frozen=True):
    """Who is acting, for whom, where: handed on explicitly inside a turn, never ambient, never in a prompt."""

    session: SessionId
    person: str
    workspace: str
    number: int = 1
    agent: AgentId | None = None

    def for_agent(self, agent: AgentId | None) -> Turn:
        """Return the same turn narrowed to one agent."""
        return replace(self, agent=agent)


def genesis(stream: str) -> str:
    """Return the hash that a stream's first event chains to; it differs for each stream, so files cannot be swapped."""
    return hashlib.sha256(b"workbench stream " + stream.encode()).hexdigest()


_HEADER_FIELDS = Header.__struct_fields__
_encode = msgspec.json.Encoder().encode


def chained(previous: str, header: Header) -> str:
    """Return the hash of an event with this header that follows one with the hash ``previous``."""
    if isinstance(header, Event):
        header = Header(**{name: getattr(header, name) for name in _HEADER_FIELDS})
    return hashlib.sha256(previous.encode() + _encode(header)).hexdigest()


def body_digest(body: msgspec.Raw | bytes) -> str:
    """Return the hash that a header keeps of a stored body."""
    return hashlib.sha256(body).hexdigest()


def seal(drafts: Sequence[Draft], head: Head) -> tuple[Event, ...]:
    """Return the drafts as the events that follow ``head``: numbered, identified and chained."""
    events: list[Event] = []
    seq, previous = head.seq, head.hash
    for draft in drafts:
        seq += 1
        event_id = draft.id or f"{draft.session}:{seq}"
        header = Header(
            seq=seq,
            id=event_id,
            kind=draft.kind,
            v=draft.v,
            origin=draft.origin,
            session=draft.session,
            agent=draft.agent,
            actor=draft.actor,
            person=draft.person,
            workspace=draft.workspace,
            turn=draft.turn,
            cause=draft.cause or event_id,
            time=draft.time,
            body_hash=body_digest(draft.body),
        )
        previous = chained(previous, header)
        events.append(Event(**msgspec.structs.asdict(header), body=draft.body, hash=previous))
    return tuple(events)


def followed(events: Iterable[tuple[Event, bytes]], head: Head) -> Iterator[tuple[Event, bool]]:
    """Yield events, each with whether it follows the one before by number, body hash and chain; ends after a break.

    A redacted body has to be the one that its event names; whether anybody vouches for that is another question.

    With an event comes its header as it is in a file, or b"" if there is none: hashing it as it is costs a
    third of writing it again.
    """
    seq, previous = head.seq, head.hash
    for event, header in events:
        seq += 1
        holds = (
            event.seq == seq
            and (event.redacted or event.body_hash) == body_digest(event.body)
            and event.hash
            == (hashlib.sha256(previous.encode() + header).hexdigest() if header else chained(previous, event))
        )
        yield event, holds
        if not holds:
            return
        previous = event.hash


def first_broken_link(events: Iterable[Event], head: Head) -> Event | None:
    """Return the first event that does not follow ``head`` by number, body hash or chain; None when all hold."""
    return next((event for event, holds in followed(((event, b"") for event in events), head) if not holds), None)


class Moment(Struct, frozen=True):
    """An event, told."""

    seq: int
    time: str
    """UTC, ISO 8601, as the file says it."""
    kind: str
    actor: str
    origin: str
    text: str
    """What it says, in one line."""


class Damage(Struct, frozen=True):
    """One damaged place of a file."""

    line: int
    """Line of the file, the header being line 1."""
    seq: int
    """Number of the event that should be there."""
    why: str
    """What is wrong there, as the second half of a sentence."""
