"""Tables in Markdown: whatever is in a cell stays in it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern

_SPACES = lazy_pattern(r"[ \t\r\n]+")


class Table(Struct, frozen=True):
    """Cells in columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[str, ...] = ()
    """Columns of numbers."""
    notes: tuple[str, ...] = ()
    """Lines below it."""


def without_empty_columns(table: Table) -> Table:
    """Return a table without the columns in which no row says anything."""
    kept = [place for place in range(len(table.columns)) if any(row[place] for row in table.rows)]
    columns, *rows = (tuple(row[place] for place in kept) for row in (table.columns, *table.rows))
    return replace(table, columns=columns, rows=tuple(rows))


def markdown_table(table: Table) -> str:
    """Return a table's columns and rows, without its title and notes."""
    lines = [
        _line(table.columns),
        _line("---:" if column in table.right else "---" for column in table.columns),
        *map(_line, table.rows),
    ]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(cell, cells))} |"


def cell(text: str) -> str:
    """Return a text as a cell holds it: on one line, and with no end of the cell in it."""
    return one_line(text).replace("|", "\\|")


def one_line(text: str) -> str:
    """Return a text on one line: it begins no heading, list or table of its own.

    Other signs that some programs break lines at stay: they are made visible when a text is written out, not lost here.
    """
    return _SPACES.sub(" ", text).strip()
