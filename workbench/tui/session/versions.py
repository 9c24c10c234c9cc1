"""Versions of a plan, chosen from a list: two to compare, or one to undo to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual.binding import BindingType

from workbench.domain.plan.change import percent
from workbench.domain.plan.history import told_in_order
from workbench.domain.session.state import PlanVersion
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import ListDialog
from workbench.tui.keys import bind
from workbench.tui.lines import Row, cut, joined, spread, text
from workbench.tui.marks import DIM, FAILED
from workbench.tui.replay.difference_rows import WENT
from workbench.tui.told import local_day, local_time
from workbench.tui.widgets.line_list import LineList


class VersionsDialog(ListDialog[tuple[int, int]]):
    """Returns the numbers of two versions, the one that was chosen first in front; None where none were chosen."""

    heading = "Compare versions"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "close", "close", "versions.close", "Take the choice back, or go back")
    ]

    def __init__(self, versions: Sequence[PlanVersion]) -> None:
        super().__init__()
        self._versions = versions
        self._first = 0  # the version that was chosen; 0 for none

    def rows(self, width: int) -> list[Row]:
        """Return the versions, the newest first."""
        words = f"compare v{self._first} with it" if self._first else "choose the first of two"
        self.hint(("Enter", words), back="choose another" if self._first else "close")
        return [_row(one, width, is_first=one.version == self._first) for one in reversed(self._versions)]

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Choose a version; the second one ends it."""
        version = int(message.key)
        if self._first not in (0, version):
            self.dismiss((self._first, version))
            return
        self._first = 0 if self._first else version
        self.lay_out()

    def action_close(self) -> None:
        """Take the choice back; where there is none, go back."""
        if not self._first:
            self.dismiss()
            return
        self._first = 0
        self.lay_out()


def _row(one: PlanVersion, width: int, *, is_first: bool) -> Row:
    named = joined(text(WENT if is_first else "  ", FAILED), text(f"v{one.version}", "bold" if is_first else ""))
    changed = f"changed {percent(one.change)}" if one.version > 1 else "first draft"
    facts = text(f"  {changed} · by {clean_name(one.by)} · {local_day(one.time)}", DIM)
    return Row((cut(joined(named, facts), width),), key=str(one.version))


_DATES = ("start", "end")  # fields that follow from others


def undo_rows(versions: Sequence[PlanVersion], to_undo: Collection[str], saved: int, width: int) -> list[Row]:
    """Return a row for each change that can be undone, by the version before it: all since then goes.

    ``to_undo`` are the versions that can be; ``saved`` is the one that was saved last, 0 for none.
    """
    plans = {one.version: one.plan for one in versions}
    rows = []
    for one in reversed([made for made in versions if str(made.version) in to_undo]):
        made = [change.operation for change in one.changes if getattr(change.operation, "field", "") not in _DATES]
        did = told_in_order(made, plans.get(one.version - 1, one.plan))
        more = f" · {len(did) - 1} more" if len(did) > 1 else ""
        words = clean_name(f"{did[0]}{more}" if did else "new dates", 300)
        note = " · before it was saved" if one.version <= saved else ""
        right = text(f"{clean_name(one.by)} {local_time(one.time)}{note}", DIM)
        line = spread(joined(text(f"v{one.version}  ", DIM), words), right, width)
        rows.append(Row((line,), key=str(one.version - 1)))
    return rows
