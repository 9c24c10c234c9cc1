"""Steps as CSV: a row each, for spreadsheets."""

from __future__ import annotations

import csv
import io

from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.step_days import first_day, last_day
from workbench.domain.text.formulas import harmless

COLUMNS = (
    "id", "title", "status", "owner", "low", "likely", "high", "start", "end", "needs", "workstream", "outcome",
    "check", "not before", "on", "deadline", "parent", "cost", "currency", "tags", "notes",
)  # fmt: skip
BYTE_ORDER_MARK = "\ufeff"
"""Excel reads a file as UTF-8 only with it."""


def as_csv(plan: Plan) -> str:
    """Return the steps of a plan as CSV; a cell that a spreadsheet would calculate has an apostrophe in front."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    writer.writerows(map(harmless, _cells(step)) for step in plan.steps)
    return BYTE_ORDER_MARK + file.getvalue()


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
        " ".join(step.needs),
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
    )
