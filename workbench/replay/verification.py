"""Whether a session is what it says: executed again from what was given in it, and compared event by event.

What was given (a goal, decisions, replies, what was read outside, times) is taken from the file; everything else is
made again by the product's own code, prompts included. Where older rules derived events, those are not made again: that
they fit their places is checked, and they are counted as recorded. Nothing is asked, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import LogDamaged
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event, Head, chained, first_broken_link, genesis
from workbench.domain.session import events as say
from workbench.domain.session.forgetting import first_unvouched
from workbench.replay.likeness import short_value
from workbench.replay.reexecution import Finding, Reexecution
from workbench.replay.standins import Calls, EmbeddersFor, Memories


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where a session is not what follows from what was given."""

    seq: int
    """Of the event that is unlike what follows, or is where it cannot."""
    id: str
    kind: str
    why: str
    """In a sentence."""
    where: str = ""
    """What of the event differs: a field of its header, or a place in its body; "" if it cannot be."""
    recorded: str = ""
    """What is there, short and clean."""
    expected: str = ""


class Unchecked(msgspec.Struct, frozen=True, kw_only=True):
    """An event of which nobody here can tell whether it is what it was."""

    seq: int
    id: str
    kind: str
    why: str


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What came of executing a session again."""

    session: str
    events: int
    reproduced: int
    """How many derived events were executed again, and are the same, up to the first difference."""
    recorded: int = 0
    """How many derived events fit their places and cannot be executed again, up to the first difference."""
    older_rules: tuple[int, ...] = ()
    """Numbers of the rules under which they were recorded; () where everything is of the current rules."""
    difference: Difference | None = None
    unchecked: tuple[Unchecked, ...] = ()
    """In their order; among them events whose scores differ in the last digits only."""

    @property
    def sound(self) -> bool:
        """Whether chain, order and fold hold, and no event that was executed again differs."""
        return self.difference is None

    @property
    def verified(self) -> bool:
        """Whether it is sound, and no part of it calls itself older than what can be executed again."""
        return self.sound and not self.older_rules


def verify(
    events: Iterable[Event], embedders: EmbeddersFor, *, on_progress: Callable[[int], None] | None = None
) -> Verification:
    """Execute a session again and compare. It computes long, and searches: call it off the event loop.

    ``on_progress`` is told after each event how many are done. Raises LogDamaged for a session without any event, and
    what reading its events raises; LogTooNew for one of newer rules.
    """
    read = tuple(events)
    if not read:
        raise LogDamaged("The session has no events.", "Delete it, or restore the file from a copy.")
    course = _Course(read, embedders)
    for place in range(len(read)):
        if not course.goes_on(place):
            break
        if on_progress is not None:
            on_progress(place + 1)
    return course.verification()


class _Course:
    """A session on its way through verification."""

    def __init__(self, events: tuple[Event, ...], embedders: EmbeddersFor) -> None:
        self._events = events
        self._execution = Reexecution(Calls.from_events(events), Memories(embedders))
        self._reproduced = self._recorded = 0
        self._unchecked: list[Unchecked] = []
        self._difference: Difference | None = None
        self._unvouched = _unvouched(events)
        self._unchained = first_broken_link(events, Head("", 0, genesis(events[0].session)))

    def goes_on(self, place: int) -> bool:
        """Execute one event; False if it is the first that differs."""
        event = self._events[place]
        if event is self._unvouched:
            return self._ends_at(event, "Other words were put in place of its own, and no forgetting says so.")
        if event is self._unchained:
            return self._ends_at(event, "The hash chain breaks here: this event, or the one before it, was changed.")
        try:
            finding = self._execution.take(event)
            why = self._why_no_fork(place) if finding is None else None
        except LogDamaged as error:
            return self._ends_at(event, short_value(error.message))
        if why is not None:
            return self._ends_at(event, why)
        if finding is not None and finding.sort in ("unlike", "misplaced"):
            self._difference = _difference(event, finding)
            return False
        is_recorded = finding is not None and finding.sort == "recorded"
        if finding is not None and not is_recorded:
            self._unchecked.append(Unchecked(seq=event.seq, id=event.id, kind=event.kind, why=finding.why))
        if event.origin == "derived":
            self._reproduced += finding is None
            self._recorded += is_recorded
        return True

    def _why_no_fork(self, place: int) -> str | None:
        """Return why the events before a fork are not what its origin said; None if they are, or nobody can tell."""
        event = self._events[place]
        fork = say.content(event) if event.kind == say.SessionForked.kind else None
        if not isinstance(fork, say.SessionForked):
            return None
        copies = self._events[:place]
        if any(copy.id in self._execution.calls.forgotten for copy in copies):
            return None
        previous = genesis(fork.origin)
        for copy in copies:
            previous = chained(previous, replace(copy, session=fork.origin))
        if previous == fork.hash:
            return None
        return f"The hash that it has of {short_value(fork.origin)} is not that of the {place} events before it."

    def _ends_at(self, event: Event, why: str) -> bool:
        self._difference = _difference(event, Finding("misplaced", why))
        return False

    def verification(self) -> Verification:
        """Return what came of it."""
        state = self._execution.state
        return Verification(
            session=self._events[0].session,
            events=len(self._events),
            reproduced=self._reproduced,
            recorded=self._recorded,
            older_rules=() if state is None else rules.older(state.rules),
            difference=self._difference,
            unchecked=tuple(self._unchecked),
        )


def _unvouched(events: tuple[Event, ...]) -> Event | None:
    try:
        return first_unvouched(events)
    except LogDamaged:  # an event that cannot be read is found where it stands
        return None


def _difference(event: Event, finding: Finding) -> Difference:
    return Difference(
        seq=event.seq,
        id=short_value(event.id),
        kind=short_value(event.kind),
        why=finding.why,
        where=finding.unlike.where,
        recorded=finding.unlike.recorded,
        expected=finding.unlike.expected,
    )
