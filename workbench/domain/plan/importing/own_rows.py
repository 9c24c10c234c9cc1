"""Steps that this workbench wrote as rows of CSV, or as tasks of ``tasks.json``: they are read back as they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from workbench.domain.plan.calendar import day_of as iso_day
from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.values import day_of, status_of
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.plan import Effort, Money, Step
from workbench.domain.text.formulas import restored

COLUMNS = frozenset({"id", "title", "low", "likely", "high", "start", "end", "needs", "workstream", "outcome", "check"})
"""Heads that a table of ours has at least."""
SAID = frozenset({"id", "title", "owner", "workstream", "outcome", "check", "tags", "notes"})
"""Heads of columns whose cells are in the plan word for word; the others are values."""
KEY = "workbench"
"""Key of a task's ``metadata`` below which stands what Task Master has no field for."""
_EFFORT = ("low", "likely", "high")
_TEXTS = ("owner", "outcome", "check")
DAYS = {
    "start": "start", "end": "end", "not before": "not_before", "not_before": "not_before", "on": "on",
    "deadline": "deadline", "started": "started", "finished": "finished",
}  # fmt: skip
"""Heads of columns of dates, by the fields that they are."""

MORE = {
    field.label.casefold(): field
    for field in FIELDS[Step].values()
    if field.name
    in {
        "also", "duration", "waiting", "mode", "splits", "priority", "place", "repeat", "hours", "decisions",
        "no_return", "condition", "fund", "basis", "optional", "not_covered", "progress", "other", "causes",
        "milestone", "cost_kind", "left", "answers",
    }
}  # fmt: skip
"""Fields by the heads of columns that a table has only where a step says something there."""
EACH = "each"
"""Head of the column that says whose the effort is; there only where one is each owner's."""


_KNOWN = frozenset(
    {"id", "title", "status", *_EFFORT, "needs", "workstream", "parent", "cost", "currency", "tags", "notes", EACH}
    | {*MORE, *_TEXTS, *DAYS}
)
"""Heads of all columns that a table of ours can have."""
_OURS = frozenset({"not before", "on", "wait", "also", "likely"})
"""Heads that tables of other tools seldom have."""


def is_own_table(heads: list[str]) -> bool:
    """Tell whether a table has the columns of ours, or some of them and no others, in any order."""
    found = {head.strip().casefold() for head in heads}
    return found >= COLUMNS or ("title" in found and found <= _KNOWN and not found.isdisjoint(_OURS))


def step_of_row(line: int, row: Mapping[str, str], today: date, *, month_first: bool) -> StepDraft | None:
    """Return the step of a row by the heads of its columns; None for one without a title.

    Dates and numbers are read as spreadsheets write them, too: 12.03.2026 and 2,5. ``month_first``: as in 05/17/2026.
    """
    cells = {name.strip().casefold(): restored(cell) for name, cell in row.items()}
    cells |= {name: day for name in DAYS if (day := day_of(cells.get(name, ""), today, month_first=month_first))}
    draft = _draft(line, cells.get)
    if draft is None:
        return None
    draft.needs = [(line, need) for need in cells.get("needs", "").replace(";", " ").split()]
    draft.tags = cells.get("tags", "").split()
    draft.notes = [cells["notes"]] if cells.get("notes") else []
    unread = [name for name in DAYS if cells.get(name) and DAYS[name] not in draft.values]
    if (status := status_of(cells.get("status") or "todo")) is not None:
        draft.values["status"] = status
    else:
        unread.append("status")
    numbers = [cells.get(name, "").replace(",", ".") for name in _EFFORT]
    try:
        likely = float(numbers[1] or numbers[0] or numbers[2] or "x")
        draft.values["effort"] = Effort(float(numbers[0] or likely), likely, float(numbers[2] or likely))
    except ValueError:
        unread += [name for name in _EFFORT if cells.get(name)]
    amount, currency = cells.get("cost", "").replace(",", "."), cells.get("currency", "")
    try:
        if amount and currency:
            draft.values["cost"] = Money(Decimal(amount), currency)
        elif amount or currency:
            unread.append("cost" if amount else "currency")
    except InvalidOperation:
        unread.append("cost")
    cells["also"] = cells.get("also", "").replace(";", ",")
    said = ((name, field.read(cells[name])) for name, field in MORE.items() if cells.get(name))
    more = {name: value for name, value in said if value is not None}
    for name, value in more.items():
        field = MORE[name]
        draft.values |= zip(field.names, value if field.further else (value,), strict=True)
    if cells.get(EACH) == "yes":
        draft.values["each"] = True
    unread += [name for name in MORE if cells.get(name) and name not in more]
    for name in unread:
        draft.misfit(f"{name}: {cells.get(name, '')}", f"it does not fit the column {name}")
    draft.notes += [f"{name}: {cell}" for name, cell in cells.items() if name not in _KNOWN and cell]
    return draft


def step_of_task(line: int, task: Mapping[str, Any], own: Mapping[str, Any]) -> StepDraft | None:
    """Return the step of a task, and what ``own`` says in its metadata; what it needs has to be said by its caller."""
    draft = _draft(line, {**own, "title": task.get("title")}.get)
    if draft is None:
        return None
    draft.values["status"] = status_of(str(task.get("status"))) or "todo"
    described = task.get("description")
    if isinstance(described, str) and described != draft.title:
        draft.values.setdefault("outcome", described)
    if isinstance(task.get("testStrategy"), str) and task["testStrategy"]:
        draft.values.setdefault("check", task["testStrategy"])
    if (priority := task.get("priority")) in ("high", "low"):
        draft.values["priority"] = priority
    details = str(task.get("details") or "").removeprefix(f"Owner: {draft.values.get('owner', '')}").strip("\n")
    draft.notes = [details] if details else []
    with suppress(msgspec.ValidationError):
        draft.values["effort"] = Effort(*msgspec.convert(own.get("effort"), tuple[float, float, float]))
    return draft


def _draft(line: int, value: Callable[[str], Any]) -> StepDraft | None:
    title, name = str(value("title") or ""), str(value("id") or "")
    if not re.search(r"\w", title):
        return None
    draft = StepDraft(line, title, ids=[name] if name else [], workstream=str(value("workstream") or ""))
    draft.whole = str(value("parent") or "")
    draft.values = {key: text for key in _TEXTS if isinstance(text := value(key), str) and text}
    for key, field in DAYS.items():
        if isinstance(day := value(key), str) and iso_day(day) is not None:
            draft.values[field] = day
    return draft
