"""What this workbench wrote, read back as it was: Markdown and JSON, rows of CSV, tasks of ``tasks.json``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from workbench.domain.plan.importing.drafts import StepDraft
from workbench.domain.plan.importing.imported import Fate, FateKind, Imported
from workbench.domain.plan.importing.items_json import is_of_items, plan_of_items
from workbench.domain.plan.importing.lines.values import day_of, status_of
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.markdown.fields import DATES, FIELDS, OTHER_LABELS, number
from workbench.domain.plan.markdown.grammar import CALCULATED, END, FIELD, FIELD_SEPARATOR, LETTERS, NUMBERED
from workbench.domain.plan.markdown.reading import lines_about
from workbench.domain.plan.markdown.values import said_in
from workbench.domain.plan.plan import Effort, Item, Money, Person, Plan, Step
from workbench.domain.plan.scheduling.calendar import day_of as iso_day
from workbench.domain.plan.scheduling.step_days import first_day, last_day
from workbench.domain.text.cleaning import clean_json, shorten
from workbench.domain.text.patterns import lazy_pattern

COLUMNS = frozenset({"id", "title", "low", "likely", "high", "start", "end", "needs", "workstream", "outcome", "check"})
"""Heads that a table of ours has at least."""
SAID = frozenset({"id", "title", "owner", "workstream", "outcome", "check", "tags", "notes"})
"""Heads of columns whose cells are in the plan word for word; the others are values."""
KEY = "workbench"
"""Key of a task's ``metadata`` below which stands what Task Master has no field for."""
EFFORT, EACH = ("low", "likely", "high"), "each"
"""Heads of the columns of an effort, and of the one that says that it is each owner's."""
BY_HEAD = {
    field.label.casefold().replace("part of", "parent"): field
    for field in FIELDS[Step].values()
    if field.name not in {"effort", "cost", "origin"}
}
"""The other fields of a step, by the heads of their columns; effort and cost have several."""
DAYS = {head: field.name for head, field in BY_HEAD.items() if field.name in DATES} | {"not_before": "not_before"}
"""Heads of columns of dates, by the fields that they are."""
_KNOWN = frozenset({"id", "title", "cost", "currency", EACH, *EFFORT, *BY_HEAD, *DAYS})
"""Heads of all columns that a table of ours can have."""
_SELDOM_ELSEWHERE = frozenset({"not before", "on", "wait", "also", "likely"})
"""Heads that tables of other tools seldom have."""
_OF_DRAFTS = frozenset({"needs", "tags", "notes", "workstream", "parent", "status"})
"""Heads whose cells are read in a way of their own."""


def is_own_table(heads: list[str]) -> bool:
    """Tell whether a table has the columns of ours, or some of them and no others, in any order."""
    found = {head.strip().casefold() for head in heads}
    return found >= COLUMNS or ("title" in found and found <= _KNOWN and not found.isdisjoint(_SELDOM_ELSEWHERE))


def cells_of(step: Step) -> dict[str, str]:
    """Return what a step says, by the heads of columns; the days are those on which it was, or is to be."""
    effort, cost = step.effort, step.cost
    days = [number(days) for days in (effort.low, effort.likely, effort.high)] if effort else [""] * 3
    cells = {head: field.text_of(step) for head, field in BY_HEAD.items() if head not in ("started", "finished")}
    cells |= {"id": step.id, "title": step.title, "status": step.status, **dict(zip(EFFORT, days, strict=True))}
    cells |= {"start": first_day(step) or "", "end": last_day(step) or "", "tags": " ".join(step.tags)}
    cells |= {} if step.lags else {"needs": " ".join(step.needs)}
    cells |= {"cost": str(cost.amount) if cost else "", "currency": cost.currency if cost else ""}
    return cells | {EACH: "yes" if step.each else ""}


def step_of_row(line: int, row: Mapping[str, str], today: date, *, month_first: bool = False) -> StepDraft | None:
    """Return the step of a row by the heads of its columns; None for one without a title.

    Dates and numbers are read as spreadsheets write them, too: 12.03.2026 and 2,5. ``month_first``: as in 05/17/2026.
    """
    cells = {name.strip().casefold(): cell for name, cell in row.items() if cell}
    cells |= {name: day for name in DAYS if (day := day_of(cells.get(name, ""), today, month_first=month_first))}
    if not re.search(r"\w", cells.get("title", "")):
        return None
    draft = StepDraft(line, cells["title"], ids=[cells["id"]] if "id" in cells else [])
    draft.workstream, draft.whole = cells.get("workstream", ""), cells.get("parent", "")
    needs, draft.lags[:] = FIELDS[Step]["Needs"].read(cells.get("needs", "").replace(";", ",")) or ((), ())
    draft.needs = [(line, need) for need in needs]
    draft.tags = cells.get("tags", "").split()
    draft.notes = [cells["notes"]] if "notes" in cells else []
    unread = ["needs"] if "needs" in cells and not needs else []
    for head, name in ((head, head.replace("_", " ")) for head in cells):
        if name not in BY_HEAD or name in _OF_DRAFTS:
            continue
        field, cell = BY_HEAD[name], cells[head].replace(";", ",") if name == "also" else cells[head]
        value = None if name in DAYS and iso_day(cell) is None else field.read(cell)
        if value is None:
            unread.append(head)
        else:
            draft.values |= zip(field.names, value if field.further else (value,), strict=True)
    if cells.get(EACH) == "yes":
        draft.values["each"] = True
    if (status := status_of(cells.get("status") or "todo")) is not None:
        draft.values["status"] = status
    else:
        unread.append("status")
    numbers = [cells.get(name, "").replace(",", ".") for name in EFFORT]
    try:
        likely = float(numbers[1] or numbers[0] or numbers[2] or "x")
        draft.values["effort"] = Effort(float(numbers[0] or likely), likely, float(numbers[2] or likely))
    except ValueError:
        unread += [name for name in EFFORT if name in cells]
    try:
        if "cost" in cells and "currency" in cells:
            draft.values["cost"] = Money(Decimal(cells["cost"].replace(",", ".")), cells["currency"])
        else:
            unread += [name for name in ("cost", "currency") if name in cells]
    except InvalidOperation:
        unread.append("cost")
    for name in unread:
        draft.misfit(f"{name}: {cells[name]}", f"it does not fit the column {name}")
    draft.notes += [f"{name}: {cell}" for name, cell in cells.items() if name not in _KNOWN]
    return draft


def as_text(value: Any) -> str:
    """Return a value of a task as a field of another tool, which ``as_value`` makes the same value again."""
    return value if isinstance(value, str) and as_value(value) == value else json.dumps(value, ensure_ascii=False)


def as_value(text: str) -> Any:
    """Return what a text was in a task: numbers and lists are written as in JSON, other texts as they are."""
    with suppress(ValueError, RecursionError):
        if json.dumps(value := json.loads(text), ensure_ascii=False) == text:
            return value
    return text


def step_of_task(line: int, task: Mapping[str, Any], own: Mapping[str, Any], today: date) -> StepDraft | None:
    """Return the step of a task, and what ``own`` says in its metadata; what it needs has to be said by its caller."""
    said = {key: text for key, text in task.items() if isinstance(text, str) and text}
    row = {name: text for name, text in own.items() if isinstance(text, str)}
    row = {"outcome": said.get("description", ""), "check": said.get("testStrategy", "")} | row
    row |= {"title": said.get("title", ""), "status": said.get("status", "")}
    row |= {"priority": said["priority"]} if said.get("priority") in ("high", "low") else {}
    if isinstance(effort := own.get("effort"), list):  # of a file from before December 2026
        row |= zip(EFFORT, map(str, effort), strict=False)
    if (draft := step_of_row(line, row, today)) is None:
        return None
    if "other" in draft.values:  # which is in the task, too
        draft.values["other"] = {
            key: as_text(task[key]) if key in task and key not in ("status", "priority") else text
            for key, text in draft.values["other"].items()
        }
    details = said.get("details", "").removeprefix(f"Owner: {draft.values.get('owner', '')}").strip("\n")
    draft.notes = [details] if details else []
    return draft


_ITEM = lazy_pattern(r"[-*+] +(?P<id>[A-Z]\d{1,9}) ·(?:\s|$)")


def is_own(lines: Sequence[str]) -> bool:
    """Tell whether Markdown was written by this workbench: items with ids below sections, or our mark of the end."""
    return END in lines or (any(line.startswith("## ") for line in lines) and any(map(_item_of, lines)))


def _item_of(line: str) -> str:
    match = _ITEM.match(line)
    numbered = NUMBERED.fullmatch(match["id"]) if match else None
    return match["id"] if match and numbered and numbered[1] in LETTERS else ""


def read_own(text: str, lines: Sequence[str], base: Plan) -> Imported:
    """Return the plan of our own Markdown; ``base`` is the plan it was written from, or an empty one.

    Raises UsageError if it holds more than a plan may.
    """
    plan = from_markdown(text, base)
    fates = tuple(_fates(lines, plan))
    unread = (fate for fate, line in zip(fates, lines, strict=True) if fate.kind == "prose" and line[:1].isspace())
    return Imported(
        plan=plan,
        format="workbench",
        lines=fates,
        guesses=tuple(
            f"line {fate.line} is no field of {fate.of}, and kept as it is: {shorten(lines[fate.line - 1].strip(), 60)}"
            for fate in unread
        )
        + tuple(
            f"line {fate.line}: {text} counts with its upper end"
            for fate in fates
            if fate.kind == "field"
            for text in _ranges(lines[fate.line - 1])
        ),
        given_ids=frozenset(item.id for item in plan.items),
    )


def _ranges(line: str) -> Iterator[str]:
    """Yield the ranges of time in a line of fields that have one length each."""
    for field in filter(None, map(FIELD.fullmatch, FIELD_SEPARATOR.split(line.strip().lstrip("-*+ ")))):
        if OTHER_LABELS[Step].get(field[1], field[1]) in ("Wait", "Duration", "Needs"):
            for text in field[2].split(","):
                length = said_in("SPAN", said := text.rpartition("+")[2].strip())
                if length and length.up_to is not None:
                    yield said


def read_own_json(text: str, lines: Sequence[str]) -> Imported | None:
    """Return the plan in our own JSON: of a session, of a plan, or items by kind; None for other JSON."""
    notes: tuple[str, ...] = ()
    try:
        value = clean_json(json.loads(text))
        if is_of_items(value):
            plan, notes = plan_of_items(value)
        else:
            value = value["plan"] if str(value["schema"]).startswith("workbench.session/") else value
            if not str(value["schema"]).startswith("workbench.plan/"):
                return None
            plan = msgspec.convert({"title": value["title"], "sections": value["sections"]}, Plan)
    except (ValueError, LookupError, TypeError, RecursionError, msgspec.ValidationError):
        return None
    return Imported(
        plan=plan,
        format="workbench",
        lines=tuple(Fate(line=at, kind="field" if line.strip() else "blank") for at, line in enumerate(lines, start=1)),
        guesses=notes,
        given_ids=frozenset(item.id for item in plan.items),
    )


def _words(item: Item) -> str:
    """Return where an item keeps what fits no field."""
    return item.notes if isinstance(item, Step) else item.role if isinstance(item, Person) else item.text


def _fates(lines: Sequence[str], plan: Plan) -> Iterator[Fate]:
    steps = {item.id for item in plan.items if isinstance(item, Step)}
    ids = {item.id for item in plan.items}
    sections = iter(plan.sections)
    words = {one.id: _words(one).split("\n") for one in plan.items}
    for home in plan.sections:
        for person in (one for one in home.items if isinstance(one, Person)):
            words[person.id] += lines_about(home, person)
    section, item, ended = "", "", False
    for at, line in enumerate(lines, start=1):
        ended = ended or line.rstrip() == END
        kind: FateKind = "prose"
        of = section
        name = _item_of(line)
        if not line.strip() or ended or line.rstrip().endswith(CALCULATED):
            kind, of = "blank", ""
        elif re.match(r"#{1,2}(?:\s|$)", line):
            kind, of, item = "heading", "", ""
            if line.startswith("##"):
                section = next((one.id for one in sections), section)
        elif name in ids and name:
            item = name
            kind, of = ("step" if name in steps else "item"), name
        elif item and line[:1].isspace():
            bullet = re.fullmatch(r"\s+[-*+] +(.*)", line.rstrip())
            pieces = FIELD_SEPARATOR.split(bullet[1]) if bullet else ()
            kind, of = ("prose" if any(piece in words[item] for piece in pieces) else "field"), item
        elif line.startswith("### "):
            kind, of = "heading", ""
        yield Fate(line=at, kind=kind, of=of)
