"""What stands below the steps: days by the hour, risks, people, assumptions and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Item,
    Person,
    Row,
    name_key,
)
from workbench.export.figures import time_of
from workbench.export.handout.choice import MERGED, PEOPLE, begun_by_row, gravest_first, is_open
from workbench.export.handout.content import Content, lines, table
from workbench.export.handout.money import criterion_text, has_day
from workbench.export.handout.steps import way_back
from workbench.export.handout.summary import lowered

_PROSE = ("assumptions", "scope")
"""Sections whose prose and bullets say what the plan assumes and leaves out."""


def timetable(content: Content) -> Iterator[str]:
    """Yield the days that count, hour by hour; the first row of each names the day.

    A step that a row begins has its id there, where it stands nowhere else.
    """
    begun = begun_by_row(content.plan) if MERGED in content.left_out else {}
    rows = sorted(content.every(Row), key=lambda row: (row.day, row.time))
    firsts = {row.day: row.id for row in reversed(rows)}
    cells = []
    for row in rows:
        day = content.day(row.day) if firsts[row.day] == row.id else ""
        step = begun.get(row.id)
        what = f"{step.id} {row.text}{way_back(step)}" if step else row.text
        cells.append((f"{day} {row.time}", what, row.who, row.stop))
    yield from table("## Hour by hour", ("when", "what", "who", "stop if"), cells)


def risks(content: Content) -> Iterator[str]:
    """Yield the risks, the gravest first."""
    rows = (
        (risk.id, risk.text, f"{risk.likelihood} / {risk.impact}", risk.sign, risk.response)
        for risk in gravest_first(content.plan)
        if risk.id not in content.left_out
    )
    yield from table("## Risks", ("id", "risk", "likelihood / impact", "sign", "answer"), rows)


def people(content: Content) -> Iterator[str]:
    """Yield a line for everybody who has steps or of whom the plan knows more than the name."""
    known = {person.text: person for person in content.plan.people}
    steps = [step for step in content.plan.steps if step.status != "dropped"]
    counts = Counter(name for step in steps for name in {name_key(owner) for owner in step.owners})
    told_lines = []
    for told in content.figures.people if PEOPLE not in content.left_out else ():
        person = known.get(told.name)
        count = counts[name_key(told.name)]
        again = FIELDS[Person]["Away again"].of(person) if person else ""
        away = ", ".join(filter(None, (*map(content.span, told.away), again)))
        has = (f"{count} step{'' if count == 1 else 's'}" if count else "", time_of(told), f"away {away}" * bool(away))
        if said := "; ".join(filter(None, (told.role, *has))):
            told_lines.append(f"{told.name}: {said}")
    if told_lines:
        yield "## Who carries what"
        yield from lines(told_lines)


def assumptions_and_limits(content: Content) -> Iterator[str]:
    """Yield what the plan takes for granted, and what it has to keep to."""
    sections = [section for section in content.plan.sections if section.id in _PROSE]
    prose = [lowered(section.text) for section in sections if section.text.strip()]
    bullets = [item for section in sections for item in section.items if isinstance(item, Bullet)]
    others = [item for item in content.plan.items if not isinstance(item, Bullet)]
    items = (item for item in (*bullets, *others) if item.id not in content.left_out)
    blocks = [*prose, *lines(f"{item.id} · {said}" for item in items if (said := _said(content, item)))]
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
            days = (*map(content.span, item.days), FIELDS[DaysOff]["Again"].of(item))
            return f"{item.text}: {', '.join(filter(None, days))}"
        case _:
            return ""
