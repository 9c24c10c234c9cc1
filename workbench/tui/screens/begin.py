"""What a plan begins with, without a model: the steps of a template, values of the goal, and own steps.

approach chosen ─▶ a checklist of its steps · what the goal's values are · own lines ─ Enter ─▶ the answer at the gate
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import SelectionList, Static
from textual.widgets.selection_list import Selection

from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.tasks import Approach
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.values.meanings import chips_of, numbered
from workbench.tui.dialog import Dialog
from workbench.tui.keys import bind
from workbench.tui.lines import text
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.draft import Draft


class BeginDialog(Dialog[Begin]):
    """Asks which steps and values a plan begins with; ends with them, None where it is left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+s", "begin", "begin", "begin.begin", "Draft the plan with these steps"),
    ]

    def __init__(self, approach: Approach, goal: str, today: date) -> None:
        super().__init__()
        self._approach = approach
        self._meanings = numbered(chips_of(goal, today))
        self._today = today

    def compose(self) -> ComposeResult:
        """Return the checklist, the values, and where own steps are written."""
        steps = self._approach.outline if self._approach.template else ()
        with Vertical(classes="dialog begin"):
            yield Static(text(clean_name(self._approach.title), "bold"), markup=False)
            if steps:
                yield Static(text("Steps of the template. Space leaves one out.", DIM), markup=False)
                yield SelectionList(*_rows(steps, chosen=True), id="steps")
            if self._meanings:
                yield Static(text("Your goal names these. Space says what they are.", DIM), markup=False)
                told = [f"{chip.told} is {meaning.label}" for chip, meaning in self._meanings]
                yield SelectionList(*_rows(told, chosen=False), id="meanings")
            yield Static(text("Steps of your own, one per line.", DIM), markup=False)
            yield Draft(id="own", placeholder="e.g. Book the hall 2d @Anna by 3 May")
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin with the first list, else with the own steps."""
        lists = self.query(SelectionList)
        (lists.first() if lists else self.query_one(Draft)).focus()
        self.hint(("Tab", "next"), ("Space", "tick"), ("^S", "draft the plan"))

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Begin with what is written."""
        message.stop()
        self.action_begin()

    def action_begin(self) -> None:
        """Check what was chosen and typed, and end with it."""
        self._begin(self._chosen())

    @work(group="begin", exclusive=True, exit_on_error=False)
    async def _begin(self, begin: Begin) -> None:
        from workbench.planning.checks import check_begin  # not before it is needed

        try:
            if self._approach.template and not begin.keep and not begin.outline:
                raise UsageError("No step is left.", "Keep a step of the template, or write one of your own.")
            checked = await asyncio.to_thread(check_begin, begin, self._today)
        except WorkbenchError as error:
            self.say(str(error))
        else:
            self.dismiss(checked)

    def _chosen(self) -> Begin:
        ticked = {one.id: sorted(one.selected) for one in self.query(SelectionList[int])}
        steps = self._approach.outline if self._approach.template else ()
        return Begin(
            template=self._approach.template or "",
            keep=tuple(number + 1 for number in ticked.get("steps", ())) if steps else (),
            outline=clean(self.query_one(Draft).text).strip("\n"),
            commands=tuple(self._meanings[number][1].command for number in ticked.get("meanings", ())),
        )


def _rows(lines: Sequence[str], *, chosen: bool) -> list[Selection[int]]:
    return [Selection(Content(clean_name(line, 200)), number, chosen) for number, line in enumerate(lines)]
