"""How likely each date is: the plan's own schedule, run with durations drawn from its three-point estimates.

    estimates ─▶ PERT-beta, drawn with a fixed seed ─▶ the network of the schedule, everybody's work in its order
                                                          └─▶ 5,000 finishes ─▶ P50 · P80 · chance of the deadline

All paths count, not the critical one alone. What is done stays, what has its day stays on it; scheduled backward
nothing begins before its date. Imports numpy: call it where a tenth of a second is no harm.
Source: Malcolm et al. (1959) for the distribution.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from workbench.domain.plan.plan import Lag, Step
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, Calendar, day_number
from workbench.domain.plan.scheduling.schedule import Schedule
from workbench.domain.plan.scheduling.step_work import UNESTIMATED_DAYS
from workbench.domain.plan.scheduling.task import Task, is_clock_time, is_whole_days

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Moments = NDArray[np.int64]
    Shares = NDArray[np.float64]

RUNS = 5_000
_SEED = 14
_GRID = 1_025
"""Points at which the distribution is added up."""


class Forecast(Struct, frozen=True):
    """When the whole is finished, in so many of all runs."""

    p50: date
    """In half of the runs it is finished by then."""
    p80: date
    chance: float | None
    """Share of runs, 0 to 1, in which what is held to the deadline has ended by then; None without one."""
    varies: bool = True
    """Whether the estimate of any step that is still to come has a range; all runs are the same without."""


def forecast(planned: Schedule, *, deadline: date | None, held: Collection[str] = (), runs: int = RUNS) -> Forecast:
    """Return how likely the finish of a schedule is. The same schedule gives the same forecast, on every machine.

    ``held`` are the steps that have to end by the deadline; () for all.
    """
    import numpy as np

    if not planned.network.firm:
        return Forecast(planned.finish, planned.finish, None if deadline is None else float(planned.finish <= deadline))
    network, ends = planned.network, _ends(planned, runs)
    days = np.sort(np.maximum.reduce([ends[name] for name in network.firm]) // DAY)
    last = date.max.toordinal()
    p50, p80 = (date.fromordinal(min(last, int(days[math.ceil(runs * share) - 1]))) for share in (0.5, 0.8))
    efforts = [task.step.effort for task in network.firm.values() if task.begin is None and not task.spans]
    varies = any(effort is not None and effort.high > effort.low for effort in efforts)
    if deadline is None:
        return Forecast(p50, p80, None, varies)
    in_time = np.full(runs, fill_value=True)
    tasks = network.tasks
    firm = [part for name in held for part in network.parts.get(name, (name,)) if part in network.firm]
    firm = firm or list(network.firm)
    for name in firm:  # what is set stays on its day, and is missed where what it needs ends after the deadline
        before = [needed for needed, _ in tasks[name].needs if tasks[name].is_set_ahead]
        for one in (name, *before):
            in_time &= ends[one] // DAY <= deadline.toordinal()
    return Forecast(p50, p80, float(in_time.mean()), varies)


def _ends(planned: Schedule, runs: int) -> dict[str, Moments]:
    """Return the moment at which each step ends in each run."""
    import numpy as np

    network, placed = planned.network, planned.placed
    before: dict[str, list[str]] = {}
    for one, other in placed.one_after_the_other():
        before.setdefault(other, []).append(one)
    tasks = placed.as_they_last(network.tasks)
    calendars = {id(task.calendar): task.calendar for task in network.tasks.values()}
    clocks = {key: _Clock(calendar) for key, calendar in calendars.items()}
    opens = {task.step.id: _Clock(task.opens) for task in network.tasks.values() if task.opens}
    own = clocks.setdefault(id(network.times.own), _Clock(network.times.own))
    drawn = np.random.PCG64(_SEED)  # its stream is promised to stay the same; what numpy makes of it is not
    ends: dict[str, Moments] = {}
    for name in placed.by_begin(tasks):
        task = tasks[name]
        chances = (drawn.random_raw(runs) >> np.uint64(11)) * np.float64(2.0**-53)
        if task.begin is not None:
            ends[name] = np.full(runs, task.end_after(task.begin))
            continue
        why = placed.why[name]
        is_kept = network.times.backward or (why.why == "busy" and network.tasks[why.step].is_set)
        earliest = placed.begin[name] if is_kept else max(network.start, _not_before(task), task.decided)
        begin = np.full(runs, earliest)
        for needed, lag in task.needs:
            end = ends[needed]
            left = network.left_of_day(needed, lag) if lag or task.night else 0
            after = end - left if lag is None else own.after(end, lag, left, network.times.opens)
            if task.room and (is_clock_time(lag) if lag else network.tasks[needed].night):
                since = end if lag else end - network.tasks[needed].work
                on_its_day = (after % DAY <= task.room) & (since < after // DAY * DAY)
                after = np.where(on_its_day, after // DAY * DAY, after)
            begin = np.maximum(begin, after)
        for one in before.get(name, ()):
            begin = np.maximum(begin, ends[one])
        if name in opens:  # dated backward it may begin on any day
            begin = np.where(begin == placed.begin[name], begin, opens[name].first_whole_day(begin))
        stretch = 1.0
        if name in placed.lasting:
            stretch = placed.lasting[name] / network.tasks[name].work
        ends[name] = clocks[id(task.calendar)].end(task, begin, chances, stretch)
    return ends


def _not_before(task: Task) -> int:
    return (day_number(task.step.not_before) or 0) * DAY


class _Clock:
    """A calendar for many moments at once."""

    def __init__(self, calendar: Calendar) -> None:
        import numpy as np

        self._week = np.array(calendar.week)
        self._of_week = np.concatenate([[0], np.cumsum(self._week)])
        self._days = np.array([-1, *(day for day, _ in calendar.special)], dtype=np.int64)
        self._minutes = np.array([0, *(minutes for _, minutes in calendar.special)], dtype=np.int64)
        lost = self._week[(self._days - 1) % 7] - self._minutes
        lost[0] = 0
        self._lost = np.cumsum(lost)
        self._worked = np.array([calendar.worked_before(day) for day, _ in calendar.special], dtype=np.int64)

    def end(self, task: Task, begin: Moments, chances: Shares, stretch: float) -> Moments:
        """Return when a task ends that begins at the first moment of its calendar from these on.

        ``stretch``: how many times its work it lasts, where other work continues beside it. A duration is certain.
        """
        import numpy as np

        if task.waits and task.work:  # what begins with a day has that day, too
            begin = np.where((begin % DAY > 0) | (not task.counts_days), begin, begin - DAY + FULL_DAY)
        if task.waits_working and task.work:
            days = begin // DAY
            minute = DAY - 1 if task.waits_whole_days else begin % DAY
            return self._end_of(self._before(days + 1) + task.work) // DAY * DAY + minute
        if task.waits or not task.work:
            end = begin + task.work
            if task.night:
                return np.where(end % DAY > task.night, (end // DAY + 1) * DAY, end)
            return end // DAY * DAY + DAY - 1 if task.waits_whole_days else end
        drawn = _drawn_days(task.step, chances) * (task.share * stretch)
        if task.spans:
            drawn = np.full(len(begin), task.work / FULL_DAY)
        if task.owner:
            return self._end_of(self._worked_at(begin) + np.maximum(1, (drawn * FULL_DAY).round().astype(np.int64)))
        day, minute = begin // DAY, begin % DAY
        return self._end_of(
            self._before(day + (minute > 0)) + np.maximum(1, np.ceil(drawn).astype(np.int64)) * FULL_DAY
        )

    def after(self, moments: Moments, lag: Lag, left: int, opens: int) -> Moments:
        """Return when what needs a task can begin, where that ends at these moments, before the ``left`` of a day."""
        import numpy as np

        since, day = moments - left, moments // DAY
        if not lag.elapsed and is_whole_days(lag):
            last = self._end_of(self._before(day + 1) + round(lag.days * FULL_DAY)) // DAY
            return np.maximum(moments, last * DAY + DAY - 1)
        if not lag.elapsed:
            return np.maximum(moments, self._end_of(self._worked_at(since) + round(lag.days * FULL_DAY)))
        after = since + round(lag.days * DAY)
        if is_whole_days(lag):
            length = self._before(day + 1) - self._before(day)
            after -= np.where(after % DAY < np.where(length > 0, length, FULL_DAY), after % DAY, 0)
        else:
            after = np.where(after % DAY <= DAY - opens, after, (after // DAY + 1) * DAY)
        return np.maximum(moments, after)

    def first_whole_day(self, moments: Moments) -> Moments:
        """Return the beginnings of the first days, from moments on, on which there is work all day."""
        return self._end_of(self._before(moments // DAY + (moments % DAY > 0)) + 1) - 1

    def _before(self, day: Moments) -> Moments:
        """Return the minutes of work before days."""
        weeks, weekday = (day - 1) // 7, (day - 1) % 7
        lost = self._lost[self._days[1:].searchsorted(day)]
        before: Moments = weeks * self._of_week[7] + self._of_week[weekday] - lost
        return before

    def _worked_at(self, moment: Moments) -> Moments:
        import numpy as np

        day = moment // DAY
        before = self._before(day)
        reached: Moments = np.minimum(before + moment % DAY, self._before(day + 1))
        return reached

    def _end_of(self, worked: Moments) -> Moments:
        import numpy as np

        at = self._worked.searchsorted(worked)
        before = np.concatenate([[0], self._worked])[at]
        is_special = (at > 0) & (worked <= before + self._minutes[at])
        every = worked + self._lost[at]
        weeks, rest = (every - 1) // self._of_week[7], (every - 1) % self._of_week[7]
        day = weeks * 7 + self._of_week.searchsorted(rest + 1)
        day = np.where(is_special, self._days[at], day)
        moment: Moments = day * DAY + worked - self._before(day)
        return moment


def _drawn_days(step: Step, chances: Shares) -> Shares:
    """Return working days by their chances: the inverse of the distribution, as far as a grid of points tells it."""
    import numpy as np

    effort = step.effort
    if effort is None or effort.high <= effort.low:
        return np.full(len(chances), UNESTIMATED_DAYS if effort is None else max(0.0, effort.expected))
    width = effort.high - effort.low
    likely = min(max(effort.likely, effort.low), effort.high)
    rise, fall = 4 * (likely - effort.low) / width, 4 * (effort.high - likely) / width
    points = (np.arange(_GRID - 1) + 0.5) / (_GRID - 1)
    mass = np.concatenate([[0.0], np.cumsum(points**rise * (1 - points) ** fall)])
    share = np.interp(chances, mass / mass[-1], np.linspace(0, 1, _GRID))
    return np.maximum(0.0, effort.low + width * share)
