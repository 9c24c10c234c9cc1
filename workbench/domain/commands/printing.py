"""Changes of what stands in a plan as commands, each of which reads back as the same operation.

    SetField("S3", "deadline", "2027-05-03")  ──printed──▶  S3 by 2027-05-03

Several forms are tried, the plainest first. What none of them says, as a new item or another
order of sections, is printed as nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from workbench.domain.commands.errors import Misread
from workbench.domain.commands.naming import quoted
from workbench.domain.commands.parsing import carried_out
from workbench.domain.plan.markdown.fields import FIELDS
from workbench.domain.plan.operations import (
    MoveItem,
    Operation,
    RemoveItem,
    SetField,
    applied,
)
from workbench.domain.plan.plan import Effort, Item, Plan

_ANY_DAY = date(2000, 1, 1)
"""Nothing that is printed is counted from today."""
_OWN_WORDS = {"deadline": "by", "due": "by", "latest": "by", "on": "on", "not_before": "not before", "cost": "cost",
    "duration": "duration", "parent": "under"}  # fmt: skip
"""Fields with a keyword of their own, behind which a value stands without quotes."""


def printed(operation: Operation, plan: Plan) -> str:
    """Return an operation on a plan as a command; "" for one that no command says.

    Raises PlanUnsound for an operation that does not fit the plan.
    """
    after = applied(plan, (operation,))
    forms = (form for form in _forms(operation, plan, after) if _reads_back(form, plan, after))
    return next(forms, "")


def _reads_back(form: str, plan: Plan, after: Plan) -> bool:
    try:
        return carried_out(form, plan, _ANY_DAY, explains=False).plan == after
    except Misread:
        return False


def _forms(operation: Operation, plan: Plan, after: Plan) -> Iterator[str]:
    """Yield ways to say an operation, the plainest first."""
    match operation:
        case SetField(name):
            item, changed = (next(item for item in one.items if item.id == name) for one in (plan, after))
            yield from _set_field(item, changed, operation)
        case RemoveItem(name):
            yield f"remove {name}"
        case MoveItem(name, _, before):
            yield f"move {name} {_place(before)}"


def _place(before: str) -> str:
    return f"below {before}" if before else "first"


def _set_field(item: Item, after: Item, operation: SetField) -> Iterator[str]:
    name, value = operation.field, operation.value
    if name in ("title", "text") and value:
        yield f"{item.id} title {quoted(value)}"
    if name == "owner" and value:
        yield f"{item.id} owner {quoted(value)}"
    field = next((one for one in FIELDS[type(item)].values() if name in one.names), None)
    text = field.of(after) if field else ""
    if name in _OWN_WORDS and text:
        yield f"{item.id} {_OWN_WORDS[name]} {text}"
    if isinstance(effort := getattr(after, "effort", None), Effort) and name == "effort":
        parts = dict.fromkeys(f"{part:g}" for part in (effort.low, effort.likely, effort.high))
        yield f"{item.id} effort {'-'.join(parts)}d"
    if field and text:
        yield f"{item.id} {field.label.lower()} {quoted(text)}"
        yield f"{item.id} set {field.label.lower()} {quoted(text)}"
    elif field:
        yield f"{item.id} clear {field.label.lower()}"
