"""MS-Project XML (MSPDI) as a plan, whoever wrote it: MS Project, ProjectLibre, GanttProject, or this workbench.

Task · Duration · PercentComplete ─▶ step · effort · status     PredecessorLink ─▶ need, with its lag
Assignment · Resource             ─▶ owner
WeekDay ─▶ working time           Exception 8–12 March ─▶ days off          Exception "1 May, 5 times" ─▶ a yearly rule
the calendar of a resource        ─▶ a person, away on its exceptions

Source: Microsoft's schema mspdi_pj12.xsd. Money is in hundredths there, lags in tenths of a minute.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec import Struct, field

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.formats.xml import HEADS_PARTS, Element, day_of, parsed
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.lines.values import NEAR, work_of
from workbench.domain.plan.importing.words import words
from workbench.domain.plan.plan import Days, DaysOff, Effort, Lag, Money, Person, Rule, WorkingTime
from workbench.domain.plan.scheduling.recurrence import rule_of
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import WEEKDAY_CODES

WEEK = (1, 2, 3, 4, 5)
_EVERY = {"1": "DAILY", "2": "YEARLY", "4": "MONTHLY", "6": "WEEKLY"}
"""Kinds of exceptions that are rules, by how often they come."""
_NO_RULE = "a plan has no such rule"


class _Off(Struct):
    """Days off of one name."""

    line: int
    days: list[Days] = field(default_factory=list)
    again: list[Rule] = field(default_factory=list)


class Calendars:
    """Reads the calendars of one project."""

    def __init__(self, assembly: Assembly, project: Element) -> None:
        self._assembly = assembly
        self._project = project
        self._all = {one.get("UID"): one for one in project.all("Calendars", "Calendar")}

    def read(self) -> None:
        """Add what the project's calendar says, and the people who have one of their own."""
        uid = self._project.get("CalendarUID")
        calendar = self._all.get(uid)
        if calendar is not None:
            self._of_all(calendar)
        for one in self._project.all("Resources", "Resource"):
            own = self._all.get(one.get("CalendarUID"))
            if own is not None and own is not calendar and own.get("IsBaseCalendar") != "1" and one.get("Name"):
                self._of_person(one, own)

    def _of_all(self, calendar: Element) -> None:
        section = self._assembly.section("calendar")
        week = self._week(calendar)
        if week and week != WEEK:
            item = self._assembly.item(section, WorkingTime, calendar.line, weekdays=week)
            self._assembly.fates(calendar.lines, "field", item)
        for name, off in self._days_off(calendar).items():
            days, again = tuple(off.days), tuple(off.again)
            item = self._assembly.item(section, DaysOff, off.line, text=name, days=days, again=again)
            self._assembly.fates(calendar.lines, "field", item)

    def _of_person(self, resource: Element, calendar: Element) -> None:
        off = self._days_off(calendar)
        week = self._week(calendar) if calendar.all("WeekDays", "WeekDay") else ()
        values: dict[str, Any] = {
            "away": tuple(days for one in off.values() for days in one.days),
            "away_again": tuple(rule for one in off.values() for rule in one.again),
            "weekdays": week if week != WEEK else (),
            "role": ", ".join(name for name in off if name != "Days off"),
        }
        if not any(values.values()):
            return
        section = self._assembly.section("people")
        line = next((one.line for one in resource.all("Name")), resource.line)
        item = self._assembly.item(section, Person, line, text=resource.get("Name"), **values)
        self._assembly.fates(calendar.lines, "field", item)

    # --- weekdays -----------------------------------------------------------------------------------------------------

    def _week(self, calendar: Element) -> tuple[int, ...]:
        """Return the working days; those that a calendar does not name are those of its base, or Monday to Friday."""
        base = self._all.get(calendar.get("BaseCalendarUID"))
        working = set(self._week(base) if base is not None and base is not calendar else WEEK)
        for one in calendar.all("WeekDays", "WeekDay"):
            kind = one.get("DayType")
            if kind in ("1", "2", "3", "4", "5", "6", "7"):
                day = int(kind) - 1 or 7  # 1 is Sunday there
                working = working | {day} if one.get("DayWorking") == "1" else working - {day}
                self._hours(one)
        return tuple(sorted(working))

    def _hours(self, weekday: Element) -> None:
        """List the hours of a day that is shorter than the others: a plan's days are all as long."""
        spans = [(one.get("FromTime"), one.get("ToTime")) for one in weekday.all("WorkingTimes", "WorkingTime")]
        minutes = sum(_minutes(last) - _minutes(first) for first, last in spans if first and last)
        if spans and 0 < minutes < 360:
            text = ", ".join(f"{first[:5]} to {last[:5]}" for first, last in spans)
            name = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
            said = f"{name[int(weekday.get('DayType')) - 1]}: {text}"
            self._assembly.keep(weekday.line, "a plan's working days are all as long", said)

    # --- exceptions ---------------------------------------------------------------------------------------------------

    def _days_off(self, calendar: Element) -> dict[str, _Off]:
        """Return the days off of a calendar by name: its exceptions, and weekdays that are none but a period."""
        found: dict[str, _Off] = {}
        for one in self._exceptions(calendar):
            first, last = day_of(one.get("TimePeriod", "FromDate")), day_of(one.get("TimePeriod", "ToDate"))
            name = one.get("Name") or "Days off"
            if not first or not last or one.get("DayWorking") != "0":
                said = f"{name}: {first or '?'} to {last or '?'}"
                self._assembly.keep(one.line, "it is a day of work beside the others, or no day", said)
                continue
            off = found.setdefault(name, _Off(one.line))
            rule = self._rule(one, first, last)
            if rule is not None:
                off.again.append(rule)
            elif one.get("Type") in ("", "1"):
                off.days.append(Days(first, last))
            else:
                self._assembly.keep(one.line, _NO_RULE, f"{name}: from {first} to {last}, type {one.get('Type')}")
        return {name: off for name, off in found.items() if off.days or off.again}

    @staticmethod
    def _exceptions(calendar: Element) -> Iterator[Element]:
        yield from (one for one in calendar.all("WeekDays", "WeekDay") if one.get("DayType") == "0")
        yield from calendar.all("Exceptions", "Exception")

    @staticmethod
    def _rule(one: Element, first: str, last: str) -> Rule | None:
        """Return the rule of an exception that comes again; None for one that is only a stretch of days."""
        kind, interval = _EVERY.get(one.get("Type"), ""), one.get("Period") or "1"
        if kind == "DAILY" and interval in ("0", "1"):
            return None
        parts = [f"FREQ={kind}", f"INTERVAL={interval}"]
        if kind == "WEEKLY":
            bits = int(_number(one.get("DaysOfWeek")))
            parts.append(f"BYDAY={','.join(code for at, code in enumerate(WEEKDAY_CODES, 1) if bits >> at % 7 & 1)}")
        if kind in ("MONTHLY", "YEARLY"):
            parts.append(f"BYMONTHDAY={one.get('MonthDay')}")
        if kind == "YEARLY":
            parts.append(f"BYMONTH={int(_number(one.get('Month'))) + 1}")
        rule = rule_of(";".join(parts), first, until=last)
        return rule if rule is not None and rule.first <= last else None


def _minutes(clock: str) -> int:
    hours, _, rest = clock.partition(":")
    minutes = rest[:2]
    return int(hours) * 60 + int(minutes) if hours.isdecimal() and minutes.isdecimal() else 0


ID, ESTIMATE = "Workbench id", "Estimate"
"""What our own fields of a task are called."""
_DURATION = lazy_pattern(r"P(?:(\d{1,5})D)?T(\d{1,7})H(?:(\d{1,2})M)?(?:[\d.]{1,9}S)?")
_OF_TOOL = lazy_pattern(r"[-\d.:/TZ+]*|P[\dT][\dDHMS.]*|[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}|NA")
"""What a program writes for itself: numbers, moments, durations, identifiers."""
_ELAPSED = frozenset({"4", "6", "8", "10", "12", "36", "38", "40", "42", "44"})
"""Formats of durations in time of the clock, and not of work."""
_PERCENT = frozenset({"19", "20", "51", "52"})
"""Formats of lags that are shares of a duration."""
_LIMITS = {"2": "on", "3": "deadline", "4": "not_before", "7": "deadline"}
"""Kinds of constraints, by the fields that they are."""
_OTHER_LIMITS = {"5": "Start no later than", "6": "Finish no earlier than"}
_LINKS = {"0": "finish to finish", "2": "start to finish", "3": "start to start"}


def read_ms_project(assembly: Assembly) -> Imported:
    """Return the plan of a project. Raises UsageError for a text that is no XML, or has a document type."""
    return _Reader(assembly, parsed("\n".join(assembly.lines))).read()


class _Reader:
    """Reads one project."""

    def __init__(self, assembly: Assembly, project: Element) -> None:
        self._assembly = assembly
        self._project = project
        self._minutes = _number(project.get("MinutesPerDay")) or 480.0
        """Of work in a day."""
        self._fields = {
            one.get("FieldID"): one.get("Alias") or one.get("FieldName")
            for one in project.all("ExtendedAttributes", "ExtendedAttribute")
        }
        names = {one.get("UID"): one.get("Name") for one in project.all("Resources", "Resource")}
        self._owners: dict[str, dict[str, float]] = defaultdict(dict)
        """Who does each task, and which part of their time it takes, by UID."""
        for one in project.all("Assignments", "Assignment"):
            if name := names.get(one.get("ResourceUID")):
                self._owners[one.get("TaskUID")].setdefault(name, _number(one.get("Units")) or 1.0)
        self._names: dict[str, str] = {}
        """What tasks are called where others need them, by UID."""

    def read(self) -> Imported:
        self._assembly.title = self._project.get("Title") or self._project.get("Name").removesuffix(".xml")
        Calendars(self._assembly, self._project).read()
        tasks = [
            task
            for task in self._project.all("Tasks", "Task")
            if words(task.get("Name")) and task.get("IsNull") != "1" and task.get("OutlineLevel") != "0"
        ]
        for task in tasks:
            uid = task.get("UID")
            self._names[uid] = self._custom_fields(task).get(ID) or f"uid-{uid}"
        self._tasks(tasks)
        self._assembly.says_all(list(self._texts(tasks)))
        return self._assembly.build("ms-project")

    def _custom_fields(self, task: Element) -> dict[str, str]:
        """Return the fields of a task that somebody defined, by what they are called."""
        told = ((one.get("FieldID"), one.get("Value")) for one in task.all("ExtendedAttribute"))
        return {self._fields.get(name, name): value for name, value in told if value}

    def _texts(self, tasks: Sequence[Element]) -> Iterator[tuple[int, str]]:
        """Yield what has to be in the plan, with its line: what people wrote, and not what programs note."""
        every = [part for task in tasks for part in task.parts]
        every += [part for task in tasks for one in task.all("ExtendedAttribute") for part in one.all("Value")]
        every += self._project.all("Title") + self._project.all("Resources", "Resource", "Name")
        known = {(element.line, element.text.strip()) for element in every if not element.parts}
        yield from ((line, text) for line, text in sorted(known) if words(text) and not _OF_TOOL.fullmatch(text))

    # --- tasks --------------------------------------------------------------------------------------------------------

    def _tasks(self, tasks: Sequence[Element]) -> None:
        """Add the tasks: one with parts is a step; one with parts that have parts themselves is a workstream."""
        levels = [int(_number(task.get("OutlineLevel")) or 1) for task in tasks]
        above: list[tuple[int, StepDraft | str]] = []
        for place, (task, level) in enumerate(zip(tasks, levels, strict=True)):
            while above and above[-1][0] >= level:
                above.pop()
            deepest = level
            for below in levels[place + 1 :]:
                if below <= level or deepest > level + 1:
                    break
                deepest = max(deepest, below)
            if deepest > level + 1:
                self._names[task.get("UID")] = task.get("Name")
                self._assembly.guess(HEADS_PARTS.format(task.get("Name")))
                above.append((level, task.get("Name")))
                continue
            step = self._step(task, has_parts=deepest > level)
            step.parent = next((one for _, one in reversed(above) if isinstance(one, StepDraft)), None)
            step.workstream = " / ".join(one for _, one in above if isinstance(one, str))
            if self._assembly.step(step, task.lines) is not None:
                above.append((level, step))

    def _step(self, task: Element, *, has_parts: bool) -> StepDraft:
        line = next((one.line for one in task.all("Name")), task.line)
        uid, own = task.get("UID"), self._custom_fields(task)
        draft = StepDraft(line, task.get("Name"), ids=[self._names[uid]])
        values: dict[str, Any] = {
            "owner": next(iter(self._owners[uid]), ""), "also": tuple(self._owners[uid])[1:],
            "milestone": task.get("Milestone") == "1",
            "start": day_of(task.get("Start")), "end": day_of(task.get("Finish")),
            "deadline": day_of(task.get("Deadline")),
            "cost": self._cost(task), **self._duration(task, own.get(ESTIMATE, ""), has_parts=has_parts),
        }  # fmt: skip
        percent = _number(task.get("PercentComplete"))
        values["status"] = "done" if percent >= 100 else "under-way" if percent > 0 else "todo"
        if 0 < percent < 100 and "effort" in values:
            values["left"] = round(values["effort"].likely * (100 - percent) / 100, 2)
        for name in ("Start", "Finish", "Deadline", "ActualStart", "ActualFinish"):
            if (text := task.get(name)) and text != "NA" and day_of(text) is None:
                draft.unread.append((line, f"{name}: {text}", "it is no day"))
        kind, day = task.get("ConstraintType"), day_of(task.get("ConstraintDate"))
        if day and kind in _LIMITS:
            values[_LIMITS[kind]] = day
        elif day and kind in _OTHER_LIMITS:
            draft.notes.append(f"{_OTHER_LIMITS[kind]} {day}")
        notes = [one for one in task.get("Notes").split("\n") if one.strip()]
        if ID in own:
            checks = [at for at, one in enumerate(notes) if one.startswith("Check: ")]
            values["outcome"] = "\n".join(notes[: checks[0] if checks else 1])
            values["check"] = notes[checks[0]].removeprefix("Check: ") if checks else ""
            notes = notes[checks[0] + 1 if checks else 1 :]
        began, ended = day_of(task.get("ActualStart")), day_of(task.get("ActualFinish"))
        values |= {"started": began if percent else None, "finished": ended if percent >= 100 else None}
        draft.notes += notes
        draft.notes += [f"{name}: {value}" for name, value in own.items() if name not in (ID, ESTIMATE)]
        draft.notes += [
            f"{part.name}: {part.text.strip()}"
            for part in task.parts
            if part.name not in ("Name", "Notes") and not part.parts and not _OF_TOOL.fullmatch(part.text.strip())
        ]
        draft.values = {name: value for name, value in values.items() if value}
        self._needs(draft, task)
        return draft

    def _duration(self, task: Element, estimate: str, *, has_parts: bool) -> dict[str, Any]:
        """Return the effort, or the waiting, of a task; with a range where we had written one, and it still holds."""
        match = _DURATION.fullmatch(task.get("Duration"))
        low, likely, high = (_number(part) for part in (estimate.split("/") if estimate.count("/") == 2 else "000"))
        written = {"effort": Effort(low, likely, high)} if high else {}
        if match is None or has_parts or task.get("Milestone") == "1":
            return written
        minutes = sum(int(part or 0) * size for part, size in zip(match.groups(), (24 * 60, 60, 1), strict=True))
        if task.get("DurationFormat") in _ELAPSED:
            return {"waiting": round(minutes / (24 * 60), 2)}
        days = round(minutes / self._minutes, 2)
        if task.get("Estimated") == "1":  # how long it takes, and nobody has said how much work it is
            return written or ({"duration": days} if days else {})
        shares = tuple(self._owners[task.get("UID")].values())
        takes = work_of(days, shares) if days else {}
        if abs(days * (sum(shares) or 1.0) - likely) < NEAR:
            return takes | written | {"each": False}
        return takes | (written if abs(days - likely) < NEAR else {})

    def _cost(self, task: Element) -> Money | None:
        with suppress(InvalidOperation):
            for name in ("FixedCost", "Cost"):
                amount = (Decimal(task.get(name) or 0) / 100).quantize(Decimal("0.01"))
                if amount > 0:
                    return Money(amount, self._project.get("CurrencyCode")[:3].upper() or "EUR")
        return None

    def _needs(self, draft: StepDraft, task: Element) -> None:
        for link in task.all("PredecessorLink"):
            kind, needed = link.get("Type"), self._names.get(link.get("PredecessorUID"), "")
            if not needed:
                missing = link.get("PredecessorUID")
                self._assembly.keep(link.line, "no task is called so", f"{draft.title}: PredecessorUID {missing}")
                continue
            if kind in _LINKS:
                why = "a step can only wait for the end of another one"
                self._assembly.keep(link.line, why, f"{draft.title}: {_LINKS[kind]} with {needed}")
                continue
            draft.needs.append((link.line, needed))
            lag, how = _number(link.get("LinkLag")) / 10, link.get("LagFormat")
            if lag < 0 or (lag and how in _PERCENT):
                self._assembly.keep(link.line, "it has no place", f"{draft.title}: LinkLag {link.get('LinkLag')}")
            elif lag:
                day = 24 * 60 if how in _ELAPSED else self._minutes
                draft.lags.append(Lag(needed, round(lag / day, 2), how in _ELAPSED))


def _number(text: str) -> float:
    """Return a number; 0 for none."""
    return float(text) if re.fullmatch(r"-?\d{1,12}(?:\.\d{1,12})?", text) else 0.0
