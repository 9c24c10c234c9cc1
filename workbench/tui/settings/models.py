"""Models: which one plans, what is set for each, and one call to try it, after the person has said yes.

list ─ Enter ─▶ plan with it      list ─ t ─▶ host and question, yes or no ─▶ what it took, in a sentence
     └ e ─▶ its settings, a line each ─▶ the person's own file
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key
from textual.widgets import Input

from workbench.bootstrap.known_models import KnownModel, configured_models, known_model, models_on_this_machine
from workbench.domain.errors import SettingsError, WorkbenchError
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.toml import read_toml
from workbench.models.catalogue import GUIDED
from workbench.models.own_settings import ModelSettings
from workbench.tui.dialog import ListDialog
from workbench.tui.form import Box, Form, FormDialog, Values
from workbench.tui.keymap import hint
from workbench.tui.keys import bind
from workbench.tui.lines import Row, cut, joined, spread, text
from workbench.tui.marks import DIM, DONE, Marks
from workbench.tui.settings.preferences import write_preferences
from workbench.tui.widgets.field import Field
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from workbench.bootstrap import Workspace


class ModelList(LineList):
    """Models to choose from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("t", "screen.try", "try it", "models.try", "Send one short question, once you have said yes"),
        bind("e", "screen.edit", "its settings", "models.edit", "Server, window, limits, prices"),
    ]

    def on_key(self, event: Key) -> None:
        """Begin a name with a letter that means nothing else here: nothing of it acts as a key."""
        if event.character and event.is_printable and event.key not in self.screen.active_bindings:
            event.stop()
            field = self.screen.query_one(Field)
            field.select_on_focus = False  # the letter stands before the focus is told
            self.screen.set_focus(field)
            field.insert_text_at_cursor(event.character)


class ModelsDialog(ListDialog[None]):
    """The models that can be named. Nothing is sent to any other machine before the person says so."""

    heading = "Models"
    has_help = True

    def __init__(self) -> None:
        super().__init__()
        self._named: list[str] = []  # models that the person named here
        self._here: list[KnownModel] = []  # models of servers on this machine
        self._known: list[KnownModel] = []

    def body(self) -> ComposeResult:
        """Return the list, and a field for another one."""
        yield ModelList(id="models", mark=self.workbench.marks.here)
        yield Field(id="name", placeholder="another one: openai:NAME, anthropic:NAME or google:NAME")

    def lay_out(self) -> object:
        """Show what is set, and then what answers on this machine."""
        self.hint(("Enter", "plan with it"), *hint(self, "models.try"), *hint(self, "models.edit"))
        return self._look()

    @work(group="models", exclusive=True, exit_on_error=False)
    async def _look(self) -> None:
        await self._show()
        self._here = await asyncio.to_thread(lambda: list(models_on_this_machine()))
        await self._show()

    async def _show(self) -> None:
        settings = (await self.workbench.opened_workspace()).settings

        def known() -> list[KnownModel]:
            named = (known_model(settings, name) for name in self._named)
            found = {(one.model, one.base_url): one for one in (*named, *self._here)}
            found |= {(one.model, one.base_url): one for one in configured_models(settings)}
            if all(name != GUIDED for name, _ in found):  # it is always there to go back to
                found[GUIDED, ""] = known_model(settings, GUIDED, origin="this machine")
            return list(found.values())

        self._known = await asyncio.to_thread(known)
        self._known.sort(key=lambda one: one.origin != "in force")
        self.listed.show(list(model_rows(self._known, self.room, self.workbench.marks)))

    @property
    def _chosen(self) -> KnownModel | None:
        chosen = self.listed.chosen
        return self._known[int(chosen)] if chosen else None

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """List another model."""
        if event.value.strip():
            self._add(event.value.strip())

    @work(group="choose", exclusive=True, exit_on_error=False)
    async def _add(self, name: str) -> None:
        from workbench.models.catalogue import parse_model_name

        try:
            model = str(parse_model_name(name))
        except WorkbenchError as error:
            self.say(str(error))
            return
        self._named.append(model)
        await self._show()
        self.query_one(Field).clear()
        rows = self.listed
        rows.cursor = next(place for place, one in enumerate(self._known) if one.model == model)
        rows.focus()

    def on_line_list_chosen(self) -> None:
        """Plan with the chosen one from now on."""
        if self._chosen is not None:
            self._use(self._chosen)

    @work(group="choose", exclusive=True, exit_on_error=False)
    async def _use(self, known: KnownModel) -> None:
        name, address = known.model, known.base_url

        def choose(workspace: Workspace) -> None:
            workspace.choose_model(name, address)
            self._keep({"model": name, "base_url": address})

        if await self._do(choose):
            self.say(f"{name} plans from now on, also in sessions that you open again, at {known.server}.", "")

    def action_edit(self) -> None:
        """Ask what is to hold for the chosen one."""
        known, workspace = self._chosen, self.workbench.workspace
        if known is None or workspace is None:
            return
        model = known.model

        def keep(values: Values) -> str:
            table = table_of(values["table"])
            workspace.check_model(model, table)
            workspace.set_model(model, table)
            self._keep({}, {model: table})
            return f"That holds for {model} from the next call on."

        lines = "\n".join(table_lines(workspace.settings.models.get(model, {})))
        form = Form(f"Settings of {model}", "", keep, (Box("table", "", lines, is_long=True),), verb="keep")
        self.app.push_screen(FormDialog(form), self._kept)

    async def _kept(self, said: str | None) -> None:
        if said:
            await self._show()
            self.say(said, "")

    async def _do(self, deed: Callable[[Workspace], None]) -> bool:
        """Do something in a thread, and show what is known then; else why it cannot be done."""
        workspace = await self.workbench.opened_workspace()
        try:
            await asyncio.to_thread(deed, workspace)
        except WorkbenchError as error:
            self.say(str(error))
            return False
        await self._show()
        return True

    def _keep(self, changes: Mapping[str, str], models: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        if self.workbench.user_config is not None:
            write_preferences(self.workbench.user_config, changes, models)

    def action_try(self) -> None:
        """Ask before one call."""
        if (known := self._chosen) is not None:
            about = f"It goes to {known.server}, with your key for it, and costs as much as some twenty tokens."
            question = f"Send one short question to {known.model}?"
            self.workbench.confirm(question, about, "send", lambda: self._try(known))

    @work(group="try", exclusive=True, exit_on_error=False)
    async def _try(self, known: KnownModel) -> None:
        self.say(f"Asking {known.server} …", DIM)
        workspace = await self.workbench.opened_workspace()
        try:
            tried = await asyncio.to_thread(workspace.try_model, known.model, known.base_url)
        except WorkbenchError as error:
            self.say(str(error))
        else:
            self.say(" ".join((tried.told, *tried.notes)), "")


def model_rows(known: Iterable[KnownModel], width: int, marks: Marks) -> Iterator[Row]:
    """Yield two lines for each model; the one in force has a mark."""
    for place, one in enumerate(known):
        is_current = one.origin == "in force"
        mark = text(f"{marks.done if is_current else ' '} ", DONE)
        name = text(clean_name(one.model, 200), "bold" if is_current else "")
        price = "free" if one.price == "free" else f"$ {one.price} per million"
        about = text(f"{clean_name(one.server, 200)} · window {one.size} · {price}", DIM)
        head = spread(joined(mark, name), text(one.origin, DIM), width)
        yield Row((cut(head, width), cut(joined("  ", about), width)), key=str(place))


def table_lines(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each setting of a model, as TOML; an empty one for what is not set."""
    for name in ModelSettings.__struct_fields__:
        value = table.get(name, "")
        shown = clean_name(value, 200) if isinstance(value, str) else str(value)
        yield f"{name} = {shown}".rstrip()


def table_of(written: str) -> dict[str, Any]:
    """Return the settings that lines say. Raises SettingsError for a line that is none."""
    table: dict[str, Any] = {}
    for line in filter(str.strip, written.splitlines()):
        name, sign, value = (part.strip() for part in line.partition("="))
        if not sign:
            raise SettingsError(f"{clean_name(line, 60)!r} sets nothing.", "Write a line like window = 32768.")
        if value:
            table[name] = _value(value)
    return table


def _value(written: str) -> object:
    """Return a number where one is written, else the text, with quotation marks or without."""
    try:
        value: object = read_toml(f"v = {written}")["v"]
    except ValueError:
        return written
    return value
