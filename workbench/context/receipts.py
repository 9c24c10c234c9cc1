"""Receipts: what was done to a conversation before it was sent, provable and with a way back.

    entries ── an action ──▶ entries     and a Receipt: what, by what, to which ids, tokens and hash before and after

Who asked for it and when is said by the event that records a receipt; a pure function knows neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from workbench.context.entry import Entry
from workbench.domain.session.context import Receipt, What


def digest(entries: Iterable[Entry]) -> str:
    """Return the hash of what a conversation says: ids, roles, bindings and texts; not scores and reasons."""
    said = [(entry.id, entry.role, entry.agent, entry.makes, entry.answers, entry.text) for entry in entries]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def receipt(
    what: What,
    before: Iterable[Entry],
    after: Iterable[Entry],
    *,
    by: str,
    ids: Iterable[str],
    note: str = "",
    way_back: str = "",
) -> Receipt:
    """Return the receipt of an action that made ``after`` of ``before``."""
    before, after = tuple(before), tuple(after)
    return Receipt(
        what=what,
        by=by,
        ids=tuple(ids),
        note=note,
        way_back=way_back,
        tokens_before=sum(entry.tokens for entry in before),
        tokens_after=sum(entry.tokens for entry in after),
        hash_before=digest(before),
        hash_after=digest(after),
    )
