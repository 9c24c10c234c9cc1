"""Cells of tables that a spreadsheet would calculate: an apostrophe makes text of them, and is taken away again.

    =cmd|…  ─▶  '=cmd|…        x;=cmd|…  ─▶  x;'=cmd|…

A table is opened with whatever separator the reader's settings name, so each separator within a cell begins another
cell. What had an apostrophe already gets another one: so ``restored`` undoes ``harmless``, whatever a cell says.
"""

from __future__ import annotations

import re

from workbench.domain.text.patterns import lazy_pattern

_FORMULA = r"[=+\-@＝＋－＠]"
_UNSEEN = r"\s\"'\0\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_BEFORE = lazy_pattern(rf"(?<![{_UNSEEN}])[{_UNSEEN}]*+(?={_FORMULA})")
"""Blanks, quotes and what nobody sees, before what begins a formula; looked for once a run, as some are very long."""
_START = lazy_pattern(rf"[{_UNSEEN}]*+{_FORMULA}|'*+[\t\r\n]")
_BREAK = lazy_pattern(r"(?<=[\t\r\n])")
_QUOTED_BREAK = lazy_pattern(r"(?<=[\t\r\n])'")


def harmless(cell: str) -> str:
    """Return a cell that is a formula under no separator."""
    safe = _BEFORE.sub(lambda run: ("'" if _is_cell(run) else "") + _BREAK.sub("'", run[0]), cell)
    return f"'{safe}" if _START.match(cell) else safe


def restored(cell: str) -> str:
    """Return the cell that ``harmless`` was given."""
    within = cell[1:] if cell.startswith("'") and _START.match(cell, 1) else cell
    return _BEFORE.sub(lambda run: _QUOTED_BREAK.sub("", run[0].removeprefix("'") if _is_cell(run) else run[0]), within)


def _is_cell(run: re.Match[str]) -> bool:
    """Tell whether another cell would begin with a run."""
    return run.start() > 0 and run.string[run.start() - 1] in ",;|"
