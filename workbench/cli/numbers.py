"""Numbers as they are given on the command line: what is none, or a slip of the keyboard, is said in plain words."""

from __future__ import annotations

import argparse

MOST = 2**53
"""The largest number that every log and every reader of JSON can hold."""
_QUOTED = 24
"""Characters of a wrong number that are said back."""


def whole(given: str) -> int:
    """Return a whole number. Raises ArgumentTypeError where it is none, or larger than anything can be counted."""
    try:
        number = int(given)
    except ValueError:  # thousands of digits are none, either
        raise argparse.ArgumentTypeError(f"{_short(given)} is not a whole number") from None
    if abs(number) > MOST:
        raise argparse.ArgumentTypeError(f"{_short(given)} is larger than anything is counted to")
    return number


def decimal(given: str) -> float:
    """Return a number that may have a fraction. Raises ArgumentTypeError where it is none."""
    try:
        return float(given)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{_short(given)} is not a number") from None


def _short(given: str) -> str:
    return repr(given if len(given) <= _QUOTED else f"{given[: _QUOTED - 1]}…")
