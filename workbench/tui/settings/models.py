"""Models: which one plans, what is set for each, and one call to try it, after the person has said yes.

list ─ Enter ─▶ plan with it      list ─ t ─▶ host and question, yes or no ─▶ what it took, in a sentence
     └ e ─▶ its settings, a line each ─▶ the person's own file
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key
from textual.widgets import Input

from workbench.bootstrap.known_models import KnownModel, configured_models, known_model, models_on_this_machine
from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean_name
from workbench.models.catalogue import GUIDED, PROVIDERS, parse_model_name
from workbench.models.keyring import has_keyring, keep_key, stored_key
from workbench.tui.dialog import ListDialog, confirm
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


_WORDS = {
    "base_url": "server",
    "key": "variable with the key",
    "window": "window, in tokens",
    "output_limit": "longest answer, in tokens",
    "first": "seconds to the first word",
    "idle": "seconds between words",
    "effort": "reasoning",
    "input_price": "$ per million tokens read",
    "output_price": "$ per million tokens written",
}
"""What is set for one model (``models/own_settings.py``), in words."""
_EXAMPLES = {"window": "the server is asked", "first": "600", "idle": "120", "effort": "low, medium or high"}


class ModelList(LineList):
    """Models to choose from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("t", "screen.try", "try it", "models.try", "Send one short question, once you have said yes"),
        bind("e", "screen.edit", "its settings", "models.edit", "Server, key, window, limits, prices"),
    ]

    def on_key(self, event: Key) -> None:
        """Begin a name with a letter that means nothing else here: nothing of it acts as a key."""
        if event.character and event.is_printable and event.key not in self.screen.active_bindings:
            event.stop()
            field = self.screen.query_one(Field)
            field.select_on_focus = False  # the letter is before the focus is told
            self.screen.set_focus(field)
            field.insert_text_at_cursor(event.character)


class ModelsDialog(ListDialog[None]):
    """The models that can be named. Nothing is sent to any other machine before the person says so."""

    heading = "Models"
    about = "What is set, and what answers here. Nothing is sent before you say so."
    has_help = True

    def __init__(self) -> None:
        super().__init__()
        self._named: list[str] = []  # models that the person named here
        self._here: list[KnownModel] = []  # models of servers on this machine
        self._known: list[KnownModel] = []

    def body(self) -> ComposeResult:
        """Return the list, and a field for another one."""
        yield ModelList(id="models", mark=self.workbench.marks.here)
        yield Field(id="name", placeholder="another one: openai:, anthropic:, google: or local:NAME")

    def lay_out(self) -> object:
        """Show what is set, and then what answers on this machine."""
        self.on_descendant_focus()
        return self._look()

    def on_descendant_focus(self) -> None:
        """Name the keys that act where the focus is: in the field, letters are text."""
        if self.query_one(Field).has_focus:
            self.hint(("Enter", "list it"), ("Tab", "to the models"))
        else:
            self.hint(("Enter", "plan with it"), *hint(self, "models.try"), *hint(self, "models.edit"))

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
            found |= {(model.model, model.base_url): model for model in configured_models(settings)}
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
        if known.model == GUIDED:
            self.say("The offline planner needs no settings: it runs in this process.", DIM)
            return
        model, now = known.model, workspace.settings.models.get(known.model, {})
        provider = PROVIDERS.get(parse_model_name(model).provider)
        usual = provider.keys[:1] if provider is not None else ()

        def keep(values: Values) -> str:
            table = {name: _value(value) for name, value in values.items() if value and name != "secret"}
            workspace.check_model(model, table)
            if secret := values.get("secret"):
                keep_key(str(table.get("key") or usual[0]), secret)
            workspace.set_model(model, table)
            self._keep({}, {model: table})
            return f"That holds for {model} from the next call on."

        examples = {**_EXAMPLES, "base_url": known.server, "key": "".join(usual)}
        boxes = [
            Box(name, words, str(now.get(name, "")), is_named=True, example=examples.get(name, ""))
            for name, words in _WORDS.items()
        ]
        if has_keyring() and usual:
            secret = "kept in the system's keyring" if stored_key(str(now.get("key") or usual[0])) else ""
            boxes.append(Box("secret", "key, for the system's keyring", is_named=True, example=secret, is_secret=True))
        form = Form(f"Settings of {model}", "Empty: as the provider has it.", keep, tuple(boxes), verb="keep")
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
            confirm(self.workbench, question, about, "send", lambda: self._try(known))

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
        price = "free" if one.price == "free" else f"$ {one.price} per million tokens"
        facts = (f"window {one.size}", price) if one.model != GUIDED else (price,)
        known_facts = [fact for fact in facts if "–" not in fact]  # what nobody knows is not told
        server = "in this process" if one.model == GUIDED else clean_name(one.server, 200)
        about = text(" · ".join((server, *known_facts)), DIM)
        head = spread(joined(mark, name), text(one.origin, DIM), width)
        yield Row((cut(head, width), cut(joined("  ", about), width)), key=str(place))


def _value(written: str) -> object:
    """Return a number if one is written, else the text."""
    with suppress(ValueError):
        return int(written.replace(",", ""))
    with suppress(ValueError):
        return float(written)
    return written
