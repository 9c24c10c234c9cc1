"""Steps made to fit the time there is: fewer where it is short, longer where work may take what it gets.

steps ──schedule──▶ too late? ─▶ leave out what can be left out; the estimates stay as they are
                └─▶ time left? ─▶ stretch elastic steps (training, collecting replies) up to the deadline
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from datetime import date

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Effort, Plan, Step
from workbench.domain.plan.schedule import Schedule, WorkTimes, schedule
from workbench.guided.wording import listed

STRETCHES = 30.0
"""How many times its usual length an elastic step may take."""


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """Steps fitted to a deadline, and what that took."""

    steps: tuple[Step, ...]
    left_out: tuple[str, ...] = ()
    """Titles of the steps that were left out."""


def fit(
    steps: Sequence[Step],
    *,
    start: date,
    deadline: date | None,
    elastic: Collection[str] = (),
    optional: Collection[str] = (),
    reserve: int = 0,
    times: WorkTimes | None = None,
) -> Fit:
    """Return the steps fitted between start and deadline, ``reserve`` working days kept free where they can be.

    ``times``: when work can happen; None for the standard week.
    """
    if deadline is None:
        return Fit(steps=tuple(steps))
    if _slack(steps, start, deadline, times) >= reserve:
        return Fit(steps=_stretched(steps, start, deadline, elastic, reserve=reserve, times=times))
    kept = without(steps, optional)
    if _slack(kept, start, deadline, times) < 0:
        return Fit(steps=tuple(steps))  # it does not fit either way: for the person to decide
    return Fit(steps=kept, left_out=tuple(step.title for step in steps if step.id in optional))


def squeeze(fitted: Fit) -> str:
    """Return what was done to fit the deadline, as a sentence; "" where nothing was."""
    left_out = listed([f"“{title}”" for title in fitted.left_out])
    return f"To fit the time there is, left out: {left_out}." if left_out else ""


def without(steps: Sequence[Step], ids: Collection[str]) -> tuple[Step, ...]:
    """Return steps without some of them; what needed one of those needs what it needed."""
    needs = {step.id: step.needs for step in steps}

    def standing(needed: str) -> list[str]:
        return [needed] if needed not in ids else [one for before in needs[needed] for one in standing(before)]

    return tuple(
        msgspec.structs.replace(step, needs=tuple(dict.fromkeys(one for need in step.needs for one in standing(need))))
        for step in steps
        if step.id not in ids
    )


def times_of(plan: Plan) -> WorkTimes:
    """Return when work can happen, as a plan says; the standard week where what it says cannot be."""
    try:
        return WorkTimes.of(plan)
    except PlanUnsound:
        return WorkTimes()


def scheduled(
    steps: Sequence[Step], start: date, deadline: date | None, times: WorkTimes | None = None
) -> tuple[tuple[Step, ...], Schedule]:
    """Return the steps with their earliest dates, and the schedule these come from; what is done or begun stays."""
    dates = schedule(steps, start=start, deadline=deadline, times=times)
    rows = {row.step: row for row in dates.rows}
    dated = tuple(
        msgspec.structs.replace(step, start=rows[step.id].start.isoformat(), end=rows[step.id].end.isoformat())
        if step.status in ("todo", "waiting")
        else step
        for step in steps
    )
    fixed = day_of(steps)
    if fixed is None or deadline is None or dates.finish > deadline:
        return dated, dates
    day = deadline.isoformat()
    return tuple(
        msgspec.structs.replace(step, start=day, end=day) if step.id == fixed.id else step for step in dated
    ), dates


def day_of(steps: Sequence[Step]) -> Step | None:
    """Return the step that happens on the very day of the deadline, and that everything leads to; None without one.

    Its effort begins at nothing (0 to 1 days): it is not work that could be done on any other day.
    """
    needed = {need for step in steps for need in step.needs}
    return next((step for step in steps if step.effort and step.effort.low == 0 and step.id not in needed), None)


def _slack(steps: Sequence[Step], start: date, deadline: date, times: WorkTimes | None) -> int:
    return schedule(steps, start=start, deadline=deadline, times=times).slack_days or 0


def _scaled(steps: Sequence[Step], factor: float, only: Collection[str] | None = None) -> tuple[Step, ...]:
    return tuple(
        step
        if step.effort is None or step.effort.low == 0 or (only is not None and step.id not in only)
        else msgspec.structs.replace(step, effort=scaled_effort(step.effort, factor))
        for step in steps
    )


def scaled_effort(effort: Effort, factor: float) -> Effort:
    """Return an effort multiplied, in half days, never under half a day."""
    low, likely, high = (
        max(0.5, math.floor(days * factor * 2) / 2) for days in (effort.low, effort.likely, effort.high)
    )
    return Effort(low=low, likely=likely, high=high)


def _stretched(
    steps: Sequence[Step],
    start: date,
    deadline: date,
    elastic: Collection[str],
    *,
    reserve: int,
    times: WorkTimes | None,
) -> tuple[Step, ...]:
    """Return the steps with the elastic ones as long as the deadline, less the reserve, allows."""
    if not elastic:
        return tuple(steps)
    least, most = 1.0, STRETCHES
    for _ in range(12):
        middle = (least + most) / 2
        if _slack(_scaled(steps, middle, elastic), start, deadline, times) >= reserve:
            least = middle
        else:
            most = middle
    return _scaled(steps, least, elastic)
