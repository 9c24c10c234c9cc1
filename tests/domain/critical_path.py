"""The critical path method as the workbench had it before it knew calendars and people: an oracle, and a baseline.

Working days are Monday to Friday, and everybody has any number of hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from graphlib import TopologicalSorter

from workbench.domain.plan.plan import Step
from workbench.domain.plan.scheduling.step_work import duration


def critical_path(steps: Sequence[Step], start: date) -> tuple[dict[str, tuple[date, ...]], tuple[str, ...]]:
    """Return for each step its first and last day, and its latest first and last day; and the critical path."""
    by_id = {step.id: step for step in steps}
    order = tuple(TopologicalSorter({step.id: step.needs for step in steps}).static_order())
    days = {step.id: duration(step) for step in steps}
    first = _number(start) + (start.isoweekday() > 5)
    early = _early_starts(order, by_id, days, first)
    last = max((early[step] + days[step] - 1 for step in order), default=first)
    late = _late_ends(order, by_id, days, last)
    rows = {
        step: tuple(map(_date_of, (early[step], early[step] + days[step] - 1, late[step] - days[step] + 1, late[step])))
        for step in by_id
    }
    return rows, _critical_path(by_id, days, early)


def _number(day: date) -> int:
    """Return how many working days there are up to and including ``day``, since Monday, the first of January 1."""
    weeks, rest = divmod(day.toordinal(), 7)
    return weeks * 5 + min(rest, 5)


def _date_of(number: int) -> date:
    weeks, rest = divmod(number - 1, 5)
    return date.fromordinal(weeks * 7 + rest + 1)


def _early_starts(
    order: Sequence[str], by_id: Mapping[str, Step], days: Mapping[str, int], first: int
) -> dict[str, int]:
    early: dict[str, int] = {}
    for step in order:
        early[step] = max((early[needed] + days[needed] for needed in by_id[step].needs), default=first)
    return early


def _late_ends(order: Sequence[str], by_id: Mapping[str, Step], days: Mapping[str, int], last: int) -> dict[str, int]:
    late = dict.fromkeys(order, last)
    for step in reversed(order):
        for needed in by_id[step].needs:
            late[needed] = min(late[needed], late[step] - days[step])
    return late


def _critical_path(by_id: Mapping[str, Step], days: Mapping[str, int], early: Mapping[str, int]) -> tuple[str, ...]:
    """Walk back from the step that ends last, each time to the needed step that ends last."""

    def end(step: str) -> int:
        return early[step] + days[step]

    path: list[str] = []
    candidates: Iterable[str] = by_id
    while step := max(candidates, key=end, default=""):
        path.append(step)
        needed = set(by_id[step].needs)
        candidates = [other for other in by_id if other in needed] if needed else []
    return tuple(reversed(path))
