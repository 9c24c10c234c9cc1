"""Two versions of a plan to compare, chosen one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from workbench.domain.plan.change import percent
from workbench.domain.session.state import PlanVersion
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import Dialog
from workbench.tui.keys import bind
from workbench.tui.lines import Row, joined, spread, text
from workbench.tui.replay.difference_rows import WENT
from workbench.tui.views import DIM, FAILED, local_day
from workbench.tui.widgets.bars import Hints
from workbench.tui.widgets.line_list import LineList


class VersionsDialog(Dialog[tuple[int, int]]):
    """Returns the numbers of two versions, the one that was chosen first in front; None where none were chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "close", "close", "versions.close", "Take the choice back, or go back")
    ]

    def __init__(self, versions: Sequence[PlanVersion]) -> None:
        super().__init__()
        self._versions = versions
        self._first = 0
        """The version that was chosen; 0 for none."""

    def compose(self) -> ComposeResult:
        """Return the versions."""
        with Vertical(classes="dialog"):
            yield Static(text("Compare versions", "bold"), markup=False)
            yield LineList(id="versions", mark=self.workbench.marks.here)
            yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Show the versions, the newest first."""
        self.query_one(LineList).focus()
        self._show()

    def on_resize(self) -> None:
        """Break the rows anew."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        rows = [_row(one, self.room, is_first=one.version == self._first) for one in reversed(self._versions)]
        self.query_one(LineList).show(rows)
        words = f"compare v{self._first} with it" if self._first else "choose the first of two"
        back = "choose another" if self._first else "close"
        self.hint(("Enter", words), back=back)

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Choose a version; the second one ends it."""
        version = int(message.key)
        if self._first not in (0, version):
            self.dismiss((self._first, version))
            return
        self._first = 0 if self._first else version
        self._show()

    def action_close(self) -> None:
        """Take the choice back; where there is none, go back."""
        if not self._first:
            self.dismiss()
            return
        self._first = 0
        self._show()


def _row(one: PlanVersion, width: int, *, is_first: bool) -> Row:
    named = joined(text(WENT if is_first else "  ", FAILED), text(f"v{one.version}", "bold" if is_first else ""))
    changed = f"changed {percent(one.change)}" if one.version > 1 else "first draft"
    facts = text(f"  {changed} · by {clean_name(one.by)} · {local_day(one.time)}", DIM)
    return Row((spread(joined(named, facts), text(""), width),), key=str(one.version))
