"""The figures of a plan: dates and why, costs, people, forecast. Every interface shows these and no others.

    Plan ─▶ figures        ───────▶ Figures            quick: what a plan's head and tables say
                └▶ with_forecast ─▶ Figures.forecast   imports numpy and simulates: not if a key waits for it

Dates are those that the plan says. Why a step begins then is calculated from needs, calendars and people; a step that
stands later than these ask for is on a day that the plan sets. Where no step has a date, nothing is scheduled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.markdown.values import lag as lag_told
from workbench.domain.plan.money import Costs, Limit, costs, limits
from workbench.domain.plan.plan import Days, Effort, Money, Plan, Status, Step, WorkingTime, deadline_of, name_key
from workbench.domain.plan.scheduling.calendar import DAY, FULL_DAY, Calendar, day_of, working_days_between
from workbench.domain.plan.scheduling.forecast import Forecast, forecast
from workbench.domain.plan.scheduling.load import monday, peak, work_by_day
from workbench.domain.plan.scheduling.plan_day import day_named, held_to_day, last_held
from workbench.domain.plan.scheduling.recurrence import Closing
from workbench.domain.plan.scheduling.schedule import Schedule, ScheduledStep, schedule
from workbench.domain.plan.scheduling.step_work import UNESTIMATED_DAYS, own_minutes, share_of
from workbench.domain.plan.scheduling.work_times import WorkTimes

FIXED_DAY = "its fixed day"
"""Why a step begins on a day that it has."""
_ROUNDS = 20
"""How often steps are looked for that the plan sets later than it has to."""
_LARGE = 300
"""Steps from which one look has to do."""
_SMALL = 60
"""Steps up to which each look tries other orders, as the plan's own dates were found by such tries."""
_KEPT = 16
"""Plans whose figures are kept."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class StepFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A step in the schedule and among the costs."""

    step: str
    """Its id."""
    title: str
    owner: str
    part_of: str
    """Id of the step that it is a part of; "" for none."""
    kind: Literal["work", "waiting", "milestone"]
    status: Status
    start: date | None
    """None if nothing is scheduled; so are the next two."""
    end: date | None
    slack: int | None
    """None, too, if it cannot slip: it is done, or on a fixed day."""
    critical: bool
    """Whether it cannot slip without moving the end."""
    why: str
    """Why it begins then and not earlier, in words."""
    cost: Money | None
    cost_kind: str


class PersonFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who owns steps, or whose time the plan knows."""

    name: str
    role: str
    hours: float | None
    """Hours a week; None if the plan says none."""
    weekdays: tuple[int, ...]
    """1 for Monday to 7 for Sunday; () if the plan says none."""
    steps: tuple[str, ...]
    days: float
    """Expected working days of these steps, without conditional ones; a part of those that several owners share."""
    assumed: float = 0
    """Days beside these that are assumed, of steps of which nobody said how much work they are."""
    load: float | None
    """Share of their working time from the first to the last day of the plan, without what is assumed; None if the
    plan does not know it."""
    peak: tuple[date, float] | None
    """Monday of their fullest week, and the share of its working time that is planned; None as for the load."""
    peak_steps: tuple[str, ...] = ()
    """Ids of the steps that they work on in that week."""
    away: tuple[Days, ...]


class DaysOffFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Days on which nobody works."""

    text: str
    country: str
    days: int
    """How many of them lie between the first and the last day of the plan."""


class CalendarFigures(msgspec.Struct, frozen=True, kw_only=True):
    """When work happens."""

    weekdays: tuple[int, ...]
    backward: bool
    days_off: tuple[DaysOffFigures, ...]


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is calculated from a plan."""

    start: date | None
    """The first day of the work; None if nothing is scheduled; so are ``finish`` and ``slack_days``."""
    finish: date | None
    deadline: date | None
    """None if nothing says when the whole has to be done."""
    day: str = "the deadline"
    """What that day is called."""
    slack_days: int | None
    """Working days between the deadline and the last step that is held to it; negative for an overrun."""
    held: str = ""
    """Id of the last step that is held to the deadline, where others come after it; "" where it ends the plan."""
    calculated: date | None = None
    """Finish by needs, estimates and calendars, if that is not the one that the plan's dates say."""
    assumed: tuple[str, ...] = ()
    """Ids of open steps of which nobody said how long they take: a day is assumed."""
    critical_path: tuple[str, ...]
    steps: tuple[StepFigures, ...]
    """In the order of the plan."""
    count: int
    """Steps that are work: neither dropped nor made of parts."""
    done: int
    costs: Costs
    limits: tuple[Limit, ...]
    people: tuple[PersonFigures, ...]
    calendar: CalendarFigures
    origins: dict[str, int] = {}
    """How many items come from ``you`` (goal, answer, feedback, edit, file), and from whatever else, the most first."""
    unsound: str = ""
    """Why the dates cannot be calculated, or what they leave out; "" if they are sound."""
    forecast: Forecast | None = None
    """None if nothing is scheduled or left to do, or where nobody asked for it."""
    agreed: date | None = None
    """Finish of the version that was agreed; None if this is that version, or none was agreed."""

    @property
    def ends(self) -> date | None:
        """The last day of what is held to the deadline."""
        held = next((step for step in self.steps if step.step == self.held), None)
        return (held.end or held.start) if held else self.finish

    @property
    def distance(self) -> tuple[str, str] | None:
        """How far from the deadline that is, in words, and on which side: ``on`` it, where the words are "".

        In days of the calendar if no working day lies between. None without a deadline.
        """
        if self.slack_days is None or self.deadline is None or self.ends is None:
            return None
        count, unit = self.slack_days or (self.deadline - self.ends).days, "working day" if self.slack_days else "day"
        if not count:
            return "", "on"
        return f"{abs(count):,} {unit}{'' if abs(count) == 1 else 's'}", "before" if count > 0 else "after"


def figures(plan: Plan) -> Figures:
    """Return the figures of a plan without a forecast."""
    return _calculated(plan)[0]


@lru_cache(maxsize=_KEPT)
def with_forecast(plan: Plan) -> Figures:
    """Return the figures of a plan with its forecast. Imports numpy."""
    told, planned = _calculated(plan)
    if planned is None or told.finish is None or told.done == told.count or told.unsound:
        return told
    known = {step.step: day for step in told.steps if (day := step.end or step.start)}
    held = () if told.deadline is None else held_to_day(plan, told.deadline, known)
    return replace(told, forecast=forecast(planned, deadline=told.deadline, held=held))


_YOURS = frozenset({"goal", "answer", "feedback", "person", "file"})


def origins_of(plan: Plan) -> dict[str, int]:
    """Return how many items come from where; those of which nobody recorded it are not counted."""
    kinds = (item.origin.kind for item in plan.items if item.origin is not None)
    return dict(Counter("you" if kind in _YOURS else kind for kind in kinds).most_common())


def short_day(day: date, beside: date | None = None) -> str:
    """Return a day as people write it: ``14 Jan``, with its year if that is not the year of ``beside``."""
    text = f"{day.day} {_MONTHS[day.month - 1]}"
    return text if beside is not None and day.year == beside.year else f"{text} {day.year}"


def first_day(plan: Plan) -> date | None:
    """Return the day on which the work of a plan begins; None if no step has a date."""
    days = (_dates(step, None)[0] for step in plan.steps if step.status != "dropped")
    return min(filter(None, days), default=None)


@lru_cache(maxsize=_KEPT)  # one step of a session asks for those of its plan many times
def _calculated(plan: Plan) -> tuple[Figures, Schedule | None]:
    start, by = first_day(plan), deadline_of(plan)
    unsound = ""
    standing: Standing | None = None
    if start is not None:
        try:
            standing = as_it_stands(plan, start, by)
        except PlanUnsound as error:
            unsound = f"Dates cannot be calculated: {error.message}"
    circular = _circular(standing) if standing else []
    if circular:
        needs = " and ".join(f"{step} needs {need}" for step, need in circular)
        unsound = f"The dates are not sound: they leave out that {needs}, as these wait for one another."
    leaves = tuple(_leaves(plan))
    is_open = start is not None and any(map(_has_no_end, _firm(plan, leaves)))
    steps = tuple(_steps(plan, standing, is_scheduled=start is not None, is_open=is_open))
    if circular:  # what nothing can slip behind says nothing of what can
        steps = tuple(replace(step, slack=None, critical=False) for step in steps)
    firm = {step.id for step in _firm(plan, [step for step in plan.steps if step.status != "dropped"])}
    ends = (step.end or step.start for step in steps if step.step in firm)
    finish = None if is_open else max(filter(None, ends), default=None)
    last_days = {step.step: step.end or step.start for step in steps}
    known = {name: day for name, day in last_days.items() if day is not None}
    held = last_held(plan, by, known) if by is not None else ""
    first = min((step.start for step in steps if step.start), default=None)
    told = Figures(
        start=first,
        finish=finish,
        deadline=by,
        day=day_named(plan, by),
        slack_days=None if unsound else _slack(known.get(held, finish) if finish else None, by, standing),
        held=held if finish is not None and known.get(held, finish) < finish else "",
        calculated=standing.planned.finish if standing and finish and standing.planned.finish != finish else None,
        assumed=tuple(step.id for step in leaves if standing and _is_assumed(step, standing)),
        critical_path=standing.planned.critical_path if standing and not (is_open or unsound) else (),
        steps=steps,
        count=len(leaves),
        done=sum(step.status == "done" for step in leaves),
        costs=costs(plan),
        limits=limits(plan),
        people=tuple(_people(plan, leaves, standing)),
        calendar=_calendar(plan, first, max(filter(None, last_days.values()), default=None)),
        origins=origins_of(plan),
        unsound=unsound,
    )
    return told, standing.planned if standing else None


def _circular(standing: Standing) -> list[tuple[str, str]]:
    """Return steps and what they need that no date waits for, as it waits for them."""
    network = standing.planned.network
    return [(step, need) for step, need in network.left_out if need in network.tasks]


def _has_no_end(step: Step) -> bool:
    """Tell whether nobody has said when a step happens or how long it takes; no finish is known then."""
    has_length = step.effort is not None or step.duration or step.waiting is not None or step.milestone
    return step.status == "todo" and not has_length and step.on is None and step.start is None and step.end is None


def _is_assumed(step: Step, standing: Standing) -> bool:
    has_length = own_minutes(step) is not None or step.duration or step.waiting is not None or step.milestone
    is_known = has_length or step.on or step.left is not None or step.status == "done"
    return not is_known and step.id not in standing.lasting


def _slack(finish: date | None, by: date | None, standing: Standing | None) -> int | None:
    if finish is None or by is None or standing is None:
        return None
    return working_days_between(finish, by, standing.planned.network.times.own)


# --- the schedule of a plan as it is ------------------------------------------------------------------------------


class Standing(Struct, frozen=True):
    """A plan's schedule with the days that the plan sets."""

    planned: Schedule
    steps: tuple[Step, ...]
    """The plan's, with the days that it sets without saying so."""
    set_days: frozenset[str]
    """Ids of the steps that have such a day."""
    lasting: frozenset[str]
    """Ids of the steps without an estimate that take as long as their dates."""


def as_it_stands(plan: Plan, start: date, by: date | None) -> Standing:
    """Return the schedule that has the plan's own dates, as far as these can be. Raises PlanUnsound.

    A step that stands later than needs, calendar and people ask for is set there: not before that day; on the very day
    if it is the deadline, or one on which nobody works. A step without an estimate takes as long as its dates.
    """
    times, kept = WorkTimes.from_plan(plan), frozenset[str]()
    lasting = {step.id: effort for step in plan.steps if (effort := _lasting(step, times)) is not None}
    steps = tuple(replace(step, effort=lasting[step.id]) if step.id in lasting else step for step in plan.steps)
    rounds = _ROUNDS if len(steps) <= _LARGE else 1
    while True:
        tries = None if not kept or len(steps) <= _SMALL else 0
        planned = schedule(steps, start=start, deadline=by, times=times, tries=tries)
        later = _later(planned, steps) if rounds else {}
        first = {step.id for step in steps if step.id in later and later.keys().isdisjoint(step.needs)}
        if not first:
            return Standing(planned, steps, kept, frozenset(lasting))
        steps = tuple(_set(step, later[step.id], by, times) if step.id in first else step for step in steps)
        kept, rounds = kept | first, rounds - 1


def _lasting(step: Step, times: WorkTimes) -> Effort | None:
    """Return the work that the dates of an open step without an estimate have room for, if that is over a day."""
    start, end = day_of(step.start), day_of(step.end)
    has_length = own_minutes(step) is not None or step.duration or step.waiting is not None or step.milestone
    is_work = not has_length and step.status != "done"
    if not is_work or start is None or end is None:
        return None
    days = times.minutes_of_each(step, start, end) / FULL_DAY / share_of(step)
    return Effort(days, days, days) if days > UNESTIMATED_DAYS else None


def _later(planned: Schedule, steps: Sequence[Step]) -> dict[str, date]:
    """Return the steps still to do that the plan begins later than calculated, each with its day."""
    begins = {row.step: row.start for row in planned.rows if row.step in planned.network.tasks}
    return {
        step.id: day
        for step in steps
        if step.status in ("todo", "waiting") and step.on is None
        if (day := day_of(step.start)) and step.id in begins and day > begins[step.id]
    }


def _set(step: Step, day: date, by: date | None, times: WorkTimes) -> Step:
    theirs = times.people.get(name_key(step.owner), times.own)
    is_fixed = day == by or not theirs.minutes(day.toordinal())
    return replace(step, on=day.isoformat()) if is_fixed else replace(step, not_before=day.isoformat())


# --- rows -------------------------------------------------------------------------------------------------------------


def _steps(plan: Plan, standing: Standing | None, *, is_scheduled: bool, is_open: bool) -> Iterator[StepFigures]:
    """Yield the rows of a plan; where its end is open, a step that has no dates is given none."""
    rows = {row.step: row for row in standing.planned.rows} if standing else {}
    closing, conditional = Closing.from_plan(plan), plan.conditional
    for step in plan.steps:
        row = None if is_open and not (step.start or step.end) else rows.get(step.id)
        start, end = _dates(step, row) if is_scheduled and step.status != "dropped" else (None, None)
        why = _reason_for_start(step, row, standing, rows, closing) if row and standing else ""
        yield StepFigures(
            step=step.id,
            title=step.title,
            owner=step.owner,
            part_of=step.parent,
            kind="milestone" if step.milestone else "work" if step.waiting is None else "waiting",
            status=step.status,
            start=start,
            end=end,
            slack=row.slack if row and _can_slip(step) and step.id not in conditional else None,
            critical=row is not None and row.critical and step.status != "done",
            why=why,
            cost=step.cost,
            cost_kind=step.cost_kind,
        )


def _can_slip(step: Step) -> bool:
    """Tell whether a step has slack: none that is done, or that is on a day of its own and stays there."""
    return step.status != "done" and (step.on is None or step.status == "under-way")


def _dates(step: Step, row: ScheduledStep | None) -> tuple[date | None, date | None]:
    """Return the dates of a step: as it happened, else as the plan says, else as calculated."""
    start, end = day_of(step.start), day_of(step.end)
    if step.status in ("done", "under-way"):
        finished = day_of(step.finished)
        start, end = day_of(step.started) or start or finished, finished or end
    if row is None:
        return start, end
    start, end = start or row.start, end or row.end
    return min(start, end) if step.status == "done" and not step.started else start, end


def _reason_for_start(
    step: Step,
    row: ScheduledStep,
    standing: Standing,
    rows: Mapping[str, ScheduledStep],
    closing: Closing,
) -> str:
    """Return why a step begins when it does."""
    if step.status == "done":
        return "done"
    if row.step not in standing.planned.network.tasks:
        return "with its first part"
    other = row.why.step
    since: int | None
    match row.why.why:
        case "start":
            told, since = "the work begins", standing.planned.network.start // DAY
        case "need":
            lag = next((lag for lag in step.lags if lag.step == other), None)
            told, since = f"after {other}", rows[other].end.toordinal() + 1 if other in rows and lag is None else None
            if lag is not None:
                told += f" + {lag_told(lag.days, lag.elapsed, as_hours=lag.hours)}"
        case "busy":
            theirs = set(map(name_key, standing.planned.network.tasks[other].step.owners))
            who = next((name for name in step.owners if name_key(name) in theirs), step.owner)
            told = f"{who} is busy with {other}"
            since = rows[other].end.toordinal() + 1 if other in rows else None
        case "not-before" | "on" if step.id in standing.set_days:
            told, since = "set by the plan", None
        case "not-before":
            day = day_of(step.not_before)
            told, since = (f"not before {short_day(day, row.start)}", day.toordinal()) if day else ("", None)
        case "decision":
            latest = date.fromordinal(standing.planned.network.times.undecided[other])
            told, since = f"{other} may be decided until {short_day(latest, row.start)}", latest.toordinal() + 1
        case "on":
            told, since = FIXED_DAY, None
        case "happened":
            told, since = "it began then", None
        case "backward":
            told, since = f"just in time for {other or 'the deadline'}", None
    told += "".join(f"; {need} left out, which waits for it" for name, need in _circular(standing) if name == step.id)
    told += _closed(step, closing, standing.planned.network.times, since, row.start)
    start, end = _dates(step, row)
    if step.status != "under-way" and start != row.start:
        told += f"; calculated: {short_day(row.start, start)} to {short_day(row.end, start)}"
    elif step.status != "under-way" and end and row.end > end:
        told += f"; calculated: until {short_day(row.end, end)}"
    return told


def _closed(step: Step, closing: Closing, times: WorkTimes, since: int | None, start: date) -> str:
    """Say why nothing was done between the day on which a step could have begun and the one on which it does."""
    place, away = times.place(step), closing.people.get(name_key(step.owner), ())
    for day in map(date.fromordinal, range(start.toordinal() - 1, (since or start.toordinal()) - 1, -1)):
        until = f"until {short_day(day, start)}"
        if day in away:
            return f"; {step.owner} is away {until}"
        if place is not None and closing.is_closed(place, day):
            return f"; {place.text} is closed {until}"
        off = closing.tagged(day, step.tags) or closing.everybody.get(day)
        if off is not None and not off.country:
            return f"; {off.text} {until}"
    return ""


def _leaves(plan: Plan) -> Iterator[Step]:
    """Yield the steps that are work of their own."""
    wholes = {step.parent for step in plan.steps if step.status != "dropped"}
    return (step for step in plan.steps if step.status != "dropped" and step.id not in wholes)


def _firm(plan: Plan, steps: Collection[Step]) -> Collection[Step]:
    """Return the steps that are done in any case; all if none is."""
    conditional = plan.conditional
    return [step for step in steps if step.id not in conditional] or steps


# --- people and calendar ----------------------------------------------------------------------------------------------


def _people(plan: Plan, leaves: Collection[Step], standing: Standing | None) -> Iterator[PersonFigures]:
    known = {name_key(person.text): person for person in plan.people}
    names = {name: person.text for name, person in known.items()}
    own: dict[str, dict[str, Step]] = {}
    for step in leaves:
        for owner in step.owners:
            if owner.strip():
                names.setdefault(name_key(owner), owner)
                own.setdefault(name_key(owner), {})[step.id] = step
    conditional = plan.conditional
    work = work_by_day(standing.planned, standing.lasting, _moved(standing)) if standing else {}
    for key, name in names.items():
        steps = own.get(key, {})
        person = known.get(key)
        times = standing.planned.network.times if person and standing else None
        calendar = times.people[key] if times else None
        fullest = peak(work.get(key, {}), calendar, by_week=key in times.limited) if calendar and times else None
        yield PersonFigures(
            name=name,
            role=person.role if person else "",
            hours=person.hours if person else None,
            weekdays=person.weekdays if person else (),
            steps=tuple(steps),
            days=sum(_days(step) or 0 for step in steps.values() if step.id not in conditional),
            assumed=sum(_assumed(step) for step in steps.values() if step.id not in conditional),
            load=_load(key, standing, calendar) if calendar and standing else None,
            peak=fullest[:2] if fullest else None,
            peak_steps=fullest[2] if fullest else (),
            away=person.away if person else (),
        )


def _moved(standing: Standing) -> dict[str, tuple[date, date]]:
    """Return the dates that the plan gives open steps on other days than those that are calculated."""
    rows = {row.step: row for row in standing.planned.rows}
    steps = ((step, *_dates(step, rows.get(step.id))) for step in standing.steps if step.status == "todo")
    return {
        step.id: (start, end)
        for step, start, end in steps
        if start
        and end
        and start <= end
        and step.id in rows
        and (start, end) != (rows[step.id].start, rows[step.id].end)
    }


def _days(step: Step) -> float | None:
    """Return the days of a step that each of its owners has; None if nothing says how much work it is."""
    if step.milestone or step.waiting is not None:
        return 0.0
    minutes = own_minutes(step)
    return None if minutes is None else minutes / FULL_DAY


def _assumed(step: Step) -> float:
    return UNESTIMATED_DAYS * share_of(step) if _days(step) is None else 0.0


def _load(name: str, standing: Standing, calendar: Calendar) -> float | None:
    planned = standing.planned
    first, last = planned.network.start // DAY, planned.finish.toordinal()
    booked = {day for _, days in planned.network.set_work.get(name, ()) for day in days}
    is_off = not all(map(calendar.minutes, booked))
    if is_off and name in planned.network.times.limited:  # what is set for a day off takes hours of its week
        first, last = monday(first), monday(last) + 6
    room = calendar.worked_before(last + 1) - calendar.worked_before(first)
    given = (
        task
        for task in planned.network.firm.values()
        if own_minutes(task.step) is not None and task.step.id not in standing.lasting
    )
    work = sum(dict(task.loads).get(name, 0) for task in given)
    return work / room if room else None


def _calendar(plan: Plan, first: date | None, last: date | None) -> CalendarFigures:
    week: tuple[int, ...] = (1, 2, 3, 4, 5)
    backward, off = False, []
    for item in plan.items:
        if isinstance(item, WorkingTime):
            week, backward = item.weekdays, item.backward
    for closed, every in Closing.from_plan(plan).items:
        days = sum(first <= day <= last for day in every) if first and last else 0
        off.append(DaysOffFigures(text=closed.text, country=closed.country, days=days))
    return CalendarFigures(weekdays=week, backward=backward, days_off=tuple(off))
