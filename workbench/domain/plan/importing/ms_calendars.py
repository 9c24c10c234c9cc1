"""The calendars of MS-Project XML: working days, days off, days off that come again, and the leave of people.

WeekDay ─▶ working time         Exception 8–12 March ─▶ days off          Exception "1 May, 5 times" ─▶ a yearly rule
the calendar of a resource ─▶ a person, away on its exceptions
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.xml import Element
from workbench.domain.plan.plan import Days, DaysOff, Person, Rule, WorkingTime
from workbench.domain.values.calendar_words import plannable_day

WEEK = (1, 2, 3, 4, 5)
_EVERY = {"1": "day", "2": "year", "4": "month", "6": "week"}
"""Kinds of exceptions that are rules, by how often they come."""
_NO_RULE = "a plan has no such rule"


@dataclass(slots=True)
class _Off:
    """Days off of one name."""

    line: int
    days: list[Days] = field(default_factory=list)
    again: list[Rule] = field(default_factory=list)


def day_of(text: str) -> str | None:
    """Return the day of a moment as XML has it; None where it is none."""
    day = plannable_day(text[:10]) if text[10:11] in ("", "T") else None
    return day.isoformat() if day else None


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
        for name, off in self._off(calendar).items():
            days, again = tuple(off.days), tuple(off.again)
            item = self._assembly.item(section, DaysOff, off.line, text=name, days=days, again=again)
            self._assembly.fates(calendar.lines, "field", item)

    def _of_person(self, resource: Element, calendar: Element) -> None:
        off = self._off(calendar)
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

    def _off(self, calendar: Element) -> dict[str, _Off]:
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
        kind: Any = _EVERY.get(one.get("Type"))
        interval = int(one.get("Period")) if one.get("Period").isdecimal() and one.get("Period") != "0" else 1
        bits = int(one.get("DaysOfWeek")) if one.get("DaysOfWeek").isdecimal() else 0
        weekdays = tuple(sorted(at or 7 for at in range(7) if bits >> at & 1))
        if kind is None or (kind == "day" and interval == 1) or (kind == "week" and not weekdays):
            return None
        start = _first(one, date.fromisoformat(first), kind, weekdays)
        if start is None or start > date.fromisoformat(last):
            return None
        return Rule(kind, start.isoformat(), interval, weekdays if kind == "week" else (), last)


def _first(one: Element, start: date, kind: str, weekdays: tuple[int, ...]) -> date | None:
    """Return the first day of a rule from one on."""
    month, number = one.get("Month"), one.get("MonthDay")
    for day in (start + timedelta(days=at) for at in range(1_500)):
        is_month = kind != "year" or day.month - 1 == int(month or 0)
        if kind == "week" and day.isoweekday() in weekdays:
            return day
        if kind in ("year", "month") and is_month and str(day.day) == number:
            return day
    return start if kind == "day" else None


def _minutes(clock: str) -> int:
    hours, _, rest = clock.partition(":")
    minutes = rest[:2]
    return int(hours) * 60 + int(minutes) if hours.isdecimal() and minutes.isdecimal() else 0
