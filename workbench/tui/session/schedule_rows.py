"""Costs and people of a plan as tables, and its days in short. The words are those of the exports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rich.cells import cell_len
from textual.content import Content

from workbench.domain.plan.figures import Figures, StepFigures, short_day
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.tables import Table
from workbench.export.figures import SCHEDULE, tables
from workbench.tui.lines import Row, cut, filled, joined, text, wrapped
from workbench.tui.marks import DIM, FOCUS
from workbench.tui.told import EMPTY, words_row

NOT_SCHEDULED = "No step has a date yet: dates, costs and people stand here once the plan has some."
_DOT = " · "
_LEAST = 8
"""Cells in which a column of words can still be read."""


def costs_and_people(told: Figures, width: int) -> Iterator[Row]:
    """Yield the tables of a plan beside its schedule, and the notes of all of them."""
    for table in tables(told):
        if table.title != SCHEDULE:
            yield from (EMPTY, Row((cut(text(table.title, f"bold {FOCUS}"), width),)), *table_rows(table, width))
        yield from (words_row(note, width) for note in table.notes)


def why(step: StepFigures) -> str:
    """Return why a step stands on its days, and what it is where it is no work to be done."""
    kind = "" if step.kind == "work" else step.kind
    status = step.status if step.status in ("waiting", "dropped") else ""
    return clean("; ".join(part for part in (step.why, kind, status) if part))


def day_in_short(day: date, beside: date | None) -> str:
    """Return a day without its year where that is the year of another one: ``12 Mar``, ``8 Dec 26``."""
    short = short_day(day, day)
    return short if beside is not None and day.year == beside.year else f"{short} {day.year % 100:02}"


def table_rows(table: Table, width: int) -> Iterator[Row]:
    """Yield a table's rows: in columns, or below one another where there is no room for these."""
    rows = [tuple(map(clean_name, row)) for row in table.rows]
    widths = _widths((table.columns, *rows), width)
    if widths is None:
        for first, *cells in rows:
            more = (f"{name}: {cell}" for name, cell in zip(table.columns[1:], cells, strict=True) if cell)
            below = (text(f"  {line}", DIM) for line in _filled_lines(more, max(width - 2, _LEAST)))
            yield Row((*map(text, wrapped(first, width)), *below))
    else:
        yield Row((_columns(table.columns, table, widths, DIM),))
        yield from (Row((_columns(row, table, widths, ""),)) for row in rows)


def _filled_lines(parts: Iterable[str], width: int) -> list[str]:
    """Return parts in as few lines as hold them, each whole where a line has room for it."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(lines[-1] + _DOT + part) <= width:
            lines[-1] += _DOT + part
        else:
            lines += wrapped(part, width)
    return lines


def _columns(cells: Sequence[str], table: Table, widths: Sequence[int], style: str) -> Content:
    columns = zip(table.columns, cells, widths, strict=True)
    shown = (filled(text(cell, style), room, is_right=name in table.right) for name, cell, room in columns)
    return joined(*(part for cell in shown for part in (cell, "  ")))


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """Return how wide each column is, the widest one cut where that is enough; None where it is not."""
    widths = [max(text(cell).cell_length for cell in column) for column in zip(*rows, strict=True)]
    over = sum(widths) + 2 * len(widths) - width
    if over > 0:
        widest = max(range(len(widths)), key=widths.__getitem__)
        widths[widest] -= over
        if widths[widest] < 2 * _LEAST:
            return None
    return widths
