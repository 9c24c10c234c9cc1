"""What the person said, and what became of it, as rows below a plan: what is not used yet first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.domain.statements.statement import Account
from workbench.domain.text.cleaning import clean
from workbench.tui.lines import Row, cut, joined, text, wrapped
from workbench.tui.views import DIM

_LEAST = 12


def statements_in_short(accounts: Sequence[Account]) -> str:
    """Return in a line what became of what the person said."""
    waiting, used = sum(one.is_open for one in accounts), sum(one.state == "used" for one in accounts)
    return f"{used} used" + (
        f" · {waiting} not used yet" if waiting else ", none open" if used == len(accounts) else ""
    )


def account_rows(accounts: Sequence[Account], width: int) -> Iterator[Row]:
    """Yield the statements of a session, those that are not used yet first."""
    for one in sorted(accounts, key=lambda one: not one.is_open):
        yield from _rows(one, width)


def _rows(one: Account, width: int) -> Iterator[Row]:
    from workbench.export.statements import became

    head = f"{'?' if one.is_open else ' '} {one.statement.id:<4} "
    indent, room = " " * len(head), max(width - len(head), _LEAST)
    first, *more = wrapped(clean(" ".join(one.statement.text.split())), room)
    rows = [joined(text(head, "bold" if one.is_open else DIM), text(first))]
    rows += [text(f"{indent}{line}") for line in more]
    rows += [text(f"{indent}{line}", DIM) for line in wrapped(clean(became(one)), room)]
    yield Row(tuple(cut(row, width) for row in rows), key=f"statement:{one.statement.id}", is_marked=one.is_open)
