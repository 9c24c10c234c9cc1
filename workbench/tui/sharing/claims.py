"""Claiming a file or a task for a session, so that others leave it alone, and giving it back.

Enter ─▶ claiming … ─ granted ─▶ closed; the live pane and the list of sessions show it
                      └ refused ─▶ who has it; Enter again waits for it
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual import work

from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.shared.leases import MOST_OF_A_NAME, Lease, held_by
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import ListDialog
from workbench.tui.form import Box, Form, Values
from workbench.tui.lines import Row, hung, text
from workbench.tui.marks import DIM
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.shared_context import SharedContextManager

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
            self.listed.show([_row(one, self.listed.room) for one in held] or [Row((text(_NOTHING, DIM),))])
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


_KIND = 6
"""Cells before a name."""
