"""The figures of a plan as rows: schedule with why, costs, people.

    S4  Rehearse the way back       24–26 Mar      15  after S3                       where there is room
    S4  Rehearse the way back       24–26 Mar      15                                 else the reason stands below
          Sam is busy with S2

The words are those of the exports; only the layout is made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rich.cells import cell_len
from textual.content import Content

from workbench.domain.plan.figures import Figures, StepFigures, short_day
from workbench.domain.plan.figures_told import nested
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.tables import Table
from workbench.export.figures import SCHEDULE, headline, tables
from workbench.tui.lines import Row, cut, filled, joined, text, wrapped
from workbench.tui.marks import DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.told import EMPTY, words_row

NOT_SCHEDULED = "No step has a date yet: dates, costs and people stand here once the plan has some."
_DOT = " · "
_HELD = "\N{NO-BREAK SPACE}"
_INSIDE = lazy_pattern(r"(?<![,·]) ")
"""Spaces at which the line of a plan's head is not broken: inside what it says, and before what separates it."""
_ID, _WHEN, _SLACK, _WHY, _LONG_WHY, _OWNER = 6, 17, 6, 17, 26, 12
"""Cells of a column, with the space behind it."""
_BROAD, _BROADER = 72, 96
"""Cells from which the reason has a column, and the owner."""
_LEAST = 8
"""Cells in which a column of words can still be read."""


def headline_rows(told: Figures, width: int) -> list[Row]:
    """Return what a plan comes to, for its head; no row where there is nothing to say."""
    line = _INSIDE.sub(_HELD, clean(headline(told)))
    lines = (part.replace(_HELD, " ").removesuffix(" ·") for part in wrapped(line, width))
    return [Row(tuple(map(text, lines)))] if line else []


def _filled_lines(parts: Iterable[str], width: int) -> list[str]:
    """Return parts in as few lines as hold them, each whole where a line has room for it."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(lines[-1] + _DOT + part) <= width:
            lines[-1] += _DOT + part
        else:
            lines += wrapped(part, width)
    return lines


def schedule_rows(told: Figures | None, width: int, marks: Marks) -> list[Row]:
    """Return schedule, costs and people of a plan."""
    shown = tables(told) if told else ()
    if told is None or not shown:
        return [EMPTY, words_row(NOT_SCHEDULED, width)]
    rows = headline_rows(told, width)
    for table in shown:
        if table.title == SCHEDULE:
            rows += [EMPTY, _header(width), *_schedule(told, width, marks)]
            rows += [words_row(note, width) for note in table.notes]
    return [*rows, *costs_and_people(told, width)]


def costs_and_people(told: Figures, width: int) -> Iterator[Row]:
    """Yield the tables of a plan beside its schedule."""
    for table in tables(told):
        if table.title != SCHEDULE:
            yield from (EMPTY, Row((cut(text(table.title, f"bold {FOCUS}"), width),)), *table_rows(table, width))
            yield from (words_row(note, width) for note in table.notes)


# --- schedule ---------------------------------------------------------------------------------------------------------


def _title_room(width: int) -> int:
    why = _LONG_WHY if width >= _BROADER else _WHY if width >= _BROAD else 0
    owner = _OWNER if width >= _BROADER else 0
    return max(width - 2 - _ID - owner - _WHEN - _SLACK - why, _LEAST)


def _header(width: int) -> Row:
    owner = f"{'owner':<{_OWNER}}" if width >= _BROADER else ""
    why = "  why then" if width >= _BROAD else ""
    named = f"  {'step':<{_ID}}{'':<{_title_room(width)}}{owner}{'when':<{_WHEN}}{'slack':>{_SLACK - 1}}{why}"
    return Row((cut(text(named, DIM), width),))


def _schedule(told: Figures, width: int, marks: Marks) -> Iterator[Row]:
    for step, is_part in nested(told.steps):
        yield Row(tuple(_step(step, told, width, marks, is_part=is_part)))


def _step(step: StepFigures, told: Figures, width: int, marks: Marks, *, is_part: bool) -> Iterator[Content]:
    room = _title_room(width)
    title = ("  " if is_part else "") + clean_name(step.title)
    words = DIM if step.status in ("done", "dropped") else ""
    slack = "" if step.slack is None else f"{step.slack:,}".replace("-", "−")
    why = _why(step)
    line = joined(
        _mark(step, marks),
        text(f"{clean_name(step.step):<{_ID}}", DIM),
        filled(text(title, words), room - 1),
        " ",
        joined(filled(text(clean_name(step.owner), DIM), _OWNER - 1), " ") if width >= _BROADER else "",
        text(f"{when(step.start, step.end, told.finish):<{_WHEN}}", words),
        text(f"{slack:>{_SLACK - 1}}", slack_style(step)),
    )
    is_beside = width >= _BROAD and len(why) <= width - line.cell_length - 2
    yield cut(joined(line, text(f"  {why}", DIM)) if is_beside else line, width)
    if width < _BROAD and step.owner:  # who does it has no column either
        why += f"{_DOT if why else ''}{clean_name(step.owner)}"
    if why and not is_beside:
        indent = " " * (2 + _ID)
        yield from (text(f"{indent}{part}", DIM) for part in wrapped(why, max(width - len(indent), _LEAST)))


def _mark(step: StepFigures, marks: Marks) -> Content:
    mark, style = {"done": (marks.done, DONE), "under-way": (marks.runs, FOCUS)}.get(step.status, (" ", ""))
    return text(f"{mark} ", style)


def slack_style(step: StepFigures) -> str:
    """Return the style of a step's slack: none left is bold, less than none is red."""
    if step.slack is not None and step.slack < 0:
        return FAILED
    return "bold" if step.critical else DIM


def _why(step: StepFigures) -> str:
    kind = "" if step.kind == "work" else step.kind
    status = step.status if step.status in ("waiting", "dropped") else ""
    return clean("; ".join(part for part in (step.why, kind, status) if part))


def when(start: date | None, end: date | None, finish: date | None) -> str:
    """Return a stretch of days: ``12–23 Mar``, ``24 Mar–14 Apr``; a year that is not the last one is named."""
    if start is None or end is None:
        return ""
    if start == end:
        return day_in_short(end, finish)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}–{day_in_short(end, finish)}"
    first = day_in_short(start, end if finish is not None and start.year == end.year else finish)
    return f"{first}–{day_in_short(end, finish)}"


def day_in_short(day: date, beside: date | None) -> str:
    """Return a day without its year where that is the year of another one: ``12 Mar``, ``8 Dec 26``."""
    short = short_day(day, day)
    return short if beside is not None and day.year == beside.year else f"{short} {day.year % 100:02}"


# --- other tables -----------------------------------------------------------------------------------------------------


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
