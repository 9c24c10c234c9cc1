"""The computed schedule in words, for who plans and verifies: dates, slack, load and money, a line each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.figures import Figures, StepFigures, figures, first_day, short_day
from workbench.domain.plan.operations import (
    AddItem,
    AddSection,
    Cause,
    Change,
    RemoveItem,
    SetField,
    SetSection,
    operations_between,
)
from workbench.domain.plan.plan import Plan, Section, deadline_of
from workbench.domain.plan.rescheduling import rescheduled
from workbench.domain.plan.schedule import with_dates

_TIGHT = 5
"""Working days of slack below which a step is always told."""
_SHORT = 15
"""Steps up to which all are told."""
_BUSY = 0.8
"""Share of somebody's time from which their load is told."""
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


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


def date_changes(new: Plan, computed: Plan) -> tuple[Change, ...]:
    """Return the changes that give a plan its computed dates."""
    return tuple(Change(operation, Cause("calculated")) for operation in operations_between(new, computed))


def changes_told(old: Plan, new: Plan) -> Iterator[str]:
    """Yield what differs between two versions, a line each; computed dates are told by the schedule."""
    items = {item.id: item for item in old.items}
    for operation in operations_between(old, new):
        match operation:
            case SetField(name, field, value) if field not in ("start", "end", "causes"):
                was = msgspec.to_builtins(getattr(items[name], field)) if name in items else None
                yield f"{name}.{field}: {_json(was)} is now {_json(value)}"
            case AddItem(_, item):
                yield f"new: {item.id} {wording(item)}"
            case RemoveItem(name):
                yield f"gone: {name} {wording(items[name])}"
            case SetSection(name) | AddSection(Section(id=name)):
                yield f"written anew: the section {name}"
            case _:
                pass


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def schedule_told(plan: Plan, *, whole: bool) -> str:
    """Return the schedule in lines; only what is tight, busy or without a date unless it is told as a whole."""
    told = figures(plan)
    return "\n".join(_lines(told, whole=whole or len(told.steps) <= _SHORT))


def _lines(told: Figures, *, whole: bool) -> Iterator[str]:
    if told.unsound:
        yield f"No dates can be computed: {told.unsound}"
        return
    if told.start is None or told.finish is None:
        return
    yield _head(told)
    if told.critical_path:
        yield f"Longest chain: {', '.join(told.critical_path)}"
    shown = [step for step in told.steps if whole or _is_tight(step)]
    yield from map(_row, shown)
    if len(shown) < len(told.steps):
        yield f"{len(told.steps) - len(shown)} more steps have {_TIGHT} days of slack or more."
    for person in told.people:
        if person.load is not None and (whole or person.load >= _BUSY):
            days = f"{person.days:.1f} days of work"
            yield f"{person.name}: {days}, {person.load:.0%} of their time from first to last day"
    for limit in told.limits:
        yield f"{limit.constraint}: {limit.planned.amount:,} of {limit.most.amount:,} {limit.most.currency} planned"


def _head(told: Figures) -> str:
    start, finish = told.start, told.finish
    head = f"Work from {start} to {finish}"
    if told.deadline is None or told.slack_days is None:
        return f"{head}; no day says when it has to be done."
    late = -told.slack_days
    margin = f"{late} working days too late" if late > 0 else f"{told.slack_days} working days before it"
    return f"{head}; it has to be done on {told.deadline}: {margin}."


def _is_tight(step: StepFigures) -> bool:
    is_open = step.status not in ("done", "dropped")
    return is_open and (step.start is None or step.critical or (step.slack is not None and step.slack < _TIGHT))


def _row(step: StepFigures) -> str:
    if step.start is None or step.end is None:
        return f"{step.step}: no date"
    days = _day(step.start) if step.start == step.end else f"{_day(step.start)} to {_day(step.end)}"
    slack = "" if step.slack is None else f"; slack {step.slack}" if step.slack >= 0 else f"; late by {-step.slack}"
    who = f"; {step.owner}" if step.owner else ""
    return f"{step.step}: {days}{slack}{who}{f'; {step.why}' if step.why else ''}"


def _day(day: date) -> str:
    return f"{_WEEKDAYS[day.weekday()]} {short_day(day)}"
