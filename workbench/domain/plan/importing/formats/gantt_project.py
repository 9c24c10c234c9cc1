"""A file of GanttProject (``.gan``) as a plan: its tasks, links, people, their vacations, and days off.

task · duration · complete ─▶ step · effort · status       depend, below what comes first ─▶ need, with its lag
allocation · resource      ─▶ owner                        date · default-week            ─▶ days off, weekdays

Source: the reader of MPXJ, and GanttProject's own ``TaskSaver``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.formats.xml import HEADS_PARTS, Element, day_of, parsed
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.lines.values import progress_of, take_progress, work_of
from workbench.domain.plan.importing.words import words
from workbench.domain.plan.plan import Days, DaysOff, Effort, Lag, Person, Rule, WorkingTime

_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LINKS = {"1": "start to start", "3": "finish to finish", "4": "start to finish"}
_PRIORITIES = {"0": "low", "3": "low", "2": "high", "4": "high"}
_OF_TOOL = frozenset({"color", "shape", "expand", "meeting", "uid"})
"""Attributes of a task that say how it is drawn."""
_READ = frozenset({"id", "name", "start", "duration", "complete", "priority", "thirdDate", "thirdDate-constraint"})
_LONGEST = 5_000
"""Days of work of a task whose end is counted."""


def read_gantt_project(assembly: Assembly) -> Imported:
    """Return the plan of a project. Raises UsageError for a text that is no XML, or has a document type."""
    return _Reader(assembly, parsed("\n".join(assembly.lines))).read()


class _Reader:
    """Reads one project."""

    def __init__(self, assembly: Assembly, project: Element) -> None:
        self._assembly = assembly
        self._project = project
        self._fields = {
            one.attributes.get("id", ""): one.attributes.get("name", "")
            for one in project.all("tasks", "taskproperties", "taskproperty")
        }
        self._steps: dict[str, StepDraft] = {}
        self._heads: dict[str, str] = {}
        """Names of tasks that are workstreams, by their ids."""
        self._week: tuple[int, ...] = (1, 2, 3, 4, 5)
        self._closed: set[str] = set()
        """Days off, without a year where they come again."""
        self._links: list[tuple[str, Element]] = []
        self._told: list[tuple[int, str]] = []

    def read(self) -> Imported:
        self._assembly.title = self._project.attributes.get("name", "")
        self._calendar()
        for task in self._project.all("tasks", "task"):
            self._task(task, None, "")
        self._people()
        self._needs()
        said = [one for one in _descendants(self._project) if one.name != "option" and words(one.text)]
        self._assembly.says_all([*((one.line, one.text.strip()) for one in said), *self._told])
        return self._assembly.build("ganttproject")

    # --- days ---------------------------------------------------------------------------------------------------------

    def _calendar(self) -> None:
        section = self._assembly.section("calendar")
        parts = list(_descendants(self._project))
        for week in (part for part in parts if part.name == "default-week"):  # also that of an older form
            working = tuple(at for at, name in enumerate(_WEEK, 1) if week.attributes.get(name) != "1")
            if any(one.name == "only-show-weekends" and one.attributes.get("value") == "true" for one in parts):
                working = (1, 2, 3, 4, 5, 6, 7)
            self._week = working or self._week
            if working and working != (1, 2, 3, 4, 5):
                self._assembly.item(section, WorkingTime, week.line, weekdays=working)
        days, again, line = [], [], 0
        for one in self._project.all("calendars", "date"):
            said = "-".join(one.attributes.get(name, "").rjust(2, "0") for name in ("year", "month", "date"))
            is_yearly, line = not one.attributes.get("year"), one.line
            day = day_of(f"2000{said[2:]}" if is_yearly else said)
            if day is None or one.attributes.get("type") != "HOLIDAY":
                self._assembly.keep(one.line, "it is a day of work beside the others, or no day", said)
            elif is_yearly:
                again.append(Rule("year", day))
                self._closed.add(day[5:])
            else:
                days.append(Days(day, day))
                self._closed.add(day)
        if days or again:
            self._assembly.item(section, DaysOff, line, text="Days off", days=tuple(days), again=tuple(again))

    def _people(self) -> None:
        """Let allocations be owners, and people with vacations be people of the plan."""
        names = {one.attributes.get("id", ""): one for one in self._project.all("resources", "resource")}
        shares: dict[str, dict[str, float]] = defaultdict(dict)
        for one in self._project.all("allocations", "allocation"):
            person, step = names.get(one.attributes.get("resource-id", "")), one.attributes.get("task-id", "")
            if person is not None and step in self._steps and (name := _called(person)):
                load = progress_of(f"{one.attributes.get('load', '100')} %")
                share = {name: load.done if load else 1.0}
                is_first = one.attributes.get("responsible") == "true"
                shares[step] = share | shares[step] if is_first else shares[step] | share
        for step, theirs in shares.items():
            values, (owner, *also) = self._steps[step].values, theirs
            takes = work_of(values["effort"].likely, tuple(theirs.values())) if "effort" in values else {}
            values |= {"owner": owner, "also": tuple(also), **takes}
        said = (step.values for step in self._steps.values())
        owners = {name for values in said for name in (values.get("owner"), *values.get("also", ()))}
        for name, person in names.items():
            spans = [
                Days(first, last)
                for one in self._project.all("vacations", "vacation")
                if one.attributes.get("resourceid") == name
                and (first := day_of(one.attributes.get("start", "")))
                and (last := day_of(one.attributes.get("end", "")))
            ]
            called = _called(person)
            contacts = [person.attributes.get(key, "").strip() for key in ("contacts", "phone")]
            reached = [text for text in contacts if text not in ("", called)]
            self._told += [(person.line, text) for text in (called, *reached)]
            if called and (spans or reached or called not in owners):
                section = self._assembly.section("people")
                self._assembly.item(section, Person, person.line, text=called, away=tuple(spans))
                if reached:
                    self._assembly.text(section, f"{called}: {', '.join(reached)}", person.lines)

    # --- tasks --------------------------------------------------------------------------------------------------------

    def _task(self, task: Element, parent: StepDraft | None, workstream: str) -> None:
        """Add a task: one with parts is a step; one with parts that have parts themselves is a workstream."""
        says, parts = task.attributes, task.all("task")
        name = says.get("name", "")
        if any(part.all("task") for part in parts):
            below = " / ".join(filter(None, (workstream, name)))
            self._heads[says.get("id", "")] = name
            self._links += [(says.get("id", ""), link) for link in task.all("depend")]
            self._assembly.guess(HEADS_PARTS.format(name))
            for part in parts:
                self._task(part, parent, below)
            return
        if not words(name):
            for part in parts:
                self._task(part, parent, workstream)
            return
        draft = StepDraft(task.line, name, ids=[says.get("id", "")], workstream=workstream, parent=parent)
        draft.values = dict(self._values(says, has_parts=bool(parts)))
        if (share := progress_of(f"{says.get('complete', '0')} %")) is not None:
            take_progress(draft.values, share)
        draft.notes += [line for line in task.get("notes").split("\n") if line.strip()]
        other = {key: said for key, said in says.items() if key not in _READ | _OF_TOOL and words(said)}
        other |= {
            self._fields.get(one.attributes.get("taskproperty-id", "")) or "field": one.attributes["value"]
            for one in task.all("customproperty")
            if one.attributes.get("value")
        }
        if other:
            draft.values["other"] = other
        if (start := says.get("start", "")) and day_of(start) is None:
            draft.unread.append((task.line, f"start: {start}", "it is no day"))
        self._told.append((task.line, name))
        if self._assembly.step(draft, task.lines) is None:
            return
        self._steps[says.get("id", "")] = draft
        self._links += [(says.get("id", ""), link) for link in task.all("depend")]
        for part in parts:
            self._task(part, draft, workstream)

    def _values(self, says: Any, *, has_parts: bool) -> Iterator[tuple[str, Any]]:
        """Yield the fields of a task; its start is its place in the schedule, and no limit unless it says so."""
        days = int(says["duration"]) if says.get("duration", "").isdecimal() else 0
        if is_milestone := says.get("meeting") == "true" or says.get("duration") == "0":
            yield "milestone", True
        elif days and not has_parts:
            yield "effort", Effort(days, days, days)
        if (start := day_of(says.get("start", ""))) is not None:
            yield "start", start
            yield "end", start if is_milestone else self._last(start, days) if days else None
        if says.get("thirdDate-constraint") == "1" and (earliest := day_of(says.get("thirdDate", ""))):
            yield "not_before", earliest
        if priority := _PRIORITIES.get(says.get("priority", ""), ""):
            yield "priority", priority

    def _last(self, first: str, days: int) -> str | None:
        """Return the last of some days of work from one on; None if that is too far."""
        start = date.fromisoformat(first).toordinal()
        all_days = map(date.fromordinal, range(start, min(start + 2 * _LONGEST, date.max.toordinal())))
        of_work = (
            day
            for day in all_days
            if day.isoweekday() in self._week and self._closed.isdisjoint((day.isoformat(), day.isoformat()[5:]))
        )
        last = next(islice(of_work, days - 1, None), None) if days <= _LONGEST else None
        return day_of(last.isoformat()) if last else None

    def _needs(self) -> None:
        for first, link in self._links:
            later, kind = self._steps.get(link.attributes.get("id", "")), link.attributes.get("type", "2")
            if later is None:
                self._assembly.keep(link.line, "no task is called so", f"{first} before {link.attributes.get('id')}")
            elif kind in _LINKS:
                why = "a step can only wait for the end of another one"
                self._assembly.keep(link.line, why, f"{later.title}: {_LINKS[kind]} with {first}")
            else:
                later.needs.append((link.line, self._heads.get(first, first)))
                lag = link.attributes.get("difference", "0")
                if lag.isdecimal() and lag != "0":
                    later.lags.append(Lag(first, int(lag)))
                elif lag.lstrip("-") != "0":
                    self._assembly.keep(link.line, "it has no place", f"{later.title}: difference {lag}")


def _called(person: Element) -> str:
    """Return the name of a resource, or how it is reached if it has none."""
    return person.attributes.get("name", "").strip() or person.attributes.get("contacts", "").strip()


def _descendants(element: Element) -> Iterator[Element]:
    yield element
    for part in element.parts:
        yield from _descendants(part)
