"""Steps as MS-Project XML (MSPDI), which GanttProject, ProjectLibre and MS Project open. The order of elements matters.

Source: Microsoft's schema mspdi_pj12.xsd.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import count
from typing import TypeAlias
from xml.etree import ElementTree as ET

from workbench.domain.plan.importing.formats.ms_project import ESTIMATE, ID, WEEK
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Days, DaysOff, Lag, Plan, Step, WorkingTime
from workbench.domain.plan.scheduling.step_days import first_day, last_day
from workbench.domain.plan.scheduling.step_work import share_of
from workbench.domain.text.cleaning import clean
from workbench.domain.text.patterns import lazy_pattern

_SPACE = "http://schemas.microsoft.com/project"
_ID, _ESTIMATE = ("188743731", "Text1", ID), ("188743734", "Text2", ESTIMATE)
"""Fields of our own: number, name, and what they are called."""
_HOURS = 8
_MORNING, _EVENING = "T08:00:00", "T17:00:00"
_SHIFTS = (("08:00:00", "12:00:00"), ("13:00:00", "17:00:00"))  # as MS Project has them
_SETTINGS = (
    ("CalendarUID", "1"), ("DefaultStartTime", _MORNING[1:]), ("DefaultFinishTime", _EVENING[1:]),
    ("MinutesPerDay", str(_HOURS * 60)), ("MinutesPerWeek", str(5 * _HOURS * 60)), ("DaysPerMonth", "20"),
)  # fmt: skip
_STARTS_ON, _STARTS_NO_EARLIER = "2", "4"
_DAYS, _ELAPSED_DAYS = "7", "8"
"""How durations are shown: in days of work, or of the calendar."""
_UID = lazy_pattern(r"uid-(\d{1,9})", re.ASCII)
_MOST = 2_000_000_000
"""Minutes that a duration can have."""


_Parts: TypeAlias = "Iterable[tuple[str, str | _Parts | None]]"
"""Names of elements, each with its text, or with what is below it; None for an element that is not written."""


def as_mspdi(plan: Plan, now: datetime) -> str:
    """Return the steps of a plan, without dropped ones, with calendar, owners and links."""
    open_steps = [step for step in plan.steps if step.status != "dropped"]
    ids = {step.id for step in open_steps if not step.parent}
    steps = [  # parts are below what they are parts of
        one
        for step in open_steps
        if step.parent not in ids
        for one in (step, *(part for part in open_steps if part.parent == step.id and step.id in ids))
    ]
    first = min((step.start for step in steps if step.start), default=now.date().isoformat())
    uids = _uids(steps)
    owners = {one: str(at) for at, one in enumerate(dict.fromkeys(name for step in steps for name in step.owners), 1)}
    fields = [
        ("ExtendedAttribute", (("FieldID", field), ("FieldName", name), ("Alias", alias)))
        for field, name, alias in (_ID, _ESTIMATE)
    ]
    project = ET.Element("Project", xmlns=_SPACE)
    _fill(
        project,
        (
            ("SaveVersion", "14"),
            ("Title", plan.title or "Plan"),
            ("ScheduleFromStart", "1"),
            ("StartDate", f"{first}{_MORNING}"),
            ("CurrencyCode", next((step.cost.currency for step in steps if step.cost), "EUR")),
            *_SETTINGS,
            ("ExtendedAttributes", fields),
            ("Calendars", [("Calendar", _calendar(plan))]),
            ("Tasks", [("Task", _task(one, at, uids, is_part=one.parent in ids)) for at, one in enumerate(steps, 1)]),
            ("Resources", [("Resource", _resource(owner, uid)) for owner, uid in owners.items()] or None),
            ("Assignments", list(_assignments(steps, uids, owners)) or None),
        ),
    )
    ET.indent(project, space=" ")
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{ET.tostring(project, encoding="unicode")}\n'


def _uids(steps: Sequence[Step]) -> dict[str, str]:
    """Return the UIDs of tasks: what came from a project keeps its own."""
    given: dict[str, str] = {}
    for step in steps:
        uid = _UID.fullmatch(step.tags[0]) if step.tags else None
        if uid is not None and uid[1] not in given.values():
            given[step.id] = uid[1]
    used = set(given.values())
    free = (uid for uid in map(str, count(1)) if uid not in used)
    return {step.id: given.get(step.id) or next(free) for step in steps}


def _fill(element: ET.Element, parts: _Parts) -> None:
    for name, value in parts:
        if isinstance(value, str):
            ET.SubElement(element, name).text = clean(value)
        elif value is not None:
            _fill(ET.SubElement(element, name), value)


def _calendar(plan: Plan) -> _Parts:
    week = next((item.weekdays for item in plan.items if isinstance(item, WorkingTime)), WEEK)
    spans = [(item.text, days) for item in plan.items if isinstance(item, DaysOff) for days in item.days]
    exceptions = [("Exception", _exception(name, span)) for name, span in spans]
    yield from (("UID", "1"), ("Name", "Standard"), ("IsBaseCalendar", "1"), ("BaseCalendarUID", "-1"))
    days = (_weekday(day, works=(day + 5) % 7 + 1 in week) for day in range(1, 8))  # 1 is Sunday there
    yield "WeekDays", [("WeekDay", day) for day in days]
    yield "Exceptions", exceptions or None


def _weekday(day: int, *, works: bool) -> _Parts:
    shifts = [("WorkingTime", (("FromTime", begin), ("ToTime", end))) for begin, end in _SHIFTS]
    return ("DayType", str(day)), ("DayWorking", "1" if works else "0"), ("WorkingTimes", shifts if works else None)


def _exception(name: str, span: Days) -> _Parts:
    period = (("FromDate", f"{span.first}T00:00:00"), ("ToDate", f"{span.last}T23:59:00"))
    yield from (("EnteredByOccurrences", "0"), ("TimePeriod", period), ("Occurrences", "1"), ("Name", name))
    yield from (("Type", "1"), ("DayWorking", "0"))


def _as_integer(value: float) -> int:
    """Return a number as a whole one, within what the format can hold: a file may have any number."""
    return 0 if math.isnan(value) else round(min(max(value, -_MOST), _MOST))


def _task(step: Step, place: int, uids: dict[str, str], *, is_part: bool) -> _Parts:
    """Yield the elements of a task in the order of the schema."""
    yield from (
        ("UID", uids[step.id]),
        ("ID", str(place)),
        ("Name", step.title),
        ("Type", "0"),
        ("OutlineLevel", str(1 + is_part)),
    )
    start, end = first_day(step, step.on), last_day(step) or step.on or step.start
    if start and end:
        yield "Start", f"{start}{_MORNING}"
        yield "Finish", f"{end}{_MORNING if step.milestone else _EVENING}"
    is_waiting = step.waiting is not None and not step.milestone
    days = 0.0 if step.milestone else _days(step)
    minutes = _as_integer((step.waiting or 0) * 24 * 60 if is_waiting else days * _HOURS * 60)
    yield "Duration", f"PT{minutes // 60}H{minutes % 60}M0S"
    yield "DurationFormat", _ELAPSED_DAYS if is_waiting else _DAYS
    yield "Estimated", "0" if step.effort or step.milestone or is_waiting else "1"  # a question mark after it
    yield "Milestone", "1" if step.milestone else "0"
    yield "FixedCost", f"{step.cost.amount * 100:f}" if step.cost else None
    yield "PercentComplete", str(_percent(step))
    kind, day = (_STARTS_ON, step.on) if step.on else (_STARTS_NO_EARLIER, step.not_before)
    yield "ConstraintType", kind if day else "0"
    yield "ConstraintDate", f"{day}{_MORNING}" if day else None
    yield "Deadline", f"{step.deadline}{_EVENING}" if step.deadline else None
    said = (step.outcome, f"Check: {step.check}" if step.check else "", step.notes)
    yield "Notes", "\n".join(filter(None, said)) or None
    lags = {lag.step: lag for lag in reversed(step.lags)}
    yield from (("PredecessorLink", _link(uids[need], lags.get(need))) for need in step.needs if need in uids)
    effort = step.effort
    estimate = "/".join(map(number, (effort.low, effort.likely, effort.high))) if effort else ""
    for (field, _, _), value in ((_ID, step.id), (_ESTIMATE, estimate)):
        if value:
            yield "ExtendedAttribute", (("FieldID", field), ("Value", value))


def _link(uid: str, lag: Lag | None) -> _Parts:
    is_elapsed = lag is not None and lag.elapsed
    minutes = _as_integer((lag.days if lag else 0) * (24 if is_elapsed else _HOURS) * 60 * 10)  # tenths of a minute
    yield from (("PredecessorUID", uid), ("Type", "1"), ("LinkLag", str(minutes)))
    yield "LagFormat", _ELAPSED_DAYS if is_elapsed else _DAYS


def _percent(step: Step) -> int:
    """Return how much of a step is done, in hundredths; half of one that is under way if nobody said."""
    if step.status != "under-way":
        return 100 if step.status == "done" else 0
    if step.left is None or step.effort is None or not step.effort.likely:
        return 50
    return min(max(_as_integer(100 - 100 * step.left / step.effort.likely), 1), 99)


def _resource(owner: str, uid: str) -> _Parts:
    return ("UID", uid), ("ID", uid), ("Name", owner), ("Type", "1")


def _days(step: Step) -> float:
    """Return how long the work on a step takes."""
    if step.duration and not step.duration_elapsed:
        return step.duration
    return step.effort.likely * share_of(step) if step.effort else 1.0


def _assignments(steps: Sequence[Step], uids: dict[str, str], owners: dict[str, str]) -> Iterator[tuple[str, _Parts]]:
    does = ((step, owner) for step in steps for owner in step.owners)
    for place, (step, owner) in enumerate(does, start=1):
        days = _days(step)
        units = step.effort.likely * share_of(step) / days if step.effort and days else 1.0
        told = (("UID", str(place)), ("TaskUID", uids[step.id]), ("ResourceUID", owners[owner]))
        yield "Assignment", (*told, ("Units", number(round(units, 2))))
