"""What can be undone, the latest first: each change of the plan with what it did."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from workbench.domain.plan.history import told_in_order
from workbench.domain.session.state import PlanVersion
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import Dialog
from workbench.tui.lines import Row, joined, spread, text
from workbench.tui.views import DIM, local_time
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList


class UndoListDialog(Dialog[int]):
    """Ends with the version before the change that was chosen: all since then is undone."""

    def __init__(self, versions: Sequence[PlanVersion], to_undo: Collection[str], saved: int) -> None:
        """Show what can be undone, by its version; ``saved`` is the one that was saved last, 0 for none."""
        super().__init__()
        self._versions, self._to_undo, self._saved = tuple(versions), to_undo, saved

    def compose(self) -> ComposeResult:
        """Return the changes."""
        with Vertical(classes="dialog"):
            yield Static(text("Undo", "bold"), markup=False)
            yield Static(text("The chosen change and all that were made after it.", DIM), markup=False)
            yield LineList(id="changes", mark=self.workbench.marks.here)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show the changes, the latest first."""
        self.query_one(LineList).focus()
        self._show()
        self.hint(("Enter", "undo to there"))

    def on_resize(self) -> None:
        """Break the rows anew."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self.query_one(LineList).show(undo_rows(self._versions, self._to_undo, self._saved, self.room))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """End with the version that stands then."""
        self.dismiss(int(message.key) - 1)


def undo_rows(versions: Sequence[PlanVersion], to_undo: Collection[str], saved: int, width: int) -> list[Row]:
    """Return a row for each change that can be undone."""
    plans = {one.version: one.plan for one in versions}
    rows = []
    for one in reversed([made for made in versions if str(made.version) in to_undo]):
        operations = [
            change.operation for change in one.changes if getattr(change.operation, "field", "") not in _DATES
        ]
        did = told_in_order(operations, plans.get(one.version - 1, one.plan))
        more = f" · {len(did) - 1} more" if len(did) > 1 else ""
        words = clean_name(f"{did[0]}{more}" if did else "new dates", 300)
        note = " · before it was saved" if one.version <= saved else ""
        right = text(f"{clean_name(one.by)} {local_time(one.time)}{note}", DIM)
        line = joined(text(f"v{one.version}  ", DIM), words)
        rows.append(Row((spread(line, right, width),), key=str(one.version)))
    return rows


_DATES = ("start", "end")
"""Fields that follow from others."""
