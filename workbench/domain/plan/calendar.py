"""When work can happen: the working time of a plan, and of each person in it.

    Calendar   minutes of work for each weekday, and days on which there are none
    moment     day × 1440 + minutes worked on that day: moments of different calendars can be compared
    worked     minutes of work in one calendar, counted from its first day: lengths of work are differences of these

``worked_at`` and ``start_of``/``end_of`` lead from one to the other. Days are ordinals of the proleptic Gregorian
calendar; everybody's work begins at the same time of a day.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate

from workbench.domain.errors import PlanUnsound

DAY = 1440
"""Minutes of a day: the size of a moment's step from day to day."""
FULL_DAY = 480
"""Minutes of a working day, where nothing else is said: what an estimate of one day means."""
STANDARD_WEEK = (FULL_DAY,) * 5 + (0, 0)
"""Monday to Friday."""
_LAST = date.max.toordinal()


def day_of(text: str | None) -> date | None:
    """Return the day of an ISO date; None for anything else."""
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


@dataclass(frozen=True)
class Calendar:
    """Working time: some minutes on each weekday, none on closed days."""

    week: tuple[int, ...] = STANDARD_WEEK
    """Minutes of work on Monday, Tuesday, …, Sunday."""
    closed: tuple[int, ...] = ()
    """Ordinals of days without work, ascending, only of days that would have some."""
    _lost: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Minutes that the first 0, 1, 2 … closed days take away."""
    _worked: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Minutes of work before each closed day."""
    _of_week: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Minutes of work before Monday, …, Sunday, and in the whole week."""

    _days: dict[int, tuple[int, int]] = field(init=False, repr=False, compare=False, default_factory=dict)
    """What was asked before: minutes of work before a day, and on it."""

    def __post_init__(self) -> None:
        """Add up the week and what closed days take away. Raises PlanUnsound for a week without work."""
        if not any(self.week):
            raise PlanUnsound("A calendar has no working day.", "Give it at least one weekday with working hours.")
        lost = (0, *accumulate(self.week[(day - 1) % 7] for day in self.closed))
        object.__setattr__(self, "_lost", lost)
        object.__setattr__(self, "_of_week", (0, *accumulate(self.week)))
        object.__setattr__(self, "_worked", tuple(self.worked_before(day) for day in self.closed))

    @classmethod
    def of(cls, week: Sequence[int], closed: Iterable[date]) -> Calendar:
        """Return the calendar with these minutes by weekday and these days off, in any order."""
        days = {day.toordinal() for day in closed}
        return cls(tuple(week), tuple(sorted(day for day in days if week[(day - 1) % 7])))

    def minutes(self, day: int) -> int:
        """Return how much work a day has room for."""
        return self._day(day)[1]

    def worked_before(self, day: int) -> int:
        """Return the minutes of work up to the beginning of a day."""
        return self._day(day)[0]

    def _day(self, day: int) -> tuple[int, int]:
        if (known := self._days.get(day)) is None:
            weeks, weekday = divmod(day - 1, 7)
            at = bisect_left(self.closed, day)
            before = weeks * self._of_week[7] + self._of_week[weekday] - self._lost[at]
            known = self._days[day] = before, 0 if self.closed[at : at + 1] == (day,) else self.week[weekday]
        return known

    def worked_at(self, moment: int) -> int:
        """Return the minutes of work up to a moment."""
        day, minute = divmod(moment, DAY)
        before, minutes = self._days.get(day) or self._day(day)
        return before + (min(minutes, minute))

    def start_of(self, worked: int) -> int:
        """Return the moment at which the next minute of work begins."""
        return self._minute(worked + 1)

    def end_of(self, worked: int) -> int:
        """Return the moment at which so many minutes of work are done: on the day of the last of them."""
        return self._minute(worked) + 1

    def _minute(self, number: int) -> int:
        """Return the moment at which the minute of work with this number begins. Raises PlanUnsound after 9999."""
        of_week = self._of_week
        weeks, minute = divmod(number - 1 + self._lost[bisect_left(self._worked, number)], of_week[7])
        weekday = bisect_left(of_week, minute + 1)
        day = weeks * 7 + weekday
        if not 1 <= day <= _LAST:
            raise PlanUnsound(
                "The work would reach beyond the years 1 to 9999.", "Correct the estimates of the longest steps."
            )
        return day * DAY + minute - of_week[weekday - 1]


STANDARD = Calendar()
