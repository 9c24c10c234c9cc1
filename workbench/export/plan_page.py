"""A plan as one page of HTML for those who carry it out: table, timeline, risks. It prints on few sheets.

How the plan came about stands on another page (``export/html.py``), and so does what keeps both of them harmless.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from msgspec.structs import replace

from workbench.domain.plan.figures import short_day
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.schedule import day_number
from workbench.domain.plan.step_days import last_day
from workbench.domain.session.state import SessionState
from workbench.export.facts import facts_table
from workbench.export.figures import figures_of, headline, standing_of, tables
from workbench.export.html import rendered
from workbench.export.pictures import LEVELS, WIDTH, risk_grid, timeline

_SHOWN_ABOVE = frozenset({"goal", "steps", "schedule", "actions"})
"""Sections that stand at the top, or say in prose what the table of steps says."""


@dataclass(frozen=True, slots=True)
class _Part:
    id: str
    title: str
    markdown: str


def plan_page(state: SessionState) -> str:
    """Return the plan of a session as an HTML page. The session has a plan."""
    plan = state.plan or Plan(title="")
    figures = figures_of(state, plan)
    return rendered(
        "plan.html.jinja",
        state=state,
        plan=plan,
        goal=plan.section("goal"),
        steps=[(step, _effort(step), _when(step, figures.start)) for step in plan.steps],
        headline=headline(figures),
        standing=standing_of(state),
        timeline=timeline(figures),
        picture_width=WIDTH,
        costs=[table for table in tables(figures) if table.title.startswith("Costs")],
        parts=tuple(_parts(plan)),
        grid=risk_grid(plan),
        levels=LEVELS,
        facts=[table for table in [facts_table(state.ledger)] if table],
    )


def _parts(plan: Plan) -> Iterator[_Part]:
    """Yield the sections below the steps, as far as they hold something besides steps."""
    for section in plan.sections:
        items = tuple(replace(item, origin=None) for item in section.items if not isinstance(item, Step))
        if section.id not in _SHOWN_ABOVE and (items or section.text.strip()):
            _, _, markdown = section_to_markdown(replace(section, items=items)).partition("\n")
            yield _Part(section.id, section.title, markdown)


def _effort(step: Step) -> str:
    """Return the likely days of a step, with their range where there is one."""
    if step.effort is None:
        return ""
    low, likely, high = (number(days) for days in (step.effort.low, step.effort.likely, step.effort.high))
    return likely if low == high else f"{likely} ({low}–{high})"


def _when(step: Step, first: date | None) -> str:
    """Return the dates of a step, ``26–27 May``; the year only where it is not that of the plan's first day."""
    numbers = (day_number(text) for text in (step.started or step.on or step.start, last_day(step) or step.on))
    days = [date.fromordinal(number) for number in numbers if number is not None]
    if not days:
        return ""
    start, end = days[0], days[-1]
    last = short_day(end, first)
    if start == end:
        return last
    same_month = (start.year, start.month) == (end.year, end.month)
    return f"{start.day}–{last}" if same_month else f"{short_day(start, end)} – {last}"
