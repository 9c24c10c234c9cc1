"""A person's edit of a version that is not the newest: their operations are carried over to the plan as it is now.

    base ─ the person's operations ─▶ edited                    carried_over ─▶ what they are on the plan of now
      └─── what was done since ─────▶ now                                    └▶ what they override, what has no place

What a person said goes before what a round did, and nothing is dropped silently.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.changing.history import beside_what_is_left
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    MoveItem,
    Operation,
    RemoveItem,
    RemoveSection,
    SetField,
    SetSection,
    SetTitle,
    applied,
    operations_between,
)
from workbench.domain.plan.plan import Item, Plan, Step


class CarriedOver(Struct, frozen=True):
    """What a person's operations come to on another plan."""

    operations: tuple[Operation, ...]
    """That can be carried out, in order."""
    overridden: tuple[Operation, ...]
    """What was done since that these take back: both set the same thing."""
    unplaced: tuple[Operation, ...]
    """The person's that have no place any more: what they change is gone."""


def carried_over(base: Plan, edit: Sequence[Operation], now: Plan) -> CarriedOver:
    """Return what operations on one plan come to on a later one."""
    since = operations_between(base, now)
    wanted = {_target(one): one for one in edit if _target(one)}
    overridden = tuple(one for one in since if _target(one) in wanted and one != wanted[_target(one)])
    names = _free_names(edit, now)
    done: list[Operation] = []
    unplaced: list[Operation] = []
    before, plan = base, now
    for original in edit:
        operation = beside_what_is_left(_renamed(original, names), before, plan)
        before = applied(before, (original,))
        try:
            plan = applied(plan, (operation,))
        except PlanUnsound:
            if not isinstance(operation, RemoveItem | RemoveSection):  # what is gone need not be removed again
                unplaced.append(original)
        else:
            done.append(operation)
    return CarriedOver(tuple(done), overridden, tuple(unplaced))


def _target(operation: Operation) -> tuple[str, ...]:
    """Return what an operation gives a value to; () if it does something else."""
    match operation:
        case SetField(item, field, _):
            return ("field", item, field)
        case SetSection(section, field, _):
            return ("section", section, field)
        case SetTitle():
            return ("title",)
        case _:
            return ()


def _free_names(edit: Sequence[Operation], now: Plan) -> dict[str, str]:
    """Return other ids for added items whose ids were given to something else since."""
    taken = {item.id for item in now.items}
    added = [item.id for one in edit for item in _added(one)]
    names: dict[str, str] = {}
    for name in added:
        if name in taken:
            known = (one for one in (*taken, *added, *names.values()) if one[:1] == name[:1] and one[1:].isdecimal())
            names[name] = f"{name[:1]}{max((int(one[1:]) for one in known), default=0) + 1}"
    return names


def _added(operation: Operation) -> tuple[Item, ...]:
    match operation:
        case AddItem():
            return (operation.item,)
        case AddSection(section):
            return section.items
        case _:
            return ()


def _renamed(operation: Operation, names: dict[str, str]) -> Operation:
    """Return an operation that speaks of added items by the ids that they got."""
    match operation:
        case AddItem(_, item, after):
            return replace(operation, item=_item_renamed(item, names), after=names.get(after, after))
        case AddSection(section):
            items = tuple(_item_renamed(item, names) for item in section.items)
            return replace(operation, section=replace(section, items=items))
        case SetField(item, "needs", needs) if needs:
            return replace(operation, item=names.get(item, item), value=[names.get(need, need) for need in needs])
        case SetField(item) | RemoveItem(item):
            return replace(operation, item=names.get(item, item))
        case MoveItem(item, _, after):
            return replace(operation, item=names.get(item, item), after=names.get(after, after))
        case _:
            return operation


def _item_renamed(item: Item, names: dict[str, str]) -> Item:
    item = replace(item, id=names.get(item.id, item.id))
    if isinstance(item, Step):
        item = replace(item, needs=tuple(names.get(need, need) for need in item.needs))
    return item
