"""Do the dates add up: order, dependencies, deadlines.

The plan's deadline is the latest one that a constraint or the goal sets for the whole ("by 30 June 2027", with nothing
else in it that tells what); where there is none, the latest day that a criterion is due or a constraint names. A step
that answers a dated criterion or constraint, or speaks of it in all its telling words, is held to that date instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.checks.days import days_in, deadlines, without_deadlines
from workbench.domain.plan.plan import Constraint, Criterion, Step, name_key
from workbench.domain.plan.schedule import schedule
from workbench.domain.text.words import stem_set, stems

_OF_THE_WHOLE = "finish done ready deliver plan project everything deadline latest must hold last day goal due"
WHOLE = stem_set(_OF_THE_WHOLE)
"""Stems of words that, beside a deadline, speak of the whole."""


def dates_are_dates(case: Case) -> Iterator[Finding]:
    """Find dates that are no day of the calendar, or not written as ISO 8601."""
    for section, item in case.placed:
        for field in ("due", "day", "start", "end", "not_before", "on", "deadline", "started", "finished"):
            value = getattr(item, field, None)
            if value is not None and day_of(value) is None:
                text = f"{quoted(value)} of {item.id} is no date."
                yield fault("dates.format", "major", (section, item), text, "Write it as 2027-06-30.")


def steps_end_after_they_start(case: Case) -> Iterator[Finding]:
    """Find steps that end before they start."""
    for section, step in case.every(Step):
        start, end = day_of(step.start), day_of(step.end)
        if start is None or end is None:
            continue
        if end < start:
            text = f"{step.id} ends on {end}, before it starts on {start}."
            yield fault("dates.order", "major", (section, step), text, f"Correct the dates of {step.id}.")


def steps_start_after_what_they_need(case: Case) -> Iterator[Finding]:
    """Find steps that start before a step they need has ended; circles are another check's.

    On one day a milestone, an event, waiting, or a person whose hours the plan knows, can follow what they need, and be
    followed.
    """
    for section, step in case.every(Step):
        start = day_of(step.start)
        for needed in step.needs:
            end = day_of(case.steps[needed].end) if needed in case.steps else None
            circular = step.id in case.knots and case.knots[step.id] == case.knots.get(needed)
            may_share = _is_short(step, case) or (needed in case.steps and _is_short(case.steps[needed], case))
            if start and end and (start < end or (start == end and not may_share)) and not circular:
                text = f"{step.id} starts on {start}, and {needed}, which it needs, ends on {end}."
                yield fault("dates.needs", "major", (section, step), text, f"Move {step.id} behind {needed}.")


def _is_short(step: Step, case: Case) -> bool:
    """Tell whether a step may begin or end within a day, so that another has the rest of it."""
    waits_or_happens = step.milestone or step.on is not None or step.waiting is not None
    return waits_or_happens or name_key(step.owner) in case.times.people


def steps_end_in_time(case: Case) -> Iterator[Finding]:
    """Find steps that end after the date they are held to."""
    whole = deadline(case)
    whole = None if whole is None or _is_reached(case, whole) else whole
    due, limits = _due(case), _limits(case)
    for section, step in case.every(Step):
        end = day_of(step.end)
        words = frozenset(stems(step.title))
        answered = [(due[name], f"{name} is due") for name in step.answers if name in due]
        held_to = [
            (day, f"{name} is due") for name, day, what in limits if name in step.answers or (what and what <= words)
        ]
        held_to += [max(answered)] if answered else []
        if end is None or not (held_to or whole):
            continue
        day, why = min(held_to, default=(whole, "the plan has to be done"))
        if day and end > day:
            held = f"{why} by {day}"
            text = f"{step.id} {quoted(step.title)} ends on {end}, and {held}."
            yield fault("dates.deadline", "major", (section, step), text, "Begin earlier, do less, or move the date.")


def _is_reached(case: Case, whole: date) -> bool:
    """Tell whether what the plan is for happens in time; what comes after it (accounts, clearing up) may be later."""
    dated = {item.id for _, item in case.every(Constraint) if item.day and item.limits == "date"}
    reaching = (
        step
        for step in case.plan.steps
        if step.on or step.milestone or any(name.startswith("C") or name in dated for name in step.answers)
    )
    return any((end := day_of(step.end or step.on)) and end <= whole for step in reaching)


def time_is_enough(case: Case) -> Iterator[Finding]:
    """Find a plan without dates that, begun today, would not be done by its deadline."""
    whole = deadline(case)
    steps = case.plan.steps
    if whole is None or not steps or any(step.end for step in steps):
        return
    try:
        planned = schedule(steps, start=case.today, deadline=whole, times=case.times)
    except PlanUnsound:
        return  # what is unsound about it is what other checks say
    if planned.finish > whole:
        yield Finding(
            rule="dates.deadline",
            severity="major",
            text=f"Begun today, the steps take until {planned.finish}, and the plan has to be done by {whole}.",
            item=planned.critical_path[-1],
            remedy=f"Shorten the longest chain: {' → '.join(planned.critical_path)}.",
        )


def deadline(case: Case) -> date | None:
    """Return the day by which the whole has to be done; None where nothing says so.

    What the plan itself says counts before what was told when it began: a deadline can move.
    """
    own = [item.text for _, item in case.every(Constraint)]
    told = [*case.constraints, *own]
    of_the_whole = _of_the_whole(own, case.today) or _of_the_whole(case.constraints, case.today)
    of_parts = [day for text in (*told, case.goal) for day in deadlines(text, case.today)]
    due = [day for _, item in case.every(Criterion) if (day := day_of(item.due))]
    due += [day for _, item in case.every(Constraint) if item.limits == "date" and (day := day_of(item.day))]
    return max(of_the_whole or [*of_parts, *due], default=None)


def _of_the_whole(texts: Sequence[str], today: date) -> list[date]:
    return [day for text in texts if not about(text, today) for day in deadlines(text, today)]


def about(text: str, today: date) -> frozenset[str]:
    """Return the telling words of what a deadline is for; none where it is for the whole."""
    return frozenset(stems(without_deadlines(text, today))) - WHOLE


def _due(case: Case) -> dict[str, date]:
    """Return the days that criteria are due, by id."""
    return {item.id: day for _, item in case.every(Criterion) if (day := day_of(item.due))}


def _limits(case: Case) -> list[tuple[str, date, frozenset[str]]]:
    """Return the constraints that have a deadline: id, the last day they name, the telling words of what is due."""
    return [
        (item.id, max(days_in(clause, case.today)), about(clause, case.today))
        for _, item in case.every(Constraint)
        for clause in item.text.split("; ")
        if deadlines(clause, case.today)
    ]
