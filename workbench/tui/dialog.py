"""A screen above another one, with what all of them share: a title, the line of keys, what went wrong, and Esc."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.geometry import Size
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.tui.base import EndsItsWork
from workbench.tui.keys import bind
from workbench.tui.lines import Row, joined, text
from workbench.tui.marks import DIM
from workbench.tui.pauses import beside
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field
from workbench.tui.widgets.line_list import LineList

_WIDTH, _SMALL = 90, 64  # cells of a dialog if there is room for them, as in app.tcss
READ_WITHIN = 0.5
"""Seconds that a question, or a preview, is before a yes counts: sooner, its key was on its way to something else."""


class Dialog(ModalScreen[ScreenResultType], EndsItsWork):
    """A screen above another one, which stays visible after it. Left with Esc, it ends with None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close"),
        bind("f1,question_mark", "app.help", "help", "app.help", "Keys of what has the focus"),
        bind("ctrl+p", "instead('command_palette')", "palette", "app.palette", "Everything that can be done"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]  # noqa: RUF012 - as Textual declares it
    has_help: ClassVar[bool] = False
    """Whether it has keys worth a page of help."""
    shape = ""
    """``small``, ``wide`` or ``begin``, as in app.tcss."""
    heading: str | Content = ""
    about: str = ""
    """What stands dim below the heading."""

    def compose(self) -> ComposeResult:
        """Return the heading, what is asked, and the line of keys."""
        heading = self.heading
        with Vertical(classes=f"dialog {self.shape}"):
            if heading:
                yield Static(heading if isinstance(heading, Content) else text(clean(heading), "bold"), markup=False)
            if self.about:
                yield Static(text(clean(self.about), DIM), markup=False)
            yield from self.body()
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def body(self) -> ComposeResult:
        """Return what is between heading and keys."""
        yield from ()

    @property
    def room(self) -> int:
        """Cells of a line in it; in a large one, of a row: without frame, padding, mark, scrollbar and a space."""
        width = self.app.size.width
        return min(_SMALL, width) - 6 if self.shape == "small" else min(_WIDTH, width) - 10

    def hint(self, *hints: tuple[str, str], back: str = "close") -> None:
        """Say what the keys do: each key with its words; Esc goes ``back``."""
        self.query_one(Hints).show_hints(hints, self.room, always=[("Esc", back)])

    def say(self, words: str, style: str = "$error") -> None:
        """Say what went wrong, or what is under way, below the fields; "" takes it away."""
        problem = self.query_one("#problem", Static)
        problem.update(text(clean(words), style))
        problem.display = bool(words)

    def action_close(self) -> None:
        """Go back; nothing is done."""
        self.dismiss()

    @property
    def has_words(self) -> bool:
        """Whether words are here that nobody has but this dialog."""
        return False

    async def action_instead(self, action: str) -> None:
        """Go back, from all dialogs, and do something of the application there; what was typed is not lost by it."""
        if self.has_words:
            self.say("Your text would be lost: press Esc first, or finish it.", DIM)
            return
        self.action_close()
        self.app.call_later(self._do_behind, action)

    async def _do_behind(self, action: str) -> None:
        screen = self.app.screen
        await (screen.action_instead(action) if isinstance(screen, Dialog) else self.app.run_action(action))


class ListDialog(Dialog[ScreenResultType]):
    """Rows, laid out for the room that there is, and again for another size."""

    has_cursor = True
    _laid_out_for = Size(0, 0)

    def body(self) -> ComposeResult:
        """Return the list."""
        yield LineList(id="rows", has_cursor=self.has_cursor, mark=self.workbench.marks.here if self.has_cursor else "")

    @property
    def listed(self) -> LineList:
        """The list."""
        return self.query_one(LineList)

    @property
    def first(self) -> Widget:
        """What has the focus first."""
        return self.listed

    def on_mount(self) -> None:
        """Show the rows."""
        self._laid_out_for = self.app.size
        self.first.focus()
        self.lay_out()

    def on_resize(self) -> None:
        """Break the rows again."""
        if self.app.size != self._laid_out_for:
            self._laid_out_for = self.app.size
            self.call_after_refresh(self.lay_out)

    def lay_out(self) -> object:
        """Show the rows as they are now; what is returned says nothing."""
        self.listed.show(self.rows(self.room))
        return None

    def rows(self, width: int) -> Sequence[Row]:
        """Return what is listed."""
        raise NotImplementedError


class PickDialog(ListDialog[str]):
    """Rows that take their time, made in a thread; ends with the key of the one that is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("up", "move(-1)"), Binding("down", "move(1)")]

    def __init__(
        self,
        heading: str,
        rows: Callable[[int], Sequence[Row]],
        enter: str = "",
        *,
        about: str = "",
        shape: str = "",
        sought: str = "",
        empty: str = "There is nothing here.",
    ) -> None:
        """``rows`` returns what is listed in a width; ``enter`` is what Enter does, "" if nothing is chosen.

        ``sought``: what can be typed to see only rows that have it; "" for nothing. ``empty``: said instead of rows.
        """
        self.heading, self.about, self.shape, self._rows, self._enter = heading, about, shape, rows, enter
        self.has_cursor, self._sought, self._empty = bool(enter), sought, empty
        self._made: Sequence[Row] = ()
        super().__init__()

    def body(self) -> ComposeResult:
        """Return a line to type into, if there is one, and the list."""
        if self._sought:
            yield Field(id="filter", placeholder=f"type {self._sought}")
        yield from super().body()

    @property
    def first(self) -> Widget:
        """The line, else the list."""
        return self.query_one(Field) if self._sought else self.listed

    @property
    def hints(self) -> list[tuple[str, str]]:
        """What the keys do."""
        return [("Enter", self._enter) if self._enter else ("↑↓", "scroll")]

    def fitting(self, words: str) -> Sequence[Row]:
        """Return the rows that have these words."""
        sought = words.casefold().split()
        return [row for row in self._made if all(word in row.lines[0].plain.casefold() for word in sought)]

    def on_input_changed(self) -> None:
        """Show what fits."""
        words = self.query_one(Field).value.strip() if self._sought else ""
        fits = self.fitting(words)
        self.listed.show(fits or [Row((text("Nothing has these words." if words else self._empty, DIM),))])
        self.hint(*(self.hints if fits else ()))
        if self._sought:
            self.listed.keeps_cursor = True
            self.listed.action_edge(-1)

    def on_input_submitted(self) -> None:
        """Take the chosen row."""
        self.listed.action_choose()

    def action_move(self, step: int) -> None:
        """Choose the next row, or the one before."""
        self.listed.action_move(step)

    @work(group="rows", exclusive=True)
    async def lay_out(self) -> None:
        """Show the rows, or why they cannot be read."""
        self.hint(*self.hints)
        try:
            self._made = await beside(self._rows, self.room)
        except WorkbenchError as error:
            self.say(str(error))
        else:
            self.on_input_changed()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """End with what was chosen."""
        message.stop()
        self.dismiss(message.key)


class ConfirmDialog(Dialog[bool]):
    """Asks yes or no; ends with True if a person said yes, once it can be read. A key for something else is no."""

    shape = "small"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "accept", "accept"), Binding("n", "close", "decline")]

    def __init__(self, question: str, about: str, verb: str, values: Sequence[tuple[str, str]] = ()) -> None:
        """``verb``: what yes does; ``values`` stand below the question, and scroll if they are long."""
        super().__init__()
        self.heading, self.about, self._verb, self._values = question, about, verb, values

    def body(self) -> ComposeResult:
        """Return what it is about."""
        if self._values:
            with VerticalScroll(id="values"):
                for name, value in self._values:
                    yield Static(text(f"{clean(name)}: {clean(value)}"), markup=False)

    def on_mount(self) -> None:
        """Show both keys, each as soon as it counts."""
        self._stood_at = monotonic() + READ_WITHIN
        self.hint(back=f"do not {self._verb}")
        self.set_timer(READ_WITHIN, lambda: self.hint(("y", self._verb), back=f"do not {self._verb}"))

    def on_key(self, event: Key) -> None:
        """Close for a key that means something else, as of words that were to go elsewhere; take no hasty yes.

        A key such as ^S does what it does below, or what is typed next would land there.
        """
        if event.key not in self.active_bindings:
            self.action_close()
            if event.key.startswith("ctrl+"):
                self.app.call_later(self.app.simulate_key, event.key)
        if event.key not in self.active_bindings or (event.key == "y" and event.time < self._stood_at):
            event.stop()

    def action_accept(self) -> None:
        """Say yes."""
        self.dismiss(True)


def confirm(
    app: App[Any],
    question: str,
    about: str,
    verb: str,
    then: Callable[[], object],
    *,
    values: Sequence[tuple[str, str]] = (),
    otherwise: Callable[[], object] = lambda: None,
) -> None:
    """Ask yes or no; ``then`` is done if the person says yes, else ``otherwise``."""

    def answered(yes: bool | None) -> None:
        (then if yes else otherwise)()

    app.push_screen(ConfirmDialog(question, about, verb, values), answered)


class SizeNotice(Dialog[None]):
    """Says the size there is and the size that is needed, takes all keys, and goes away when there is room."""

    def __init__(self, needed: Size) -> None:
        super().__init__()
        self._needed = needed

    def compose(self) -> ComposeResult:
        """Return the notice."""
        yield Static(id="size", markup=False)

    def action_close(self) -> None:
        """Stay: there is no room for what it hides."""

    async def action_instead(self, action: str) -> None:
        """Do nothing, for the same reason."""

    def on_resize(self) -> None:
        """Say the new size, or give way to the screen."""
        size, needed = self.app.size, self._needed
        if size.width >= needed.width and size.height >= needed.height:
            if self.is_current:
                self.dismiss()
            return
        needs = text(f"The workbench needs {needed.width} × {needed.height}.", "bold")
        here = text(f"This terminal is {size.width} × {size.height}.", DIM)
        self.query_one("#size", Static).update(joined(needs, "\n", here))

    on_screen_resume = on_resize
    """The size may have changed while another session was shown."""
