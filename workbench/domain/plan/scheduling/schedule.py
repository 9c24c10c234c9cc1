"""When each step can happen: dates from needs, calendars and people, and why each step begins when it does.

    steps ─▶ order ─▶ latest starts ─▶ one after the other, each at the first moment that needs, calendar, person and
                      (critical path)  "not before" leave (serial schedule generation), a few orders tried
                                          │
                      slack · critical ◀──┴─▶ dates, with the reason why not earlier

Work is counted in minutes of working time (``calendar``). A step of a person whom the plan knows takes that person's
next free minutes; any other takes whole days, at least one, and may run beside others. A step that lasts longer than
its work (``duration``) leaves its owner the rest of these days (``account``). A conditional step is dated after all
others, and moves none. Scheduled backward, every step is as late as the deadline allows. The same steps always get the
same dates.
Sources: Kelley & Walker (1959) for the critical path; Malcolm et al. (1959) for PERT; Kolisch (1996) for serial
schedule generation, with minimum latest start as priority.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from workbench.domain.plan.plan import Plan, Section, Step
from workbench.domain.plan.scheduling.calendar import (
    DAY,
    FULL_DAY,
    Calendar,
    add_working_days,
    date_of,
    working_days_between,
)
from workbench.domain.plan.scheduling.latest import late_begins, latest
from workbench.domain.plan.scheduling.network import Network, Reason
from workbench.domain.plan.scheduling.placing import Placed, best
from workbench.domain.plan.scheduling.step_work import has_begun, without_ends
from workbench.domain.plan.scheduling.task import Task
from workbench.domain.plan.scheduling.work_times import WorkTimes

TRIES = 20
"""Orders that are tried if people are busy; fewer in large plans."""
_TRIED_STEPS = 6_000
"""Steps that all tries together place at most."""
_TRIED_DAYS = 100_000
"""Days of steps that last longer than their work, which all tries together place at most."""


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
    """Working days it can slip without moving the end of the whole; less than none if it is too late already."""
    critical: bool
    """True when it cannot slip."""
    why: Reason


@dataclass(frozen=True, slots=True)
class Schedule:
    """The dates of all steps, and how they stand against the deadline."""

    rows: tuple[ScheduledStep, ...]
    """In the order of the steps given, without dropped ones."""
    finish: date
    """The last day of the work; the first possible day if there are no steps."""
    critical_path: tuple[str, ...]
    """Ids of the longest chain, first to last; where chains are equally long, the one that is first in the plan."""
    slack_days: int | None
    """Working days between finish and deadline; negative for an overrun, None without a deadline."""
    network: Network = field(repr=False, compare=False)
    """What the dates were calculated from."""
    placed: Placed = field(repr=False, compare=False)
    """The same dates as moments."""


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

    ``tries``: how many other orders of work are tried if people are busy; None for what such a plan is worth.
    ``given``: steps on days of their own, ``not_before``, which may be before ``start`` and, with a lag below nothing,
    before the end of what they need; True for those that are beside other work of their owners.
    ``ranks``: which step comes first if a person has several to do, the greatest; else the longest chain does.
    ``now``: the day from which on what is left of steps under way is done, if these have no last day, and days make
    up for hours that others lack; None for ``start``, and for all days of a week.
    Needs that are circular, or name no step, are left out (``Network.left_out``). Raises PlanUnsound for ids used
    twice, and dates that no plan can name.
    """
    today = now.toordinal() if now else 0
    network = Network.from_steps(steps, times or WorkTimes(), start.toordinal() * DAY, given, today)
    count = len(steps) - len(network.tasks) + len(network.firm)  # conditional steps change nothing
    days = sum(task.work for task in network.firm.values() if task.spans) // FULL_DAY
    worth = min(TRIES, _TRIED_STEPS // max(1, count), _TRIED_DAYS // max(1, days))
    placed = best(network, worth if tries is None else tries, ranks)
    return _schedule_from(network, placed, deadline)


def with_dates(plan: Plan, *, start: date, deadline: date | None) -> Plan:
    """Return the plan with every step that is not done at its dates. Raises what ``schedule`` raises.

    What is under way ends when what is left of it is done, from ``start`` on.
    """
    planned = schedule(
        without_ends(plan.steps), start=start, deadline=deadline, times=WorkTimes.from_plan(plan), now=start
    )
    return dated(plan, planned, begun=True)


def dated(plan: Plan, planned: Schedule, *, begun: bool = False) -> Plan:
    """Return the plan with the dates of a schedule: what is done or dropped stays where it is.

    So does what is under way, unless ``begun``. A section whose dates stay is the identical object.
    """
    rows = {row.step: row for row in planned.rows}
    statuses = ("todo", "waiting", "under-way") if begun else ("todo", "waiting")
    return replace(plan, sections=tuple(_dated(section, rows, statuses) for section in plan.sections))


def _dated(section: Section, rows: Mapping[str, ScheduledStep], statuses: Collection[str]) -> Section:
    items = tuple(
        replace(item, start=rows[item.id].start.isoformat(), end=rows[item.id].end.isoformat())
        if isinstance(item, Step) and item.status in statuses and item.id in rows
        else item
        for item in section.items
    )
    return section if items == section.items else replace(section, items=items)


def _schedule_from(network: Network, placed: Placed, deadline: date | None) -> Schedule:
    """Return moments as dates, with slack and critical path; the latest dates if it is scheduled backward."""
    times = network.times
    finish = placed.finish or times.own.start_of(times.own.worked_at(network.start))
    path = _critical_path(network, placed, network.firm)
    since = network.since(deadline) if times.backward and deadline is not None else frozenset()
    if times.backward and deadline is not None:
        last_moment = (deadline.toordinal() + 1) * DAY - 1
        aim = None if times.target <= 0 else add_working_days(deadline, -math.ceil(times.target), times.own)
        aimed = None if aim is None else (aim.toordinal() + 1) * DAY - 1
        placed = latest(network, placed, last_moment, aimed, since)
        finish = max(finish, last_moment)
    limits: dict[str, int] = {}
    beside = placed.beside_set(network)
    late = late_begins(network, placed, finish, ends=limits, beside=beside)
    in_time = {name: task for name, task in beside.items() if limits[name] >= placed.end[name]}
    tasks = {**placed.as_they_last(network.tasks), **in_time}
    rows = {name: _row(tasks[name], placed, late[name], times.own, limits.get(name)) for name in placed.order}
    for name in in_time:  # where set work leaves less of some days than of others, its beginning can slip less
        begin = placed.begin[name]
        slack = max(0, working_days_between(rows[name].start, date_of(late[name] - begin % DAY), times.own))
        if slack < rows[name].slack:
            rows[name] = replace(rows[name], slack=slack, critical=not slack)
    if late_ones := [name for name in network.firm if rows[name].slack < 0 and not has_begun(tasks[name].step)]:
        path = _critical_path(network, placed, late_ones)
    if not (times.backward and deadline is not None):  # a day off may leave the beginning of the chain some slack
        path = tuple(takewhile(lambda name: rows[name].critical, reversed(path)))[::-1]
    last = max((rows[name].end for name in network.firm), default=date_of(finish))
    for whole, some in network.parts.items():
        firm = [rows[part] for part in some if part in network.firm]
        rows[whole] = _spanning(whole, firm or [rows[part] for part in some])
    return Schedule(
        rows=tuple(rows[name] for name in network.ids),
        finish=last,
        critical_path=path,
        slack_days=None if deadline is None else working_days_between(last, deadline, times.own),
        network=network,
        placed=placed,
    )


def _row(task: Task, placed: Placed, late: int, own: Calendar, limit: int | None) -> ScheduledStep:
    """Return the row of a task; ``limit``: the moment by which it has to be over."""
    name = task.step.id
    start, end = _dates(task, placed.begin[name], placed.end[name])
    over = task.end_after(late)
    late_start, late_end = _dates(task, late, over)
    is_begun = limit is not None and task.begin is not None and has_begun(task.step)
    if is_begun and limit is not None:
        late_end = max(end, date_of(own.end_of(own.worked_at(limit))))
    is_tight = end == late_end or (not is_begun and late == placed.begin[name])
    last = late_end
    if task.night or (late_end > end and not (is_begun or task.waits)):  # by whole days: the last is as long as its own
        room = DAY if task.night else task.calendar.minutes(over // DAY)
        last = date_of(over - min(placed.end[name] % DAY, room))
    slack = 0 if is_tight else working_days_between(end, last, own)
    if slack < 0 and limit is not None:  # by the plan's days, not by the last one before it on which its owner works
        slack = min(0, working_days_between(end, date_of(own.end_of(own.worked_at(limit))), own))
    if not slack and task.step.deadline and end.isoformat() > task.step.deadline:  # on a day off of the plan
        slack = -1
    is_critical = slack <= 0 and not task.is_conditional
    return ScheduledStep(name, start, end, late_start, late_end, slack, is_critical, placed.why[name])


def _dates(task: Task, begin: int, end: int) -> tuple[date, date]:
    """Return the first and the last day; waiting begins on the day after, or a working day, where it counts these."""
    first = begin // DAY + (task.waits and not task.night and begin % DAY > 0)
    if task.waits_working and task.work and task.begin is None:
        first = task.calendar.start_of(task.calendar.worked_before(first)) // DAY
    return date_of(min(first, end // DAY) * DAY), date_of(end)


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
