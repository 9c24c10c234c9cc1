"""Tables in text, as spreadsheets and trackers write them: any delimiter, quoted cells over several lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import islice, pairwise, zip_longest
from statistics import median

from workbench.domain.plan.importing.assembly import Assembly
from workbench.domain.plan.importing.formats.tables import Columns, RowReader, fields_of
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.importing.lines.blocks import Table
from workbench.domain.plan.importing.lines.labels import column_field
from workbench.domain.plan.importing.lines.values import day_of, is_month_first
from workbench.domain.plan.importing.own import DAYS, SAID, is_own_table, step_of_row
from workbench.domain.plan.plan import Step
from workbench.domain.text.formulas import restored

DELIMITERS = ",;\t|"
_LOOKED_AT = 30
"""Rows from which the delimiter is told."""
_MOST_ABOVE = 10
"""Rows below the first wide one, among which the heads are looked for."""
_FEWEST_KNOWN = 2
"""Heads of a table that have to be known, where its file's name does not say that it is one."""
_FEWEST_LETTERS = 3
"""Letters that titles have, on the whole."""
Row = tuple[int, list[str]]
"""The line at which a row begins, and its cells."""


def delimiter_of(lines: Sequence[str]) -> str | None:
    """Return what parts the cells of a table; None if lines are none."""
    first = [line for line in lines[:_LOOKED_AT] if line.strip()]
    widths = {sign: median(len(_cells(line, sign)) for line in first) for sign in DELIMITERS} if first else {}
    best = max(widths, key=lambda sign: (widths[sign], -DELIMITERS.index(sign)), default=None)
    return best if best is not None and widths[best] > 1 else None


def is_table(lines: Sequence[str]) -> bool:
    """Tell whether lines are a table: its heads name fields of work, or each line has as many cells, parted by tabs."""
    sign = delimiter_of(lines)
    first = [line for line in lines[:_LOOKED_AT] if line.strip()]
    above = _count_above([_cells(line, sign) for line in first]) if sign else 0
    if sign is None or any(line.lstrip().startswith(("#", "-", "|", ">")) for line in first[: above + 1]):
        return False
    if first[above].lstrip().startswith("*"):  # an entry; above a table it is a remark
        return False
    cells, rows = _cells(first[above], sign), first[above + 1 :]
    fields = {field for cell in cells if (field := column_field(cell))}
    if len(cells) > 2 and len(rows) > 1 and sign in "\t;" and all(len(_cells(row, sign)) == len(cells) for row in rows):
        return True
    alike = sum(1 for line in rows if line.count(sign) >= (len(cells) - 1) / 2)
    return len(fields) >= _FEWEST_KNOWN and alike >= len(rows) / 3


def _cells(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error:
        return [line]


def read_table(assembly: Assembly, today: date) -> Imported:
    """Return the plan of a table."""
    rows = _rows(assembly.lines, delimiter_of(assembly.lines) or ",")
    above = _count_above([row for _, row in rows])
    for (line, cells), (following, _) in islice(pairwise(rows), above):
        said = " · ".join(filter(None, cells))
        assembly.text(assembly.section("introduction"), said, range(line, following))
    rows = rows[above:]
    if not rows:
        return assembly.build("csv")
    if made := _made_heads([row for _, row in rows]):
        assembly.guess(f"a table without heads: its columns read as {', '.join(made)}")
        read_rows(assembly, made, rows, today, last=len(assembly.lines), keep=partial(_keep, assembly))
        return assembly.build("csv")
    head_at, head = rows[0]
    rows = rows[1:]
    assembly.name_columns(assembly.section("steps"), head_at, head)
    assembly.says(head_at, " ".join(head))
    if "title" not in fields_of(head):
        head = _heads_by_values(head, [row for _, row in rows], today, assembly)
    if is_own_table(head):
        _own_rows(assembly, head, rows, today)
    else:
        keep = partial(_keep, assembly)
        read_rows(assembly, head, rows, today, last=len(assembly.lines), keep=keep)
    return assembly.build("csv")


def _count_above(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows are above a table: those far shorter than its own, and a legend above its heads."""
    filled = [[cell for cell in row if cell] for row in rows]
    width = median(map(len, filled)) if filled else 0
    are_own = (
        len(row) > width / 2 or (len(row) >= _FEWEST_KNOWN and all(map(column_field, row))) for row in filled[:-1]
    )
    first = next((at for at, is_own in enumerate(are_own) if is_own), max(len(rows) - 1, 0))
    known = [set(map(column_field, row)) - {""} for row in filled[first : first + _MOST_ABOVE]]
    if not known or "title" in known[0]:
        return first
    heads = (at for at, fields in enumerate(known) if "title" in fields and len(fields) > _FEWEST_KNOWN)
    return first + next(heads, 0)


def table_in(lines: Sequence[str], first: int, last: int) -> Table | None:
    """Return the table of some of the lines, which are CSV, below what is above it; None for none."""
    part = lines[first:last]
    rows = [(first + at, tuple(cells)) for at, cells in _rows(part, delimiter_of(part) or ",")]
    rows = rows[_count_above([cells for _, cells in rows]) :]
    return Table(rows[0][0], last, rows[0][1], tuple(rows[1:])) if rows else None


def _made_heads(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return heads for a table that has none: its first row has a number of its own, as all others; [] for others.

    The first words that differ in each row are the titles, words that come again and again are a kind.
    """
    columns = list(zip_longest(*rows, fillvalue=""))
    ids = next((column for column in columns if len(set(column)) == len(rows) and all(map(str.isdecimal, column))), ())
    if len(rows) < 2 or not ids or "title" in fields_of(rows[0]):
        return []
    heads: list[str] = []
    for number, column in enumerate(columns, 1):
        filled = list(filter(None, column))
        if column == ids:
            heads.append("id")
        elif filled and set(filled) <= set(ids):
            heads.append("parent")
        elif "title" not in heads and len(set(filled)) == len(rows) and not any(map(str.isdecimal, filled)):
            heads.append("title")
        else:
            heads.append(f"column {number}")
    return heads if "title" in heads else []


def _heads_by_values(head: Sequence[str], rows: Sequence[Sequence[str]], today: date, assembly: Assembly) -> list[str]:
    """Return heads of a table whose own name no title, as in another language: unknown columns by what their cells are.

    The first words that differ in each row are titles, else the longest; what names other rows is needed by its row;
    two columns of days, of which the second is never the earlier, are begin and end.
    """
    assembly.guess("a table without known heads: its first row read as heads, its columns by what their cells are")
    unknown = [at for at, name in enumerate(head) if not column_field(name)]
    columns = {at: [row[at] if at < len(row) else "" for row in rows] for at in unknown or range(len(head))}
    letters = {at: len(re.findall(r"[^\W\d_]", "".join(cells))) for at, cells in columns.items()}
    apart = [at for at, cells in columns.items() if len(set(cells)) == len(rows) > 1 and all(cells)]
    of_words = (at for at in apart if letters[at] > _FEWEST_LETTERS * len(rows))
    titles = next(of_words, max(letters, key=letters.__getitem__))
    found = {titles: "title"}
    month_first = is_month_first(cell for cells in columns.values() for cell in cells)
    days = {at: [day_of(cell, today, month_first=month_first) or "" for cell in columns[at]] for at in columns}
    first, *behind = [at for at, cells in days.items() if all(cells)] or [titles]
    if len(behind) == 1 and all(begin <= end for begin, end in zip(days[first], days[behind[0]], strict=True)):
        found |= {first: "start", behind[0]: "end"}
    names = {cell for at in (*apart, titles) if at not in found.keys() - {titles} for cell in columns[at]}
    for at in columns.keys() - found.keys() - set(apart):
        cells = [[cell] if cell in names else re.split(r"[,;] ?", cell) for cell in columns[at] if cell]
        named = [name for parts in cells for name in parts]
        if len(named) > 1 and names.issuperset(named) and 2 * len(set(named)) > len(named):
            found[at] = "needs"
            found |= {one: "id" for one in apart if one not in found and not set(named).isdisjoint(columns[one])}
    for at in sorted(found.keys() - {titles}):
        assembly.guess(f"column “{head[at]}” read as {found[at]}")
    return [found.get(at, name) for at, name in enumerate(head)]


def _own_rows(assembly: Assembly, head: Sequence[str], rows: Sequence[Row], today: date) -> None:
    """Read the rows of a table of ours."""
    days = [cell for _, row in rows for name, cell in zip(head, row, strict=False) if name.strip().casefold() in DAYS]
    month_first = is_month_first(days) or _is_month_first_for(assembly.known.values(), days, today)
    for line, row, following in _with_following(rows, len(assembly.lines)):
        own = step_of_row(line, dict(zip(head, map(restored, row), strict=False)), today, month_first=month_first)
        draft = assembly.step(own)
        assembly.says(line, " ".join(cell for name, cell in zip(head, row, strict=False) if name in SAID))
        if draft is None:
            _keep(assembly, row, line, following)
        assembly.fates(range(line + 1, following), "field", draft)


def read_rows(
    assembly: Assembly,
    head: Sequence[str],
    rows: Sequence[tuple[int, Sequence[str]]],
    today: date,
    *,
    last: int,
    above: str = "",
    keep: Callable[[Sequence[str], int, int], None],
) -> None:
    """Read the rows of a table of others; one with nothing but a title, between others, heads those that follow.

    ``last``: the line after it; ``above``: the workstream of all; ``keep``: what becomes of a row that is not a step.
    """
    reader = RowReader(assembly, Columns.from_heads(head, [row for _, row in rows], assembly), today)
    workstream, width = above, median(len(row) for _, row in rows) if rows else 0
    groups = set(_groups(head, rows, reader))
    for at, (line, row, following) in enumerate(_with_following(rows, last)):
        if at in groups:
            name = next(filter(None, row))
            workstream = " / ".join(filter(None, (above, " ".join(name.split()))))
            assembly.text(assembly.section("steps"), name, range(line, following))
            continue
        if list(row) == list(head):  # said again above the next group
            assembly.fates(range(line, following), "heading")
            assembly.says(line, "")
            continue
        if reader.item(line, row):
            continue
        draft = reader.step(line, row, workstream=workstream)
        if draft is None:
            keep(row, line, following)
        elif len(row) > len(head) and (any(row[len(head) :]) or len(row) > width):
            draft.misfit(" · ".join(row), f"the row has {len(row)} cells and the head {len(head)}: they may have moved")
        assembly.fates(range(line + 1, following), "field", draft)
    reader.put_below()


def _groups(head: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]], reader: RowReader) -> Iterator[int]:
    """Yield the places of rows that head others: all that they say is below no head, or is a title above more."""
    filled = [[at for at, cell in enumerate(row) if cell] for _, row in rows]
    alone = sum(len(cells) == 1 for cells in filled)
    for at, (cells, behind) in enumerate(pairwise(filled)):
        if len(cells) == 1 < len(behind) and len(head) > 2 and cells[0] < len(head):
            is_title = bool(reader.title_of(rows[at][1])) and 3 * alone <= len(rows)
            if is_title or not head[cells[0]]:
                yield at


def _with_following(rows: Sequence[tuple[int, Sequence[str]]], count: int) -> Iterable[tuple[int, Sequence[str], int]]:
    """Yield each row with its line, and the line of the one that follows."""
    starts = [*(line for line, _ in rows), count]
    return ((line, row, following) for (line, row), following in zip(rows, starts[1:], strict=True))


def _keep(assembly: Assembly, row: Sequence[str], line: int, following: int) -> None:
    """Keep a row that is not a step as text."""
    said = " · ".join(cell.replace("\n", " ") for cell in row if cell.strip())
    if said:
        assembly.text(assembly.section("steps"), said, range(line, following))


def _is_month_first_for(known: Iterable[Step], days: Sequence[str], today: date) -> bool:
    """Tell whether more dates are those of the steps that were exported when the month is read first."""
    there = {getattr(step, field) for step in known for field in DAYS.values()}
    day_first, month_first = (
        sum(day_of(cell, today, month_first=is_month_first) in there for cell in days if cell)
        for is_month_first in (False, True)
    )
    return month_first > day_first


def _rows(lines: Sequence[str], sign: str) -> list[Row]:
    """Return the rows, each with the line it begins at; quotes that do not fit are read as letters."""
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        rows: list[Row] = []
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


def _swallows(rows: Sequence[Row], count: int) -> bool:
    """Tell whether a quote that is never closed has taken most of a file into one cell."""
    starts = [*(start for start, _ in rows), count]
    longest = max((after - before for before, after in pairwise(starts)), default=0)
    return longest > 200
