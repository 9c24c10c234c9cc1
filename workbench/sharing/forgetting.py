"""Forgetting in the shared stream: what each session said there that is to be forgotten, and the doing of it.

Whoever follows the stream is told that its history is another one, and reads it again without them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from workbench.domain.errors import LogDamaged, LogUnavailable, NotFound, StaleHead
from workbench.domain.log.envelope import UNREADABLE, Event, Turn
from workbench.domain.log.ids import SessionId
from workbench.domain.session.events import ContentForgotten
from workbench.domain.session.forgetting import Redactions, is_forgettable
from workbench.domain.shared import events as say
from workbench.domain.shared.forgetting import shared_redactions, with_beginnings
from workbench.domain.text.mentions import Mentions
from workbench.sharing.shared_context import LESSONS, STREAM
from workbench.storage.ports import EventLog, Redactable

_STREAMS = (STREAM, LESSONS)


@dataclass(frozen=True, slots=True)
class Sharing:
    """A session that says it in what sessions share."""

    session: str
    events: tuple[str, ...]
    """Ids of its shared events that say it."""
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class InShared:
    """Where it is in what sessions share."""

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

    def look(self, session: str, texts: Collection[str], covering: Collection[str] = ()) -> InShared:
        """Return where a session's texts, and lessons that rest on the events ``covering``, stand in what is shared.

        Raises LogDamaged, and LogUnavailable if they are there and cannot be redacted.
        """
        looked = NOWHERE
        for stream in _STREAMS:
            bodies, _, found = self._find(session, texts, covering, self._events(stream))
            if bodies:
                self._redactable()
            looked = _merge(looked, found)
        return looked

    def forget(
        self,
        session: str,
        said: ContentForgotten,
        texts: Collection[str],
        covering: Collection[str] = (),
        *,
        everywhere: bool,
    ) -> InShared:
        """Redact what the session shared, and ``everywhere`` what others did; ``said`` is recorded with it.

        Raises LogDamaged, LogBusy, LogUnavailable; doing it again does what is left.
        """
        done = NOWHERE
        for stream in _STREAMS:
            done = _merge(done, self._forgotten_in(stream, session, said, texts, covering, everywhere=everywhere))
        return done

    def _forgotten_in(
        self,
        stream: str,
        session: str,
        said: ContentForgotten,
        texts: Collection[str],
        covering: Collection[str],
        *,
        everywhere: bool,
    ) -> InShared:
        for _ in range(50):  # it is looked at again if somebody appends meanwhile
            events = self._events(stream)
            bodies, whose, found = self._find(session, texts, covering, events)
            bodies = {one: body for one, body in bodies.items() if everywhere or whose[one] == session}
            if not bodies:
                return found
            vouching = msgspec.structs.replace(said, redacted=Redactions(bodies, ()).vouched())
            turn = Turn(session=SessionId(session), person=self._person, workspace=self._workspace)
            draft = say.draft(vouching, turn, actor="person", time=self._now())
            try:
                self._redactable().redact(stream, bodies, [draft], expected=events[-1].seq)
            except StaleHead:
                continue
            return InShared(
                tuple(
                    Sharing(one.session, one.events, forgotten=everywhere or one.session == session)
                    for one in found.sharing
                ),
                found.texts,
            )
        raise StaleHead("The shared context changes without a pause.", "Try again when that has ended.")

    def _events(self, stream: str) -> tuple[Event, ...]:
        try:
            return tuple(self._log.read(stream))
        except NotFound:
            return ()

    def _redactable(self) -> Redactable:
        if not isinstance(self._log, Redactable):
            raise LogUnavailable("The shared context is in a log that cannot be changed.", "Delete it there.")
        return self._log

    def _find(
        self, session: str, texts: Collection[str], covering: Collection[str], events: Sequence[Event]
    ) -> tuple[Mapping[str, msgspec.Raw], Mapping[str, str], InShared]:
        """Return the redacted bodies, whose each event is, and where it stands."""
        said = with_beginnings(texts, (_decode_body(event) for event in events if event.session == session))
        said = (*said, *_lessons_on(said, frozenset(covering), events))
        bodies = shared_redactions(events, said)
        whose = {event.id: event.session for event in events if event.id in bodies}
        sessions = sorted(set(whose.values()), key=lambda one: (one != session, one))
        sharing = (Sharing(one, tuple(event for event in bodies if whose[event] == one)) for one in sessions)
        return bodies, whose, InShared(tuple(sharing), said)


def _lessons_on(texts: Collection[str], covering: frozenset[str], events: Iterable[Event]) -> Iterator[str]:
    """Yield what lessons say that rest on what is forgotten, and why: they go as a whole, also where reworded."""
    mentions = Mentions(texts)
    for event in events:
        if event.kind.startswith("lesson."):
            with suppress(LogDamaged):
                body = say.content(event)
                if isinstance(body, say.LessonAccepted | say.LessonRefused | say.LessonRetired):
                    rests = not covering.isdisjoint(body.lesson.covers) or mentions.within(body.lesson.why)
                    said = (body.lesson.text, body.lesson.why) if rests else ()
                    yield from (text for text in said if is_forgettable(text))


def _merge(one: InShared, other: InShared) -> InShared:
    return InShared(merged(one.sharing, other.sharing), tuple(dict.fromkeys((*one.texts, *other.texts))))


def merged(before: Sequence[Sharing], after: Sequence[Sharing]) -> tuple[Sharing, ...]:
    """Return what was found twice, the events of each session together."""
    sessions = {one.session: one for one in before}
    for one in after:
        events = sessions[one.session].events if one.session in sessions else ()
        sessions[one.session] = Sharing(one.session, tuple(dict.fromkeys([*events, *one.events])), one.forgotten)
    return tuple(sessions.values())


def _decode_body(event: Event) -> object:
    try:
        return msgspec.json.decode(event.body)
    except UNREADABLE:
        return None
