"""What the shared context takes in: keys and values that are clean, bounded, and of whoever may say them.

Checked where they enter, and again when they are folded: the stream is written by every session of a project.
"""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.shared.merge import ABSENT
from workbench.domain.text.cleaning import clean_json, clean_name

MOST_KEYS = 1_000
"""With a value; deleted ones are not counted."""
MOST_MEMBERS = 1_000
MOST_OF_A_KEY = 120
"""Characters."""
MOST_OF_A_VALUE = 65_536
"""Bytes of a value as JSON."""
MOST_DEPTH = 32
"""Lists and objects within each other."""

OWN = "sessions/"
"""Prefix of the keys that only one session, whose id follows, may change."""
SHARED = "shared:"
"""Prefix of a shared key in a prompt's list of items; it does not depend on who changed the key last."""

_encode = msgspec.json.Encoder().encode


def clean_key(key: object) -> str:
    """Return a key as it is kept: clean, on one line. Raises UsageError."""
    name = clean_name(key, MOST_OF_A_KEY + 1) if isinstance(key, str) else ""
    if not 0 < len(name) <= MOST_OF_A_KEY:
        raise UsageError(f"A key has 1 to {MOST_OF_A_KEY} characters.", "Give a short name, like active_files.")
    return name


def check_owner(key: str, session: str) -> None:
    """Refuse a change to what only another session says. Raises UsageError."""
    if not may_change(key, session):
        raise UsageError(f"Only that session changes keys under {OWN}{_owner(key)}.", "Share it as another key.")


def may_change(key: str, session: str) -> bool:
    """Tell whether a key is everybody's, or this session's own."""
    return not key.startswith(OWN) or _owner(key) == session


def _owner(key: str) -> str:
    return key.removeprefix(OWN).partition("/")[0]


def read_value(given: str, *, otherwise: str = "put it in double quotes to share it as a text") -> Any:
    """Return what a person wrote, as JSON or else as a text; ``otherwise``: how to say that a text is meant.

    Raises UsageError for what begins like a list or an object and is none: as a text it would replace a whole list.
    So it does for what looks like JSON and no log can hold: an infinite number, NaN, or a lone surrogate.
    """
    try:
        return msgspec.json.decode(given)
    except UNREADABLE:
        if _is_lenient_json(given):
            raise UsageError(
                "The value holds a number without end, NaN, or half of a surrogate pair.", f"Change it, or {otherwise}."
            ) from None
        if given.lstrip()[:1] not in ("[", "{"):
            return given
    what = "a list" if given.lstrip().startswith("[") else "an object"
    raise UsageError(f"The value begins like {what} but is not JSON.", f"Correct it, or {otherwise}.")


def _is_lenient_json(given: str) -> bool:
    """Tell whether Python's reader takes a text as JSON: beyond the standard, it knows NaN and lone surrogates."""
    try:
        json.loads(given)
    except (ValueError, RecursionError):
        return False
    return True


def clean_value(value: Any) -> Any:
    """Return a JSON value as it is kept, its strings and keys clean. Raises UsageError."""
    _check(value, 0)
    cleaned = clean_json(value)
    if not fits(cleaned):
        raise too_large()
    return cleaned


def too_large() -> UsageError:
    """Return the refusal of a value that is too large."""
    return UsageError(
        f"A value has at most {MOST_OF_A_VALUE:,} bytes as JSON.",
        "Share its place (a path or an id) instead of the whole.",
    )


def _check(value: Any, depth: int) -> None:
    if depth > MOST_DEPTH:
        raise UsageError(f"A value has at most {MOST_DEPTH} lists and objects within each other.", "Make it flatter.")
    match value:
        case None | bool() | str():
            pass
        case int() | float():
            if abs(value) > 2**53 if isinstance(value, int) else not math.isfinite(value):
                raise UsageError("A number is infinite, undefined, or beyond 2^53.", "Write it as a text.")
        case list() | tuple():
            for part in value:
                _check(part, depth + 1)
        case dict():
            if not all(isinstance(key, str) for key in value) or len(clean_json(dict.fromkeys(value))) < len(value):
                raise UsageError("The keys of an object must be texts that differ visibly.", "Rename them.")
            for part in value.values():
                _check(part, depth + 1)
        case _:
            raise UsageError(
                f"A {type(value).__name__} cannot be written as JSON.", "Give texts, numbers, lists and objects."
            )


def fits(value: Any) -> bool:
    """Tell whether a value is not too large, or none."""
    return value is ABSENT or len(_encode(value)) <= MOST_OF_A_VALUE
