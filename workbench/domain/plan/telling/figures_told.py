"""Parts of a plan's figures in words: days in a row, when somebody works, what a step is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from workbench.domain.plan.figures import PersonFigures, StepFigures, short_day
from workbench.domain.plan.markdown.fields import number

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
STATUS = {"todo": "", "under-way": "under way"}
"""What a status is called if that is not its name."""
KINDS = {"work": "", "waiting": " (waiting)", "milestone": " (milestone)"}


def day_range(start: date | None, end: date | None, beside: date | None) -> str:
    """Return days as people write them: ``26–27 May``; the year only if it is not that of ``beside``."""
    if start is None or end is None or start == end:
        day = end or start
        return "" if day is None else short_day(day, beside)
    last = short_day(end, beside)
    is_one_month = (start.year, start.month) == (end.year, end.month)
    return f"{start.day}–{last}" if is_one_month else f"{short_day(start, end)} – {last}"


def nested(steps: Iterable[StepFigures]) -> Iterator[tuple[StepFigures, bool]]:
    """Yield steps, each followed by its parts, and whether it is one."""
    steps = tuple(steps)
    names = {step.step for step in steps}
    parts: dict[str, list[StepFigures]] = {}
    for step in steps:
        if step.part_of in names and step.part_of != step.step:
            parts.setdefault(step.part_of, []).append(step)
    below = {part.step for some in parts.values() for part in some}
    tops = [step for step in steps if step.step not in below or step.step in parts]
    for step in tops:  # parts have no parts: a step that is both stands by itself
        yield step, False
        yield from ((part, True) for part in parts.get(step.step, ()) if part.step not in parts)


def weekdays(days: Iterable[int]) -> str:
    """Return weekdays as people name them."""
    return ", ".join(_WEEKDAYS[day - 1] for day in days)


def work_of(person: PersonFigures) -> str:
    """Return how many days of work somebody has: ``3.5``, or ``3.5 + 2 assumed``."""
    assumed = f" + {number(round(person.assumed, 1))} assumed" if person.assumed else ""
    return f"{number(round(person.days, 1))}{assumed}"


def time_of(person: PersonFigures) -> str:
    """Return when somebody works: ``16 h a week, Tue, Thu``; "" for the plan's own time."""
    hours = "" if person.hours is None else f"{number(person.hours)} h a week"
    return ", ".join(part for part in (hours, weekdays(person.weekdays)) if part)
