"""Plans as the tests need them: from a goal, by the offline planner itself, and changed by hand."""

from __future__ import annotations

from datetime import date
from functools import cache

import msgspec
from workbench.domain.loop.tasks import Answered, PlanReply, PlanTask, ProposeReply, ProposeTask
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Item, Plan, Section, amend
from workbench.guided.kinds import ASKS
from workbench.guided.model import answer

TODAY = "2026-11-23"
DAY = date.fromisoformat(TODAY)
GOALS = {
    "billing": "Move our billing to the new provider by 30 June without downtime",
    "wedding": "Organise a wedding for 120 guests on 11 September 2027 in Lisbon with a budget of 30,000 euros; "
    "Anna must sign off the menu",
    "thesis": "Finish my PhD thesis by 1 March 2027; I have 10 hours a week, and my supervisor needs three weeks to "
    "read the draft",
    "toys": "Set up a toy-lending shelf in our village library. Paint the shelf, collect 50 toys. The council must "
    "approve it. Open on 8 May 2027.",
    "heating": "Replace the heating in our house before October, max 25k€, we live in the house with a baby",
    "race": "Train for the Berlin half marathon on 4 April 2027, I can run 5 km, bad knee, 4 hours a week",
    "clinic": "Reduce the waiting time at our clinic from 40 to 20 minutes by the end of June, without more staff; "
    "the works council must agree",
    "bees": "Prepare our bee colonies for winter",
    "vague": "make our company better",
    "german": "Wir wollen bis zum 30. Juni 2027 unsere Abrechnung umstellen, höchstens 20.000 Euro",
    "chinese": "我们想在六月三十日之前搬到新办公室。预算两万元。",
}


@cache
def proposed(goal: str, answers: tuple[tuple[str, str], ...] = (), *, may_ask: bool = True) -> ProposeReply:
    given = tuple(Answered(question=question, answer=text) for question, text in answers)
    reply = answer(ProposeTask(goal=goal, today=TODAY, answers=given, may_ask=may_ask))
    assert isinstance(reply, ProposeReply)
    return reply


@cache
def drafted(goal: str, approach: int = 0, answers: tuple[tuple[str, str], ...] = ()) -> Plan:
    """Return the first plan of a goal; questions that are not answered are skipped."""
    skipped = tuple((question, "") for question in proposed(goal).questions if question not in dict(answers))
    given = (*answers, *skipped)
    ways = proposed(goal, given, may_ask=False).approaches
    task = PlanTask(
        goal=goal,
        today=TODAY,
        iteration=1,
        approach=ways[approach],
        answers=tuple(Answered(question=question, answer=text) for question, text in given),
    )
    return applied(Plan(title=""), plan_reply(task))


def confirmed(goal: str, kind: str = "1", approach: int = 0) -> Plan:
    """Return the plan of a goal whose kind of work a person has named, where it is asked for."""
    asked = next((text for text in proposed(goal).questions if text.startswith(ASKS)), None)
    return drafted(goal, approach, ((asked, kind),) if asked else ())


def plan_of(key: str, approach: int = 0) -> Plan:
    return confirmed(GOALS[key], approach=approach)


def plan_reply(task: PlanTask) -> PlanReply:
    reply = answer(task)
    assert isinstance(reply, PlanReply)
    return reply


def applied(plan: Plan, reply: PlanReply) -> Plan:
    return amend(plan, reply.amendments, title=reply.title)


def found(plan: Plan):
    return check_plan(plan, today=DAY)


def rules(findings) -> set[str]:
    return {finding.rule for finding in findings}


def replace_item(plan: Plan, item: Item) -> Plan:
    return _with_items(plan, lambda items: tuple(item if one.id == item.id else one for one in items))


def drop_item(plan: Plan, item_id: str) -> Plan:
    return _with_items(plan, lambda items: tuple(one for one in items if one.id != item_id))


def put_item(plan: Plan, section_id: str, item: Item) -> Plan:
    section = plan.section(section_id) or Section(id=section_id, title=section_id.capitalize())
    kept = tuple(one for one in plan.sections if one.id != section_id)
    new = msgspec.structs.replace(section, items=(*section.items, item))
    if not section.items:
        return msgspec.structs.replace(plan, sections=(*kept, new))
    return msgspec.structs.replace(plan, sections=tuple(new if one.id == section_id else one for one in plan.sections))


def _with_items(plan: Plan, changed) -> Plan:
    sections = tuple(msgspec.structs.replace(section, items=changed(section.items)) for section in plan.sections)
    return msgspec.structs.replace(plan, sections=sections)
