"""The items of a plan as tables: a line for each, and below it the rest of what it says, where a person unfolded it.

    Steps                                owner     days       when           needs  slack  from
    S1  List every tariff and interface  Mara         4 2–7   8–11 Mar                  0  practice

Columns leave where there is no room for them, the least important first; titles and texts are broken, never cut.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any

from textual.content import Content

from workbench.domain.plan.figures import short_day
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.markdown.fields import FIELDS, number
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
)
from workbench.domain.plan.plan import Row as TimetableRow
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, cut, joined, text, wrapped
from workbench.tui.markdown_lines import MarkdownLine, markdown_lines
from workbench.tui.outline_rows import Sign
from workbench.tui.schedule_rows import slack_style, when
from workbench.tui.timeline_cells import Timescale
from workbench.tui.views import DIM, DONE, FAILED, FOCUS, Marks

if TYPE_CHECKING:
    from workbench.domain.plan.figures import Figures, StepFigures

_MARK, _ID, _GAP = 2, 5, 2
_LEAST = 24
"""Cells that words keep before a column leaves."""
_ENOUGH = 36
"""Cells of words beside which the days have room."""
_SLACK = "slack"
"""The one column whose numbers stand at its right end."""


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
    closer: int = 0
    """How often the days beside the steps were brought closer."""
    kept_by: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Which steps, risks, decisions answer an item, by its id."""

    @classmethod
    def of(cls, plan: Plan, told: Figures | None, marks: Marks, **more: Any) -> Shown:
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
    """A column: its name, what it says of an item, and where it stands in the order in which columns leave."""

    name: str
    cell: Callable[..., str]
    """Of an item of the table's kind, and how the plan is shown."""
    leaves: int
    """The smallest number leaves first."""


def _step_days(step: Step, _: Shown) -> str:
    effort = step.effort
    if effort is None:
        return f"waits {number(step.waiting)}" if step.waiting else ""
    exact = effort.low == effort.high
    return number(effort.likely) + ("" if exact else f" {number(effort.low)}–{number(effort.high)}")


def _step_when(step: Step, shown: Shown) -> str:
    told, known = shown.told, shown.steps.get(step.id)
    return when(known.start, known.end, told.finish) if told is not None and known is not None else ""


def _step_slack(step: Step, shown: Shown) -> str:
    known = shown.steps.get(step.id)
    return "" if known is None or known.slack is None else f"{known.slack:,}".replace("-", "−")


def _origin(item: Item, _: Shown) -> str:
    return item.origin.kind if item.origin is not None else ""


def _day(day: str | None, shown: Shown) -> str:
    try:
        return short_day(date.fromisoformat(day), shown.told.finish if shown.told else None) if day else ""
    except ValueError:
        return day or ""


def _limit(one: Constraint, shown: Shown) -> str:
    if one.amount is not None:
        return f"{one.amount.amount:,} {one.amount.currency}"
    return " – ".join(filter(None, (_day(one.day, shown), _day(one.last, shown))))


def _kept(item: Item, shown: Shown) -> str:
    return " ".join(shown.kept_by.get(item.id, ()))


def _said(kind: type[Item], label: str, name: str, leaves: int) -> _Column:
    """Return a column that says what a field says below an item."""
    return _Column(name, lambda one, _: FIELDS[kind][label].of(one), leaves)


_COLUMNS: dict[type[Item], tuple[_Column, ...]] = {
    Step: (
        _Column("owner", lambda one, _: ", ".join(one.owners), 7),
        _Column("days", _step_days, 5),
        _Column("when", _step_when, 8),
        _Column("needs", lambda one, _: " ".join(one.needs), 2),
        _Column(_SLACK, _step_slack, 6),
        _Column("from", _origin, 1),
    ),
    Criterion: (
        _Column("target", lambda one, _: one.target, 3),
        _Column("by", lambda one, shown: _day(one.due, shown), 2),
        _Column("shown in", _kept, 1),
    ),
    Constraint: (_Column("limit", _limit, 2), _Column("kept by", _kept, 1)),
    Risk: (
        _Column("likelihood", lambda one, _: one.likelihood, 2),
        _Column("impact", lambda one, _: one.impact, 3),
        _Column("from", _origin, 1),
    ),
    Decision: (
        _Column("owner", lambda one, _: one.owner, 3),
        _Column("latest", lambda one, shown: _day(one.latest, shown), 4),
        _said(Decision, "Options", "options", 2),
        _Column("from", _origin, 1),
    ),
    Bullet: (_Column("from", _origin, 1),),
    Question: (_Column("who says", lambda one, _: one.owner, 1),),
    Fund: (_said(Fund, "Limit", "limit", 2), _said(Fund, "Reserve", "reserve", 1)),
    Place: (
        _said(Place, "Weekdays", "open on", 2),
        _said(Place, "Hours", "hours", 3),
        _said(Place, "Closed", "closed", 1),
    ),
    TimetableRow: (
        _Column("day", lambda one, shown: _day(one.day, shown), 3),
        _Column("time", lambda one, _: one.time, 4),
        _Column("who", lambda one, _: one.who, 2),
        _Column("stop if", lambda one, _: one.stop, 1),
    ),
}
_WIDEST = {"owner": 12, "target": 24, "needs": 12, "from": 10, "shown in": 14, "kept by": 14, "who says": 16}
_WIDEST |= {"options": 24, "open on": 12, "closed": 12, "who": 12, "stop if": 24}
"""Cells that a column has at most; the others are as wide as they have to be."""


def section_rows(section: Section, width: int, shown: Shown) -> list[Row]:
    """Return a section: its heading and prose, then its items as tables, one for each run of items of a kind."""
    lines = markdown_lines(clean(section_to_markdown(section)), min(width, MAX_PROSE_WIDTH))
    blocks = [tuple(of_block) for _, of_block in groupby(lines, key=lambda line: line.block)]
    of_items = len(section.items)
    if not of_items or not all(type(item) in _COLUMNS for item in section.items):
        return [_as_written(section, block) for block in blocks]
    last = max(line.block for line in lines)
    first = last - of_items + 1
    rows = [_as_written(section, block) for block in blocks if 0 < block[0].block < first]
    tables: list[Row] = []
    at = first
    for _, run in groupby(section.items, key=type):
        items = list(run)
        table = _Table(section, items, at, width, shown)
        is_first = not tables and not rows
        tables += [table.head(section.title if is_first else ""), *table.rows()]
        at += len(items)
    heading = [] if not rows else [_as_written(section, blocks[0]), *rows, Row((Content(),))]
    return [*heading, *tables]


def _as_written(section: Section, block: Sequence[MarkdownLine]) -> Row:
    key = f"place:{section.id}:{block[0].block}" if block[0].block >= 0 else ""
    return Row(tuple(line.content for line in block), key=key)


class _Table:
    """Items of one kind, laid out for a width."""

    def __init__(self, section: Section, items: Sequence[Item], first: int, width: int, shown: Shown) -> None:
        self._section, self._items, self._first, self._shown = section, items, first, shown
        columns = _COLUMNS[type(items[0])]
        self._cells = {
            column.name: [" ".join(clean(column.cell(item, shown)).split()) for item in items] for column in columns
        }
        self._words = [" ".join(clean(_words_of(item)).split()) for item in items]
        self._width = width
        wanted = min(max(map(len, self._words), default=0), max(width * 2 // 5, _LEAST))
        kept = [column for column in columns if any(self._cells[column.name])]
        while kept and self._room(kept) < wanted and (len(kept) > 1 or self._room(kept) < _LEAST):
            kept.remove(min(kept, key=lambda column: column.leaves))
        self._columns = [column.name for column in kept]
        self._is_under_way = any(isinstance(item, Step) and item.status != "todo" for item in items)
        spare = self._room(kept) - max(min(wanted, _ENOUGH), _LEAST)
        self._timescale = (
            Timescale.of(shown.steps.values(), shown.told, spare, shown.closer) if _SLACK in self._columns else None
        )
        self._width -= self._timescale.width + _GAP if self._timescale is not None else 0
        self._title = max(self._room(kept), 8)

    def _wide(self, name: str) -> int:
        longest = max(text(cell).cell_length for cell in (name, *self._cells[name]))
        return min(longest, _WIDEST.get(name, longest))

    def _room(self, columns: Sequence[_Column]) -> int:
        return self._width - _MARK - _ID - sum(self._wide(column.name) + _GAP for column in columns)

    def head(self, title: str) -> Row:
        """Return the section's title with the names of the columns."""
        named = text(title, f"bold {FOCUS}")
        before = _MARK + _ID + self._title
        line = joined(cut(named, before), " " * max(before - named.cell_length, 0))
        for name in self._columns:
            line = joined(line, " " * _GAP, text(self._aligned(name, name), DIM))
        line = cut(line, self._width)
        if self._timescale is not None:
            line = joined(line, " " * (self._width + _GAP - line.cell_length), self._timescale.months())
        return Row((line,), key=f"place:{self._section.id}:0" if title else "")

    def _aligned(self, name: str, cell: str) -> str:
        room = self._wide(name)
        gap = " " * (room - text(cell).cell_length)
        return gap + cell if name == _SLACK else cell + gap

    def rows(self) -> Iterator[Row]:
        """Yield a row for each item."""
        for place, item in enumerate(self._items):
            key = f"place:{self._section.id}:{self._first + place}"
            shown = self._shown
            is_marked = item.id in shown.findings or key in shown.noted or item.id in shown.signs
            yield Row((*self._lines(place, item, key), *self._more(item, key)), key=key, is_marked=is_marked)

    def _lines(self, place: int, item: Item, key: str) -> Iterator[Content]:
        is_over = isinstance(item, Step) and item.status in ("done", "dropped")
        is_part = isinstance(item, Step) and bool(item.parent)
        indent = 2 if is_part else 0
        style = DIM if is_over else ""
        parts = wrapped(self._words[place], max(self._title - indent, 8))
        columns = [wrapped(self._cells[name][place], self._wide(name)) for name in self._columns]
        before = joined(self._mark(item, key), text(f"{clean_name(item.id):<{_ID}}", DIM))
        for turn in range(max(map(len, (parts, *columns)))):
            line = joined(before, text(" " * indent + _part(parts, turn), style))
            line = joined(line, " " * max(_MARK + _ID + self._title - line.cell_length, 0))
            for name, cell in zip(self._columns, columns, strict=True):
                shown = self._aligned(name, _part(cell, turn))
                line = joined(line, " " * _GAP, text(shown, self._style(name, item)))
            line = cut(line, self._width)
            if turn == 0 and self._timescale is not None:
                bar = self._timescale.bar(self._shown.steps.get(item.id), self._shown.marks)
                line = joined(line, " " * (self._width + _GAP - line.cell_length), bar)
            yield line
            before = Content(" " * (_MARK + _ID))

    def _style(self, name: str, item: Item) -> str:
        known = self._shown.steps.get(item.id)
        if name == _SLACK and known is not None:
            return slack_style(known)
        return "" if name in ("owner", "when", "target", "limit", "impact") else DIM

    def _mark(self, item: Item, key: str) -> Content:
        marks = self._shown.marks
        if item.id in self._shown.findings:
            return text(f"{marks.found} ", FAILED)
        if key in self._shown.noted:
            return text(f"{marks.noted} ", FOCUS)
        match item:
            case Step(status="done"):
                return text(f"{marks.done} ", DONE)
            case Step(status="under-way"):
                return text(f"{marks.partly} ", FOCUS)
            case _ if item.id in self._shown.signs and not self._is_under_way:
                is_new = self._shown.signs[item.id] == "added"
                return text("+ ", DONE) if is_new else text(f"{marks.changed} ", FOCUS)
            case _:
                return text("  ")

    def _more(self, item: Item, key: str) -> Iterator[Content]:
        """Yield the rest of what an item says."""
        if key not in self._shown.unfolded:
            return
        written = section_to_markdown(Section(id="item", title="item", items=(item,)))
        below = "\n".join(line[2:] for line in written.splitlines() if line.startswith("  "))
        indent = " " * (_MARK + _ID)
        for line in markdown_lines(clean(below), max(self._width - len(indent), 8)):
            yield joined(indent, line.content)


def _words_of(item: Item) -> str:
    return item.title if isinstance(item, Step) else item.text


def _part(lines: Sequence[str], turn: int) -> str:
    return lines[turn] if turn < len(lines) else ""
