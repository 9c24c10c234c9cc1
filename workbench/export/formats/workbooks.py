"""Steps as a workbook of Excel (xlsx), with the columns of the table: days are dates there, and amounts numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime
from importlib.util import find_spec

from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.own import DAYS
from workbench.domain.plan.plan import Plan
from workbench.domain.text.cleaning import clean
from workbench.export.formats.tables import rows_of

MISSING = UsageError(
    "Workbooks (xlsx) need the package openpyxl.",
    "Install it: pip install 'planning-workbench[xlsx]'; or use CSV.",
)
_NUMBERS = frozenset({"low", "likely", "high", "cost"})
_WIDE = {"title": 40, "outcome": 30, "check": 30, "notes": 40}
_LONGEST = 32_767
"""Characters that a cell holds."""


def require_openpyxl() -> None:
    """Raise UsageError if workbooks can be neither read nor written."""
    if find_spec("openpyxl") is None:
        raise MISSING


def as_workbook(plan: Plan, now: datetime) -> bytes:
    """Return the steps of a plan as a workbook; no text in it is a formula. Raises UsageError without openpyxl."""
    require_openpyxl()
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    book.properties.created = book.properties.modified = now.replace(tzinfo=None)
    sheet = book.active
    sheet.title = "Steps"
    sheet.freeze_panes = "C2"
    heads, *rows = rows_of(plan)
    for at, head in enumerate(heads, 1):
        sheet.cell(1, at, head).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(at)].width = _WIDE.get(head, 14)
    for line, row in enumerate(rows, 2):
        for at, (head, value) in enumerate(zip(heads, _values(heads, row), strict=True), 1):
            if value != "":
                cell = sheet.cell(line, at, value)
                if isinstance(value, str):
                    cell.data_type = "s"  # also where it begins with a sign of a formula
                elif head in DAYS:
                    cell.number_format = "yyyy-mm-dd"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _values(heads: tuple[str, ...], row: tuple[str, ...]) -> Iterator[str | float | date]:
    for head, text in zip(heads, row, strict=True):
        value: str | float | date = clean(text)[:_LONGEST]
        with suppress(ValueError):
            if text and head in _NUMBERS:
                value = float(text)
            elif text and head in DAYS:
                value = date.fromisoformat(text)
        yield value
