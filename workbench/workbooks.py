"""A workbook of Excel (xlsx) as text that is read as a plan; in a process of its own, which is killed beyond limits.

one sheet ─▶ CSV        several ─▶ Markdown, a heading and a block of CSV for each
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import date, datetime, time
from importlib.util import find_spec
from typing import Any

import msgspec

from workbench.domain.errors import UsageError
from workbench.foreign import Apart, Defective, TooCostly

SECONDS = 30.0
"""That reading a workbook may take."""
MOST_UNPACKED = 200_000_000
"""Bytes of a workbook's parts: it is packed, and a small one may unpack to any size."""
_MOST_ROWS, _MOST_COLUMNS = 20_000, 300


class _Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    text: str = ""
    problem: str = ""


def workbook_text(data: bytes, name: str) -> str:
    """Return a workbook as text. Blocks. Raises UsageError for one that cannot be read, and without openpyxl."""
    if find_spec("openpyxl") is None:
        raise UsageError(
            f"{name} is a workbook, which needs the package openpyxl.",
            "Install it: pip install 'planning-workbench[xlsx]'; or save the sheet as CSV.",
        )
    try:
        with Apart("workbench.workbooks:answer") as process:
            answered = msgspec.json.decode(process.read(data, SECONDS), type=_Answered)
    except TooCostly:
        raise UsageError(f"{name} takes too long to read.", "Save the sheet with the tasks as CSV.") from None
    except (Defective, OSError):
        raise UsageError(f"{name} cannot be read as a workbook.", "Save the sheet with the tasks as CSV.") from None
    if answered.problem:
        raise UsageError(f"{name} {answered.problem}.", "Save the sheet with the tasks as CSV.")
    return answered.text


def answer(data: bytes) -> bytes:
    """Read a workbook, in the process that does."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
                return msgspec.json.encode(_Answered(problem=f"unpacks to more than {MOST_UNPACKED:,} bytes"))
            if "xl/workbook.xml" not in parts.namelist():
                return msgspec.json.encode(_Answered(problem="is no workbook (xlsx)"))
        sheets = dict(_sheets(data))
    except (BadZipFile, KeyError, ValueError, OSError):
        return msgspec.json.encode(_Answered(problem="is a damaged workbook"))
    except _TooLarge:
        problem = f"has a sheet of more than {_MOST_ROWS:,} rows or {_MOST_COLUMNS:,} columns"
        return msgspec.json.encode(_Answered(problem=problem))
    filled = {title: rows for title, rows in sheets.items() if any(map(any, rows))}
    texts = [_as_markdown(title, rows) for title, rows in filled.items()]
    text = _as_csv(next(iter(filled.values()))) if len(filled) == 1 else "\n".join(texts)
    return msgspec.json.encode(_Answered(text=text))


class _TooLarge(Exception):
    """A sheet has more cells than a plan has."""


def _sheets(data: bytes) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each sheet with its rows; a formula whose value was not saved stays a formula."""
    from openpyxl import load_workbook

    values = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    formulas = load_workbook(io.BytesIO(data), read_only=True)
    for sheet in values.worksheets:
        rows: list[list[str]] = []
        beside = formulas[sheet.title]
        for each in (sheet, beside):
            each.reset_dimensions()
        for row, formula in zip(sheet.iter_rows(), beside.iter_rows(), strict=False):
            if len(rows) > _MOST_ROWS or len(row) > _MOST_COLUMNS:
                raise _TooLarge
            cells = [
                _text(one.value if one.value is not None else other.value, one)
                for one, other in zip(row, formula, strict=False)
            ]
            while cells and not cells[-1]:
                cells.pop()
            rows.append(cells)
        yield sheet.title, rows


def _text(value: Any, cell: Any) -> str:
    """Return what a cell says: days as ISO dates, shares in percent."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes")
        case date() | time():
            return value.isoformat()
        case int() | float() if "%" in str(getattr(cell, "number_format", "")):
            return f"{value * 100:.10g} %"
        case float():
            return f"{value:.15g}"
        case _:
            return str(value).strip()


def _as_csv(rows: list[list[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _as_markdown(title: str, rows: list[list[str]]) -> str:
    text = _as_csv(rows)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"## {title}\n\n{fence}csv\n{text}{fence}\n"
