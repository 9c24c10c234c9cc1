"""Forgetting an item: what it changes, in its own session and in those that quoted it, and the doing of it.

    item, part of its text ─▶ Matter ─▶ look   ─▶ Forgotten (what would be)
                                     └▶ forget ─▶ those that quoted it ─▶ copies ─▶ its session ─▶ Forgotten (what was)
                                                        └─ bodies redacted, content.forgotten: one step each ─┘

Its own session comes last: as long as that says it, whatever was interrupted can be begun again. Sessions are found to
have quoted it by their own record of what they searched (others.searched), the only way in which anything of another
session comes in. Copies beside the logs (caches, the trash) are the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.errors import LogDamaged, LogError, NotFound, StaleHead, UsageError
from workbench.domain.forgetting import MARK, Redactions, check_text, is_forgettable, redactions, texts_of
from workbench.domain.ids import slug
from workbench.domain.mentions import Mentions
from workbench.domain.session import SessionState, fold
from workbench.planning.session_log import SessionLog
from workbench.storage.admission import redacted
from workbench.storage.ports import EventLog

_TRIES = 50
"""How often it is looked at anew where somebody appends meanwhile."""

RemoveCopies = Callable[[Collection[str]], list[str]]
"""Removes the files beside the logs that say one of these texts; returns their names."""


@dataclass(frozen=True, slots=True)
class Quoting:
    """Another session that quoted what is forgotten."""

    session: str
    events: tuple[str, ...] = ()
    """Ids of its events that say it."""
    texts: tuple[str, ...] = field(default=(), repr=False)
    """What they say of it."""
    forgotten: bool = False
    """Whether it is forgotten there."""
    error: str = ""
    """Why it could not be forgotten there, or why nobody knows whether it was quoted there."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What is to be forgotten: an item, or a part of its text."""

    session: str
    item: str
    part: bool
    texts: tuple[str, ...] = field(repr=False)
    """Never to be shown, kept or recorded. None where an earlier forgetting left nothing."""

    @property
    def covering(self) -> tuple[str, ...]:
        """Ids that a summary covers which goes as a whole: none where only a part is forgotten."""
        return () if self.part else (self.item, self.item.partition(":")[2])

    def quoted_by(self, event: Event) -> Iterator[say.Quoted]:
        """Yield what an event quotes of it, as another session found it."""
        body = say.content(event) if event.kind == "others.searched" else None
        for one in body.found if isinstance(body, say.OthersSearched) else ():
            if one.text != MARK and (self._is_item(one) or Mentions(self.texts).within(one.text)):
                yield one

    def texts_in(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Return its texts as they stand in a session: where the item was quoted, it may have been shortened."""
        quoted = (one for event in events for one in self.quoted_by(event) if self._is_item(one))
        shown = (one.text.removesuffix("…") for one in quoted)
        return tuple(dict.fromkeys([*self.texts, *filter(is_forgettable, shown)]))

    def _is_item(self, one: say.Quoted) -> bool:
        return not self.part and (one.session, one.id) == (self.session, self.item)


@dataclass(frozen=True, slots=True)
class Others:
    """The sessions of a log that may have quoted it."""

    log: EventLog
    opened: Callable[[str], SessionLog]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forgetting changes, or changed."""

    matter: Matter
    events: tuple[str, ...]
    """Ids of the redacted events."""
    summaries: tuple[str, ...]
    """Ids of those among them in which a summary goes as a whole."""
    in_names: bool
    """Whether it stands in what cannot be redacted: the session's id, or who did something."""
    quoted: tuple[Quoting, ...]
    copies: tuple[str, ...] = ()
    """Names of files beside the logs that hold it: caches, and what is in the trash."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands in one session of what is to be forgotten, as of its last event."""

    state: SessionState
    texts: tuple[str, ...]
    change: Redactions
    in_names: bool


def matter_of(session: SessionLog, item: str, text: str = "") -> Matter:
    """Return what is to be forgotten: an item, or the part ``text`` of it.

    Raises NotFound where there is no such item, UsageError for a text that is not in it or would take others with it.
    """
    whole = texts_of(session.refresh(), item)
    if text:
        check_text(text, part=True)
        if not any(Mentions([text, MARK]).within(one) for one in whole):
            raise UsageError(f"That text is not in {item}.", "Give it as it stands there.")
        return Matter(str(session.session), item, part=True, texts=(text,))
    left = tuple(one for one in whole if one != MARK)
    for one in left or ([] if whole else [""]):
        check_text(one)
    return Matter(str(session.session), item, part=False, texts=left)


def look(matter: Matter, session: SessionLog, others: Others) -> Forgotten:
    """Return what forgetting would change. Raises UsageError, LogDamaged."""
    return _told(matter, _found(session, matter), tuple(_quoting(matter, others)))


def forget(
    matter: Matter, session: SessionLog, others: Others, remove_copies: RemoveCopies, *, everywhere: bool = False
) -> Forgotten:
    """Forget it in its session, and ``everywhere`` also in those that quoted it.

    Raises UsageError, LogDamaged, and LogBusy while anybody drives the session: then nothing is changed. What cannot be
    done in another session stands in its ``error``.
    """
    with session.driving():  # neither a driver nor a text that cannot be forgotten may be met half-way
        _found(session, matter)
    quoting = tuple(_quoting(matter, others))
    if everywhere:
        quoting = tuple(one if one.error else _done_elsewhere(one, matter, others) for one in quoting)
    texts = (*matter.texts, *(text for one in quoting if one.forgotten for text in one.texts))
    removed = remove_copies(texts)
    found = _done(session, matter)
    removed += remove_copies(texts)  # those that were made in between
    return replace(_told(matter, found, quoting), copies=tuple(dict.fromkeys(removed)))


def _told(matter: Matter, found: _Found, quoting: tuple[Quoting, ...]) -> Forgotten:
    return Forgotten(matter, tuple(found.change.bodies), found.change.summaries, found.in_names, quoting)


def _done_elsewhere(one: Quoting, matter: Matter, others: Others) -> Quoting:
    try:
        found = _done(others.opened(one.session), matter)
    except (LogError, UsageError) as error:
        return replace(one, error=str(error))
    return replace(one, events=tuple(found.change.bodies), forgotten=True)


def _done(log: SessionLog, matter: Matter) -> _Found:
    for _ in range(_TRIES):
        found = _found(log, matter)
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


def _found(log: SessionLog, matter: Matter) -> _Found:
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
            "The session could not be opened without that text: it is a word or a date that the file is made of.",
            "Give more of what stands around it with --text.",
        ) from error


def _in_names(events: Iterable[Event], mentions: Mentions, texts: Iterable[str]) -> bool:
    names = {name for event in events for name in (event.session, event.agent, event.actor, event.person) if name}
    slugs = {slug(text) for text in texts} - {""}
    return any(mentions.within(name) or any(one in name for one in slugs) for name in names)


def _quoting(matter: Matter, others: Others) -> Iterator[Quoting]:
    for session in others.log.streams():
        try:
            if session != matter.session and any(any(matter.quoted_by(event)) for event in others.log.read(session)):
                found = _found(others.opened(session), matter)
                yield Quoting(session, tuple(found.change.bodies), found.texts)
        except NotFound:  # deleted since it was listed
            continue
        except (LogError, UsageError) as error:
            yield Quoting(session, error=str(error))
