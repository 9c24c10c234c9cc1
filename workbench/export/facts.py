"""The ledger for people and for programs: a table, and a JSON object for each fact."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from workbench.domain.facts.ledger import Entry, Status
from workbench.domain.facts.wording import in_words
from workbench.domain.text.tables import Table
from workbench.domain.values.fact import Fact, FactType, Role


class FactObject(msgspec.Struct, frozen=True, kw_only=True):
    """A fact as JSON. Keys that are here stay; more may come."""

    schema: Literal["workbench.fact/1"] = "workbench.fact/1"
    id: str
    text: str
    span: tuple[int, int]
    """Index of its first character in its source, and the one after its last."""
    type: FactType
    role: Role
    value: dict[str, Any]
    doubt: str
    """Why a person should look at it."""
    source: str = "text"
    """goal, an answer (A1), a piece of feedback (F1), or the text that was read."""
    hash: str = ""
    """Fingerprint of its words."""
    status: Status | None = None
    """None where there is no session to act on it."""
    acted_on: tuple[str, ...] = ()
    """Ids of the items that use it."""
    replaced_by: str = ""


def fact_object(name: str, fact: Fact) -> FactObject:
    """Return a fact that belongs to no session."""
    return FactObject(
        id=name,
        text=fact.text,
        span=(fact.start, fact.end),
        type=fact.type,
        role=fact.role,
        value=_value(fact),
        doubt=fact.doubt,
    )


def ledger_objects(ledger: Iterable[Entry]) -> tuple[FactObject, ...]:
    """Return the facts of a session, each with what became of it."""
    return tuple(
        msgspec.structs.replace(
            fact_object(entry.stated.id, entry.stated.fact),
            source=entry.stated.source,
            hash=entry.stated.hash,
            status=entry.status,
            acted_on=entry.acted_on,
            replaced_by=entry.replaced_by,
        )
        for entry in ledger
    )


def _value(fact: Fact) -> dict[str, Any]:
    """Return the value of a fact: the keys of its type always, others where they say something."""
    value: dict[str, Any] = msgspec.to_builtins(fact.value)
    always = {key: value.pop(key, "" if key in _TEXTS else None) for key in _ALWAYS.get(fact.type, ())}
    return {key: _whole(one) for key, one in (always | value).items()}


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


_ALWAYS: dict[FactType, tuple[str, ...]] = {
    "date": ("from", "to", "limit"),
    "amount": ("number", "currency", "per"),
    "duration": ("number", "unit"),
    "capacity": ("number", "unit", "per"),
    "person": ("name",),
    "place": ("name",),
}
_TEXTS = frozenset({"currency", "per", "unit", "name"})


def facts_table(ledger: Iterable[Entry]) -> Table | None:
    """Return what the person said and where it is acted on; None where nothing was read."""
    rows = tuple(_row(entry) for entry in ledger)
    return Table("What you said", ("id", "from", "words", "read as", "what became of it"), rows) if rows else None


_IN_SHORT: dict[Status, str] = {"asked": "nowhere yet", "not understood": "not understood", "dismissed": "dismissed"}


def facts_in_short(ledger: Iterable[Entry]) -> Table | None:
    """Return each fact in the person's words, how it was read, and where it stands; None where nothing was read."""
    rows = tuple(
        (f"“{words}”", read, _IN_SHORT.get(entry.status) or " ".join(entry.acted_on) or "done")
        for entry in ledger
        for _, _, words, read, _ in [_row(entry)]
    )
    return Table("", ("in your words", "read as", "acted on in"), rows) if rows else None


def _row(entry: Entry) -> tuple[str, ...]:
    fact = entry.stated.fact
    outcome = {
        "acted on": f"acted on in {', '.join(entry.acted_on)}" if entry.acted_on else "carried out or answered",
        "asked": "not acted on: where does it belong?",
        "not understood": "not understood",
        "dismissed": f"replaced by {entry.replaced_by}" if entry.replaced_by else "dismissed by you",
    }[entry.status]
    doubt = f" (check: {fact.doubt})" if fact.doubt else ""
    return entry.stated.id, entry.stated.source, " ".join(fact.text.split()), f"{in_words(fact)}{doubt}", outcome
