"""Steps as CSV: a row each, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from workbench.domain.plan.importing.own import BY_HEAD, EACH, cells_of
from workbench.domain.plan.plan import Plan
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
    """Yield the heads of the columns, further ones if a step says something there, and the cells of each step."""
    steps = [cells_of(step) for step in plan.steps]
    more = [head for head in (EACH, *BY_HEAD) if head not in COLUMNS and any(cells.get(head) for cells in steps)]
    yield (*COLUMNS, *more)
    for cells in steps:
        yield tuple(cells[head] for head in (*COLUMNS, *more))
