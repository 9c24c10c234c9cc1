"""Repairs: what could be done about a finding, as operations that a person accepts or leaves.

    finding ─▶ what can be taken back, put in order or dated again ─▶ Repair(label, operations) ─▶ its consequence

Nothing here writes content: a check, an owner or an answer that is missing is for a person to say. Where a plan does
not fit its deadline, what could give is offered in this order: the date, the people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import count, islice

import msgspec
from msgspec import Struct

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.changing.operations import (
    AddItem,
    Operation,
    SetField,
    applied,
    operations_between,
)
from workbench.domain.plan.checks.case import Case, listed
from workbench.domain.plan.checks.dates import Obstacle, Reasons, last_day_for, next_open_day
from workbench.domain.plan.checks.people import unknown_owners
from workbench.domain.plan.figures import first_day, short_day
from workbench.domain.plan.plan import (
    Answering,
    Capacity,
    Constraint,
    Criterion,
    Days,
    DaysOff,
    Effort,
    Lag,
    Person,
    Place,
    Plan,
    Section,
    Step,
    name_key,
)
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, day_of
from workbench.domain.plan.scheduling.cycles import find_cycles
from workbench.domain.plan.scheduling.recurrence import Closing
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.plan.scheduling.schedule import Schedule, dated, schedule
from workbench.domain.plan.scheduling.step_days import clock, first_minute, set_hours
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.text.cleaning import shorten

MOST_FOR_ONE = 3
"""Repairs that are offered for one finding."""


class Repair(Struct, frozen=True):
    """One way to make a finding go away."""

    finding: Finding
    label: str
    """What it does, in a few words."""
    operations: tuple[Operation, ...]


def repairs_of(case: Case, findings: Iterable[Finding]) -> tuple[Repair, ...]:
    """Return what can be offered for the findings of a plan, in their order; the same repair once."""
    found: dict[bytes, Repair] = {}
    for finding in findings:
        offer = _OFFERS.get(finding.rule)
        for label, operations in islice(offer(case, finding) if offer else (), MOST_FOR_ONE):
            if operations and _fits(case.plan, operations):
                found.setdefault(msgspec.json.encode(operations), Repair(finding, label, operations))
    return tuple(found.values())


def consequence(case: Case, repair: Repair, findings: Callable[[Plan], Sequence[Finding]]) -> str:
    """Return what becomes of the findings and of the last day with a repair; "" if not more go than come.

    ``findings`` gives those of the checks.
    """
    plan, after = case.plan, applied(case.plan, repair.operations)
    before, left = {_finding_key(finding) for finding in findings(plan)}, {_finding_key(one) for one in findings(after)}
    gone, new = len(before - left), [text for _, _, text in sorted(left - before)]
    if gone <= len(new):
        return ""
    said = [f"{gone} {'finding' if gone == 1 else 'findings'} fewer"]
    if new:
        said.append(f"{len(new)} new: {shorten(new[0], 80)}")
    ends, ended = _last_day(after, case.today), _last_day(plan, case.today)
    if ends and ended and ends != ended:
        said.append(f"the last step ends on {ends}, now {ended}")
    return ", ".join(said)


def _finding_key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.item or "", finding.text


def _last_day(plan: Plan, today: date) -> str:
    """Return when the last step ends, by its needs, calendars and people; "" if that cannot be calculated."""
    planned = _scheduled(plan, today)
    return planned.finish.isoformat() if planned and planned.rows else ""


def _fits(plan: Plan, operations: Iterable[Operation]) -> bool:
    try:
        return applied(plan, operations) != plan
    except PlanUnsound:
        return False


_Offered = Iterator[tuple[str, tuple[Operation, ...]]]
_Offer = Callable[[Case, Finding], _Offered]


def _needs(case: Case, finding: Finding) -> _Offered:
    """Offer the step that was probably meant, and to need nothing in its place."""
    step = case.plan.item(finding.item)
    if not isinstance(step, Step):
        return
    known = list(case.steps)
    for unknown in dict.fromkeys(need for need in step.needs if need not in known):
        meant = _nearest_id(
            unknown, [name for name in known if name != step.id and name not in step.needs], case.plan, step
        )
        if meant:
            needs = tuple(meant if need == unknown else need for need in step.needs)
            yield f"{step.id} needs {meant} in place of {unknown}", _with_needs(case, step, needs)
        left = tuple(need for need in step.needs if need != unknown)
        yield f"{step.id} does not need {unknown}", _with_needs(case, step, left)


def _dropped_needs(case: Case, finding: Finding) -> _Offered:
    """Offer to need what the dropped steps needed, instead of them."""
    step = case.plan.item(finding.item)
    if isinstance(step, Step):
        changed = case.past_dropped(step)
        gone = listed([name for name in step.needs if name not in changed.needs])
        new = listed([name for name in changed.needs if name not in step.needs])
        label = f"{step.id} needs {new} in place of {gone}" if new else f"{step.id} does not need {gone}"
        yield label, _with_needs(case, step, changed.needs, changed.lags)


def _nearest_id(unknown: str, known: Sequence[str], plan: Plan, step: Step) -> str:
    """Return the known id that is nearest to an unknown one and makes no circle; "" for none."""
    from rapidfuzz.distance import DamerauLevenshtein

    near = sorted((DamerauLevenshtein.distance(unknown, name), place) for place, name in enumerate(known))
    for distance, place in near:
        if distance > 1:
            return ""
        tried = msgspec.structs.replace(step, needs=(*(need for need in step.needs if need != unknown), known[place]))
        if not find_cycles([tried if one.id == step.id else one for one in plan.steps]):
            return known[place]
    return ""


def _with_needs(
    case: Case, step: Step, needs: Sequence[str], lags: Sequence[Lag] | None = None
) -> tuple[Operation, ...]:
    """Return the operations that let a step need others, and move what has to move for that.

    ``lags``: what it waits besides; None for what it waits now.
    """
    lags = tuple(lag for lag in step.lags if lag.step in needs) if lags is None else tuple(lags)
    changed: list[Operation] = [SetField(step.id, "needs", list(needs) or None)]
    if lags != step.lags:
        changed.append(SetField(step.id, "lags", msgspec.to_builtins(list(lags)) or None))
    try:
        after = applied(case.plan, changed)
        moved = rescheduled(case.plan, after, today=case.today).plan
    except PlanUnsound:
        return tuple(changed)
    return (*changed, *operations_between(after, moved))


def _cycle(case: Case, finding: Finding) -> _Offered:
    """Offer to open a circle at each of its needs, the one that leads back to an earlier step first."""
    steps = case.steps
    circle = next((cycle for cycle in case.cycles if finding.item in cycle), ())
    places = {step.id: place for place, step in enumerate(case.plan.steps)}
    edges = [
        (one, need)
        for place, one in enumerate(circle)
        for need in (circle[(place + 1) % len(circle)], circle[place - 1])
        if need in steps[one].needs
    ]
    for one, need in sorted(dict.fromkeys(edges), key=lambda edge: places[edge[0]] - places[edge[1]]):
        left = [name for name in steps[one].needs if name != need]
        yield f"{one} does not need {need}", _with_needs(case, steps[one], left)


def _answers(case: Case, finding: Finding) -> _Offered:
    item = case.plan.item(finding.item)
    if isinstance(item, Answering):
        known = {one.id for one in case.plan.items}
        left = [name for name in item.answers if name in known or name.startswith("F")]
        gone = [name for name in item.answers if name not in left]
        yield f"{item.id} does not answer {', '.join(gone)}", (SetField(item.id, "answers", left or None),)


def _effort_order(case: Case, finding: Finding) -> _Offered:
    step = case.plan.item(finding.item)
    if isinstance(step, Step) and step.effort is not None:
        low, likely, high = sorted((step.effort.low, step.effort.likely, step.effort.high))
        effort = Effort(low=low, likely=likely, high=high)
        ordered = SetField(step.id, "effort", msgspec.to_builtins(effort))
        yield f"put the estimate of {step.id} in order: {low:g}, {likely:g}, {high:g} days", (ordered,)


def _dates(case: Case, _finding: Finding) -> _Offered:
    """Offer to date every step from what it needs, who does it and when there is work."""
    yield "date all steps anew, from their needs, calendars and people", _dated(case.plan, case.today)


def _hours(case: Case, finding: Finding) -> _Offered:
    """Offer for a step the same hours at the first time of its day, or of another, after what it needs."""
    step = case.plan.item(finding.item)
    hours = set_hours(step) if isinstance(step, Step) else None
    if isinstance(step, Step) and hours is not None:
        after, _ = first_minute(step, case.steps, case.times)
        begin, end = (f"{minute % DAY // 60:02}:{minute % 60:02}" for minute in (after, after + hours[1] - hours[0]))
        day = date.fromordinal(after // DAY)
        changed = SetField(step.id, "on", day.isoformat()), SetField(step.id, "hours", f"{begin}-{end}")
        if day <= last_day_for(case, step):
            yield f"move {step.id} to {clock(after, hours[0])}", _dated(case.plan, case.today, *changed)


def _day_off(case: Case, finding: Finding) -> _Offered:
    """Offer for a step whose day is set another one, or what else gives it its day; others are dated again."""
    step = case.plan.item(finding.item)
    if not isinstance(step, Step) or (day := day_of(step.on)) is None:
        yield from _dates(case, finding)
        return
    if day != (moved := next_open_day(case, step)) <= last_day_for(case, step):
        to_it = SetField(step.id, "on", moved.isoformat())
        yield f"move {step.id} to {moved:%a} {short_day(moved)}", _dated(case.plan, case.today, to_it)
    reasons = Reasons(case)
    why = next(filter(None, (reasons.why_off(day, step, name) for name in step.owners or ("",))), None)
    if why is not None and not (isinstance(why.item, DaysOff) and not why.item.who):
        yield from _with_its_day(case, step, day, why, reasons)
        return
    names = set(map(name_key, step.owners))
    resting = [person for person in case.plan.people if name_key(person.text) in names and _rests(case, person, day)]
    if resting:
        verb = "works" if len(resting) == 1 else "work"
        yield (
            f"{listed([one.text for one in resting])} {verb} on {day:%a} {short_day(day)}",
            tuple(_working(case, one, day.isoformat()) for one in resting),
        )


def _with_its_day(case: Case, step: Step, day: date, why: Obstacle, reasons: Reasons) -> _Offered:
    """Offer what lets a step keep its day: another place, an exception from a freeze, another owner."""
    match why.item:
        case Place():
            closing = Closing.from_plan(case.plan)
            places = (item for item in case.plan.items if isinstance(item, Place))
            for place in (one for one in places if not closing.is_closed(one, day)):
                yield f"{step.id} is at {place.text}", (SetField(step.id, "place", place.id),)
        case DaysOff(who=who) as freeze if who:
            days = [span for one in freeze.days for span in _days_without(one, day)]
            if days != list(freeze.days) and days:
                yield (
                    f"{freeze.id} does not hold on {day:%a} {short_day(day)}",
                    (SetField(freeze.id, "days", msgspec.to_builtins(days)),),
                )
            tags = [tag for tag in step.tags if tag not in who]
            yield f"{freeze.id} does not stop {step.id}", (SetField(step.id, "tags", tags or None),)
        case None:
            away = next(name for name in step.owners if reasons.why_off(day, step, name))
            for person in case.plan.people:
                if person.text not in step.owners and reasons.has_time(day, step, person.text):
                    names = [person.text if name == away else name for name in step.owners]
                    changed = SetField(step.id, "owner", names[0]), SetField(step.id, "also", names[1:] or None)
                    yield f"give {step.id} to {person.text}", changed


def _days_without(span: Days, day: date) -> list[Days]:
    """Return what is left of a stretch of days without one of them."""
    first, last = day_of(span.first), day_of(span.last)
    if first is None or last is None or not first <= day <= last:
        return [span]
    one = timedelta(days=1)
    parts = (first, day - one), (day + one, last)
    return [Days(begin.isoformat(), end.isoformat()) for begin, end in parts if begin <= end]


def _working(case: Case, person: Person, day: str) -> Operation:
    """Return what lets somebody work a full day on a day that is free otherwise."""
    weekdays = len(set(person.weekdays)) or sum(map(bool, case.times.own.week))
    capacity = [*person.capacity, Capacity(FULL_DAY / 60 * weekdays, day, day)]
    return SetField(person.id, "capacity", msgspec.to_builtins(capacity))


def _rests(case: Case, person: Person, day: date) -> bool:
    """Tell whether somebody has no work on a day, and is not away."""
    is_away = any(span.first <= day.isoformat() <= span.last for span in person.away)
    return not is_away and not case.times.people[name_key(person.text)].minutes(day.toordinal())


def _scheduled(plan: Plan, today: date) -> Schedule | None:
    start = max(today, first_day(plan) or today)
    try:
        return schedule(plan.steps, start=start, deadline=None, times=WorkTimes.from_plan(plan))
    except PlanUnsound:
        return None


def _dated(plan: Plan, today: date, *before: Operation) -> tuple[Operation, ...]:
    """Return operations, and those that date the plan again after them; none if it cannot be scheduled."""
    after = applied(plan, before)
    planned = _scheduled(after, today)
    return (*before, *operations_between(after, dated(after, planned))) if planned else ()


def _overrun(case: Case, finding: Finding) -> _Offered:
    """Offer what could give where the work does not fit: the date, the people."""
    plan, today = case.plan, case.today
    planned = _scheduled(plan, today)
    if planned is None:
        return
    ends = next((row.end.isoformat() for row in planned.rows if row.step == finding.item), "")
    set_days = {step.on for step in plan.steps}  # what happens on its day is not put off by who is late for it
    for limit in plan.items:
        is_event = isinstance(limit, Constraint) and (limit.sets == "goal-day" or limit.by in set_days)
        if isinstance(limit, Constraint) and limit.by and not is_event and limit.by < ends and limit.by in finding.text:
            field = "last" if limit.last else "day"
            yield f"move {limit.id} to {ends}", (SetField(limit.id, field, ends),)
    yield from _handed_over(plan, planned, today)


def _handed_over(plan: Plan, planned: Schedule, today: date) -> _Offered:
    """Offer to give the step that waits longest for a busy owner to whoever lets the plan end first."""
    steps = {step.id: step for step in plan.steps}
    rows = {row.step: row for row in planned.rows}
    waiting = [rows[name] for name in planned.critical_path if name in rows and rows[name].why.why == "busy"]
    best: tuple[date, str, str] | None = None
    for row in waiting[:MOST_FOR_ONE]:
        for person in plan.people:
            if person.text == steps[row.step].owner:
                continue
            tried = applied(plan, (SetField(row.step, "owner", person.text),))
            after = _scheduled(tried, today)
            if after is not None and after.finish < min(planned.finish, best[0] if best else planned.finish):
                best = (after.finish, row.step, person.text)
    if best is not None:
        yield f"give {best[1]} to {best[2]}", _dated(plan, today, SetField(best[1], "owner", best[2]))


def _unknown(case: Case, finding: Finding) -> _Offered:
    """Offer to add the owners who are not among the people; how many hours they have, they say themselves."""
    place = next(((one.id, one.items[-1].id) for one in reversed(case.plan.sections) if _has_people(one)), None)
    if place is None or finding.severity != "minor":
        return
    section, last = place
    names = unknown_owners(case)
    taken = {item.id for item in case.plan.items}
    free = (name for number in count(1) if (name := f"P{number}") not in taken)
    added = [AddItem(section, Person(id=next(free), text=name)) for name in names]
    behind = [last, *(one.item.id for one in added)]
    yield (
        f"add {listed(names)} to the people",
        tuple(msgspec.structs.replace(one, after=after) for one, after in zip(added, behind, strict=False)),
    )


def _has_people(section: Section) -> bool:
    return any(isinstance(item, Person) for item in section.items)


def _past(case: Case, finding: Finding) -> _Offered:
    criterion = case.plan.item(finding.item)
    ends = _last_day(case.plan, case.today)
    if isinstance(criterion, Criterion) and ends:
        yield f"{criterion.id} is due when the last step ends, on {ends}", (SetField(criterion.id, "due", ends),)


_OFFERS: Mapping[str, _Offer] = {
    "steps.needs": _needs,
    "steps.cycle": _cycle,
    "steps.effort-order": _effort_order,
    "answers.unknown": _answers,
    "criteria.past": _past,
    "people.unknown": _unknown,
    "dates.deadline": _overrun,
    "dates.order": _dates,
    "dates.needs": _dates,
    "dates.hours": _hours,
    "dates.effort": _dates,
    "dates.format": _dates,
    "dates.day-off": _day_off,
    "dates.not-before": _dates,
    "status.dropped": _dropped_needs,
}
"""What is offered for the findings of a rule; the others need somebody who knows."""
