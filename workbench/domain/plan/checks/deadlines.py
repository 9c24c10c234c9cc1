"""Is the plan in time for the days by which something has to be done: its date constraints.

Whether it is in time for the day that it is for is judged as figures, page and ``due`` do (``plan_day.py``). The day on
which another criterion is due says when it is measured, and is no deadline of the steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, listed, quoted, until_decided
from workbench.domain.plan.plan import Constraint, Criterion, Step, deadline_of
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.plan.scheduling.plan_day import held_to_day, named_by
from workbench.domain.plan.scheduling.schedule import schedule

_REMEDY = "Begin earlier, do less or move the date, or let the step that meets it answer it."


def date_constraints_are_met(case: Case) -> Iterator[Finding]:
    """Find date constraints that the steps which answer them miss, and those that no step is known to meet."""
    ends, by_then = _ends(case), deadline_of(case.plan)
    for limit, by in _limits(case):
        steps = (step for step in case.steps.values() if step.id not in case.conditional)
        answering = [step for step in steps if limit.id in step.answers and step.status != "dropped"]
        if by == by_then:
            late = _late(case, ends, by, held_to_day(case.plan, by, ends))
        elif isinstance(limit, Constraint) and limit.sets == "deadline":
            late = _late(case, ends, by, [name for name in case.steps if name not in case.conditional])
        elif answering:
            late = _late_answer(answering, ends, by)
        else:
            late = _late_without_answer(case, ends, limit, by)
        if late:
            yield _finding(case, limit, by, late, ends)


def nothing_ends_after_the_day(case: Case) -> Iterator[Finding]:
    """Find steps that end after the day a plan is said to be for, though they follow nothing of it.

    Where they are held to the day themselves, the constraint that names it is missed; a later day of their own says
    that they may be later.
    """
    ends, by = _ends(case), deadline_of(case.plan)
    names = {item.id for _, item in case.every(Constraint) if item.sets == "goal-day" and day_of(item.by) == by}
    if by is None or not names:
        return
    held = held_to_day(case.plan, by, ends)
    of_that_day = [step for step in case.steps.values() if by == day_of(step.on) or not names.isdisjoint(step.answers)]
    late = [
        step
        for step in _late(case, ends, by, [name for name in case.steps if name not in held | case.conditional])
        if all(day <= by for text in (step.on, step.deadline, step.not_before) if (day := day_of(text)))
        if not any(case.follows(step, other) for other in of_that_day)
    ]
    if late:
        place = next((section, step) for section, step in case.every(Step) if step is late[0])
        verbs, what = (("ends", "needs"), "it") if len(late) == 1 else (("end", "need"), "them")
        text = (
            f"{listed([step.id for step in late])} {verbs[0]} after {by}, the day that the plan is for, "
            f"and {verbs[1]} nothing of that day."
        )
        remedy = f"Let {what} end by then, or need what happens on that day."
        yield fault("dates.beyond", "minor", place, text, remedy)


def _limits(case: Case) -> Iterator[tuple[Constraint | Criterion, date]]:
    """Yield the date constraints with their days; if there is none, a criterion that names the plan's day."""
    limits = [limit for _, limit in case.every(Constraint) if limit.is_dated]
    yield from ((limit, by) for limit in limits if (by := day_of(limit.by)))
    by = deadline_of(case.plan)
    if by is not None and not any(day_of(limit.by) for limit in limits):
        yield named_by(case.plan, by)[0], by


def _finding(
    case: Case, limit: Constraint | Criterion, by: date, late: Sequence[Step], ends: Mapping[str, date]
) -> Finding:
    step, *others = late
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    begun = "" if any(step.end for step in case.plan.steps) else "begun today, "
    known = ""
    if limit.id in step.answers:
        known = f", which answers {limit.id}"
    elif not any(limit.id in one.answers for one in case.steps.values()):
        known = f", and no step answers {limit.id}"
    text = (
        f"{limit.id} {quoted(limit.text)} has to be met by {by}, "
        f"but {begun}{step.id} {quoted(step.title)} ends on {ends[step.id]}{known}."
    )
    if others:
        text += f" {listed([other.id for other in others])} {'ends' if len(others) == 1 else 'end'} after it, too."
    has_passed = by < case.today and limit.id not in step.answers and by != deadline_of(case.plan)
    finding = fault("dates.deadline", "minor" if has_passed else "major", places[step.id], text, _REMEDY)
    return until_decided(case, finding, limit.id, step.id)


def _ends(case: Case) -> Mapping[str, date]:
    """Return the last day of each step that has one; if no step says its own, as calculated from today on."""
    steps = [step for step in case.plan.steps if step.status != "dropped"]
    if any(step.end for step in case.plan.steps):
        days = ((step.id, step.finished if step.status == "done" else None, step.end or step.on) for step in steps)
        return {name: day for name, finished, end in days if (day := day_of(finished or end))}
    try:
        planned = schedule(case.plan.steps, start=case.today, deadline=None, times=case.times, now=case.today)
    except PlanUnsound:
        return {}  # what is unsound about it is what other checks say
    return {row.step: row.end for row in planned.rows}


def _late(case: Case, ends: Mapping[str, date], by: date, held: Iterable[str]) -> list[Step]:
    """Return the open steps that have to end by a day and end later, the last of them first."""
    known = [step for name in held if (step := case.steps.get(name)) and step.status not in ("done", "dropped")]
    late = {step.id: step for step in known if ends.get(step.id, by) > by}
    first = max(late.values(), key=lambda step: (ends[step.id], step.id not in case.parts), default=None)
    if first is None:
        return []
    return [
        first,
        *(step for name, step in case.steps.items() if name in late and step is not first and name not in case.parts),
    ]


def _late_answer(answering: list[Step], ends: Mapping[str, date], by: date) -> list[Step]:
    """Return the first step that answers a constraint, where all that do end too late.

    One in time is enough: the day by which a lease has to be cancelled is answered by what is later handed back, too.
    """
    still_open = [step for step in answering if step.status != "done"]
    if still_open and all(step.id in ends and ends[step.id] > by for step in answering):
        return [min(still_open, key=lambda step: ends[step.id])]
    return []


def _late_without_answer(case: Case, ends: Mapping[str, date], limit: Constraint | Criterion, by: date) -> list[Step]:
    """Return the last step that ends after a constraint which no step answers; none if it may well be met.

    It is certain to be missed only if nothing ends by then.
    """
    in_time = any(ends.get(name, date.max) <= by for name in case.steps)
    if in_time or (isinstance(limit, Constraint) and limit.last):
        return []
    return _late(case, ends, by, [name for name in case.steps if name not in case.conditional])[:1]
