"""Does the progress agree with itself: what is done has ended, what is under way has begun, nothing lies ahead."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted
from workbench.domain.plan.markdown.values import progress
from workbench.domain.plan.plan import Step
from workbench.domain.plan.scheduling.calendar import day_of


def progress_is_possible(case: Case) -> Iterator[Finding]:
    """Find steps whose status and dates of what happened do not go together."""
    for section, step in case.every(Step):
        for rule, severity, why in _progress_faults(case, step):
            text = f"{step.id} {quoted(step.title)} {why}."
            remedy = f"Correct the status of {step.id}, or its {'progress' if rule == 'status.progress' else 'dates'}."
            if rule == "status.dropped":
                remedy = f"Let {step.id} need something else, or nothing."
            yield fault(rule, severity, (section, step), text, remedy)


def _progress_faults(case: Case, step: Step) -> Iterator[tuple[str, Severity, str]]:
    started, finished = day_of(step.started), day_of(step.finished)
    if finished and finished > case.today:
        yield "status.future", "major", f"was finished on {finished}, which is still to come"
    elif started and started > case.today:
        yield "status.future", "major", f"was started on {started}, which is still to come"
    if step.status == "done" and finished is None:
        yield "status.finish", "minor", "is done, and nothing says when it was finished"
    if step.status == "done" and step.left:
        yield "status.left", "minor", f"is done, and {step.left:g} days of it are left"
    if step.status == "under-way" and started is None:
        yield "status.start", "minor", "is under way, and nothing says when it was started"
    if step.status != "done" and finished is not None:
        yield "status.finish", "minor", f"was finished on {finished}, and is not done"
    elif step.status == "todo" and started is not None and started <= case.today:
        yield "status.start", "minor", f"was started on {started}, and is still to do"
    elif step.status == "todo" and step.progress and step.progress.done > 0:
        yield "status.progress", "minor", f"has {progress(step.progress)} done, and is still to do"
    if step.left and step.effort and step.left > step.effort.high:
        yield "status.left", "minor", f"has {step.left:g} days left, more than all of its effort"
    yield from _wrong_needs(case, step)


def _wrong_needs(case: Case, step: Step) -> Iterator[tuple[str, Severity, str]]:
    needs = [case.steps[needed] for needed in step.needs if needed in case.steps and needed != step.id]
    missing = next((one for one in needs if one.status != "done" and case.may_wait(step, one.id)), None)
    dropped = next((one for one in needs if one.status == "dropped"), None)
    if step.status == "done" and missing:
        yield "status.needs", "major", f"is done, and {missing.id}, which it needs, is not"
    elif step.status == "under-way" and missing:
        yield "status.needs", "minor", f"is under way, and {missing.id}, which it needs, is not done"
    elif step.status in ("todo", "waiting") and dropped:
        yield "status.dropped", "major", f"needs {dropped.id}, which was dropped"
