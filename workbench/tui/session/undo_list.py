"""What can be undone, the latest first: each change of the plan with what it did."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from workbench.domain.plan.history import told_in_order
from workbench.domain.session.state import PlanVersion
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import ListDialog
from workbench.tui.lines import Row, joined, spread, text
from workbench.tui.marks import DIM
from workbench.tui.told import local_time
from workbench.tui.widgets.line_list import LineList

_DATES = ("start", "end")
"""Fields that follow from others."""


class UndoListDialog(ListDialog[int]):
    """Ends with the version before the change that was chosen: all since then is undone."""

    heading = "Undo"
    about = "The chosen change and all that were made after it."

    def __init__(self, versions: Sequence[PlanVersion], to_undo: Collection[str], saved: int) -> None:
        """Show what can be undone, by its version; ``saved`` is the one that was saved last, 0 for none."""
        super().__init__()
        self._versions, self._to_undo, self._saved = tuple(versions), to_undo, saved

    def rows(self, width: int) -> list[Row]:
        """Return a row for each change that can be undone."""
        self.hint(("Enter", "undo to there"))
        plans = {one.version: one.plan for one in self._versions}
        rows = []
        for one in reversed([made for made in self._versions if str(made.version) in self._to_undo]):
            made = [change.operation for change in one.changes if getattr(change.operation, "field", "") not in _DATES]
            did = told_in_order(made, plans.get(one.version - 1, one.plan))
            more = f" · {len(did) - 1} more" if len(did) > 1 else ""
            words = clean_name(f"{did[0]}{more}" if did else "new dates", 300)
            note = " · before it was saved" if one.version <= self._saved else ""
            right = text(f"{clean_name(one.by)} {local_time(one.time)}{note}", DIM)
            line = spread(joined(text(f"v{one.version}  ", DIM), words), right, width)
            rows.append(Row((line,), key=str(one.version)))
        return rows

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """End with the version that stands then."""
        self.dismiss(int(message.key) - 1)
