"""Is the plan in time for the days by which something has to be done: its date constraints.

Whether it is in time for the day that it is for is judged as figures, page and ``due`` do (``plan_day.py``). The day on
which another criterion is due says when it is measured, and is no deadline of the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted, until_decided
from workbench.domain.plan.plan import Constraint, Criterion, Step, deadline_of
from workbench.domain.plan.plan_day import last_held, named_by
from workbench.domain.plan.schedule import schedule

_REMEDY = "Begin earlier, do less or move the date, or let the step that meets it answer it."


def date_constraints_are_met(case: Case) -> Iterator[Finding]:
    """Find date constraints that the steps which answer them miss, and those that no step is known to meet."""
    ends = _ends(case)
    for limit, by in _limits(case):
        steps = (step for step in case.steps.values() if step.id not in case.conditional)
        answering = [step for step in steps if limit.id in step.answers and step.status != "dropped"]
        if by == deadline_of(case.plan):
            found = _late_for_its_day(case, ends, by)
        elif answering:
            found = _late_answer(answering, ends, by)
        else:
            found = _late_without_answer(case, ends, limit, by)
        if found is not None:
            yield _finding(case, limit, by, found, ends)


def _limits(case: Case) -> Iterator[tuple[Constraint | Criterion, date]]:
    """Yield the date constraints with their days; where there is none, a criterion that names the plan's day."""
    limits = [limit for _, limit in case.every(Constraint) if limit.limits == "date"]
    yield from ((limit, by) for limit in limits if (by := day_of(limit.by)))
    by = deadline_of(case.plan)
    if by is not None and not any(day_of(limit.by) for limit in limits):
        yield named_by(case.plan, by)[0], by


def _finding(
    case: Case, limit: Constraint | Criterion, by: date, found: tuple[Step, Severity], ends: Mapping[str, date]
) -> Finding:
    step, severity = found
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    begun = "" if any(step.end for step in case.plan.steps) else "begun today, "
    known = f"which answers {limit.id}" if limit.id in step.answers else f"and no step answers {limit.id}"
    text = (
        f"{limit.id} {quoted(limit.text)} has to be met by {by}, "
        f"but {begun}{step.id} {quoted(step.title)} ends on {ends[step.id]}, {known}."
    )
    finding = fault("dates.deadline", severity, places[step.id], text, _REMEDY)
    return until_decided(case, finding, limit.id, step.id)


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


def _late_for_its_day(case: Case, ends: Mapping[str, date], by: date) -> tuple[Step, Severity] | None:
    """Return the last step that has to end by the day the plan is for, where it ends later and is not done."""
    last = case.steps.get(last_held(case.plan, by, ends))
    is_late = last is not None and last.status != "done" and ends[last.id] > by
    return (last, "major") if last is not None and is_late else None


def _late_answer(answering: list[Step], ends: Mapping[str, date], by: date) -> tuple[Step, Severity] | None:
    """Return the first step that answers a constraint, where all that do end too late.

    One in time is enough: the day by which a lease has to be cancelled is answered by what is later handed back, too.
    """
    still_open = [step for step in answering if step.status != "done"]
    if still_open and all(step.id in ends and ends[step.id] > by for step in answering):
        return min(still_open, key=lambda step: ends[step.id]), "major"
    return None


def _late_without_answer(
    case: Case, ends: Mapping[str, date], limit: Constraint | Criterion, by: date
) -> tuple[Step, Severity] | None:
    """Return the last step that ends after a constraint which no step answers; None where it may well be met.

    It is certain to be missed only where nothing ends by then.
    """
    still_open = (step for step in case.steps.values() if step.status != "done" and step.id not in case.conditional)
    late = [step for step in still_open if ends.get(step.id, by) > by]
    in_time = [step for step in case.steps.values() if ends.get(step.id, date.max) <= by]
    if not late or in_time or (isinstance(limit, Constraint) and limit.last):
        return None
    last = max(late, key=lambda step: (ends[step.id], step.id not in case.parts))
    return last, "minor" if by < case.today else "major"
