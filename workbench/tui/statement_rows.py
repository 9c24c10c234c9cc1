"""What the person said, and what became of it, as rows below a plan: what is not used yet first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.domain.statements.statement import Account
from workbench.domain.text.cleaning import clean
from workbench.tui.lines import Row, cut, joined, spread, text, wrapped
from workbench.tui.views import DIM, EMPTY, FOCUS

_LEAST = 12


def statement_rows(accounts: Sequence[Account], width: int) -> Iterator[Row]:
    """Yield the statements of a session; those that are used as a whole are only counted."""
    if not accounts:
        return
    shown = [one for one in accounts if one.state != "used" or one.replaced]
    waiting = sum(one.is_open for one in accounts)
    used = sum(one.state == "used" for one in accounts)
    told = f"{len(accounts)} statements · {used} used" + (f" · {waiting} not used yet" if waiting else "")
    yield EMPTY
    yield Row((spread(text("You said", f"bold {FOCUS}"), text(told, DIM), width),), key="place:statements:0")
    for one in sorted(shown, key=lambda one: not one.is_open):
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
