"""What a model was sent for a call, read for a screen: which call is looked at, and what is known of it by now.

keys, new calls ─▶ LookingBack.due ─▶ Wanted(generation, place) ─▶ look_back, in a thread ─▶ Looked
                                                                                              │
                                           one that is wanted no more is dropped ◀── take ◀───┘

One call is read at a time, however fast a person goes through them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from workbench.domain.errors import NotFound, WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.tui.pauses import BESIDE

if TYPE_CHECKING:  # opened, or looked back with, after the first paint
    from workbench.bootstrap import Workspace
    from workbench.context.entry import Entry
    from workbench.replay.comparing import Comparison, Place
    from workbench.replay.contexts import CallContext
    from workbench.replay.rounds import Rounds


ReadEvents = Callable[[], Iterable[Event]]
"""Reads the events of one session from their beginning. Raises LogError and NotFound."""


def events_of(workspace: Workspace, session: str) -> ReadEvents:
    """Return what reads a session of a workspace, for a thread."""
    return lambda: workspace.session(session).events()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call to look at."""

    generation: int
    """Grows whenever something else is wanted."""
    place: int | None
    """Index of the call; None for the newest."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found."""

    wanted: Wanted
    place: int = 0
    calls: int = 0
    """How many the session has."""
    context: CallContext | None = None
    """None if no model was asked yet, or where it could not be read."""
    originals: tuple[tuple[str, tuple[Entry, ...]], ...] = ()
    """(Id of a summary, what it stands for)."""
    rounds: Rounds | None = None
    """What each round spent."""
    trouble: str = ""
    """Why it could not be read."""


def look_back(wanted: Wanted, read: ReadEvents) -> Looked:
    """Return what was sent for a call. It reads the whole session: for a thread."""
    try:
        events = tuple(in_portions(read()))
        with BESIDE:
            return _looked(wanted, events)
    except WorkbenchError as error:
        return Looked(wanted, trouble=str(error))


def _looked(wanted: Wanted, events: tuple[Event, ...]) -> Looked:
    from workbench.replay.contexts import calls_of, context_of, expand
    from workbench.replay.rounds import rounds_of

    calls = calls_of(events)
    rounds = rounds_of(events)
    if not calls:
        return Looked(wanted, rounds=rounds)
    newest = len(calls) - 1
    place = newest if wanted.place is None else min(wanted.place, newest)
    try:
        context = context_of(events, calls[place].call)
    except NotFound as error:  # of a newer workbench; its neighbours can still be looked at
        return Looked(wanted, place, len(calls), rounds=rounds, trouble=str(error))
    originals = tuple((one.id, expand(events, one)) for one in context.current_conversation if one.covers)
    return Looked(wanted, place, len(calls), context, originals, rounds)


_PORTION = 200  # events that are read in one turn


def in_portions(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events, read so that others who work beside the loop get their turn; for a thread."""
    left = iter(events)
    while True:
        with BESIDE:
            portion = list(islice(left, _PORTION))
        if not portion:
            return
        yield from portion


@dataclass
class LookingBack:
    """Which call of a session is looked at; it belongs to one screen."""

    looked: Looked | None = None
    """What was read last."""
    unfolded: frozenset[str] = frozenset()
    """Keys of rows whose exact text is shown."""
    _place: int | None = None
    _generation: int = 0
    _calls: int = -1  # calls of the session when something was wanted last
    _is_reading: bool = False

    def step(self, by: int) -> None:
        """Look at an earlier call, or a later one; after the last one, follow whatever comes."""
        if self.looked is None or not self.looked.calls:
            return
        newest = self.looked.calls - 1
        place = max((newest if self._place is None else self._place) + by, 0)
        self._place = None if place >= newest else place
        self._generation += 1
        self.unfolded = frozenset()

    def anew(self) -> None:
        """Forget what was read: the log says something else by now."""
        self.looked = None
        self._generation += 1

    def due(self, calls: int) -> Wanted | None:
        """Return what is to be read now; None if it is known, or being read."""
        if calls != self._calls:
            self._calls = calls
            self._generation += 1
        known = -1 if self.looked is None else self.looked.wanted.generation
        if self._is_reading or known == self._generation:
            return None
        self._is_reading = True
        return Wanted(self._generation, self._place)

    def take(self, looked: Looked) -> None:
        """Take what was read, unless something else is wanted since."""
        self._is_reading = False
        if looked.wanted.generation == self._generation:
            self.looked = looked


@dataclass(frozen=True, slots=True)
class Side:
    """One of two points."""

    place: Place
    events: ReadEvents
    """Reads its session; one that both sides name is read once."""


def read_comparison(a: Side, b: Side) -> Comparison:
    """Return what differs between two points. It reads both sessions: for a thread.

    Raises UsageError and NotFound for a point that is not there, LogError as reading does.
    """
    from workbench.replay.comparing import compare_places

    of_a = tuple(in_portions(a.events()))
    of_b = of_a if b.events == a.events else tuple(in_portions(b.events()))
    with BESIDE:
        return compare_places(a.place, of_a, b.place, of_b)
