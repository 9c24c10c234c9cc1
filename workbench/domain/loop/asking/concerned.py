"""Which items a prompt shows if not the whole plan is needed: those in question, and what hangs together with them.

findings, changes, what was asked for ─▶ ids ─▶ what they need and what needs them, their decisions, everybody's time
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date

from msgspec.structs import replace

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import DaysOff, Item, Plan, Step, WorkingTime, name_key
from workbench.domain.text.patterns import lazy_pattern

_ID = lazy_pattern(r"\b[A-Z][0-9]{1,4}\b", re.ASCII)
_FIRST = 6
"""Steps that begin first, of which the executor is told."""


def named_in(findings: Iterable[Finding]) -> set[str]:
    """Return the ids that findings name, in whatever field."""
    texts = (text for one in findings for text in (one.item or "", one.section or "", one.text, one.remedy))
    return {name for text in texts for name in _ID.findall(text)}


def changed_items(old: Plan, new: Plan) -> set[str]:
    """Return the items that are new, gone or different, wherever they come from and whatever dates follow."""
    before, after = ({item.id: _comparable_item(item) for item in plan.items} for plan in (old, new))
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def moved(old: Plan, new: Plan) -> set[str]:
    """Return the steps that are different and have other dates than before."""
    before = {step.id: (step.start, step.end) for step in old.steps}
    return {step.id for step in new.steps if before.get(step.id) != (step.start, step.end)} & changed_items(old, new)


def _comparable_item(item: Item) -> Item:
    item = replace(item, origin=None, causes=())
    return replace(item, start=None, end=None) if isinstance(item, Step) else item


def in_plan(plan: Plan, ids: Collection[str]) -> tuple[str, ...]:
    """Return the ids that items of a plan have, in its order."""
    return tuple(item.id for item in plan.items if item.id in ids)


def times(plan: Plan, ids: Collection[str]) -> tuple[str, ...]:
    """Return when work is done, and the people who own some steps."""
    owners = {name_key(owner) for step in plan.steps if step.id in ids for owner in step.owners}
    people = {item.id for item in plan.people if name_key(item.text) in owners}
    return in_plan(plan, people.union(item.id for item in plan.items if isinstance(item, WorkingTime | DaysOff)))


def around(plan: Plan, ids: Collection[str]) -> tuple[str, ...]:
    """Return what hangs together with some items: what they need, what needs them, and the steps of a person."""
    named = {name_key(item.text) for item in plan.people if item.id in ids}
    wanted: set[str] = set()
    for step in plan.steps:
        linked = {*step.needs, *step.decisions, step.parent, step.place}
        if step.id in ids:
            wanted |= linked
        elif not linked.isdisjoint(ids) or not named.isdisjoint(map(name_key, step.owners)):
            wanted.add(step.id)
    return in_plan(plan, wanted.difference(ids))


def first_steps(plan: Plan) -> tuple[str, ...]:
    """Return the steps that can start first and those that cannot slip, in the order of the plan."""
    told = figures(plan)
    open_ones = [one for one in told.steps if one.status not in ("done", "dropped")]
    first = sorted((one for one in open_ones if one.start), key=lambda one: one.start or date.max)[:_FIRST]
    chosen = {*(one.step for one in first), *told.critical_path, *(one.step for one in open_ones if one.start is None)}
    return tuple(step.id for step in plan.steps if step.id in chosen)
