"""When a plan and its people can work: a calendar for each, from weekly hours, periods, days off and places."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import LONGEST_SPAN, Decision, Person, Place, Plan, Step, WorkingTime, name_key
from workbench.domain.plan.scheduling.account import shared
from workbench.domain.plan.scheduling.calendar import (
    DAY,
    FULL_DAY,
    STANDARD,
    Calendar,
    day_number,
    day_of,
    hours_of_day,
)
from workbench.domain.plan.scheduling.recurrence import MOST_DAYS, Closing

_LONGEST_SET = 400
"""Days from the one that is set for a step on which it may be worked on though they are free."""


@dataclass(frozen=True)
class WorkTimes:
    """The calendars of a plan: its own, and one for each person whose time it knows."""

    own: Calendar = STANDARD
    people: Mapping[str, Calendar] = field(default_factory=dict)
    """By name, case-folded: the hours that each has on a day for all their work."""
    backward: bool = False
    closing: Closing = field(default_factory=Closing)
    places: Mapping[str, Place] = field(default_factory=dict)
    """By id, and by name, case-folded."""
    undecided: Mapping[str, int] = field(default_factory=dict)
    """The last day of each decision that is still to be taken, as the ordinal of its day, by id."""
    target: float = 0
    """Working days before the deadline that a plan scheduled backward aims at."""
    opens: int = 540
    """Minutes after midnight at which a day of work begins."""
    limited: Collection[str] = ()
    """People of whom the plan says how many hours a week they work: what is set for a day off is some of these."""

    @classmethod
    def from_plan(cls, plan: Plan) -> WorkTimes:
        """Return what a plan says about working time; dates that are none are left out, as a check names them."""
        week: tuple[int, ...] = (1, 2, 3, 4, 5)
        backward, target, opens = False, 0.0, cls.opens
        places: dict[str, Place] = {}
        undecided = {}
        for item in plan.items:
            if isinstance(item, WorkingTime):
                week, backward, target = item.weekdays, item.backward, item.target or 0.0
                opens = hours[0] if (hours := hours_of_day(item.hours)) else opens
            elif isinstance(item, Place):
                places |= {item.text.strip().casefold(): item, item.id.casefold(): item}
            elif isinstance(item, Decision) and (latest := day_number(item.open_until)) is not None:
                undecided[item.id] = latest
        closing = Closing.from_plan(plan)
        people = {}
        for person in plan.people:
            people[name_key(person.text)] = _calendar_of(person, person.weekdays or week, closing)
        own = Calendar.from_week(_week(week, FULL_DAY), closing.everybody.keys())
        limited = {name_key(person.text) for person in plan.people if person.hours is not None or person.capacity}
        return cls(own, people, backward, closing, places, undecided, target, opens, limited)

    def whose_time(self, step: Step) -> tuple[str, ...]:
        """Return the people whose time says when a step can begin, of those whom the plan knows.

        These are its first owner, or all if they do it together, or nothing beside it. It ends when all have done
        their part. Of all who have no weekday in common, only the first.
        """
        people = self._deciding(step)
        return people if len(people) < 2 or any(self._in_common(people)) else people[:1]

    def without_day(self, step: Step) -> tuple[str, ...]:
        """Return whose weekdays leave a step no day, as the plan names its people and its place; nothing for others."""
        people, place = self._deciding(step), self.place(step)
        if any(self._in_common(people, place)):
            return ()
        return (*(step.owners if people else ("the working days",)), *([place.text] if place else []))

    def _deciding(self, step: Step) -> tuple[str, ...]:
        if not step.also:
            key = name_key(step.owner)
            return (key,) if key in self.people else ()
        deciding = step.owners if step.mode else step.owners[:1]
        keys = dict.fromkeys(name_key(name) for name in deciding)
        return tuple([key for key in keys if key in self.people])

    def _in_common(self, people: Sequence[str], place: Place | None = None) -> Iterator[int]:
        """Yield the weekdays on which all people have time and a place is open, 1 for Monday."""
        weeks = [self.people[name].week for name in people] or [self.own.week]
        days = place.weekdays if place is not None and place.weekdays else range(1, 8)
        return (day for day in range(1, 8) if day in days and all(week[day - 1] for week in weeks))

    def minutes_of_each(self, step: Step, first: date, last: date) -> int:
        """Return the minutes that whoever has least time of a step's owners can work from one day to another.

        Who has none then does nothing of it. All is the first owner's if they do it together.
        """
        owners = [name_key(name) for name in (step.owners[:1] if step.mode else step.owners)]
        calendars = [self.people[name] for name in owners if name in self.people] or [self.own]
        worked = (one.worked_before(last.toordinal() + 1) - one.worked_before(first.toordinal()) for one in calendars)
        return min(filter(None, worked), default=0)

    def place(self, step: Step) -> Place | None:
        """Return where a step is; None if it says none that the plan knows."""
        return self.places.get(step.place.strip().casefold()) if step.place else None

    def set_days(self, step: Step, people: Sequence[str], first: int, count: int) -> tuple[int, ...]:
        """Return the days of a step that begins on a day: it continues over the working days of its people.

        One that begins on a day off continues over the weekend, and over working days of the plan.
        """
        calendar, days = self.calendar(step, tuple(people)), [first]
        is_off = not calendar.minutes(first)
        away = [self.closing.people.get(name, frozenset()) for name in people]
        for day in range(first + 1, first + _LONGEST_SET):
            if len(days) == count:
                break
            is_free = is_off and not calendar.week[(day - 1) % 7] and (day - first < 2 or self.own.minutes(day))
            if calendar.minutes(day) or (is_free and not any(date.fromordinal(day) in theirs for theirs in away)):
                days.append(day)
        return tuple(days)

    def calendar(self, step: Step, people: tuple[str, ...]) -> Calendar:
        """Return when a step of these people can be worked on: in their time, else in the plan's own, if it is open.

        Where its place is open on none of their weekdays, it counts for nothing: ``without_day`` tells that.
        """
        place = self.place(step)
        if place is not None and not any(self._in_common(people, place)):
            place = None
        frozen = frozenset([tag for tag in step.tags if tag in self.closing.tags]) if step.tags else frozenset()
        if place is None and not frozen and len(people) <= 1:
            return self.people[people[0]] if people else self.own
        key = (people, frozen, place.id if place else "")
        return self._calendars.get(key) or self._kept(key, self._calculated(people, frozen, place))

    def spanned(self, step: Step, people: tuple[str, ...]) -> Calendar:
        """Return the days that a step's duration counts: the plan's working days, and those on which its people work.

        None counts on which one of them is away.
        """
        theirs, plain = self.calendar(step, people), self.calendar(step, ())
        if all(map(int.__le__, map(bool, plain.week), map(bool, theirs.week))):
            return theirs.whole_days()
        key = (people, frozenset(step.tags), f"{step.place}\n")
        if (known := self._calendars.get(key)) is not None:
            return known
        away = {day.toordinal() for name in people for day in self.closing.people.get(name, ())}
        off = away | {day for day, most in theirs.special if not most and theirs.week[(day - 1) % 7]}
        days = off.union(day for day, _ in (*plain.special, *theirs.special))
        week = [FULL_DAY if either else 0 for either in map(max, theirs.week, plain.week)]
        most = {day: 0 if day in off else max(theirs.minutes(day), plain.minutes(day)) for day in days}
        return self._kept(key, Calendar(tuple(week)).with_work(most).whole_days())

    def lasts(self, step: Step, calendar: Calendar) -> float:
        """Return the working days of a calendar in a step's duration; 0 without one."""
        span = math.ceil(step.duration) if step.duration and math.isfinite(step.duration) else 0
        week = 7 if step.duration_elapsed else sum(map(bool, map(max, self.own.week, calendar.week)))
        return span * sum(map(bool, calendar.week)) / week

    def _kept(self, key: tuple[tuple[str, ...], frozenset[str], str], calendar: Calendar) -> Calendar:
        self._calendars[key] = calendar
        self._held.append(len(calendar.special))
        if sum(self._held) > 2 * MOST_DAYS:
            raise PlanUnsound("The steps have too many days off.", "Give people, places and tags fewer of them.")
        return calendar

    def _calculated(self, people: Sequence[str], frozen: Iterable[str], place: Place | None) -> Calendar:
        calendars = [self.people[name] for name in people] or [self.own]
        calendar = calendars[0] if len(calendars) == 1 else Calendar.in_common(calendars)
        closed = [day for tag in frozen for day in self.closing.tags[tag]]
        if place is not None:
            closed += self.closing.places.get(place.id, ())
            calendar = calendar.on_weekdays(place.weekdays) if place.weekdays else calendar
        return calendar.without(closed) if closed else calendar

    @cached_property
    def _held(self) -> list[int]:
        """Days that are special in each of these calendars."""
        return []

    @cached_property
    def _calendars(self) -> dict[tuple[tuple[str, ...], frozenset[str], str], Calendar]:
        return {}


def _calendar_of(person: Person, weekdays: Iterable[int], closing: Closing) -> Calendar:
    """Return the hours of each day of a person, with those of regular days off on the days that are left of a week."""
    key = name_key(person.text)
    always = [one.hours for one in person.capacity if one.first is None and one.last is None]
    weekly = always[-1] if always else person.hours
    week = _week(weekdays, FULL_DAY if weekly is None else _minutes_a_day(weekly, weekdays))
    other = {} if person.id in closing.left_out else dict(_capacities(person, weekdays))
    worked = {day for one in person.capacity if one.is_of_a_day and (day := day_of(one.first)) in other}
    regular = (closing.again.get(key, frozenset()) | closing.again.get("", frozenset())) - worked
    if regular and (weekly is not None or other):
        other |= _on_days_left(week, other, regular, worked)
    off = (closing.everybody.keys() - worked) | closing.people.get(key, frozenset())
    return Calendar.from_week(week, off, other)


def _on_days_left(
    week: Sequence[int], other: Mapping[date, int], regular: Collection[date], worked: Collection[date]
) -> dict[date, int]:
    """Return the minutes of days that take over those of regular days off in their week, up to a full day each.

    ``worked``: days whose own hours are given.
    """
    found: dict[date, int] = {}
    for first in {day.toordinal() - day.weekday() for day in regular}:
        days = [date.fromordinal(first + ahead) for ahead in range(7)]
        usual = {day: other.get(day, minutes) for day, minutes in zip(days, week, strict=True)}
        lost = sum(usual[day] for day in days if day in regular)
        left = [day for day in days if usual[day] and day not in regular and day not in worked]
        rooms = [max(0, FULL_DAY - usual[day]) for day in left]
        shares = shared(min(lost, sum(rooms)), rooms)
        found |= {day: usual[day] + share for day, share in zip(left, shares, strict=True) if share}
    return found


def _minutes_a_day(hours: float, weekdays: Iterable[int]) -> int:
    """Return hours a week as minutes of each of the weekdays."""
    return min(DAY - 1, max(0, round(hours * 60 / max(1, len(set(weekdays))))))


def _capacities(person: Person, weekdays: Iterable[int]) -> Iterator[tuple[date, int]]:
    """Yield the minutes of each working day of the periods in which a person works other hours; later ones hold."""
    days = set(weekdays)
    for capacity in person.capacity:
        first, last = day_of(capacity.first), day_of(capacity.last)
        is_mistyped = any(text is not None and day_of(text) is None for text in (capacity.first, capacity.last))
        if is_mistyped or (first is None and last is None) or not math.isfinite(capacity.hours):
            continue
        begin = first or date.fromordinal(max(1, (last or date.min).toordinal() - LONGEST_SPAN))
        end = min((last or date.max).toordinal(), begin.toordinal() + LONGEST_SPAN)
        minutes = _minutes_a_day(capacity.hours, days)
        for ordinal in range(begin.toordinal(), end + 1):
            if capacity.is_of_a_day or (ordinal - 1) % 7 + 1 in days:  # 1 is a Monday, as ordinal and as weekday
                yield date.fromordinal(ordinal), minutes


def _week(days: Iterable[int], minutes: int) -> list[int]:
    return [minutes if day in set(days) else 0 for day in range(1, 8)]
