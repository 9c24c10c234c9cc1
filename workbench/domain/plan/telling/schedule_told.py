"""The computed schedule in words, for who plans and verifies: dates, slack, load and money, a line each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    Cause,
    Change,
    Operation,
    RemoveItem,
    SetField,
    SetSection,
    applied,
    operations_between,
)
from workbench.domain.plan.figures import FIXED_DAY, Figures, StepFigures, figures, first_day
from workbench.domain.plan.plan import Plan, Section, deadline_of, wording
from workbench.domain.plan.references import values_used, weekday_and_day
from workbench.domain.plan.scheduling.plan_day import named_by
from workbench.domain.plan.scheduling.rescheduling import replanned, rescheduled
from workbench.domain.plan.scheduling.schedule import with_dates
from workbench.domain.plan.telling.plan_told import dates_of, field_text, item_line

_TIGHT = 5
"""Working days of slack below which a step is always told."""
_BUSY = 0.8
"""Share of somebody's time from which their load is told."""


def with_computed_dates(old: Plan | None, new: Plan, today: date) -> Plan:
    """Return a plan with the dates that follow from it; as it is where none can be computed, as a check then says.

    What is done stays where it is, and what a change does not concern keeps its dates.
    """
    try:
        if old is None or first_day(old) is None:
            return with_dates(new, start=today, deadline=deadline_of(new))
        return rescheduled(old, new, today=today).plan
    except PlanUnsound:
        return new


def with_missing_dates(plan: Plan, today: date) -> Plan:
    """Return a plan as a file has it, with dates for its open steps that have none, from today on."""
    undated = {step.id for step in plan.steps if not (step.start or step.end)}
    if len(undated) == len(plan.steps):
        return with_computed_dates(None, plan, today)
    try:
        computed = replanned(plan, today, since=today) if undated else plan
    except PlanUnsound:
        return plan
    return applied(plan, [one for one in operations_between(plan, computed) if _is_for(one, undated)])


def _is_for(operation: Operation, steps: Collection[str]) -> bool:
    return isinstance(operation, SetField) and operation.item in steps


def date_changes(new: Plan, computed: Plan) -> tuple[Change, ...]:
    """Return the changes that give a plan its computed dates."""
    return tuple(Change(operation, Cause("calculated")) for operation in operations_between(new, computed))


def change_lines(old: Plan, new: Plan, *, beside: bool = False) -> Iterator[str]:
    """Yield what differs between two versions, a line each; computed dates are told by the schedule.

    What is beside it is not told again: the old version, so that what is now is told; with ``beside`` the items as they
    are now, so that what they were is.
    """
    items, after = {item.id: item for item in old.items}, {item.id: item for item in new.items}
    rows = {} if beside else {step.step: step for step in figures(new).steps}
    for operation in operations_between(old, new):
        match operation:
            case SetField(name, field) if field not in ("start", "end", "causes"):
                item = items.get(name) if beside else after[name]
                value = "" if item is None else field_text(item, field)
                yield f"{name}.{field} {'was' if beside else 'is now'}: {value or 'empty'}"
            case AddItem(_, item):
                yield f"new: {item.id if beside else item_line(item, rows.get(item.id))}"
            case RemoveItem(name):
                yield f"gone: {name} {wording(items[name])}"
            case SetSection(name) | AddSection(Section(id=name)):
                section = new.section(name)
                yield f"written anew: the section {name}: {section.text if section is not None else ''}"
            case _:
                pass


def schedule_told(plan: Plan, since: Plan | None = None, *, prose: bool = True) -> str:
    """Return what the schedule comes to, in lines: what is tight or moved since another version, who is busy, money.

    ``prose``: what references in the plan's prose stand for, too.
    """
    told = figures(plan)
    used = values_used(plan) if prose and told.finish is not None else ""
    return "\n".join((*_lines(plan, told, since), *([f"In prose: {used}"] if used else [])))


def _lines(plan: Plan, told: Figures, since: Plan | None) -> Iterator[str]:
    if told.unsound:
        yield told.unsound
        return
    if told.start is None or told.finish is None:
        return
    yield _head(plan, told)
    if told.critical_path:
        yield f"Longest chain: {', '.join(told.critical_path)}"
    before = {step.step: (step.start, step.end) for step in figures(since).steps} if since else None
    for step in told.steps:
        has_moved = before is not None and before.get(step.step) != (step.start, step.end)
        if has_moved or _is_tight(step):
            yield _row(step, told.finish)
    if fixed := [step.step for step in told.steps if step.why == FIXED_DAY and step.status not in ("done", "dropped")]:
        yield f"Fixed days: {', '.join(fixed)}"
    yield f"All others have {_TIGHT} days of slack or more{'' if since is None else ' and did not move'}."
    for person in told.people:
        is_full = person.peak is not None and person.peak[1] >= _BUSY
        if person.peak is not None and is_full:
            yield f"{person.name}: {person.peak[1]:.0%} in the week from {weekday_and_day(person.peak[0], told.finish)}"
        elif person.load is not None and person.load >= _BUSY:
            yield f"{person.name}: {person.load:.0%} of their time from first to last day"
    for limit in told.limits:
        yield f"{limit.constraint}: {limit.planned.amount:,} of {limit.most.amount:,} {limit.most.currency} planned"


def _head(plan: Plan, told: Figures) -> str:
    """Say from when to when the work goes, and how that stands to the day on which the whole has to be done.

    What answers the day is measured against it: accounts and clearing up may be later. Where nothing does, and work
    continues after the day, nobody can say that it is too late.
    """
    head = f"Work from {told.start} to {told.finish}"
    by = told.deadline
    if by is None or told.finish is None or told.slack_days is None:
        return f"{head}; no day says when it has to be done."
    slack, names = told.slack_days, {item.id for item in named_by(plan, by)}
    is_answered = any(not names.isdisjoint(step.answers) for step in plan.steps if step.status != "dropped")
    if slack < 0 and not is_answered:
        return f"{head}; the last day that a constraint names is {by}."
    if slack < 0:
        held = told.held or next(step.step for step in told.steps if step.end == told.finish)
        return f"{head}; it has to be done on {by}: {held}, which answers that, is {-slack} working days too late."
    if told.held:
        return f"{head}; what has to be done on {by} is done with {told.held}, {slack} working days before it."
    return f"{head}; it has to be done on {by}: {slack} working days before it."


def _is_tight(step: StepFigures) -> bool:
    is_open = step.status not in ("done", "dropped")
    return is_open and (step.start is None or (step.slack is not None and step.slack < _TIGHT))


def _row(step: StepFigures, finish: date) -> str:
    if step.start is None or step.end is None:
        return f"{step.step} | no date"
    why = f" | {step.why}" if step.why and step.why != FIXED_DAY and _is_tight(step) else ""
    return f"{step.step} | {dates_of(step, finish)}{why}"
