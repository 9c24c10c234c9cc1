"""What items are called on a page: steps and decisions by the number in their table, all others by their name.

S12 ─▶ 12, step S12 ─▶ step 12      D3 ─▶ 3, (decision 3)      K1 “Budget” ─▶ “Budget”      P1 ─▶ Mira
"""

from __future__ import annotations

import re

from workbench.domain.plan.checks.case import quoted
from workbench.domain.plan.plan import Decision, Item, Person, Plan, Step, wording
from workbench.domain.text.patterns import lazy_pattern

_IDS = lazy_pattern(r"\b[A-Z]\d{1,9}\b", re.ASCII)
_ID_AND_NAME = lazy_pattern(r"\b([A-Z]\d{1,9})( ?(?=“))?", re.ASCII)
_IN_PROSE = lazy_pattern(
    r"\{[^{}\n]{1,200}\}|\((?:[A-Z]\d{1,9}(?:, ?| and )?)+\)"
    r"|\b(?:[Ss]tep (S\d{1,9})|[Dd]ecision (D\d{1,9}))\b(?![-/])",
    re.ASCII,
)
_NOT_REFERENCES = lazy_pattern(r"\{[^{}\n]{1,200}\}|\b[A-Z]\d{1,9}\b", re.ASCII)
_NUMBERED = lazy_pattern(r"[SD](\d{1,9})", re.ASCII)


def number_of(name: str) -> str:
    """Return the number of a step or a decision; its id if that has another form."""
    match = _NUMBERED.fullmatch(name)
    return match[1] if match else name


def numbers_in(text: str) -> str:
    """Return a list of steps, ``S4 + 2 days, S7``, with their numbers."""
    return _IDS.sub(lambda match: number_of(match[0]), text)


def with_names(plan: Plan, text: str) -> str:
    """Return what the program found, with names for ids: each that a name follows goes."""
    items = {item.id: item for item in plan.items}

    def name(match: re.Match[str]) -> str:
        item = items.get(match[1])
        return match[0] if item is None else "" if match[2] is not None else _name(item)

    return _ID_AND_NAME.sub(name, text)


def called_in_prose(plan: Plan, text: str) -> str:
    """Return prose with names for ids that are in brackets, or after the word step or decision.

    Others stay, as a title can speak of the store S3 or the form D2; so do references, ``{S9.colour}``.
    """
    items = {item.id: item for item in plan.items}

    def named(match: re.Match[str]) -> str:
        if told := match[1] or match[2]:
            return f"{match[0].removesuffix(told)}{number_of(told)}" if told in items else match[0]
        ids = _IDS.findall(match[0]) if match[0][0] == "(" else []
        is_known = ids and all(item_id in items for item_id in ids)
        return f"({', '.join(_name(items[one]) for one in ids)})" if is_known else match[0]

    return _IN_PROSE.sub(named, text)


def ids_in(text: str) -> set[str]:
    """Return what looks like an id in a text, outside of references."""
    return {match[0] for match in _NOT_REFERENCES.finditer(text) if match[0][0] != "{"}


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
