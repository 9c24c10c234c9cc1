"""Calendars (iCalendar, RFC 5545) as plans: each to-do is a step, and so is each event that is not of a to-do.

an event of a to-do (by their UIDs, or by their words) ─▶ when the to-do is
DTSTART · DUE · RRULE ─▶ not before · deadline · repeats        RELATED-TO;RELTYPE=DEPENDS-ON ─▶ needs
DTSTART · DTEND of an event ─▶ on, with its hours or its days   PERCENT-COMPLETE ─▶ part done, never the whole
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import Any

from msgspec import Struct, field

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.lines.values import take_progress, working_days
from workbench.domain.plan.importing.words import bare, words
from workbench.domain.plan.plan import Progress, Status
from workbench.domain.plan.scheduling.recurrence import rule_of
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import plannable_day

_PROPERTY = lazy_pattern(r"(?P<name>[\w-]+)(?P<parameters>(?:;[\w-]+=(?:\"[^\"]*\"|[^;:\"]*))*):(?P<value>.*)")
_PARAMETER = lazy_pattern(r";([\w-]+)=(\"[^\"]*\"|[^;:\"]*)")
_MOMENT = lazy_pattern(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d)?Z?")
_DURATION = lazy_pattern(r"P(?:(?P<w>\d{1,3})W)?(?:(?P<d>\d{1,4})D)?(?:T.*)?")
_LONGEST = 3_660
"""Days that something may last."""
_STATES: dict[str, Status] = {
    "NEEDS-ACTION": "todo", "IN-PROCESS": "under-way", "COMPLETED": "done", "CANCELLED": "dropped",
}  # fmt: skip
_TEXTS = ("SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "COMMENT")
_OF_CALENDAR = frozenset(("BEGIN", "END", "VERSION", "PRODID", "CALSCALE", "METHOD", "X-WR-CALNAME"))
_OF_TOOL = frozenset(
    ("UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "TRANSP", "CLASS", "BEGIN", "END", "RECURRENCE-ID")
)
"""What programs note for themselves: their times are no days of the plan."""
_PAIRED = lazy_pattern(r"(?:^|(?<=\.))(?:event|todo)\.")
"""What our exports put into the UID of the event of a to-do, or of the to-do of an event."""
_READ = frozenset(
    ("DTSTART", "DTEND", "DUE", "COMPLETED", "STATUS", "PERCENT-COMPLETE", "PRIORITY", "RRULE", "RELATED-TO",
     "ATTENDEE", "X-WORKBENCH-ID", "X-WORKBENCH-OWNER",
     "X-WORKBENCH-STATUS")
)  # fmt: skip
_OF_EVENTS = frozenset((("STATUS", "TENTATIVE"), ("STATUS", "CONFIRMED"), ("TRANSP", "TRANSPARENT")))
"""What events say that no field of a step has."""


class _Property(Struct, frozen=True):
    line: int
    name: str
    parameters: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        """The value without its escapes."""
        return re.sub(r"\\(.)", lambda sign: "\n" if sign[1] in "nN" else sign[1], self.value)


class _Component(Struct):
    kind: str
    first: int
    last: int = 0
    properties: list[_Property] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """The lines of an alarm."""

    def all(self, name: str) -> list[_Property]:
        """Return the properties of a name."""
        return [property_ for property_ in self.properties if property_.name == name]

    def get(self, name: str) -> str:
        """Return the text of the first property of a name; "" for none."""
        return next((one.text for one in self.all(name)), "")

    @property
    def lines(self) -> range:
        """The lines from its first to its last."""
        return range(self.first, self.last + 1)

    @property
    def key(self) -> str:
        """What a to-do and its event have in common."""
        return _PAIRED.sub("", self.get("UID"), count=1)


def read_icalendar(assembly: Assembly, today: date) -> Imported:
    """Return the plan of a calendar."""
    components = list(_components(assembly.lines))
    todos: dict[str, _Component] = {}
    for one in components:
        if one.kind == "VTODO":
            todos |= dict.fromkeys(filter(None, (one.key, bare(one.get("SUMMARY")))), one)
    reader = _Reader(assembly, today)
    said: list[tuple[int, str]] = []
    events = {
        id(todo): one
        for one in components
        if one.kind == "VEVENT" and (todo := todos.get(one.key) or todos.get(bare(one.get("SUMMARY"))))
    }
    paired = set(map(id, events.values()))
    reader.names = {uid: f"event-{uid}" for one in components if one.kind == "VEVENT" and (uid := one.get("UID"))}
    reader.names |= {uid: f"uid-{uid}" for one in components if one.kind == "VTODO" and (uid := one.get("UID"))}
    for one in components:
        if one.kind == "VCALENDAR":
            assembly.title = one.get("X-WR-CALNAME")
            reader.calendar(one)
        elif one.kind in ("VTODO", "VEVENT") and id(one) not in paired:
            reader.step(one, events.get(id(one)))
        said += [] if id(one) in paired else _comments(one)
    assembly.says_all([*said, *reader.said])
    return assembly.build("icalendar")


def _components(lines: Sequence[str]) -> Iterator[_Component]:
    """Yield the components of a calendar, each with its properties; an alarm is one, its lines, of what it is in."""
    within: list[_Component] = []
    for line, text in _unfolded(lines):
        match = _PROPERTY.fullmatch(text)
        if match is None:
            continue
        name, value = match["name"].upper(), match["value"]
        if name == "BEGIN" and value.upper() in ("VCALENDAR", "VTODO", "VEVENT", "VJOURNAL", "VALARM"):
            within.append(_Component(value.upper(), line))
        elif name == "END" and within and within[-1].kind == value.upper():
            within[-1].last = line
            if (ended := within.pop()).kind != "VALARM":
                yield ended
            elif within:
                within[-1].properties.append(_Property(ended.first, "VALARM", {}, "".join(ended.said)))
        elif within and within[-1].kind == "VALARM":
            within[-1].said.append(text.replace("\\", 2 * "\\") + r"\n")
        elif within:
            parameters = {key.upper(): said.strip('"') for key, said in _PARAMETER.findall(match["parameters"])}
            within[-1].properties.append(_Property(line, name, parameters, value))
    yield from reversed(within)


def _unfolded(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield whole lines: one that begins with a space continues with the one before."""
    parts: list[str] = []
    first = 0
    for number, line in enumerate(lines):
        if line[:1] in " \t" and parts:
            parts.append(line[1:])
        else:
            if parts:
                yield first, "".join(parts).rstrip()
            first, parts = number, [line]
    if parts:
        yield first, "".join(parts).rstrip()


def _comments(component: _Component) -> Iterator[tuple[int, str]]:
    """Yield what people wrote, with its line."""
    names = ("X-WR-CALNAME",) if component.kind == "VCALENDAR" else _TEXTS
    yield from ((one.line, one.text) for one in component.properties if one.name in names and words(one.text))


class _Reader:
    """Makes steps of to-dos and events."""

    def __init__(self, assembly: Assembly, today: date) -> None:
        self._assembly = assembly
        self._today = today
        self.names: dict[str, str] = {}
        """What to-dos and events are called in the plan, by UID."""
        self.said: list[tuple[int, str]] = []
        """What is in events of to-dos otherwise than in these, with its line."""

    def calendar(self, one: _Component) -> None:
        """Tell what else is said of the whole."""
        for each in one.properties:
            if each.name not in _OF_CALENDAR:
                section = self._assembly.section("about-this-file")
                self._assembly.text(section, f"{each.name}: {each.text}", [each.line])

    def step(self, one: _Component, event: _Component | None) -> None:
        """Add the step of a component, and of the event of a to-do; every line of them belongs to the step."""
        own, title = one.get("X-WORKBENCH-ID"), _title(one)
        line = next((each.line for each in one.all("SUMMARY")), one.first)
        if not words(title):
            return
        draft = StepDraft(line, title, ids=[*filter(None, (own, self.names.get(one.get("UID"))))])
        if event is not None:
            self._pair(draft, one, event)
        categories = ", ".join(each.text for each in one.all("CATEGORIES"))
        if own:
            draft.workstream = categories
        else:
            draft.tags = [tag.strip() for tag in categories.split(",") if tag.strip()]
        self._state(draft, one)
        self._days(draft, one)
        self._people(draft, one)
        draft.notes += [each.text for each in (*one.all("DESCRIPTION"), *one.all("COMMENT"))]
        draft.notes += [f"Location: {each.text}" for each in one.all("LOCATION")]
        other: dict[str, str] = {}
        for each in one.properties:
            is_read = each.name in _OF_TOOL | _READ | set(_TEXTS) and (each.name, each.value) not in _OF_EVENTS
            if not is_read and words(each.text):
                count = sum(name.partition(" ")[0] == each.name for name in other)
                other[f"{each.name} {count + 1}" if count else each.name] = each.text
        if other:
            draft.values["other"] = other
        self._assembly.step(draft, chain.from_iterable(each.lines for each in (one, event) if each is not None))

    def _pair(self, draft: StepDraft, todo: _Component, event: _Component) -> None:
        """Read what the event of a to-do says otherwise: when it is, and what was edited in it alone."""
        known, title = self._assembly.known.get(todo.get("X-WORKBENCH-ID")), _title(event, todo)
        if known is not None and bare(draft.title) == bare(known.title):
            draft.title = title
        was = {text for _, text in _comments(todo)} | ({known.title} if known else set())
        self.said += [(line, text) for line, text in _comments(event) if text not in was and title not in was]
        self._event(draft, event)
        for name in ("not_before", "on"):
            draft.values.pop(name, None)

    def _state(self, draft: StepDraft, one: _Component) -> None:
        state = _STATES.get((one.get("X-WORKBENCH-STATUS") or one.get("STATUS")).upper())
        percent = one.get("PERCENT-COMPLETE")
        if state in ("done", "dropped") or not percent.isdecimal():
            draft.give("status", state)
        elif int(percent) <= 100:
            take_progress(draft.values, Progress(int(percent) / 100))
        if (ended := _day(one.get("COMPLETED"))) is not None:
            draft.give("finished", ended.isoformat())
            draft.give("status", "done")
        priority = one.get("PRIORITY")
        if priority.isdecimal() and int(priority) not in (0, 5):
            draft.give("priority", "high" if int(priority) < 5 else "low")

    def _days(self, draft: StepDraft, one: _Component) -> None:
        """Read when a to-do may begin and has to end, or when an event is."""
        start, due = _day(one.get("DTSTART")), _day(one.get("DUE"))
        if one.kind == "VEVENT":
            self._event(draft, one)
        else:
            draft.give("not_before", start and start.isoformat())
            due = due or _last_by_duration(one, start)
            draft.give("deadline", due and due.isoformat())
        for name in ("DTSTART", "DUE", "DTEND", "COMPLETED"):
            for each in one.all(name):
                if _day(each.value) is None:
                    draft.unread.append((each.line, f"{name}: {each.text}", "it is no day"))
        for each in one.all("RRULE"):
            rule = rule_of(each.value, (start or due or self._today).isoformat())
            if not draft.give("repeat", rule):
                draft.unread.append((each.line, each.text, "a plan has no such rule"))

    @staticmethod
    def _event(draft: StepDraft, one: _Component) -> None:
        begin, until = one.get("DTSTART"), one.get("DTEND")
        if (start := _day(begin)) is None:
            return
        end = _day(until) or _last_by_duration(one, start) or start
        if until and "T" not in until and end > start:
            end -= timedelta(days=1)  # the day after the last one is written
        values: dict[str, Any] = {"start": start.isoformat(), "end": end.isoformat()}
        values["not_before" if end > start else "on"] = start.isoformat()
        if end > start:
            values["duration"] = working_days(start.isoformat(), end.isoformat())
        elif "T" in begin and "T" in until and _clock(begin) < _clock(until):
            values["hours"] = f"{_clock(begin)}-{_clock(until)}"
        draft.values |= values

    def _people(self, draft: StepDraft, one: _Component) -> None:
        """Read who does it, what it needs, and what it is a part of."""
        owners = [each.text for each in one.all("X-WORKBENCH-OWNER")]
        owners += [each.parameters.get("CN", "") for each in one.all("ATTENDEE")]
        owner, *also = list(dict.fromkeys(filter(None, owners))) or [""]
        draft.give("owner", owner)
        draft.give("also", tuple(also))
        for each in one.all("RELATED-TO"):
            kind = each.parameters.get("RELTYPE", "PARENT").upper()
            if kind in ("DEPENDS-ON", "FINISHTOSTART"):
                draft.needs.append((each.line, self.names.get(each.text, each.text)))
            elif kind == "PARENT":
                draft.whole = self.names.get(each.text, each.text)
            else:
                draft.unread.append(
                    (each.line, f"{kind}: {each.text}", "a step can only need another, or be a part of it")
                )


def _title(*components: _Component) -> str:
    """Return what the first component is called, without the id of ours that any of them has."""
    title = " ".join(components[0].get("SUMMARY").split())
    return title.removeprefix(f"{next(filter(None, (one.get('X-WORKBENCH-ID') for one in components)), ' ')} ")


def _last_by_duration(one: _Component, start: date | None) -> date | None:
    lasts = _DURATION.fullmatch(one.get("DURATION"))
    days = int(lasts["w"] or 0) * 7 + int(lasts["d"] or 0) if lasts else 0
    return start + timedelta(days=days - 1) if start and 0 < days < _LONGEST else None


def _day(text: str) -> date | None:
    match = _MOMENT.match(text)
    return plannable_day(f"{match[1]}-{match[2]}-{match[3]}") if match else None


def _clock(text: str) -> str:
    match = _MOMENT.match(text)
    return f"{match[4]}:{match[5]}" if match and match[4] else ""
