"""What is done with the shared context: a value is shared, a file or task claimed and released, a change looked at.

key ─ Enter, Tab ─▶ looked up ─▶ the value as it is now, with its version ─ edited, Enter ─▶ set, from that version

A change starts from what this dialog has shown: a key that has a value is not set before that value was shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.shared.context import ContextEvent, Entry
from workbench.domain.shared.input import clean_key, read_value
from workbench.domain.shared.leases import MOST_OF_A_NAME, Lease, held_by
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean_json, clean_name, shorten
from workbench.tui.dialog import Dialog, ListDialog
from workbench.tui.form import Box, Form, Values
from workbench.tui.lines import Row, hung, text
from workbench.tui.marks import DIM, FAILED
from workbench.tui.sharing.shared_rows import whole_change
from workbench.tui.told import words_row
from workbench.tui.widgets.field import Field
from workbench.tui.widgets.line_list import LineList

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
_Answer = TypeVar("_Answer")
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


class ReleaseDialog(ListDialog[None]):
    """Lists what a session has claimed; Enter gives the chosen one back."""

    shape = "small"
    heading = "Release what this session has claimed"

    def __init__(self, session: str, manager: Manager) -> None:
        """``session`` is whose claims these are; ``manager`` gives the shared context, in a thread."""
        super().__init__()
        self._session, self._manager = session, manager
        self._held: dict[str, Lease] = {}

    @work(group="claim", exclusive=True)
    async def lay_out(self) -> None:
        """Look what there is, in a thread."""
        self.hint()
        held = await self._answered(lambda: list(held_by(self._manager().state().leases, self._session)), "looking …")
        if held is not None:
            self._held = {one.key: one for one in held}
            self.listed.show([_row(one, self.room - 3) for one in held] or [Row((text(_NOTHING, DIM),))])
            self.hint(*([("Enter", "release")] if held else []))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Give the chosen one back."""
        message.stop()
        self._release(self._held[message.key])

    @work(group="claim", exclusive=True)
    async def _release(self, lease: Lease) -> None:
        done = await self._answered(
            lambda: self._manager().release(self._session, lease.kind, lease.name), "releasing …"
        )
        if done is not None and done.outcome == "refused":
            self.say(f"Refused: {done.why} {done.remedy}")
        elif done is not None:
            self.dismiss()

    async def _answered(self, ask: Callable[[], _Answer], meanwhile: str) -> _Answer | None:
        """Return what a thread is answered, and say meanwhile what it does; None where an error was met, and shown."""
        self.say(meanwhile, DIM)
        try:
            answer = await asyncio.to_thread(ask)
        except WorkbenchError as error:
            self.say(str(error))
            return None
        self.say("")
        return answer


def _row(lease: Lease, width: int) -> Row:
    kind = text(f"{lease.kind:<{_KIND}}", DIM)
    return Row(hung(kind, clean_name(lease.name, MOST_OF_A_NAME), width), key=lease.key)


_KIND = 6  # cells before a name


class SharedChangeDialog(ListDialog[None]):
    """Shows a change; nothing is decided here."""

    has_cursor = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "close", "close")]

    def __init__(self, event: ContextEvent, manager: Callable[[], SharedContextManager]) -> None:
        """Show a change; ``manager`` gives the shared context, in a thread, which knows what the change began from."""
        super().__init__()
        self._event, self._manager = event, manager
        self.heading = clean_name(event.key) or "The sessions that take part"

    @work(group="base", exclusive=True)
    async def lay_out(self) -> None:
        """Look for what the change began from, and show all."""
        self.hint(("↑↓", "scroll"))
        base, trouble = ABSENT, ""
        try:
            base = await asyncio.to_thread(self._base)
        except WorkbenchError as error:
            trouble = str(error)
        rows = whole_change(self._event, base, self.room)
        self.listed.show([*rows, words_row(trouble, self.room, FAILED)] if trouble else rows)

    def _base(self) -> Any:
        """Return the key's value in the version that the change began from. It may read the stream: for a thread."""
        event = self._event
        if event.rule in ("", "unchanged"):
            return ABSENT
        versions = (one for one in self._manager().events() if one.key == event.key)
        return next((one.value for one in versions if one.version == event.base_version), ABSENT)
