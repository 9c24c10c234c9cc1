"""The items of a plan as tables: a line for each, and below it the rest of what it says, if a person unfolded it.

    Criteria                                                  target                  by      shown in
    C1  Stalls are let                                        20                      22 May  S4

Columns leave where there is no room for them, the least important first; texts are broken, never cut. Steps have a
table of their own: plan_page.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any

from textual.content import Content

from workbench.domain.plan.figures import Figures, StepFigures, short_day
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import (
    Answering,
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Fund,
    Item,
    Place,
    Plan,
    Question,
    Risk,
    Section,
    Step,
    wording,
)
from workbench.domain.plan.plan import Row as TimetableRow
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.tables import Table
from workbench.export.figures import SCHEDULE, tables
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, cut, filled, joined, text, wrapped
from workbench.tui.markdown_lines import MarkdownLine, markdown_lines
from workbench.tui.marks import DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.session.main_rows import first_block, prose_lines
from workbench.tui.session.plan.outline import Sign
from workbench.tui.told import EMPTY, words_row

if TYPE_CHECKING:
    from workbench.domain.plan.figures import Figures, StepFigures


_MARK, _ID, _GAP = 2, 5, 2
_LEAST = 24  # cells that words keep before a column leaves


@dataclass(frozen=True)
class Shown:
    """How a plan is shown: what is calculated of it, and what a person did to its rows."""

    marks: Marks = field(default_factory=Marks)
    told: Figures | None = None
    noted: Collection[str] = ()
    """Keys of rows with notes that wait."""
    unfolded: Collection[str] = ()
    """Keys of rows that show all that their item says."""
    findings: Collection[str] = ()
    """Ids of items that something was found on."""
    signs: Mapping[str, Sign] = field(default_factory=dict)
    """What the newest version did to items, by their ids."""
    steps: Mapping[str, StepFigures] = field(default_factory=dict)
    kept_by: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Which steps, risks, decisions answer an item, by its id."""

    @classmethod
    def from_plan(cls, plan: Plan, told: Figures | None, marks: Marks, **more: Any) -> Shown:
        """Return how a plan is shown, with what is calculated of it."""
        steps = {step.step: step for step in told.steps} if told is not None else {}
        return cls(marks, told, steps=steps, kept_by=kept_by(plan), **more)


def kept_by(plan: Plan) -> dict[str, list[str]]:
    """Return which items answer a constraint, a criterion or a fact, by its id."""
    kept: dict[str, list[str]] = {}
    for item in plan.items:
        if isinstance(item, Answering):
            for name in item.answers:
                kept.setdefault(name, []).append(item.id)
    return kept


@dataclass(frozen=True)
class _Column:
    """A column: its name, what it says of an item, and where it is in the order in which columns leave."""

    name: str
    cell: Callable[..., str]
    """Of an item of the table's kind, and how the plan is shown."""
    leaves: int
    """The smallest number leaves first."""


def _origin(item: Item, _: Shown) -> str:
    return item.origin.kind if item.origin is not None else ""


def _day(day: str | None, shown: Shown) -> str:
    try:
        return short_day(date.fromisoformat(day), shown.told.finish if shown.told else None) if day else ""
    except ValueError:
        return day or ""


def limit_of(one: Constraint, shown: Shown, *, short: bool = False) -> str:
    """Return the most that may be spent, or the last day; ``short``: as it is in the head of a plan."""
    if one.amount is not None:
        return f"{one.amount.amount:,} {one.amount.currency}"
    days = " – ".join(filter(None, (_day(one.day, shown), _day(one.last, shown))))
    return f"by {days}" if short and days and not one.last else days


def _kept(item: Item, shown: Shown) -> str:
    return " ".join(shown.kept_by.get(item.id, ()))


def _text_column(kind: type[Item], label: str, name: str, leaves: int) -> _Column:
    return _Column(name, lambda one, _: FIELDS[kind][label].text_of(one), leaves)


_COLUMNS: dict[type[Item], tuple[_Column, ...]] = {
    Criterion: (
        _Column("target", lambda one, _: one.target, 3),
        _Column("by", lambda one, shown: _day(one.due, shown), 2),
        _Column("shown in", _kept, 1),
    ),
    Constraint: (_Column("limit", limit_of, 2), _Column("kept by", _kept, 1)),
    Risk: (
        _Column("likelihood", lambda one, _: one.likelihood, 2),
        _Column("impact", lambda one, _: one.impact, 3),
        _Column("from", _origin, 1),
    ),
    Decision: (
        _Column("owner", lambda one, _: one.owner, 3),
        _Column("latest", lambda one, shown: _day(one.latest, shown), 4),
        _text_column(Decision, "Options", "options", 2),
        _Column("from", _origin, 1),
    ),
    Bullet: (_Column("from", _origin, 1),),
    Fund: (_text_column(Fund, "Limit", "limit", 2), _text_column(Fund, "Reserve", "reserve", 1)),
    Place: (
        _text_column(Place, "Weekdays", "open on", 2),
        _text_column(Place, "Hours", "hours", 3),
        _text_column(Place, "Closed", "closed", 1),
    ),
    TimetableRow: (
        _Column("day", lambda one, shown: _day(one.day, shown), 3),
        _Column("time", lambda one, _: one.time, 4),
        _Column("who", lambda one, _: one.who, 2),
        _Column("stop if", lambda one, _: one.stop, 1),
    ),
}
_WIDEST = {"owner": 12, "target": 24, "needs": 12, "from": 10, "shown in": 14, "kept by": 14}
_WIDEST |= {"options": 24, "open on": 12, "closed": 12, "who": 12, "stop if": 24}
"""Cells that a column has at most; the others are as wide as they have to be."""


def section_rows(section: Section, width: int, shown: Shown) -> list[Row]:
    """Return a section below its heading: prose, then its items as tables, one for each run of items of a kind.

    Steps and questions are left out: they have a place of their own.
    """
    lines = [line for line in prose_lines(section, min(width - _MARK, MAX_PROSE_WIDTH)) if line.block]
    blocks = [tuple(of_block) for _, of_block in groupby(lines, key=lambda line: line.block)]
    rows = [_as_written(section, block) for block in blocks if block[0].block > 0 or block is not blocks[0]]
    at = first_block(section)
    for kind, run in groupby(section.items, key=type):
        items = list(run)
        if kind in _COLUMNS:
            table = _Table(section, items, at, width, shown)
            rows += [*table.head(), *table.rows()]
        elif kind not in (Step, Question):
            rows += [_item_as_written(section, item, at + place, width) for place, item in enumerate(items)]
        at += len(items)
    return rows


def _as_written(section: Section, block: Sequence[MarkdownLine]) -> Row:
    key = f"place:{section.id}:{block[0].block}" if block[0].block >= 0 else ""
    return Row(tuple(joined(" " * _MARK, line.content) for line in block), key=key)


def _item_as_written(section: Section, item: Item, block: int, width: int) -> Row:
    written = section_to_markdown(Section(id="item", title="item", items=(item,)))
    lines = markdown_lines(clean(written), max(width - _MARK, 8))
    return Row(
        tuple(joined(" " * _MARK, line.content) for line in lines if line.block > 0), key=f"place:{section.id}:{block}"
    )


class _Table:
    """Items of one kind, laid out for a width."""

    def __init__(self, section: Section, items: Sequence[Item], first: int, width: int, shown: Shown) -> None:
        self._section, self._items, self._first, self._shown = section, items, first, shown
        columns = _COLUMNS[type(items[0])]
        self._cells = {
            column.name: [" ".join(clean(column.cell(item, shown)).split()) for item in items] for column in columns
        }
        self._words = [" ".join(clean(wording(item)).split()) for item in items]
        self._width = width
        wanted = min(max(map(len, self._words), default=0), max(width * 2 // 5, _LEAST))
        kept = [column for column in columns if any(self._cells[column.name])]
        while kept and self._room(kept) < wanted and (len(kept) > 1 or self._room(kept) < _LEAST):
            kept.remove(min(kept, key=lambda column: column.leaves))
        self._columns = [column.name for column in kept]
        self._rooms = [max(self._room(kept), 8), *map(self._wide, self._columns)]

    def _wide(self, name: str) -> int:
        longest = max(text(cell).cell_length for cell in (name, *self._cells[name]))
        return min(longest, _WIDEST.get(name, longest))

    def _room(self, columns: Sequence[_Column]) -> int:
        return self._width - _MARK - _ID - sum(self._wide(column.name) + _GAP for column in columns)

    def head(self) -> Iterator[Row]:
        """Yield the names of the columns, if there are some."""
        if self._columns:
            (line,) = _cells_side_by_side(["", *self._columns], self._rooms, [DIM] * len(self._rooms))
            yield Row((cut(joined(" " * (_MARK + _ID), line), self._width),))

    def rows(self) -> Iterator[Row]:
        """Yield a row for each item."""
        for place, item in enumerate(self._items):
            key = f"place:{self._section.id}:{self._first + place}"
            shown = self._shown
            is_marked = item.id in shown.findings or key in shown.noted or item.id in shown.signs
            more = more_of(item, self._width) if key in shown.unfolded else ()
            yield Row((*self._lines(place, item, key), *more), key=key, is_marked=is_marked)

    def _lines(self, place: int, item: Item, key: str) -> Iterator[Content]:
        cells = [self._words[place], *(self._cells[name][place] for name in self._columns)]
        plain = ("owner", "target", "limit", "impact")
        styles = ["", *("" if name in plain else DIM for name in self._columns)]
        before = joined(mark_of(item, key, self._shown), text(f"{clean_name(item.id):<{_ID}}", DIM))
        for line in _cells_side_by_side(cells, self._rooms, styles):
            yield cut(joined(before, line), self._width)
            before = Content(" " * (_MARK + _ID))


def _cells_side_by_side(
    cells: Sequence[str], rooms: Sequence[int], styles: Sequence[str], is_right: Sequence[bool] = ()
) -> Iterator[Content]:
    """Yield the lines of cells beside each other, each broken into lines as wide as its column."""
    columns = [wrapped(cell, room) for cell, room in zip(cells, rooms, strict=True)]
    for turn in range(max(map(len, columns))):
        parts = [
            text(lines[turn] if turn < len(lines) else "", style) for lines, style in zip(columns, styles, strict=True)
        ]
        sides = zip(parts, rooms, is_right or [False] * len(rooms), strict=True)
        shown = [filled(part, room, is_right=right) for part, room, right in sides]
        yield joined(*(one for cell in shown for one in (cell, " " * _GAP)))


def mark_of(item: Item, key: str, shown: Shown, *, is_late: bool = False) -> Content:
    """Return what is before an item: done, to be seen to, your note, begun, changed."""
    marks = shown.marks
    if isinstance(item, Step) and item.status == "done":
        return text(f"{marks.done} ", DONE)
    if is_late or item.id in shown.findings:
        return text(f"{marks.found} ", FAILED)
    if key in shown.noted:
        return text(f"{marks.noted} ", FOCUS)
    if isinstance(item, Step) and item.status == "under-way":
        return text(f"{marks.partly} ", FOCUS)
    sign = shown.signs.get(item.id)
    if sign is not None:
        return text("+ ", DONE) if sign == "added" else text(f"{marks.changed} ", FOCUS)
    return text("  ")


def more_of(item: Item, width: int) -> Iterator[Content]:
    """Yield all that an item says, below its line: its whole title, if that may be cut there, then each field."""
    indent = " " * (_MARK + _ID)
    room = max(min(width, MAX_PROSE_WIDTH + len(indent)) - len(indent), 8)
    if isinstance(item, Step | Question):
        yield from (text(f"{indent}{line}") for line in wrapped(" ".join(clean(wording(item)).split()), room))
    written = section_to_markdown(Section(id="item", title="item", items=(item,)))
    below = "\n".join(line[2:] for line in written.splitlines() if line.startswith("  "))
    for line in markdown_lines(clean(below), room):
        yield joined(indent, line.content)


def costs_and_people(told: Figures, width: int) -> Iterator[Row]:
    """Yield the tables of a plan beside its schedule, and the notes of all of them."""
    for table in tables(told):
        if table.title != SCHEDULE:
            yield from (EMPTY, Row((cut(text(table.title, f"bold {FOCUS}"), width),)), *table_rows(table, width))
        yield from (words_row(note, width) for note in table.notes)


def why(step: StepFigures) -> str:
    """Return why a step is on its days, and what it is where it is not work to be done."""
    kind = "" if step.kind == "work" else step.kind
    status = step.status if step.status in ("waiting", "dropped") else ""
    return clean("; ".join(part for part in (step.why, kind, status) if part))


def table_rows(table: Table, width: int) -> Iterator[Row]:
    """Yield a table's rows; if there is no room for all columns, the widest ones give way."""
    rows = [table.columns, *(tuple(map(clean_name, row)) for row in table.rows)]
    rooms = [max(text(cell).cell_length for cell in column) for column in zip(*rows, strict=True)]
    while sum(rooms) + _GAP * len(rooms) > width and max(rooms) > _LEAST_CELL:
        rooms[rooms.index(max(rooms))] -= 1
    is_right = [name in table.right for name in table.columns]
    for at, row in enumerate(rows):
        lines = _cells_side_by_side(row, rooms, ["" if at else DIM] * len(rooms), is_right)
        yield Row(tuple(cut(line, width) for line in lines))


_LEAST_CELL = 6  # cells in which a column of words can still be read
