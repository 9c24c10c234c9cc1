"""What of a plan is due: late, today, soon, or at risk; and where a plan as a whole stands.

Plan + today ─▶ DueStep*    late      is not done, and its own deadline or its end is over
                            today     begins, ends or goes on today
                            soon      ends within so many days
                            at risk   ends after its own deadline, or the plan's

What follows the event that a plan is for (clearing up, accounts) is not held to the event's day (``plan_day.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import Literal

import msgspec

from workbench.domain.plan.plan import Plan, Step, deadline_of
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.plan.scheduling.plan_day import day_named, held_to_day

DueKind = Literal["late", "at risk", "today", "soon"]
Standing = Literal["draft", "agreed", "under way", "done", "given up"]
_ORDER: tuple[DueKind, ...] = ("late", "at risk", "today", "soon")
SOON = 7
"""Days ahead that are shown unless told otherwise."""


class DueStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step that wants attention."""

    kind: DueKind
    step: str
    title: str
    owner: str
    start: str
    end: str
    days: int
    """Calendar days that it is late, or until it ends."""
    why: str
    """In a few words: ``3 days late``, ``ends today``."""
    was: str = ""
    """Its end in the version that was agreed; "" if it is the same."""


class OpenStep(msgspec.Struct, frozen=True, array_like=True):
    """What can be told of a step on any day: whether it is late depends on the day alone."""

    step: str
    title: str
    owner: str
    is_begun: bool
    begin: date
    end: date
    limit: tuple[date, str] | None
    """The last day on which it may end, and what that is called."""
    deadline: date | None
    """Its own."""
    was: str
    """Its end in the version that was agreed; "" if it is the same."""


def open_steps(plan: Plan, *, baseline: Plan | None = None) -> tuple[OpenStep, ...]:
    """Return the steps that are not done and have dates; ``baseline`` is the version that was agreed."""
    agreed = {step.id: step.end or "" for step in baseline.steps} if baseline is not None else {}
    by = deadline_of(plan)
    held = held_to_day(plan, by, dict(_ends(plan))) if by is not None else ()
    named = day_named(plan, by)
    found = []
    for step in _open(plan):
        begin, end = _span(step)
        if begin is not None and end is not None:
            was = agreed.get(step.id, "")
            was = "" if was == end.isoformat() else was
            is_begun, limit, own = step.status != "todo", _limit(step, by, held, named), day_of(step.deadline)
            found.append(OpenStep(step.id, step.title, step.owner, is_begun, begin, end, limit, own, was))
    return tuple(found)


def missed(day: date, end: date | None, deadline: date | None) -> date | None:
    """Return since when a step that was done, or is open, on a day is late; None if it is not.

    That is its own deadline if it has passed, else the end that is planned or was agreed.
    """
    return next((last for last in (deadline, end) if last is not None and last < day), None)


def due_of(steps: Iterable[OpenStep], today: date, *, soon: int = SOON) -> tuple[DueStep, ...]:
    """Return those of some open steps that want attention, the most urgent first."""
    rows = [
        DueStep(
            kind=reason[0],
            step=step.step,
            title=step.title,
            owner=step.owner,
            start=step.begin.isoformat(),
            end=step.end.isoformat(),
            days=((missed(today, step.end, step.deadline) or step.end) - today).days,
            why=reason[1],
            was=step.was,
        )
        for step in steps
        if (reason := _reason(step, today, soon)) is not None
    ]
    return tuple(sorted(rows, key=lambda row: (_ORDER.index(row.kind), row.days, row.step)))


def due_steps(plan: Plan, today: date, *, soon: int = SOON, baseline: Plan | None = None) -> tuple[DueStep, ...]:
    """Return the open steps of a plan that want attention, the most urgent first.

    ``baseline`` is the version that was agreed: steps that end on another day than there say so.
    """
    return due_of(open_steps(plan, baseline=baseline), today, soon=soon)


def startable(plan: Plan) -> tuple[Step, ...]:
    """Return the steps that can start now, or are under way: all that they need is done or dropped."""
    ended = {step.id for step in plan.steps if step.status in ("done", "dropped")}
    wholes = {step.id: step for step in plan.steps}

    def waits(step: Step) -> bool:
        whole = wholes.get(step.parent)
        return not ended.issuperset(step.needs) or (whole is not None and not ended.issuperset(whole.needs))

    return tuple(step for step in _open(plan) if step.status == "under-way" or not waits(step))


def standing(plan: Plan | None, *, is_agreed: bool, is_given_up: bool = False) -> Standing:
    """Return where a plan stands as a whole."""
    if is_given_up:
        return "given up"
    statuses = {step.status for step in plan.steps if step.status != "dropped"} if plan is not None else set()
    if statuses == {"done"}:
        return "done"
    if statuses & {"done", "under-way"}:
        return "under way"
    return "agreed" if is_agreed else "draft"


def _open(plan: Plan) -> Iterator[Step]:
    wholes = {step.parent for step in plan.steps}
    return (step for step in plan.steps if step.status not in ("done", "dropped") and step.id not in wholes)


def _limit(step: Step, by: date | None, held: Collection[str], named: str) -> tuple[date, str] | None:
    """Return the last day on which a step may end, and what that is called."""
    days = ((day_of(step.deadline), "its deadline"), (by if step.id in held else None, named))
    return min(((day, name) for day, name in days if day is not None), default=None)


def _ends(plan: Plan) -> Iterator[tuple[str, date]]:
    return ((step.id, end) for step in plan.steps if (end := _span(step)[1]))


def _span(step: Step) -> tuple[date | None, date | None]:
    end = day_of(step.end or step.on or step.deadline)
    return day_of(step.started or step.on or step.start) or end, end


def _reason(step: OpenStep, today: date, soon: int) -> tuple[DueKind, str] | None:
    """Return why a step wants attention; None if it does not."""
    begin, end, limit = step.begin, step.end, step.limit
    if last := missed(today, end, step.deadline):
        return "late", f"{_days(today, last)} late"
    if limit is not None and end > limit[0]:
        return "at risk", f"ends {_days(end, limit[0])} after {limit[1]}"
    if begin > today:
        return ("soon", f"begins in {_days(begin, today)}") if (end - today).days <= soon else None
    if not step.is_begun and begin < today:
        return "today", f"should have begun {_days(today, begin)} ago"
    if end == today:
        return "today", "ends today"
    return "today", "begins today" if begin == today else f"goes on, {_days(end, today)} left"


def _days(later: date, earlier: date) -> str:
    count = (later - earlier).days
    return f"{count} day{'' if count == 1 else 's'}"
