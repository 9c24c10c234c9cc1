"""Statements: what a person said, cut into parts that can be accounted for, and what became of each.

    goal · answers · feedback ──split──▶ U1, U2, …      recorded, so that a better cut changes no older session
    replies · commands · keys ──Settled──▶ Account       open, used, partly, answered, declined, replaced, dismissed

No rule reads what a statement means. Its state comes from a model's reply, from a command or from a key, and never
from words that are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from workbench.domain.log.growing import Growing
from workbench.domain.statements.splitting import cut, split

GOAL = "goal"
"""The source of what the goal says; other sources are A1, A2, … for answers and F1, F2, … for feedback."""

State = Literal["open", "used", "partly", "answered", "declined", "replaced", "dismissed"]


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A part of what a person said."""

    id: str
    """U1, U2, … in the order they were said; never given to another one."""
    source: str
    """goal, the answer (A1) or the feedback (F1) that it is in."""
    start: int
    """Characters before it in its source."""
    text: str
    """Word for word; FORGOTTEN where its source does not say it any more."""


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """Where a statement is in its source, and a fingerprint of its words: what it says is in the source alone."""

    id: str
    start: int
    end: int
    hash: str
    """12 hexadecimal digits."""

    def statement(self, source: str, text: str) -> Statement:
        """Return the statement out of the text of its source."""
        said = text[self.start : self.end]
        is_there = _fingerprint(said) == self.hash
        return Statement(id=self.id, source=source, start=self.start, text=said if is_there else FORGOTTEN)


FORGOTTEN = "(forgotten)"


def _fingerprint(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


class Settled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody says became of a statement."""

    statement: str
    state: State
    """``open`` takes back what was said before."""
    note: str = ""
    """The answer, the reason why not, or what is left of it."""
    items: tuple[str, ...] = ()
    """Ids of the items that act on it."""
    part: str = ""
    """Of ``replaced``: the words of it that no longer hold; "" for all of them."""
    by: str = ""
    """Of ``replaced``: id of the statement that holds instead."""


class Account(Struct, frozen=True):
    """A statement and what became of it."""

    statement: Statement
    state: State
    note: str = ""
    items: tuple[str, ...] = ()
    """Ids of the items that act on it."""
    replaced: tuple[Settled, ...] = ()
    """Parts of it that no longer hold, the first first."""

    @property
    def is_open(self) -> bool:
        """Whether nobody has accounted for it yet, or only for a part."""
        return self.state in ("open", "partly")


def cuts_of(text: str, known: int) -> tuple[Cut, ...]:
    """Return where the statements of a text stand, with the ids after the first ``known`` ones."""
    return tuple(
        Cut(id=f"U{number}", start=start, end=end, hash=_fingerprint(text[start:end]))
        for number, (start, end) in enumerate(cut(text), known + 1)
    )


def statements_of(cuts: Sequence[Cut], source: str, text: str) -> tuple[Statement, ...]:
    """Return the statements of a source; where a part of it was forgotten since, the others are where they are now."""
    said = tuple(cut.statement(source, text) for cut in cuts)
    if all(one.text != FORGOTTEN for one in said):
        return said
    spans = next((spans for spans in (cut(text), split(text)) if len(spans) == len(cuts)), None)
    if spans is None:
        return said
    return tuple(
        Statement(id=cut.id, source=source, start=start, text=text[start:end])
        for cut, (start, end) in zip(cuts, spans, strict=True)
    )


def account(
    statements: Sequence[Statement], settled: Iterable[Settled], citing: Iterable[tuple[str, tuple[str, ...]]] = ()
) -> tuple[Account, ...]:
    """Return what became of each statement: what was said last counts.

    ``citing``: items of the plan by id, each with the statements that it names as its causes. Who names a statement
    uses it.
    """
    by_items: dict[str, list[str]] = {}
    for item, causes in citing:
        for cause in causes:
            by_items.setdefault(cause, []).append(item)
    said: dict[str, list[Settled]] = {}
    for one in settled:
        said.setdefault(one.statement, []).append(one)
    return tuple(_account_of(one, said.get(one.id, ()), tuple(by_items.get(one.id, ()))) for one in statements)


def without(settled: Sequence[Settled], gone: Settled) -> Growing[Settled]:
    """Return what was said of statements without the last of it that says this."""
    left = list(settled)
    at = next((at for at in reversed(range(len(left))) if left[at] == gone), None)
    return Growing(left if at is None else [*left[:at], *left[at + 1 :]])


def _account_of(statement: Statement, said: Sequence[Settled], citing: tuple[str, ...]) -> Account:
    parts = tuple(one for one in said if one.state == "replaced" and one.part)
    whole = [one for one in said if one not in parts]
    last = whole[-1] if whole else None
    if last is None or last.state == "open":
        return Account(statement, "used" if citing and last is None else "open", items=citing, replaced=parts)
    items = tuple(dict.fromkeys((*last.items, *citing)))
    replaced = (*parts, last) if last.state == "replaced" else parts
    return Account(statement, last.state, last.note, items, replaced)


def still_holding(accounts: Iterable[Account]) -> Iterator[Account]:
    """Yield the statements that a plan has to heed: all that are neither replaced as a whole nor dismissed."""
    return (one for one in accounts if one.state not in ("replaced", "dismissed"))
