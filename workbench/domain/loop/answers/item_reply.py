"""A planner's answer by item: for each kind of items a list of those that are new or change, with what changes.

    {"steps": [{"id": "S3", "effort": {…}, "because": ["U7"]}, {"id": "new1", "title": "…", "needs": ["S3"]}],
     "remove": [{"id": "K2", "because": ["U9"]}], "statements": [{"id": "U7", "state": "used", "items": ["S3"]}]}

What is not named stays, byte for byte. The types of the lists are made of the items' own, so that no field can be
forgotten here: every one is optional, and null or left out means unchanged.
"""

from __future__ import annotations

from types import GenericAlias
from typing import Any

import msgspec

from workbench.domain.loop.asking.tasks import NOT_BY_ITEM, Prose, Removal, Replaced, StatementReply
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Fund,
    Item,
    Person,
    Place,
    Question,
    Risk,
    Row,
    Step,
    WorkingTime,
)

LISTS: dict[str, type[Item]] = {
    "criteria": Criterion, "constraints": Constraint, "scope": Bullet, "assumptions": Bullet, "notes": Bullet,
    "people": Person, "working_time": WorkingTime, "days_off": DaysOff, "places": Place, "funds": Fund,
    "decisions": Decision, "steps": Step, "timetable": Row, "risks": Risk, "questions": Question,
}  # fmt: skip
"""The kind of the items in each list of an answer, in the order in which they are put into a plan."""


def lists_of(item: Item) -> tuple[str, ...]:
    """Return the name of the list that an item is in; () for a line, of which the section says that."""
    return tuple(name for name, kind in LISTS.items() if type(item) is kind and kind is not Bullet)


def change_name(kind: type[Item]) -> str:
    """Return the name of the type that changes a kind of items."""
    return f"{kind.__name__}Change"


_FIELDS = {kind: msgspec.structs.fields(kind) for kind in dict.fromkeys(LISTS.values())}


def _change_type(kind: type[Item]) -> type[msgspec.Struct]:
    """Return the type of a change of one kind of items, or of a new one."""
    own = [
        (field.name, field.type | None, None)
        for field in _FIELDS[kind]
        if field.name != "id" and (field.name not in NOT_BY_ITEM or (kind, field.name) == (Step, "answers"))
    ]
    fields: list[Any] = [
        ("id", str),
        *own,
        ("because", tuple[str, ...], ()),
        ("clear", tuple[str, ...], ()),
        ("below", str, ""),
    ]
    return msgspec.defstruct(change_name(kind), fields, frozen=True, kw_only=True, module=__name__)


CHANGES: dict[type[Item], type[msgspec.Struct]] = {kind: _change_type(kind) for kind in _FIELDS}
"""The type that changes each kind of items."""

ABOUT: dict[str, str] = {
    "because": "What it is there for, or changes for: ids of statements (U1) and findings (V1), or path:line.",
    "clear": "Names of fields that are to be empty again; one that is left out stays as it is.",
    "below": "Id of the item that it stands behind.",
}
"""What the fields mean that every change has; ``id`` is explained in the prompt."""


_TEXTS: dict[str, frozenset[str]] = {
    name: frozenset(field.name for field in _FIELDS[kind] if field.default == "" or field.type == str | None)
    for name, kind in LISTS.items()
}
"""The texts in each list that may be empty."""


def clear_empty_texts(reply: dict[str, Any]) -> None:
    """Name texts that JSON gives as empty among what is cleared, in place: read as a value, they would be null."""
    for name, texts in _TEXTS.items():
        changes = reply.get(name)
        for change in changes if isinstance(changes, list) else ():
            empty = [field for field in texts if isinstance(change, dict) and change.get(field) == ""]
            if empty:
                named = change.get("clear") or []
                change["clear"] = [*([named] if isinstance(named, str) else named), *sorted(empty)]


def _reply_type() -> type[msgspec.Struct]:
    lists: list[Any] = [(name, GenericAlias(tuple, (CHANGES[kind], ...)), ()) for name, kind in LISTS.items()]
    fields: list[Any] = [
        ("title", str, ""),
        ("statements", tuple[StatementReply, ...], ()),
        ("replaced", tuple[Replaced, ...], ()),
        *lists,
        ("sections", tuple[Prose, ...], ()),
        ("remove", tuple[Removal, ...], ()),
        ("insights", tuple[str, ...], ()),
        ("show", tuple[str, ...], ()),
    ]
    return msgspec.defstruct("ItemReply", fields, bases=(_ItemReply,), frozen=True, kw_only=True, module=__name__)


class _ItemReply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer by item to PlanTask."""

    def changes(self) -> list[tuple[str, Any]]:
        """Return every change of an item, after the name of its list, in the order they are carried out."""
        return [(name, change) for name in LISTS for change in getattr(self, name)]


ItemReply: Any = _reply_type()
"""The type of an answer by item, with a field for each list and for ``title``, ``statements``, ``replaced``,
``sections``, ``remove`` and ``insights``."""

ANSWERS = "Ids of criteria (C1) and constraints (K1) that it meets: of all steps, only those that answer a day have to \
end by it."
"""What the field of a step means."""
ABOUT_REPLY: dict[str, str] = {
    "title": "The plan's title; empty: as it is.",
    "statements": "What became of open statements that no item names in ``because``.",
    "replaced": "Words of earlier statements that later ones replace.",
    "sections": "Prose sections that are new or change, each whole.",
    "remove": "Items that go.",
    "insights": "What the next round should know and the plan does not say, in at most three sentences.",
    "show": "What you have to see first, ids of items or names of lists (``risks``): answer with nothing else "
    "then, and you are asked again.",
}
"""What the fields of an answer mean."""
