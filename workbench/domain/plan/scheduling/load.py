"""How much of each person's time a schedule takes: on each day, and in the fullest week."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from types import MappingProxyType

from workbench.domain.plan.scheduling.account import shared
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, Calendar
from workbench.domain.plan.scheduling.schedule import Schedule
from workbench.domain.plan.scheduling.step_work import own_minutes
from workbench.domain.plan.scheduling.task import Task

_WEEK = 7


def work_by_day(
    planned: Schedule,
    assumed: Collection[str] = (),
    shown: Mapping[str, tuple[date, date]] = MappingProxyType({}),
) -> dict[str, dict[str, dict[int, int]]]:
    """Return each person's minutes of work by step and day, as its ordinal; of what is not done, and is sure to be.

    A fixed day counts in full, whether anybody works on it otherwise or not. ``assumed``: steps whose effort nobody
    gave, which count for nothing, as do others without one. ``shown``: days on which the plan has steps, instead of
    those that are calculated.
    """
    taken: dict[str, dict[str, dict[int, int]]] = defaultdict(dict)
    placed = planned.placed
    on_set_days = {(who, name): days for who, works in planned.network.set_work.items() for name, days in works}
    for name, task in planned.network.firm.items():
        if task.step.status == "done" or own_minutes(task.step) is None or name in assumed:
            continue
        kept = placed.loads.get(name, {})
        end = placed.end[name]
        begin, part = task.rest(placed.begin[name], end)
        for person, minutes in task.loads:
            if name in shown:
                first, last = (day.toordinal() for day in shown[name])
                effort = task.step.effort  # dates that were given have room for what is likely
                likely = min(1, effort.likely / effort.expected) if effort and effort.expected > 0 else 1.0
                calendar = planned.network.times.people[person]
                days = _over(calendar, first * DAY, last * DAY + DAY - 1, round(minutes * likely))
            else:
                booked = kept.get(person) or on_set_days.get((person, name))
                days = _spread(task, begin, end, round(minutes * part)) if booked is None else dict(booked)
            taken[person][name] = days
    return taken


def peak(
    work: Mapping[str, Mapping[int, int]], calendar: Calendar, *, by_week: bool
) -> tuple[date, float, tuple[str, ...]] | None:
    """Return the Monday of the fullest week, the share of its working time that is planned, and the steps in it.

    The first of several; None if nothing is planned in a week that has working time. ``by_week``: as for an account;
    who has no hours a week works on a day off beside their week.
    """
    weeks: dict[int, int] = defaultdict(int)
    if not by_week:
        work = {
            name: {day: share for day, share in days.items() if calendar.minutes(day)} for name, days in work.items()
        }
    for days in work.values():
        for day, share in days.items():
            weeks[monday(day)] += share
    shares = [(planned / room, -first) for first, planned in weeks.items() if (room := week_minutes(calendar, first))]
    most, first = max(shares, default=(0.0, 0))
    if not most:
        return None
    steps = (name for name, days in work.items() if any(share and monday(day) == -first for day, share in days.items()))
    return date.fromordinal(-first), most, tuple(steps)


def monday(day: int) -> int:
    """Return the Monday of the week of a day, both as ordinals."""
    return day - (day - 1) % _WEEK


def week_minutes(calendar: Calendar, first: int) -> int:
    """Return the minutes of work of the week that begins on a Monday."""
    return calendar.worked_before(first + _WEEK) - calendar.worked_before(first)


def _spread(task: Task, begin: int, end: int, minutes: int) -> dict[int, int]:
    """Spread minutes over the days of a task, as much on each as its calendar has for it."""
    return _over(task.opens or task.calendar, begin, end, minutes)


def _over(calendar: Calendar, begin: int, end: int, minutes: int) -> dict[int, int]:
    first, last = begin // DAY, end // DAY
    room = [calendar.minutes(day) for day in range(first, last + 1)]
    room[-1] = min(room[-1], end % DAY)
    room[0] = max(0, room[0] - begin % DAY)
    if not calendar.minutes(first) or not any(room):  # a wedding on a Saturday
        room = [FULL_DAY] * len(room)
    return {day: share for day, share in enumerate(shared(minutes, room), first) if share}
