"""Claiming a file or a task for a session, so that others leave it alone, and giving it back.

Enter ─▶ claiming … ─ granted ─▶ closed; the live pane and the list of sessions show it
                      └ refused ─▶ who has it; Enter again waits for it
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.shared.leases import MOST_OF_A_NAME, Lease, held_by
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import Dialog
from workbench.tui.lines import Row, joined, text, wrapped
from workbench.tui.views import DIM
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.field import Field
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.outcome import Claim
    from workbench.sharing.shared_context import SharedContextManager

_Answer = TypeVar("_Answer")
_NOTHING = "It has claimed nothing. F9 claims a file or a task."
_LEFT_ALONE = "Other sessions see that this one has it, and leave it alone until it is released."
_CLAIMING, _LOOKING, _RELEASING = "claiming …", "looking …", "releasing …"
_BOTH = "A file and a task are claimed one after the other. Empty one of the fields."


class _OfClaims(Dialog[None]):
    """What both dialogs share: a session, its part of the shared context, and where a refusal stands."""

    def __init__(self, session: str, manager: Callable[[], SharedContextManager]) -> None:
        """``session`` is whose claims these are; ``manager`` gives the shared context, in a thread."""
        super().__init__()
        self._session = session
        self._manager = manager

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


class ClaimDialog(_OfClaims):
    """Asks what is claimed: a file, or a task."""

    def __init__(
        self, session: str, manager: Callable[[], SharedContextManager], file_to_claim: Callable[[str], str]
    ) -> None:
        """``file_to_claim`` gives a file's path in the project, in a thread, or raises UsageError."""
        super().__init__(session, manager)
        self._file_to_claim = file_to_claim
        self._refused: tuple[str, str] | None = None
        """What somebody else has: the same again waits for it."""

    def compose(self) -> ComposeResult:
        """Return the fields."""
        with Vertical(classes="dialog small"):
            yield Static(text("Claim a file or a task", "bold"), markup=False)
            yield Static(text(_LEFT_ALONE, DIM), markup=False)
            yield Field(id="file", placeholder="a file, e.g. src/db.py")
            yield Static(text("or", DIM), markup=False)
            yield Field(id="task", placeholder="a task, e.g. move the invoices")
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin with the file."""
        self.hint(("Enter", "claim"), ("Tab", "next field"))
        self.query_one("#file").focus()

    def on_input_submitted(self) -> None:
        """Claim what was written; what was refused just now is waited for."""
        self._claim()

    @work(group="claim", exclusive=True)
    async def _claim(self) -> None:
        file, task = (self.query_one(f"#{kind}", Field).value.strip() for kind in ("file", "task"))
        if file and task:
            self.say(_BOTH)
            return
        wanted = ("file", file) if file else ("task", task)
        done = await self._answered(lambda: self._claimed(*wanted, queue=wanted == self._refused), _CLAIMING)
        if done is None:
            return
        if done.outcome != "refused":
            self.dismiss()
        elif done.holder:
            self._refused = wanted
            self.say(f"Refused: {done.why}")
            self.hint(("Enter", "wait for it"))
        else:
            self.say(f"Refused: {done.why} {done.remedy}")

    def _claimed(self, kind: str, name: str, *, queue: bool) -> Claim:
        named = self._file_to_claim(name) if kind == "file" else name
        return self._manager().claim(self._session, kind, named, queue=queue)


class ReleaseDialog(_OfClaims):
    """Lists what a session has claimed; Enter gives the chosen one back."""

    def __init__(self, session: str, manager: Callable[[], SharedContextManager]) -> None:
        super().__init__(session, manager)
        self._held: dict[str, Lease] = {}

    def compose(self) -> ComposeResult:
        """Return the list."""
        with Vertical(classes="dialog small"):
            yield Static(text("Release what this session has claimed", "bold"), markup=False)
            yield LineList(id="held", mark=self.workbench.marks.here)
            yield Static(id="problem", markup=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Look what there is."""
        self.hint()
        self.query_one(LineList).focus()
        self._look()

    @work(group="claim", exclusive=True)
    async def _look(self) -> None:
        held = await self._answered(lambda: list(held_by(self._manager().state().leases, self._session)), _LOOKING)
        if held is None:
            return
        self._held = {one.key: one for one in held}
        listed = self.query_one(LineList)
        listed.show([_row(one, listed.room) for one in held] or [Row((text(_NOTHING, DIM),))])
        self.hint(*([("Enter", "release")] if held else []))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Give the chosen one back."""
        message.stop()
        self._release(self._held[message.key])

    @work(group="claim", exclusive=True)
    async def _release(self, lease: Lease) -> None:
        done = await self._answered(lambda: self._manager().release(self._session, lease.kind, lease.name), _RELEASING)
        if done is None:
            return
        if done.outcome == "refused":
            self.say(f"Refused: {done.why} {done.remedy}")
        else:
            self.dismiss()


def _row(lease: Lease, width: int) -> Row:
    lines = wrapped(clean_name(lease.name, MOST_OF_A_NAME), max(width - _KIND, 8))
    kinds = (f"{lease.kind:<{_KIND}}", *(" " * _KIND for _ in lines[1:]))
    return Row(
        tuple(joined(text(kind, DIM), text(line)) for kind, line in zip(kinds, lines, strict=True)), key=lease.key
    )


_KIND = 6
"""Cells before a name."""
