"""What was done to a plan, change by change, and what could be done about its findings.

repairs that are offered ─ Enter ─┐
changes, the newest first ─ u ────┴─▶ the changes to make, for whoever opened it; or why that cannot be
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.causes import cause_told
from workbench.domain.plan.history import Made, changes_of, undone
from workbench.domain.plan.operations import Change
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean
from workbench.tui.base import Dialog
from workbench.tui.lines import Row, joined, text, wrapped
from workbench.tui.views import DIM, FAILED, FOCUS
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # the checks are imported when they are asked
    from workbench.domain.loop.offers import Offer

_LOOKING = "looking what could be done about the findings …"
_NOTHING = "No plan is drafted yet: its changes will stand here, each with its cause."
_NAME = 6
"""Cells of a change's name."""


class MadeList(LineList):
    """Repairs that are offered, and changes that were made."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "undo", id="changes.undo", tooltip="Take the chosen change of the plan back"),
    ]

    class UndoWanted(Message):
        """A person wants to take the chosen change back."""

    def action_undo(self) -> None:
        """Ask that the chosen change is taken back."""
        self.post_message(self.UndoWanted())


class PlanChangesDialog(Dialog[tuple[Change, ...]]):
    """Returns the changes that a person wants made: a repair, or what takes a change back; None for none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", show=False),
    ]

    def __init__(self, state: SessionState, *, can_change: bool) -> None:
        """``can_change``: whether the session waits at a gate at which its plan can be changed."""
        super().__init__()
        self._state = state
        self._can_change = can_change
        self._made = list(changes_of(state.versions))
        self._offers: tuple[Offer, ...] = ()

    def compose(self) -> ComposeResult:
        """Return the list."""
        with Vertical(classes="dialog"):
            yield Static(text("What made this plan", "bold"), markup=False)
            yield MadeList(id="made", mark=self.workbench.marks.here)
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show the changes, and look what can be offered."""
        self.query_one(LineList).focus()
        self._say("")
        self._show()
        if self._can_change and self._state.findings:
            self._look()

    def on_resize(self) -> None:
        """Break the rows anew."""
        self.call_after_refresh(self._show)

    @work(group="offers", exclusive=True)
    async def _look(self) -> None:
        from workbench.domain.loop.offers import offers_of

        self._say(_LOOKING, DIM)
        self._offers = await asyncio.to_thread(offers_of, self._state)
        self._say("")
        self._show()

    def _show(self) -> None:
        rows = [*self._repairs(), *self._changes()]
        self.query_one(LineList).show(rows or [Row(tuple(text(line, DIM) for line in wrapped(_NOTHING, self.room)))])
        hints = [("Enter", "accept a repair")] if self._offers else []
        undo = [("u", "undo the chosen change")] if self._can_change and self._made else []
        self.query_one(Hints).show_hints([*hints, *undo], self.room, always=[("Esc", "close")])

    def _repairs(self) -> Iterator[Row]:
        if self._offers:
            yield Row((text("Repairs offered for the findings", FOCUS),))
        for one in self._offers:
            label, *more = wrapped(clean(one.repair.label), self.room - _NAME)
            lines = [joined(text(f"{one.number:<{_NAME}}", DIM), text(label))]
            lines += [text(" " * _NAME + line) for line in more]
            lines += [text(" " * _NAME + line, DIM) for line in wrapped(clean(one.consequence), self.room - _NAME)]
            yield Row(tuple(lines), key=f"repair {one.number}")

    def _changes(self) -> Iterator[Row]:
        for version in dict.fromkeys(one.version for one in reversed(self._made)):
            yield Row((text(f"version {version}", "bold"),))
            of_version = [one for one in self._made if one.version == version]
            for cause, alike in groupby(of_version, key=lambda one: cause_told(one.change.cause, self._state.feedback)):
                yield Row(tuple(text(line, DIM) for line in wrapped(clean(cause), self.room)))
                yield from (self._row(one) for one in alike)

    def _row(self, one: Made) -> Row:
        first, *more = wrapped(clean(one.text), self.room - _NAME)
        lines = (joined(text(f"{one.name:<{_NAME}}", DIM), text(first)), *(text(" " * _NAME + line) for line in more))
        return Row(lines, key=f"change {one.name}")

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Accept the chosen repair."""
        message.stop()
        kind, _, number = message.key.partition(" ")
        if kind == "repair":
            self.dismiss(self._offers[int(number) - 1].changes())

    def on_made_list_undo_wanted(self) -> None:
        """Take the chosen change back, or say why that cannot be."""
        kind, _, name = self.query_one(LineList).chosen.partition(" ")
        if kind != "change" or not self._can_change:
            return
        try:
            self.dismiss(undone(self._state.versions, name))
        except WorkbenchError as error:
            self._say(str(error), FAILED)

    def _say(self, words: str, style: str = FAILED) -> None:
        problem = self.query_one("#problem", Static)
        problem.update(text(clean(words), style))
        problem.display = bool(words)

    def action_close(self) -> None:
        """Go back; nothing is changed."""
        self.dismiss()
