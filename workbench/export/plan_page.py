"""A plan as one page of HTML for those who carry it out: table, timeline, risks. It prints on few sheets.

What keeps a page harmless stands in ``export/html.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from msgspec.structs import replace

from workbench.domain.plan.figures_told import day_range
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.markdown.fields import FIELDS, number
from workbench.domain.plan.plan import LEVELS, Decision, Fund, Item, Place, Plan, Row, Step
from workbench.domain.plan.references import with_references
from workbench.domain.plan.schedule import day_number
from workbench.domain.plan.step_days import first_day, last_day
from workbench.domain.session.standing import standing_of
from workbench.domain.session.state import SessionState
from workbench.domain.text.tables import Table, without_empty_columns
from workbench.export.figures import figures_of, headline, tables
from workbench.export.html import rendered
from workbench.export.pictures import WIDTH, risk_grid, timeline

_SHOWN_ABOVE = frozenset({"goal", "steps", "schedule", "actions"})
"""Sections that stand at the top, or say in prose what the table of steps says."""
_TABLES: dict[type[Item], tuple[str, tuple[str, ...]]] = {
    Row: ("Timetable", ("Day", "Time", "text", "Who", "Stop")),
    Fund: ("Funds", ("id", "text", "Limit", "Reserve")),
    Place: ("Places", ("id", "text", "Weekdays", "Hours", "Closed", "Closed again")),
    Decision: ("To decide", ("Latest", "id", "text", "Owner", "Options", "Assumed")),
}
"""Tables of items other than steps: title, and columns by the labels of fields."""


@dataclass(frozen=True, slots=True)
class _Part:
    id: str
    title: str
    markdown: str


def plan_page(state: SessionState) -> str:
    """Return the plan of a session as an HTML page. The session has a plan."""
    plan = with_references(state.plan or Plan(title=""))
    figures = figures_of(state, plan)
    return rendered(
        "plan.html.jinja",
        state=state,
        plan=plan,
        goal=plan.section("goal"),
        steps=[(step, ", ".join(step.owners), _effort(step), _when(step, figures.start)) for step in plan.steps],
        headline=headline(figures),
        standing=standing_of(state),
        timeline=timeline(figures),
        picture_width=WIDTH,
        also=tuple(_tables(plan)),
        costs=[table for table in tables(figures) if table.title.startswith("Costs")],
        parts=tuple(_parts(plan)),
        grid=risk_grid(plan),
        levels=LEVELS,
    )


def _parts(plan: Plan) -> Iterator[_Part]:
    """Yield the sections below the steps, as far as they hold something besides steps."""
    for section in plan.sections:
        items = tuple(
            replace(item, origin=None, causes=())
            for item in section.items
            if not isinstance(item, Step | Row | Fund | Place)
        )
        if section.id not in _SHOWN_ABOVE and (items or section.text.strip()):
            _, _, markdown = section_to_markdown(replace(section, items=items)).partition("\n")
            yield _Part(section.id, section.title, markdown)


def _tables(plan: Plan) -> Iterator[Table]:
    """Yield the timetable, the funds, the places and the decisions that somebody has to take."""
    for kind, (title, labels) in _TABLES.items():
        items = [item for item in plan.items if isinstance(item, kind)]
        if kind is Decision:
            items = [item for item in items if isinstance(item, Decision) and item.is_open]
        rows = tuple(tuple(_cell(item, label) for label in labels) for item in items)
        if rows:
            heads = tuple("what" if label == "text" else label.lower() for label in labels)
            yield without_empty_columns(Table(title, heads, rows))


def _cell(item: Item, label: str) -> str:
    field = FIELDS[type(item)].get(label)
    return field.of(item) if field else str(getattr(item, label))


def _effort(step: Step) -> str:
    """Return the likely days of a step, with their range where there is one."""
    if step.effort is None:
        return ""
    low, likely, high = (number(days) for days in (step.effort.low, step.effort.likely, step.effort.high))
    each = " each" if step.each else ""
    return f"{likely}{each}" if low == high else f"{likely} ({low}–{high}){each}"


def _when(step: Step, first: date | None) -> str:
    """Return the dates of a step, ``26–27 May``; the year only where it is not that of the plan's first day."""
    numbers = (day_number(text) for text in (first_day(step, step.on), last_day(step) or step.on))
    days = [date.fromordinal(number) for number in numbers if number is not None]
    return day_range(days[0], days[-1], first) if days else ""
