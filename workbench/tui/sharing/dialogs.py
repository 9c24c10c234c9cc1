"""What is done with the shared context: a value is shared, a file or task claimed and released, a change looked at.

key ─ Enter, Tab ─▶ looked up ─▶ the value as it is, with its version ─ edited, Enter ─▶ asked, Enter ─▶ set

A change starts from the version that was seen first. Where the key has a value that was not chosen for a change, or
another one by now, the dialog says what it is and who set it, and asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.widgets import Input

from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.shared.context import ContextEvent, Entry
from workbench.domain.shared.input import clean_key, read_value
from workbench.domain.shared.leases import MOST_OF_A_NAME, held_by
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean_json, clean_name, shorten
from workbench.tui.dialog import Dialog
from workbench.tui.form import Box, Form, Values
from workbench.tui.lines import Row, hung, text
from workbench.tui.marks import DIM, FAILED
from workbench.tui.sharing.shared_rows import whole_change
from workbench.tui.told import local_time, words_row
from workbench.tui.widgets.field import Field

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.shared_context import SharedContextManager


_Found = TypeVar("_Found")
_NOTHING_WRITTEN = 'There is nothing to share. Write "" for an empty text.'
_AS_IT_IS = "This is its value already. Change it, or leave with Esc."
_WAITS = "waiting …"
_WAITS_AFTER = 0.5  # seconds without an answer from which it is said that it is waited for
_MOST_QUOTED = 200  # characters of a value that are quoted beside another one


class Shown(NamedTuple):
    """A key as it was seen."""

    key: str = ""
    version: int = 0
    value: str = ""
    """As it stands in the field; "" where the key has none."""

    @classmethod
    def of(cls, key: str, value: Any, version: int) -> Shown:
        """Return a key with its value as it stands in a field."""
        return cls(key, version, "" if value is ABSENT else _written(clean_json(value)))


class ShareDialog(Dialog[None]):
    """Asks for a key and a value, and sets it; a refusal stands below the fields."""

    shape = "small"
    heading = "Share a value"
    about = "Every session of this workspace sees it. A value is JSON, or else a text."

    def __init__(
        self,
        session: str,
        manager: Callable[[], SharedContextManager],
        names: Mapping[str, str] | None = None,
        chosen: Shown | None = None,
    ) -> None:
        """``session`` is who shares; ``manager`` gives the shared context, in a thread.

        ``names`` are what sessions are called, by their ids; ``chosen`` is the value that is to be changed.
        """
        super().__init__()
        self._session, self._manager, self._names = session, manager, names or {}
        self._chosen = chosen
        self._shown = chosen or Shown()
        self._asked = (self._shown.key, self._shown.version)  # which value the person knows that theirs replaces

    def body(self) -> ComposeResult:
        """Return the fields."""
        yield Field(id="key", placeholder="a key, e.g. phase")
        yield Field(id="value", placeholder='its value, e.g. test or ["api.py", "db.py"]')

    def on_mount(self) -> None:
        """Begin with the key; with the value of one that was chosen."""
        self.hint(("Enter", "go on"), ("Tab", "next field"))
        if self._chosen is None:
            self.query_one("#key").focus()
            return
        value = self.query_one("#value", Field)
        self.query_one("#key", Field).value, value.value = self._chosen.key, self._chosen.value
        value.focus()
        value.select_all()
        self.hint(("Enter", "share it"), ("Tab", "next field"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Set the value; say why what stands in the field above is no key."""
        if event.input.id == "value":
            self._set()
            return
        try:
            clean_key(event.value)
        except UsageError as error:
            self.say(str(error))
        else:
            self.query_one("#value").focus()

    def on_input_blurred(self, event: Input.Blurred) -> None:
        """Look the key up that was left."""
        if event.input.id == "key" and event.value and event.value != self._shown.key:
            self._look_up()

    @work(group="share", exclusive=True)
    async def _look_up(self) -> None:
        await self._show(self.query_one("#key", Field).value)

    async def _show(self, key: str) -> bool:
        """Show the value that a key has now: in its field, and who set it below; False on an error."""
        found = await self._told(lambda: self._entry(key))
        if found is None:
            return False
        value, shown = self.query_one("#value", Field), Shown.of(key, found.value, found.version)
        if value.value == self._shown.value:
            value.value = shown.value
            value.select_all()
        self._shown = shown
        if shown.value:
            self.say(self._standing(key, found), DIM)
        self.hint(("Enter", "share it"), ("Tab", "next field"))
        return True

    def _entry(self, key: str) -> Entry:
        return self._manager().state().entry(clean_key(key))

    def _standing(self, key: str, now: Entry) -> str:
        who = "this session" if now.session == self._session else self._names.get(now.session) or now.session
        is_there = now.value is not ABSENT
        stands = f"is {shorten(Shown.of(key, now.value, 0).value, _MOST_QUOTED)}, set" if is_there else "was deleted"
        at = f" at {time}" if (time := local_time(now.time)) else ""
        return f"{clean_name(key)} {stands} by {clean_name(who, 60)}{at}."

    @work(group="share", exclusive=True)
    async def _set(self) -> None:
        key, value = (self.query_one(f"#{name}", Field).value for name in ("key", "value"))
        if key != self._shown.key and not await self._show(key):
            return

        def met() -> Entry:
            read_value(value)
            return self._entry(key)

        shown, now = self._shown, await self._told(met)
        if now is None:
            return
        if not value.strip():
            self.say(_NOTHING_WRITTEN)
        elif value == Shown.of(key, now.value, 0).value:
            self.say(_AS_IT_IS)
        elif (key, now.version) != self._asked and (now.value is not ABSENT or now.version != shown.version):
            self._asked = (key, now.version)
            self.say(f"{self._standing(key, now)} Enter again sets yours.")
        else:
            await self._change(key, value, shown.version)

    async def _change(self, key: str, value: str, since: int) -> None:
        done = await self._told(lambda: self._manager().update_context(self._session, key, read_value(value), since))
        if done is not None and done.outcome == "refused":
            self.say(f"{done.why} {done.remedy}")
        elif done is not None:
            self.dismiss()

    async def _told(self, look: Callable[[], _Found]) -> _Found | None:
        """Return what was found in a thread; None where an error was met, which is shown, as is a long wait."""
        self.say("")
        waiting = self.set_timer(_WAITS_AFTER, lambda: self.say(_WAITS, DIM))
        try:
            found = await asyncio.to_thread(look)
        except WorkbenchError as error:
            self.say(str(error))
            return None
        else:
            self.say("")
            return found
        finally:
            waiting.stop()


def _written(value: Any) -> str:
    """Return a value as it can be edited on a line, and read again."""
    if isinstance(value, str) and value and "\n" not in value and _is_read_as_it_is(value):
        return value
    return msgspec.json.encode(value).decode()


def _is_read_as_it_is(given: str) -> bool:
    try:
        return bool(read_value(given) == given)
    except UsageError:
        return False


Manager = Callable[[], "SharedContextManager"]
_NOTHING = "It has claimed nothing. F9 claims a file or a task."


def claim_form(session: str, manager: Manager, file_to_claim: Callable[[str], str]) -> Form:
    """Return the form for what is claimed for a session: a file, or a task; what somebody else has is waited for.

    ``manager`` gives the shared context, and ``file_to_claim`` a file's path in the project, or raises UsageError.
    """
    refused: list[Values] = []

    def claim(values: Values) -> str:
        if values["file"] and values["task"]:
            raise UsageError("A file and a task are claimed one after the other.", "Empty one of the fields.")
        kind, name = ("file", file_to_claim(values["file"])) if values["file"] else ("task", values["task"])
        done = manager().claim(session, kind, name, queue=values in refused)
        if done.outcome != "refused":
            return f"Claimed: {name}."
        refused[:] = [values] if done.holder else []
        raise UsageError(f"Refused: {done.why}", "Enter again waits for it." if done.holder else done.remedy)

    boxes = (Box("file", "a file, e.g. src/db.py"), Box("task", "or a task, e.g. move the invoices"))
    about = "Other sessions see that this one has it, and leave it alone until it is released."
    return Form("Claim a file or a task", about, claim, boxes, verb="claim", meanwhile="claiming …")


def claimed_rows(session: str, manager: Manager, width: int) -> list[Row]:
    """Return what a session has claimed, by its key. It may read the stream: for a thread."""
    held = held_by(manager().state().leases, session)
    rows = [
        Row(hung(text(f"{one.kind:<{_KIND}}", DIM), clean_name(one.name, MOST_OF_A_NAME), width - 3), key=one.key)
        for one in held
    ]
    return rows or [Row((text(_NOTHING, DIM),))]


_KIND = 6  # cells before a name


def shared_change_rows(event: ContextEvent, manager: Manager, width: int) -> list[Row]:
    """Return the whole of a change, with the value that it began from. It may read the stream: for a thread."""
    base, trouble = ABSENT, ""
    try:
        versions = () if event.rule in ("", "unchanged") else manager().events()
        base = next(
            (one.value for one in versions if (one.key, one.version) == (event.key, event.base_version)), ABSENT
        )
    except WorkbenchError as error:
        trouble = str(error)
    rows = whole_change(event, base, width)
    return [*rows, words_row(trouble, width, FAILED)] if trouble else rows
