"""What a plan begins with, without a model: the steps of a template, values of the goal, and own steps.

approach chosen ─▶ a checklist: what the goal's values are, its steps · own lines ─ ^S ─▶ the answer at the gate
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from workbench.domain.commands import echo
from workbench.domain.commands.examples import ORDER, OWN_STEP
from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.loop.asking.tasks import Approach
from workbench.domain.loop.begin import Begin
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.values.meanings import chips_of, numbered
from workbench.tui.dialog import Dialog
from workbench.tui.keymap import key_of
from workbench.tui.keys import bind
from workbench.tui.lines import Row, hung, text
from workbench.tui.marks import DIM, DONE, Marks
from workbench.tui.told import EMPTY, words_row
from workbench.tui.widgets.field import Draft
from workbench.tui.widgets.line_list import LineList

_LONGEST = 200  # characters of a step of the list
_ROOM = 14  # lines of the dialog beside the list, with some for own steps


class BeginDialog(Dialog[Begin]):
    """Asks which steps and values a plan begins with; ends with them, None if it is left."""

    shape = "begin"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("space", "tick", "tick", "begin.tick", "Tick the chosen line, or take its tick away"),
        bind("ctrl+s", "begin", "draft the plan", "begin.begin", "Draft the plan with what is ticked and typed"),
    ]
    without: ClassVar[frozenset[str]] = frozenset({"app.sessions"})
    """What has no key here: one leaves the dialog first."""

    def __init__(self, approach: Approach, goal: str, today: date) -> None:
        super().__init__()
        self._approach = approach
        self.heading = clean_name(approach.title)
        self._steps = tuple(map(clean, approach.outline)) if approach.template else ()
        self._besides = approach.besides
        self._meanings = numbered(chips_of(goal, today))
        self._today = today
        self._is_asked = False  # whether a plan without steps is meant
        self._ticked = {f"step:{number}" for number in range(1, len(self._steps) + 1)}

    def body(self) -> ComposeResult:
        """Return the checklist, and where own steps are written."""
        if self._steps or self._meanings:
            yield LineList(id="choices", mark=self.workbench.marks.here)
        yield Static(text("Steps of your own, one per line", DIM), id="own-title", markup=False)
        yield Draft(id="own", placeholder=f"e.g. {OWN_STEP}")
        yield Static(id="read", markup=False)

    @property
    def has_words(self) -> bool:
        """Whether own steps were typed."""
        return self.query_one(Draft).stands

    def on_mount(self) -> None:
        """Begin with the steps of the template, else with the own steps."""
        self._show()
        self.query("#choices" if self._steps else "#own").first().focus()

    def on_resize(self) -> None:
        """Break the lines again."""
        self._show()
        self.on_descendant_focus()

    def _show(self) -> None:
        told = [f"{chip.told} is {meaning.label}" for chip, meaning in self._meanings]
        rows = list(choice_rows(self._approach, told, self._ticked, self.room, self.workbench.marks))
        lines = sum(len(row.lines) for row in rows)
        self.query_one(".dialog").styles.max_height = lines + _ROOM
        for choices in self.query(LineList):
            choices.show(rows)
            choices.styles.max_height = lines

    def on_descendant_focus(self) -> None:
        """Say what the keys do where the focus is."""
        drafts = (key_of(self, "begin.begin"), "draft the plan")
        if self.query_one(Draft).has_focus:
            back = [("Tab", "to the list")] if self.query(LineList) else []
            self.hint(drafts, (key_of(self, "draft.send"), "next line"), *back, back="back")
        else:
            self.hint(drafts, (key_of(self, "begin.tick"), "tick or not"), ("Tab", "own steps"), back="back")

    def action_tick(self) -> None:
        """Tick the chosen line, or take its tick away."""
        for choices in self.query(LineList):
            choices.action_choose()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Tick a line, or take its tick away."""
        message.stop()
        self._ticked ^= {message.key}
        self._show()
        self.say("")

    def on_draft_sent(self, message: Draft.Sent) -> None:
        """Begin the next line: each is a step."""
        message.stop()
        message.draft.action_newline()

    def on_text_area_changed(self) -> None:
        """Say how the line is read, and take away what was wrong with what was there before."""
        self._is_asked = False
        self.say("")
        self._echo()

    def _echo(self) -> None:
        """Say how the line at the cursor is read; of an empty one, that above it."""
        draft = self.query_one(Draft)
        lines = clean(draft.text).split("\n")[: draft.cursor_location[0] + 1]
        while lines and not lines[-1].strip():
            lines.pop()
        steps = self._chosen().kept(self._steps)
        own = [line for line in lines[:-1] if line.strip()]
        told = echo(lines[-1], steps, self._today, own) if lines else ORDER
        self.query_one("#read", Static).update(text(str(told), DIM))

    def action_begin(self) -> None:
        """Check what was chosen and typed, and end with it."""
        self._begin(self._chosen())

    @work(group="begin", exclusive=True)
    async def _begin(self, begin: Begin) -> None:
        from workbench.planning.checks import check_begin  # not before it is needed

        try:
            if self._steps and not any(number <= len(self._steps) for number in begin.keep):
                raise UsageError("No step of the template is left.", "Keep one, or choose “Only my own steps”.")
            checked = await asyncio.to_thread(check_begin, begin, self._today, begin.kept(self._steps))
            is_empty = not (checked.keep or checked.outline.strip())
            if is_empty and not self._is_asked:
                self._is_asked = True
                raise UsageError("No step is typed yet.", f"{key_of(self, 'begin.begin')} again drafts an empty plan.")
        except WorkbenchError as error:
            self.say(str(error))
        else:
            self.dismiss(checked)

    def _chosen(self) -> Begin:
        last = len(self._steps) + len(self._besides)
        meanings = (one for number, (_, one) in enumerate(self._meanings, 1) if f"value:{number}" in self._ticked)
        return Begin(
            template=self._approach.template,
            keep=tuple(number for number in range(1, last + 1) if f"step:{number}" in self._ticked),
            outline=clean(self.query_one(Draft).text).strip("\n"),
            commands=tuple(meaning.command for meaning in meanings),
        )


def choice_rows(
    approach: Approach, values: Sequence[str], ticked: Collection[str], width: int, marks: Marks
) -> Iterator[Row]:
    """Yield what values of the goal can be, ``value:1`` …, and the lines of a template, ``step:1`` …, under titles.

    The values come first, because they are few and nobody but the person knows what they are. What a template has
    besides steps is counted on after them.
    """
    steps, besides = approach.outline, approach.besides
    parts = (
        ("value", "Values that your goal names: what are they?", values, 1),
        ("step", "Steps of the template: which does the plan begin with?", steps, 1),
        ("step", "What the template has besides: what of it does the plan need?", besides, len(steps) + 1),
    )
    for place, (kind, title, lines, first) in enumerate(part for part in parts if part[2]):
        if place:
            yield EMPTY
        yield words_row(title, width)
        for number, line in enumerate(lines, start=first):
            key = f"{kind}:{number}"
            box = text(f"[{marks.done}] ", DONE) if key in ticked else text("[ ] ", DIM)
            yield Row(hung(box, clean_name(line, _LONGEST), width, "" if key in ticked else DIM), key=key)
