"""Playing a recording: which event is due by now, by a clock that is handed in. Nothing here waits.

At a speed of 0.5 to 50, pauses in which nothing happened are cut to two seconds, and what happened in one instant is
spread so that it can be followed; then the speed applies. "As recorded" keeps every pause as it was.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import Final, Literal

from workbench.domain.errors import UsageError
from workbench.replay.recording import Recording

Speed = float | Literal["as recorded"]
AS_RECORDED: Final = "as recorded"
SLOWEST, FASTEST = 0.5, 50.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
"""Seconds between two events, unless they are played as recorded."""
_ROUNDING = 1e-6
"""Seconds by which an event may come early, so that who waited exactly until it is due finds it due."""


class Player:
    """Where a recording is being watched; it always is on an event."""

    def __init__(self, recording: Recording, clock: Callable[[], float]) -> None:
        """Stand on the first event, paused. ``clock`` returns seconds that never decrease."""
        self.recording = recording
        self.marks: tuple[int, ...] = ()
        """Events that a person marked, in the order of marking."""
        self._clock = clock
        self.speed: Speed = 1.0
        """How many times faster than it happened, or as recorded; changed by ``set_speed``."""
        self._bounded_times = array("d", _bounded_times(recording.times))
        self._schedule: Sequence[float] = self._bounded_times
        """For each event, the seconds from the first to it, before the speed applies."""
        self._index = 0
        self._into = 0.0
        """How far on the schedule it was when play began, or something was chosen, last."""
        self._since: float | None = None
        """The clock then; None while paused."""

    @property
    def position(self) -> int:
        """Number of the event that is shown."""
        return self.recording.events[self._index].seq

    @property
    def is_playing(self) -> bool:
        """Whether it continues by itself."""
        return self._since is not None

    def play(self) -> None:
        """Continue from here; from the beginning if it is at the end."""
        if self._is_at_end:
            self._stand_on(0)
        if not self.is_playing and not self._is_at_end:
            self._since = self._clock()

    def pause(self) -> None:
        """Stop here; play continues with what is left of the pause before the next event."""
        self.advance()
        self._settle()
        self._since = None

    def seek(self, seq: int) -> int:
        """Go to an event, or to the last one before it; return which. Raises UsageError if there is none."""
        self._stand_on(self.recording.place(seq) - 1)
        return self.position

    def step(self, by: int) -> int:
        """Go some events on, or back, and no further than to the ends; return which one is shown."""
        self.advance()
        self._stand_on(min(max(self._index + by, 0), len(self._schedule) - 1))
        return self.position

    def set_speed(self, speed: Speed) -> None:
        """Play faster or slower from now on. Raises UsageError."""
        if speed != AS_RECORDED and not SLOWEST <= speed <= FASTEST:
            raise UsageError(
                f"A speed of {speed:g} is not possible.",
                f'Choose one from {SLOWEST:g} to {FASTEST:g}, or "{AS_RECORDED}".',
            )
        self.advance()
        self._settle()
        waited = self._into - self._schedule[self._index]
        self.speed = speed
        self._schedule = self.recording.times if speed == AS_RECORDED else self._bounded_times
        following = self._schedule[min(self._index + 1, len(self._schedule) - 1)]
        self._into = min(self._schedule[self._index] + waited, following)

    def mark(self) -> None:
        """Mark the event that is shown, or take its mark away."""
        here = self.position
        others = tuple(seq for seq in self.marks if seq != here)
        self.marks = others if here in self.marks else (*others, here)

    def advance(self) -> int:
        """Return the number of the event that is due now, and stand on it; the end pauses."""
        if self.is_playing:
            due = bisect_right(self._schedule, self._seconds_played(self._clock()) + _ROUNDING) - 1
            self._index = max(self._index, due)
            if self._is_at_end:
                self._stand_on(self._index)
        return self.position

    def due_in(self) -> float | None:
        """Return the seconds until another event is due; None while paused."""
        if not self.is_playing:
            return None
        left = self._schedule[self._index + 1] - self._seconds_played(self._clock())
        return max(left, 0.0) / self._rate

    @property
    def _rate(self) -> float:
        return 1.0 if self.speed == AS_RECORDED else self.speed

    @property
    def _is_at_end(self) -> bool:
        return self._index == len(self._schedule) - 1

    def _seconds_played(self, now: float) -> float:
        passed = 0.0 if self._since is None else max(now - self._since, 0.0)
        return self._into + passed * self._rate

    def _settle(self) -> None:
        now = self._clock()
        self._into = max(self._seconds_played(now), self._schedule[self._index])
        if self.is_playing:
            self._since = now

    def _stand_on(self, index: int) -> None:
        self._index = index
        self._into = self._schedule[index]
        if self.is_playing:
            self._since = None if self._is_at_end else self._clock()


def _bounded_times(times: Iterable[float]) -> Iterable[float]:
    pauses = (min(max(later - earlier, SHORTEST_PAUSE), LONGEST_PAUSE) for earlier, later in pairwise(times))
    return accumulate(chain((0.0,), pauses))
