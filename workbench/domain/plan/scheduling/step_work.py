"""How much work a step is, and how much of it is left: for each of its owners, calendars aside."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from functools import lru_cache

from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Step, name_key
from workbench.domain.plan.scheduling.calendar import FULL_DAY, day_of, hours_of_day

UNESTIMATED_DAYS = 1
"""Working days that a step without an estimate is given."""


LONG_DAY = 1.25
"""Days of work that somebody can do on one long day."""


def minutes_of(days: float) -> int:
    """Return working days as minutes of work."""
    return round(days * FULL_DAY)


def duration(step: Step) -> int:
    """Return the whole working days that a step occupies, at least one. Raises PlanUnsound for an infinite effort."""
    return max(1, math.ceil(expected_days(step)))


def own_minutes(step: Step) -> float | None:
    """Return the minutes of work that a step is expected to be for each of its owners; None if nothing says so.

    What has its hours takes these of all owners, and no more.
    """
    hours = hours_of_day(step.hours) if step.on else None
    if step.effort is None:
        return None if hours is None else float(hours[1] - hours[0])
    minutes = expected_days(step) * share_of(step) * FULL_DAY
    return minutes if hours is None else min(minutes, hours[1] - hours[0])


def share_of(step: Step) -> float:
    """Return the part of a step's effort that each of its owners has, 0 to 1."""
    return 1 / _count_of(step.owners) if step.also and not step.each else 1.0


@lru_cache(maxsize=256)  # it is asked for each of them
def _count_of(owners: tuple[str, ...]) -> int:
    return max(1, len(set(map(name_key, owners))))


def is_meeting(step: Step) -> bool:
    """Tell whether all do a step at once, in a day or less: on one day, with hours of its week."""
    return step.mode == "together" and step.effort is not None and step.effort.expected * share_of(step) <= 1


def is_waiting_for_days(step: Step) -> bool:
    """Tell whether a step is whole days of waiting still to come, the last of which is over before work follows."""
    is_ahead = step.status in ("todo", "waiting") and not step.waits_hours
    return is_ahead and bool(step.waiting) and not (step.waiting or 0) % 1


def share_left(step: Step) -> float | None:
    """Return the share of a step that is left, as far as its progress says; None if it says none, or days are."""
    if step.left is not None or step.progress is None or not step.progress.of > 0:
        return None
    return min(1.0, max(0.0, 1 - step.progress.done / step.progress.of))


def has_begun(step: Step) -> bool:
    """Tell whether a step is being done since a day that is known, though it may wait for now."""
    is_open = step.status == "under-way" or (step.status == "waiting" and step.left is not None)
    return is_open and day_of(step.started) is not None


def without_ends(steps: Iterable[Step], of: Collection[str] | None = None) -> tuple[Step, ...]:
    """Return steps without the last day of those that are under way, or of some of them: it is calculated again."""
    return tuple(
        replace(step, end=None) if has_begun(step) and step.end and (of is None or step.id in of) else step
        for step in steps
    )


def expected_days(step: Step) -> float:
    """Return the working days of a step; assumed ones without an estimate. Raises PlanUnsound for an infinite one."""
    expected = UNESTIMATED_DAYS if step.effort is None else step.effort.expected
    if not math.isfinite(expected):
        raise PlanUnsound(f"The effort of {step.id} is not a number of days.", f"Estimate {step.id} in working days.")
    return max(0.0, expected)
