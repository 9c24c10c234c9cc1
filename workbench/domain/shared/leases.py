"""Leases: which session works on a file or at a task now, and who waits for it.

One that is released, or whose session left or joined again, goes to the first that waits. No fold knows who is alive:
a claim over a lease names the claim that it ends, and was decided by whoever looked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean_name

Kind = Literal["file", "task"]
KINDS: tuple[Kind, ...] = ("file", "task")

MOST_LEASES = 1_000
MOST_WAITING = 100
"""Sessions that wait for one lease."""
MOST_OF_A_NAME = 400
"""Characters."""


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """A file or task that a session has for itself."""

    kind: Kind
    name: str
    session: str
    since: str
    """UTC, ISO 8601."""
    event: str
    """Id of the event that gave it to them."""
    waiting: tuple[str, ...] = ()
    """Sessions that get it next, in their order."""

    @property
    def key(self) -> str:
        """What it is known under."""
        return key_of(self.kind, self.name)

    @property
    def line(self) -> tuple[str, ...]:
        """Who holds it, then who waits for it, in their order."""
        return (self.session, *self.waiting)


def key_of(kind: str, name: str) -> str:
    """Return what a lease is known under."""
    return f"{kind}:{name}"


def clean_lease(kind: str, name: str) -> tuple[Kind, str]:
    """Return what a claim is of, as it is kept: a file's path without ``./`` and doubled slashes. Raises UsageError."""
    known = next((one for one in KINDS if one == kind), None)
    if known is None:
        raise UsageError(f"{clean_name(kind)!r} cannot be claimed.", "Claim a file or a task.")
    kept = clean_name(name, MOST_OF_A_NAME + 1)
    kept = _clean_path(kept) if known == "file" else kept
    if not 0 < len(kept) <= MOST_OF_A_NAME:
        raise UsageError(
            f"A {known} to claim has a name of 1 to {MOST_OF_A_NAME} characters.",
            "Give the file's path in the project, like docs/plan.md." if known == "file" else "Name the task.",
        )
    return known, kept


def _clean_path(name: str) -> str:
    parts = [part for part in map(str.strip, name.split("/")) if part not in ("", ".")]
    if ".." in parts:
        raise UsageError("A file to claim has a path without `..`.", "Give its path in the project.")
    path = "/" * (name.startswith("/") and bool(parts)) + "/".join(parts)
    return unicodedata.normalize("NFC", path)  # some systems list names in another form than they are typed in


def held_by(leases: Mapping[str, Lease], session: str) -> Iterator[Lease]:
    """Yield what a session holds, by kind and name."""
    yield from sorted((lease for lease in leases.values() if lease.session == session), key=lambda one: one.key)


# --- folding ----------------------------------------------------------------------------------------------------------


def claim(
    leases: MutableMapping[str, Lease], kind: Kind, name: str, *, by: str, over: str, event: str, at: str
) -> bool:
    """Give a lease to a session; tell whether it has an effect. ``over``: the claim that it ends."""
    held = leases.get(key_of(kind, name))
    if held is None and len(leases) >= MOST_LEASES:
        return False
    if held is not None and (held.session == by or held.event != over):
        return False
    waiting = () if held is None else tuple(one for one in held.waiting if one != by)
    leases[key_of(kind, name)] = Lease(kind=kind, name=name, session=by, since=at, event=event, waiting=waiting)
    return True


def queue(leases: MutableMapping[str, Lease], kind: Kind, name: str, *, by: str) -> bool:
    """Let a session wait for a lease that another one holds; tell whether that has an effect."""
    held = leases.get(key_of(kind, name))
    if held is None or by == held.session or by in held.waiting or len(held.waiting) >= MOST_WAITING:
        return False
    leases[held.key] = replace(held, waiting=(*held.waiting, by))
    return True


def release(leases: MutableMapping[str, Lease], kind: Kind, name: str, *, by: str, event: str, at: str) -> bool:
    """End a session's lease, or its waiting for one; tell whether that has an effect."""
    held = leases.get(key_of(kind, name))
    if held is None or by not in held.line:
        return False
    _drop_waiting(leases, held, by, event=event, at=at)
    return True


def end(leases: MutableMapping[str, Lease], session: str, *, event: str, at: str) -> None:
    """End every lease of a session, and its waiting for any."""
    for held in [lease for lease in leases.values() if session in lease.line]:
        _drop_waiting(leases, held, session, event=event, at=at)


def _drop_waiting(leases: MutableMapping[str, Lease], held: Lease, session: str, *, event: str, at: str) -> None:
    waiting = tuple(one for one in held.waiting if one != session)
    if held.session != session:
        leases[held.key] = replace(held, waiting=waiting)
    elif waiting:
        leases[held.key] = replace(held, session=waiting[0], since=at, event=event, waiting=waiting[1:])
    else:
        del leases[held.key]
