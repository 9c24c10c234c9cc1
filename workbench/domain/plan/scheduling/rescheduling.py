"""New dates after a change of a plan: only what the change concerns moves.

    plan ─▶ what its dates are: calculated │ given (by a file, a person, a model)
                                   │             └▶ held: not before that day, as long as it lasts, as close to what
                                   ▼                it needs as it is
    plan, changed ─▶ both scheduled alike ─▶ a step whose dates are the same in both keeps what the plan says
                     (from one day on, each person's steps in one order)

A given date stands until something forces it: what the step needs ends later, its person is away or busy, or the
change is about the step itself. Where all dates are calculated, they are calculated again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from workbench.domain.plan.figures import Standing, as_it_stands, first_day
from workbench.domain.plan.plan import (
    DaysOff,
    Decision,
    Effort,
    Lag,
    Place,
    Plan,
    Section,
    Step,
    WorkingTime,
    deadline_of,
    name_key,
)
from workbench.domain.plan.scheduling.calendar import FULL_DAY, add_working_days, day_of
from workbench.domain.plan.scheduling.schedule import Schedule, ScheduledStep, dated, schedule
from workbench.domain.plan.scheduling.step_days import last_day
from workbench.domain.plan.scheduling.step_work import has_begun, share_of, without_ends
from workbench.domain.plan.scheduling.work_times import WorkTimes

_OPEN = frozenset({"todo", "waiting"})
_DATING = (
    "id", "status", "owner", "effort", "needs", "lags", "not_before", "on", "milestone", "waiting", "parent", "started",
    "finished", "left", "progress", "hours", "start", "end", "tags", "each", "duration", "waits_working", "mode",
    "waits_hours", "place", "decisions", "condition", "duration_elapsed",
)  # fmt: skip
"""Fields of a step that say when it happens."""


@dataclass(frozen=True, slots=True)
class Moves:
    """A changed plan with its new dates."""

    plan: Plan
    forced: Mapping[str, str] = field(default_factory=dict)
    """By id of a step whose given date could not stand, why, in words."""


def rescheduled(plan: Plan, changed: Plan, *, today: date) -> Moves:
    """Return a changed plan with new dates for the steps that are still to do and that the change concerns.

    A day that the plan sets stays, unless the change gives the step another. Where the change says how the work stands,
    nothing that is moved happens before today, and what is under way ends when what is left of it is done. Raises
    PlanUnsound as ``schedule`` does.
    """
    start, times = first_day(plan), WorkTimes.from_plan(changed)
    by = deadline_of(changed)
    old_by = deadline_of(plan)
    if start is None or _what_dates(plan, old_by) == _what_dates(changed, by):
        return Moves(changed)
    stands = _states(plan) == _states(changed)
    first = start if stands else max(start, today)
    begun = _reported_steps(plan, changed, is_told=not stands)
    now = None if stands and not begun else today
    ended = _end_done_steps(plan, today)
    standing, old_times = as_it_stands(ended, start, old_by), WorkTimes.from_plan(plan)
    given = _dated_steps(ended, standing) if times.backward == old_times.backward else {}
    if times.backward and is_report(plan, changed):  # what is dated back stays where it is, unless it has to be later
        tasks = standing.planned.network.tasks
        given = {one.id: _overlaps_other_work(one, ended) for one in ended.steps if _has_dates(one) and one.id in tasks}
    known = {step.id: step for step in plan.steps}
    held = {step.id: step for step in standing.steps}
    moved_to = {step.id: step for step in changed.steps if _is_moved(known.get(step.id), step)}
    if not given and not moved_to:
        carried = without_ends(_with_held_fields(known, held, changed, today), begun)
        planned = schedule(carried, start=first, deadline=by, times=times, now=now)
        moved = _with_undated(changed, dated(changed, planned), known, planned)
        return Moves(_with_ends(moved, planned, begun, today))
    ends = _last_days(ended)
    held |= {name: _held(known[name], known, ends, old_times, old_by) for name in given}
    was = _scheduled(held.values(), first, old_times, given, now=now)
    if any(need not in ends for name in given for need in known[name].needs):  # a given day beside one that is not
        ends = {row.step: row.end for row in was.rows} | ends
        held |= {name: _held(known[name], known, ends, old_times, old_by) for name in given}
        was = _scheduled(held.values(), first, old_times, given, now=now)
    steps = {step.id: step for step in without_ends(_with_held_fields(known, held, changed, today), begun)}
    still = {name: is_beside for name, is_beside in given.items() if _stands(known[name], steps.get(name))}
    if moved_to:  # as the change says
        new, last_days = {step.id: step for step in changed.steps}, _last_days(changed)
        steps |= {name: _held(step, new, last_days, times, by) for name, step in moved_to.items()}
        still |= {name: _overlaps_other_work(step, changed) for name, step in moved_to.items()}
        first = min([first, *(day for step in moved_to.values() if (day := day_of(step.start)))])
    planned = _scheduled(steps.values(), first, times, still, ranks=was.network.tails(), now=now)
    old_rows = {row.step: row for row in was.rows}
    moved = _with_undated(
        changed, _keep_dates(changed, dated(changed, planned), known, old_rows, planned), known, planned
    )
    return Moves(_with_ends(moved, planned, begun, today), dict(_displaced_steps(changed, moved, planned, still)))


def replanned(plan: Plan, today: date, *, since: date | None = None) -> Plan:
    """Return a plan whose open steps are dated again, from today on; what is done stays where it is.

    A date that is still ahead stands until something forces it. What is under way and late ends today at the earliest.
    ``since``: the first day of the work; None for the first that the plan has. Raises PlanUnsound as ``schedule`` does.
    """
    first, by, times = since or first_day(plan) or today, deadline_of(plan), WorkTimes.from_plan(plan)
    start, known = max(today, first), {step.id: step for step in plan.steps}
    wholes = {step.parent for step in plan.steps}
    given = {
        step.id: _overlaps_other_work(step, plan)
        for step in plan.steps
        if step.status in _OPEN and step.id not in wholes
        if (day := day_of(step.start) or day_of(step.end)) is not None and day >= today
    }
    ended = _end_done_steps(plan, today)
    days = _last_days(ended)
    steps = [_held(step, known, days, times, by) if step.id in given else step for step in without_ends(ended.steps)]
    planned = (
        _scheduled(steps, start, times, given, now=today)
        if given
        else schedule(steps, start=start, deadline=by, times=times, now=today)
    )
    return _with_ends(dated(plan, planned), planned, {step.id for step in plan.steps}, today)


def _scheduled(
    steps: Iterable[Step],
    start: date,
    times: WorkTimes,
    given: Mapping[str, bool],
    *,
    ranks: Mapping[str, int] = MappingProxyType({}),
    now: date | None = None,
) -> Schedule:
    """Return a schedule in which given steps stand; forward, as those of a plan scheduled backward are late already."""
    forward = dataclasses.replace(times, backward=False)
    return schedule(tuple(steps), start=start, deadline=None, times=forward, tries=0, given=given, ranks=ranks, now=now)


def _what_dates(plan: Plan, by: date | None) -> tuple[Any, ...]:
    """Return all that the dates of a plan are calculated from."""
    backward = any(item.backward for item in plan.items if isinstance(item, WorkingTime))
    people = {name_key(person.text) for person in plan.people}
    steps = tuple(
        (
            *(
                getattr(step, name) if name != "owner" or name_key(step.owner) in people else ""
                for name in (*_DATING, *(("deadline",) if backward else ()))
            ),
            *map(name_key, step.also),
        )
        for step in plan.steps
    )
    places = tuple(
        (item.id, item.text, item.weekdays, item.closed, item.again) for item in plan.items if isinstance(item, Place)
    )
    latest = {item.id: item.open_until for item in plan.items if isinstance(item, Decision)}
    decided = tuple(latest.get(name) for step in plan.steps for name in step.decisions)
    week = tuple((item.weekdays, item.backward, item.target) for item in plan.items if isinstance(item, WorkingTime))
    closed = tuple((item.days, item.again, item.who) for item in plan.items if isinstance(item, DaysOff))
    own = tuple(
        (name_key(person.text), person.hours, person.weekdays, person.away, person.away_again, person.capacity)
        for person in plan.people
    )
    return steps, week, closed, own, places, decided, by if backward else None


def is_report(plan: Plan, changed: Plan) -> bool:
    """Tell whether a change says how the work stands, and nothing else that dates are calculated from."""
    before, after = (
        _what_dates(with_steps(one, {step.id: replace(step, **_NOT_BEGUN) for step in one.steps}), deadline_of(one))
        for one in (plan, changed)
    )
    return before == after and _states(plan) != _states(changed)


_NOT_BEGUN: Mapping[str, Any] = {"status": "todo", "started": None, "finished": None, "left": None, "progress": None}


def _states(plan: Plan) -> dict[str, tuple[Any, ...]]:
    """Return how the work stands: of each step that has begun, or is out."""
    return {
        step.id: (step.status, step.left, step.progress, step.started, step.finished)
        for step in plan.steps
        if step.status not in _OPEN or step.left is not None
    }


# --- given dates ------------------------------------------------------------------------------------------------------


def _dated_steps(plan: Plan, standing: Standing) -> dict[str, bool]:
    """Return the open steps whose dates were given, and whether each is beside other work of its owner.

    Dates are given if they are not what is calculated; so are all of a file's unless all are what is calculated.
    """
    rows = {row.step: row for row in standing.planned.rows if row.step in standing.planned.network.tasks}
    dated = {step.id: step for step in plan.steps if _has_dates(step) and step.id in rows}
    off = {name for name, step in dated.items() if _differs(step, rows[name])} | standing.lasting
    from_file = {name for name, step in dated.items() if step.origin is not None and step.origin.kind == "file"}
    if off or (from_file and not _is_calculated(plan, standing)):
        off |= from_file
    return {name: _overlaps_other_work(dated[name], plan) for name in off if name in dated}


def _has_dates(step: Step) -> bool:
    is_open = step.status in _OPEN or (step.status == "under-way" and step.started is None)
    return is_open and (day_of(step.start) or day_of(step.end)) is not None


def _differs(step: Step, row: ScheduledStep) -> bool:
    return (day_of(step.start) or row.start, day_of(step.end) or row.end) != (row.start, row.end)


def _is_calculated(plan: Plan, standing: Standing) -> bool:
    """Tell whether the dates of the open steps are what is calculated from the first of them."""
    if not standing.set_days:
        return True
    days = [day for step in plan.steps if step.status in _OPEN and (day := day_of(step.start))]
    planned = schedule(plan.steps, start=min(days), deadline=None, times=WorkTimes.from_plan(plan))
    rows = {row.step: row for row in planned.rows}
    return not any(_differs(step, rows[step.id]) for step in plan.steps if step.status in _OPEN)


def _overlaps_other_work(step: Step, plan: Plan) -> bool:
    """Tell whether a step's dates lie over those of another open one of one of its owners."""
    first, last = step.start or step.end or "", step.end or step.start or ""
    owners = set(map(name_key, step.owners or ("",)))
    return any(
        (other.start or other.end or "") <= last and first <= (other.end or other.start or "")
        for other in plan.steps
        if other.id != step.id
        and not other.condition
        and not owners.isdisjoint(map(name_key, other.owners or ("",)))
        and _has_dates(other)
    )


def _last_days(plan: Plan) -> dict[str, date]:
    """Return the last day of each step that has one."""
    return {step.id: day for step in plan.steps if (day := day_of(last_day(step)))}


def _held(step: Step, known: Mapping[str, Step], ends: Mapping[str, date], times: WorkTimes, by: date | None) -> Step:
    """Return a step that is not before its given day, as long as its dates, and as close to what it needs as it is.

    ``ends``: the last day of each step, as far as one is known.
    """
    theirs = times.people.get(name_key(step.owner), times.own)
    start, end = day_of(step.start), day_of(step.end)
    if start is None and end is not None:
        length = 0 if step.effort is None or step.milestone else max(0, round(step.effort.expected) - 1)
        start = add_working_days(end, -length, theirs) if length else end
    if start is None:
        return step
    last = end or start
    work = times.minutes_of_each(step, start, last)
    is_event = step.on is not None or start == by or (work <= 0 and last >= start)
    days = work / FULL_DAY / share_of(step)
    is_known = end is not None and work > 0
    is_on_its_day = step.on is not None and last == start  # whose work is not what is usual for that day
    effort = Effort(days, days, days) if is_known and not step.duration and not is_on_its_day else step.effort
    duration, is_elapsed = step.duration, step.duration_elapsed
    if is_known and step.also and not step.mode and not step.duration:  # each does a part of it in these days
        effort, is_elapsed = step.effort or effort, True
    if is_known and is_elapsed:
        duration = (last - start).days + 1
    elif is_known and step.duration:
        counted = times.spanned(step, times.whose_time(step))
        duration = sum(counted.minutes(day) > 0 for day in range(start.toordinal(), last.toordinal() + 1))
    lags = {lag.step: lag for lag in step.lags} | {lag.step: lag for lag in _lags(step, start, known, ends, times)}
    day = start.isoformat()
    on, not_before = (step.on or day, None) if is_event else (None, day)
    return replace(
        step,
        on=on,
        not_before=not_before,
        effort=effort,
        duration=duration,
        duration_elapsed=is_elapsed,
        lags=tuple(lags.values()),
    )


def _lags(
    step: Step, start: date, known: Mapping[str, Step], ends: Mapping[str, date], times: WorkTimes
) -> Iterator[Lag]:
    """Yield how far a step stands from what it needs, if that is nearer than it asks for: a lag below nothing."""
    whole = known.get(step.parent)
    asked = {lag.step: lag for lag in ((*whole.lags, *step.lags) if whole else step.lags)}
    for need in (*whole.needs, *step.needs) if whole else step.needs:
        parts = [one for one in known.values() if need in (one.id, one.parent)]
        end = max((ends[part.id] for part in parts if part.status != "dropped" and part.id in ends), default=None)
        if end is None:
            continue
        worked = times.own.worked_before(start.toordinal()) - times.own.worked_before(end.toordinal() + 1)
        lag = asked.get(need)
        has = (start - end).days - 1 if lag and lag.elapsed else worked / FULL_DAY
        if has < (lag.days if lag else 0):
            yield Lag(need, worked / FULL_DAY)


def _end_done_steps(plan: Plan, today: date) -> Plan:
    """Return a plan whose done steps ended on the last day they have, today at the latest, if nobody said on which."""
    ends = {step.id: step.end for step in plan.steps if step.status == "done" and step.finished is None and step.end}
    last = today.isoformat()
    return with_steps(
        plan, {step.id: replace(step, finished=min(ends[step.id], last)) for step in plan.steps if step.id in ends}
    )


def _stands(old: Step, step: Step | None) -> bool:
    """Tell whether a changed step is there, and still has the day that it was given."""
    return step is not None and (step.start, step.end) == (old.start, old.end) and step.not_before is not None


def _is_moved(old: Step | None, step: Step) -> bool:
    """Tell whether a change sets other dates for an open step, and not how it stands, or another day for it."""
    if old is None:
        return False
    is_same = all(
        getattr(old, name) == getattr(step, name) for name in ("status", "left", "started", "waiting", "milestone")
    )
    days = {getattr(step, name) for name in ("on", "not_before") if getattr(old, name) != getattr(step, name)}
    return is_same and days <= {step.start} and _has_dates(step) and (old.start, old.end) != (step.start, step.end)


def _with_held_fields(
    known: Mapping[str, Step], held: Mapping[str, Step], changed: Plan, today: date
) -> tuple[Step, ...]:
    """Return changed steps as they are held, but for the fields to which the change gives another value.

    What is new and open begins today at the earliest.
    """
    return tuple(
        replace(step, **_held_values(known[step.id], held[step.id], step)) if step.id in known else _new(step, today)
        for step in changed.steps
    )


def _new(step: Step, today: date) -> Step:
    has_day = step.on is not None or (day_of(step.not_before) or today) > today
    return step if has_day or step.status not in _OPEN else replace(step, not_before=today.isoformat())


def _held_values(old: Step, held: Step, step: Step) -> dict[str, Any]:
    values: dict[str, Any] = {
        name: getattr(held, name)
        for name in ("effort", "duration", "duration_elapsed", "lags", "finished")
        if getattr(step, name) == getattr(old, name) and (name != "finished" or step.status == "done")
    }
    if (step.on, step.not_before) == (old.on, old.not_before) and (step.start, step.end) == (old.start, old.end):
        values |= {"on": held.on, "not_before": held.not_before}
    return values


# --- what moves -------------------------------------------------------------------------------------------------------


def with_steps(plan: Plan, steps: Mapping[str, Step]) -> Plan:
    """Return a plan with other values of some steps; a section that has none of these is the identical object."""
    sections: list[Section] = []
    for section in plan.sections:
        items = tuple(steps.get(item.id, item) if isinstance(item, Step) else item for item in section.items)
        sections.append(section if items == section.items else replace(section, items=items))
    return replace(plan, sections=tuple(sections))


def _keep_dates(
    changed: Plan, moved: Plan, known: Mapping[str, Step], was: Mapping[str, ScheduledStep], planned: Schedule
) -> Plan:
    """Return a plan in which a step keeps its dates if these are calculated as before the change."""
    rows = {row.step: row for row in planned.rows}
    new = {step.id: step for step in moved.steps}
    kept: dict[str, Step] = {}
    for step in changed.steps:
        old, row = was.get(step.id), rows.get(step.id)
        if step.id not in known or old is None or row is None:
            continue
        start, end = day_of(step.start), day_of(step.end)
        if (old.start, old.end) == (row.start, row.end) and (step.start or step.end or not known[step.id].start):
            kept[step.id] = step
        elif step.id in planned.network.parts and start and end:  # a phase may be wider than its parts
            first = row.start if start == old.start else min(start, row.start)
            last = row.end if end == old.end else max(end, row.end)
            kept[step.id] = replace(new[step.id], start=first.isoformat(), end=last.isoformat())
    return with_steps(moved, kept)


def _with_undated(changed: Plan, moved: Plan, known: Mapping[str, Step], planned: Schedule) -> Plan:
    """Return a plan in which a date that a step did not have is none, unless it moves or the change is about it."""
    rows = {row.step: row for row in planned.rows}
    same = {
        step.id: step
        for step in changed.steps
        if step.id in known and not (step.start and step.end)
        if all(getattr(step, name) == getattr(known[step.id], name) for name in _DATING)
        if not (step.start or step.end) or (step.id in rows and not _differs(step, rows[step.id]))
    }
    return with_steps(moved, same) if same else moved


def _displaced_steps(
    changed: Plan, moved: Plan, planned: Schedule, given: Mapping[str, bool]
) -> Iterator[tuple[str, str]]:
    """Yield each step whose given dates could not stand, and why."""
    before = {step.id: (step.start, step.end) for step in changed.steps}
    whys = {row.step: row.why for row in planned.rows}
    for step in moved.steps:
        if step.id in given and (step.start, step.end) != before[step.id]:
            why = whys[step.id]
            is_held_up = why.why in ("need", "busy", "decision")
            yield step.id, str(why) if is_held_up else f"{step.owner or 'nobody'} is not there on these days"


def _reported_steps(plan: Plan, changed: Plan, *, is_told: bool) -> set[str]:
    """Return the steps under way of which a change says something; all of them if it says how the work stands."""
    known = {step.id: tuple(getattr(step, name) for name in _DATING) for step in plan.steps}
    return {
        step.id
        for step in changed.steps
        if (step.status == "under-way" or has_begun(step))
        and (is_told or known.get(step.id) != tuple(getattr(step, name) for name in _DATING))
    }


def _with_ends(plan: Plan, planned: Schedule, names: Collection[str], today: date) -> Plan:
    """Return a plan in which steps under way begin when they began, and end when what is left of them is done.

    What is still to be done is not over before today.
    """
    ends = {row.step: max(row.end, today).isoformat() for row in planned.rows}
    begun = (step for step in plan.steps if step.status == "under-way" and step.id in names and step.id in ends)
    return with_steps(
        plan, {step.id: replace(step, start=step.started or step.start, end=ends[step.id]) for step in begun}
    )
