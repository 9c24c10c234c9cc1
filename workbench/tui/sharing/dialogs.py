"""What is done with the shared context: a value is shared, a file or task claimed and released, a change looked at.

key ─▶ looked up ─▶ the value as it is, with its version ─ written, Enter ─▶ asked, Enter ─▶ set

A change starts from the version that was seen first. Where the key has a value that was not chosen for a change, or
another one by now, the dialog says what it is and who set it, and asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.shared.context import ContextEvent, Entry
from workbench.domain.shared.input import clean_key, read_value
from workbench.domain.shared.leases import MOST_OF_A_NAME, held_by
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean_json, clean_name, shorten
from workbench.tui.form import Box, Form, Values
from workbench.tui.lines import Row, hung, text
from workbench.tui.marks import DIM, FAILED
from workbench.tui.sharing.shared_rows import whole_change
from workbench.tui.told import local_time, words_row

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.shared_context import SharedContextManager


_MOST_QUOTED = 200  # characters of a value that are quoted beside another one


class Shown(NamedTuple):
    """A key as it was seen."""

    key: str = ""
    version: int = 0
    value: str = ""
    """As it is in the field; "" if the key has none."""

    @classmethod
    def from_value(cls, key: str, value: Any, version: int) -> Shown:
        """Return a key with its value as it is in a field."""
        return cls(key, version, "" if value is ABSENT else _written(clean_json(value)))


def share_form(
    session: str,
    manager: Callable[[], SharedContextManager],
    names: Mapping[str, str],
    chosen: Shown | None = None,
) -> Form:
    """Return the form that sets a key which every session sees, as ``session``; ``chosen`` is a value to be changed.

    ``manager`` gives the shared context, in the form's thread; ``names`` are what sessions are called, by their ids.
    """
    seen = {chosen.key: chosen.version} if chosen is not None else {}
    known = dict(seen)  # versions that the person knows theirs to replace

    def standing(key: str, now: Entry) -> str:
        who = "this session" if now.session == session else names.get(now.session) or now.session
        is_there = now.value is not ABSENT
        stands = (
            f"is {shorten(Shown.from_value(key, now.value, 0).value, _MOST_QUOTED)}, set" if is_there else "was deleted"
        )
        at = f" at {time}" if (time := local_time(now.time)) else ""
        return f"{clean_name(key)} {stands} by {clean_name(who, 60)}{at}."

    def share(values: Values) -> str:
        key, written = clean_key(values["key"]), values["value"]
        if not written:
            raise UsageError("There is nothing to share.", 'Write "" for an empty text.')
        value, now = read_value(written), manager().state().entry(key)
        if written == Shown.from_value(key, now.value, 0).value:
            raise UsageError("This is its value already.", "Change it, or leave with Esc.")
        since = seen.setdefault(key, now.version)
        if now.version != known.get(key, 0) and (now.value is not ABSENT or now.version != since):
            known[key] = now.version
            raise UsageError(standing(key, now), "Enter again sets yours.")
        done = manager().update_context(session, key, value, since)
        if done.outcome == "refused":
            raise UsageError(done.why, done.remedy)
        return f"Shared: {key}."

    now = chosen or Shown()
    boxes = (
        Box("key", "a key, e.g. phase", now.key),
        Box("value", 'its value, e.g. test or ["api.py", "db.py"]', now.value, is_needed=True, begins=bool(now.key)),
    )
    about = "Every session of this workspace sees it. A value is JSON, or else a text."
    return Form("Share a value", about, share, boxes, verb="share it")


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
_NOTHING = "This session has claimed nothing. F9 claims a file or a task."


def claim_form(session: str, manager: Manager, file_to_claim: Callable[[str], str]) -> Form:
    """Return the form for what is claimed for a session: a file, or a task; what somebody else has is waited for.

    ``manager`` gives the shared context, and ``file_to_claim`` a file's path in the project, or raises UsageError.
    """
    refused: list[Values] = []

    def claim(values: Values) -> str:
        if values["file"] and values["task"]:
            raise UsageError("Claim a file and a task one after the other.", "Empty one of the fields.")
        kind, name = ("file", file_to_claim(values["file"])) if values["file"] else ("task", values["task"])
        done = manager().claim(session, kind, name, queue=values in refused)
        if done.outcome != "refused":
            return f"Claimed: {name}."
        refused[:] = [values] if done.holder else []
        raise UsageError(f"Refused: {done.why}", "Enter again waits for it." if done.holder else done.remedy)

    boxes = (Box("file", "a file, e.g. src/db.py"), Box("task", "or a task, e.g. move the invoices"))
    about = "Other sessions see that this one has it, and leave it alone until it is released."
    return Form("Claim a file or a task", about, claim, boxes, verb="claim")


def claimed_rows(session: str, manager: Manager, width: int) -> list[Row]:
    """Return what a session has claimed, by its key. It may read the stream: for a thread."""
    held = held_by(manager().state().leases, session)
    rows = [
        Row(hung(text(f"{one.kind:<{_KIND}}", DIM), clean_name(one.name, MOST_OF_A_NAME), width - 3), key=one.key)
        for one in held
    ]
    return rows or [words_row(_NOTHING, width)]


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
