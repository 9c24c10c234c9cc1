"""Steps as CSV: a row each, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from workbench.domain.plan.importing.own import EACH, MORE
from workbench.domain.plan.markdown.fields import FIELDS, number
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.step_days import first_day, last_day
from workbench.domain.text.formulas import harmless

COLUMNS = (
    "id", "title", "status", "owner", "low", "likely", "high", "start", "end", "needs", "workstream", "outcome",
    "check", "not before", "on", "deadline", "parent", "cost", "currency", "tags", "notes", "wait", "milestone",
)  # fmt: skip
BYTE_ORDER_MARK = "\ufeff"
"""Excel reads a file as UTF-8 only with it."""


def as_csv(plan: Plan) -> str:
    """Return the steps of a plan as CSV; a cell that a spreadsheet would calculate has an apostrophe in front."""
    file = io.StringIO()
    csv.writer(file).writerows((harmless(cell.replace("\0", "␀")) for cell in row) for row in rows_of(plan))
    return BYTE_ORDER_MARK + file.getvalue()


def rows_of(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield the heads of the columns, and the cells of each step."""
    more = _more(plan)
    yield (*COLUMNS, *more)
    for at, step in enumerate(plan.steps):
        yield (*_cells(step), *(cells[at] for cells in more.values()))


def _more(plan: Plan) -> dict[str, list[str]]:
    """Return the cells of further columns by their heads: those in which a step says something."""
    cells = {EACH: ["yes" if step.each else "" for step in plan.steps]}
    rest = {name: field for name, field in MORE.items() if name not in COLUMNS}
    cells |= {name: [field.of(step) for step in plan.steps] for name, field in rest.items()}
    return {name: texts for name, texts in cells.items() if any(texts)}


def _cells(step: Step) -> tuple[str, ...]:
    effort = step.effort
    return (
        step.id,
        step.title,
        step.status,
        step.owner,
        *((number(days) for days in (effort.low, effort.likely, effort.high)) if effort else ("", "", "")),
        first_day(step) or "",
        last_day(step) or "",
        FIELDS[Step]["Needs"].of(step) if step.lags else " ".join(step.needs),
        step.workstream,
        step.outcome,
        step.check,
        step.not_before or "",
        step.on or "",
        step.deadline or "",
        step.parent,
        str(step.cost.amount) if step.cost else "",
        step.cost.currency if step.cost else "",
        " ".join(step.tags),
        step.notes,
        MORE["wait"].of(step),
        MORE["milestone"].of(step),
    )
