"""Do the typed fields of a plan agree: days that are set, parts, lags."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted, wording
from workbench.domain.plan.plan import DaysOff, Person, Step
from workbench.domain.plan.schedule import days_of


def days_that_are_set_are_kept(case: Case) -> Iterator[Finding]:
    """Find steps whose dates are not those that were set for them."""
    for section, step in case.every(Step):
        place, move = (section, step), f"Move {step.id}, or set another day for it."
        start, end = day_of(step.start), day_of(step.end)
        first, on, last = day_of(step.not_before), day_of(step.on), day_of(step.deadline)
        if start and first and start < first:
            yield fault(
                "dates.not-before", "major", place, f"{step.id} starts on {start}, and not before {first}.", move
            )
        if start and on and start != on:
            yield fault("dates.on", "major", place, f"{step.id} starts on {start}, and has to be on {on}.", move)
        if end and last and end > last:
            yield fault("dates.deadline", "major", place, f"{step.id} ends on {end}, after its deadline {last}.", move)
        finished, began = day_of(step.finished), day_of(step.started)
        if finished and began and finished < began:
            text = f"{step.id} was finished on {finished}, before it was started on {began}."
            yield fault("dates.order", "major", place, text, f"Correct the dates of {step.id}.")


def spans_are_in_order(case: Case) -> Iterator[Finding]:
    """Find days off and absences that end before they begin, or are no dates."""
    for section, item in case.placed:
        spans = item.away if isinstance(item, Person) else item.days if isinstance(item, DaysOff) else ()
        for span in spans:
            if not tuple(days_of([span])):
                name = f"{item.id} {quoted(wording(item))}"
                text = f"{name} has days from {span.first} to {span.last}, which are none or too many."
                yield fault("dates.order", "major", (section, item), text, f"Correct the dates of {item.id}.")


def parts_and_lags_fit(case: Case) -> Iterator[Finding]:
    """Find parts of what is no step, parts of parts, and lags behind what is not needed."""
    for section, step in case.every(Step):
        place, whole = (section, step), case.steps.get(step.parent)
        if step.parent and (whole is None or whole is step or whole.parent):
            why = "no step of this plan" if whole is None else "the step itself" if whole is step else "a part too"
            text = f"{step.id} {quoted(step.title)} is a part of {step.parent}, which is {why}."
            yield fault("steps.parent", "major", place, text, f"Name for {step.id} a step that is no part.")
        for lag in step.lags:
            if lag.step not in step.needs:
                text = f"{step.id} waits {lag.days:g} days behind {lag.step}, which it does not need."
                yield fault("steps.lag", "minor", place, text, f"Correct what {step.id} needs.")
