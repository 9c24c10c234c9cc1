"""What saved sessions teach: lessons to decide about, and the tables of patterns behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.tui.base import Dialog
from workbench.tui.lines import Row, joined, spread, text, wrapped
from workbench.tui.screens.form import Box, Form, FormDialog, Values
from workbench.tui.views import DIM, DONE, FAILED, FOCUS
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from workbench.export.learned import LearnedTable
    from workbench.planning.lessons import Standing

_NOTHING = "Rate a plan, and say what became of it: what that teaches stands here."
_BAR = 12
"""Cells of the longest bar."""
Decision = Literal["accept", "reword", "refuse", "retire"]


class LessonList(LineList):
    """Lessons to decide about, and tables below them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "a", "screen.decide('accept')", "accept", id="learning.accept", tooltip="Give the lesson to later sessions"
        ),
        Binding(
            "w", "screen.reword", "reword", id="learning.reword", tooltip="Say the lesson in other words, and accept it"
        ),
        Binding("x", "screen.decide('refuse')", "refuse", id="learning.refuse", tooltip="Refuse the chosen lesson"),
        Binding(
            "t", "screen.decide('retire')", "retire", id="learning.retire", tooltip="Retire a lesson that was accepted"
        ),
    ]


class LearningDialog(Dialog[None]):
    """Lessons first, then the tables; a decision acts on the chosen lesson, and another one undoes it."""

    has_help = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Return the list."""
        with Vertical(classes="dialog"):
            yield Static(text("What saved sessions teach", "bold"), markup=False)
            yield LessonList(id="lessons", mark=self.workbench.marks.here)
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Read what there is to learn, in a thread: it looks at every session."""
        self.query_one("#problem").display = False
        hints = [("a", "accept"), ("w", "reword"), ("x", "refuse"), ("t", "retire")]
        self.query_one(Hints).show_hints(hints, self.room, always=[("Esc", "close")])
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

        problem = self.query_one("#problem", Static)
        try:
            self._standings, tables = await asyncio.to_thread(decided)
        except WorkbenchError as error:
            problem.update(text(clean(str(error)), FAILED))
            problem.display = True
            return
        problem.display = False
        rows = list(learning_rows(self._standings, tables, self.room))
        self.query_one(LineList).show(rows)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss()


def learning_rows(standings: Sequence[Standing], tables: Sequence[LearnedTable], width: int) -> Iterator[Row]:
    """Yield the lessons with what they rest on and whether they helped, then the tables."""
    if not standings and not tables:
        yield Row(tuple(text(line, DIM) for line in wrapped(_NOTHING, width)))
    for one in standings:
        told = f"because: {one.because}"
        told += f" · used {one.used}, helped {one.helped}, misled {one.misled}" if one.used else ""
        told += f" · {one.note}" if one.note else ""
        status = text(one.status, DONE if one.status == "accepted" else DIM)
        first, *more = wrapped(clean(one.text), width - 12)
        lines = [spread(text(first), status, width), *(text(line) for line in more)]
        yield Row((*lines, *(text(line, DIM) for line in wrapped(clean(told), width))), key=one.id)
    for table in tables:
        yield Row((text(""), text(table.title, f"bold {FOCUS}")))
        for row, value, bar in table.rows:
            shown = f"{row.cases:>4} · {value:>5} {'█' * max(round(bar * _BAR), 1):<{_BAR}}"
            yield Row((spread(joined(clean(row.subject), " *" * row.is_notable), text(shown, DIM), width),))
