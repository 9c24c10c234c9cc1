"""Receipts: what was done to a conversation before it was sent, provable and with a way back.

    entries ── an action ──▶ entries     and a Receipt: what, by what, to which ids, tokens and hash before and after

Who asked for it and when is said by the event that records a receipt; a pure function knows neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal

import msgspec

from workbench.context.entry import Entry

What = Literal["moved out", "left out", "condensed", "elided", "repaired"]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """One action on a conversation."""

    what: What
    by: str
    """The model or the rule that did it."""
    ids: tuple[str, ...]
    """The originals it was done to."""
    note: str = ""
    """What a person should know of it, in a sentence."""
    way_back: str = ""
    """Id of the summary to expand, or name of the entity that holds the text; "" where the log alone has it."""
    tokens_before: int
    tokens_after: int
    hash_before: str
    hash_after: str


def digest(entries: Iterable[Entry]) -> str:
    """Return the hash of what a conversation says: ids, roles, bindings and texts; not scores and reasons."""
    said = [
        (entry.id, entry.role, entry.agent, entry.makes, entry.answers, entry.leads_to, entry.text) for entry in entries
    ]
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
