"""Forgetting an item: what it changes, in its own session and wherever others have it from, and the doing of it.

    item, part of its text ─▶ Matter ─▶ look   ─▶ Forgotten (what would be)
                                     └▶ forget ─▶ what sessions share ─▶ those that have it ─▶ copies ─▶ its session
                                                        └─ bodies redacted, and vouched for: one step each ─┘

What is shared comes first, so that nobody sees it there while it is forgotten elsewhere; its own session last: as long
as that says it, whatever was interrupted can be begun again. Sessions are found to have it by their own records of what
they searched (others.searched) and of what they saw of what is shared (shared.observed), the only ways in which
anything of another session comes in; and forks by the events that they have in common with it. Copies beside the logs
(caches, the trash) are the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import msgspec

from workbench.domain.errors import LogDamaged, LogError, NotFound, StaleHead, UsageError
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import slug
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.domain.session.forgetting import (
    MARK,
    Redactions,
    check_text,
    is_forgettable,
    redactions,
    texts_of,
    without,
)
from workbench.domain.session.repetition import strings_of
from workbench.domain.session.session import SessionState, fold
from workbench.domain.shared.context import plain
from workbench.domain.shared.forgetting import beginnings
from workbench.domain.shared.input import OWN
from workbench.domain.text.mentions import Mentions
from workbench.planning.session_log import SessionLog
from workbench.sharing.forgetting import NOWHERE, InShared, SharedForgetting, Sharing, merged
from workbench.storage.admission import redacted
from workbench.storage.ports import EventLog

_TRIES = 50
"""How often it is looked at again if somebody appends meanwhile."""

RemoveCopies = Callable[[Collection[str]], list[str]]
"""Removes the files beside the logs that say one of these texts; returns their names."""


Way = Literal["fork", "search", "shared", "lesson"]
"""How it came into another session: copied by a fork, found by a search, shared, or given as a lesson."""
_QUOTING = frozenset({say.OthersSearched.kind, say.LessonsGiven.kind})


@dataclass(frozen=True, slots=True)
class Quoting:
    """Another session that has what is forgotten."""

    session: str
    ways: tuple[Way, ...] = ()
    events: tuple[str, ...] = ()
    """Ids of its events that say it."""
    texts: tuple[str, ...] = field(default=(), repr=False)
    """What they say of it."""
    forgotten: bool = False
    """Whether it is forgotten there."""
    error: str = ""
    """Why it could not be forgotten there, or why nobody knows whether it is there."""


@dataclass(frozen=True)
class Matter:
    """What is to be forgotten: an item, or a part of its text."""

    session: str
    item: str
    part: bool
    texts: tuple[str, ...] = field(repr=False)
    """Never to be shown, kept or recorded. None if an earlier forgetting left nothing."""
    events: frozenset[str] = frozenset()
    """Ids of its session's events: a fork has copies of them."""

    @property
    def covering(self) -> tuple[str, ...]:
        """Ids that a summary covers which goes as a whole: none if only a part is forgotten."""
        return () if self.part else (self.item, self.item.partition(":")[2])

    def quoted_by(self, event: Event) -> Iterator[say.Quoted]:
        """Yield what an event quotes of it, as another session found it."""
        body = say.content(event) if event.kind in _QUOTING else None
        found = body.found if isinstance(body, say.OthersSearched) else ()
        for one in body.lessons if isinstance(body, say.LessonsGiven) else found:
            if one.text != MARK and (self._is_item(one) or self._mentions.within(one.text)):
                yield one

    def observed_by(self, event: Event) -> Iterator[str]:
        """Yield what of it a session saw in what is shared: its texts, or how they begin if they were shortened."""
        body = say.content(event) if event.kind == say.SharedObserved.kind else None
        for one in body.changes if isinstance(body, say.SharedObserved) else ():
            value = plain(one.value)
            said = value if one.key == OWN + one.session else {one.key: value}
            if without(said, self._mentions) != said:
                yield from self.texts
            if one.session == self.session:
                yield from (left for shown in strings_of(value) for left in beginnings(shown, self.texts))

    def ways_into(self, events: Iterable[Event]) -> tuple[Way, ...]:
        """Return how it came into the session of these events; none if it did not."""
        ways: dict[Way, None] = {}
        for event in in_full(events):
            if event.id in self.events and self._says(event):
                ways["fork"] = None
            elif any(self.quoted_by(event)):
                ways["search" if event.kind == say.OthersSearched.kind else "lesson"] = None
            elif any(self.observed_by(event)):
                ways["shared"] = None
        return tuple(sorted(ways))

    def texts_in(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Return its texts as a session holds them: what was quoted or shared may have been shortened."""
        found: list[str] = []
        taught: set[str] = set()
        for event in in_full(events):
            found += (one.text.removesuffix("…") for one in self.quoted_by(event) if self._is_item(one))
            found += self.observed_by(event)
            lessons = [one for one in self.quoted_by(event) if isinstance(one, say.Lesson)]
            taught.update(one.id for one in lessons)
            found += (lesson.why for lesson in lessons)
            found += _made_of_lessons(msgspec.json.decode(event.body), taught) if taught else ()
        return tuple(dict.fromkeys([*self.texts, *filter(is_forgettable, found)]))

    def _says(self, event: Event) -> bool:
        return any(self._mentions.within(text) for text in strings_of(msgspec.json.decode(event.body)))

    @cached_property
    def _mentions(self) -> Mentions:
        return Mentions(self.texts)

    def _is_item(self, one: say.Quoted) -> bool:
        if isinstance(one, say.Lesson):
            return not set(self.covering).isdisjoint(one.covers) or self._mentions.within(one.why)
        return not self.part and (one.session, one.id) == (self.session, self.item)


def _made_of_lessons(value: object, lessons: Collection[str]) -> Iterator[str]:
    """Yield what the items of plans in a JSON value say that were made of one of these lessons."""
    if isinstance(value, list):
        for one in value:
            yield from _made_of_lessons(one, lessons)
    elif isinstance(value, dict):
        origin = value.get("origin")
        if isinstance(origin, dict) and origin.get("kind") == "lesson":
            name = str(origin.get("source", "")).partition(",")[0]
            said = value.get("title", value.get("text"))
            yield from [said] if f"lesson:{name}" in lessons and isinstance(said, str) else []
        for one in value.values():
            yield from _made_of_lessons(one, lessons)


@dataclass(frozen=True, slots=True)
class Others:
    """Where others may have it: the sessions of a log, and what sessions share."""

    log: EventLog
    opened: Callable[[str], SessionLog]
    shared: SharedForgetting | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forgetting changes, or changed."""

    matter: Matter
    events: tuple[str, ...]
    """Ids of the redacted events."""
    summaries: tuple[str, ...]
    """Ids of those among them in which a summary goes as a whole."""
    in_names: bool
    """Whether it is in what cannot be redacted: the session's id, or who did something."""
    quoted: tuple[Quoting, ...]
    shared: tuple[Sharing, ...] = ()
    """Who says it in what sessions share: its own session first."""
    copies: tuple[str, ...] = ()
    """Names of files beside the logs that hold it: caches, and what is in the trash."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What is in one session of what is to be forgotten, as of its last event."""

    state: SessionState
    texts: tuple[str, ...]
    change: Redactions
    in_names: bool


def matter_of(session: SessionLog, item: str, text: str = "") -> Matter:
    """Return what is to be forgotten: an item, or the part ``text`` of it.

    Raises NotFound if there is no such item, UsageError for a text that is not in it or would take others with it.
    """
    whole = texts_of(session.refresh(), item)
    if text:
        check_text(text, part=True)
        if not any(Mentions([text, MARK]).within(one) for one in whole):
            raise UsageError(f"That text is not in {item}.", "Give it exactly as it is written there.")
        return Matter(str(session.session), item, part=True, texts=(text,), events=_ids(session))
    left = tuple(one for one in whole if one != MARK)
    for one in left or ([] if whole else [""]):
        check_text(one)
    return Matter(str(session.session), item, part=False, texts=left, events=_ids(session))


def _ids(session: SessionLog) -> frozenset[str]:
    return frozenset(event.id for event in session.events())


def look(matter: Matter, session: SessionLog, others: Others) -> Forgotten:
    """Return what forgetting would change. Raises UsageError, LogDamaged, LogUnavailable."""
    found = _find(session, matter)
    shared = _shared(matter, others)
    return replace(_forgotten(matter, found, tuple(_quoting(matter, others))), shared=shared.sharing)


def forget(
    matter: Matter, session: SessionLog, others: Others, remove_copies: RemoveCopies, *, everywhere: bool = False
) -> Forgotten:
    """Forget it in its session and in what that shares, and ``everywhere`` also where others have it.

    Raises UsageError, LogDamaged, LogUnavailable, and LogBusy while anybody drives the session: then nothing is
    changed. What cannot be done in another session is in its ``error``.
    """
    with session.driving():  # neither a driver nor a text that cannot be forgotten may be met half-way
        _find(session, matter)
    shared, removed = _done_in_shared(matter, others, remove_copies, everywhere=everywhere)
    quoting = tuple(_quoting(matter, others))
    if everywhere:
        quoting = tuple(one if one.error else _done_elsewhere(one, matter, others) for one in quoting)
    texts = (*matter.texts, *shared.texts, *(text for one in quoting if one.forgotten for text in one.texts))
    removed += remove_copies(texts)
    found = _done(session, matter)
    again, more = _done_in_shared(matter, others, remove_copies, everywhere=everywhere)
    removed += [*more, *remove_copies(texts)]  # those that were made in between
    done = _forgotten(matter, found, quoting)
    return replace(done, shared=merged(shared.sharing, again.sharing), copies=tuple(dict.fromkeys(removed)))


def _shared(matter: Matter, others: Others) -> InShared:
    return others.shared.look(matter.session, matter.texts, matter.covering) if others.shared is not None else NOWHERE


def _done_in_shared(
    matter: Matter, others: Others, remove_copies: RemoveCopies, *, everywhere: bool
) -> tuple[InShared, list[str]]:
    """Forget it in what sessions share; copies that say what is only there go first, else nobody knows it then."""
    found = _shared(matter, others)
    if others.shared is None or not found.sharing:
        return found, []
    removed = remove_copies(found.texts)
    said = say.ContentForgotten(item=matter.item, part=matter.part)
    return others.shared.forget(matter.session, said, matter.texts, matter.covering, everywhere=everywhere), removed


def _forgotten(matter: Matter, found: _Found, quoting: tuple[Quoting, ...]) -> Forgotten:
    return Forgotten(matter, tuple(found.change.bodies), found.change.summaries, found.in_names, quoting)


def _done_elsewhere(one: Quoting, matter: Matter, others: Others) -> Quoting:
    try:
        found = _done(others.opened(one.session), matter)
    except (LogError, UsageError) as error:
        return replace(one, error=str(error))
    return replace(one, events=tuple(found.change.bodies), forgotten=True)


def _done(log: SessionLog, matter: Matter) -> _Found:
    for _ in range(_TRIES):
        found = _find(log, matter)
        if not found.change.bodies:
            return found
        said = say.ContentForgotten(
            item=matter.item,
            session="" if log.session == matter.session else matter.session,
            part=matter.part,
            redacted=found.change.vouched(),
        )
        try:
            log.redact(found.change.bodies, said, seen=found.state)
        except StaleHead:
            continue
        return found
    raise StaleHead("Somebody else appends to the session without a pause.", "Try again when that has ended.")


def _find(log: SessionLog, matter: Matter) -> _Found:
    events = log.events()
    texts = matter.texts_in(events)
    change = redactions(events, texts, covering=matter.covering)
    _check_openable(events, change)
    return _Found(fold(events), texts, change, _in_names(events, Mentions(texts), texts))


def _check_openable(events: Iterable[Event], change: Redactions) -> None:
    try:
        fold(redacted(event, change.bodies) for event in events)
    except LogDamaged as error:
        raise UsageError(
            "The session could not be opened without that text: it is a word or a date that the file format needs.",
            "Give more of the text around it with --text.",
        ) from error


def _in_names(events: Iterable[Event], mentions: Mentions, texts: Iterable[str]) -> bool:
    names = {name for event in events for name in (event.session, event.agent, event.actor, event.person) if name}
    slugs = {slug(text) for text in texts} - {""}
    return any(mentions.within(name) or any(one in name for one in slugs) for name in names)


def _quoting(matter: Matter, others: Others) -> Iterator[Quoting]:
    for session in others.log.streams():
        try:
            ways = matter.ways_into(others.log.read(session)) if session != matter.session else ()
            if ways:
                found = _find(others.opened(session), matter)
                yield Quoting(session, ways, tuple(found.change.bodies), found.texts)
        except NotFound:  # deleted since it was listed
            continue
        except (LogError, UsageError) as error:
            yield Quoting(session, error=str(error))
