"""Values that a text names, as a line of a table and as JSON."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workbench.domain.values.named_value import NamedValue, Value
from workbench.domain.values.wording import in_words


class ValueObject(msgspec.Struct, frozen=True, kw_only=True):
    """A value: dates, times and sums typed, with the words that name it."""

    schema: Literal["workbench.value/1"] = "workbench.value/1"
    text: str
    start: int
    """Index of its first character in the text."""
    end: int
    """Index after its last character."""
    type: str
    """date, amount or duration, as a rule."""
    value: Value
    told: str
    """In words: ``by Wed 30 June 2027``."""


def value_row(named: NamedValue) -> tuple[str, str]:
    """Return the words of a value and what they mean."""
    return " ".join(named.text.split()), in_words(named)


def value_object(named: NamedValue) -> dict[str, Any]:
    """Return a value as JSON values; docs/json/workbench.value-1.json is their schema."""
    made = ValueObject(
        text=named.text, start=named.start, end=named.end, type=named.type, value=named.value, told=in_words(named)
    )
    printed: dict[str, Any] = msgspec.to_builtins(made)
    return printed
