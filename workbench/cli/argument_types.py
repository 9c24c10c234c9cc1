"""Texts and numbers on the command line: what cannot be used is refused in plain words."""

from __future__ import annotations

import argparse
import math
from datetime import date

from workbench.domain.values.calendar_words import plannable_day

MOST = 2**53
"""The largest number that every log and every reader of JSON can hold."""
_MOST_DAYS = 36_525
_LAST_PORT = 65_535
_QUOTED = 24
"""Characters of a wrong number that are said back."""


def text(given: str) -> str:
    """Return a text. Raises ArgumentTypeError for bytes that are not UTF-8: Python passes them as lone surrogates."""
    from workbench.domain.text.cleaning import is_unicode  # here: `--help` does not need it

    if not is_unicode(given):
        raise argparse.ArgumentTypeError("the text is not UTF-8: type it again")
    return given


def whole(given: str) -> int:
    """Return a whole number. Raises ArgumentTypeError if it is none, or larger than anything can be counted."""
    try:
        number = int(given)
    except ValueError:  # thousands of digits are none, either
        raise argparse.ArgumentTypeError(f"{_short(given)} is not a whole number") from None
    if abs(number) > MOST:
        raise argparse.ArgumentTypeError(f"{_short(given)} is too large a number")
    return number


def port(given: str) -> int:
    """Return a port. Raises ArgumentTypeError for a number that is none."""
    number = whole(given)
    if not 0 <= number <= _LAST_PORT:
        raise argparse.ArgumentTypeError(f"{_short(given)} is not a port from 0 to {_LAST_PORT}")
    return number


def days_ahead(given: str) -> int:
    """Return a number of days from today. Raises ArgumentTypeError for one after it, or beyond a hundred years."""
    number = whole(given)
    if not 0 <= number <= _MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{_short(given)} is not from 0 to {_MOST_DAYS:,} days")
    return number


def decimal(given: str) -> float:
    """Return a number that may have a fraction. Raises ArgumentTypeError for any other text, infinity and NaN."""
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{_short(given)} is not a number")
    return number


def step_days(given: str) -> tuple[str, float]:
    """Return a step and the days that it took. Raises ArgumentTypeError if it is not written as S4=6."""
    step, equals, days = given.partition("=")
    if not (step and equals):
        raise argparse.ArgumentTypeError(f"{_short(given)} is not a step with its days: write it as S4=6")
    return text(step), decimal(days)


def day(given: str) -> date:
    """Return a day. Raises ArgumentTypeError if it is not written as YYYY-MM-DD, or no plan can name it."""
    if (found := plannable_day(given)) is None:
        raise argparse.ArgumentTypeError(f"{_short(given)} is not a day: write it as 2027-06-30, from 1900 to 2199")
    return found


def _short(given: str) -> str:
    return repr(given if len(given) <= _QUOTED else f"{given[: _QUOTED - 1]}…")
