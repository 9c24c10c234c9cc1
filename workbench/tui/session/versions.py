"""Two versions of a plan to compare, chosen one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from workbench.domain.plan.change import percent
from workbench.domain.session.state import PlanVersion
from workbench.domain.text.cleaning import clean_name
from workbench.tui.dialog import ListDialog
from workbench.tui.keys import bind
from workbench.tui.lines import Row, cut, joined, text
from workbench.tui.marks import DIM, FAILED
from workbench.tui.replay.difference_rows import WENT
from workbench.tui.told import local_day
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
        self._first = 0
        """The version that was chosen; 0 for none."""

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
