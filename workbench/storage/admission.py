"""What an append lets in: drafts that can be stored, once, after the head that their writer believed in.

What is stored already is the answer to a retry; else an expected head that is not the head is refused (StaleHead).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

import msgspec

from workbench.domain.errors import LogWentBack, StaleHead
from workbench.domain.log.envelope import UNREADABLE, Draft, Event, Head, body_digest

_SAME_IN_BOTH = ("kind", "v", "origin", "session", "agent", "actor", "person", "workspace", "turn", "time")


class History(Protocol):
    """What a stream holds so far."""

    def events(self, *, after: int = 0) -> Iterator[Event]:
        """Yield the events with a seq greater than ``after``."""

    def named(self, ids: Collection[str]) -> Mapping[str, Event]:
        """Return the events among these ids that the stream holds."""


def check(drafts: Sequence[Draft], *, session: str | None) -> None:
    """Refuse what a log could not give back: bodies that are not one line of JSON, and events of another session.

    A pretty-printed body would break the line it is stored in; NaN, infinities, lone surrogates and bytes that are not
    UTF-8 are not JSON. Ids given by the writer must differ from each other. ``session`` is None if a stream may hold
    several. Raises ValueError.
    """
    for draft in drafts:
        if session is not None and draft.session != session:
            raise ValueError(f"A {draft.kind} event of the session {draft.session} does not belong to {session}.")
        _check_body(f"a {draft.kind} event", bytes(draft.body))
    ids = [draft.id for draft in drafts if draft.id]
    if len(ids) != len(set(ids)):
        raise ValueError("Two events of one batch have the same id.")


def _check_body(whose: str, body: bytes) -> None:
    if b"\n" in body or b"\r" in body:
        raise ValueError(f"The body of {whose} is not on one line.")
    try:
        msgspec.json.decode(body)
    except UNREADABLE as error:
        raise ValueError(f"The body of {whose} is not JSON: {error}") from error


def check_redaction(
    stream: str, bodies: Mapping[str, msgspec.Raw], stored: Collection[str], *, expected: int, seq: int
) -> None:
    """Refuse other bodies for events that are not stored, or after another head. Raises StaleHead, ValueError."""
    if expected != seq:
        raise _stale(stream, expected, seq)
    for event, body in bodies.items():
        if event not in stored:
            raise ValueError(f"There is no event {event} in {stream} to be redacted.")
        _check_body(f"the redacted event {event}", bytes(body))


def redacted(event: Event, bodies: Mapping[str, msgspec.Raw]) -> Event:
    """Return an event with its other body, if it has one."""
    body = bodies.get(event.id)
    return event if body is None else msgspec.structs.replace(event, body=body, redacted=body_digest(body))


def already_stored(
    drafts: Sequence[Draft], *, stream: str, expected: int | None, seq: int, history: History
) -> dict[int, Event]:
    """Return the stored events of drafts that are stored already, under their place in the batch.

    All of them when the batch is a retry: the events after ``expected`` are these very drafts. Else those whose given
    id is stored with the same kind and body. Raises StaleHead when ``expected`` is not ``seq``, the head's, and
    something would have to be written; and when an id already names another event.
    """
    if expected is not None and expected < seq:
        behind = list(islice(history.events(after=expected), len(drafts)))
        if len(behind) == len(drafts) and all(map(_is_from, behind, drafts)):
            return dict(enumerate(behind))
    stored = _stored_by_id(drafts, stream, history)
    if expected is not None and expected != seq and len(stored) < len(drafts):
        raise _stale(stream, expected, seq)
    return stored


def _is_from(event: Event, draft: Draft) -> bool:
    return (
        all(getattr(event, name) == getattr(draft, name) for name in _SAME_IN_BOTH)
        and event.id == (draft.id or f"{draft.session}:{event.seq}")
        and event.cause == (draft.cause or event.id)
        and event.body_hash == body_digest(draft.body)  # of the body as it was written, should it be redacted by now
    )


def _stored_by_id(drafts: Sequence[Draft], stream: str, history: History) -> dict[int, Event]:
    ids = {draft.id: index for index, draft in enumerate(drafts) if draft.id}
    if not ids:
        return {}
    stored = {}
    for event_id, event in history.named(ids).items():
        draft = drafts[ids[event_id]]
        if (event.kind, event.body_hash) != (draft.kind, body_digest(draft.body)):
            raise StaleHead(f"The id {event_id} already names another event of {stream}.", "Number the event again.")
        stored[ids[event_id]] = event
    return stored


def _stale(stream: str, expected: int, seq: int) -> StaleHead:
    if expected == 0:
        return StaleHead(f"{stream} exists already, with {seq} events.", "Choose another id.")
    return StaleHead(
        f"{stream} ends with event {seq}, not {expected}: somebody else appended meanwhile.",
        "Read what was added and try again.",
    )


def went_back(place: object, known: Head) -> LogWentBack:
    """Return the error for a log that does not contain an event any more which this process knows."""
    return LogWentBack(
        f"{place} was replaced, truncated or restored from an older copy while it was open: "
        f"event {known.seq} is missing or another one.",
        "Open the session again to see what is there now.",
    )


def in_order(drafts: Sequence[Draft], stored: Mapping[int, Event], written: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events of a batch, stored before or written now, in the order of its drafts."""
    fresh = iter(written)
    return tuple(stored[index] if index in stored else next(fresh) for index in range(len(drafts)))
