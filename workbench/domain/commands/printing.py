"""Changes of a plan as commands, each of which reads back as the same operation.

    a plan, and one in which S3 has another deadline  ──commands_between──▶  S3 by 2027-05-03

Several forms are tried, the plainest first. Where the plainest does more or less than was asked, as the removal of a
step that others need, the commands after it set what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from workbench.domain.commands.errors import Misread
from workbench.domain.commands.grammar import FIELDS
from workbench.domain.commands.naming import quoted
from workbench.domain.commands.parsing import carried_out
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    MoveItem,
    MoveSection,
    Operation,
    RemoveItem,
    RemoveSection,
    SetField,
    SetSection,
    SetTitle,
    applied,
    operations_between,
)
from workbench.domain.plan.plan import Effort, Item, Plan, Row, wording

_ANY_DAY = date(2000, 1, 1)
"""Nothing that is printed is counted from today."""
_OWN_WORDS = {"deadline": "by", "due": "by", "latest": "by", "on": "on", "not_before": "not before", "cost": "cost",
    "parent": "under"}  # fmt: skip
"""Fields with a keyword of their own, after which a value stands without quotes."""


def commands_between(before: Plan, after: Plan) -> tuple[str, ...]:
    """Return commands that make the one plan of the other. Raises PlanUnsound if an id stands twice in a plan."""
    return tuple(_commands(before, after))


def _commands(plan: Plan, wanted: Plan) -> Iterator[str]:
    """Yield a command for each operation; after one that did more or less than its own, ask again what is left."""
    operations = list(operations_between(plan, wanted))
    while operations:
        operation = operations.pop(0)
        form, made, is_exact = _plainest_command(operation, plan, wanted)
        if not is_exact and operation in (operations := list(operations_between(made, wanted))):
            raise PlanUnsound(f"No command says {type(operation).__name__}.", "Edit the plan's Markdown.")
        yield form
        plan = made


def _plainest_command(operation: Operation, plan: Plan, wanted: Plan) -> tuple[str, Plan, bool]:
    """Return the plainest command that does it, the plan after it, and whether it did that and nothing else.

    Where none does, the last that is read. Where none is read, what it would be.
    """
    form, last, after = "", plan, applied(plan, (operation,))
    exact = operations_between(plan, after)  # equal amounts may be written in several ways
    for form in _forms(operation, wanted):
        if (made := _after(form, plan)) is not None:
            last = made
            if made == after and operations_between(plan, made) == exact:
                return form, made, True
    return form, last, False


def _after(form: str, plan: Plan) -> Plan | None:
    """Return the plan after a command; None if it is none."""
    try:
        return carried_out(form, plan, _ANY_DAY, explains=False).plan
    except Misread:
        return None


def _forms(operation: Operation, after: Plan) -> Iterator[str]:
    """Yield ways to say an operation, the plainest first."""
    match operation:
        case SetField(name):
            item = next(item for item in after.items if item.id == name)
            yield from _set_field(item, operation)
        case AddItem(section, item, before):
            day = f" day {quoted(item.day)}" if isinstance(item, Row) else ""
            yield f"add {item.id} {quoted(wording(item) or '?')} {_place(before, section)}{day}"
        case RemoveItem(name):
            yield f"remove {name}"
        case MoveItem(name, section, before):
            yield from () if before else (f"move {name} first",)
            yield f"move {name} {_place(before, section)}"
        case AddSection(section, before):
            yield f"add section {section.id} {quoted(section.title)} {_section_place(before)}"
        case RemoveSection(name):
            yield f"remove section {name}"
        case MoveSection(name, before):
            yield f"move section {name} {_section_place(before)}"
        case SetSection(name, field, value):
            yield f"section {name} {field} {quoted(value)}"
        case SetTitle(value):
            yield f"plan title {quoted(value)}"


def _place(before: str, section: str) -> str:
    return f"below {before}" if before else f"below section {section}"


def _section_place(before: str) -> str:
    return f"below section {before}" if before else "first"


def _set_field(item: Item, operation: SetField) -> Iterator[str]:
    name, value = operation.field, operation.value
    if name in ("title", "text"):
        yield f"{item.id} title {quoted(value or '')}"
    if name == "owner" and value:
        yield f"{item.id} owner {quoted(value)}"
    field = next((one for one in FIELDS[type(item)].values() if name in one.names), None)
    text = field.text_of(item) if field else ""
    if name in _OWN_WORDS and text:
        yield f"{item.id} {_OWN_WORDS[name]} {text}"
    if isinstance(effort := getattr(item, "effort", None), Effort) and name == "effort":
        parts = dict.fromkeys(f"{part:g}" for part in (effort.low, effort.likely, effort.high))
        yield f"{item.id} effort {'-'.join(parts)}d"
    if field and text:
        yield f"{item.id} {field.label.lower()} {quoted(text)}"
        yield f"{item.id} set {field.label.lower()} {quoted(text)}"
    elif field:
        yield f"{item.id} clear {field.label.lower()}"
    if isinstance(value, list | dict):
        yield f"{item.id} set {name} {quoted(msgspec.json.encode(value).decode())}"
