"""Isolation: which agent sees what of a session, and whether its prompts held only what they may.

events ─▶ matrix (thread) ─▶ table ─▶ audit (thread) ─▶ what it came to
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.tui.dialog import Dialog
from workbench.tui.keymap import hint
from workbench.tui.keys import bind
from workbench.tui.lines import Row, joined, text, wrapped
from workbench.tui.pauses import BESIDE
from workbench.tui.session.isolation import Matrix, columns_in, matrix_of, matrix_rows
from workbench.tui.session.looking_back import ReadEvents
from workbench.tui.views import DIM, DONE, FAILED, Marks
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from workbench.bootstrap import Workspace
    from workbench.replay.audit import Audit


def audited(workspace: Workspace | None, session: str, events: ReadEvents) -> Audit:
    """Return what an audit comes to; of a session that is in no workspace, by its own records alone. For a thread."""
    if workspace is None:
        from workbench.replay.audit import audit

        return audit(events())
    return workspace.session(session).audit()


class WideTable(LineList):
    """A table that may have more columns than there is room for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("left", "columns(-1)", "before", "isolation.before", "Show the columns before"),
        bind("right", "columns(1)", "after", "isolation.after", "Show the columns after"),
    ]

    @dataclass
    class ColumnsWanted(Message):
        """A person wants to see other columns."""

        by: int

    def action_columns(self, by: int) -> None:
        """Ask for the columns before, or those after."""
        self.post_message(self.ColumnsWanted(by))


class IsolationScreen(Dialog[None]):
    """Who sees what, and the audit's result."""

    has_help = True
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "close", "close", "isolation.close", "Go back to the session"),
    ]

    def __init__(self, session: str, events: ReadEvents, workspace: Workspace | None = None) -> None:
        """``events`` reads the session from its start, in a thread; ``workspace`` is where it is, if in any."""
        super().__init__()
        self._session = session
        self._workspace = workspace
        self._events = events
        self._matrix = Matrix((), ())
        self._first = 0
        self._progress = "Reading the session …"
        self._trouble = ""
        self._audited: Audit | None = None

    def compose(self) -> ComposeResult:
        """Return the table."""
        with Vertical(classes="dialog"):
            yield Static(text("Isolation: who sees what", "bold"), markup=False)
            yield WideTable(id="isolation", has_cursor=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin to read."""
        self.query_one(WideTable).focus()
        self._show()
        self._look()

    def on_resize(self) -> None:
        """Show as many columns as there is room for."""
        self.call_after_refresh(self._show)

    @work(group="isolation", exclusive=True)
    async def _look(self) -> None:
        try:
            self._matrix = await asyncio.to_thread(self._read)
            self._progress = "The prompts are being audited …"
            self._show()
            self._audited = await asyncio.to_thread(audited, self._workspace, self._session, self._events)
        except WorkbenchError as error:
            self._trouble = str(error)
        self._progress = ""
        self._show()

    def _read(self) -> Matrix:
        with BESIDE:
            return matrix_of(self._events())

    def _show(self) -> None:
        room = self.room
        self._first = max(min(self._first, len(self._matrix.agents) - columns_in(room)), 0)
        rows = matrix_rows(self._matrix, self._first, room, self.workbench.marks) if self._matrix.rows else []
        result = audit_rows(self._audited, self._progress, self._trouble, room, self.workbench.marks)
        self.query_one(WideTable).show([*rows, *result])
        others = [] if len(self._matrix.agents) <= columns_in(room) else self._column_hints()
        self.hint(*others)

    def _column_hints(self) -> list[tuple[str, str]]:
        return [*hint(self, "isolation.before", "columns before"), *hint(self, "isolation.after", "columns after")]

    def on_wide_table_columns_wanted(self, message: WideTable.ColumnsWanted) -> None:
        """Show the columns before, or those after."""
        self._first += message.by
        self._show()


def audit_rows(result: Audit | None, progress: str, trouble: str, width: int, marks: Marks) -> list[Row]:
    """Return what the audit came to, or how far it is."""
    title = Row((Content(), text("AUDIT", DIM)))
    if trouble:
        return [title, _told(marks.failed, FAILED, trouble, width)]
    if progress:
        return [title, Row((text(progress, DIM),))]
    if result is None:
        return []
    calls = f"{result.calls:,} {'call' if result.calls == 1 else 'calls'}"
    if result.ok:
        return [title, _told(marks.done, DONE, f"The prompts of {calls} held only what they may.", width)]
    count = len(result.violations)
    words = f"{count:,} {'thing breaks' if count == 1 else 'things break'} a rule, in the prompts of {calls}."
    return [
        title,
        _told(marks.failed, FAILED, words, width),
        *(_told(" ", "", f"{one.rule} · {one.event} · {one.detail}", width) for one in result.violations),
    ]


def _told(mark: str, style: str, words: str, width: int) -> Row:
    first, *more = wrapped(clean(words), max(width - 2, 8))
    return Row((joined(text(f"{mark} ", style), first), *(text(f"  {line}") for line in more)))
