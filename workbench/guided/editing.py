"""Small changes to a plan as a value: an item put in, replaced, taken out; ids that are never used twice.

plan ──put_item · replace_item · drop_item──▶ plan ──settled──▶ plan with dates, schedule and first actions that fit
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.plan import Answering, Constraint, Decision, Item, Plan, Section, Step
from workbench.guided.rendering import actions_section, first_day, next_number, schedule_section
from workbench.guided.timing import scheduled, times_of


def next_id(plan: Plan, letter: str) -> str:
    """Return an id that neither stands in the plan nor is spoken of in it: a removed id is never given again."""
    return f"{letter}{next_number(plan, letter)}"


def item_of(plan: Plan, item_id: str) -> Item | None:
    """Return the item with this id."""
    return next((item for item in plan.items if item.id == item_id), None)


def put_item(plan: Plan, section_id: str, item: Item, *, title: str = "", before: str = "") -> Plan:
    """Return the plan with an item at the end of a section, or before another item; the section is made if missing."""
    section = plan.section(section_id)
    if section is None:
        made = Section(id=section_id, title=title or section_id.capitalize(), items=(item,))
        return msgspec.structs.replace(plan, sections=(*plan.sections, made))
    items = list(section.items)
    place = next((at for at, other in enumerate(items) if other.id == before), len(items))
    items.insert(place, item)
    return with_section(plan, msgspec.structs.replace(section, items=tuple(items)))


def replace_item(plan: Plan, item: Item) -> Plan:
    """Return the plan with the item of this id replaced."""
    return msgspec.structs.replace(
        plan,
        sections=tuple(
            msgspec.structs.replace(
                section, items=tuple(item if other.id == item.id else other for other in section.items)
            )
            if any(other.id == item.id for other in section.items)
            else section
            for section in plan.sections
        ),
    )


def drop_item(plan: Plan, item_id: str) -> Plan:
    """Return the plan without an item."""
    return msgspec.structs.replace(
        plan,
        sections=tuple(
            msgspec.structs.replace(section, items=tuple(other for other in section.items if other.id != item_id))
            if any(other.id == item_id for other in section.items)
            else section
            for section in plan.sections
        ),
    )


def with_section(plan: Plan, section: Section) -> Plan:
    """Return the plan with a section replaced."""
    return msgspec.structs.replace(
        plan, sections=tuple(section if other.id == section.id else other for other in plan.sections)
    )


def with_steps(plan: Plan, steps: Mapping[str, Step]) -> Plan:
    """Return the plan with the steps of these ids replaced."""
    for step in steps.values():
        if item_of(plan, step.id) != step:
            plan = replace_item(plan, step)
    return plan


def log_decision(plan: Plan, text: str, reason: str, answers: tuple[str, ...] = ()) -> Plan:
    """Return the plan with a line more in its decision log."""
    entry = Decision(id=next_id(plan, "D"), text=text, reason=reason, answers=answers)
    return put_item(plan, "decisions", entry, title="Decision log")


def without_mention(plan: Plan, item_id: str) -> Plan:
    """Return the plan in which no item answers an item that has gone, and no check speaks of it."""
    for item in plan.items:
        if isinstance(item, Answering) and item_id in item.answers:
            kept = tuple(answer for answer in item.answers if answer != item_id)
            changed = msgspec.structs.replace(item, answers=kept)
            if isinstance(changed, Step):
                changed = msgspec.structs.replace(changed, check=without_addition(changed.check, item_id))
            plan = replace_item(plan, changed)
    return plan


def without_addition(check: str, constraint: str) -> str:
    """Return a check without what was added to it for a constraint."""
    return re.sub(rf";? ?{re.escape(constraint)} is kept: “[^”]*”(?:, \d{{4}}-\d\d-\d\d)?", "", check)


def renewed_addition(step: Step, old: Constraint, new: Constraint) -> Step:
    """Return a step whose check quotes a constraint as it is worded now."""
    bare_old, bare_new = (re.sub(r"\s*\(\d{4}-\d\d-\d\d\)", "", one.text) for one in (old, new))
    day = re.search(r"\((\d{4}-\d\d-\d\d)\)", new.text)
    check = step.check.replace(f"{old.id} is kept: “{bare_old}”", f"{new.id} is kept: “{bare_new}”")
    if day is not None:
        check = re.sub(rf"({re.escape(new.id)} is kept: “[^”]*”), \d{{4}}-\d\d-\d\d", rf"\1, {day[1]}", check)
    return msgspec.structs.replace(step, check=check)


def settled(
    before: Plan,
    after: Plan,
    *,
    today: date,
    deadline: date | None,
    first_things: Mapping[str, str],
    start: date | None = None,
) -> Plan:
    """Return a plan whose dates, schedule and first actions follow from its steps again.

    Where neither steps nor deadline changed nothing is touched, and estimates never are. Steps that cannot be scheduled
    (they wait for one another) keep their dates, for the checks to speak of.
    """
    if after.steps == before.steps and start is None and after.section("constraints") == before.section("constraints"):
        return after
    begin = start or first_day(before) or first_day(after) or today
    try:
        dated, _ = scheduled(after.steps, begin, deadline, times_of(after))
        plan = with_steps(after, {step.id: step for step in dated})
        return with_what_follows(plan, deadline, first_things, today)
    except PlanUnsound:
        return after


def with_what_follows(plan: Plan, deadline: date | None, first_things: Mapping[str, str], today: date) -> Plan:
    """Return a plan whose schedule in words and first actions follow from its dates."""
    old = plan.section("schedule")
    if old is not None and plan.steps:
        said = next((line for line in old.text.split("\n\n") if line.startswith("To fit the time there is")), "")
        new = schedule_section(plan, deadline, said)
        plan = with_section(plan, msgspec.structs.replace(old, text=new.text))
    actions = plan.section("actions")
    if actions is not None:
        plan = with_section(plan, actions_section(plan, first_things, today, actions))
    return plan
