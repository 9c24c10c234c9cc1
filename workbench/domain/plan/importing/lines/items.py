"""Lines and rows below headings such as "Risks" or "Team" as items of those sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from workbench.domain.plan.importing.lines.labels import label_of
from workbench.domain.plan.importing.lines.values import day_of, money_of
from workbench.domain.plan.importing.words import bare, words
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Level, Person, Question, Risk
from workbench.domain.text.patterns import lazy_pattern

KINDS: dict[str, type[Item]] = {
    "criteria": Criterion, "constraints": Constraint, "risks": Risk, "decisions": Decision, "questions": Question,
    "people": Person,
}  # fmt: skip
_WORDS_OF_LEVELS: dict[str, Level] = {
    "low": "low", "l": "low", "niedrig": "low", "gering": "low", "minor": "low",
    "medium": "medium", "med": "medium", "m": "medium", "mittel": "medium", "moderate": "medium",
    "high": "high", "h": "high", "hoch": "high", "severe": "high", "critical": "high", "major": "high",
}  # fmt: skip
_CELLS: dict[str, dict[str, str]] = {
    "risks": {
        "text": "risk risiko threat gefahr what description beschreibung title name",
        "likelihood": "likelihood probability wahrscheinlichkeit chance p",
        "impact": "impact severity auswirkung schaden i",
        "response": "mitigation response answer plan antwort maßnahme gegenmaßnahme contingency action",
        "sign": "sign trigger indicator anzeichen",
    },
    "decisions": {
        "text": "decision entscheidung question frage",
        "reason": "reason rationale why begründung grund answer antwort",
    },
    "questions": {
        "text": "question frage issue topic",
        "owner": "owner who wer verantwortlich",
        "assumption": "assumption annahme",
    },
}  # fmt: skip
"""Fields of items in tables, and the heads of their columns."""
_RESPONSE = lazy_pattern(r"→|->|=>|⇒")
_PERSON = lazy_pattern(r"(?P<name>[^:–—(|]{2,60}?)\s*(?:[:–—|]|\s-\s|\((?=[^()]*\)\s*$))\s*(?P<role>.{2,200}?)\)?")
_AT_MOST = lazy_pattern(r"(?:at most|up to|max(?:imum|\.)?|höchstens|maximal|bis zu)\s+", re.IGNORECASE)


def item_of(text: str, role: str, today: date) -> tuple[type[Item], dict[str, Any]]:
    """Return the kind of an item below a heading, and its fields."""
    match role:
        case "risks":
            return Risk, _risk(text)
        case "people":
            return _person(text)
        case "constraints":
            return Constraint, constraint_of(text, today) or {"text": text}
        case "wont":
            return Bullet, {"text": text, "priority": "won't"}
        case _:
            return KINDS.get(role, Bullet), {"text": text}


def _risk(text: str) -> dict[str, Any]:
    parts = _RESPONSE.split(text, maxsplit=1)
    if len(parts) == 2 and all(re.search(r"\w", part) for part in parts):
        return {"text": parts[0].strip(), "response": parts[1].strip()}
    return {"text": text}


def _person(text: str) -> tuple[type[Item], dict[str, Any]]:
    match = _PERSON.fullmatch(text)
    if match is not None and len(words(match["name"])) <= 4:
        return Person, {"text": match["name"].strip(" *_@"), "role": match["role"].strip(" *_")}
    if len(words(text)) <= 4 and "\n" not in text:
        return Person, {"text": text.strip(" *_@")}
    return Bullet, {"text": text}


def constraint_of(text: str, today: date) -> dict[str, Any] | None:
    """Return the constraint of a line such as "Deadline: 12 June" or "Budget: 20,000 EUR"; None for another."""
    label = label_of(text.replace("**", ""))
    if label is None or label[1] not in ("deadline", "cost"):
        return None
    value = label[2].strip(" *.")
    if label[1] == "deadline" and (day := day_of(value, today)) is not None:
        return {"text": text, "limits": "date", "day": day}
    money = money_of(_AT_MOST.sub("", value)) if label[1] == "cost" else None
    return {"text": text, "limits": "amount", "amount": money} if money is not None else None


def fields_of_table(heads: Sequence[str], role: str) -> list[str] | None:
    """Return the fields of the columns of a table of items; None if none holds their texts."""
    names = {word: field for field, listed in _CELLS.get(role, {}).items() for word in listed.split()}
    fields = [next((names[word] for word in bare(head).split() if word in names), "") for head in heads]
    return fields if "text" in fields else None


def item_of_row(heads: Sequence[str], fields: Sequence[str], cells: Sequence[str]) -> dict[str, Any]:
    """Return the fields of an item of a row; what has no field is written below its text."""
    values: dict[str, Any] = {}
    rest: list[str] = []
    for head, field, cell in zip(heads, fields, cells, strict=False):
        level = _WORDS_OF_LEVELS.get(bare(cell))
        if not re.search(r"\w", cell):
            continue
        if field in ("likelihood", "impact") and level is not None:
            values[field] = level
        if not field or field in values or field in ("likelihood", "impact"):
            if bare(cell) != values.get(field):
                rest.append(f"{head}: {cell}")
        else:
            values[field] = cell
    more = "".join(f"\n{one}" for one in rest)
    name = "response" if "response" in values else "text"
    return {**values, name: f"{values.get(name, '')}{more}"}
