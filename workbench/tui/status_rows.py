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
from workbench.tui.schedule_rows import NOT_SCHEDULED, day_in_short
from workbench.tui.timeline_cells import Timescale
from workbench.tui.views import DIM, DONE, EMPTY, FAILED, FOCUS, Marks, words_row

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
    table = _Table(stands, width, marks, closer)
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


class _Table:
    """The steps at one width."""

    def __init__(self, stands: Standing, width: int, marks: Marks, closer: int) -> None:
        self._stands, self._width, self._marks = stands, width, marks
        columns = _OWNER + 2 * _DAY + _MOVED + 4 * _GAP
        longest = max((len(step.title) for step in stands.told.steps), default=0)
        self._with_owner = width - 2 - _ID - columns >= _LEAST
        if not self._with_owner:
            columns -= _OWNER + _GAP
        self._title = max(min(max(longest, _LEAST), _TITLE, width - 2 - _ID - columns), 4)
        used = 2 + _ID + self._title + columns
        self._scale = Timescale.of(stands.told.steps, stands.told, width - used - _GAP, closer, today=stands.today)

    def rows(self) -> Iterator[Row]:
        """Yield the names of the columns, then the steps in their groups."""
        months = self._scale.months() if self._scale else None
        yield Row((self._line("  ", "", ("step", DIM), ("owner", "agreed", "now", ""), months),))
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
        was = self._stands.ends.get(step.step)
        cells = (
            clean_name(step.owner, 40),
            day_in_short(was, self._stands.today) if was else "",
            day_in_short(step.end, self._stands.today) if step.end else "",
            f"{moved:+,}".replace("-", "−") if moved else "",
        )
        bar = self._scale.bar(step, marks) if self._scale else None
        title = (clean_name(step.title, 200), DIM if step.status == "done" else "")
        line = self._line(
            text(f"{mark or ' '} ", style),
            clean_name(step.step),
            title,
            cells,
            bar,
            moved=FAILED if moved > 0 and step.status != "done" else DIM,
        )
        return Row((line,), key=f"step:{step.step}", is_marked=is_late)

    def _line(
        self,
        mark: Content | str,
        name: str,
        title: tuple[str, str],
        cells: Sequence[str],
        bar: Content | None,
        *,
        moved: str = DIM,
    ) -> Content:
        owner, was, now, by = cells
        shown = cut(text(*title), self._title)
        line = joined(mark, text(f"{name:<{_ID}}", DIM), shown, " " * (self._title - shown.cell_length))
        if self._with_owner:
            kept = cut(text(owner, DIM if title[1] else ""), _OWNER)
            line = joined(line, " " * _GAP, kept, " " * (_OWNER - kept.cell_length))
        line = joined(line, " " * _GAP, text(f"{was:>{_DAY}}", DIM), " " * _GAP, text(f"{now:>{_DAY}}", title[1]))
        line = joined(line, " " * _GAP, text(f"{by:>{_MOVED}}", moved))
        return cut(line if bar is None else joined(line, " " * _GAP, bar), self._width)


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
