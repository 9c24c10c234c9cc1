"""Statements for people and for programs: what the person said and what became of it, as lines, a table and JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from workbench.domain.plan.plan import Plan
from workbench.domain.plan.references import filled
from workbench.domain.statements.statement import Account, Settled, State
from workbench.domain.text.tables import Table, one_line

STATES: dict[State, str] = {
    "open": "not used yet",
    "used": "used",
    "partly": "used in part",
    "answered": "answered",
    "declined": "declined",
    "replaced": "replaced",
    "dismissed": "dismissed",
}
"""What became of a statement, in words."""


_MOST_ITEMS = 6
"""Items that are named for one statement; programs get all of them."""


class StatementObject(msgspec.Struct, frozen=True, kw_only=True):
    """A statement as JSON. Keys that are here stay; more may come."""

    schema: Literal["workbench.statement/1"] = "workbench.statement/1"
    id: str
    source: str
    """goal, an answer (A1) or a piece of feedback (F1)."""
    start: int
    """Characters before it in its source."""
    text: str
    state: State
    note: str = ""
    """The answer, the reason why not, or what is left of it."""
    items: tuple[str, ...] = ()
    """Ids of the items that act on it."""
    replaced: tuple[Settled, ...] = ()
    """Words of it that no longer hold, each with the statement that holds instead."""


def statement_objects(accounts: Iterable[Account]) -> tuple[StatementObject, ...]:
    """Return statements as JSON values."""
    return tuple(
        StatementObject(
            id=account.statement.id,
            source=account.statement.source,
            start=account.statement.start,
            text=account.statement.text,
            state=account.state,
            note=account.note,
            items=account.items,
            replaced=account.replaced,
        )
        for account in accounts
    )


def became(one: Account, plan: Plan | None = None) -> str:
    """Return what became of a statement, in words: ``used in S3, K1``, ``declined: the hall is closed``.

    A date or a sum in an answer is the plan's, as it is now.
    """
    told = STATES[one.state]
    if one.items and one.state in ("used", "partly"):
        more = f" and {len(one.items) - _MOST_ITEMS} more" if len(one.items) > _MOST_ITEMS else ""
        told += f" in {', '.join(one.items[:_MOST_ITEMS])}{more}"
    told += f": {filled(one.note, plan) if plan is not None else one.note}" if one.note else ""
    parts = [f"“{part.part}” no longer holds, see {part.by}" for part in one.replaced if part.part]
    whole = [f"by {part.by}" for part in one.replaced if not part.part and part.by]
    return one_line("; ".join([f"{told} {whole[0]}" if whole else told, *parts]))  # a note forges no line of ours


def statements_table(accounts: Iterable[Account], plan: Plan | None = None, title: str = "You said") -> Table | None:
    """Return statements as a table; None if there are none."""
    rows = tuple((account.statement.id, account.statement.text, became(account, plan)) for account in accounts)
    return Table(title, ("", "statement", "what became of it"), rows) if rows else None
