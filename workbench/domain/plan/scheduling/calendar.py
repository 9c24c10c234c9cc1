"""When work can happen: the working time of a plan, and of each person in it.

    Calendar   minutes of work for each weekday, and days that have others, or none
    moment     day × 1440 + minutes worked on that day: moments of different calendars can be compared
    worked     minutes of work in one calendar, counted from its first day: lengths of work are differences of these

``worked_at`` and ``start_of``/``end_of`` lead from one to the other. Days are ordinals of the proleptic Gregorian
calendar; everybody's work begins at the same time of a day.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate
from types import MappingProxyType

from workbench.domain.errors import PlanUnsound
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values import calendar_words
from workbench.domain.values.calendar_words import FIRST_DAY, plannable_day

DAY = 1440
"""Minutes of a day: the size of a moment's step from day to day."""
FULL_DAY = 480
"""Minutes of a working day, if nothing else is said: what an estimate of one day means."""
STANDARD_WEEK = (FULL_DAY,) * 5 + (0, 0)
"""Monday to Friday."""
_FIRST_DAY, _LAST_NAMED = FIRST_DAY.toordinal(), calendar_words.LAST_DAY.toordinal()
LAST_DAY = _LAST_NAMED + 6
"""Ordinals of the first and last day that can be planned; a mirrored week more."""
BEYOND = ("The work would reach beyond the years 1900 to 2199.", "Correct the estimates of the longest steps.")
"""What is wrong, and the remedy."""


def day_of(text: str | None) -> date | None:
    """Return the day of an ISO date; None for anything else, and for a day that no plan can name."""
    return plannable_day(text)


_MIRROR = _FIRST_DAY + LAST_DAY - (_FIRST_DAY + LAST_DAY - 1) % 7
"""A Monday, so that a week that runs backward begins with its Sunday."""


def mirrored_day(day: int) -> int:
    """Return the day that a day is where time runs backward, and the other way round."""
    return _MIRROR - day


def hours_of_day(text: str) -> tuple[int, int] | None:
    """Return ``22:00-06:00`` as minutes after midnight, beyond 1440 where they end on the next day; None for others.

    Hours that end as they begin are a moment.
    """
    match = _HOURS.fullmatch(text)
    if match is None:
        return None
    first, last = (int(match[at]) * 60 + int(match[at + 1]) for at in (1, 3))
    return first, last if last >= first else last + DAY


_HOURS = lazy_pattern(r"(\d\d):(\d\d)-(\d\d):(\d\d)", re.ASCII)


@dataclass(frozen=True)
class Calendar:
    """Working time: some minutes on each weekday, and special days that have others, or none."""

    week: tuple[int, ...] = STANDARD_WEEK
    """Minutes of work on Monday, Tuesday, …, Sunday."""
    special: tuple[tuple[int, int], ...] = ()
    """Ordinals of days with other minutes than their weekday has, ascending, each with its minutes; 0 on days off."""
    _days_special: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _lost: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Minutes that the first 0, 1, 2 … special days take away from the weeks; less than none if they add."""
    _worked: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Minutes of work before each special day."""
    _of_week: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Minutes of work before Monday, …, Sunday, and in the whole week."""

    _days: dict[int, tuple[int, int]] = field(init=False, repr=False, compare=False, default_factory=dict)
    """What was asked before: minutes of work before a day, and on it."""

    def __post_init__(self) -> None:
        """Add up the week and what special days change. Raises PlanUnsound for a week without work."""
        if not any(self.week):
            raise PlanUnsound("A calendar has no working day.", "Give it at least one weekday with working hours.")
        lost = (0, *accumulate(self.week[(day - 1) % 7] - minutes for day, minutes in self.special))
        object.__setattr__(self, "_days_special", tuple(day for day, _ in self.special))
        object.__setattr__(self, "_lost", lost)
        object.__setattr__(self, "_of_week", (0, *accumulate(self.week)))
        object.__setattr__(self, "_worked", tuple(self.worked_before(day) for day, _ in self.special))

    @classmethod
    def from_week(
        cls, week: Sequence[int], closed: Iterable[date], other: Mapping[date, int] = MappingProxyType({})
    ) -> Calendar:
        """Return the calendar with these minutes by weekday, these days off, and ``other`` minutes on some days."""
        minutes = {day.toordinal(): most for day, most in other.items()}
        minutes |= dict.fromkeys((day.toordinal() for day in closed), 0)
        special = ((day, most) for day, most in sorted(minutes.items()) if week[(day - 1) % 7] != most)
        return cls(tuple(week), tuple(special))

    def without(self, days: Iterable[date]) -> Calendar:
        """Return the calendar with further days off."""
        return self.with_work(dict.fromkeys((day.toordinal() for day in days), 0))

    def with_work(self, days: Mapping[int, int]) -> Calendar:
        """Return the calendar with other minutes on some days, by their ordinals."""
        minutes = dict(self.special) | dict(days)
        special = ((day, most) for day, most in sorted(minutes.items()) if self.week[(day - 1) % 7] != most)
        return Calendar(self.week, tuple(special))

    def on_weekdays(self, weekdays: Iterable[int]) -> Calendar:
        """Return the calendar without all but some weekdays, 1 for Monday. Raises PlanUnsound if none is left."""
        open_days = set(weekdays)
        week = tuple(minutes if day in open_days else 0 for day, minutes in enumerate(self.week, 1))
        return Calendar(week, tuple((day, most) for day, most in self.special if (day - 1) % 7 + 1 in open_days))

    def whole_days(self) -> Calendar:
        """Return the calendar that has a full day of work on each day on which this one has some."""
        week = tuple(FULL_DAY if minutes else 0 for minutes in self.week)
        special = ((day, FULL_DAY if minutes else 0) for day, minutes in self.special)
        return Calendar(week, tuple((day, most) for day, most in special if week[(day - 1) % 7] != most))

    @classmethod
    def in_common(cls, calendars: Sequence[Calendar]) -> Calendar:
        """Return when all have time. Raises PlanUnsound if they have no weekday in common."""
        week = tuple(map(min, zip(*(calendar.week for calendar in calendars), strict=True)))
        days = sorted({day for calendar in calendars for day, _ in calendar.special})
        return cls(week, tuple((day, min(calendar.minutes(day) for calendar in calendars)) for day in days))

    def mirrored(self) -> Calendar:
        """Return the calendar in which time runs backward: each day is what ``mirrored_day`` gives for it."""
        return Calendar(self.week[::-1], tuple((mirrored_day(day), most) for day, most in reversed(self.special)))

    def usual_day(self) -> float:
        """Return the minutes of a working day of an ordinary week."""
        worked = [minutes for minutes in self.week if minutes]
        return sum(worked) / len(worked)

    def minutes(self, day: int) -> int:
        """Return how much work a day has room for."""
        return self._day(day)[1]

    def first_day(self, day: int) -> int:
        """Return the first day from one on that has room for work. Raises PlanUnsound if there is none."""
        before, minutes = self._day(day)
        return day if minutes else self.start_of(before) // DAY

    def worked_before(self, day: int) -> int:
        """Return the minutes of work up to the beginning of a day."""
        return self._day(day)[0]

    def _day(self, day: int) -> tuple[int, int]:
        if (known := self._days.get(day)) is None:
            weeks, weekday = divmod(day - 1, 7)
            at = bisect_left(self._days_special, day)
            before = weeks * self._of_week[7] + self._of_week[weekday] - self._lost[at]
            is_special = self._days_special[at : at + 1] == (day,)
            known = self._days[day] = before, self.special[at][1] if is_special else self.week[weekday]
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
        """Return the moment at which the minute of work with this number begins. Raises PlanUnsound."""
        of_week, at = self._of_week, bisect_left(self._worked, number)
        if at and number <= self._worked[at - 1] + self.special[at - 1][1]:  # on a special day itself
            return self.special[at - 1][0] * DAY + number - 1 - self._worked[at - 1]
        weeks, minute = divmod(number - 1 + self._lost[at], of_week[7])
        weekday = bisect_left(of_week, minute + 1)
        day = weeks * 7 + weekday
        if not 1 <= day <= LAST_DAY:
            raise PlanUnsound(*BEYOND)
        return day * DAY + minute - of_week[weekday - 1]


STANDARD = Calendar()
EVERY_DAY = Calendar((FULL_DAY,) * 7)
"""Days of the calendar, counted as if each were a working day."""


def add_working_days(day: date, count: int, calendar: Calendar = STANDARD) -> date:
    """Return the working day ``count`` working days after ``day`` (before, when negative).

    A day without work counts as the working day after it. Raises PlanUnsound outside of the years 1900 to 2199.
    """
    first = calendar.start_of(calendar.worked_before(day.toordinal()))
    return date_of(calendar.start_of(calendar.worked_at(first - first % DAY) + count * FULL_DAY))


def working_days_between(first: date, last: date, calendar: Calendar = STANDARD) -> int:
    """Return how many working days come after ``first`` up to and including ``last``; negative when last is earlier."""
    return (calendar.worked_before(last.toordinal() + 1) - calendar.worked_before(first.toordinal() + 1)) // FULL_DAY


def day_number(text: str | None) -> int | None:
    """Return an ISO date as the ordinal of its day; None for what is none."""
    day = day_of(text)
    return None if day is None else day.toordinal()


def date_of(moment: int) -> date:
    """Return the day of a moment. Raises PlanUnsound outside of the years 1900 to 2199."""
    number = moment // DAY
    if not _FIRST_DAY <= number <= _LAST_NAMED:
        raise PlanUnsound(*BEYOND)
    return date.fromordinal(number)
