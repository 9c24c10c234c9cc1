"""What stands below the steps: days by the hour, risks, people, assumptions and limits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from workbench.domain.plan.change import percent
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, DaysOff, Decision, Item, Person, Place, Risk, Row
from workbench.export.figures import time_of
from workbench.export.handout.content import Content
from workbench.export.handout.money import criterion_text, has_day
from workbench.export.handout.open_points import is_open
from workbench.export.handout.summary import lowered
from workbench.export.pictures import LEVELS

_PROSE = ("assumptions", "scope")
"""Sections whose prose and bullets say what the plan assumes and leaves out."""


def timetable(content: Content) -> Iterator[str]:
    """Yield the days that count, hour by hour, a table each."""
    rows = sorted((item for item in content.plan.items if isinstance(item, Row)), key=lambda row: (row.day, row.time))
    if rows:
        yield "## Hour by hour"
    for day, of_day in groupby(rows, key=lambda row: row.day):
        cells = ((row.time, *map(content.short, (row.text, row.who, row.stop))) for row in of_day)
        yield from content.table(f"### {content.day(day)}", ("time", "what", "who", "stop if"), cells)


def risks(content: Content) -> Iterator[str]:
    """Yield the risks, the heaviest first."""
    items = [item for item in content.plan.items if isinstance(item, Risk)]
    items.sort(key=lambda risk: -LEVELS.index(risk.likelihood) - LEVELS.index(risk.impact))
    rows = (
        (risk.id, content.short(risk.text), f"{risk.likelihood} / {risk.impact}", *_signs(content, risk))
        for risk in items
    )
    yield from content.table("## Risks", ("id", "risk", "likelihood / impact", "sign", "answer"), rows)


def _signs(content: Content, risk: Risk) -> tuple[str, str]:
    return content.short(risk.sign), content.short(risk.response)


def people(content: Content) -> Iterator[str]:
    """Yield those of whom the plan knows more than the name, with how much of their time is free."""
    known = {person.text: person for person in content.plan.people}
    rows = []
    for told in content.figures.people:
        person = known.get(told.name)
        times = [time_of(told), FIELDS[Person]["Capacity"].of(person) if person else ""]
        again = FIELDS[Person]["Away again"].of(person) if person else ""
        has_hours = person is not None and (person.hours is not None or person.capacity)
        free = "" if told.load is None or not has_hours else percent(max(0.0, 1 - told.load))
        away = ", ".join(filter(None, (*map(content.span, told.away), again)))
        row = (content.short(told.role), "; ".join(filter(None, times)), free, content.short(away))
        if any(row):
            rows.append((content.short(told.name), *row))
    yield from content.table("## People", ("name", "role", "time", "free until ready", "away"), rows)


def assumptions_and_limits(content: Content) -> Iterator[str]:
    """Yield what the plan takes for granted, and what it has to keep to."""
    sections = [section for section in content.plan.sections if section.id in _PROSE]
    prose = [lowered(section.text) for section in sections if section.text.strip()]
    bullets = [item for section in sections for item in section.items if isinstance(item, Bullet)]
    others = [item for item in content.plan.items if not isinstance(item, Bullet)]
    lines = [f"{item.id} · {content.short(said)}" for item in (*bullets, *others) if (said := _said(content, item))]
    blocks = [*prose, *content.lines(lines)]
    if blocks:
        yield "## Assumptions and limits"
        yield from blocks


def _said(content: Content, item: Item) -> str:
    """Return what an item says as a limit or an assumption; "" for one that stands elsewhere."""
    match item:
        case Criterion() | Constraint() if has_day(item):
            return ""
        case Bullet():
            return f"{item.priority.capitalize()}: {item.text}" if item.priority else item.text
        case Criterion():
            return criterion_text(item)
        case Constraint():
            return item.text
        case Decision() if not is_open(item):
            return f"Decided: {item.text}{f' ({item.reason})' if item.reason else ''}"
        case DaysOff():
            return _with_fields(item, [*map(content.span, item.days)], "Again", "Only for")
        case Place():
            return _with_fields(item, [], "Weekdays", "Hours", "Closed", "Closed again")
        case _:
            return ""


def _with_fields(item: DaysOff | Place, days: list[str], *labels: str) -> str:
    fields = (FIELDS[type(item)][label].of(item) for label in labels)
    return ": ".join(filter(None, (item.text, ", ".join(filter(None, (*days, *fields))))))
