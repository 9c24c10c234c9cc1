"""A table's columns: where each begins and how wide it is; and the days of a plan in the cells that it leaves free.

Mar      Apr       May          months, of a short plan weeks, from the first day of the work to the last day it may end
▄▄                              a step that cannot slip
  ━━╌╌╌╌╌                       one that can, and how far
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.plan.figures import short_day
from workbench.tui.lines import Cell, filled, joined, text
from workbench.tui.marks import DIM, DONE, FOCUS, Marks

if TYPE_CHECKING:
    from workbench.domain.plan.figures import Figures, StepFigures


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    width: int
    heading: str = ""
    is_right: bool = False
    """Whether its cells are at its right end, as numbers and dates do."""
    gap: int = 1
    """Empty cells after it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns beside each other."""

    columns: tuple[Column, ...]

    @property
    def width(self) -> int:
        """Cells of all columns."""
        return sum(column.width + column.gap for column in self.columns)

    def line(self, cells: Mapping[str, Content]) -> Content:
        """Return a line; a cell that is too long is cut with an ellipsis."""
        parts: list[Content | str] = []
        for column in self.columns:
            cell = cells.get(column.name, Content())
            parts += [filled(cell, column.width, is_right=column.is_right), " " * column.gap]
        return joined(*parts)

    def head(self, style: str) -> Content:
        """Return the line that names the columns."""
        return self.line({column.name: text(column.heading, style) for column in self.columns})

    def cells(self, *names: str) -> tuple[Cell, ...]:
        """Return where these columns stand in a line, those that are there."""
        found, start = [], 0
        for column in self.columns:
            if column.name in names:
                found.append(Cell(column.name, start, start + column.width))
            start += column.width + column.gap
        return tuple(found)


_LEAST, _MOST = 20, 64  # cells of the scale
_SHORT = 56  # days of a plan below which its weeks are named


@dataclass(frozen=True)
class Timescale:
    """Days laid out over cells."""

    first: date
    last: date
    due: date | None
    width: int
    today: date | None = None
    """Marked by a line instead of the day that all is due, where the work is under way."""

    @classmethod
    def from_steps(
        cls,
        steps: Iterable[StepFigures],
        told: Figures | None,
        room: int,
        *,
        today: date | None = None,
    ) -> Timescale | None:
        """Return the scale of a plan; None if there is no room, or nothing has a date."""
        steps = list(steps)
        width = min(room - 2, _MOST)
        starts = [step.start for step in steps if step.start is not None]
        if told is None or told.finish is None or not starts or width < _LEAST:
            return None
        last = max(told.finish, told.deadline or told.finish)
        first = min(starts)
        return cls(first, max(last, first + timedelta(days=6)), told.deadline, width, today)

    def _cell(self, day: date) -> int:
        part = (min(max(day, self.first), self.last) - self.first).days / (self.last - self.first).days
        return round(part * (self.width - 1))

    def months(self) -> Content:
        """Return the names of the months, each where it begins, as many as there is room for; a last day gives way.

        Of a short plan, instead of them the days on which its weeks begin.
        """
        cells, day, free = [" "] * self.width, self.first, 0
        is_short = (self.last - self.first).days < _SHORT
        while day <= self.last:
            month = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
            after = day + timedelta(days=7 - day.weekday()) if is_short else month
            at, name = self._cell(day), short_day(day, day)
            name = name if is_short else name.partition(" ")[2]
            gives_way = not is_short and day.day > 1 and after <= self.last and self._cell(after) <= at + len(name)
            if not gives_way and at >= free and at + len(name) <= self.width:
                cells[at : at + len(name)] = name
                free = at + len(name) + 1
            day = after
        return text("".join(cells), DIM)

    def span(self, start: date | None, end: date | None, marks: Marks) -> Content:
        """Return the days of several steps as a line."""
        cells = [" "] * self.width
        if start is not None and end is not None:
            first, last = self._cell(start), self._cell(end)
            cells[first : last + 1] = marks.rule * (last + 1 - first)
        return text("".join(cells), DIM)

    def bar(self, step: StepFigures | None, marks: Marks) -> Content:
        """Return a step: when it is worked on, and how far it can slip; a mark on the day that all must be done by."""
        cells: list[tuple[str, str]] = [(" ", "")] * self.width
        line = self.today or self.due
        if line is not None and self.first <= line <= self.last:
            cells[self._cell(line)] = (marks.today, "" if self.today else DIM)
        if step is not None and step.start is not None and step.end is not None:
            start, end = self._cell(step.start), self._cell(step.end)
            mark, style = (marks.critical, FOCUS) if step.critical else (marks.planned, DIM)
            if step.status == "done":
                mark, style = marks.planned, DONE
            if step.slack is not None and step.slack > 0:
                latest = self._cell(step.end + timedelta(days=step.slack * 7 // 5))
                cells[end : latest + 1] = [(marks.slack, DIM)] * (latest + 1 - end)
            if step.kind == "milestone":
                mark, style = marks.due, ""
            cells[start : end + 1] = [(mark, style)] * (end + 1 - start)
        return joined(*(text(mark, style) for mark, style in cells))
