"""How the work of an agreed plan stands, as rows: what is late, due today, next and done, agreed beside now.

Ready   3 May 2027 · agreed 29 Apr · 5 working days before 12 May     Money  21,750 of 40,000 EUR
LATE
! S4  Contract the caterer          Tom       26 Feb    4 Mar   +4          ▄▄▄▄
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from textual.content import Content

from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.due import due_steps
from workbench.domain.plan.figures import Figures, StepFigures, short_day
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.schedule import WorkTimes, working_days_between
from workbench.domain.text.cleaning import clean_name
from workbench.export.figures import money_lines
from workbench.tui.lines import Row, cut, joined, spread, text
from workbench.tui.marks import DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.session.schedule_rows import NOT_SCHEDULED, day_in_short
from workbench.tui.table import Column, Table
from workbench.tui.timeline_cells import Timescale
from workbench.tui.told import EMPTY, words_row

_ID, _OWNER, _DAY, _MOVED, _GAP = 5, 10, 9, 5, 2
"""Cells of the columns; what moved is as ``+12``."""
_TITLE, _LEAST = 40, 16
"""Cells that a title has where there is room, and at least."""
_METER = 20


@dataclass(frozen=True)
class Standing:
    """An agreed plan on a day."""

    plan: Plan
    agreed: Plan | None
    """The version that was agreed; None where none was."""
    told: Figures
    today: date
    ends: Mapping[str, date] = field(default_factory=dict)
    """Last day of each step as it was agreed, by its id."""

    @classmethod
    def of(cls, plan: Plan, agreed: Plan | None, told: Figures, today: date) -> Standing:
        """Return how a plan stands beside the version that was agreed."""
        ends = {step.id: day for step in (agreed or plan).steps if (day := day_of(step.end)) is not None}
        return cls(plan, agreed, told, today, ends)

    def moved(self, step: StepFigures) -> int:
        """Return how many working days later than agreed a step ends; below zero for earlier."""
        was = self.ends.get(step.step)
        if was is None or step.end is None:
            return 0
        return working_days_between(was, step.end, WorkTimes.of(self.plan).own)


def status_rows(stands: Standing, width: int, marks: Marks, closer: int = 0) -> list[Row]:
    """Return how the work stands: a head, the steps by how urgent they are, and what a late one holds up."""
    if not stands.told.steps or stands.told.start is None:
        return [EMPTY, words_row(NOT_SCHEDULED, width)]
    table = _Steps(stands, width, marks, closer)
    return [*_head(stands, width, marks), EMPTY, *table.rows(), *_held_up(stands, width, marks)]


def _head(stands: Standing, width: int, marks: Marks) -> Iterator[Row]:
    told = stands.told
    ready = short_day(told.finish) if told.finish else "not scheduled"
    parts = [f"agreed {short_day(told.agreed, told.finish)}"] if told.agreed not in (None, told.finish) else []
    if told.slack_days is not None and told.deadline is not None:
        days = f"{abs(told.slack_days):,} working day{'' if abs(told.slack_days) == 1 else 's'}"
        side = "before" if told.slack_days >= 0 else "after"
        held = f"{told.held} " if told.held else ""
        parts.append(f"{held}{days} {side} {told.day}, {short_day(told.deadline, told.finish)}")
    late = told.slack_days is not None and told.slack_days < 0
    left = joined(
        text("Ready   ", f"bold {FOCUS}"),
        text(ready, "bold"),
        text("".join(f" · {one}" for one in parts), FAILED if late else DIM),
    )
    money = " · ".join(map(clean_name, money_lines(told)))
    right = joined(text("Money  ", f"bold {FOCUS}"), text(money)) if money else Content()
    has_room = left.cell_length + right.cell_length + _GAP <= width
    yield Row((spread(left, right, width),) if has_room else tuple(cut(line, width) for line in (left, right) if line))
    done = [step for step in told.steps if step.status == "done"]
    on_time = sum(stands.moved(step) <= 0 for step in done)
    full = round(told.done / told.count * _METER) if told.count else 0
    meter = joined(text(marks.meter_full * full, FOCUS), text(marks.meter_empty * (_METER - full), DIM))
    kept = text(f"   {on_time or 'none'} of them on time" if done else "", DIM)
    counted = text(f"{told.done} of {told.count} steps  ")
    yield Row((cut(joined(text("Done    ", f"bold {FOCUS}"), counted, meter, kept), width),))


class _Steps:
    """The steps at one width."""

    def __init__(self, stands: Standing, width: int, marks: Marks, closer: int) -> None:
        self._stands, self._width, self._marks = stands, width, marks
        columns = [
            Column("owner", _OWNER, "owner", gap=_GAP),
            Column("was", _DAY, "agreed", is_right=True, gap=_GAP),
            Column("now", _DAY, "now", is_right=True, gap=_GAP),
            Column("moved", _MOVED, is_right=True, gap=_GAP),
        ]
        longest = max((len(step.title) for step in stands.told.steps), default=0)
        room = width - 2 - _ID - Table(tuple(columns)).width
        if room < _LEAST:
            room += _OWNER + _GAP
            del columns[0]
        title = max(min(max(longest, _LEAST), _TITLE, room), 4)
        before = (Column("mark", 2, gap=0), Column("id", _ID, gap=0), Column("title", title, "step", gap=_GAP))
        self._table = Table((*before, *columns))
        room = width - self._table.width
        self._scale = Timescale.of(stands.told.steps, stands.told, room, closer, today=stands.today)

    def rows(self) -> Iterator[Row]:
        """Yield the names of the columns, then the steps in their groups."""
        months = self._scale.months() if self._scale else None
        yield Row((self._line(self._table.head(DIM), months),))
        today = f"  {self._stands.today:%A} {self._stands.today.day} {self._stands.today:%B}"
        for name, steps in self._groups():
            if not steps:
                continue
            style = FAILED if name == "LATE" else DIM
            yield Row((Content(),))
            title = joined(text(f"  {name}", style), text(today if name == "TODAY" else "", DIM))
            yield Row((cut(title, self._width),))
            for step in steps:
                yield self._row(step, is_late=name == "LATE")

    def _groups(self) -> Iterator[tuple[str, Sequence[StepFigures]]]:
        stands = self._stands
        due = {one.step: one.kind for one in due_steps(stands.plan, stands.today, soon=0)}
        steps = [step for step in stands.told.steps if step.status != "dropped"]
        is_open = [step for step in steps if step.status != "done"]
        yield "LATE", [step for step in is_open if due.get(step.step) == "late"]
        yield "TODAY", [step for step in is_open if due.get(step.step) == "today"]
        yield "NEXT", [step for step in is_open if due.get(step.step) not in ("late", "today")]
        yield "DONE", [step for step in reversed(steps) if step.status == "done"]

    def _row(self, step: StepFigures, *, is_late: bool) -> Row:
        marks, moved = self._marks, self._stands.moved(step)
        mark, style = (marks.found, FAILED) if is_late else ("", "")
        if step.status == "done":
            mark, style = marks.done, DONE
        elif step.status == "under-way" and not is_late:
            mark, style = marks.partly, FOCUS
        was, now = self._stands.ends.get(step.step), step.end
        dim = DIM if step.status == "done" else ""
        cells = {
            "mark": text(mark, style),
            "id": text(clean_name(step.step), DIM),
            "title": text(clean_name(step.title, 200), dim),
            "owner": text(clean_name(step.owner, 40), dim),
            "was": text(day_in_short(was, self._stands.today) if was else "", DIM),
            "now": text(day_in_short(now, self._stands.today) if now else "", dim),
            "moved": text(f"{moved:+,}".replace("-", "−") if moved else "", FAILED if moved > 0 and not dim else DIM),
        }
        line = self._line(self._table.line(cells), self._scale.bar(step, marks) if self._scale else None)
        return Row((line,), key=f"step:{step.step}", is_marked=is_late)

    def _line(self, line: Content, bar: Content | None) -> Content:
        return cut(line if bar is None else joined(line, bar), self._width)


def _held_up(stands: Standing, width: int, marks: Marks) -> Iterator[Row]:
    """Yield what the late steps hold up, and what can be done about it."""
    late = [one.step for one in due_steps(stands.plan, stands.today, soon=0) if one.kind == "late"]
    waits = {name: [step.id for step in stands.plan.steps if name in step.needs] for name in late}
    for name, held in waits.items():
        if held:
            names = f"{', '.join(held[:-1])} and {held[-1]}" if held[1:] else held[0]
            told = text(clean_name(f"{name} holds up {names}.", 200), "bold")
            yield from (EMPTY, Row((cut(joined(text(f"{marks.found} ", FAILED), told), width),)))
    if late:
        yield words_row("R plans again what is open, from today on; you see first what moves.", width)
