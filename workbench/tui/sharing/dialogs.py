"""What is done with the shared context: a value is shared, a file or task claimed and released, a change looked at.

key ─ Enter, Tab ─▶ looked up ─▶ the value as it is now, with its version ─ edited, Enter ─▶ set, from that version

A change starts from what this dialog has shown: a key that has a value is not set before that value was shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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
from workbench.tui.told import words_row
from workbench.tui.widgets.field import Field

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.shared_context import SharedContextManager


_Found = TypeVar("_Found")
_NOTHING_WRITTEN = 'There is nothing to share. Write "" for an empty text.'
_AS_IT_IS = "This is its value already. Change it, or leave with Esc."
_WAITS = "waiting …"
_WAITS_AFTER = 0.5  # seconds without an answer from which it is said that it is waited for
_MOST_QUOTED = 200  # characters of a value that are quoted beside another one


class _Shown(NamedTuple):
    """What was looked up."""

    key: str = ""
    version: int = 0
    value: str = ""
    """As it stands in the field; "" where the key has none."""


class ShareDialog(Dialog[None]):
    """Asks for a key and a value, and sets it; a refusal stands below the fields."""

    shape = "small"
    heading = "Share a value"
    about = "Every session of this workspace sees it. A value is JSON, or else a text."

    def __init__(self, session: str, manager: Callable[[], SharedContextManager]) -> None:
        """``session`` is who shares; ``manager`` gives the shared context, in a thread."""
        super().__init__()
        self._session, self._manager = session, manager
        self._shown = _Shown()

    def body(self) -> ComposeResult:
        """Return the fields."""
        yield Field(id="key", placeholder="a key, e.g. phase")
        yield Field(id="value", placeholder='its value, e.g. test or ["api.py", "db.py"]')

    def on_mount(self) -> None:
        """Begin with the key."""
        self.hint(("Enter", "go on"), ("Tab", "next field"))
        self.query_one("#key").focus()

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
        """Show the value that a key has now: in its field, or beside what was written there; False on an error."""
        found = await self._told(lambda: self._entry(key))
        if found is None:
            return False
        value = self.query_one("#value", Field)
        now = "" if found.value is ABSENT else _written(clean_json(found.value))
        if value.value == self._shown.value:
            value.value = now
            value.select_all()
        elif now:
            self.say(f"{key} is {shorten(now, _MOST_QUOTED)} now. Enter sets what you wrote.")
        self._shown = _Shown(key, found.version, now)
        self.hint(("Enter", "share it"), ("Tab", "next field"))
        return True

    def _entry(self, key: str) -> Entry:
        return self._manager().state().entry(clean_key(key))

    @work(group="share", exclusive=True)
    async def _set(self) -> None:
        key, value = (self.query_one(f"#{name}", Field).value for name in ("key", "value"))
        if key != self._shown.key and (not await self._show(key) or self._shown.value):
            return
        shown = self._shown
        if not value.strip() or value == shown.value:
            self.say(_AS_IT_IS if value.strip() else _NOTHING_WRITTEN)
            return
        done = await self._told(
            lambda: self._manager().update_context(self._session, key, read_value(value), shown.version)
        )
        if done is None:
            return
        if done.outcome == "refused":
            self.say(f"{done.why} {done.remedy}")
        else:
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
