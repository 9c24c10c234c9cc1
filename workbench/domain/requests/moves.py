"""Which dates a request moves: the open steps are dated again, and what that changes is said."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date

from workbench.domain.plan.figures import Figures, figures
from workbench.domain.plan.operations import Operation, operations_between
from workbench.domain.plan.plan import Constraint, Criterion, DaysOff, Item, Person, Plan, Step, WorkingTime
from workbench.domain.plan.rescheduling import rescheduled
from workbench.domain.requests.amounts import spoken

_DATED = (Step, Person, WorkingTime, DaysOff, Constraint, Criterion)


MOST_FORCED = 3
"""Steps that are named of those whose given dates cannot stand."""


def dating(before: Plan, after: Plan, today: date) -> tuple[tuple[Operation, ...], Mapping[str, str]]:
    """Return operations that date the open steps of a changed plan again, and the steps that must move, with why.

    Raises PlanUnsound.
    """
    moves = rescheduled(before, after, today=today)
    return operations_between(after, moves.plan), moves.forced


def _what_dates(plan: Plan) -> tuple[Item, ...]:
    return tuple(item for item in plan.items if isinstance(item, _DATED))


def moved(before: Plan, after: Plan, about: Collection[str], today: date, forced: Mapping[str, str]) -> str:
    """Return which dates have moved, in words: those of the steps spoken of, what must, how many others, and the end.

    ``forced``: the steps whose given dates could not stand, each with why.
    """
    if _what_dates(before) == _what_dates(after):
        return ""
    old, new = figures(before), figures(after)
    ends = ends_of(old)
    changed = {
        step.step: (was, step.end)
        for step in new.steps
        if (was := ends.get(step.step)) and step.end and was != step.end
    }
    of = "it" if len(about) == 1 else ""
    parts = [
        f"{of or name} ends {spoken(now, today)}, was {spoken(was, today)}"
        for name, (was, now) in changed.items()
        if name in about
    ][:3]
    named = [name for name in forced if name in changed and name not in about][:MOST_FORCED]
    for name in named:
        was, now = changed[name]
        parts.append(f"{name} must move: {forced[name]} (it ends {spoken(now, today)}, was {spoken(was, today)})")
    if others := sum(name not in about and name not in named for name in changed):
        parts.append(f"{others} {'other ' if about or named else ''}{'step moves' if others == 1 else 'steps move'}")
    if new.finish and old.finish != new.finish and new.finish.year < 9999:
        instead_of = f", was {spoken(old.finish, today)}" if old.finish else ""
        parts.append(f"the plan ends {spoken(new.finish, today)}{instead_of}")
    was_late = old.deadline == new.deadline and old.finish and old.deadline and old.finish > old.deadline
    if new.deadline and new.finish and new.finish > new.deadline and (old.finish != new.finish or not was_late):
        parts.append(f"past the deadline of {spoken(new.deadline, today)}")
    return ", ".join(parts)


def ends_of(of: Figures) -> dict[str, date | None]:
    """Return the last day of each step."""
    return {step.step: step.end for step in of.steps}
