"""Plans as the tests need them: drafted from a template, and changed by hand."""

from __future__ import annotations

from datetime import date

import msgspec
from workbench.domain.loop.begin import Begin
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Item, Plan
from workbench.templates.catalogue import built_in
from workbench.templates.composition import besides, first_plan

TODAY = "2026-11-23"
DAY = date.fromisoformat(TODAY)
GOAL = "Move our billing to the new provider by 30 June without downtime"


def drafted(template: str = "move-system:cohorts", *commands: str, goal: str = GOAL) -> Plan:
    """Return the first plan of a template, with all that it has."""
    name, _, variant = template.partition(":")
    chosen = built_in(name)
    keep = tuple(range(1, len(chosen.way(variant)) + len(besides(chosen)) + 1))
    begin = Begin(template=template, keep=keep, commands=commands or ("deadline 30 June 2027",))
    return first_plan(begin, chosen, goal, DAY)


def found(plan: Plan):
    return check_plan(plan, today=DAY)


def rules(findings) -> set[str]:
    return {finding.rule for finding in findings}


def replace_item(plan: Plan, item: Item) -> Plan:
    sections = tuple(
        msgspec.structs.replace(section, items=tuple(item if one.id == item.id else one for one in section.items))
        for section in plan.sections
    )
    return msgspec.structs.replace(plan, sections=sections)
