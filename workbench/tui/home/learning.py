"""What saved sessions teach: lessons to decide about, and the tables of patterns behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.dialog import Dialog
from workbench.tui.form import Box, Form, FormDialog, Values
from workbench.tui.keys import bind
from workbench.tui.lines import Row, cut, joined, spread, text, wrapped
from workbench.tui.views import DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from workbench.export.learned import LearnedTable
    from workbench.planning.lessons import Standing

_NOTHING = "Rate a plan with *, and say what became of it: what that teaches stands here."
_BAR = 12
"""Cells of the longest bar."""
_CHART = 44
"""Cells from which another chart stands beside."""
Decision = Literal["accept", "reword", "refuse", "retire"]


class LessonList(LineList):
    """Lessons to decide about, and tables below them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("a", "screen.decide('accept')", "accept", "learning.accept", "Give the lesson to later sessions"),
        bind("w", "screen.reword", "reword", "learning.reword", "Say the lesson in other words, and accept it"),
        bind("x", "screen.decide('refuse')", "refuse", "learning.refuse", "Refuse the chosen lesson"),
        bind("t", "screen.decide('retire')", "retire", "learning.retire", "Retire a lesson that was accepted"),
    ]


class LearningDialog(Dialog[None]):
    """Lessons first, then the tables; a decision acts on the chosen lesson, and another one undoes it."""

    has_help = True

    def compose(self) -> ComposeResult:
        """Return the list."""
        with Vertical(classes="dialog wide"):
            title = joined(
                text("What these plans teach", "bold"),
                text("   lessons reach a planner labelled, with their plans", DIM),
            )
            yield Static(title, markup=False)
            yield LessonList(id="lessons", mark=self.workbench.marks.here)
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Read what there is to learn, in a thread: it looks at every session."""
        self.hint()
        self.query_one(LineList).focus()
        self._decide("", None)

    def action_decide(self, decision: Decision) -> None:
        """Decide about the chosen lesson."""
        if lesson := self.query_one(LineList).chosen:
            self._decide(lesson, decision)

    def action_reword(self) -> None:
        """Ask for other words."""
        lesson = self.query_one(LineList).chosen
        if not lesson:
            return
        words = next((one.text for one in self._standings if one.id == lesson), "")

        def record(values: Values) -> str:
            return values["words"]

        def said(new: str | None) -> None:
            if new:
                self._decide(lesson, "reword", new)

        form = Form("Reword the lesson", "It is accepted in these words.", record, (Box("words", "the lesson", words),))
        self.app.push_screen(FormDialog(form), said)

    _standings: Sequence[Standing] = ()

    @work(group="lessons", exclusive=True)
    async def _decide(self, lesson: str, decision: Decision | None, words: str = "") -> None:
        workspace = await self.workbench.opened_workspace()

        def decided() -> tuple[Sequence[Standing], Sequence[LearnedTable]]:
            if decision is not None:
                workspace.decide_lesson(lesson, decision, words)
            from workbench.export.learned import learned_tables  # not for the first paint

            return workspace.lessons(), learned_tables(workspace.analyze_learning_patterns())

        try:
            self._standings, tables = await asyncio.to_thread(decided)
        except WorkbenchError as error:
            self.say(str(error))
            return
        self.say("")
        rows = list(learning_rows(self._standings, tables, self.query_one(LineList).room, self.workbench.marks))
        self.query_one(LineList).show(rows)
        if self._standings:
            self.hint(("a", "accept"), ("w", "reword"), ("x", "refuse"), ("t", "retire"))


def learning_rows(
    standings: Sequence[Standing], tables: Sequence[LearnedTable], width: int, marks: Marks | None = None
) -> Iterator[Row]:
    """Yield the patterns as bars, beside each other where there is room, then the lessons and whether they helped."""
    marks = marks or Marks()
    if not standings and not tables:
        yield Row(tuple(text(line, DIM) for line in wrapped(_NOTHING, width)))
    beside = min(max(width // _CHART, 1), 3)
    for place in range(0, len(tables), beside):
        of_row = tables[place : place + beside]
        charts = [_chart(table, width // beside - 3, marks) for table in of_row]
        for turn in range(max(map(len, charts))):
            cells = (chart[turn] if turn < len(chart) else text("") for chart in charts)
            padded = (joined(cell, " " * (width // beside - cell.cell_length)) for cell in cells)
            yield Row((cut(joined(*padded), width),))
        yield Row((text(""),))
    if standings:
        in_use = sum(one.status == "accepted" for one in standings)
        left = joined(text("Lessons", f"bold {FOCUS}"), text(f"  {len(standings)} · {in_use} in use", DIM))
        yield Row((spread(left, text(_columns("", "used in", "it helped"), DIM), width),))
    for one in standings:
        yield _lesson(one, width, marks)


def _chart(table: LearnedTable, width: int, marks: Marks) -> list[Content]:
    lines = [text(table.title, f"bold {FOCUS}")]
    for row, value, bar in table.rows:
        meter = text(marks.meter_full * max(round(bar * _BAR), 1), FOCUS)
        right = joined(meter, " " * (_BAR - meter.cell_length), f"{value:>6}", text(f" of {row.cases:>3}", DIM))
        lines.append(spread(joined(text(clean_name(row.subject, 200), DIM), " *" * row.is_notable), right, width))
    return lines


def _columns(status: str, used: str, helped: str) -> str:
    return f"{status:<10}{used:<12}{helped:>14}"


def _lesson(one: Standing, width: int, marks: Marks) -> Row:
    sign, style = {"accepted": (marks.done, DONE), "refused": (marks.failed, FAILED)}.get(one.status, (" ", ""))
    is_over = one.status not in ("accepted", "proposed")
    used = f"{one.used} plan{'s' if one.used != 1 else ''}" if one.used else ""
    helped = f"{one.helped} of {one.used}" if one.used else ""
    right = text(_columns(one.status, used, helped), DONE if one.status == "accepted" else DIM)
    first, *more = wrapped(clean(one.text), max(width - right.cell_length - 3, 8))
    words = f"{DIM} strike" if is_over else ""
    told = f"because: {one.because}" + (f" · misled {one.misled}" if one.used and one.misled else "")
    told += f" · {one.note}" if one.note else ""
    lines = [spread(joined(text(f"{sign} ", style), text(first, words)), right, width)]
    lines += [text(f"  {line}", words) for line in more]
    return Row((*lines, *(text(f"  {line}", DIM) for line in wrapped(clean(told), max(width - 2, 8)))), key=one.id)
