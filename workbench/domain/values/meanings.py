"""What a value of the goal can be made: one command for each meaning, chosen by the person and never guessed.

Wed 30 June 2027 ─▶ the deadline: deadline 2027-06-30 · the day it is for: goal day 2027-06-30
40,000 EUR       ─▶ the budget: budget 40000 EUR
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from msgspec.structs import replace

from workbench.domain.values.named_value import NamedValue
from workbench.domain.values.reader import read_values
from workbench.domain.values.wording import in_words


class Meaning(NamedTuple):
    """One thing that a value can be."""

    label: str
    """``the deadline (all is done by then)``"""
    command: str
    """``deadline 2027-06-30``"""


class Chip(NamedTuple):
    """A value of the goal, and what it can be made."""

    told: str
    """``Wed 30 June 2027``"""
    meanings: tuple[Meaning, ...]


def chips_of(text: str, today: date) -> tuple[Chip, ...]:
    """Return the values of a text that can be made something, each once."""
    named = (replace(one, value=replace(one.value, bound="")) for one in read_values(text, today) if _is_limit(one))
    chips = (Chip(in_words(one), tuple(_meanings(one, today))) for one in named)
    return tuple(dict.fromkeys(chip for chip in chips if chip.meanings))


def numbered(chips: Sequence[Chip]) -> tuple[tuple[Chip, Meaning], ...]:
    """Return every meaning with its value, in the order in which a person counts them from 1."""
    return tuple((chip, meaning) for chip in chips for meaning in chip.meanings)


def _is_limit(named: NamedValue) -> bool:
    """Tell whether a value can be a limit: "at least 500 EUR" cannot."""
    return named.value.bound != "at least"


def _meanings(named: NamedValue, today: date) -> Iterator[Meaning]:
    value = named.value
    if named.type == "date" and value.first and value.last and value.last >= today.isoformat():
        if value.first == value.last:
            yield Meaning("the deadline (all is done by then)", f"deadline {value.limit or value.last}")
            yield Meaning("the day it is for (the plan is dated back from it)", f"goal day {value.first}")
        else:
            yield Meaning("the time until which it lasts", f"deadline {value.last}")
            yield Meaning("days off", f"days off {value.first} - {value.last}")
    elif named.type == "amount" and value.currency and value.number is not None and not value.per:
        yield Meaning("the budget", f"budget {value.up_to or value.number:g} {value.currency}")
