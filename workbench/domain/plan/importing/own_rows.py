"""Steps that this workbench wrote as rows of CSV, or as tasks of ``tasks.json``: they are read back as they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

import msgspec

from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.plan import Effort, Money, Status

COLUMNS = frozenset({"id", "title", "low", "likely", "high", "start", "end", "needs", "workstream", "outcome", "check"})
"""Heads that a table of ours has at least."""
SAID = frozenset({"id", "title", "owner", "workstream", "outcome", "check", "tags", "notes"})
"""Heads of columns whose cells are in the plan word for word; the others are values."""
KEY = "workbench"
"""Key of a task's ``metadata`` below which stands what Task Master has no field for."""
_TEXTS = ("owner", "outcome", "check")
_DAYS = {
    "start": "start", "end": "end", "not before": "not_before", "not_before": "not_before", "on": "on",
    "deadline": "deadline", "started": "started", "finished": "finished",
}  # fmt: skip
_QUOTED_FORMULA = re.compile(r"'(?=[=+\-@\t\r])")
_TASK_STATUS: dict[str, Status] = {
    "pending": "todo", "in-progress": "under-way", "deferred": "waiting", "done": "done", "cancelled": "dropped",
}  # fmt: skip


def is_own_table(heads: list[str]) -> bool:
    """Tell whether a table has the columns of ours."""
    return {head.strip().casefold() for head in heads} >= COLUMNS


def step_of_row(line: int, row: Mapping[str, str]) -> StepDraft | None:
    """Return the step of a row by the heads of its columns; None for one without a title."""
    cells = {name.strip().casefold(): _QUOTED_FORMULA.sub("", cell, count=1) for name, cell in row.items()}
    draft = _draft(line, cells.get)
    if draft is None:
        return None
    draft.needs = [(line, need) for need in cells.get("needs", "").split()]
    draft.tags = cells.get("tags", "").split()
    draft.notes = [cells["notes"]] if cells.get("notes") else []
    if cells.get("status", "todo") in get_args(Status):
        draft.values["status"] = cells.get("status", "todo")
    else:
        draft.notes.append(f"status: {cells['status']}")
    with suppress(ValueError):
        low, likely, high = (float(cells.get(name, "")) for name in ("low", "likely", "high"))
        draft.values["effort"] = Effort(low, likely, high)
    with suppress(InvalidOperation):
        if cells.get("currency"):
            draft.values["cost"] = Money(Decimal(cells.get("cost", "")), cells["currency"])
    known = {"id", "title", "status", "low", "likely", "high", "needs", "workstream", "parent", "cost", "currency"}
    known |= {"tags", "notes", *_TEXTS, *_DAYS}
    draft.notes += [f"{name}: {cell}" for name, cell in cells.items() if name not in known and cell]
    return draft


def step_of_task(line: int, task: Mapping[str, Any], own: Mapping[str, Any]) -> StepDraft | None:
    """Return the step of a task, and what ``own`` says in its metadata; what it needs has to be said by its caller."""
    draft = _draft(line, {**own, "title": task.get("title")}.get)
    if draft is None:
        return None
    draft.values["status"] = _TASK_STATUS.get(str(task.get("status")), "todo")
    described = task.get("description")
    if isinstance(described, str) and described != draft.title:
        draft.values.setdefault("outcome", described)
    if isinstance(task.get("testStrategy"), str) and task["testStrategy"]:
        draft.values.setdefault("check", task["testStrategy"])
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
    for key, field in _DAYS.items():
        if isinstance(day := value(key), str) and re.fullmatch(r"\d{4}-\d\d-\d\d", day):
            draft.values[field] = day
    return draft
