"""Steps in time: iCalendar for calendars, a gantt chart for Mermaid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from itertools import groupby

from workbench.domain.plan.plan import DaysOff, Plan, Step, WorkingTime
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.plan.scheduling.step_days import first_day, last_day
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.patterns import lazy_pattern

_STATUS = {
    "todo": "NEEDS-ACTION", "under-way": "IN-PROCESS", "waiting": "NEEDS-ACTION", "done": "COMPLETED",
    "dropped": "CANCELLED",
}  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PROPERTY = lazy_pattern(r"(?!(?:BEGIN|END|ACTION|TRIGGER|DURATION)$)[A-Z][A-Z0-9-]{2,30}", re.ASCII)
"""What a field of a step is called that came from a calendar: none of an alarm's, which are no field of it."""
CHART_TAGS = ("crit", "vert")
"""Tags of bars that are tags of steps."""
_NAME = lazy_pattern(rf"(?!(?:{'|'.join(CHART_TAGS)})$)[A-Za-z][\w-]{{0,40}}", re.ASCII)
"""What a bar can be called."""
_COMMAND = lazy_pattern(
    r"(?:gantt|title|\w+Format|tickInterval|\w+cludes|todayMarker|weekday|weekend|section|acc(?:Title|Descr)|"
    r"inclusiveEndDates|topAxis|displayMode|click|call|href)\b|\d{4}-\d\d-\d\d",
    re.ASCII | re.IGNORECASE,
)
"""How a line of a chart begins that is not a bar."""
_OF_ALARM = lazy_pattern(r"^(?!BEGIN|END)[A-Z][A-Z0-9-]*[;:]", re.ASCII)
_HOURS = lazy_pattern(r"(\d\d):(\d\d)-(\d\d):(\d\d)", re.ASCII)
_OURS = "@planning-workbench"
"""The end of the UIDs that are made here."""
_OCTETS = 75
"""Longest line of an iCalendar file (RFC 5545, 3.1)."""
_LONGEST = 500


# --- iCalendar --------------------------------------------------------------------------------------------------------


def as_icalendar(plan: Plan, now: datetime, session: str) -> str:
    """Return the dated steps as to-dos, and as events that take nobody's time (RFC 5545).

    The end of an event is the day after its last one; a to-do is due on its last day. Ids are of ``session`` and step:
    two sessions about one thing stand beside each other in a calendar. What came from a calendar keeps its own, and is
    a to-do or an event, as it was there.
    """
    name = re.sub(r"[^\w-]+", "-", session).strip("-").lower() or "plan"
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//planning-workbench//plan//EN", "CALSCALE:GREGORIAN"]
    lines.append(f"X-WR-CALNAME:{_escaped(plan.title or 'Plan')}")
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    uids = {step.id: _uids(step, name) for step in plan.steps}
    for step in plan.steps:
        kind = _kind(step)
        if kind != "event":
            lines += _todo(step, uids, stamp)
        if kind != "uid":
            lines += _event(step, uids, stamp)
    return "".join(f"{folded}\r\n" for line in [*lines, "END:VCALENDAR"] for folded in _folded(line))


def _kind(step: Step) -> str:
    """Return what a step was in the calendar that it came from: "event" or "uid", a to-do; "" for another step."""
    kind, _, uid = (step.tags[0] if step.tags else "").partition("-")
    if kind == "event" and uid and _span(step) is not None:
        return kind
    return "uid" if kind == "uid" and uid and not uid.isdecimal() and not uid.endswith(_OURS) else ""


def _uids(step: Step, name: str) -> tuple[str, str]:
    """Return the UIDs of a step, which others name, and of its event."""
    kind, _, uid = (step.tags[0] if step.tags else "").partition("-")
    if kind == "uid" and uid and not uid.isdecimal():  # whose numbers are of a project
        return uid, f"event.{uid}"
    if kind == "event" and uid:
        return (uid if _kind(step) == "event" else f"todo.{uid}"), uid
    return f"{step.id.lower()}.{name}{_OURS}", f"{step.id.lower()}.event.{name}{_OURS}"


def _todo(step: Step, uids: Mapping[str, tuple[str, str]], stamp: str) -> Iterator[str]:
    yield from ("BEGIN:VTODO", f"UID:{uids[step.id][0]}", f"DTSTAMP:{stamp}")
    yield from _summary_fields(step)
    start, end = day_of(first_day(step)), day_of(last_day(step) or step.deadline)
    if start and (end is None or start < end):  # DUE has to be after DTSTART
        yield f"DTSTART;VALUE=DATE:{_plain(start)}"
    if end:
        yield f"DUE;VALUE=DATE:{_plain(end)}"
    yield f"STATUS:{_STATUS[step.status]}"
    if step.status == "done":
        done = day_of(last_day(step))
        yield "PERCENT-COMPLETE:100"
        if done:
            yield f"COMPLETED:{_plain(done)}T170000Z"
    yield from _other_fields(step, uids)
    yield "END:VTODO"


def _other_fields(step: Step, uids: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Yield what else a step says, in its to-do or its event."""
    if step.workstream:
        yield f"CATEGORIES:{_escaped(step.workstream)}"
    if step.owner:
        yield f"X-WORKBENCH-OWNER:{_escaped(step.owner)}"
    for kind, others in (("PARENT", (step.parent,)), ("DEPENDS-ON", step.needs)):
        yield from (f"RELATED-TO;RELTYPE={kind}:{uids[one][0]}" for one in others if one in uids and one != step.id)
    if step.tags[:1] and not uids[step.id][0].endswith(_OURS):
        is_event = _kind(step) == "event"
        named = ((name.partition(" ")[0], text) for name, text in step.other.items())
        for name, text in named:
            if name == "VALARM":
                said = (clean_name(line, _LONGEST) for line in text.splitlines())
                yield from ("BEGIN:VALARM", *filter(_OF_ALARM.match, said), "END:VALARM")
            elif _PROPERTY.fullmatch(name) and (name != "STATUS" or (is_event and step.status != "dropped")):
                yield f"{name}:{_escaped(text)}"


def _event(step: Step, uids: Mapping[str, tuple[str, str]], stamp: str) -> Iterator[str]:
    span = _span(step)
    is_event = _kind(step) == "event"
    if span is None or (step.status == "dropped" and not is_event):
        return
    start, end = span
    yield from ("BEGIN:VEVENT", f"UID:{uids[step.id][1]}", f"DTSTAMP:{stamp}")
    yield from _summary_fields(step)
    if hours := _HOURS.fullmatch(step.hours):
        begin, last = f"{_plain(start)}T{hours[1]}{hours[2]}00", f"{_plain(end)}T{hours[3]}{hours[4]}00"
        yield from (f"DTSTART:{begin}", *([f"DTEND:{last}"] if last != begin else []))
    else:
        yield from (f"DTSTART;VALUE=DATE:{_plain(start)}", f"DTEND;VALUE=DATE:{_plain(_after(end))}")
    if is_event:
        if step.status != "todo":
            yield f"{'STATUS' if step.status == 'dropped' else 'X-WORKBENCH-STATUS'}:{_STATUS[step.status]}"
        yield from _other_fields(step, uids)
    else:
        yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _summary_fields(step: Step) -> Iterator[str]:
    yield f"SUMMARY:{_escaped(step.title if is_of_file([step]) else f'{step.id} {step.title}')}"
    yield f"X-WORKBENCH-ID:{step.id}"
    said = "\n".join(filter(None, (step.outcome, f"Check: {step.check}" if step.check else "", step.notes)))
    if said:
        yield f"DESCRIPTION:{_escaped(said)}"


def _escaped(text: str) -> str:
    plain = "\n".join(clean_name(line, _LONGEST) for line in text.splitlines())
    return re.sub(r"([\\;,])", r"\\\1", plain).replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Yield a line in pieces of at most 75 octets, each after the first with a space in front."""
    piece, room = "", _OCTETS
    for character in line:
        size = len(character.encode())
        if size > room:
            yield piece
            piece, room = " ", _OCTETS - 1
        piece, room = piece + character, room - size
    yield piece


# --- Mermaid ----------------------------------------------------------------------------------------------------------


def as_mermaid(plan: Plan) -> str:
    """Return the dated steps as a Mermaid gantt chart. Ends are exclusive there.

    What came from a file keeps its ids and its titles, and what begins by its needs, and not on a day, says so.
    """
    lines = ["gantt", f"    title {_mermaid_name(plan.title or 'Plan')}", "    dateFormat YYYY-MM-DD"]
    chart = Chart(plan)
    if chart.closed:
        lines.append(f"    excludes {', '.join(chart.closed)}")
    lines.append("    axisFormat %d %b")
    missing = [step for step in plan.steps if not is_bar(step)]
    lines += [f"    %% not in this chart: {step.id} {_mermaid_name(step.title)}" for step in missing]
    before = "" if is_of_file(plan.steps[:1]) else "-"
    for workstream, steps in groupby(filter(is_bar, plan.steps), key=lambda step: step.workstream):
        if workstream != before:
            lines.append(f"    section {_mermaid_name(workstream or 'Steps')}")
        before = workstream
        lines += [f"    {chart.bar(step)}" for step in steps]
    return "\n".join(lines) + "\n"


def has_bars(plan: Plan) -> bool:
    """Tell whether any step is in a chart."""
    return any(map(is_bar, plan.steps))


def is_bar(step: Step) -> bool:
    """Tell whether a step is in a chart."""
    return _span(step) is not None and step.status != "dropped"


def is_of_file(steps: Iterable[Step]) -> bool:
    """Tell whether a file said any of some steps."""
    return any(step.origin is not None and step.origin.kind == "file" for step in steps)


class Chart:
    """What the bars of a chart have in common: the days on which nobody works, and what each is called."""

    def __init__(self, plan: Plan) -> None:
        spans = {step.id: span for step in plan.steps if is_bar(step) and (span := _span(step))}
        self._spans = spans
        says_week = any(isinstance(item, WorkingTime | DaysOff) for item in plan.items)
        of_calendar = any(step.duration_elapsed for step in plan.steps) and not any(step.effort for step in plan.steps)
        self.closed = () if of_calendar and not says_week else tuple(_closed(plan))
        """Its closed weekdays and days; () where its bars last for days of the calendar."""
        first = Counter(step.tags[0] for step in plan.steps if step.tags)
        self.names = {
            step.id: step.tags[0]
            if is_of_file([step]) and step.tags and first[step.tags[0]] == 1 and _NAME.fullmatch(step.tags[0])
            else step.id.lower()
            for step in plan.steps
        }

    def bar(self, step: Step) -> str:
        """Return the line of a step."""
        start, end = self._spans[step.id]
        owner = f" ({_mermaid_name(step.owner)})" if step.owner else ""
        name = f"{_mermaid_name(step.title)}{owner}"
        if not is_of_file([step]) or _COMMAND.match(name):  # "Call for talks" would begin a command
            name = f"{step.id} · {name}"
        tags = [tag for tag in CHART_TAGS if tag in step.tags]
        tags += [*filter(None, ({"done": "done", "under-way": "active"}.get(step.status, ""),))]
        begin, is_by_needs = start.isoformat(), self.begins_by_needs(step)
        if is_by_needs:
            begin = f"after {' '.join(self.names[need] for need in step.needs)}"
        is_length = is_by_needs or (_is_of_chart(step) and step.duration == (end - start).days + 1)
        until = self._length(step, start, end) if is_length else _after(end).isoformat()
        if step.milestone:
            tags.append("milestone")
            until = "0d"
        return f"{name} :{', '.join([*tags, self.names[step.id], begin, until])}"

    def begins_by_needs(self, step: Step) -> bool:
        """Tell whether a step of a file begins when all that it needs is done, and for no other reason."""
        is_fixed = step.lags or step.not_before or step.on or step.started
        if is_fixed or step.id not in self._spans or not is_of_file([step]):
            return False
        ends = [self._spans[need][1] for need in step.needs if need in self._spans and need != step.id]
        if not ends or len(ends) < len(step.needs):
            return False
        if _is_of_chart(step):
            return True
        start, end = self._spans[step.id]
        first = max(ends) if step.milestone else _after(max(ends))
        while first < start and self._is_closed(first):
            first = _after(first)
        return first == start and not self._is_closed(end)

    def _is_closed(self, day: date) -> bool:
        return _WEEKDAYS[day.weekday()] in self.closed or day.isoformat() in self.closed

    def _length(self, step: Step, start: date, end: date) -> str:
        deadline = day_of(step.deadline)
        if deadline and not step.effort and not step.duration:
            return _after(deadline).isoformat()
        days = ((start + timedelta(days=n)) for n in range((end - start).days + 1))
        return f"{sum(not self._is_closed(day) for day in days)}d"


def _is_of_chart(step: Step) -> bool:
    return step.duration_elapsed and is_of_file([step])


def _closed(plan: Plan) -> Iterator[str]:
    week = next((item.weekdays for item in plan.items if isinstance(item, WorkingTime)), (1, 2, 3, 4, 5))
    yield from (_WEEKDAYS[day - 1] for day in range(1, 8) if day not in week)
    for item in plan.items:
        if isinstance(item, DaysOff):
            with suppress(ValueError):  # days that are none, or too many: a check names them
                yield from [day.isoformat() for days in item.days for day in days]


def _span(step: Step) -> tuple[date, date] | None:
    start = day_of(first_day(step, step.on))
    end = day_of(last_day(step) or step.on or step.start)
    return (start, end) if start and end and start <= end else None


def _mermaid_name(text: str) -> str:
    """Return text without what ends a name in Mermaid: a colon, a semicolon, a hash."""
    return re.sub(r"\s+", " ", re.sub(r"[:;#%{}]", " ", clean_name(text, _LONGEST))).strip() or "-"


def _after(day: date) -> date:
    return day + timedelta(days=1) if day < date.max else day


def _plain(day: date) -> str:
    """Return a day as 20270503; years have four digits there."""
    return day.isoformat().replace("-", "")
