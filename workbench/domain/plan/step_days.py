"""The days of a step: as it happened where somebody said so, else as it is planned."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from workbench.domain.plan.calendar import DAY, day_of, hours_of_day
from workbench.domain.plan.plan import Step


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
    """Return the first minute and the one behind the last of a step with hours, counted through all days."""
    day, hours = day_of(step.on), hours_of_day(step.hours)
    return (day.toordinal() * DAY + hours[0], day.toordinal() * DAY + hours[1]) if day and hours else None


def first_minute(step: Step, steps: Mapping[str, Step], seen: frozenset[str] = frozenset()) -> tuple[int, str]:
    """Return when a step can begin after hours that are set, and lags and waits in hours, and what for; 0 for none."""
    found = [(0, "")]
    for need in step.needs:
        other, lag = steps.get(need), next((lag for lag in step.lags if lag.step == need), None)
        if other is None or need in seen or (lag and not (lag.elapsed and (lag.hours or lag.days % 1))):
            continue
        if (hours := set_hours(other)) is not None:
            end = hours[1]
        elif other.waiting and other.waits_hours and other.on is None:
            begin, _ = first_minute(other, steps, seen | {need})
            end = begin and begin + round(other.waiting * DAY)
        else:
            continue
        if end and other.status in ("todo", "waiting"):
            after = f"{need} + {round(lag.days * 24, 2):g} hours" if lag else need
            found.append((end + round(lag.days * DAY if lag else 0), after))
    return max(found)


def clock(minute: int, beside: int = -1) -> str:
    """Return a minute as ``2027-03-26 at 13:00``, without its day where that is the one of another minute."""
    day, rest = divmod(minute, DAY)
    at = f"{rest // 60:02}:{rest % 60:02}"
    return at if day == beside // DAY else f"{date.fromordinal(day)} at {at}"
