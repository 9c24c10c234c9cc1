"""Isolation: which agent sees what of a session, and whether its prompts held only what they may.

events ─▶ matrix (thread) ─▶ table ─▶ audit (thread) ─▶ what it came to
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.tui.dialog import ListDialog
from workbench.tui.keymap import hint
from workbench.tui.keys import bind
from workbench.tui.lines import Row, hung, text
from workbench.tui.marks import DIM, DONE, FAILED, Marks
from workbench.tui.pauses import BESIDE
from workbench.tui.session.isolation import Matrix, columns_in, matrix_of, matrix_rows
from workbench.tui.session.looking_back import ReadEvents
from workbench.tui.told import counted
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
        bind("left", "screen.columns(-1)", "before", "isolation.before", "Show the columns before"),
        bind("right", "screen.columns(1)", "after", "isolation.after", "Show the columns after"),
    ]


class IsolationScreen(ListDialog[None]):
    """Who sees what, and the audit's result."""

    heading = "Isolation: who sees what"
    has_help = True
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "close", "close", "isolation.close", "Go back to the session"),
    ]

    def __init__(self, session: str, events: ReadEvents, workspace: Workspace | None = None) -> None:
        """``events`` reads the session from its start, in a thread; ``workspace`` is where it is, if in any."""
        super().__init__()
        self._session, self._events, self._workspace = session, events, workspace
        self._matrix = Matrix((), ())
        self._first = 0
        self._progress = "Reading the session …"
        self._trouble = ""
        self._audited: Audit | None = None

    def body(self) -> ComposeResult:
        """Return the table."""
        yield WideTable(id="isolation", has_cursor=False)

    def on_mount(self) -> None:
        """Begin to read."""
        self._look()

    @work(group="isolation", exclusive=True)
    async def _look(self) -> None:
        try:
            self._matrix = await asyncio.to_thread(self._read)
            self._progress = "The prompts are being audited …"
            self.lay_out()
            self._audited = await asyncio.to_thread(audited, self._workspace, self._session, self._events)
        except WorkbenchError as error:
            self._trouble = str(error)
        self._progress = ""
        self.lay_out()

    def _read(self) -> Matrix:
        with BESIDE:
            return matrix_of(self._events())

    def rows(self, width: int) -> list[Row]:
        """Return as many columns as there is room for, and what the audit came to."""
        columns = columns_in(width)
        self._first = max(min(self._first, len(self._matrix.agents) - columns), 0)
        has_more = len(self._matrix.agents) > columns
        others = (("isolation.before", "columns before"), ("isolation.after", "columns after")) if has_more else ()
        self.hint(*(one for name, words in others for one in hint(self, name, words)))
        rows = matrix_rows(self._matrix, self._first, width, self.workbench.marks) if self._matrix.rows else []
        return [*rows, *audit_rows(self._audited, self._progress, self._trouble, width, self.workbench.marks)]

    def action_columns(self, by: int) -> None:
        """Show the columns before, or those after."""
        self._first += by
        self.lay_out()


def audit_rows(result: Audit | None, progress: str, trouble: str, width: int, marks: Marks) -> list[Row]:
    """Return what the audit came to, or how far it is."""
    title = Row((Content(), text("AUDIT", DIM)))
    if trouble:
        return [title, _told(marks.failed, FAILED, trouble, width)]
    if progress:
        return [title, Row((text(progress, DIM),))]
    if result is None:
        return []
    calls = counted(result.calls, "call")
    if result.ok:
        return [title, _told(marks.done, DONE, f"The prompts of {calls} held only what they may.", width)]
    broken = f"{counted(len(result.violations), 'violation')} of a rule, in the prompts of {calls}."
    listed = (_told(" ", "", f"{one.rule} · {one.event} · {one.detail}", width) for one in result.violations)
    return [title, _told(marks.failed, FAILED, broken, width), *listed]


def _told(mark: str, style: str, words: str, width: int) -> Row:
    return Row(hung(text(f"{mark} ", style), clean(words), width))
