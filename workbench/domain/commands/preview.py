"""What a preview says beside what changes: limits that are missed as they are set, and which of two lengths counts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from workbench.domain.commands.grammar import FIELDS
from workbench.domain.plan.calendar import day_of, hours_of_day
from workbench.domain.plan.plan import Constraint, Criterion, Decision, Item, Plan, Step
from workbench.domain.plan.step_days import last_day
from workbench.domain.values.calendar_words import spoken_day
from workbench.domain.values.units import MINUTES_A_DAY


def told_beside(before: Plan, after: Plan, today: date) -> Iterator[str]:
    """Yield what a person may not expect of a changed plan with its new dates, a sentence each."""
    known = {item.id: item for item in before.items}
    for item in after.items:
        old = known.get(item.id)
        if isinstance(item, Step) and (not isinstance(old, Step) or _lengths(old) != _lengths(item)):
            yield from _two_lengths(item)
        limit = _limit(item)
        if limit is not None and (old is None or _limit(old) != limit):
            yield from _missed(item, limit, after, today)


def _lengths(step: Step) -> tuple[object, ...]:
    return step.effort, step.on, step.hours


def _two_lengths(step: Step) -> Iterator[str]:
    """Yield that a step's hours say how long it takes, where its effort differs."""
    hours, day = hours_of_day(step.hours), day_of(step.on)
    if step.effort is None or hours is None or day is None:
        return
    if round(step.effort.expected * MINUTES_A_DAY) != hours[1] - hours[0]:
        effort = FIELDS[Step]["Effort"].of(step)
        yield (
            f"{step.id} is on {spoken_day(day)} at {step.hours} and over then; "
            f"of its effort of {effort}, no more is planned."
        )


def _limit(item: Item) -> date | None:
    """Return the last day that an item sets."""
    match item:
        case Step() if item.status not in ("done", "dropped"):
            return day_of(item.deadline)
        case Constraint(limits="date"):
            return day_of(item.last or item.day)
        case Criterion():
            return day_of(item.due)
        case Decision():
            return day_of(item.open_until)
        case _:
            return None


def _missed(item: Item, limit: date, plan: Plan, today: date) -> Iterator[str]:
    """Yield that a limit which was just set is past, or is not kept by the dates."""
    ends = {step.id: day for step in plan.steps if step.status != "dropped" and (day := day_of(last_day(step)))}
    end = ends.get(item.id)
    if isinstance(item, Constraint) and item.sets != "goal-day":
        conditional = plan.conditional
        end = max((day for name, day in ends.items() if name not in conditional), default=None)
    what = item.id if isinstance(item, Step) else "the plan"
    if end is not None and end > limit:
        yield f"{what} ends on {spoken_day(end)}, after {spoken_day(limit)}: this day is missed already."
    elif limit < today:
        yield f"{spoken_day(limit)} is past."
