"""When each step can happen: dates from needs, calendars and people, and why each step begins when it does.

    steps ─▶ order ─▶ latest starts ─▶ one after the other, each at the first moment that needs, calendar, person and
                      (critical path)  "not before" leave (serial schedule generation), a few orders tried
                                          │
                      slack · critical ◀──┴─▶ dates, with the reason why not earlier

Work is counted in minutes of working time (``calendar``). A step of a person whom the plan knows takes that person's
next free minutes; any other takes whole days, at least one, and may run beside others. A step that lasts longer than
its work (``duration``) leaves its owner the rest of these days (``agenda``). A conditional step is dated after all
others, and moves none. Scheduled backward, every step is as late as the deadline allows. The same steps always get the
same dates.
Sources: Kelley & Walker (1959) for the critical path; Malcolm et al. (1959) for PERT; Kolisch (1996) for serial
schedule generation, with minimum latest start as priority.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.agenda import Agenda, first_meeting, first_span, first_stretch, shared
from workbench.domain.plan.calendar import (
    BEYOND,
    DAY,
    EVERY_DAY,
    FULL_DAY,
    STANDARD,
    Calendar,
    day_of,
    hours_of_day,
    mirrored_day,
)
from workbench.domain.plan.cycles import knots_of
from workbench.domain.plan.plan import (
    LONGEST_SPAN,
    Decision,
    Lag,
    Person,
    Place,
    Plan,
    Section,
    Step,
    WorkingTime,
    name_key,
)
from workbench.domain.plan.recurrence import MOST_DAYS, Closing
from workbench.domain.values.calendar_words import FIRST_DAY, LAST_DAY

UNESTIMATED_DAYS = 1
"""Working days that a step without an estimate is given."""
_FIRST_DAY, _LAST_DAY = FIRST_DAY.toordinal(), LAST_DAY.toordinal()
_LONGEST_SET = 400
"""Days from the one that is set for a step on which it may be worked on though they are free."""
LONG_DAY = 1.25
"""Days of work that somebody can do on one long day."""
TRIES = 20
"""Orders that are tried where people are busy; fewer in large plans."""
_TRIED_STEPS = 6_000
"""Steps that all tries together place at most."""
_TRIED_DAYS = 100_000
"""Days of steps that last longer than their work, which all tries together place at most."""

FEW_CIRCLES = 50
"""Circles that are opened one by one, each at the need that fits the order of the plan worst."""

Why = Literal["start", "need", "busy", "not-before", "decision", "on", "happened", "backward"]


class Reason(msgspec.Struct, frozen=True, gc=False):
    """Why a step begins when it does, and not earlier."""

    why: Why
    """``need`` and ``busy`` name a step; so does ``backward``, with the step that it makes room for. ``decision`` names
    what is to be decided."""
    step: str = ""

    def __str__(self) -> str:
        """Say it in words."""
        return _REASONS[self.why].format(self.step) if self.step or self.why != "backward" else "just in time"


_START = Reason("start")
_REASONS: Mapping[Why, str] = {
    "start": "the work begins then",
    "need": "{} has to end before",
    "busy": "its owner is busy with {}",
    "not-before": "it may not begin before",
    "decision": "{} may be decided until the day before",
    "on": "it is on that day",
    "happened": "it began then",
    "backward": "just in time for {}",
}


class ScheduledStep(msgspec.Struct, frozen=True, gc=False):
    """A step with its dates, all inclusive."""

    step: str
    """Id of the step."""
    start: date
    end: date
    late_start: date
    """The last day it can begin without moving the end of the whole."""
    late_end: date
    slack: int
    """Working days it can slip without moving the end of the whole; less than none where it is too late already."""
    critical: bool
    """True when it cannot slip."""
    why: Reason


@dataclass(frozen=True, slots=True)
class Schedule:
    """The dates of all steps, and how they stand against the deadline."""

    rows: tuple[ScheduledStep, ...]
    """In the order of the steps given, without dropped ones."""
    finish: date
    """The last day of the work; the first possible day where there are no steps."""
    critical_path: tuple[str, ...]
    """Ids of the longest chain, first to last; where chains are equally long, the one that stands first in the plan."""
    expected_days: float
    """Expected working days along the critical path, not rounded."""
    slack_days: int | None
    """Working days between finish and deadline; negative for an overrun, None without a deadline."""
    network: Network = field(repr=False, compare=False)
    """What the dates were calculated from."""
    placed: Placed = field(repr=False, compare=False)
    """The same dates as moments."""


@dataclass(frozen=True)
class WorkTimes:
    """The calendars of a plan: its own, and one for each person whose time it knows."""

    own: Calendar = STANDARD
    people: Mapping[str, Calendar] = field(default_factory=dict)
    """By name, case-folded. A day off that is set for a step of theirs is one on which they work."""
    usual: Mapping[str, Calendar] = field(default_factory=dict)
    """The same without these days."""
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
    """People of whom the plan says how many hours a week they work, no more because a day off is set."""

    @classmethod
    def of(cls, plan: Plan) -> WorkTimes:
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
        closing = Closing.of(plan)
        closed = closing.everybody.keys()
        people = {}
        for person in plan.people:
            weekdays = person.weekdays or week
            always = [one.hours for one in person.capacity if one.first is None and one.last is None]
            weekly = always[-1] if always else person.hours
            minutes = FULL_DAY if weekly is None else _minutes_a_day(weekly, weekdays)
            other = {} if person.id in closing.left_out else dict(_capacities(person, weekdays))
            worked = {day for one in person.capacity if one.is_of_a_day and (day := day_of(one.first)) in other}
            off = (closed - worked) | closing.people.get(name_key(person.text), frozenset())
            people[name_key(person.text)] = Calendar.of(_week(weekdays, minutes), off, other)
        own = Calendar.of(_week(week, FULL_DAY), closed)
        on_set_days = {
            name: people[name].with_work(days) for name, days in _set_days(plan, own, people, closing).items()
        }
        limited = {name_key(person.text) for person in plan.people if person.hours is not None or person.capacity}
        return cls(own, people | on_set_days, people, backward, closing, places, undecided, target, opens, limited)

    def room(self, name: str) -> Calendar:
        """Return the time that somebody whom the plan knows has for all their work."""
        return (self.usual if name in self.limited else self.people)[name]

    def whose_time(self, step: Step) -> tuple[str, ...]:
        """Return the people whose time says when a step can begin, of those whom the plan knows.

        These are its first owner, or all where they do it together, or nothing beside it. It ends when all have done
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

        Who has none then does nothing of it. All is the first owner's where they do it together.
        """
        owners = [name_key(name) for name in (step.owners[:1] if step.mode else step.owners)]
        calendars = [self.people[name] for name in owners if name in self.people] or [self.own]
        worked = (one.worked_before(last.toordinal() + 1) - one.worked_before(first.toordinal()) for one in calendars)
        return min(filter(None, worked), default=0)

    def place(self, step: Step) -> Place | None:
        """Return where a step is; None where it says none that the plan knows."""
        return self.places.get(step.place.strip().casefold()) if step.place else None

    def calendar(self, step: Step, people: tuple[str, ...]) -> Calendar:
        """Return when a step of these people can be worked on: in their time, else in the plan's own, where it is open.

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


def _set_days(plan: Plan, own: Calendar, people: Mapping[str, Calendar], closing: Closing) -> dict[str, dict[int, int]]:
    """Return the free weekdays on which each person has a step that is set, with its minutes: then they work on them.

    More than a day's work goes on over the weekend that it begins on, and over working days of the plan.
    """
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for step in plan.steps:
        first, minutes = day_number(step.on), own_minutes(step) if step.on else None
        is_work = not (step.milestone or step.waiting is not None or step.duration or step.condition)
        if first is None or not minutes or not is_work or step.status in ("done", "dropped") or has_begun(step):
            continue
        names = dict.fromkeys(name_key(owner) for owner in step.owners if name_key(owner) in people)
        off = [name for name in names if not people[name].minutes(first)]
        for name in names if off and step.mode == "together" else off:  # what one does on a free day, all do
            theirs, left = people[name], round(minutes)
            if not left:
                continue
            for day in range(first, first + _LONGEST_SET):
                if theirs.minutes(day):
                    left -= FULL_DAY
                elif not theirs.week[(day - 1) % 7] and (day - first < 2 or own.minutes(day)):
                    most = left if step.hours or left <= LONG_DAY * FULL_DAY else FULL_DAY
                    if date.fromordinal(day) not in closing.people.get(name, ()):
                        found[name][day] = min(DAY - 1, found[name][day] + most)
                    left -= most
                if left <= 0:
                    break
    return found


def _week(days: Iterable[int], minutes: int) -> list[int]:
    return [minutes if day in set(days) else 0 for day in range(1, 8)]


def add_working_days(day: date, count: int, calendar: Calendar = STANDARD) -> date:
    """Return the working day ``count`` working days after ``day`` (before, when negative).

    A day without work counts as the working day after it. Raises PlanUnsound outside of the years 1900 to 2199.
    """
    first = calendar.start_of(calendar.worked_before(day.toordinal()))
    return _date_of(calendar.start_of(calendar.worked_at(first - first % DAY) + count * FULL_DAY))


def working_days_between(first: date, last: date, calendar: Calendar = STANDARD) -> int:
    """Return how many working days come after ``first`` up to and including ``last``; negative when last is earlier."""
    return (calendar.worked_before(last.toordinal() + 1) - calendar.worked_before(first.toordinal() + 1)) // FULL_DAY


def duration(step: Step) -> int:
    """Return the whole working days that a step occupies, at least one. Raises PlanUnsound for an infinite effort."""
    return max(1, math.ceil(_expected(step)))


def own_minutes(step: Step) -> float | None:
    """Return the minutes of work that a step is expected to be for each of its owners; None where nothing says so.

    What has its hours takes these of all owners, and no more.
    """
    hours = hours_of_day(step.hours) if step.on else None
    if step.effort is None:
        return None if hours is None else float(hours[1] - hours[0])
    minutes = _expected(step) * share_of(step) * FULL_DAY
    return minutes if hours is None else min(minutes, hours[1] - hours[0])


def share_of(step: Step) -> float:
    """Return the part of a step's effort that each of its owners has, 0 to 1."""
    return 1 / _count_of(step.owners) if step.also and not step.each else 1.0


@lru_cache(maxsize=256)  # it is asked for each of them
def _count_of(owners: tuple[str, ...]) -> int:
    return max(1, len(set(map(name_key, owners))))


def schedule(
    steps: Sequence[Step],
    *,
    start: date,
    deadline: date | None,
    times: WorkTimes | None = None,
    tries: int | None = None,
    given: Mapping[str, bool] = MappingProxyType({}),
    ranks: Mapping[str, int] = MappingProxyType({}),
    now: date | None = None,
) -> Schedule:
    """Return the dates of all steps, counted from the first working day on or after ``start``.

    ``tries``: how many other orders of work are tried where people are busy; None for what such a plan is worth.
    ``given``: steps on days of their own, ``not_before``, which may be before ``start`` and, with a lag below nothing,
    before the end of what they need; True for those that stand beside other work of their owners.
    ``ranks``: which step comes first where a person has several to do, the greatest; else the longest chain does.
    ``now``: the day from which on what is left of steps under way is done, where these have no last day; None for
    ``start``.
    Needs that are circular, or name no step, are left out (``Network.left_out``). Raises PlanUnsound for ids used
    twice, and dates that no plan can name.
    """
    since = (now or start).toordinal() * DAY
    network = Network.of(steps, times or WorkTimes(), start.toordinal() * DAY, given, since)
    count = len(steps) - len(network.tasks) + len(network.firm)  # conditional steps change nothing
    days = sum(task.work for task in network.firm.values() if task.spans) // FULL_DAY
    worth = min(TRIES, _TRIED_STEPS // max(1, count), _TRIED_DAYS // max(1, days))
    placed = network.best(worth if tries is None else tries, ranks)
    return _told(network, placed, deadline)


def with_dates(plan: Plan, *, start: date, deadline: date | None) -> Plan:
    """Return the plan with every step that is not done at its dates. Raises what ``schedule`` raises.

    What is under way ends when what is left of it is done, from ``start`` on.
    """
    planned = schedule(without_ends(plan.steps), start=start, deadline=deadline, times=WorkTimes.of(plan))
    return dated(plan, planned, begun=True)


def without_ends(steps: Iterable[Step], of: Collection[str] | None = None) -> tuple[Step, ...]:
    """Return steps without the last day of those that are under way, or of some of them: it is calculated anew."""
    return tuple(
        replace(step, end=None) if has_begun(step) and step.end and (of is None or step.id in of) else step
        for step in steps
    )


def has_begun(step: Step) -> bool:
    """Tell whether a step is being done since a day that is known, though it may wait for now."""
    is_open = step.status == "under-way" or (step.status == "waiting" and step.left is not None)
    return is_open and day_of(step.started) is not None


def edges_left_out(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Return steps and what they need that no date waits for, as no step can. Raises PlanUnsound."""
    return Network.of(plan.steps, WorkTimes.of(plan), 0, {}, 0).left_out


def dated(plan: Plan, planned: Schedule, *, begun: bool = False) -> Plan:
    """Return the plan with the dates of a schedule: what is done or dropped stays where it is.

    So does what is under way, unless ``begun``. A section whose dates stay is the identical object.
    """
    rows = {row.step: row for row in planned.rows}
    statuses = ("todo", "waiting", "under-way") if begun else ("todo", "waiting")
    return msgspec.structs.replace(plan, sections=tuple(_dated(section, rows, statuses) for section in plan.sections))


def _dated(section: Section, rows: Mapping[str, ScheduledStep], statuses: Collection[str]) -> Section:
    items = tuple(
        msgspec.structs.replace(item, start=rows[item.id].start.isoformat(), end=rows[item.id].end.isoformat())
        if isinstance(item, Step) and item.status in statuses and item.id in rows
        else item
        for item in section.items
    )
    return section if items == section.items else msgspec.structs.replace(section, items=items)


class Task(msgspec.Struct, frozen=True, gc=False):
    """A step as it is placed: moments and minutes of work."""

    step: Step
    calendar: Calendar
    work: int
    """Minutes of work in its calendar; of waiting, minutes of the clock."""
    needs: tuple[tuple[str, Lag | None], ...]
    """Steps that have to end before; its parts where a step has some."""
    owner: str = ""
    """The person whose time says how long it takes, case-folded; "" where nobody's does, and it takes whole days."""
    people: tuple[str, ...] = ()
    """All whose time says when it can be done."""
    loads: tuple[tuple[str, int], ...] = ()
    """Minutes of work that it is for each person whose time the plan knows."""
    others: tuple[tuple[str, Calendar], ...] = ()
    """Who does a part of it beside these, each in their own time from its beginning on."""
    share: float = 1.0
    """The part of its effort that its length comes from: one owner's, where several share it."""
    spans: bool = False
    """Whether it has a duration, in which its people may do other things."""
    opens: Calendar | None = None
    """On which days it can begin, where its duration counts others; None for those of its own calendar."""
    is_conditional: bool = False
    decided: int = 0
    """The moment from which on all is decided that it depends on."""
    decision: str = ""
    """The decision that is taken last."""
    begin: int | None = None
    """The moment at which it began, or has to."""
    end: int | None = None
    """The moment at which it ended, or ends as far as is known."""
    waits: bool = False
    """Whether time passes and nobody works."""
    waits_working: bool = False
    """Whether only working days count as time that passes."""
    night: int = 0
    """Of waiting that is hours of the clock: the minutes from the opening of a day to its end."""

    @property
    def is_meeting(self) -> bool:
        """Whether all do it at once, and in a day: it is on one day."""
        return self.step.mode == "together" and 0 < self.work <= FULL_DAY and not self.spans and self.begin is None

    @property
    def is_set(self) -> bool:
        """Whether its work is on days that the plan sets, or is under way."""
        is_open = self.begin is not None and self.step.status != "done" and not self.waits
        return is_open and self.work > 0 and own_minutes(self.step) is not None

    @property
    def is_set_ahead(self) -> bool:
        """Whether it has a day of its own that is still to come."""
        return self.begin is not None and self.step.status in ("todo", "waiting") and not has_begun(self.step)

    def rest(self, begin: int, end: int) -> tuple[int, float]:
        """Return when what is left of it begins, and what part of its work that is, where it has these ends."""
        share = share_left(self.step)
        if self.step.status != "under-way" or (self.step.left is None and share is None) or not self.work:
            return begin, 1.0
        left = round(self.work * share if share is not None else (self.step.left or 0) * self.share * FULL_DAY)
        return replace(self, work=left).begin_before(end), left / self.work

    @property
    def counts_days(self) -> bool:
        """Whether it is days in which nobody works: the first is the one after a moment, or that begins with it."""
        return self.waits and not self.night and self.work >= (1 if self.waits_working else DAY)

    @property
    def waits_whole_days(self) -> bool:
        """Whether it is whole days of waiting, the last of which is over before anything follows."""
        is_some = self.waits and self.work > 0 and not self.night
        return is_some and not self.work % (FULL_DAY if self.waits_working else DAY)

    def first_moment(self, moment: int) -> int:
        """Return the first moment from one on at which it may begin, as far as its calendar says."""
        if self.waits or not self.work:
            return moment
        calendar = self.opens or self.calendar
        if not moment % DAY and calendar.minutes(moment // DAY):
            return moment
        worked = calendar.worked_at(moment)
        if not self.owner and moment % DAY:  # a day that has begun is nobody's whole day
            day = moment // DAY
            worked = calendar.worked_before(day + 1)
        return calendar.start_of(worked)

    def end_after(self, begin: int) -> int:
        """Return when it ends if it begins at a moment."""
        if self.end is not None:
            return self.end
        day, minute = divmod(begin, DAY)
        if self.counts_days and not minute:  # it begins with a day, which is the first of it
            day, minute = day - 1, FULL_DAY
        if self.waits_working:
            last = self.calendar.end_of(self.calendar.worked_before(day + 1) + self.work) // DAY if self.work else day
            return last * DAY + (DAY - 1 if self.waits_whole_days else minute)
        if self.waits or not self.work:
            end = day * DAY + minute + self.work
            if self.night and end % DAY > self.night:  # in the night before a day: as that begins
                return (end // DAY + 1) * DAY
            return end // DAY * DAY + DAY - 1 if self.waits_whole_days else end
        if self.begin is not None and not self.calendar.minutes(day):
            return begin + (math.ceil(self.work / FULL_DAY) - 1) * DAY + FULL_DAY
        return self.calendar.end_of(self.calendar.worked_at(begin) + self.work)

    def begin_before(self, end: int) -> int:
        """Return the latest beginning of what ends at a moment or before."""
        day, minute = divmod(end, DAY)
        if self.waits_working:
            if self.waits_whole_days and minute < FULL_DAY:  # it is over on the day before
                return self.calendar.start_of(self.calendar.worked_before(day) - self.work) // DAY * DAY
            first = self.calendar.start_of(self.calendar.worked_before(day + 1) - self.work) // DAY - 1
            return (first if self.work else day) * DAY + minute
        if self.waits or not self.work:
            is_over = self.waits_whole_days and minute < FULL_DAY  # on the day before
            return day * DAY - self.work if is_over else end - self.work
        if self.owner or minute >= self.calendar.minutes(day):
            return self.calendar.start_of(self.calendar.worked_at(end) - self.work)
        return self.calendar.start_of(self.calendar.worked_before(day) - self.work)


class Placed(msgspec.Struct, frozen=True):
    """Where all tasks are."""

    begin: dict[str, int]
    end: dict[str, int]
    why: dict[str, Reason]
    order: tuple[str, ...]
    """As they were placed: what is needed comes first."""
    queues: tuple[tuple[str, ...], ...]
    """What each person does, in this order."""
    finish: int = 0
    """The end of the last, conditional ones aside."""
    lasting: dict[str, int] = {}
    """Minutes that a task lasts in its calendar, where other work beside it makes that more than its own."""
    loads: dict[str, dict[str, dict[int, int]]] = {}
    """Minutes of work of each task, person and day, where they are not all that its calendar has."""

    def by_begin(self, tasks: Mapping[str, Task]) -> list[str]:
        """Return all tasks as they begin; hours of waiting count as begun when they end, they may follow a night."""
        moments = {name: self.end[name] if tasks[name].night else self.begin[name] for name in self.order}
        return sorted(self.order, key=moments.__getitem__)

    def one_after_the_other(self) -> Iterator[tuple[str, str]]:
        """Yield what somebody does and what the same person does next; not what goes on during the days off of it."""
        for queue in self.queues:
            for one, other in pairwise(queue):
                if self.end[one] <= self.begin[other]:
                    yield one, other


@dataclass(frozen=True)
class Network:
    """Everything that dates are calculated from."""

    ids: tuple[str, ...]
    """Of all steps that are not dropped, in the order of the plan."""
    tasks: Mapping[str, Task]
    """By id, without steps that have parts."""
    parts: Mapping[str, Sequence[str]]
    """Ids of the parts of each step that has some."""
    times: WorkTimes
    start: int
    """The first moment."""
    given: Mapping[str, bool]
    """Steps on days of their own, as ``schedule`` is told."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Steps and what they need that nothing can wait for: there is no such step, or it waits for them."""

    @classmethod
    def of(cls, steps: Sequence[Step], times: WorkTimes, start: int, given: Mapping[str, bool], now: int) -> Network:
        """Return the network of steps. Raises PlanUnsound."""
        by_id = _by_id(steps)
        live = {name: step for name, step in by_id.items() if step.status != "dropped"}
        unknown = [(name, need) for name, step in live.items() for need in step.needs if need not in by_id]
        parts: dict[str, list[str]] = {}
        wholes: dict[str, Step] = {}
        for name, step in live.items():
            if (whole := live.get(step.parent)) and whole is not step and whole.parent not in live:
                parts.setdefault(whole.id, []).append(name)
                wholes[name] = whole
        tasks = {
            name: _task(step, wholes.get(name), live, parts, times=times, now=now)
            for name, step in live.items()
            if name not in parts
        }
        tasks |= {
            name: replace(tasks[name], owner="", people=(), loads=(), others=())
            for name, is_beside in given.items()
            if is_beside and name in tasks
        }
        tasks = _without_conditions(tasks)
        network = cls(tuple(live), tasks, parts, times, start, given, tuple(unknown))
        if len(network.order) == len(tasks):
            return network
        circular = tuple(_circular(tasks))
        for name, need in circular:
            kept = tuple(one for one in tasks[name].needs if one[0] != need)
            tasks = {**tasks, name: replace(tasks[name], needs=kept)}
        return cls(tuple(live), tasks, parts, times, start, given, (*unknown, *circular))

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Ids so that every task comes after those it needs."""
        missing = {name: len(task.needs) for name, task in self.tasks.items()}
        order = [name for name, count in missing.items() if not count]
        for name in order:
            for other, _ in self.needed_by[name]:
                missing[other] -= 1
                if not missing[other]:
                    order.append(other)
        return tuple(order)

    @cached_property
    def firm(self) -> Mapping[str, Task]:
        """The tasks that are done in any case."""
        conditional = any(task.is_conditional for task in self.tasks.values())
        return (
            {name: task for name, task in self.tasks.items() if not task.is_conditional} if conditional else self.tasks
        )

    @cached_property
    def _conditional(self) -> tuple[str, ...]:
        """The others, each after those it needs."""
        return tuple(name for name in self.order if name not in self.firm)

    @cached_property
    def needed_by(self) -> Mapping[str, Sequence[tuple[str, Lag | None]]]:
        """For each task those that need it."""
        found: dict[str, list[tuple[str, Lag | None]]] = {name: [] for name in self.tasks}
        for name, task in self.tasks.items():
            for needed, lag in task.needs:
                found[needed].append((name, lag))
        return found

    def best(self, tries: int, ranks: Mapping[str, int]) -> Placed:
        """Return the schedule, of those that some orders give, that is least late for deadlines, and the shortest."""
        owners = [name for task in self.firm.values() for name, _ in task.loads if task.work and task.begin is None]
        if len(set(owners)) == len(owners):
            return self._placed(tuple(name for name in self.order if name in self.firm))
        tails = {**self.tails(), **ranks}
        best = self._placed(self._by_priority(tails))
        for seed in range(1, 1 + tries):
            width = max(FULL_DAY, max(tails.values()) // 8)
            numbers = _numbers(seed)
            shaken = {name: tail + next(numbers) % width for name, tail in tails.items()}
            tried = self._placed(self._by_priority(shaken))
            best = tried if (self._late(tried), tried.finish) < (self._late(best), best.finish) else best
        return best

    @cached_property
    def _deadlines(self) -> Mapping[str, int]:
        """The moment at which each task has to be over that has a deadline, or that one on a set day needs."""
        lasts = {name: day_number(task.step.deadline) for name, task in self.firm.items() if task.step.deadline}
        found = {name: (last + 1) * DAY for name, last in lasts.items() if last is not None}
        for task in self.firm.values():
            if task.begin is not None and task.is_set_ahead:
                for name, lag in task.needs:
                    if lag is None and name in self.firm:
                        found[name] = min(found.get(name, task.begin), task.begin)
        return found

    def _late(self, placed: Placed) -> int:
        """Return by how many minutes all tasks together miss their deadlines."""
        return sum(max(0, placed.end[name] - last) for name, last in self._deadlines.items())

    def tails(self) -> dict[str, int]:
        """Return how urgent each task is: about the minutes of work that begin with it, its longest chain.

        What has a deadline, or is needed by what has one, comes before all others, and the earlier one first.
        """
        tails: dict[str, int] = {}
        lasts: dict[str, int] = {}
        worked = {name: self.times.own.worked_at(last) for name, last in self._deadlines.items()}
        for name in reversed(self.order):
            if name not in self.firm:
                continue
            after = max([tails[other] for other, _ in self.needed_by[name] if other in tails], default=0)
            tails[name] = after + self.tasks[name].work
            if worked:
                needing = [other for other, _ in self.needed_by[name] if other in lasts]
                limits = [lasts[other] - self.tasks[other].work for other in needing]
                limits += [worked[name]] if name in worked else []
                lasts |= {name: min(limits)} if limits else {}
        if lasts:
            above = max(lasts.values()) + max(tails.values()) + 1
            tails |= {name: above - last for name, last in lasts.items()}
        return tails

    def _by_priority(self, priority: Mapping[str, int]) -> tuple[str, ...]:
        """Return tasks, the one with the greatest number first of those whose needs are placed."""
        missing = {name: len(task.needs) for name, task in self.firm.items()}
        places = {name: at for at, name in enumerate(self.firm)}
        ready = [(-priority[name], places[name], name) for name, count in missing.items() if not count]
        heapify(ready)
        order: list[str] = []
        while ready:
            name = heappop(ready)[2]
            order.append(name)
            for other, _ in self.needed_by[name]:
                if other not in missing:
                    continue
                missing[other] -= 1
                if not missing[other]:
                    heappush(ready, (-priority[other], places[other], other))
        return tuple(order)

    def _placed(self, order: tuple[str, ...]) -> Placed:
        """Return the tasks placed one after the other, each as early as those before leave room."""
        placed = Placed({}, {}, {}, (*order, *self._conditional), (), lasting={}, loads={})
        queues: dict[str, _Queue] = {}
        agendas = {name: Agenda(self.times.room(name)) for name in self.people_with_agendas}
        for person, name, days, minutes in self.set_work:
            agendas[person].reserve(name, days, minutes)
        for name in order:
            task = self.tasks[name]
            begin, why = self._earliest(task, placed.end)
            busy = ""
            if task.begin is not None or not task.work or not task.loads:
                begin = task.first_moment(begin) if task.begin is None else begin
                end = task.end_after(begin)
            elif task.loads[0][0] in agendas:
                begin, end, busy = _shared_time(task, begin, agendas, placed)
            else:
                queue = queues.get(task.owner) or queues.setdefault(task.owner, _Queue(task.calendar))
                begin, end, busy = queue.take(name, begin, task.work)
            why = Reason("busy", busy) if busy else why
            placed.begin[name], placed.end[name], placed.why[name] = begin, end, why
        finish = max(placed.end.values(), default=0)
        self.add_conditional(placed)
        names = [queue.names() for queue in queues.values()] + [agenda.names() for agenda in agendas.values()]
        return replace(placed, queues=tuple(names), finish=finish)

    def add_conditional(self, placed: Placed) -> None:
        """Place the conditional tasks, in whose way nobody's other work is."""
        for name in self._conditional:
            task = self.tasks[name]
            begin, placed.why[name] = self._earliest(task, placed.end)
            begin = task.first_moment(begin) if task.begin is None else begin
            placed.begin[name], placed.end[name] = begin, task.end_after(begin)

    @cached_property
    def people_with_agendas(self) -> frozenset[str]:
        """People who have more to do than one thing after the other on the days of their own calendar."""
        found: set[str] = set()
        for task in self.firm.values():
            is_of_one = task.owner and len(task.loads) == 1 and task.calendar is self.times.people[task.owner]
            if task.is_set or (
                (not is_of_one or task.is_meeting or task.step.splits) and task.begin is None and task.work
            ):
                found.update(name for name, _ in task.loads)
        return frozenset(found)

    @cached_property
    def set_work(self) -> Sequence[tuple[str, str, Sequence[int], int]]:
        """Person, task, days and minutes of all that is set for its days, which other work goes round."""
        found: list[tuple[str, str, Sequence[int], int]] = []
        for name, task in self.firm.items():
            if task.is_set and task.begin is not None:
                end = task.end_after(task.begin)
                begin, part = task.rest(task.begin, end)
                days: Sequence[int] = range(begin // DAY, end // DAY + 1)
                for person, minutes in task.loads:
                    work = round(minutes * part)
                    if has_begun(task.step) or self.times.room(person).minutes(days[0]):
                        found.append((person, name, days, work))
                        continue
                    there = list(map(self.times.people[person].minutes, days))  # it begins on a day off
                    shares = shared(work, there if there[0] else [1] * len(days))
                    found += [(person, name, [day], share) for day, share in zip(days, shares, strict=True)]
        return found

    def lasting(self, placed: Placed) -> Mapping[str, Task]:
        """Return the tasks, each as long as it lasts where it is placed."""
        longer = {name: replace(self.tasks[name], work=work) for name, work in placed.lasting.items()}
        return {**self.tasks, **longer} if longer else self.tasks

    def _earliest(self, task: Task, end: Mapping[str, int]) -> tuple[int, Reason]:
        """Return the moment before which a task cannot begin, calendars aside, and what keeps it from that."""
        if task.begin is not None:
            return task.begin, Reason("on" if task.is_set_ahead else "happened")
        given = day_number(task.step.not_before) if task.step.id in self.given else None
        moment, last = self.start if given is None else given * DAY, ""
        for needed, lag in task.needs:
            if lag:
                after = self._after(needed, end[needed], lag, may_lead=given is not None)
            elif task.night:
                after = end[needed] - self.left_of_day(needed)
            else:  # days of waiting count from the day after what they follow, were it over as that begins
                after = end[needed] + (task.counts_days and not end[needed] % DAY)
            if after > moment:
                moment, last = max(after, self.start), needed
        if task.step.not_before and (day := day_number(task.step.not_before)) is not None and day * DAY > moment:
            moment, why = day * DAY, Reason("not-before")
        else:
            why = Reason("need", last) if last else _START
        return (task.decided, Reason("decision", task.decision)) if task.decided > moment else (moment, why)

    def _after(self, needed: str, end: int, lag: Lag, *, may_lead: bool) -> int:
        """Return when what needs a task can begin, where that ends at a moment; before that only where it may lead."""
        own, since = self.times.own, end - self.left_of_day(needed, lag)
        after = round(lag.days * DAY) + since if lag.elapsed else own.end_of(own.worked_at(since) + _minutes(lag.days))
        if lag.elapsed and not is_whole_days(lag):
            after = after if after % DAY <= DAY - self.times.opens else (after // DAY + 1) * DAY
        elif is_whole_days(lag) and after % DAY < self._length(end // DAY):  # the work of one day, and then whole days
            after -= after % DAY
        return after if may_lead else max(end, after)

    def left_of_day(self, name: str, lag: Lag | None = None) -> int:
        """Return the minutes of work that are left of a day when the hours of a task end that is set for it.

        By the clock, hours before and after these are told apart; a lag in days counts those of the day.
        """
        task = self.tasks[name]
        hours = hours_of_day(task.step.hours) if task.step.on and task.begin is not None else None
        if hours is None or has_begun(task.step):
            return 0
        worked = (hours[1] - 1) % DAY + 1 - self.times.opens
        is_clock = lag is None or (lag.elapsed and not is_whole_days(lag))
        ends = FULL_DAY if task.work or task.end is None else task.end % DAY
        return ends - (worked if is_clock else min(FULL_DAY, max(1, worked)))

    def _length(self, day: int) -> int:
        return self.times.own.minutes(day) or FULL_DAY

    def _before(self, task: Task, begin: int, lag: Lag, end: int) -> int:
        """Return when what a task needs must have ended, if that begins at a moment; ``end``: when it does end."""
        own = self.times.own
        before = (
            begin - round(lag.days * DAY) if lag.elapsed else own.start_of(own.worked_at(begin) - _minutes(lag.days))
        )
        if is_whole_days(lag) and end % DAY < self._length(end // DAY):  # any time of that day will do but its end
            day, minute = divmod(before, DAY)
            day += task.counts_days and minute >= self._length(begin // DAY)  # it counts from the next day
            before = max(before, day * DAY + self._length(day) - 1)
        return min(begin, before)

    def since(self, day: date) -> frozenset[str]:
        """Return what has to begin on a day, and all that needs it: the event, and what comes after it."""
        found = {name for name, task in self.tasks.items() if task.step.on == day.isoformat()}
        unfinished = list(found)
        while unfinished:
            more = {other for other, _ in self.needed_by[unfinished.pop()]} - found
            found |= more
            unfinished += more
        return frozenset(found)

    def latest(self, placed: Placed, finish: int, aim: int | None, held: frozenset[str]) -> Placed:
        """Return the tasks as late as they can be with which all is done by a moment; what cannot be stays as it is.

        ``aim``: an earlier moment by which everything is done that can be done by then. ``held``: what stays.
        """
        free = [task for name, task in self.firm.items() if task.begin is None and name not in held]
        everybody = {name for task in self.firm.values() if task.work for name, _ in task.loads}
        for people in (everybody, self.people_with_agendas):  # where that leaves no room, all others keep their order
            backward = _Backward(self, people)
            late = self.late_begins(placed, finish, aim, backward, held, stays=True)
            if all(late[one.step.id] >= max(self.start, one.decided, DAY * _not_before(one)) for one in free):
                break
        else:
            return placed
        why = dict(placed.why)
        for name, task in self.firm.items():
            is_too_late = late[name] == placed.begin[name] and placed.finish > finish
            if task.begin is None and name not in held and not is_too_late:
                why[name] = Reason("backward", backward.bound[name])
        end = {name: backward.end.get(name) or task.end_after(late[name]) for name, task in self.firm.items()}
        queues = (*(queue for queue in placed.queues if backward.moved.keys().isdisjoint(queue)), *backward.queues())
        begin = {name: late[name] for name in self.firm}
        for name in placed.order:  # what nobody does goes on from the day on which what it needs is done
            task = self.tasks[name]
            if name in begin and task.waits and task.needs and task.begin is None and name not in held:
                first, reason = self._earliest(task, end)
                if first < begin[name]:
                    begin[name], end[name], why[name] = first, task.end_after(first), reason
        loads = {name: loads for name, loads in placed.loads.items() if name in held} | backward.loads
        lasting = {name: days for name, days in placed.lasting.items() if name in held} | backward.lasting
        later = replace(placed, begin=begin, end=end, why=why, queues=queues, loads=loads, lasting=lasting)
        self.add_conditional(later)
        return later

    def late_begins(
        self,
        placed: Placed,
        finish: int,
        aim: int | None = None,
        backward: _Backward | None = None,
        held: frozenset[str] = frozenset(),
        *,
        stays: bool = False,
        ends: dict[str, int] | None = None,
    ) -> dict[str, int]:
        """Return the latest beginning of each task with which all is done by a moment, and people keep their order.

        ``backward``: takes the time of people whose work is no queue, in place of their order. ``held``: what stays.
        ``stays``: what is too late already stays as it is. ``ends``: is given the latest end of each.
        """
        following: dict[str, list[str]] = {}
        for one, other in placed.one_after_the_other():
            following.setdefault(one, []).append(other)
        for other, why in placed.why.items():
            if why.why == "busy" and has_begun(self.tasks[why.step].step):
                following.setdefault(why.step, []).append(other)
        tasks, firm = self.lasting(placed), self.firm
        stay = (name for name in placed.order if tasks[name].begin is not None or name in held)
        late = {name: placed.begin[name] for name in (*stay, *self._conditional)}
        for name in reversed(placed.by_begin(tasks)):
            task = tasks[name]
            is_begun = False
            if name in late:
                is_begun = ends is not None and not task.is_conditional and has_begun(task.step)
                if not is_begun:
                    continue
            least = placed.end[name] if stays else 0
            limit, bound = max(finish if aim is None else aim, least), ""
            for other, lag in self.needed_by[name]:
                if other in late and other in firm:
                    if lag:
                        before = self._before(tasks[other], late[other], lag, placed.end[name])
                    else:
                        before = late[other]
                        if tasks[other].counts_days and not task.work:  # a milestone, on a working day before it
                            last = self.times.own.end_of(self.times.own.worked_at(before))
                            before = max(last, min(before - (not before % DAY), placed.end[name]))
                    before = before if tasks[other].begin is None else max(before, least)
                    if before <= limit:
                        limit, bound = before, other
            is_shared = backward is not None and backward.is_shared(task)
            if name in following and not is_shared:
                for other in following[name]:
                    if late.get(other, limit) < limit:
                        limit, bound = late[other], other
            if task.step.deadline and (day := day_number(task.step.deadline)) is not None:
                last = max((day + 1) * DAY - 1, least)
                limit, bound = (last, "") if last < limit else (limit, bound)
            if ends is not None:
                ends[name] = limit
            if is_begun:
                continue
            if backward is not None and is_shared:
                late[name] = backward.take(self.tasks[name], limit, bound)
            else:
                late[name] = task.begin_before(limit)
                if backward is not None:
                    backward.bound[name] = bound
        return late


def _minutes(days: float) -> int:
    return round(days * FULL_DAY)


def day_number(text: str | None) -> int | None:
    """Return an ISO date as the ordinal of its day; None for what is none."""
    day = day_of(text)
    return None if day is None else day.toordinal()


def _task(
    step: Step,
    whole: Step | None,
    live: Mapping[str, Step],
    parts: Mapping[str, Sequence[str]],
    *,
    times: WorkTimes,
    now: int,
) -> Task:
    """Return a step as it is placed; what the step that it is a part of needs, it needs too."""
    both = (*whole.lags, *step.lags) if whole else step.lags
    lags = {lag.step: lag for lag in both} if both else {}
    needs = [
        (part, lags.get(need))
        for need in dict.fromkeys((*whole.needs, *step.needs) if whole else step.needs)
        for part in parts.get(need, (need,))
        if part in live
    ]
    task = _work_of(step, times, tuple(needs))
    decisions = (*whole.decisions, *step.decisions) if whole else step.decisions
    if latest := [(times.undecided[name], name) for name in decisions if name in times.undecided]:
        task = replace(task, decided=(max(latest)[0] + 1) * DAY, decision=max(latest)[1])
    if step.condition or (whole and whole.condition):
        task = replace(task, is_conditional=True, owner="", people=(), loads=(), others=())
    return _as_it_happened(task, now, times)


def _work_of(step: Step, times: WorkTimes, needs: tuple[tuple[str, Lag | None], ...]) -> Task:
    """Return how long a step takes, and of whom."""
    if step.waiting is not None:
        work = round(max(0.0, step.waiting) * (FULL_DAY if step.waits_working else DAY))
        is_clock = not step.waits_working and (step.waits_hours or work % DAY > 0)
        night = DAY - times.opens if is_clock else 0
        return Task(step, times.own, work, needs, waits=True, waits_working=step.waits_working, night=night)
    people = times.whose_time(step)
    calendar = times.calendar(step, people)
    share = share_of(step) if step.also else 1.0
    days = _expected(step) * share
    minutes = 0 if step.milestone else max(1, (round(own_minutes(step) or 0) if step.on else 0) or _minutes(days))
    work = minutes if people or step.milestone else max(1, math.ceil(days)) * FULL_DAY
    owners = dict.fromkeys(map(name_key, step.owners)) if step.also else people
    known = [name for name in owners if name in times.people]
    task = Task(
        step,
        calendar,
        work,
        needs,
        owner=people[0] if people else "",
        people=people,
        loads=tuple([(name, minutes) for name in known]),
        others=tuple([(name, times.calendar(step, (name,))) for name in known if name not in people]),
        share=share,
    )
    if not step.duration or step.milestone or not math.isfinite(step.duration):
        return task
    span = math.ceil(step.duration)
    if times.lasts(step, calendar) * (calendar.usual_day() if people else FULL_DAY) <= work:
        return task
    counted = EVERY_DAY if step.duration_elapsed else times.spanned(step, people)
    opens = calendar.whole_days()
    task = replace(task, calendar=counted, work=span * FULL_DAY, owner="", spans=True)
    return task if opens == counted else replace(task, opens=opens)


def _circular(tasks: Mapping[str, Task]) -> Iterator[tuple[str, str]]:
    """Yield a need of each circle without which there is none: that of an early step for a late one.

    After some circles all such needs of knots at once: how often a dense knot can be opened grows with its needs.
    """
    places = {name: at for at, name in enumerate(tasks)}
    needs = {name: [one for one, _ in task.needs] for name, task in tasks.items()}
    for _ in range(FEW_CIRCLES):
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            name, need = min(
                ((one, needed) for needed, one in pairwise(error.args[1])),
                key=lambda edge: places[edge[0]] - places[edge[1]],
            )
            needs[name].remove(need)
            yield name, need
        else:
            return
    for knot in knots_of(needs):
        inside = frozenset(knot)
        yield from (
            (name, need) for name in knot for need in needs[name] if need in inside and places[name] <= places[need]
        )


def _without_conditions(tasks: dict[str, Task]) -> dict[str, Task]:
    """Return tasks of which none waits for a conditional one, but for what that waits for; conditional ones do."""
    conditional = {name for name, task in tasks.items() if task.is_conditional}
    if not conditional:
        return tasks
    changed = {}
    for name, task in tasks.items():
        if name in conditional or conditional.isdisjoint(need for need, _ in task.needs):
            continue
        needs = dict(task.needs)
        ahead = [need for need in needs if need in conditional]
        for need in ahead:
            needs.pop(need, None)
            for other, _ in tasks[need].needs:
                if other not in conditional:
                    needs.setdefault(other, None)
                elif other not in ahead:
                    ahead.append(other)
        changed[name] = replace(task, needs=tuple(needs.items()))
    return tasks | changed


def _shared_time(
    task: Task, moment: int, agendas: Mapping[str, Agenda], placed: Placed, until: Calendar | None = None
) -> tuple[int, int, str]:
    """Take the first time that all people of a task have; return its two ends, and the task that was in the way."""
    name, own, minutes = task.step.id, [agendas[person] for person in task.people], dict(task.loads)
    loads: dict[str, dict[int, int]] = {}
    busy = ""
    if task.spans and own:
        work = {agendas[person]: least for person, least in minutes.items()}
        first = task.first_moment(moment) // DAY
        is_alone = task.step.mode == "alone"
        days, busy = first_span(work, own, task.calendar, first, task.work // FULL_DAY, is_alone=is_alone, until=until)
        begin, end = days[0] * DAY, days[-1] * DAY + FULL_DAY
        for person, least in minutes.items():
            loads[person] = agendas[person].spread(name, days, least)
            if is_alone and person in task.people:
                agendas[person].block(name, days)
    elif own and (found := _meeting(task, own, moment)) is not None:
        day, busy = found
        begin, end = day * DAY, day * DAY + task.calendar.minutes(day)
        for person in task.people:
            agendas[person].meet(name, day, task.work)
            loads[person] = {day: task.work}
    elif own:
        is_short = task.is_meeting and task.work <= max(task.calendar.week)
        splits = task.step.splits and not task.is_meeting
        pieces, busy = first_stretch(own, task.calendar, moment, task.work, on_one_day=is_short, splits=splits)
        begin, end = pieces[0].day * DAY + pieces[0].first, pieces[-1].day * DAY + pieces[-1].last
        for person in task.people:
            agendas[person].keep(name, pieces)
            loads[person] = defaultdict(int)
            for day, first, last in pieces:
                loads[person][day] += last - first
    else:
        begin = task.first_moment(moment)
        end = task.end_after(begin)
    for person, calendar in task.others:
        if person not in loads:
            loads[person] = agendas[person].fit(name, begin // DAY, minutes[person], calendar)
            last = max(loads[person], default=begin // DAY)
            end = max(end, last * DAY + calendar.minutes(last))
    if (lasts := task.calendar.worked_at(end) - task.calendar.worked_at(begin)) != task.work:
        placed.lasting[name] = lasts
    placed.loads[name] = loads
    return begin, end, busy


def _meeting(task: Task, agendas: Sequence[Agenda], moment: int) -> tuple[int, str] | None:
    """Return the day for what all do together, where it takes more of a day than they usually work; None for others.

    With it comes what was in the way.
    """
    if not task.is_meeting or task.work <= max(task.calendar.week):
        return None
    return first_meeting(agendas, task.calendar, moment, task.work)


def _as_it_happened(task: Task, now: int, times: WorkTimes) -> Task:
    """Return a task at the dates it has: it is done, under way, or on a day that is set."""
    step = task.step
    if step.status == "todo" and step.on is None:
        return task
    finished, started, on = (day_number(day) for day in (step.finished, step.started, step.on))
    if step.status == "done":
        end = now if finished is None else finished * DAY + FULL_DAY
        begin = task.begin_before(end) if started is None else started * DAY
        return replace(task, begin=min(begin, end), end=end)
    if started is not None and has_begun(step):
        if (last := day_number(step.end)) is not None and last >= started:
            return replace(task, begin=started * DAY, end=last * DAY + FULL_DAY)
        rest, first = task, started * DAY
        if step.left is not None:
            counted = task.opens if step.duration_elapsed and task.opens else task.calendar
            rest = replace(task, work=max(1, _minutes(step.left)), calendar=counted)
        elif (share := share_left(step)) is not None:
            rest = replace(task, work=max(1, round(share * task.work)))
        first = first if rest is task else max(now, first)
        if step.status == "waiting":  # nothing more is done before the day until which it waits
            first = max(first, DAY * _not_before(task))
        end = rest.end_after(rest.first_moment(first))
        return replace(task, begin=started * DAY, end=end if end > now else now + FULL_DAY)
    if on is None:
        return task
    hours = hours_of_day(step.hours)  # what has its hours is over when these are, and other work on its day
    if hours is not None:
        if task.step.milestone:
            return replace(task, begin=on * DAY, end=on * DAY + min(FULL_DAY, max(0, hours[1] - times.opens)))
        return replace(task, begin=on * DAY, end=(on + (hours[1] - 1) // DAY) * DAY + FULL_DAY)
    if not (task.waits or task.spans) and task.work:  # a day's work is on it, whatever else its people do on a day
        days = round(_expected(step) * task.share, 4)
        whole = max(1 if days <= LONG_DAY else math.ceil(days), int(times.lasts(step, task.calendar)))
        task = replace(task, calendar=task.calendar.whole_days(), work=whole * FULL_DAY)
    return replace(task, begin=on * DAY)


def share_left(step: Step) -> float | None:
    """Return the share of a step that is left, as far as its progress says; None where it says none, or days are."""
    if step.left is not None or step.progress is None or not step.progress.of > 0:
        return None
    return min(1.0, max(0.0, 1 - step.progress.done / step.progress.of))


class _Queue:
    """What one person does when, as stretches of that person's working minutes."""

    def __init__(self, calendar: Calendar) -> None:
        self._calendar = calendar
        self._busy: list[tuple[int, int, str]] = []
        """First minute, the one behind the last, and the last task of each stretch without a gap."""
        self._tasks: list[tuple[int, str]] = []

    def take(self, name: str, moment: int, work: int) -> tuple[int, int, str]:
        """Take the first free stretch from a moment on; return its two ends, and the task that was in the way."""
        at, busy = self._calendar.worked_at(moment), ""
        place = bisect_left(self._busy, (at + 1,))
        if place and (before := self._busy[place - 1])[1] > at:
            _, at, busy = before
        for begin, end, last in self._busy[place:]:
            if begin >= at + work:
                break
            at, busy = end, last
            place += 1
        self._tasks.append((at, name))
        first, last, end = at, name, at + work
        if place < len(self._busy) and self._busy[place][0] == end:
            _, end, last = self._busy.pop(place)
        if place and self._busy[place - 1][1] == at:
            place -= 1
            first = self._busy.pop(place)[0]
        self._busy.insert(place, (first, end, last))
        return self._calendar.start_of(at), self._calendar.end_of(at + work), busy

    def names(self) -> tuple[str, ...]:
        """Return the tasks in their order."""
        return tuple(name for _, name in sorted(self._tasks))


class _Backward:
    """Takes the time of people from the last day on, as an agenda from the first, with time mirrored."""

    def __init__(self, network: Network, people: Collection[str]) -> None:
        self._agendas = {name: Agenda(network.times.room(name).mirrored()) for name in people}
        for person, name, days, minutes in network.set_work:
            self._agendas[person].reserve(name, [mirrored_day(day) for day in days], minutes)
        self._calendars: dict[int, Calendar] = {}
        self._placed = Placed({}, {}, {}, (), (), lasting={}, loads={})
        self.moved: dict[str, Task] = {}
        """Tasks that have taken time."""
        self.end: dict[str, int] = {}
        self.bound: dict[str, str] = {}
        """What each task may not be later for; "" for the deadline."""

    @property
    def lasting(self) -> dict[str, int]:
        """As ``Placed`` has them."""
        return self._placed.lasting

    @property
    def loads(self) -> dict[str, dict[str, dict[int, int]]]:
        """As ``Placed`` has them."""
        return {
            name: {person: {mirrored_day(day): share for day, share in days.items()} for person, days in loads.items()}
            for name, loads in self._placed.loads.items()
        }

    def is_shared(self, task: Task) -> bool:
        """Tell whether a task takes the time of such a person."""
        return bool(task.work and task.loads and task.loads[0][0] in self._agendas)

    def take(self, task: Task, limit: int, bound: str) -> int:
        """Take the last time before a moment that all people of a task have; return its beginning.

        ``bound``: what the moment is there for, unless its people have other work then.
        """
        name, calendar = task.step.id, task.calendar
        mirrored, others = self._back(calendar), tuple((who, self._back(theirs)) for who, theirs in task.others)
        day, minute = divmod(limit, DAY)
        moment = mirrored_day(day) * DAY + max(0, calendar.minutes(day) - minute)
        back = replace(task, calendar=mirrored, opens=None, others=others)
        begins = None if task.opens is None or task.step.duration_elapsed else self._back(task.opens)
        end, begin, busy = _shared_time(back, moment, self._agendas, self._placed, begins)
        self.bound[name] = busy or bound
        self.moved[name], self.end[name] = task, _mirrored(end, calendar)
        return _mirrored(begin, calendar)

    def _back(self, calendar: Calendar) -> Calendar:
        return self._calendars.get(id(calendar)) or self._calendars.setdefault(id(calendar), calendar.mirrored())

    def queues(self) -> Iterator[tuple[str, ...]]:
        """Yield what each person does, in this order."""
        return (agenda.names()[::-1] for agenda in self._agendas.values())


def _mirrored(moment: int, calendar: Calendar) -> int:
    day, minute = mirrored_day(moment // DAY), moment % DAY
    return day * DAY + max(0, calendar.minutes(day) - minute)


def is_whole_days(lag: Lag) -> bool:
    """Tell whether a lag is whole days of the calendar, which are counted from the day on which work ends."""
    return lag.elapsed and lag.days >= 1 and lag.days == int(lag.days)


def _not_before(task: Task) -> int:
    return day_number(task.step.not_before) or 0


def _numbers(seed: int) -> Iterator[int]:
    """Yield numbers that look drawn, and are the same for ever (Park & Miller 1988)."""
    while True:
        seed = seed * 48271 % 2147483647
        yield seed


def _told(network: Network, placed: Placed, deadline: date | None) -> Schedule:
    """Return moments as dates, with slack and critical path; the latest dates where it is scheduled backward."""
    times = network.times
    finish = placed.finish or times.own.start_of(times.own.worked_at(network.start))
    path = _critical_path(network, placed, network.firm)
    since = network.since(deadline) if times.backward and deadline is not None else frozenset()
    if times.backward and deadline is not None:
        last_moment = (deadline.toordinal() + 1) * DAY - 1
        aim = None if times.target <= 0 else add_working_days(deadline, -math.ceil(times.target), times.own)
        aimed = None if aim is None else (aim.toordinal() + 1) * DAY - 1
        placed = network.latest(placed, last_moment, aimed, since)
        finish = max(finish, last_moment)
    limits: dict[str, int] = {}
    late = network.late_begins(placed, finish, ends=limits)
    tasks = network.lasting(placed)
    rows = {name: _row(tasks[name], placed, late[name], times.own, limits.get(name)) for name in placed.order}
    if late_ones := [name for name in network.firm if rows[name].slack < 0 and not has_begun(tasks[name].step)]:
        path = _critical_path(network, placed, late_ones)
    if not (times.backward and deadline is not None):  # a day off may leave the beginning of the chain some slack
        path = tuple(takewhile(lambda name: rows[name].critical, reversed(path)))[::-1]
    last = max((rows[name].end for name in network.firm), default=_date_of(finish))
    for whole, some in network.parts.items():
        firm = [rows[part] for part in some if part in network.firm]
        rows[whole] = _spanning(whole, firm or [rows[part] for part in some])
    return Schedule(
        rows=tuple(rows[name] for name in network.ids),
        finish=last,
        critical_path=path,
        expected_days=sum(_expected(network.tasks[name].step) for name in path),
        slack_days=None if deadline is None else working_days_between(last, deadline, times.own),
        network=network,
        placed=placed,
    )


def _row(task: Task, placed: Placed, late: int, own: Calendar, limit: int | None) -> ScheduledStep:
    """Return the row of a task; ``limit``: the moment by which it has to be over."""
    name = task.step.id
    start, end = _dates(task, placed.begin[name], placed.end[name])
    late_start, late_end = _dates(task, late, task.end_after(late))
    is_begun = limit is not None and has_begun(task.step)
    if is_begun and limit is not None:
        late_end = max(end, _date_of(own.end_of(own.worked_at(limit))))
    is_tight = end == late_end or (not is_begun and late == placed.begin[name])
    last = _date_of(task.end_after(late) - placed.end[name] % DAY) if task.night else late_end  # by whole days
    slack = 0 if is_tight else working_days_between(end, last, own)
    if slack < 0 and limit is not None:  # by the plan's days, not by the last one before it on which its owner works
        slack = min(0, working_days_between(end, _date_of(own.end_of(own.worked_at(limit))), own))
    if not slack and task.step.deadline and end.isoformat() > task.step.deadline:  # on a day off of the plan
        slack = -1
    is_critical = slack <= 0 and not task.is_conditional
    return ScheduledStep(name, start, end, late_start, late_end, slack, is_critical, placed.why[name])


def _dates(task: Task, begin: int, end: int) -> tuple[date, date]:
    """Return the first and the last day; waiting begins on the day after, or a working day, where it counts these."""
    first = begin // DAY + (task.waits and begin % DAY > 0)
    if task.waits_working and task.work and task.begin is None:
        first = task.calendar.start_of(task.calendar.worked_before(first)) // DAY
    return _date_of(min(first, end // DAY) * DAY), _date_of(end)


def _spanning(whole: str, rows: Sequence[ScheduledStep]) -> ScheduledStep:
    """Return the row of a step that has parts."""
    first = min(rows, key=lambda row: row.start)
    return ScheduledStep(
        step=whole,
        start=first.start,
        end=max(row.end for row in rows),
        late_start=min(row.late_start for row in rows),
        late_end=max(row.late_end for row in rows),
        slack=min(row.slack for row in rows),
        critical=any(row.critical for row in rows),
        why=first.why,
    )


def _critical_path(network: Network, placed: Placed, ends: Iterable[str]) -> tuple[str, ...]:
    """Walk back from the one of these that ends last, each time to what kept it from beginning earlier.

    Behind it comes what is set for a day that it misses.
    """
    before: dict[str, set[str]] = {}
    for one, other in placed.one_after_the_other():
        before.setdefault(other, set()).add(one)
    places = {name: at for at, name in enumerate(network.tasks)}
    path: list[str] = []
    candidates: Iterable[str] = ends
    while name := max(candidates, key=placed.end.__getitem__, default=""):
        path.append(name)
        needed = {one for one, _ in network.tasks[name].needs} | before.get(name, set())
        is_held = placed.why[name].why in ("need", "busy")
        candidates = sorted(needed, key=places.__getitem__) if is_held else ()
    behind = network.needed_by[path[0]] if path else ()
    missed = (other for other, _ in behind if other in network.firm and placed.begin[other] < placed.end[path[0]])
    return (*reversed(path), *[other for other in missed if network.tasks[other].is_set_ahead][:1])


def _date_of(moment: int) -> date:
    number = moment // DAY
    if not _FIRST_DAY <= number <= _LAST_DAY:
        raise PlanUnsound(*BEYOND)
    return date.fromordinal(number)


def _expected(step: Step) -> float:
    expected = UNESTIMATED_DAYS if step.effort is None else step.effort.expected
    if not math.isfinite(expected):
        raise PlanUnsound(f"The effort of {step.id} is not a number of days.", f"Estimate {step.id} in working days.")
    return max(0.0, expected)


def _by_id(steps: Sequence[Step]) -> dict[str, Step]:
    by_id = {step.id: step for step in steps}
    if len(by_id) < len(steps):
        ids = [step.id for step in steps]
        twice = next(step for step in ids if ids.count(step) > 1)
        raise PlanUnsound(f"The id {twice} is given to two steps.", "Give each step an id of its own.")
    return by_id
