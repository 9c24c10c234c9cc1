"""What dates are calculated from: tasks, what each needs and how long after, and how urgent each is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Lag, Plan, Step
from workbench.domain.plan.scheduling.account import Account, Looks, shared, spread_evenly
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, LAST_DAY, day_number, hours_of_day, mirrored_day
from workbench.domain.plan.scheduling.cycles import knots_of
from workbench.domain.plan.scheduling.step_work import LONG_DAY, has_begun, minutes_of, own_minutes
from workbench.domain.plan.scheduling.task import Task, after_lag, is_clock_time, is_whole_days, task_of
from workbench.domain.plan.scheduling.work_times import WorkTimes

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


START = Reason("start")


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
    today: int = 0
    """The day before which nothing is done any more, and nobody's time counts; 0 if none is said."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Steps and what they need that nothing can wait for: there is no such step, or it waits for them."""

    @classmethod
    def from_steps(
        cls, steps: Sequence[Step], times: WorkTimes, start: int, given: Mapping[str, bool], today: int = 0
    ) -> Network:
        """Return the network of steps. Raises PlanUnsound."""
        now = today * DAY or start
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
            name: task_of(step, wholes.get(name), live, parts, times=times, now=now)
            for name, step in live.items()
            if name not in parts
        }
        tasks |= {
            name: replace(tasks[name], owner="", people=(), loads=(), others=())
            for name, is_beside in given.items()
            if is_beside and name in tasks
        }
        tasks = _without_conditions(tasks)
        network = cls(tuple(live), tasks, parts, times, start, given, today, tuple(unknown))
        if len(network.order) == len(tasks):
            return network
        circular = tuple(_circular(tasks))
        for name, need in circular:
            kept = tuple(one for one in tasks[name].needs if one[0] != need)
            tasks = {**tasks, name: replace(tasks[name], needs=kept)}
        return cls(tuple(live), tasks, parts, times, start, given, today, (*unknown, *circular))

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
    def conditional(self) -> tuple[str, ...]:
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

    @cached_property
    def deadlines(self) -> Mapping[str, int]:
        """The minute by which a task must end: its own deadline, or the start of a task on a fixed day needing it."""
        lasts = {name: day_number(task.step.deadline) for name, task in self.firm.items() if task.step.deadline}
        found = {name: (last + 1) * DAY for name, last in lasts.items() if last is not None}
        for task in self.firm.values():
            if task.begin is not None and task.is_set_ahead:
                for name, lag in task.needs:
                    if lag is None and name in self.firm:
                        found[name] = min(found.get(name, task.begin), task.begin)
        return found

    def tails(self, lost: Collection[str] = ()) -> dict[str, int]:
        """Return how urgent each task is: about the minutes of work that begin with it, its longest chain.

        What has a deadline, or is needed by what has one, comes before all others, and the earlier one first.
        Deadlines that are lost do not count.
        """
        tails: dict[str, int] = {}
        lasts: dict[str, int] = {}
        worked = {name: self.times.own.worked_at(last) for name, last in self.deadlines.items() if name not in lost}
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

    @cached_property
    def people_with_accounts(self) -> frozenset[str]:
        """People who have more to do than one thing after the other on the days of their own calendar."""
        found: set[str] = set()
        for task in self.firm.values():
            if task.begin is not None:
                has_account = task.is_set
            else:
                is_of_one = task.owner and len(task.loads) == 1 and task.calendar is self.times.people[task.owner]
                has_account = task.work > 0 and (not is_of_one or task.step.splits or task.is_meeting)
            if has_account:
                found.update(name for name, _ in task.loads)
        return frozenset(found)

    @cached_property
    def set_work(self) -> Mapping[str, Sequence[tuple[str, Mapping[int, int]]]]:
        """By person: tasks with a day that is set, or under way, and their minutes on each day."""
        found: dict[str, list[tuple[str, Mapping[int, int]]]] = defaultdict(list)
        for name, task in self.firm.items():
            if task.is_set and task.begin is not None:
                end = task.end_after(task.begin)
                begin, part = task.rest(task.begin, end)
                for person, minutes in task.loads:
                    total = round(minutes * part)
                    if task.days:
                        days = dict(zip(task.days, shared(total, [*task.days.values()]), strict=True))
                    else:
                        days = spread_evenly(total, self.times.people[person], begin // DAY, end // DAY)
                    ahead = {day: share for day, share in days.items() if share and day >= self.today}
                    found[person].append((name, ahead))
        return found

    def accounts(self, people: Iterable[str], *, mirrored: bool = False) -> dict[str, Account]:
        """Return the accounts of people, with what is set for its days."""
        accounts, looks = {}, Looks(len(self.tasks))
        ahead = range(mirrored_day(self.today) + 1) if mirrored else range(self.today, LAST_DAY)
        for name in people:
            calendar, work = self.times.people[name], self.set_work.get(name, ())
            if mirrored:
                calendar = calendar.mirrored()
                work = [(one, {mirrored_day(day): share for day, share in days.items()}) for one, days in work]
            accounts[name] = Account(calendar, work, by_week=name in self.times.limited, ahead=ahead, looks=looks)
        return accounts

    def earliest(self, task: Task, end: Mapping[str, int]) -> tuple[int, Reason]:
        """Return the moment before which a task cannot begin, calendars aside, and what keeps it from that."""
        if task.begin is not None:
            return task.begin, Reason("on" if task.is_set_ahead else "happened")
        given = day_number(task.step.not_before) if task.step.id in self.given else None
        moment, last = self.start if given is None else given * DAY, ""
        for needed, lag in task.needs:
            if lag:
                after = self._after(needed, end[needed], lag, may_lead=given is not None)
                if is_clock_time(lag):
                    after = task.on_its_day(after, end[needed])
            elif task.night or not (task.counts_days or self.tasks[needed].night or self._lasts_its_day(needed)):
                after = end[needed] - self.left_of_day(needed)  # the rest of the day is for what follows set hours
            else:  # days of waiting count from the day after what they follow, were it over as that begins
                after = end[needed] + (task.counts_days and not end[needed] % DAY)
                if self.tasks[needed].night:
                    after = task.on_its_day(after, after - self.tasks[needed].work)
            if after > moment:
                moment, last = max(after, self.start), needed
        if task.step.not_before and (day := day_number(task.step.not_before)) is not None and day * DAY > moment:
            moment, why = day * DAY, Reason("not-before")
        else:
            why = Reason("need", last) if last else START
        return (task.decided, Reason("decision", task.decision)) if task.decided > moment else (moment, why)

    def _after(self, needed: str, end: int, lag: Lag, *, may_lead: bool) -> int:
        """Return when what needs a task can begin, where that ends at a moment; before that only if it may lead."""
        after = after_lag(end, end - self.left_of_day(needed, lag), lag, self.times)
        return after if may_lead else max(end, after)

    def _lasts_its_day(self, name: str) -> bool:
        """Tell whether a task takes more than the hours that are set for it."""
        hours = hours_of_day(self.tasks[name].step.hours)
        return hours is None or self.tasks[name].work > hours[1] - hours[0]

    def left_of_day(self, name: str, lag: Lag | None = None) -> int:
        """Return the minutes of work that are left of a day when the hours of a task end that is set for it.

        By the clock, hours before and after these are told apart; a lag in days counts those of the day.
        """
        task = self.tasks[name]
        hours = hours_of_day(task.step.hours) if task.step.on and task.begin is not None else None
        if hours is None or has_begun(task.step):
            return 0
        worked = (hours[1] - 1) % DAY + 1 - self.times.opens
        is_clock = lag is None or is_clock_time(lag)
        ends = FULL_DAY if task.work or task.end is None else task.end % DAY
        return ends - (worked if is_clock else min(FULL_DAY, max(1, worked)))

    def _length(self, day: int) -> int:
        return self.times.own.minutes(day) or FULL_DAY

    def before(self, task: Task, begin: int, lag: Lag, end: int) -> int:
        """Return when what a task needs must have ended, if that begins at a moment; ``end``: when it does end."""
        own, (first, minute) = self.times.own, divmod(begin, DAY)
        is_over = minute >= self._length(first)
        if not lag.elapsed and is_whole_days(lag):
            between = own.start_of(own.worked_before(first + is_over) - minutes_of(lag.days)) // DAY
            return min(begin, between * DAY - 1)
        if not lag.elapsed:
            return min(begin, own.start_of(own.worked_at(begin) - minutes_of(lag.days)))
        before = begin - round(lag.days * DAY) + (task.room if is_clock_time(lag) else 0)
        if is_whole_days(lag) and end % DAY < self._length(end // DAY):  # any time of that day will do but its end
            day = before // DAY + (task.counts_days and is_over)  # it counts from the next day
            before = max(before, day * DAY + self._length(day) - 1)
        return min(begin, before)

    def opening(self, task: Task, end: int, lag: Lag | None) -> int:
        """Return from when on a day that is set a task has its hours, where what it needs can end on it as it does."""
        begin, hours = task.begin or 0, hours_of_day(task.step.hours)
        if task.waits or (lag and not is_clock_time(lag)):
            return begin
        longest = LONG_DAY * FULL_DAY
        minute = hours[0] - self.times.opens if hours else round(longest - (own_minutes(task.step) or longest))
        minute = FULL_DAY if task.step.milestone and not hours else max(0, min(minute, FULL_DAY))
        return begin + minute if lag or min(end % DAY, FULL_DAY) <= minute else begin

    def since(self, day: date) -> frozenset[str]:
        """Return what has to begin on a day, and all that needs it: the event, and what comes after it."""
        found = {name for name, task in self.tasks.items() if task.step.on == day.isoformat()}
        unfinished = list(found)
        while unfinished:
            more = {other for other, _ in self.needed_by[unfinished.pop()]} - found
            found |= more
            unfinished += more
        return frozenset(found)


_SOME_DAY = 730_000 * DAY
"""A moment within the years of plans, if it does not matter which."""


def edges_left_out(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Return steps and what they need that no date waits for, as no step can. Raises PlanUnsound."""
    return Network.from_steps(plan.steps, WorkTimes.from_plan(plan), _SOME_DAY, {}).left_out


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


def _by_id(steps: Sequence[Step]) -> dict[str, Step]:
    by_id = {step.id: step for step in steps}
    if len(by_id) < len(steps):
        ids = [step.id for step in steps]
        twice = next(step for step in ids if ids.count(step) > 1)
        raise PlanUnsound(f"The id {twice} is given to two steps.", "Give each step an id of its own.")
    return by_id
