"""A few fields, what they would do, and Enter: how a thing is said that a command says with options.

fields ─ Enter ─▶ preview, if there is one ─ Enter again ─▶ recorded ─▶ what was done, for whoever opened it

Nothing is recorded by a key that was pressed before its preview could be read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.tui import dialog
from workbench.tui.dialog import Dialog
from workbench.tui.lines import Row, text, wrapped
from workbench.tui.marks import DIM
from workbench.tui.widgets.field import Draft, Field
from workbench.tui.widgets.line_list import LineList

Values = Mapping[str, str]
"""What is in the fields, by their ids."""


@dataclass(frozen=True, slots=True)
class Box:
    """A field of a form."""

    id: str
    label: str
    value: str = ""
    is_named: bool = False
    """Whether its label is beside it, and not in it while it is empty."""
    example: str = ""
    """What is in a named one while it is empty."""
    is_secret: bool = False
    """Whether what is typed is not shown."""
    is_long: bool = False
    """Whether it takes several lines."""
    is_needed: bool = False
    """Whether Enter in the field before goes on to it while it is empty."""
    begins: bool = False
    """Whether a person begins in it, a line with all of it selected, and not in the first one."""


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked, and what becomes of it. The calls are made in a thread and raise WorkbenchError."""

    title: str
    about: str
    record: Callable[[Values], str]
    """Does it; returns what was done."""
    boxes: tuple[Box, ...] = ()
    preview: Callable[[Values], Sequence[str]] | None = None
    """What it would do, in lines; None if that is plain."""
    verb: str = "record"
    shown: tuple[str, ...] = ()
    """Lines that are there from the beginning."""
    previews_at_once: bool = False
    """Whether what is in the fields is previewed without a key."""


class FormDialog(Dialog[str]):
    """Shows a form; ends with what was done."""

    shape = "small"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "take", "take")]

    def __init__(self, form: Form) -> None:
        super().__init__()
        self._form = form
        self.heading, self.about = form.title, form.about
        self._previewed: Values | None = None  # what the preview was of that is there
        self._under_way: Values | None = None  # what is being previewed, until that could be read, or recorded

    def body(self) -> ComposeResult:
        """Return the fields."""
        for box in self._form.boxes:
            label = box.example if box.is_named else box.label
            if box.is_long:
                yield Draft(id=box.id, placeholder=label)
            elif box.is_named:
                with Horizontal(classes="named"):
                    yield Static(text(clean(box.label), DIM), classes="label", markup=False)
                    yield Field(id=box.id, placeholder=label, password=box.is_secret)
            else:
                yield Field(id=box.id, placeholder=label)
        rows = LineList(id="rows", has_cursor=False)
        rows.can_focus = False
        yield rows

    def on_mount(self) -> None:
        """Begin with the first field."""
        for box in self._form.boxes:
            field = self._field(box)
            if isinstance(field, Draft):
                field.put(clean(box.value))
            else:
                field.value = clean(box.value)
        self._show(self._form.shown)
        for box in (*(one for one in self._form.boxes if one.begins), *self._form.boxes)[:1]:
            (field := self._field(box)).focus()
            if box.begins:
                field.select_all()
        if self._form.previews_at_once:
            self.action_take()

    @property
    def has_words(self) -> bool:
        """Whether something else is in the fields than at the beginning."""
        return self._values() != {box.id: clean(box.value).strip() for box in self._form.boxes}

    def _field(self, box: Box) -> Field | Draft:
        return self.query_one(f"#{box.id}", Draft) if box.is_long else self.query_one(f"#{box.id}", Field)

    def _show(self, lines: Sequence[str], problem: str = "") -> None:
        rows = self.query_one("#rows", LineList)
        rows.show([Row((text(part),)) for line in lines for part in wrapped(clean(line), self.room)])
        rows.display = bool(lines)
        self.say(problem)
        self._show_keys()

    def _show_keys(self) -> None:
        is_next = self._form.preview is None or (self._previewed == self._values() and self._under_way is None)
        enter = self._form.verb if is_next else "preview"
        self.hint(("Enter", enter), *([("Tab", "next field")] if len(self._form.boxes) > 1 else []))

    def _values(self) -> Values:
        fields = ((box.id, self._field(box)) for box in self._form.boxes)
        return {name: (one.text if isinstance(one, Draft) else one.value).strip() for name, one in fields}

    def on_input_changed(self) -> None:
        """Take a preview away that is of what was there before."""
        if self._previewed is not None and self._previewed != self._values():
            self._previewed = None
            self._show(())

    on_text_area_changed = on_input_changed

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Take what was entered; what is needed after it, and does not stand yet, comes first."""
        names = [box.id for box in self._form.boxes]
        after = self._form.boxes[names.index(message.input.id or "") + 1 :][:1]
        if after and after[0].is_needed and not self._values()[after[0].id]:
            self._field(after[0]).focus()
        else:
            self.action_take()

    def on_draft_sent(self) -> None:
        """Take what was entered."""
        self.action_take()

    def action_take(self) -> None:
        """Show what it would do, or do what was shown, once that can be read."""
        values = self._values()
        if values != self._under_way:
            self._under_way = values
            self._take(values)

    @work(group="form", exclusive=True)
    async def _take(self, values: Values) -> None:
        form = self._form
        self.say("…", DIM)
        try:
            if form.preview is not None and self._previewed != values:
                shown = await asyncio.to_thread(form.preview, values)
                if values == self._values():  # else it is of what was there before
                    self._previewed = values
                    self._show(shown)
                    await asyncio.sleep(dialog.READ_WITHIN)
                return
            done = await asyncio.to_thread(form.record, values)
        except WorkbenchError as error:
            self._show((), str(error))
        else:
            self.dismiss(done)
        finally:
            if self._under_way is values:
                self._under_way = None
                if not self.is_going:
                    self._show_keys()


def ask_to_find(pane: LineList, on: str, where: Callable[[], str] = str) -> None:
    """Ask for words, and go to the next row of a list that has them; ``on``: the key that continues from there.

    ``where`` says on which row it stands then.
    """

    def found(words: str | None) -> None:
        rows = 0 if words is None else pane.find(words)
        if words is None or not words.strip():
            return
        if not rows:
            pane.notify("Not on this page. ^S searches everywhere.")
        elif rows > 1:
            pane.notify(f"In {rows} rows: {on} goes to the next one.{where()}")

    box = Box("place", "words", pane.sought, begins=True)
    pane.app.push_screen(
        FormDialog(Form("Find on this page", "", lambda values: values["place"], (box,), verb="find")), found
    )
