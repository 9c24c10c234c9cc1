"""The whole of a change to the shared context: who, when, by which rule, and every value it is about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from workbench.domain.errors import WorkbenchError
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.dialog import Dialog
from workbench.tui.lines import Row, text
from workbench.tui.sharing.shared_rows import whole_change
from workbench.tui.views import FAILED
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.shared_context import SharedContextManager


class SharedChangeDialog(Dialog[None]):
    """Shows a change; nothing is decided here."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter", "close", "close")]

    def __init__(self, event: ContextEvent, manager: Callable[[], SharedContextManager]) -> None:
        """Show a change; ``manager`` gives the shared context, in a thread, which knows what the change began from."""
        super().__init__()
        self._event = event
        self._manager = manager

    def compose(self) -> ComposeResult:
        """Return the change."""
        with Vertical(classes="dialog"):
            yield Static(text(clean_name(self._event.key) or "The sessions that take part", "bold"), markup=False)
            yield LineList(id="change", has_cursor=False)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show what is known, and look for the rest."""
        self.hint(("↑↓", "scroll"))
        self.query_one(LineList).focus()
        self._look_for_base()

    @work(group="base", exclusive=True)
    async def _look_for_base(self) -> None:
        try:
            base = await asyncio.to_thread(self._base)
        except WorkbenchError as error:
            self._show(ABSENT, str(error))
        else:
            self._show(base)

    def _base(self) -> Any:
        """Return the key's value in the version that the change began from. It may read the stream: for a thread."""
        event = self._event
        if event.rule in ("", "unchanged"):
            return ABSENT
        versions = (one for one in self._manager().events() if one.key == event.key)
        return next((one.value for one in versions if one.version == event.base_version), ABSENT)

    def _show(self, base: Any, trouble: str = "") -> None:
        rows = whole_change(self._event, base, self.room)
        if trouble:
            rows.append(Row((text(clean(trouble).replace("\n", " "), FAILED),)))
        self.query_one(LineList).show(rows)
