"""The whole of a change to the shared context: who, when, by which rule, and every value it is about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.binding import Binding, BindingType

from workbench.domain.errors import WorkbenchError
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import ListDialog
from workbench.tui.marks import FAILED
from workbench.tui.sharing.shared_rows import whole_change
from workbench.tui.told import words_row

if TYPE_CHECKING:  # opened with the workspace
    from workbench.sharing.shared_context import SharedContextManager


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
