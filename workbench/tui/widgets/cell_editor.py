"""Cells of the plan, edited where they stand: a field over the cell, suggestions below it, a command as the outcome.

open ─▶ CellField ─ typed ─▶ Looked(command) ─ Enter ─▶ Recorded(command) ─▶ whoever records it calls close()
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Blur, Click, Paste
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from workbench.domain.plan.plan import Plan
from workbench.domain.text.cleaning import clean_name
from workbench.tui.keys import bind
from workbench.tui.lines import cut, joined, spread, text
from workbench.tui.marks import DIM
from workbench.tui.session.plan.cell_editing import CellName, Editing, Offer, has_lines, place_beside
from workbench.tui.widgets.field import Field
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane


class CellField(Field):
    """One line of text instead of a cell."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "finish('record')", "record", "cell.record", "Record what is typed"),
        bind("alt+enter", "finish('below')", "record, next row", "cell.below", "Record it, and open the cell below"),
        bind("escape", "finish('drop')", "drop", "cell.drop", "Leave the cell as it was"),
        bind("tab", "finish('next')", "next cell", "cell.next", "Go on in the next cell; both are recorded together"),
        bind("shift+tab", "finish('before')", "cell before", "cell.before", "Go on in the cell before"),
        bind("down", "choose(1)", "choose", "cell.choose", "Go to the next suggestion"),
        bind("up", "choose(-1)", "choose", "cell.choose-before", "Go to the suggestion before"),
        bind("right", "take", "complete", "cell.take", "Take the suggestion; inside the text, go right"),
    ]

    without: ClassVar[frozenset[str]] = frozenset(
        {
            "session.back",
            "session.next-agent",
            "sessions.close",
            "compare.back",
            "settings.close",
        }
    )
    """What has no key while a cell is open, or is never on one screen with a cell."""

    def __init__(self, editor: CellEditor) -> None:
        super().__init__(id="cell")
        self._editor = editor

    def _on_paste(self, event: Paste) -> None:
        if not self._editor.take_lines(event.text):
            super()._on_paste(event)
        event.prevent_default()
        event.stop()

    def action_finish(self, how: str) -> None:
        """Leave the cell."""
        self._editor.finish(how)

    def action_choose(self, step: int) -> None:
        """Go to another suggestion."""
        self._editor.choose(step)

    def action_take(self) -> None:
        """Take the suggestion, at the end of what is typed."""
        if self.cursor_position < len(self.value):
            self.action_cursor_right()
        else:
            self._editor.choose(0)

    def _on_blur(self, event: Blur) -> None:
        super()._on_blur(event)
        self.call_later(self._editor.leave)


class CellOffers(Static):
    """What fits what is typed into a cell, a row each."""

    @dataclass
    class Clicked(Message):
        """A row was clicked."""

        index: int

    def show(self, asked: str, offers: Sequence[Offer], chosen: int, mark: str, width: int) -> None:
        """Show what is asked for, and the offers; the chosen one begins with a mark."""
        self.display = True
        lines = [cut(text(f"  {clean_name(asked, 200)}", DIM), width)]
        for at, offer in enumerate(offers):
            here = text(f"{mark if at == chosen else ' '} ", "$primary")
            name = text(clean_name(offer.text, 60), "bold" if at == chosen else "")
            lines.append(cut(spread(joined(here, name), text(clean_name(offer.told, 60), DIM), width), width))
        self.update(Content("\n").join(lines))

    def on_click(self, event: Click) -> None:
        """Take the row that was clicked."""
        event.stop()
        self.post_message(self.Clicked(event.y - 1))


_LEAST = {"title": 24, "owner": 16, "needs": 16, "effort": 12, "start": 14, "end": 14}
"""Cells of a field, where its column is narrower."""
_OFFERS = 44  # cells of the suggestions


class CellEditor(Widget):
    """What is edited in a list of steps; nothing is there while nothing is edited."""

    @dataclass
    class Looked(Message):
        """Something else is typed: this is what it would be recorded as; "" for nothing."""

        command: str

    @dataclass
    class Recorded(Message):
        """A person wants to record a command."""

        command: str
        goes_on: bool
        """Whether the cell below is edited next."""

    @dataclass
    class Pasted(Message):
        """A person pasted several lines where a step is written: each may be one."""

        lines: str
        place: str
        """Where they are to stand, as a command says it."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._today = date.min
        self._offers: tuple[Offer, ...] = ()
        self._chosen = -1
        self.editing: Editing | None = None
        """What is edited; None for nothing."""

    def compose(self) -> ComposeResult:
        """Return the field and the suggestions."""
        yield CellField(self)
        yield CellOffers(id="cell-offers", markup=False)

    def on_mount(self) -> None:
        """Show nothing so far."""
        self._hide()

    @property
    def _rows(self) -> LineList:
        return self.screen.query_one(MainPane)

    def _hide(self) -> None:
        for one in (self.query_one(CellField), self.query_one(CellOffers)):
            one.display = False

    def begin(self, plan: Plan, items: tuple[str, ...], name: CellName, today: date) -> None:
        """Edit a cell of the chosen row; of several steps, the same cell of each."""
        self._today = today
        self._edit(Editing(plan, items, name))

    def _edit(self, editing: Editing) -> None:
        self.editing = editing
        self._rows.keeps_cursor = True
        field = self.query_one(CellField)
        field.display = True
        with field.prevent(Input.Changed):
            field.value = editing.value
        self._look("")
        self.place()
        field.select_on_focus = editing.cell != "title"  # a title is corrected more often than replaced
        field.focus()
        if field.select_on_focus:
            field.action_select_all()
        else:
            field.action_end()
        self._tell()

    def place(self) -> None:
        """Stand over the cell, wherever its row is now; below the row for a new one."""
        editing, rows = self.editing, self._rows
        if editing is None:
            return
        cells = rows.rows[rows.cursor].cells if 0 <= rows.cursor < len(rows.rows) else ()
        cell = next((one for one in cells if one.name == editing.cell), cells[0] if cells else None)
        y = rows.line_on_screen(rows.cursor) + (editing.cell == "add below")
        start = (cell.start if cell else 0) + 2
        room = rows.scrollable_content_region
        is_long = editing.cell.startswith("add")
        least = room.width - start - 1 if is_long else _LEAST.get(editing.cell, 16)
        end = start + max(cell.end - cell.start if cell else 0, least) + 1
        end = min((2 + one.end for one in cells if 2 + one.end >= end), default=end)  # over whole cells
        width = min(end - start + 1, room.width)
        x = max(min(start - 1, room.width - width), 0)
        over = self._rows.content_region.offset - self.region.offset
        y = min(max(y, 0), room.height - 1)
        field, offers = self.query_one(CellField), self.query_one(CellOffers)
        field.styles.width, field.styles.offset = width, (over.x + x, over.y + y)
        wide = min(max(_OFFERS, width), room.width)
        height = len(self._offers) + 1
        below = y + 1 if y + 1 + height <= room.height else y - height
        offers.styles.width = wide
        offers.styles.offset = (over.x + max(min(x, room.width - wide), 0), over.y + below)
        offers.show(f"{editing.cell}: {editing.asked}", self._offers, self._chosen, self._rows.mark, wide)

    @property
    def _typed(self) -> str:
        """What the cell holds: what is typed, completed with the suggestion that is chosen."""
        typed = self.query_one(CellField).value
        if self.editing is None or not 0 <= self._chosen < len(self._offers):
            return typed
        return self.editing.completed(typed, self._offers[self._chosen])

    def _look(self, typed: str) -> None:
        editing = self.editing
        if editing is not None:
            self._offers = editing.offers(typed)
            self._chosen = 0 if self._offers and typed.rpartition(",")[2].strip() else -1

    def _tell(self) -> None:
        if self.editing is not None:
            self.post_message(self.Looked(self.editing.with_typed(self._typed).command(self._today)))

    def on_input_changed(self, message: Input.Changed) -> None:
        """Look for what fits, and say what it would be."""
        message.stop()
        self._look(message.value)
        self.place()
        self._tell()

    def choose(self, step: int) -> None:
        """Choose another suggestion; ``step`` 0 takes the one that is chosen."""
        if self._offers and step:
            self._chosen = (self._chosen + step) % len(self._offers)
            self.place()
            self._tell()
        elif self._offers:
            self._take(max(self._chosen, 0))

    def on_cell_offers_clicked(self, message: CellOffers.Clicked) -> None:
        """Take a suggestion by mouse, and record it."""
        if self.editing is not None and 0 <= message.index < len(self._offers):
            self._take(message.index)
            self.finish("record")

    def _take(self, index: int) -> None:
        field = self.query_one(CellField)
        if self.editing is not None:
            field.value = self.editing.completed(field.value, self._offers[index])
            field.cursor_position = len(field.value)

    def finish(self, how: str) -> None:
        """Record what is typed, drop it, or go on in another cell: record, below, drop, next, before."""
        editing = self.editing
        if editing is None:
            return
        editing = editing.with_typed(self._typed)
        if how in ("next", "before") and not editing.cell.startswith("add"):
            self._rows.column = (moved := editing.beside(1 if how == "next" else -1)).cell
            self._edit(moved)
        elif how in ("record", "below") and (command := editing.command(self._today)):
            self.editing = editing
            self.post_message(self.Recorded(command, goes_on=how == "below"))
        elif how in ("record", "drop", "below"):
            self.close()

    def take_lines(self, pasted: str) -> bool:
        """Offer several lines as steps, where a new one is written; False if they are none."""
        editing = self.editing
        if editing is None or not editing.cell.startswith("add") or not has_lines(pasted):
            return False
        place = place_beside(editing.items[-1], editing.cell, editing.plan)
        self.post_message(self.Pasted(f"{self._typed}{pasted}", place))
        self.close()
        return True

    def leave(self) -> None:
        """Drop what is typed where a person went elsewhere."""
        if not self.query_one(CellField).has_focus:
            self.close(is_left=True)

    def close(self, *, is_left: bool = False) -> None:
        """Take the field away."""
        if self.editing is not None:
            self.editing = None
            self._offers = ()
            self._hide()
            self._rows.keeps_cursor = False
            self.post_message(self.Looked(""))
            if not is_left:
                self._rows.focus()

    def follow(self, plan: Plan) -> None:
        """Stand where the row stands now, in a plan that may have changed meanwhile."""
        if self.editing is not None:
            self.editing = replace(self.editing, plan=plan)
            self.place()
