"""Columns of a table as the fields of steps: by their heads, and by what stands in them.

Aufgabe | Wer  | Bis wann   ─▶ title · owner · deadline
Week    | Goal | Long run   ─▶ workstream · title · "Long run: …" in the notes
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from workbench.domain.plan.importing.labels import column_field
from workbench.domain.plan.importing.words import bare, word_set

Kind = Literal["certain", "likely", "possible", "risks", "questions", "decisions", "none"]

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
_PREFERRED = (
    "task",
    "aufgabe",
    "title",
    "titel",
    "action",
    "summary",
    "subject",
    "name",
    "activity",
    "was",
    "what",
    "deliverable",
)
"""Heads of the column with the titles, where several could be."""


def fields_of(heads: Sequence[str]) -> list[str]:
    """Return the field of each column; "" for one that is none; each field but notes and tags once."""
    fields = [column_field(head) for head in heads]
    titles = [at for at, field in enumerate(fields) if field == "title"]
    if len(titles) > 1:
        best = min(titles, key=lambda at: (_rank(heads[at]), at))
        for at in titles:
            if at != best:
                fields[at] = (
                    "workstream"
                    if re.search(r"milestone|meilenstein|topic|thema|feature", bare(heads[at]))
                    and "workstream" not in fields
                    else ""
                )
    seen: set[str] = set()
    for at, field in enumerate(fields):
        if field in seen and field not in ("notes", "tags"):
            fields[at] = ""
        seen.add(field)
    if "title" not in fields:
        fields = _with_title(heads, fields)
    return fields


def _rank(head: str) -> int:
    words = bare(head).split()
    return next((at for at, name in enumerate(_PREFERRED) if name in words), len(_PREFERRED))


def _with_title(heads: Sequence[str], fields: list[str]) -> list[str]:
    """Let a column be the titles where no head says so: results, notes, the first that is no field, a phase."""
    for wanted in ("outcome", "notes", "", "workstream", "when"):
        place = next((at for at, field in enumerate(fields) if field == wanted and heads[at].strip()), None)
        if place is not None:
            return [("title" if at == place else field) for at, field in enumerate(fields)]
    return fields


def kind_of_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Kind:
    """Return whether the rows of a table are steps, as far as its heads and cells tell."""
    names = [bare(head) for head in heads]
    if any(map(_RISK_HEADS.fullmatch, names)) and any(map(_RISK_BESIDE.fullmatch, names)):
        return "risks"
    if names and _QUESTION_HEADS.fullmatch(names[0]):
        return (
            "decisions"
            if any(name in ("answer", "decision", "antwort", "resolution") for name in names)
            else "questions"
        )
    if names and _DECISION_HEADS.fullmatch(names[0]):
        return "decisions"
    fields = [column_field(head) for head in heads]
    of_work = [field for field in fields if field in _OF_WORK]
    if not rows or len(heads) < 2:
        return "none"
    if "title" in fields and len(of_work) >= 2:
        return "certain"
    if "title" in fields and (of_work or "id" in fields):
        return "likely"
    has_unit = any(map(_UNIT_HEADS.fullmatch, names[:2])) and _is_numbered(rows)
    if has_unit and (of_work or "title" in fields):
        return "likely"
    if has_unit or "title" in fields:
        return "possible"
    return "likely" if len(of_work) >= 2 and ("notes" in fields or "outcome" in fields) else "none"


def _is_numbered(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first column counts, or names, weeks, phases or days."""
    return all(
        row and re.search(r"\d|^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)", row[0], re.IGNORECASE)
        for row in rows
    )
