"""TOML of any origin: read in a time that grows with its length, or refused in one kind of error."""

from __future__ import annotations

import tomllib
from math import isfinite
from typing import Any

_MOST_OF_A_NUMBER = 2**63
_MOST_DOTS, _MOST_DOTS_OF_A_TABLE = 1_000, 200
"""In a key; each line below a table's name takes time with its parts, and a key with the square of its own."""


def read_toml(text: str) -> dict[str, Any]:
    """Return what a text of TOML says. Raises ValueError.

    That is for no TOML, nested too deeply, a number that is none or has thousands of digits, or a key of thousands of
    parts.
    """
    for line in text.splitlines():
        most = _MOST_DOTS_OF_A_TABLE if line.lstrip().startswith("[") else _MOST_DOTS
        if line.count(".") > most and max(part.count(".") for part in line.split("=")) > most:
            raise ValueError(f"a key has more than {most:,} parts")
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _refuse_odd_numbers(found)
    return found


def _refuse_odd_numbers(table: dict[str, Any]) -> None:
    """Raise ValueError for ``inf`` and ``nan``, and for a whole number of any length: TOML has none above 64 bits."""
    unfinished: list[tuple[str, Any]] = [("", table)]
    while unfinished:
        key, value = unfinished.pop()
        if isinstance(value, dict):
            unfinished += value.items()
        elif isinstance(value, list):
            unfinished += ((key, part) for part in value)
        elif isinstance(value, int) and not -_MOST_OF_A_NUMBER <= value < _MOST_OF_A_NUMBER:
            raise ValueError(f"the number of {key[:40]} is too large")
        elif isinstance(value, float) and not isfinite(value):
            raise ValueError(f"{key[:40]} is {value}, which is not a number to calculate with")
