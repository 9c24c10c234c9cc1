"""An item's words after one of its values was set again: where they spell the old value, they spell the new one.

    K3 Budget 38,000 EUR · at most 38,000 EUR ─▶ budget 45000 EUR ─▶ K3 Budget 45,000 EUR · at most 45,000 EUR

Nothing is interpreted: a value is only replaced if it is in one of the forms below, letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from msgspec.structs import replace

from workbench.domain.plan.plan import Constraint, Criterion, Fund, Item, Money
from workbench.domain.plan.scheduling.calendar import day_of

Kind = TypeVar("Kind", bound=Item)
_VALUES: dict[type[Any], tuple[str, ...]] = {Constraint: ("amount", "day"), Criterion: ("due",), Fund: ("limit",)}
"""Fields whose value an item's text says, too."""
_DAYS: tuple[Callable[[date], str], ...] = (
    lambda day: f"{day:%A} {day.day} {day:%B}",
    lambda day: f"{day:%A}, {day.day} {day:%B}",
    lambda day: f"{day:%a} {day.day} {day:%b}",
    lambda day: f"{day.day} {day:%B}",
    lambda day: f"{day:%B} {day.day}",
    lambda day: f"{day.day} {day:%b}",
    lambda day: f"{day.day}.{day.month}.",
    lambda day: f"{day:%d.%m.}",
    date.isoformat,
)
"""Forms of a day, longer ones before those that they hold; its year may be behind."""
_AMOUNTS: tuple[Callable[[Decimal], str], ...] = (
    lambda amount: f"{amount:,}",
    lambda amount: f"{amount:,}".replace(",", "."),
    lambda amount: f"{amount:,}".replace(",", " "),
    str,
)
_SIGN = "[€$£¥]"


def restated(old: Item, new: Kind) -> Kind:
    """Return an item with its new values in its words; as it is where its words are new, too."""
    if type(old) is not type(new) or not isinstance(new, Constraint | Criterion | Fund):
        return new
    text = new.text if getattr(old, "text", "") == new.text else ""
    for field in _VALUES[type(new)] if text else ():
        for pattern, now in _forms(getattr(old, field), getattr(new, field)):
            if re.search(pattern, text):
                text = re.sub(pattern, now, text)
                break
    return replace(new, text=text) if text not in ("", new.text) else new


def _forms(old: object, new: object) -> Iterator[tuple[str, str]]:
    """Yield a pattern of each form of a value, with the same form of the new one."""
    if isinstance(old, Money) and isinstance(new, Money) and old.currency == new.currency:
        for form in _AMOUNTS:
            number = rf"(?<![\w.,]){re.escape(form(old.amount))}(?![\w,.]*\d)"
            before = "|".join(rf"(?<={mark}){number}" for mark in (_SIGN, f"{_SIGN} ", f"{old.currency} "))
            yield rf"{before}|{number}(?= ?(?:{old.currency}\b|{_SIGN}))", form(new.amount)
    was, now = (day_of(one) if isinstance(one, str) else None for one in (old, new))
    if was and now:
        for said in _DAYS:
            for gap in (" ", ", ", ""):
                yield rf"(?<!\w){re.escape(f'{said(was)}{gap}{was.year}')}\b", f"{said(now)}{gap}{now.year}"
            yield rf"(?<![\w-]){re.escape(said(was))}(?!\w|,? ?\d{{4}})", said(now)
