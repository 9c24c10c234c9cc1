"""Tables in text, as spreadsheets and trackers write them: any delimiter, quoted cells over several lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from statistics import median

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.headings import topic_of
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.items import KINDS, TITLES
from workbench.domain.plan.importing.labels import column_field
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.own_rows import DAYS, SAID, is_own_table, step_of_row
from workbench.domain.plan.importing.rows import Columns, RowReader
from workbench.domain.plan.importing.values import day_of, is_month_first
from workbench.domain.plan.plan import Step

DELIMITERS = ",;\t|"
_LOOKED_AT = 30
"""Rows from which the delimiter is told."""
_FEWEST_KNOWN = 2
"""Heads of a table that have to be known, where its file's name does not say that it is one."""


def delimiter_of(lines: Sequence[str]) -> str | None:
    """Return what parts the cells of a table; None where lines are none."""
    first = [line for line in lines[:_LOOKED_AT] if line.strip()]
    widths = {sign: median(len(_cells(line, sign)) for line in first) for sign in DELIMITERS} if first else {}
    best = max(widths, key=lambda sign: (widths[sign], -DELIMITERS.index(sign)), default=None)
    return best if best is not None and widths[best] > 1 else None


def is_table(lines: Sequence[str]) -> bool:
    """Tell whether lines are a table: its heads name fields of work, or each line has as many cells, parted by tabs."""
    sign = delimiter_of(lines)
    head = next((line for line in lines if line.strip()), "")
    if sign is None or head.lstrip().startswith(("#", "-", "*", "|", ">")):
        return False
    cells = _cells(head, sign)
    fields = {field for cell in cells if (field := column_field(cell))}
    rows = [line for line in lines[1:_LOOKED_AT] if line.strip()]
    if len(cells) > 2 and len(rows) > 1 and sign in "\t;" and all(len(_cells(row, sign)) == len(cells) for row in rows):
        return True
    alike = sum(1 for line in rows if line.count(sign) >= (len(cells) - 1) / 2)
    return len(fields) >= _FEWEST_KNOWN and alike >= len(rows) / 3


def _cells(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error:
        return [line]


def read_table(assembly: Assembly, names: Names, today: date) -> Imported:
    """Return the plan of a table."""
    lines = assembly.lines
    sign = delimiter_of(lines) or ","
    rows = _rows(lines, sign)
    section = assembly.section("steps", "Steps")
    if not rows:
        return assembly.build("csv")
    width = median(sum(map(bool, row)) for _, row in rows)
    while len(rows) > 1 and sum(map(bool, rows[0][1])) <= width / 2:  # a title above the table
        line, cells_above = rows.pop(0)
        assembly.text(assembly.section("introduction", "Introduction"), " · ".join(filter(None, cells_above)), [line])
    head_at, head = rows[0]
    body = rows[1:]
    if not any(map(column_field, head)) and re.search(r"\d", "".join(head)):
        head, body = [], rows
        assembly.guess("a table without heads: its column with the longest words read as title")
    cells = [row for _, row in body]
    heads = head or [""] * max(map(len, cells))
    is_own = is_own_table(head)
    if head:
        assembly.name_columns(section, head_at, head)
        assembly.says(head_at, " ".join(head))
    days = [cell for row in cells for name, cell in zip(head, row, strict=False) if name.strip().casefold() in DAYS]
    month_first = is_month_first(days) or _is_month_first_for(assembly.known.values(), days, today)
    reader = None if is_own else RowReader(assembly, Columns.of(heads, cells, assembly), names, today)
    workstream, role = "", ""
    width = len(heads)
    for at, (line, row) in enumerate(body):
        if reader is not None:
            reader.number = at + 1
        if reader is not None and width > 2:
            filled = [cell for cell in row if cell]
            is_first = at == 0 or line - body[at - 1][0] > 1 or len(list(filter(None, body[at - 1][1]))) == 1
            is_last = at + 1 == len(body) or body[at + 1][0] - line > 1
            title = filled[0] if len(filled) == 1 else row[reader.title_at] if reader.title_at < len(row) else ""
            topic = topic_of(title)
            if len(filled) == 1 and topic.section in KINDS:
                role = topic.section
                assembly.text(assembly.section(role, TITLES[role]), title, [line])
                continue
            if len(filled) == 1 and role:
                assembly.item(assembly.section(role, TITLES[role]), KINDS[role], line, text=title)
                continue
            if (len(filled) == 1 or title.isupper()) and is_first and not is_last:
                workstream, role = " ".join(title.split()), ""
                rest = [cell for cell in filled if cell != title]
                assembly.text(section, " · ".join([title, *rest]), [line])
                continue
            if len(filled) == 1 and is_first and is_last:
                assembly.text(section, title, [line])
                continue
            if reader.item(line, row):
                continue
            if reader.heads(row, [cells for _, cells in body[at + 1 : at + 2]]):
                workstream = title
                assembly.text(section, " · ".join(filled), [line])
                continue
        following = body[at + 1][0] if at + 1 < len(body) else len(lines)
        if reader is None:
            own = step_of_row(line, dict(zip(head, row, strict=False)), today, month_first=month_first)
            draft = assembly.step(own, section) if own is not None else None
            assembly.says(line, " ".join(cell for name, cell in zip(head, row, strict=False) if name in SAID))
        else:
            draft = reader.step(line, row, section, workstream=workstream)
        text = "\n".join(row)
        if draft is None:
            if text.strip():
                said = " · ".join(cell.replace("\n", " ") for cell in row if cell.strip())
                assembly.text(section, said, range(line, following))
            continue
        for number in range(line + 1, following):
            assembly.fate(number, "field", draft)
    return assembly.build("csv")


def _is_month_first_for(known: Iterable[Step], days: Sequence[str], today: date) -> bool:
    """Tell whether more dates are those of the steps that were exported when the month is read first."""
    there = {getattr(step, field) for step in known for field in DAYS.values()}
    day_first, month_first = (
        sum(day_of(cell, today, month_first=is_month_first) in there for cell in days if cell)
        for is_month_first in (False, True)
    )
    return month_first > day_first


def _rows(lines: Sequence[str], sign: str) -> list[tuple[int, list[str]]]:
    """Return the rows, each with the line it begins at; quotes that do not fit are read as letters."""
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        rows: list[tuple[int, list[str]]] = []
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=sign, quoting=quoting)
        start = 0
        try:
            for row in reader:
                if any(cell.strip() for cell in row):
                    rows.append((start, [cell.strip() for cell in row]))
                start = reader.line_num
        except csv.Error:
            continue
        if quoting == csv.QUOTE_NONE or not _swallows(rows, len(lines)):
            return rows
    return [(number, [line]) for number, line in enumerate(lines) if line.strip()]


def _swallows(rows: Sequence[tuple[int, list[str]]], count: int) -> bool:
    """Tell whether a quote that is never closed has taken most of a file into one cell."""
    starts = [*(start for start, _ in rows), count]
    longest = max((after - before for before, after in pairwise(starts)), default=0)
    return longest > 200
