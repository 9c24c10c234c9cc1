"""When each step can happen: the critical path method over the steps of a plan, in working days.

    steps ──order by needs──▶ forward pass ──▶ early dates ─┐
                                                            ├─▶ slack = late − early ──▶ critical path
            order reversed ──▶ backward pass ─▶ late dates ─┘

Working days are Monday to Friday; public holidays and leave are not known here, and two steps of one owner may run side
by side (no levelling of resources). A step takes its expected effort, rounded up to whole days, at least one.
Sources: Kelley & Walker (1959) for the critical path; Malcolm et al. (1959) for PERT and its normal approximation.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from graphlib import CycleError, TopologicalSorter

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Plan, Section, Step

UNESTIMATED_DAYS = 1
"""Working days that a step without an estimate is given."""


@dataclass(frozen=True, slots=True)
class ScheduledStep:
    """A step with its dates; all of them are working days and inclusive."""

    step: str
    """Id of the step."""
    early_start: date
    early_end: date
    late_start: date
    """The last day it can begin without moving the end of the whole."""
    late_end: date
    slack: int
    """Working days it can slip without moving the end of the whole."""
    critical: bool
    """True when it cannot slip."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The dates of all steps, and how they stand against the deadline."""

    rows: tuple[ScheduledStep, ...]
    """In the order of the steps given."""
    finish: date
    """The last working day of the work; the first possible day where there are no steps."""
    critical_path: tuple[str, ...]
    """Ids of the longest chain, first to last; where chains are equally long, the one that stands first in the plan."""
    expected_days: float
    """Expected working days along the critical path, not rounded."""
    deviation_days: float
    """PERT standard deviation of the critical path, in working days."""
    slack_days: int | None
    """Working days between finish and deadline; negative for an overrun, None without a deadline."""
    chance_by_deadline: float | None
    """Probability, 0 to 1, that the critical path is done by the deadline; None without one. It looks at one path only,
    so where several are nearly critical the true chance is lower."""


def add_working_days(day: date, count: int) -> date:
    """Return the working day ``count`` working days after ``day`` (before, when negative).

    A day of a weekend counts as the Monday after it. Raises PlanUnsound outside of the years 1 to 9999.
    """
    return _date_of(_first_number(day) + count)


def working_days_between(first: date, last: date) -> int:
    """Return how many working days come after ``first`` up to and including ``last``; negative when last is earlier."""
    return _number(last) - _number(first)


def duration(step: Step) -> int:
    """Return the whole working days that a step occupies, at least one. Raises PlanUnsound for an infinite effort."""
    return max(1, math.ceil(_expected(step)))


def find_cycles(steps: Sequence[Step]) -> tuple[tuple[str, ...], ...]:
    """Return circular dependencies, each as ids where every step is needed by the next, and the last by the first.

    One for each knot of steps that all wait for one another (``knots``): the shortest that begins with the one of them
    that stands first in the plan. Opening it may leave others. Needs that name no step are left out here.
    """
    needs = _known_needs(steps)
    return tuple(_shortest_cycle(knot[0], needs, frozenset(knot)) for knot in knots(steps))


def knots(steps: Sequence[Step]) -> tuple[tuple[str, ...], ...]:
    """Return the ids of steps that all wait for one another, in the order of the plan, and so for themselves.

    These are the strongly connected components of the needs (Kosaraju & Sharir 1981), found in two walks over them; a
    single step is one where it needs itself.
    """
    needs = _known_needs(steps)
    place = {step: at for at, step in enumerate(needs)}
    found = [sorted(knot, key=place.__getitem__) for knot in _components(needs)]
    circular = (knot for knot in found if len(knot) > 1 or knot[0] in needs[knot[0]])
    return tuple(tuple(knot) for knot in sorted(circular, key=lambda knot: place[knot[0]]))


def schedule(steps: Sequence[Step], *, start: date, deadline: date | None) -> Schedule:
    """Return the earliest and latest dates of all steps, counted from the first working day on or after ``start``.

    Raises PlanUnsound for circular dependencies, needs that name no step, ids used twice, and dates beyond 9999.
    """
    by_id = _by_id(steps)
    order = _ordered(steps)
    days = {step.id: duration(step) for step in steps}
    first = _first_number(start)
    early = _early_starts(order, by_id, days, first)
    last = max((early[step] + days[step] - 1 for step in order), default=first)
    late = _late_ends(order, by_id, days, last)
    path = _critical_path(by_id, days, early)
    expected = sum(_expected(by_id[step]) for step in path)
    deviation = math.hypot(*(_deviation(by_id[step]) for step in path))
    finish = _date_of(last)
    return Schedule(
        rows=tuple(_row(step, early[step], late[step], days[step]) for step in by_id),
        finish=finish,
        critical_path=path,
        expected_days=expected,
        deviation_days=deviation,
        slack_days=None if deadline is None else working_days_between(finish, deadline),
        chance_by_deadline=None if deadline is None else _chance(_number(deadline) - first + 1, expected, deviation),
    )


def with_dates(plan: Plan, *, start: date, deadline: date | None) -> Plan:
    """Return the plan with every step at its earliest dates; a section whose dates stay is the identical object.

    Raises what ``schedule`` raises.
    """
    rows = {row.step: row for row in schedule(plan.steps, start=start, deadline=deadline).rows}
    return msgspec.structs.replace(plan, sections=tuple(_dated(section, rows) for section in plan.sections))


def _dated(section: Section, rows: Mapping[str, ScheduledStep]) -> Section:
    items = tuple(
        msgspec.structs.replace(
            item, start=rows[item.id].early_start.isoformat(), end=rows[item.id].early_end.isoformat()
        )
        if isinstance(item, Step)
        else item
        for item in section.items
    )
    return section if items == section.items else msgspec.structs.replace(section, items=items)


def _number(day: date) -> int:
    """Return how many working days there are up to and including ``day``, since Monday, the first of January 1."""
    weeks, rest = divmod(day.toordinal(), 7)
    return weeks * 5 + min(rest, 5)


def _first_number(day: date) -> int:
    return _number(day) + (day.isoweekday() > 5)


def _date_of(number: int) -> date:
    weeks, rest = divmod(number - 1, 5)
    try:
        return date.fromordinal(weeks * 7 + rest + 1)
    except (ValueError, OverflowError) as error:
        raise PlanUnsound(
            "The work would reach beyond the years 1 to 9999.", "Correct the estimates of the longest steps."
        ) from error


def _expected(step: Step) -> float:
    expected = UNESTIMATED_DAYS if step.effort is None else step.effort.expected
    if not math.isfinite(expected):
        raise PlanUnsound(f"The effort of {step.id} is not a number of days.", f"Estimate {step.id} in working days.")
    return max(0.0, expected)


def _deviation(step: Step) -> float:
    return 0.0 if step.effort is None else (step.effort.high - step.effort.low) / 6


def _by_id(steps: Sequence[Step]) -> dict[str, Step]:
    by_id = {step.id: step for step in steps}
    if len(by_id) < len(steps):
        ids = [step.id for step in steps]
        twice = next(step for step in ids if ids.count(step) > 1)
        raise PlanUnsound(f"The id {twice} is given to two steps.", "Give each step an id of its own.")
    for step in steps:
        for needed in step.needs:
            if needed not in by_id:
                raise PlanUnsound(
                    f"{step.id} needs {needed}, and there is no such step.", f"Correct what {step.id} needs."
                )
    return by_id


def _known_needs(steps: Iterable[Step]) -> dict[str, list[str]]:
    needs: dict[str, list[str]] = {step.id: [] for step in steps}
    for step in steps:
        needs[step.id] += [needed for needed in dict.fromkeys(step.needs) if needed in needs]
    return needs


def _components(needs: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield the strongly connected components of a graph, one step each where nothing is circular."""
    needed_by: dict[str, list[str]] = {step: [] for step in needs}
    for step, needed in needs.items():
        for other in needed:
            needed_by[other].append(step)
    seen: set[str] = set()
    for root in reversed(list(_postorder(needs))):
        component: list[str] = []
        found = [root]
        while found:
            step = found.pop()
            if step not in seen:
                seen.add(step)
                component.append(step)
                found += needed_by[step]
        if component:
            yield component


def _postorder(needs: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield steps, each after all that it needs; without recursion, as a plan may be one long chain."""
    seen: set[str] = set()
    for root in needs:
        walk = [] if root in seen else [(root, iter(needs[root]))]
        seen.add(root)
        while walk:
            step, ahead = walk[-1]
            needed = next((other for other in ahead if other not in seen), None)
            if needed is None:
                walk.pop()
                yield step
            else:
                seen.add(needed)
                walk.append((needed, iter(needs[needed])))


def _shortest_cycle(first: str, needs: Mapping[str, Sequence[str]], knot: frozenset[str]) -> tuple[str, ...]:
    """Return the shortest circle through a step of a knot, which needs the last, and is needed by the second."""
    needing: dict[str, str] = {}
    ahead = deque([first])
    while first not in needing:
        step = ahead.popleft()
        for needed in needs[step]:
            if needed in knot and needed not in needing:
                needing[needed] = step
                ahead.append(needed)
    cycle = [first]
    while (step := needing[cycle[-1]]) != first:
        cycle.append(step)
    return tuple(cycle)


def _ordered(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return ids so that every step comes after those it needs."""
    try:
        return tuple(TopologicalSorter(_known_needs(steps)).static_order())
    except CycleError as error:
        chain = " → ".join(error.args[1])
        raise PlanUnsound(
            f"These steps wait for one another: {chain}.", "Take out one of these dependencies."
        ) from error


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


def _row(step: str, early_start: int, late_end: int, days: int) -> ScheduledStep:
    early_end, late_start = early_start + days - 1, late_end - days + 1
    return ScheduledStep(
        step=step,
        early_start=_date_of(early_start),
        early_end=_date_of(early_end),
        late_start=_date_of(late_start),
        late_end=_date_of(late_end),
        slack=late_end - early_end,
        critical=late_end == early_end,
    )


def _chance(available: int, expected: float, deviation: float) -> float:
    """Return the share of a normal distribution that lies within the available working days."""
    if deviation == 0:
        return 1.0 if expected <= available else 0.0
    return (1 + math.erf((available - expected) / (deviation * math.sqrt(2)))) / 2
