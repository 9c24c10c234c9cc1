"""Columns of a table as the fields of steps: by their heads, and by what stands in them.

Aufgabe | Wer  | Bis wann   ─▶ title · owner · deadline
Week    | Goal | Long run   ─▶ workstream · title · "Long run: …" in the notes
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Literal

from workbench.domain.plan.importing.labels import column_field
from workbench.domain.plan.importing.marks import WHEN
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.values import day_of, effort_of, status_of
from workbench.domain.plan.importing.words import bare, word_set
from workbench.domain.plan.importing.work import begins_with_verb, share

Kind = Literal["steps", "maybe", "risks", "questions", "decisions", "none"]

_OF_WORK = word_set(
    "owner deadline start status effort hours weeks needs blocks share finished started low high parent level check"
)
"""Fields that speak for work."""
_RISK_HEADS = re.compile(r"risk.*|risiko.*|risiken|threat|gefahr")
_RISK_BESIDE = re.compile(
    r"likelihood|probability|impact|mitigation.*|response|severity|maßnahme.*|gegenmaßnahme.*|wahrscheinlichkeit|"
    r"auswirkung.*|contingency.*"
)
_QUESTION_HEADS = re.compile(r"(?:open )?questions?|(?:offene )?fragen?")
_DECISION_HEADS = re.compile(r"decisions?|entscheidung(?:en)?")
_UNIT_HEADS = re.compile(
    r"weeks?|days?|phases?|months?|sprints?|stages?|milestones?|steps?|when|time|date|quarter|woche|tag|phase|monat|"
    r"schritt|wann|datum|zeit|kw"
)
_DAY = re.compile(r"\W*(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)\b", re.IGNORECASE)
_OF_TITLES = {"title": 100, "outcome": 1.5, "": 1, "notes": 0.6, "workstream": 0.2, "when": 0.2}
"""How much the words of a column speak for titles, by the field that its head names."""
_SOME_DAY = date(2000, 1, 1)
_LOOKED_AT = 60
_FEWEST_KNOWN = 0.3
"""Share of the cells of a column with names that are known as such."""
_MOST_FIT = 0.6
"""Share of the cells of a column that fit a field which its head does not name."""


def fields_of(heads: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return the field of each column, by its head or what stands in it; "" for one that is none.

    Each field but notes and tags comes once. Where no head names the titles, the column with the longest words does.
    """
    fields = [column_field(head) for head in heads]
    columns = [[row[at] for row in rows[:_LOOKED_AT] if at < len(row) and row[at].strip()] for at in range(len(heads))]
    best = _longest(fields, columns)
    for at, field in enumerate(fields):
        if field == "title" and at != best:
            is_group = re.search(r"milestone|meilenstein|topic|thema|feature", bare(heads[at]))
            fields[at] = "workstream" if is_group and "workstream" not in fields else ""
    if best is not None:
        fields[best] = "title"
    for at, cells in enumerate(columns):
        if not fields[at] and (guessed := _guessed(cells)) not in fields:
            fields[at] = guessed
    return [field if field in ("notes", "tags") or field not in fields[:at] else "" for at, field in enumerate(fields)]


def _longest(fields: Sequence[str], columns: Sequence[Sequence[str]]) -> int | None:
    """Return the column with the longest text of words; those that a head names as something else count for less."""
    weights = [
        _OF_TITLES.get(field, 0) * (1 + sum(len(re.findall(r"[^\W\d_]{2,}", cell)) for cell in cells))
        for field, cells in zip(fields, columns, strict=True)
    ]
    best = max(weights, default=0)
    return weights.index(best) if best > 0 else None


def _guessed(cells: Sequence[str]) -> str:
    """Return the field that most cells of a column fit; "" for none."""
    names = Names()
    if share(cells, names.is_name) >= _FEWEST_KNOWN:
        names.learn(cells)
    tests: dict[str, Callable[[str], object]] = {
        "deadline": lambda cell: re.search(r"\d", cell) and day_of(cell, _SOME_DAY),
        "status": status_of,
        "effort": effort_of,
        "owner": names.is_name,
    }
    shares = {field: share([test(cell) for cell in cells], bool) for field, test in tests.items()}
    best = max(shares, key=lambda field: shares[field])
    return best if shares[best] >= _MOST_FIT else ""


def kind_of_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Kind:
    """Return whether the rows of a table are steps, as far as its heads and cells tell."""
    names = [bare(head) for head in heads]
    if any(map(_RISK_HEADS.fullmatch, names)) and any(map(_RISK_BESIDE.fullmatch, names)):
        return "risks"
    if names and _QUESTION_HEADS.fullmatch(names[0]):
        is_answered = any(name in ("answer", "decision", "antwort", "resolution") for name in names)
        return "decisions" if is_answered else "questions"
    if names and _DECISION_HEADS.fullmatch(names[0]):
        return "decisions"
    if not rows or len(heads) < 2:
        return "none"
    is_named = "title" in map(column_field, heads)
    fields = fields_of(heads, rows)
    of_work = sum(field in _OF_WORK for field in fields)
    at = fields.index("title") if "title" in fields else len(fields)
    verbs = share([row[at] for row in rows if at < len(row)], begins_with_verb)
    if is_named and (of_work >= 2 or (of_work and verbs >= _MOST_FIT)):
        return "steps"
    has_unit = any(map(_UNIT_HEADS.fullmatch, names[:2])) and _is_numbered(rows)
    is_work = of_work or "id" in fields if is_named else has_unit and of_work
    return "maybe" if is_work or (has_unit and is_named) or verbs >= (0.3 if of_work else _MOST_FIT) else "none"


def _is_numbered(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first column counts, or names, weeks, phases or days."""
    return all(row and (re.search(r"\d", row[0]) or WHEN.match(f"{row[0]}: x") or _DAY.match(row[0])) for row in rows)
