"""The proof, from the records alone, that no prompt held what it must not.

It shares no code with what gathers prompts, and reads nothing but events: neither memory nor context nor planning is
imported here, so a mistake of theirs is found instead of repeated. One pass over the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from workbench.domain.log.envelope import Event, Head, first_broken_link, genesis
from workbench.domain.log.rules import stretches_of
from workbench.domain.session import events as say
from workbench.domain.session.forgetting import first_unvouched
from workbench.replay.audit.calls import CallCheck
from workbench.replay.audit.copies import Rebuilding
from workbench.replay.audit.leaks import Leaks
from workbench.replay.audit.ledger import Broken
from workbench.replay.audit.neighbours import Neighbours
from workbench.replay.audit.passages import spaced
from workbench.replay.audit.record import Record
from workbench.replay.audit.rules import RULES, Violation
from workbench.replay.audit.summaries import summary_broken

__all__ = ["RULES", "Audit", "Neighbours", "Violation", "audit"]


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit of a session came to."""

    session: str
    violations: tuple[Violation, ...]
    """In the order of the log."""
    calls: int
    """Calls of models that were looked at."""
    in_full: int
    """Those of them that have a ledger; the others are held to the rules that need none."""
    items: int
    """Things that the ledgers list as sent."""

    @property
    def ok(self) -> bool:
        """Whether nothing breaks a rule."""
        return not self.violations


def audit(events: Iterable[Event], neighbours: Neighbours | None = None) -> Audit:
    """Return whether a session's prompts held only what they may.

    Raises LogDamaged if its events cannot be read, LogTooNew if it was planned under newer rules.
    ``neighbours`` lets it look at other sessions: were they private, and do they say what is quoted of them? It
    computes, and reads what they read: call it off the event loop.
    """
    read = tuple(events)
    stretches_of(read)  # prompts of newer rules are not judged by those of today
    session = read[0].session if read else ""
    auditor = _Auditor(_begun_as(read, session), neighbours, _forgotten_in_origin(read))
    rebuilding = Rebuilding()
    for event in read:
        auditor.take(event, rebuilding.take(event))
    return Audit(
        session=session,
        violations=(*_log_broken(read, session), *auditor.violations),
        calls=auditor.calls,
        in_full=auditor.in_full,
        items=auditor.items,
    )


def _begun_as(events: tuple[Event, ...], session: str) -> str:
    """Return the session that the first event was written in: a fork keeps the ids of what it took over."""
    is_fork = any(event.kind == say.SessionForked.kind for event in events)
    return events[0].id.rpartition(":")[0] if is_fork else session


def _forgotten_in_origin(events: tuple[Event, ...]) -> frozenset[str]:
    """Return the ids of events whose words were forgotten before a fork took them over."""
    bodies = (say.content(event) for event in events if event.kind == say.SessionForked.kind)
    return frozenset(one for body in bodies if isinstance(body, say.SessionForked) for one in body.forgotten)


def _log_broken(events: tuple[Event, ...], session: str) -> Iterator[Violation]:
    broken = first_broken_link(events, Head("", 0, genesis(session)))
    if broken is not None:
        detail = f"event {broken.seq} does not follow the one before, or says something else than was written"
        yield Violation(rule="log.chain", event=broken.id, detail=detail)
    unvouched = first_unvouched(events)
    if unvouched is not None:
        yield Violation(rule="log.forgotten", event=unvouched.id, detail="no later event says that it was forgotten so")
    for event in events:
        if event.session != session:
            yield Violation(rule="log.session", event=event.id, detail=f"it is of {event.session}")


class _Auditor:
    """Goes through a log once."""

    def __init__(self, session: str, neighbours: Neighbours | None, forgotten: frozenset[str]) -> None:
        """``session`` is the one that the first event was written in; ``forgotten`` are events that say less since."""
        self.violations: list[Violation] = []
        self.calls = self.in_full = self.items = 0
        self._begun_as = session
        self._forgotten = forgotten
        self._counts: list[tuple[Event, say.Body | say.Unknown]] = []
        """The events that lead to where the session stands, and what they say."""
        self._lines: list[tuple[tuple[Event, say.Body | say.Unknown], ...]] = []
        """The same, before each rewind."""
        self._record = Record(session)
        self._neighbours = neighbours
        self._leaks = Leaks(self._record, neighbours)

    def take(self, recorded: Event, whole: Event | None) -> None:
        """Judge an event in full by what came before it, then take it in; ``whole`` is None if it is broken."""
        if whole is None:
            detail = "what it copies of earlier events is not there, or is not what was written"
            self.violations.append(Violation(rule="log.copies", event=recorded.id, detail=detail))
            return
        event = replace(whole, body_hash="") if whole.id in self._forgotten else whole
        body = say.content(event)
        if isinstance(body, say.SessionRewound):
            self._begin_again(body.to)
        found = dict.fromkeys(self._broken(event, body))
        self.violations += (Violation(rule=rule, event=event.id, detail=detail) for rule, detail in found)
        self._record.take(event, body)
        self._counts.append((event, body))

    def _begin_again(self, to: int) -> None:
        """Forget what a rewind took back: what a prompt may hold from here on is what led to that place."""
        self._lines.append(tuple(self._counts))
        line = next((line for line in reversed(self._lines) if any(event.seq == to for event, _ in line)), ())
        stays = [count for count in self._counts if count[0].kind in say.SURVIVES_REWIND and count[0].seq > to]
        self._counts = [*(one for one in line if one[0].seq <= to), *stays]
        self._record = Record(self._begun_as)
        self._leaks = Leaks(self._record, self._neighbours)
        for event, body in self._counts:
            self._record.take(event, body)

    def _broken(self, event: Event, body: say.Body | say.Unknown) -> Iterator[Broken]:
        match body:
            case say.CallStarted():
                check = CallCheck(self._record, event, body, self._leaks)
                self.calls += 1
                self.in_full += body.context is not None or not body.messages
                self.items += check.items
                yield from check.broken()
            case say.ConversationCondensed():
                yield from summary_broken(self._record, event, body, self._leaks)
            case say.OthersSearched():
                yield from self._searched(event, body)
            case say.LessonsGiven():
                yield from self._check_lessons(event, body)
            case say.GuidanceRecalled():
                yield from self._guided(body)
            case _:
                pass

    def _searched(self, event: Event, body: say.OthersSearched) -> Iterator[Broken]:
        for one in body.found:
            name = f"{one.id} of {one.session}"
            if one.session == self._record.session:
                yield "log.search", f"{name} is this session's own"
            elif self._neighbours is not None and self._neighbours.is_private(one.session, event.time):
                yield "private.quoted", f"{name} was found while that was private"
            elif self._neighbours is not None and self._neighbours.denies(one):
                yield "scope.quotation", f"{name} does not say what is quoted"

    def _check_lessons(self, event: Event, body: say.LessonsGiven) -> Iterator[Broken]:
        for lesson in body.lessons:
            if lesson.session == self._record.session:
                yield "log.search", f"{lesson.id} is this session's own"
            elif self._neighbours is not None and self._neighbours.is_private(lesson.session, event.time):
                yield "private.quoted", f"{lesson.id} rests on {lesson.session} while that was private"

    def _guided(self, body: say.GuidanceRecalled) -> Iterator[Broken]:
        for text in body.items:
            words = spaced(text).removesuffix("…")
            stored = self._record.entities.values()
            if text not in self._record.insights and not any(words in one.spaced for one in stored):
                yield "scope.guidance", "a text of it is neither an insight nor stored in this session"
