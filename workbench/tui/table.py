"""A table's columns: where each begins, how wide it is, and a line of cells laid out in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content

from workbench.tui.lines import Cell, filled, joined, text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    width: int
    heading: str = ""
    is_right: bool = False
    """Whether its cells stand at its right end, as numbers and dates do."""
    gap: int = 1
    """Empty cells behind it."""


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
