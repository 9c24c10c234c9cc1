"""Forgetting in the shared stream: what each session said there that is to be forgotten, and the doing of it.

Whoever follows the stream is told that its history is another one, and reads it again without them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from workbench.domain.errors import LogUnavailable, NotFound, StaleHead
from workbench.domain.log.envelope import UNREADABLE, Event, Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.session.events import ContentForgotten
from workbench.domain.session.forgetting import Redactions
from workbench.domain.shared import events as say
from workbench.domain.shared.forgetting import shared_redactions, with_beginnings
from workbench.sharing.shared_context import STREAM
from workbench.storage.ports import EventLog, Redactable


@dataclass(frozen=True, slots=True)
class Sharing:
    """A session that says it in what sessions share."""

    session: str
    events: tuple[str, ...]
    """Ids of its shared events that say it."""
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class InShared:
    """Where it stands in what sessions share."""

    sharing: tuple[Sharing, ...] = ()
    """Its own session first."""
    texts: tuple[str, ...] = field(default=(), repr=False)
    """What is said of it there: shortened, too."""


NOWHERE = InShared()


class SharedForgetting:
    """The shared stream of a workspace, as far as something in it is to be forgotten."""

    def __init__(self, log: EventLog, *, person: str, workspace: str, now: Callable[[], str]) -> None:
        """Use a log of what sessions share; it need not hold the stream. ``now``: the time as events carry it."""
        self._log = log
        self._person = person
        self._workspace = workspace
        self._now = now

    def look(self, session: str, texts: Collection[str]) -> InShared:
        """Return where a session's texts stand in what sessions share.

        Raises LogDamaged, and LogUnavailable where they stand there and cannot be redacted.
        """
        bodies, _, found = self._found(session, texts, self._events())
        if bodies:
            self._redactable()
        return found

    def forget(self, session: str, said: ContentForgotten, texts: Collection[str], *, everywhere: bool) -> InShared:
        """Redact what the session shared, and ``everywhere`` what others did; ``said`` is recorded with it.

        Raises LogDamaged, LogBusy, LogUnavailable; doing it again does what is left.
        """
        for _ in range(50):  # it is looked at again where somebody appends meanwhile
            events = self._events()
            bodies, whose, found = self._found(session, texts, events)
            bodies = {one: body for one, body in bodies.items() if everywhere or whose[one] == session}
            if not bodies:
                return found
            vouching = msgspec.structs.replace(said, redacted=Redactions(bodies, ()).vouched())
            turn = Turn(session=SessionId(session), person=self._person, workspace=self._workspace)
            draft = say.draft(vouching, turn, actor="person", time=self._now())
            try:
                self._redactable().redact(STREAM, bodies, [draft], expected=events[-1].seq)
            except StaleHead:
                continue
            return InShared(
                tuple(
                    Sharing(one.session, one.events, forgotten=everywhere or one.session == session)
                    for one in found.sharing
                ),
                found.texts,
            )
        raise StaleHead("What is shared changes without a pause.", "Try again when that has ended.")

    def _events(self) -> tuple[Event, ...]:
        try:
            return tuple(self._log.read(STREAM))
        except NotFound:
            return ()

    def _redactable(self) -> Redactable:
        if not isinstance(self._log, Redactable):
            raise LogUnavailable("What sessions share stands in a log that cannot be changed.", "Delete it there.")
        return self._log

    def _found(
        self, session: str, texts: Collection[str], events: Sequence[Event]
    ) -> tuple[Mapping[str, msgspec.Raw], Mapping[str, str], InShared]:
        """Return the redacted bodies, whose each event is, and where it stands."""
        said = with_beginnings(texts, (_decoded(event) for event in events if event.session == session))
        bodies = shared_redactions(events, said)
        whose = {event.id: event.session for event in events if event.id in bodies}
        sessions = sorted(set(whose.values()), key=lambda one: (one != session, one))
        sharing = (Sharing(one, tuple(event for event in bodies if whose[event] == one)) for one in sessions)
        return bodies, whose, InShared(tuple(sharing), said)


def merged(before: Sequence[Sharing], after: Sequence[Sharing]) -> tuple[Sharing, ...]:
    """Return what was found twice, the events of each session together."""
    sessions = {one.session: one for one in before}
    for one in after:
        events = sessions[one.session].events if one.session in sessions else ()
        sessions[one.session] = Sharing(one.session, tuple(dict.fromkeys([*events, *one.events])), one.forgotten)
    return tuple(sessions.values())


def _decoded(event: Event) -> object:
    try:
        return msgspec.json.decode(event.body)
    except UNREADABLE:
        return None
