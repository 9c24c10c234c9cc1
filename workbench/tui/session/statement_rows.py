"""What the person said, and what became of it, as rows below a plan: what is not used yet first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from workbench.domain.statements.statement import Account
from workbench.domain.text.cleaning import clean
from workbench.tui.lines import Row, barred, cut, hung, text
from workbench.tui.marks import DIM


def statements_in_short(accounts: Sequence[Account]) -> str:
    """Return in a line what became of what the person said."""
    waiting, used = sum(one.is_open for one in accounts), sum(one.state == "used" for one in accounts)
    return f"{used} used" + (
        f" · {waiting} not used yet" if waiting else ", none open" if used == len(accounts) else ""
    )


def account_rows(accounts: Sequence[Account], width: int) -> Iterator[Row]:
    """Yield the statements of a session, those that are not used yet first."""
    from workbench.export.statements import became

    for one in sorted(accounts, key=lambda one: not one.is_open):
        head = text(f"{'?' if one.is_open else ' '} {one.statement.id:<4} ", "bold" if one.is_open else DIM)
        said = hung(head, clean(" ".join(one.statement.text.split())), width)
        told = barred(Content(" " * head.cell_length), clean(became(one)), width, DIM)
        lines = tuple(cut(line, width) for line in (*said, *told))
        yield Row(lines, key=f"statement:{one.statement.id}", is_marked=one.is_open)
