"""What saved sessions teach: lessons to decide about, and the tables of patterns after them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.dialog import ListDialog
from workbench.tui.form import Box, Form, FormDialog
from workbench.tui.keys import bind
from workbench.tui.lines import Row, barred, hung, joined, spread, text
from workbench.tui.marks import DIM, DONE, FAILED, FOCUS, Marks
from workbench.tui.told import EMPTY, counted, words_row
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from workbench.export.learned import LearnedTable
    from workbench.planning.learning.lessons import Standing

_NOTHING = "Rate a plan with *, and say what became of it: what that teaches stands here."
_BAR = 12  # cells of the longest bar
_CHART = 60  # cells of a line with its bar
Decision = Literal["accept", "reword", "refuse", "retire"]


class LessonList(LineList):
    """Lessons to decide about, and tables below them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("a", "screen.decide('accept')", "accept", "learning.accept", "Give the lesson to later sessions"),
        bind("w", "screen.reword", "reword", "learning.reword", "Say the lesson in other words, and accept it"),
        bind("x", "screen.decide('refuse')", "refuse", "learning.refuse", "Refuse the chosen lesson"),
        bind("t", "screen.decide('retire')", "retire", "learning.retire", "Retire a lesson that was accepted"),
    ]


class LearningDialog(ListDialog[None]):
    """Lessons first, then the tables; a decision acts on the chosen lesson, and another one undoes it."""

    has_help = True
    shape = "wide"
    heading = joined(
        text("What these plans teach", "bold"), text("   lessons reach a planner labelled, with their plans", DIM)
    )
    _standings: Sequence[Standing] = ()

    def body(self) -> ComposeResult:
        """Return the list."""
        yield LessonList(id="lessons", mark=self.workbench.marks.here)

    def lay_out(self) -> object:
        """Read what there is to learn, in a thread: it looks at every session."""
        self.hint()
        return self._decide("", None)

    def action_decide(self, decision: Decision) -> None:
        """Decide about the chosen lesson."""
        if lesson := self.listed.chosen:
            self._decide(lesson, decision)

    def action_reword(self) -> None:
        """Ask for other words."""
        if lesson := self.listed.chosen:
            words = next((standing.text for standing in self._standings if standing.id == lesson), "")
            box = Box("words", "the lesson", words)
            form = Form("Reword the lesson", "It is accepted in these words.", lambda values: values["words"], (box,))

            def said(new: str | None) -> None:
                if new:
                    self._decide(lesson, "reword", new)

            self.app.push_screen(FormDialog(form), said)

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
        rows = list(learning_rows(self._standings, tables, self.listed.room, self.workbench.marks))
        self.listed.show(rows)
        if self._standings:
            self.hint(("a", "accept"), ("w", "reword"), ("x", "refuse"), ("t", "retire"))


def learning_rows(
    standings: Sequence[Standing], tables: Sequence[LearnedTable], width: int, marks: Marks | None = None
) -> Iterator[Row]:
    """Yield the patterns as bars, then the lessons and whether they helped."""
    marks = marks or Marks()
    if not standings and not tables:
        yield words_row(_NOTHING, width)
    for table in tables:
        yield Row((text(table.title, f"bold {FOCUS}"),))
        for row, value, bar in table.rows:
            meter = text(marks.meter_full * max(round(bar * _BAR), 1), FOCUS)
            right = joined(meter, " " * (_BAR - meter.cell_length), f"{value:>6}", text(f" of {row.cases:>3}", DIM))
            yield Row((spread(text(clean_name(row.subject, 200), DIM), right, min(width, _CHART)),))
        yield EMPTY
    if standings:
        in_use = sum(standing.status == "accepted" for standing in standings)
        left = joined(text("Lessons", f"bold {FOCUS}"), text(f"  {len(standings)} · {in_use} in use", DIM))
        yield Row((spread(left, text(_columns("", "used in", "it helped"), DIM), width),))
    for one in standings:
        yield _lesson(one, width, marks)


def _columns(status: str, used: str, helped: str) -> str:
    return f"{status:<10}{used:<12}{helped:>14}"


def _lesson(one: Standing, width: int, marks: Marks) -> Row:
    sign, style = {"accepted": (marks.done, DONE), "refused": (marks.failed, FAILED)}.get(one.status, (" ", ""))
    is_over = one.status not in ("accepted", "proposed")
    used = counted(one.used, "plan") if one.used else ""
    helped = f"{one.helped} of {one.used}" if one.used else ""
    right = text(_columns(one.status, used, helped), DONE if one.status == "accepted" else DIM)
    words = f"{DIM} strike" if is_over else ""
    told = f"because: {one.because}" + (f" · misled {one.misled}" if one.used and one.misled else "")
    told += f" · {one.note}" if one.note else ""
    first, *more = hung(text(f"{sign} ", style), clean(one.text), width - right.cell_length - 1, words)
    return Row((spread(first, right, width), *more, *barred(Content("  "), clean(told), width, DIM)), key=one.id)
