"""Is the plan in time for the days by which something has to be done: its date constraints.

The day on which a criterion is due says when it is measured, and is no deadline of the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted
from workbench.domain.plan.plan import Constraint, Step, deadline_of
from workbench.domain.plan.schedule import schedule

_REMEDY = "Begin earlier, do less or move the date, or let the step that meets it answer it."


def date_constraints_are_met(case: Case) -> Iterator[Finding]:
    """Find date constraints that the steps which answer them miss, and those that no step is known to meet."""
    ends = _ends(case)
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    for _, limit in case.every(Constraint):
        by = day_of(limit.by)
        if limit.limits != "date" or by is None:
            continue
        answering = [step for step in case.steps.values() if limit.id in step.answers and step.status != "dropped"]
        found = _late_answer(answering, ends, by) if answering else _late_without_answer(case, ends, limit, by)
        if found is not None:
            step, severity = found
            begun = "" if any(step.end for step in case.plan.steps) else "begun today, "
            known = f"which answers {limit.id}" if answering else f"and no step answers {limit.id}"
            text = (
                f"{limit.id} {quoted(limit.text)} has to be met by {by}, "
                f"but {begun}{step.id} {quoted(step.title)} ends on {ends[step.id]}, {known}."
            )
            yield fault("dates.deadline", severity, places[step.id], text, _REMEDY)


def _ends(case: Case) -> Mapping[str, date]:
    """Return the last day of each step that has one; where no step says its own, as calculated from today on."""
    steps = [step for step in case.plan.steps if step.status != "dropped"]
    if any(step.end for step in case.plan.steps):
        days = ((step.id, step.finished if step.status == "done" else None, step.end or step.on) for step in steps)
        return {name: day for name, finished, end in days if (day := day_of(finished or end))}
    try:
        planned = schedule(case.plan.steps, start=case.today, deadline=None, times=case.times)
    except PlanUnsound:
        return {}  # what is unsound about it is what other checks say
    return {row.step: row.end for row in planned.rows}


def _late_answer(answering: list[Step], ends: Mapping[str, date], by: date) -> tuple[Step, Severity] | None:
    """Return the first step that answers a constraint, where all that do end too late.

    One in time is enough: the day by which a lease has to be cancelled is answered by what is later handed back, too.
    """
    still_open = [step for step in answering if step.status != "done"]
    if still_open and all(step.id in ends and ends[step.id] > by for step in answering):
        return min(still_open, key=lambda step: ends[step.id]), "major"
    return None


def _late_without_answer(
    case: Case, ends: Mapping[str, date], limit: Constraint, by: date
) -> tuple[Step, Severity] | None:
    """Return the last step that ends after a constraint which no step answers; None where it may well be met.

    It is certain to be missed only where nothing ends by then. That some steps end later is worth saying of the last
    such day, unless an event or a milestone is in time: accounts and clearing up may be later.
    """
    late = [step for step in case.steps.values() if step.status != "done" and ends.get(step.id, by) > by]
    in_time = [step for step in case.steps.values() if ends.get(step.id, date.max) <= by]
    happens = any(step.on or step.milestone for step in in_time)
    if not late or limit.last or happens or (in_time and by != deadline_of(case.plan)):
        return None
    last = max(late, key=lambda step: (ends[step.id], step.id not in case.parts))
    return last, "minor" if in_time or by < case.today else "major"
