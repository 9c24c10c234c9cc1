"""When each step can happen: dates from needs, calendars and people, and why each step begins when it does.

    steps ─▶ order ─▶ latest starts ─▶ one after the other, each at the first moment that needs, calendar, person and
                      (critical path)  "not before" leave (serial schedule generation), a few orders tried
                                          │
                      slack · critical ◀──┴─▶ dates, with the reason why not earlier

Work is counted in minutes of working time (``calendar``). A step of a person whom the plan knows takes that person's
next free minutes; any other takes whole days, at least one, and may run beside others. Scheduled backward, every step
is as late as the deadline allows. The same steps always get the same dates.
Sources: Kelley & Walker (1959) for the critical path; Malcolm et al. (1959) for PERT; Kolisch (1996) for serial
schedule generation, with minimum latest start as priority.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.calendar import DAY, FULL_DAY, STANDARD, Calendar, day_of
from workbench.domain.plan.plan import LONGEST_SPAN, Lag, Person, Plan, Section, Step, WorkingTime, name_key
from workbench.domain.plan.recurrence import Closing

UNESTIMATED_DAYS = 1
"""Working days that a step without an estimate is given."""
TRIES = 20
"""Orders that are tried where people are busy; fewer in large plans."""
_TRIED_STEPS = 6_000
"""Steps that all tries together place at most."""

Why = Literal["start", "need", "busy", "not-before", "on", "happened", "backward"]


class Reason(msgspec.Struct, frozen=True, gc=False):
    """Why a step begins when it does, and not earlier."""

    why: Why
    """``need`` and ``busy`` name a step; so does ``backward``, with the step that it makes room for."""
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
    """By name, case-folded."""
    backward: bool = False
    frozen: Mapping[str, Collection[date]] = field(default_factory=dict)
    """Days on which no step with a tag is done."""

    @classmethod
    def of(cls, plan: Plan) -> WorkTimes:
        """Return what a plan says about working time; dates that are none are left out, as a check names them."""
        week: tuple[int, ...] = (1, 2, 3, 4, 5)
        backward = False
        for item in plan.items:
            if isinstance(item, WorkingTime):
                week, backward = item.weekdays, item.backward
        closing = Closing.of(plan)
        closed = closing.everybody.keys()
        people = {}
        for person in plan.people:
            weekdays = person.weekdays or week
            minutes = FULL_DAY if person.hours is None else _minutes_a_day(person.hours, weekdays)
            off = closed | closing.people.get(name_key(person.text), frozenset())
            other = dict(_capacities(person, weekdays))
            people[name_key(person.text)] = Calendar.of(_week(weekdays, minutes), off, other)
        return cls(Calendar.of(_week(week, FULL_DAY), closed), people, backward, closing.tags)

    def calendar(self, owner: str, tags: Iterable[str]) -> Calendar:
        """Return when a step can be worked on: in its owner's time, else in the plan's own, but for what is frozen."""
        base = self.people.get(owner, self.own)
        frozen = frozenset(tag for tag in tags if tag in self.frozen)
        if not frozen:
            return base
        if (owner, frozen) not in self._frozen_calendars:
            self._frozen_calendars[owner, frozen] = base.without(day for tag in frozen for day in self.frozen[tag])
        return self._frozen_calendars[owner, frozen]

    @cached_property
    def _frozen_calendars(self) -> dict[tuple[str, frozenset[str]], Calendar]:
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
            if (ordinal - 1) % 7 + 1 in days:  # 1 is a Monday, as ordinal and as weekday
                yield date.fromordinal(ordinal), minutes


def _week(days: Iterable[int], minutes: int) -> list[int]:
    return [minutes if day in set(days) else 0 for day in range(1, 8)]


def add_working_days(day: date, count: int, calendar: Calendar = STANDARD) -> date:
    """Return the working day ``count`` working days after ``day`` (before, when negative).

    A day without work counts as the working day after it. Raises PlanUnsound outside of the years 1 to 9999.
    """
    first = calendar.start_of(calendar.worked_before(day.toordinal()))
    return _date_of(calendar.start_of(calendar.worked_at(first - first % DAY) + count * FULL_DAY))


def working_days_between(first: date, last: date, calendar: Calendar = STANDARD) -> int:
    """Return how many working days come after ``first`` up to and including ``last``; negative when last is earlier."""
    return (calendar.worked_before(last.toordinal() + 1) - calendar.worked_before(first.toordinal() + 1)) // FULL_DAY


def duration(step: Step) -> int:
    """Return the whole working days that a step occupies, at least one. Raises PlanUnsound for an infinite effort."""
    return max(1, math.ceil(_expected(step)))


def schedule(
    steps: Sequence[Step],
    *,
    start: date,
    deadline: date | None,
    times: WorkTimes | None = None,
    tries: int | None = None,
    given: Mapping[str, bool] = MappingProxyType({}),
    ranks: Mapping[str, int] = MappingProxyType({}),
) -> Schedule:
    """Return the dates of all steps, counted from the first working day on or after ``start``.

    ``tries``: how many other orders of work are tried where people are busy; None for what such a plan is worth.
    ``given``: steps on days of their own, ``not_before``, which may be before ``start`` and, with a lag below nothing,
    before the end of what they need; True for those that stand beside other work of their owners.
    ``ranks``: which step comes first where a person has several to do, the greatest; else the longest chain does.
    Raises PlanUnsound for circular dependencies, needs that name no step, ids used twice, and dates beyond 9999.
    """
    network = Network.of(steps, times or WorkTimes(), start.toordinal() * DAY, given)
    placed = network.best(min(TRIES, _TRIED_STEPS // max(1, len(steps))) if tries is None else tries, ranks)
    return _told(network, placed, deadline)


def with_dates(plan: Plan, *, start: date, deadline: date | None) -> Plan:
    """Return the plan with every step that is still to do at its dates. Raises what ``schedule`` raises."""
    return dated(plan, schedule(plan.steps, start=start, deadline=deadline, times=WorkTimes.of(plan)))


def dated(plan: Plan, planned: Schedule) -> Plan:
    """Return the plan with the dates of a schedule: what is begun, done or dropped stays where it is.

    A section whose dates stay is the identical object.
    """
    rows = {row.step: row for row in planned.rows}
    return msgspec.structs.replace(plan, sections=tuple(_dated(section, rows) for section in plan.sections))


def _dated(section: Section, rows: Mapping[str, ScheduledStep]) -> Section:
    items = tuple(
        msgspec.structs.replace(item, start=rows[item.id].start.isoformat(), end=rows[item.id].end.isoformat())
        if isinstance(item, Step) and item.status in ("todo", "waiting") and item.id in rows
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
    """The person whose time it takes, case-folded; "" where it takes nobody's, and whole days."""
    begin: int | None = None
    """The moment at which it began, or has to."""
    end: int | None = None
    """The moment at which it ended, or ends as far as is known."""
    waits: bool = False
    """Whether time passes and nobody works."""

    def first_moment(self, moment: int) -> int:
        """Return the first moment from one on at which it may begin, as far as its calendar says."""
        if self.waits or not self.work:
            return moment
        if not moment % DAY and self.calendar.minutes(moment // DAY):
            return moment
        worked = self.calendar.worked_at(moment)
        if not self.owner and moment % DAY:  # a day that has begun is nobody's whole day
            day = moment // DAY
            worked = self.calendar.worked_before(day + 1)
        return self.calendar.start_of(worked)

    def end_after(self, begin: int) -> int:
        """Return when it ends if it begins at a moment."""
        if self.end is not None:
            return self.end
        if self.waits or not self.work:
            return begin + self.work
        if self.begin is not None and not self.calendar.minutes(begin // DAY):  # a wedding on a Saturday
            return begin + (math.ceil(self.work / FULL_DAY) - 1) * DAY + FULL_DAY
        return self.calendar.end_of(self.calendar.worked_at(begin) + self.work)

    def begin_before(self, end: int) -> int:
        """Return the latest beginning of what ends at a moment or before."""
        if self.waits or not self.work:
            return end - self.work
        day, minute = divmod(end, DAY)
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

    @property
    def finish(self) -> int:
        """The end of the last."""
        return max(self.end.values(), default=0)


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

    @classmethod
    def of(cls, steps: Sequence[Step], times: WorkTimes, start: int, given: Mapping[str, bool]) -> Network:
        """Return the network of steps. Raises PlanUnsound."""
        live = {name: step for name, step in _by_id(steps).items() if step.status != "dropped"}
        parts: dict[str, list[str]] = {}
        wholes: dict[str, Step] = {}
        for name, step in live.items():
            if (whole := live.get(step.parent)) and whole is not step and whole.parent not in live:
                parts.setdefault(whole.id, []).append(name)
                wholes[name] = whole
        tasks = {
            name: _task(step, wholes.get(name), live, parts, times=times, start=start)
            for name, step in live.items()
            if name not in parts
        }
        tasks |= {
            name: replace(tasks[name], owner="") for name, is_beside in given.items() if is_beside and name in tasks
        }
        return cls(tuple(live), tasks, parts, times, start, given)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Ids so that every task comes after those it needs. Raises PlanUnsound for circular dependencies."""
        missing = {name: len(task.needs) for name, task in self.tasks.items()}
        order = [name for name, count in missing.items() if not count]
        for name in order:
            for other, _ in self.needed_by[name]:
                missing[other] -= 1
                if not missing[other]:
                    order.append(other)
        if len(order) < len(self.tasks):
            done = set(order)
            left = {name: [one for one, _ in task.needs] for name, task in self.tasks.items() if name not in done}
            try:
                TopologicalSorter(left).prepare()
            except CycleError as error:
                chain = " → ".join(error.args[1])
                raise PlanUnsound(
                    f"These steps wait for one another: {chain}.", "Take out one of these dependencies."
                ) from error
        return tuple(order)

    @cached_property
    def needed_by(self) -> Mapping[str, Sequence[tuple[str, Lag | None]]]:
        """For each task those that need it."""
        found: dict[str, list[tuple[str, Lag | None]]] = {name: [] for name in self.tasks}
        for name, task in self.tasks.items():
            for needed, lag in task.needs:
                found[needed].append((name, lag))
        return found

    def best(self, tries: int, ranks: Mapping[str, int]) -> Placed:
        """Return the shortest schedule of those that some orders give."""
        owners = [task.owner for task in self.tasks.values() if task.owner and task.begin is None]
        if len(set(owners)) == len(owners):
            return self._placed(self.order)
        tails = {**self.tails(), **ranks}
        best = self._placed(self._by_priority(tails))
        for seed in range(1, 1 + tries):
            width = max(FULL_DAY, max(tails.values()) // 8)
            numbers = _numbers(seed)
            shaken = {name: tail + next(numbers) % width for name, tail in tails.items()}
            tried = self._placed(self._by_priority(shaken))
            best = tried if tried.finish < best.finish else best
        return best

    def tails(self) -> dict[str, int]:
        """Return about how many minutes of work begin with each task: the longest chain of what needs it."""
        tails: dict[str, int] = {}
        for name in reversed(self.order):
            after = max([tails[other] for other, _ in self.needed_by[name]], default=0)
            tails[name] = after + self.tasks[name].work
        return tails

    def _by_priority(self, priority: Mapping[str, int]) -> tuple[str, ...]:
        """Return tasks, the one with the greatest number first of those whose needs are placed."""
        missing = {name: len(task.needs) for name, task in self.tasks.items()}
        places = {name: at for at, name in enumerate(self.tasks)}
        ready = [(-priority[name], places[name], name) for name, count in missing.items() if not count]
        heapify(ready)
        order: list[str] = []
        while ready:
            name = heappop(ready)[2]
            order.append(name)
            for other, _ in self.needed_by[name]:
                missing[other] -= 1
                if not missing[other]:
                    heappush(ready, (-priority[other], places[other], other))
        return tuple(order)

    def _placed(self, order: tuple[str, ...]) -> Placed:
        """Return the tasks placed one after the other, each as early as those before leave room."""
        placed = Placed({}, {}, {}, order, ())
        queues: dict[str, _Queue] = {}
        for name in order:
            task = self.tasks[name]
            begin, why = self._earliest(task, placed.end)
            if task.owner and task.begin is None and task.work:
                queue = queues.get(task.owner) or queues.setdefault(task.owner, _Queue(task.calendar))
                begin, end, busy = queue.take(name, begin, task.work)
                why = Reason("busy", busy) if busy else why
            else:
                begin = task.first_moment(begin) if task.begin is None else begin
                end = task.end_after(begin)
            placed.begin[name], placed.end[name], placed.why[name] = begin, end, why
        return replace(placed, queues=tuple(queue.names() for queue in queues.values()))

    def _earliest(self, task: Task, end: Mapping[str, int]) -> tuple[int, Reason]:
        """Return the moment before which a task cannot begin, calendars aside, and what keeps it from that."""
        if task.begin is not None:
            return task.begin, Reason("on" if task.end is None else "happened")
        given = day_number(task.step.not_before) if task.step.id in self.given else None
        moment, last = self.start if given is None else given * DAY, ""
        for needed, lag in task.needs:
            after = self._after(end[needed], lag, may_lead=given is not None) if lag else end[needed]
            if after > moment:
                moment, last = max(after, self.start), needed
        if task.step.not_before and (day := day_number(task.step.not_before)) is not None and day * DAY > moment:
            return day * DAY, Reason("not-before")
        return moment, Reason("need", last) if last else _START

    def _after(self, end: int, lag: Lag, *, may_lead: bool) -> int:
        """Return when what needs a task can begin, where that ends at a moment; before that only where it may lead."""
        own = self.times.own
        after = round(lag.days * DAY) + end if lag.elapsed else own.end_of(own.worked_at(end) + _minutes(lag.days))
        return after if may_lead else max(end, after)

    def _before(self, begin: int, lag: Lag) -> int:
        """Return when a task must have ended, where what needs it begins at a moment."""
        own = self.times.own
        before = (
            begin - round(lag.days * DAY) if lag.elapsed else own.start_of(own.worked_at(begin) - _minutes(lag.days))
        )
        return min(begin, before)

    def late_begins(self, placed: Placed, finish: int) -> dict[str, int]:
        """Return the latest beginning of each task with which all is done by a moment, and people keep their order."""
        following = {one: other for queue in placed.queues for one, other in pairwise(queue)}
        late: dict[str, int] = {}
        by_begin = sorted(placed.order, key=placed.begin.__getitem__)
        for name in reversed(by_begin):
            task = self.tasks[name]
            if task.begin is not None:
                late[name] = task.begin
                continue
            limits = [finish]
            for other, lag in self.needed_by[name]:
                if other in late:
                    limits.append(self._before(late[other], lag) if lag else late[other])
            if (other := following.get(name, "")) in late:
                limits.append(late[other])
            if task.step.deadline and (day := day_number(task.step.deadline)) is not None:
                limits.append((day + 1) * DAY - 1)
            late[name] = task.begin_before(min(limits))
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
    start: int,
) -> Task:
    """Return a step as it is placed; what the step that it is a part of needs, it needs too."""
    lags = {lag.step: lag for lag in ((*whole.lags, *step.lags) if whole else step.lags)}
    needs = [
        (part, lags.get(need))
        for need in dict.fromkeys((*whole.needs, *step.needs) if whole else step.needs)
        for part in parts.get(need, (need,))
        if part in live
    ]
    owner = name_key(step.owner)
    theirs = None if step.waiting is not None else times.people.get(owner)
    calendar = times.own if step.waiting is not None else times.calendar(owner, step.tags)
    if step.waiting is not None:
        work = round(max(0.0, step.waiting) * DAY)
    elif step.milestone:
        work = 0
    else:
        work = duration(step) * FULL_DAY if theirs is None else max(1, _minutes(_expected(step)))
    task = Task(
        step,
        calendar,
        work,
        tuple(needs),
        owner=owner if theirs else "",
        waits=step.waiting is not None,
    )
    return _as_it_happened(task, start)


def _as_it_happened(task: Task, start: int) -> Task:
    """Return a task at the dates it has: it is done, under way, or on a day that is set."""
    step = task.step
    if step.status == "todo" and step.on is None:
        return task
    finished, started, on = (day_number(day) for day in (step.finished, step.started, step.on))
    if step.status == "done":
        end = start if finished is None else finished * DAY + FULL_DAY
        begin = task.begin_before(end) if started is None else started * DAY
        return replace(task, begin=min(begin, end), end=end)
    if step.status == "under-way" and started is not None:
        rest = task if step.left is None else replace(task, work=max(1, _minutes(step.left)))
        first = started * DAY if step.left is None else max(start, started * DAY)
        return replace(task, begin=started * DAY, end=max(start, rest.end_after(rest.first_moment(first))))
    return task if on is None else replace(task, begin=on * DAY)


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


def _numbers(seed: int) -> Iterator[int]:
    """Yield numbers that look drawn, and are the same for ever (Park & Miller 1988)."""
    while True:
        seed = seed * 48271 % 2147483647
        yield seed


def _told(network: Network, placed: Placed, deadline: date | None) -> Schedule:
    """Return moments as dates, with slack and critical path; the latest dates where it is scheduled backward."""
    times = network.times
    finish = placed.finish or times.own.start_of(times.own.worked_at(network.start))
    path = _critical_path(network, placed)
    if times.backward and deadline is not None and deadline.toordinal() >= finish // DAY:
        finish = (deadline.toordinal() + 1) * DAY - 1
        placed = _as_late_as_possible(network, placed, finish)
    late = network.late_begins(placed, finish)
    rows = {name: _row(network.tasks[name], placed, late[name], times.own) for name in placed.order}
    rows |= {whole: _spanning(whole, [rows[part] for part in some]) for whole, some in network.parts.items()}
    last = max((row.end for row in rows.values()), default=_date_of(finish))
    return Schedule(
        rows=tuple(rows[name] for name in network.ids),
        finish=last,
        critical_path=path,
        expected_days=sum(_expected(network.tasks[name].step) for name in path),
        slack_days=None if deadline is None else working_days_between(last, deadline, times.own),
        network=network,
        placed=placed,
    )


def _as_late_as_possible(network: Network, placed: Placed, finish: int) -> Placed:
    late = network.late_begins(placed, finish)
    why = dict(placed.why)
    for name in network.tasks:
        if network.tasks[name].begin is None:
            nearest = min(((late[other], other) for other, _ in network.needed_by[name]), default=(0, ""))[1]
            why[name] = Reason("backward", nearest)
    end = {name: network.tasks[name].end_after(begin) for name, begin in late.items()}
    return replace(placed, begin=late, end=end, why=why)


def _row(task: Task, placed: Placed, late: int, own: Calendar) -> ScheduledStep:
    name = task.step.id
    start, end = _dates(task, placed.begin[name], placed.end[name])
    late_start, late_end = _dates(task, late, task.end_after(late))
    slack = 0 if end == late_end else working_days_between(end, late_end, own)
    return ScheduledStep(name, start, end, late_start, late_end, slack, slack <= 0, placed.why[name])


def _dates(task: Task, begin: int, end: int) -> tuple[date, date]:
    """Return the first and the last day; waiting begins on the day after the work it follows."""
    first = begin // DAY + (task.waits and begin % DAY > 0)
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


def _critical_path(network: Network, placed: Placed) -> tuple[str, ...]:
    """Walk back from the task that ends last, each time to what kept it from beginning earlier."""
    before = {other: one for queue in placed.queues for one, other in pairwise(queue)}
    places = {name: at for at, name in enumerate(network.tasks)}
    path: list[str] = []
    candidates: Iterable[str] = network.tasks
    while name := max(candidates, key=placed.end.__getitem__, default=""):
        path.append(name)
        needed = {one for one, _ in network.tasks[name].needs} | {before.get(name, name)} - {name}
        is_held = placed.why[name].why in ("need", "busy")
        candidates = sorted(needed, key=places.__getitem__) if is_held else ()
    return tuple(reversed(path))


def _date_of(moment: int) -> date:
    try:
        return date.fromordinal(moment // DAY)
    except (ValueError, OverflowError) as error:
        raise PlanUnsound(
            "The work would reach beyond the years 1 to 9999.", "Correct the estimates of the longest steps."
        ) from error


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
    for step in steps:
        for needed in step.needs:
            if needed not in by_id:
                raise PlanUnsound(
                    f"{step.id} needs {needed}, and there is no such step.", f"Correct what {step.id} needs."
                )
    return by_id
