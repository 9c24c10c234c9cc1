"""What is below the steps: days by the hour, risks, people, assumptions and limits."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.handout.choice import MERGED, PEOPLE, PROSE, begun_by_row, gravest_first
from workbench.domain.handout.content import Content, lines, part, table
from workbench.domain.handout.names import number_of
from workbench.domain.handout.steps import way_back
from workbench.domain.handout.summary import lowered
from workbench.domain.plan.changing.change import percent
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.markdown.values import capacities, rule
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Item,
    Person,
    Row,
    name_key,
)
from workbench.domain.plan.telling.figures_told import time_of, work_of


def timetable(content: Content) -> Iterator[str]:
    """Yield the days that count, hour by hour; nothing if no day is planned so.

    A step that a row begins has its id there if it stands nowhere else.
    """
    begun = begun_by_row(content.plan) if MERGED in content.left_out else {}
    rows = sorted(content.every(Row), key=lambda row: (row.day, row.time))
    firsts = {row.day: row.id for row in reversed(rows)}
    cells = []
    for row in rows:
        begins = content.day(row.day) if firsts[row.day] == row.id else ""
        step = begun.get(row.id)
        what = f"{row.text} (step {number_of(step.id)}){way_back(step)}" if step else row.text
        cells.append((f"{begins} {row.time}", what, row.who, row.stop))
    yield from part("## Hour by hour", table(("when", "what", "who", "stop if"), cells))


def risks(content: Content) -> Iterator[str]:
    """Yield the risks, the gravest first; nothing if the plan names none."""
    rows = (
        (risk.text, f"{risk.likelihood} / {risk.impact}", risk.sign, risk.response)
        for risk in gravest_first(content.plan)
        if risk.id not in content.left_out
    )
    yield from part("## Risks", table(("risk", "likelihood / impact", "sign", "answer"), rows))


def people(content: Content) -> Iterator[str]:
    """Yield the part below its heading; nothing if there is no room, or the plan knows nobody."""
    yield from part("## Who carries what", () if PEOPLE in content.left_out else _people(content))


def notes(content: Content) -> Iterator[str]:
    """Yield lines of other sections; and what the person said that nothing accounts for, without the goal."""
    sections = [section for section in content.plan.sections if section.id not in PROSE]
    bullets = (item for section in sections for item in section.items if isinstance(item, Bullet))
    yield from part(
        "## Notes", lines(_limit_text(content, item) for item in bullets if item.id not in content.left_out)
    )
    accounts = content.state.accounts
    unused = [account.statement.text for account in accounts if account.is_open and account.statement.source != "goal"]
    yield from part("## You said, not used yet", lines(unused))


def _people(content: Content) -> Iterator[str]:
    """Yield one table of everybody who has steps or of whom the plan knows more than the name."""
    known = {name_key(person.text): person for person in reversed(content.plan.people)}
    nobody = Person(id="", text="")
    rows = []
    for person in content.figures.people:
        item = known.get(name_key(person.name), nobody)
        again = [rule(one, content.day) for one in item.away_again]
        cells = (
            person.role,
            "; ".join(filter(None, (time_of(person), capacities(item.capacity)))),
            _days(work_of(person)) if person.steps else "",
            "" if person.load is None else percent(person.load),
            f"{percent(person.peak[1])} from {content.weekday(person.peak[0])}" if person.peak else "",
            "; ".join([*map(content.span, person.away), *again]),
        )
        rows += [(person.name, *cells)] if any(cells) else []
    yield from table(("who", "role", "time", "work", "of their time", "fullest week", "away"), rows)


def _days(much: str) -> str:
    return f"{much} day{'' if much == '1' else 's'}"


def assumptions_and_limits(content: Content) -> Iterator[str]:
    """Yield what the plan takes for granted, and what it has to keep to."""
    sections = [section for section in content.plan.sections if section.id in PROSE]
    prose = [lowered(section.text) for section in sections if section.text.strip()]
    bullets = [item for section in sections for item in section.items if isinstance(item, Bullet)]
    others = [item for item in content.plan.items if not isinstance(item, Bullet)]
    items = (item for item in (*bullets, *others) if item.id not in content.left_out)
    said = lines(text for item in items if (text := _limit_text(content, item)))
    yield from part("## Assumptions and limits", (*prose, *said))


def _limit_text(content: Content, item: Item) -> str:
    """Return what an item says as a limit or an assumption; "" for one that is elsewhere."""
    match item:
        case Bullet():
            return f"{item.priority.capitalize()}: {item.text}" if item.priority else item.text
        case Criterion():
            by = f"by {content.day(item.due)}" if item.due else ""
            return " · ".join(filter(None, (item.text, item.target, item.measure, by)))
        case Constraint():
            days = " to ".join(content.day(day) for day in (item.day, item.last) if day)
            amount = money_text(item.amount) if item.amount else ""
            limit = ", ".join(filter(None, (days, "" if amount in item.text else amount)))
            return f"{item.text}: {limit}" if limit else item.text
        case DaysOff():
            days = ", ".join(filter(None, (*map(content.span, item.days), FIELDS[DaysOff]["Again"].text_of(item))))
            return f"{item.text}: {days}"
        case _:
            return ""
