"""A saved session to walk through: its state as of any event, folded from the nearest checkpoint before it.

Places are the events' own numbers. Only if a file is damaged are there numbers without an event: the state there is
the one before the damage. States are frozen and checkpoints are only read, so several threads may seek at once.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Literal

from msgspec import Struct

from workbench.domain.errors import LogDamaged, UsageError
from workbench.domain.log.envelope import Damage, Event
from workbench.domain.session import events as say
from workbench.domain.session.copies import Recent
from workbench.domain.session.session import SessionState, apply, fold
from workbench.domain.text.cleaning import clean_name
from workbench.replay.course import moment, moment_after

APART = 64
"""Events between two checkpoints."""

TickKind = Literal[
    "iteration", "gate", "plan", "condensation", "retrieval", "shared", "fork", "rewind", "end", "damage"
]


class Tick(Struct, frozen=True):
    """A place that is worth a mark on a timeline."""

    seq: int
    kind: TickKind
    text: str
    """What happened there, in a line."""


class Recording:
    """The events of a session, and its state as of each of them."""

    def __init__(
        self,
        events: Sequence[Event],
        states: Sequence[SessionState | None],
        final: SessionState,
        ticks: Sequence[Tick],
        damages: Sequence[Damage],
    ) -> None:
        """Take what ``of`` found out; ``states`` has the one before every APART-th event, the first included."""
        self.events = events
        self.session = final.session
        self.length = final.seq
        """Number of the last event."""
        self.ticks = tuple(ticks)
        self.damages = tuple(damages)
        """Places of the file that could not be read, in order."""
        self._checkpoints = states
        self._final = final
        self.times: Sequence[float] = _times(events)
        """For each of the events, the seconds from the first to it by the times they say; they never decrease."""

    @classmethod
    def from_events(
        cls,
        events: Iterable[Event],
        *,
        damages: Sequence[Damage] = (),
        on_progress: Callable[[int], None] | None = None,
    ) -> Recording:
        """Fold a session once; it takes as long as opening it, so not on an event loop.

        ``damages``: if the file cannot be read. ``on_progress`` is told how many events are folded, now and then
        and at the end. Raises LogDamaged as the fold does, if there is no event too.
        """
        state: SessionState | None = None
        taken: list[Event] = []
        checkpoints: list[SessionState | None] = []
        ticks: list[Tick] = []
        for event in events:
            if len(taken) % APART == 0:
                checkpoints.append(state)
                if on_progress is not None:
                    on_progress(len(taken))
            before, state = state, apply(state, event)
            taken.append(event)
            if event.kind in _TICKS and _is_worth_a_mark(event, before, state):
                ticks.append(Tick(event.seq, _TICKS[event.kind], moment(event).text))
        final = fold((), state)
        if on_progress is not None:
            on_progress(len(taken))
        ticks += [Tick(min(damage.seq, final.seq), "damage", clean_name(damage.why, 400)) for damage in damages]
        return cls(tuple(taken), checkpoints, final, sorted(ticks, key=lambda tick: tick.seq), damages)

    def beyond(self, events: Iterable[Event], damages: Iterable[Damage] = ()) -> Recording:
        """Return the recording with what was read after its damage, and with the damages found there.

        States after it are those of a session without what was in the damaged places, and without the events that
        copy from there. Raises LogDamaged.
        """
        read, broken = _readable(chain(self.events, events))
        return self.from_events(read, damages=(*self.damages, *damages, *broken))

    def state_at(self, seq: int) -> SessionState:
        """Return the state as of an event. Raises UsageError if there is no such place."""
        place = self.place(seq)
        if place == len(self.events):
            return self._final
        nearest = place // APART
        return fold(self.events[nearest * APART : place], self._checkpoints[nearest])

    def event_at(self, seq: int) -> Event | None:
        """Return an event; None if it was in a damaged place. Raises UsageError if there is no such place."""
        event = self.events[self.place(seq) - 1]
        return event if event.seq == seq else None

    def told_at(self, seq: int) -> str:
        """Return an event in one line; "" if it was in a damaged place. Raises UsageError as ``event_at`` does."""
        event = self.event_at(seq)
        if event is None:
            return ""
        return moment_after(self.state_at(seq - 1) if seq > 1 else None, event).text

    def place(self, seq: int) -> int:
        """Return how many events there are up to one. Raises UsageError if there is no such place."""
        if not 1 <= seq <= self.length:
            raise UsageError(f"There is no event {seq}.", f"Name one from 1 to {self.length}.")
        return bisect_right(self.events, seq, key=lambda event: event.seq)


def _readable(events: Iterable[Event]) -> tuple[list[Event], list[Damage]]:
    """Return the events that say all that was recorded, and the places of those that copy from what is not there."""
    read: list[Event] = []
    broken: list[Damage] = []
    recent = Recent()
    for event in events:
        try:
            recent.whole(event)
            recent = recent.after(event)
        except LogDamaged:
            broken.append(Damage(event.seq + 1, event.seq, "copies from what cannot be read"))
        else:
            read.append(event)
    return read, broken


_TICKS: dict[str, TickKind] = {
    say.IterationBegun.kind: "iteration",
    say.IterationStored.kind: "iteration",
    say.GateOpened.kind: "gate",
    say.PlanChanged.kind: "plan",
    say.ConversationCondensed.kind: "condensation",
    say.OthersSearched.kind: "retrieval",
    say.SharedObserved.kind: "shared",
    say.SessionForked.kind: "fork",
    say.SessionRewound.kind: "rewind",
    say.SessionStopped.kind: "end",
    say.SessionFinished.kind: "end",
}


def _is_worth_a_mark(event: Event, before: SessionState | None, after: SessionState) -> bool:
    if event.kind == say.PlanChanged.kind:
        return before is None or before.version != after.version
    if event.kind == say.OthersSearched.kind:
        found = say.content(event)
        return isinstance(found, say.OthersSearched) and bool(found.found)
    if event.kind == say.SharedObserved.kind:
        body = say.content(event)
        return isinstance(body, say.SharedObserved) and bool(body.changes)
    return True


def _times(events: Iterable[Event]) -> array[float]:
    """Return the seconds since the first event; a time that is none, or earlier, is as the one before it."""
    times = array("d")
    first: datetime | None = None
    latest = 0.0
    for event in events:
        try:
            said = datetime.fromisoformat(event.time)
        except ValueError:
            said = None
        if said is not None:
            said = said if said.tzinfo is not None else said.replace(tzinfo=UTC)
            first = first or said
            latest = max(latest, (said - first).total_seconds())
        times.append(latest)
    return times
