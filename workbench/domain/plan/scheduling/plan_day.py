"""The day that a plan is for, and the steps by which is judged whether the plan is in time for it.

    all end by it, or no step answers it     all steps, without what follows an event on that day
    it is the deadline by which all is done  the same
    else                                     steps that answer the day and end by it; none does: the first of them

What answers the day is measured against it: clearing up, accounts and giving back may be later. Checks, figures, what
is due and the page judge by this and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from workbench.domain.plan.plan import Constraint, Criterion, Plan, Step, answered_criteria, end_of
from workbench.domain.plan.scheduling.calendar import day_of


def held_to_day(plan: Plan, by: date, ends: Mapping[str, date]) -> frozenset[str]:
    """Return the ids of the steps that have to end by the day a plan is for; ``ends`` are the steps' last days."""
    firm = [step for step in plan.steps if step.status != "dropped" and step.id in ends]
    conditional = plan.conditional
    firm = [step for step in firm if step.id not in conditional] or firm
    held = frozenset(step.id for step in firm) - _after_event(plan, by)
    names = {item.id for item in named_by(plan, by)}
    answering = [step.id for step in firm if not names.isdisjoint(step.answers)]
    if not answering or by == end_of(plan) or all(ends[name] <= by for name in held):
        return held
    in_time = frozenset(name for name in answering if ends[name] <= by)
    return in_time or frozenset({min(answering, key=ends.__getitem__)})


def last_held(plan: Plan, by: date, ends: Mapping[str, date]) -> str:
    """Return the id of the last step to end of those that are held to the day a plan is for; "" for none."""
    wholes = {step.parent for step in plan.steps}
    return max(held_to_day(plan, by, ends), key=lambda name: (ends[name], name not in wholes), default="")


def day_named(plan: Plan, by: date | None) -> str:
    """Return what the day a plan is for is called: by the constraint that names it if the plan has other dates."""
    limits = [item for item in plan.items if isinstance(item, Constraint) and item.is_dated and day_of(item.by)]
    naming = next((item for item in limits if day_of(item.by) == by and (item.sets or len(limits) > 1)), None)
    if naming is None or naming.sets == "deadline":
        return "the deadline"
    return "the day it is for" if naming.sets else f"{naming.id}’s day"


def named_by(plan: Plan, by: date) -> tuple[Constraint, ...] | tuple[Criterion, ...]:
    """Return the date constraints that name the day a plan is for, else the answered criteria that are due on it."""
    limits = (item for item in plan.items if isinstance(item, Constraint) and item.is_dated)
    found = tuple(item for item in limits if day_of(item.by) == by)
    return found or tuple(item for item in answered_criteria(plan) if day_of(item.due) == by)


def _after_event(plan: Plan, by: date) -> set[str]:
    """Return the ids of the steps that need what happens on a plan's day or days, or have their own day after it."""
    firsts = (day_of(item.day) for item in named_by(plan, by) if isinstance(item, Constraint))
    first = min(filter(None, firsts), default=by)
    events = {step.id for step in plan.steps if (step.on or step.milestone) and _happens_in(step, first, by)}
    if not events:
        return set()
    later = {step.id for step in plan.steps if (on := day_of(step.on)) and on > by}
    while more := {step.id for step in plan.steps if not (events | later).isdisjoint(step.needs)} - events - later:
        later |= more
    return later


def _happens_in(step: Step, first: date, last: date) -> bool:
    end = day_of(step.end or step.on or step.deadline)
    begin = day_of(step.started or step.on or step.start) or end
    return begin is not None and end is not None and begin <= last and first <= end
