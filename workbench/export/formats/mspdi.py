"""Steps as MS-Project XML (MSPDI), which GanttProject, ProjectLibre and MS Project open. The order of elements matters.

Source: Microsoft's schema mspdi_pj12.xsd.
"""

from __future__ import annotations

import math
from datetime import datetime
from xml.etree import ElementTree as ET

from workbench.domain.plan.importing.ms_calendars import WEEK
from workbench.domain.plan.importing.ms_project import ESTIMATE, ID
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import DaysOff, Plan, Step, WorkingTime
from workbench.domain.plan.step_days import last_day
from workbench.domain.text.cleaning import clean

_SPACE = "http://schemas.microsoft.com/project"
_ID, _ESTIMATE = ("188743731", "Text1", ID), ("188743734", "Text2", ESTIMATE)
"""Fields of our own: number, name, and what they are called."""
_HOURS = 8
_MORNING, _EVENING = "T09:00:00", "T18:00:00"
_SHIFTS = (("09:00:00", "13:00:00"), ("14:00:00", "18:00:00"))
_STARTS_ON, _STARTS_NO_EARLIER = "2", "4"
_DAYS, _ELAPSED_DAYS = "7", "8"
"""How durations are shown: in days of work, or of the calendar."""

_MOST = 2_000_000_000
"""Minutes that a duration can have."""


def as_mspdi(plan: Plan, now: datetime) -> str:
    """Return the steps of a plan, without dropped ones, with calendar, owners and links."""
    open_steps = [step for step in plan.steps if step.status != "dropped"]
    ids = {step.id for step in open_steps if not step.parent}
    steps = [  # parts stand below what they are parts of
        one
        for step in open_steps
        if step.parent not in ids
        for one in (step, *(part for part in open_steps if part.parent == step.id and step.id in ids))
    ]
    currencies = [step.cost.currency for step in steps if step.cost]
    first = min((step.start for step in steps if step.start), default=now.date().isoformat())
    project = ET.Element("Project", xmlns=_SPACE)
    _add(project, "SaveVersion", "14")
    _add(project, "Title", plan.title or "Plan")
    for name, value in (
        ("ScheduleFromStart", "1"), ("StartDate", f"{first}{_MORNING}"),
        ("CurrencyCode", currencies[0] if currencies else "EUR"), ("CalendarUID", "1"),
        ("DefaultStartTime", "09:00:00"), ("DefaultFinishTime", "18:00:00"), ("MinutesPerDay", str(_HOURS * 60)),
        ("MinutesPerWeek", str(5 * _HOURS * 60)), ("DaysPerMonth", "20"),
    ):  # fmt: skip
        _add(project, name, value)
    fields = ET.SubElement(project, "ExtendedAttributes")
    for field, name, alias in (_ID, _ESTIMATE):
        described = ET.SubElement(fields, "ExtendedAttribute")
        for key, value in (("FieldID", field), ("FieldName", name), ("Alias", alias)):
            _add(described, key, value)
    _add_calendar(project, plan)
    uids = {step.id: str(place) for place, step in enumerate(steps, start=1)}
    tasks = ET.SubElement(project, "Tasks")
    for step in steps:
        _add_task(tasks, step, uids, is_part=step.parent in ids)
    _add_people(project, steps, uids)
    ET.indent(project, space=" ")
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{ET.tostring(project, encoding="unicode")}\n'


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = clean(text)


def _add_calendar(project: ET.Element, plan: Plan) -> None:
    week = next((item.weekdays for item in plan.items if isinstance(item, WorkingTime)), WEEK)
    calendar = ET.SubElement(ET.SubElement(project, "Calendars"), "Calendar")
    for name, value in (("UID", "1"), ("Name", "Standard"), ("IsBaseCalendar", "1"), ("BaseCalendarUID", "-1")):
        _add(calendar, name, value)
    days = ET.SubElement(calendar, "WeekDays")
    for number_of_day in range(1, 8):  # 1 is Sunday there
        day = ET.SubElement(days, "WeekDay")
        works = ((number_of_day + 5) % 7) + 1 in week
        _add(day, "DayType", str(number_of_day))
        _add(day, "DayWorking", "1" if works else "0")
        if works:
            times = ET.SubElement(day, "WorkingTimes")
            for begin, end in _SHIFTS:
                shift = ET.SubElement(times, "WorkingTime")
                _add(shift, "FromTime", begin)
                _add(shift, "ToTime", end)
    spans = [(item.text, days) for item in plan.items if isinstance(item, DaysOff) for days in item.days]
    exceptions = ET.SubElement(calendar, "Exceptions") if spans else None
    for name, span in spans:
        if exceptions is None:
            break
        exception = ET.SubElement(exceptions, "Exception")
        _add(exception, "EnteredByOccurrences", "0")
        period = ET.SubElement(exception, "TimePeriod")
        _add(period, "FromDate", f"{span.first}T00:00:00")
        _add(period, "ToDate", f"{span.last}T23:59:00")
        for key, value in (("Occurrences", "1"), ("Name", name), ("Type", "1"), ("DayWorking", "0")):
            _add(exception, key, value)


def _whole(value: float) -> int:
    """Return a number as a whole one, within what the format can hold: a file may have any number."""
    return 0 if math.isnan(value) else round(min(max(value, -_MOST), _MOST))


def _add_task(tasks: ET.Element, step: Step, uids: dict[str, str], *, is_part: bool) -> None:
    task = ET.SubElement(tasks, "Task")
    level = "2" if is_part else "1"
    for name, value in (
        ("UID", uids[step.id]), ("ID", uids[step.id]), ("Name", step.title), ("Type", "0"), ("OutlineLevel", level),
    ):  # fmt: skip
        _add(task, name, value)
    start, end = step.started or step.on or step.start, last_day(step) or step.on or step.start
    if start and end:
        _add(task, "Start", f"{start}{_MORNING}")
        _add(task, "Finish", f"{end}{_MORNING if step.milestone else _EVENING}")
    is_waiting = step.waiting is not None and not step.milestone
    days = 0.0 if step.milestone else step.effort.likely if step.effort else 1.0
    minutes = _whole((step.waiting or 0) * 24 * 60 if is_waiting else days * _HOURS * 60)
    _add(task, "Duration", f"PT{minutes // 60}H{minutes % 60}M0S")
    _add(task, "DurationFormat", _ELAPSED_DAYS if is_waiting else _DAYS)
    _add(task, "Estimated", "0" if step.effort or step.milestone or is_waiting else "1")  # a question mark behind it
    _add(task, "Milestone", "1" if step.milestone else "0")
    if step.cost:
        _add(task, "FixedCost", f"{step.cost.amount * 100:f}")
    _add(task, "PercentComplete", str(_percent(step)))
    limit = (_STARTS_ON, step.on) if step.on else (_STARTS_NO_EARLIER, step.not_before)
    _add(task, "ConstraintType", limit[0] if limit[1] else "0")
    if limit[1]:
        _add(task, "ConstraintDate", f"{limit[1]}{_MORNING}")
    if step.deadline:
        _add(task, "Deadline", f"{step.deadline}{_EVENING}")
    said = "\n".join(filter(None, (step.outcome, f"Check: {step.check}" if step.check else "", step.notes)))
    if said:
        _add(task, "Notes", said)
    for need in step.needs:
        if need in uids:
            link = ET.SubElement(task, "PredecessorLink")
            lag = next((lag for lag in step.lags if lag.step == need), None)
            is_elapsed = lag is not None and lag.elapsed
            minutes = _whole((lag.days if lag else 0) * (24 if is_elapsed else _HOURS) * 60 * 10)  # tenths of a minute
            for key, value in (("PredecessorUID", uids[need]), ("Type", "1"), ("LinkLag", str(minutes))):
                _add(link, key, value)
            _add(link, "LagFormat", _ELAPSED_DAYS if is_elapsed else _DAYS)
    estimate = (
        "/".join(number(part) for part in (step.effort.low, step.effort.likely, step.effort.high))
        if step.effort
        else ""
    )
    for (field, _, _), value in ((_ID, step.id), (_ESTIMATE, estimate)):
        if value:
            attribute = ET.SubElement(task, "ExtendedAttribute")
            _add(attribute, "FieldID", field)
            _add(attribute, "Value", value)


def _percent(step: Step) -> int:
    """Return how much of a step is done, in hundredths; half of one that is under way where nobody said."""
    if step.status != "under-way":
        return 100 if step.status == "done" else 0
    if step.left is None or step.effort is None or not step.effort.likely:
        return 50
    return min(max(_whole(100 - 100 * step.left / step.effort.likely), 1), 99)


def _add_people(project: ET.Element, steps: list[Step], uids: dict[str, str]) -> None:
    owners = list(dict.fromkeys(step.owner for step in steps if step.owner))
    if not owners:
        return
    resources, assignments = ET.SubElement(project, "Resources"), ET.SubElement(project, "Assignments")
    for place, owner in enumerate(owners, start=1):
        resource = ET.SubElement(resources, "Resource")
        for name, value in (("UID", str(place)), ("ID", str(place)), ("Name", owner), ("Type", "1")):
            _add(resource, name, value)
    for place, step in enumerate((step for step in steps if step.owner), start=1):
        assignment = ET.SubElement(assignments, "Assignment")
        owner = str(owners.index(step.owner) + 1)
        for name, value in (("UID", str(place)), ("TaskUID", uids[step.id]), ("ResourceUID", owner), ("Units", "1")):
            _add(assignment, name, value)
