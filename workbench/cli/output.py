"""How a command prints: rich in a terminal, plain in a pipe, JSON for programs.

Every text passes through here and is cleaned on its way out, whatever it went through before: a session file may come
from somebody else. Console markup is never interpreted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from workbench.cli.streams import nowhere
from workbench.domain.text.cleaning import clean, clean_json
from workbench.domain.text.patterns import lazy_pattern
from workbench.export.prose import as_rich, readable
from workbench.planning.trust.person import has_terminal

if TYPE_CHECKING:
    from rich.console import Console

    from workbench.domain.session.state import SessionState, Spent
    from workbench.tui.lines import Row


_DATE = lazy_pattern(r"(?:\d{4}-\d\d-\d\d)?")
_WIDTH, _NARROW = 100, 60
"""Columns of what is laid out for a pipe; columns below which a table is no table any more."""


class Output:
    """Where a command's words go."""

    def __init__(self, *, as_json: bool, plain: bool = False, goes_on: bool = False) -> None:
        """``goes_on``: the command finishes its work even when nobody reads what it says any more."""
        self.as_json = as_json
        self._goes_on = goes_on
        self.is_rich = not as_json and not plain and sys.stdout.isatty()
        self._console: Console | None = None

    @classmethod
    def from_options(cls, options: argparse.Namespace, *, goes_on: bool = False) -> Output:
        """Return the output that a command's options ask for."""
        return cls(as_json=options.json, plain=getattr(options, "plain", False), goes_on=goes_on)

    @property
    def console(self) -> Console:
        """The terminal, through rich."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(markup=False, highlight=False, emoji=False)
        return self._console

    def json(self, value: object) -> None:
        """Print a JSON value on one line."""
        self._write(json.dumps(clean_json(value), ensure_ascii=False, allow_nan=False))

    def json_lines(self, values: Iterable[object]) -> bool:
        """Print JSON values, one on a line, where the command prints JSON; return whether it does."""
        if self.as_json:
            for value in values:
                self.json(value)
        return self.as_json

    def listing(
        self,
        objects: Iterable[object],
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        right: Sequence[str] = (),
        empty: str = "",
    ) -> int:
        """Print JSON, one object on a line, else a table, or in a sentence that it would be ``empty``; return 0."""
        if self.json_lines(objects):
            pass
        elif rows or not empty:
            self.table(columns, rows, right=right)
        else:
            self.line(empty)
        return 0

    def asks(self, question: str) -> bool:
        """Ask whether to do something; False if nobody can be asked."""
        if self.as_json or not has_terminal():
            return False
        try:
            return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
        except EOFError:
            print()
            return False

    def _write(self, text: str) -> None:
        try:
            print(text, flush=True)
        except BrokenPipeError:
            if not self._goes_on:
                raise
            sys.stdout = nowhere("w")

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line."""
        if self.is_rich:
            from rich.text import Text

            self.console.print(Text(clean(text), style=style))
        else:
            self._write(clean(text))

    def indented(self, text: str, style: str = "", *, head: str = "  ") -> None:
        """Print somebody else's words: no line of them, wrapped ones too, begins where the command's own lines do."""
        if self.is_rich:
            from rich.text import Text

            lines = Text(clean(text)).wrap(self.console, max(self.console.width - len(head), 2))
            self.console.print(Text(head + f"\n{' ' * len(head)}".join(line.plain.rstrip() for line in lines), style))
        else:
            self._write(f"{head}{clean(text)}")

    def markdown(self, text: str) -> None:
        """Print Markdown: laid out in a terminal, as it is in a pipe. Links are shown, not made clickable."""
        if self.is_rich:
            self.console.print(as_rich(text), width=min(self.console.width, 100))
        else:
            self._write(readable(text))

    def rows(self, rows: Iterable[Row]) -> None:
        """Print rows of the application."""
        for row in rows:
            for line in row.lines:
                self.line(line.plain.rstrip())

    @property
    def width(self) -> int:
        """Cells of a line that is laid out here."""
        return self.console.width if self.is_rich else _WIDTH

    def heading(self, text: str) -> None:
        """Print a heading with an empty line before it."""
        self.line()
        self.line(text, "bold")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
        """Print a table whose first column and dates are never cut; a column named in ``right`` is aligned right.

        Tab-separated in a pipe; a block of lines for each row if a terminal is too narrow for columns.
        """
        if not self.is_rich:
            for row in (columns, *rows):
                self._write("\t".join(map(_on_a_line, row)))
            return
        if self.console.width < _NARROW:
            for row in rows:
                self.line(_on_a_line(row[0]), "bold")
                for name, cell in zip(columns[1:], row[1:], strict=True):
                    self.line(f"  {name}: {_on_a_line(cell)}")
            return
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
        for place, column in enumerate(columns):
            justify: Literal["left", "right"] = "right" if column in right else "left"
            whole = place == 0 or all(_DATE.fullmatch(row[place]) for row in rows)
            table.add_column(column, justify=justify, overflow="fold", no_wrap=whole)
        for row in rows:
            table.add_row(*(Text(_on_a_line(cell)) for cell in row))
        self.console.print(table)

    def note(self, text: str) -> None:
        """Say something beside the result: on standard error, so that pipes stay clean."""
        sys.stderr.write(f"{clean(text)}\n")
        sys.stderr.flush()


def _on_a_line(cell: str) -> str:
    """Return a cell that cannot be taken for two rows."""
    return clean(cell).replace("\t", " ").replace("\n", " ")


def picked(value: object, *names: str) -> dict[str, Any]:
    """Return some attributes of a value, by name."""
    return {name: getattr(value, name) for name in names}


def local_time(stamp: str) -> str:
    """Return an event's time as the person's clock shows it, to the minute."""
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return stamp


def money(cost: float | None) -> str:
    """Return a cost in US dollars; an unknown price is n/a, never 0."""
    return "n/a" if cost is None else f"${cost:.2f}" if cost >= 0.01 or cost == 0 else f"${cost:.4f}"


def tokens_text(spent: Spent) -> str:
    """Return ``12,000 tokens (8,000 cached)``."""
    return f"{spent.tokens:,} tokens" + (f" ({spent.cached_tokens:,} cached)" if spent.cached_tokens else "")


def spent_text(state: SessionState) -> str:
    """Return what a session cost: ``12,000 tokens (8,000 cached), $0.03``, or ``free`` of the offline planner."""
    if state.options.model == "guided" and not state.spent.cost:
        return "free"
    return f"{tokens_text(state.spent)}, {money(state.spent.cost)}"


def counted(number: int, noun: str) -> str:
    """Return ``1 iteration``, ``3 iterations``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
