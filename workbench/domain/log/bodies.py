"""What events of a stream can say, as typed values: written so that they can be read again, and read back.

A stream's kinds are a table from names to frozen structs: domain/session/events.py has those of a session,
domain/shared/events.py those of the shared context. A body of an older version is upgraded while it is read, one
small step from each version to the next; the log itself is never rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from workbench.domain.errors import LogDamaged, NotUnderstood, UsageError
from workbench.domain.log.envelope import UNREADABLE, Draft, Event, Origin, Turn

_encode = msgspec.json.Encoder().encode


Step = Callable[[dict[str, Any]], dict[str, Any]]


def _plan_as_operation(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a change of a plan that held the whole of it as the operation that puts it in."""
    plan = fields.pop("plan", None)
    cause = {"kind": "person" if fields.get("by") == "person" else "planner"}
    return {**fields, "changes": [{"operation": {"do": "set-plan", "plan": plan}, "cause": cause}]}


STEPS: Mapping[tuple[str, int], Step] = {("plan.changed", 1): _plan_as_operation}
"""(kind, version) → the step to the next version."""


class Unknown(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a kind, or of a version, that this workbench does not know: kept, and without effect here."""

    kind: str
    v: int


B = TypeVar("B", bound=msgspec.Struct)


def kind_of(body: type) -> str:
    """Return the kind that a class of bodies is named for: ``KeySet`` is ``key.set``."""
    return re.sub(r"(?<!^)(?=[A-Z])", ".", body.__name__).lower()


class Kinds(Generic[B]):
    """The kinds of one sort of stream."""

    def __init__(self, kinds: Mapping[str, type[B]], versions: Mapping[str, int], *, remedy: str) -> None:
        """``versions`` are those written now; ``remedy`` is for an event that does not say what its kind should."""
        self._versions = versions
        self._remedy = remedy
        self._kind_of = {body: kind for kind, body in kinds.items()}
        self._kinds = kinds
        self._decoders: dict[str, msgspec.json.Decoder[B]] = {}

    def content(self, event: Event) -> B | Unknown:
        """Return what an event says, as a typed value of the current version.

        An event of a newer version or kind gives Unknown; an event whose body cannot be read raises NotUnderstood.
        """
        known = self._versions.get(event.kind)
        if known is None or event.v > known:
            return Unknown(kind=event.kind, v=event.v)
        try:
            body = event.body if event.v == known else upgrade(event.kind, event.v, known, event.body)
            return self._decoder(event.kind).decode(body)
        except UNREADABLE as error:
            raise NotUnderstood(
                f"Event {event.id} ({event.kind}) does not say what its kind should: {error}", self._remedy
            ) from error

    def draft(self, body: B, turn: Turn, *, actor: str, cause: str, time: str, origin: Origin) -> Draft:
        """Return a body as the draft of an event of this turn.

        ``cause`` is an event's id, or "" for the first event of a stream. Raises UsageError for a body that could not
        be read again: an event is there for ever, and one that nobody can read would take its stream with it.
        """
        kind = self._kind_of[type(body)]
        return Draft(
            kind=kind,
            v=self._versions[kind],
            origin=origin,
            session=str(turn.session),
            agent=None if turn.agent is None else str(turn.agent),
            actor=actor,
            person=turn.person,
            workspace=turn.workspace,
            turn=turn.number,
            cause=cause,
            time=time,
            body=msgspec.Raw(self._encoded(kind, body)),
        )

    def _decoder(self, kind: str) -> msgspec.json.Decoder[B]:
        """Return what decodes a kind, made at its first use: a session has a few of the many."""
        decoder = self._decoders.get(kind)
        if decoder is None:
            decoder = self._decoders[kind] = msgspec.json.Decoder(self._kinds[kind])
        return decoder

    def _encoded(self, kind: str, body: B) -> bytes:
        try:
            encoded = _encode(body)
            read = self._decoder(kind).decode(encoded)
            is_same = read == body or read == _strictly(body)
        except (TypeError, OverflowError, *UNREADABLE) as error:
            raise _not_recordable(kind, str(error)) from error
        if not is_same:
            raise _not_recordable(
                kind, "read again it says something else (infinite or undefined numbers have no JSON)"
            )
        return encoded


def _strictly(body: B) -> B:
    """Return a body with tuples if a program gave lists; anything else that is not of its type is an error."""
    values = msgspec.to_builtins(body, builtin_types=(bytes,))
    return msgspec.convert(values, type(body))


def _not_recordable(kind: str, why: str) -> UsageError:
    return UsageError(f"What {kind} should say cannot be recorded: {why}.", "Give values of the types it is made of.")


def upgrade(
    kind: str, version: int, current: int, body: msgspec.Raw, steps: Mapping[tuple[str, int], Step] = STEPS
) -> msgspec.Raw:
    """Return a stored body as the current version would have written it. Raises LogDamaged when a step is missing."""
    fields: dict[str, Any] = msgspec.json.decode(body)
    for number in range(version, current):
        step = steps.get((kind, number))
        if step is None:
            raise LogDamaged(
                f"Version {number} of {kind!r} is not known to any version of the workbench.",
                "Open the session with the version that wrote it.",
            )
        fields = step(fields)
    return msgspec.Raw(msgspec.json.encode(fields))
