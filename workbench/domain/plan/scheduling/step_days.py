"""The days of a step: as it happened if somebody said so, else as it is planned."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date

from workbench.domain.plan.plan import Place, Step
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, day_of, hours_of_day
from workbench.domain.plan.scheduling.step_work import LONG_DAY, is_waiting_for_days, own_minutes
from workbench.domain.plan.scheduling.work_times import WorkTimes

_STAYS = 30
"""Minutes that somebody may continue after the hours by which work has to be over, before that is told."""


def first_day(step: Step, on: str | None = None) -> str | None:
    """Return the day on which a step began, or is to begin, at the latest when it ended; ISO 8601, None for neither.

    ``on``: the day on which it is to begin whatever its start says.
    """
    planned = on or step.start
    return step.started or (planned and min(planned, step.finished or planned))


def last_day(step: Step) -> str | None:
    """Return the day on which a step ended, or is to end; ISO 8601, None for neither."""
    return step.finished or step.end


def set_hours(step: Step) -> tuple[int, int] | None:
    """Return the first minute and the one after the last of a step with hours, counted through all days."""
    day, hours = day_of(step.on), hours_of_day(step.hours)
    return (day.toordinal() * DAY + hours[0], day.toordinal() * DAY + hours[1]) if day and hours else None


def is_open_at(place: Place, step: Step) -> bool:
    """Tell whether a place is open in the hours that are set for a step, as far as both say theirs."""
    opens, hours = hours_of_day(place.hours), hours_of_day(step.hours) if step.on else None
    if opens is None or hours is None or not 0 < opens[1] - opens[0] < DAY - 1:
        return True
    return any(opens[0] <= hours[0] + later and hours[1] + later <= opens[1] for later in (0, DAY))


def last_begin(step: Step, times: WorkTimes) -> int | None:
    """Return the minute at which a step with hours begins, or at the latest one with a day's work on a set day."""
    if (hours := set_hours(step)) is not None:
        return hours[0]
    day, minutes = day_of(step.on), _minutes_of_work(step)
    if day is None or not minutes:
        return None
    return day.toordinal() * DAY + times.opens + round(LONG_DAY * FULL_DAY - min(minutes, FULL_DAY))


Minute = tuple[int, str]
"""A minute, counted through all days, and what ends then."""


def first_minute(
    step: Step, steps: Mapping[str, Step], times: WorkTimes, known: dict[str, Minute] | None = None
) -> Minute:
    """Return when a step can begin after set hours, work and waits of its day, and lags in hours; 0 for none.

    With it comes what it begins after. ``known``: of other steps, and kept for further ones.
    """
    known = {} if known is None else known
    begun: set[str] = set()
    way = _hours_waited_for(step, steps)
    while way:  # the first of a chain of waits first, however long it is
        name = way[-1]
        before = [] if name in known or name in begun else _hours_waited_for(steps[name], steps)
        begun.add(name)
        if more := [one for one in before if one not in known and one not in begun]:
            way += more
        elif (name := way.pop()) not in known:
            known[name] = _first_minute(steps[name], steps, times, known)
    return _first_minute(step, steps, times, known)


def _hours_waited_for(step: Step, steps: Mapping[str, Step]) -> list[str]:
    """Return the steps that it needs and that are waits of some hours, on no day of their own."""
    needed = ((need, steps[need]) for need in step.needs if need in steps)
    return [name for name, other in needed if other.waiting and other.waits_hours and other.on is None]


def _first_minute(step: Step, steps: Mapping[str, Step], times: WorkTimes, known: Mapping[str, Minute]) -> Minute:
    found = [(0, "")]
    waits = _hours_waited_for(step, steps)
    for need in step.needs:
        other, lag = steps.get(need), next((lag for lag in step.lags if lag.step == need), None)
        if other is None or (lag and not (lag.elapsed and (lag.hours or lag.days % 1))):
            continue
        if (hours := set_hours(other)) is not None:
            end = hours[1]
        elif need in waits:
            begin, _ = known.get(need, (0, ""))  # one that waits for itself is not known
            end = begin and begin + round((other.waiting or 0) * DAY)
        elif is_waiting_for_days(other) and (day := day_of(last_day(other))) and step.on == last_day(other):
            end = day.toordinal() * DAY + times.opens + FULL_DAY
        else:
            end = _end_of_work(other, step, steps, times)
        if end and other.status in ("todo", "waiting"):
            after = f"{need} + {round(lag.days * 24, 2):g} hours" if lag else need
            found.append((end + round(lag.days * DAY if lag else 0), after))
    return max(found)


def _minutes_of_work(step: Step) -> float:
    """Return the minutes that each owner has to work; 0 if that is nothing, or no number."""
    is_number = step.effort is None or math.isfinite(step.effort.expected)
    is_work = is_number and not step.milestone and step.waiting is None
    return (own_minutes(step) or 0.0) if is_work else 0.0


def _end_of_work(step: Step, following: Step, steps: Mapping[str, Step], times: WorkTimes) -> int:
    """Return before when work cannot be over on its last day, if that is another's and too late; 0 for none."""
    minutes, begins = _minutes_of_work(step), last_begin(following, times)
    first, last = day_of(step.on or step.start), day_of(step.end)
    if not minutes or begins is None or first is None or last is None or step.end != following.on:
        return 0
    if any(part.parent == step.id for part in steps.values()):
        return 0
    theirs = times.calendar(step, times.whose_time(step))
    done = theirs.worked_before(last.toordinal()) - theirs.worked_before(first.toordinal())
    end = last.toordinal() * DAY + times.opens + round(minutes - done)
    return end if end > begins + _STAYS else 0


def clock(minute: int, beside: int = -1) -> str:
    """Return a minute as ``2027-03-26 at 13:00``, without its day if that is the one of another minute."""
    day, rest = divmod(minute, DAY)
    at = f"{rest // 60:02}:{rest % 60:02}"
    return at if day == beside // DAY else f"{date.fromordinal(day)} at {at}"
