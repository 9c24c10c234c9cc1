"""Cells of tables that a spreadsheet would calculate: an apostrophe makes text of them, and is taken away again.

    =cmd|…  ─▶  '=cmd|…        x;=cmd|…  ─▶  x;'=cmd|…

A table is opened with whatever separator the reader's settings name, so each separator within a cell begins another
cell. What had an apostrophe already gets another one: so ``restored`` undoes ``harmless``, whatever a cell says.
"""

from __future__ import annotations

import re

_BEGINS = r"(?:(?<=[,;|\t\r\n])|\A)"
_FORMULA = r"[\s\"']*[=+\-@＝＋－＠]"
_UNSAFE = re.compile(rf"{_BEGINS}(?={_FORMULA})|\A(?='*[\t\r\n])")
_MADE_SAFE = re.compile(rf"{_BEGINS}'(?={_FORMULA})|\A'(?='*[\t\r\n])")


def harmless(cell: str) -> str:
    """Return a cell that is a formula under no separator."""
    return _UNSAFE.sub("'", cell)


def restored(cell: str) -> str:
    """Return the cell that ``harmless`` was given."""
    return _MADE_SAFE.sub("", cell)
