"""What items are called on a page: steps and decisions by the number in their table, all others by their name.

S12 ─▶ 12, in prose (step 12)      D3 ─▶ 3, (decision 3)      K1 “Budget” ─▶ “Budget”      P1 ─▶ Mira
"""

from __future__ import annotations

import re

from workbench.domain.plan.checks.case import quoted, wording
from workbench.domain.plan.plan import Decision, Item, Person, Plan, Step
from workbench.domain.text.patterns import lazy_pattern

_IDS = lazy_pattern(r"\b[A-Z]\d{1,9}\b", re.ASCII)
_ID_AND_NAME = lazy_pattern(r"\b([A-Z]\d{1,9})( ?(?=“))?", re.ASCII)
_IN_BRACKETS = lazy_pattern(r"\((?:[A-Z]\d{1,9}(?:, ?| and )?)+\)", re.ASCII)
_NUMBERED = lazy_pattern(r"[SD](\d{1,9})", re.ASCII)


def number_of(name: str) -> str:
    """Return the number of a step or a decision; its id where that has another form."""
    match = _NUMBERED.fullmatch(name)
    return match[1] if match else name


def numbers_in(text: str) -> str:
    """Return a list of steps, ``S4 + 2 days, S7``, with their numbers."""
    return _IDS.sub(lambda match: number_of(match[0]), text)


def called(plan: Plan, text: str) -> str:
    """Return what the program found, with names for ids: each that a name follows goes."""
    items = {item.id: item for item in plan.items}

    def name(match: re.Match[str]) -> str:
        item = items.get(match[1])
        return match[0] if item is None else "" if match[2] is not None else _name(item)

    return _ID_AND_NAME.sub(name, text)


def called_in_brackets(plan: Plan, text: str) -> str:
    """Return prose with names for the ids of items that stand in brackets and nothing else beside them."""
    items = {item.id: item for item in plan.items}

    def named(match: re.Match[str]) -> str:
        ids = _IDS.findall(match[0])
        return f"({', '.join(_name(items[one]) for one in ids)})" if all(one in items for one in ids) else match[0]

    return _IN_BRACKETS.sub(named, text)


def _name(item: Item) -> str:
    match item:
        case Step():
            return f"step {number_of(item.id)}"
        case Decision():
            return f"decision {number_of(item.id)}"
        case Person():
            return item.text
        case _:
            return quoted(wording(item))
