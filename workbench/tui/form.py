"""A few fields, what they would do, and Enter: how a thing is said that a command says with options.

fields ─ Enter ─▶ preview, where there is one ─ Enter again ─▶ recorded ─▶ what was done, for whoever opened it
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.tui.dialog import Dialog
from workbench.tui.lines import Row, text, wrapped
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field
from workbench.tui.widgets.line_list import LineList

Values = Mapping[str, str]
"""What stands in the fields, by their ids."""
_WIDTH = 58
"""Cells of a small dialog."""


@dataclass(frozen=True, slots=True)
class Box:
    """A field of a form."""

    id: str
    label: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked, and what becomes of it. Both calls are made in a thread and raise WorkbenchError."""

    title: str
    about: str
    record: Callable[[Values], str]
    """Does it; returns what was done."""
    boxes: tuple[Box, ...] = ()
    preview: Callable[[Values], Sequence[str]] | None = None
    """What it would do, in lines; None where that is plain."""
    verb: str = "record"
    shown: tuple[str, ...] = field(default=())
    """Lines that stand there from the beginning."""
    previews_at_once: bool = False
    """Whether what stands in the fields is previewed without a key."""


class FormDialog(Dialog[str]):
    """Shows a form; ends with what was done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close"),
        Binding("enter", "take", "take"),
    ]

    def __init__(self, form: Form) -> None:
        super().__init__()
        self._form = form
        self._previewed: Values | None = None
        """What the preview was of that stands there."""

    def compose(self) -> ComposeResult:
        """Return the fields."""
        with Vertical(classes="dialog small"):
            yield Static(text(clean(self._form.title), "bold"), markup=False)
            if self._form.about:
                yield Static(text(clean(self._form.about), DIM), markup=False)
            for box in self._form.boxes:
                yield Field(id=box.id, placeholder=box.label)
            rows = LineList(id="rows", has_cursor=False)
            rows.can_focus = False
            yield rows
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin with the first field."""
        for box in self._form.boxes:
            self.query_one(f"#{box.id}", Field).value = clean(box.value)
        self._show(self._form.shown)
        if self._form.boxes:
            self.query_one(f"#{self._form.boxes[0].id}").focus()
        if self._form.previews_at_once:
            self.action_take()

    def _show(self, lines: Sequence[str], problem: str = "") -> None:
        rows = self.query_one("#rows", LineList)
        rows.show([Row((text(part),)) for line in lines for part in wrapped(clean(line), _WIDTH)])
        rows.display = bool(lines)
        self.say(problem)
        previews = self._form.preview is not None and self._previewed != self._values()
        hints = [("Enter", "preview" if previews else self._form.verb)]
        hints += [("Tab", "next field")] if len(self._form.boxes) > 1 else []
        self.query_one(Hints).show_hints(hints, _WIDTH, always=[("Esc", "close")])

    def _values(self) -> Values:
        return {box.id: self.query_one(f"#{box.id}", Field).value.strip() for box in self._form.boxes}

    def on_input_changed(self) -> None:
        """Take a preview away that is of what stood there before."""
        if self._previewed is not None and self._previewed != self._values():
            self._previewed = None
            self._show(())

    def on_input_submitted(self) -> None:
        """Take what was entered."""
        self.action_take()

    def action_take(self) -> None:
        """Show what it would do, or do what was shown."""
        self._take(self._values())

    @work(group="form", exclusive=True)
    async def _take(self, values: Values) -> None:
        form = self._form
        try:
            if form.preview is not None and self._previewed != values:
                shown = await asyncio.to_thread(form.preview, values)
                if values == self._values():  # else it is of what stood there before
                    self._previewed = values
                    self._show(shown)
                return
            done = await asyncio.to_thread(form.record, values)
        except WorkbenchError as error:
            self._show((), str(error))
        else:
            self.dismiss(done)
