"""Plans and amendments as the tests need them: from a goal, by the guided planner itself."""

from __future__ import annotations

from datetime import date
from functools import cache

import msgspec
from tests.guided.goals import GOALS, HELD_OUT, TODAY
from workbench.domain.loop.tasks import (
    Feedback,
    Finding,
    PlanReply,
    PlanTask,
    ProposeReply,
    ProposeTask,
    VerifyReply,
    VerifyTask,
)
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Plan, amend
from workbench.guided.model import answer

DAY = date.fromisoformat(TODAY)


@cache
def proposed(goal: str) -> ProposeReply:
    reply = answer(ProposeTask(goal=goal, today=TODAY))
    assert isinstance(reply, ProposeReply)
    return reply


@cache
def drafted(goal: str, approach: int = 0, proposal: str = "") -> Plan:
    offer = proposed(goal)
    task = PlanTask(
        goal=goal,
        today=TODAY,
        iteration=1,
        approach=None if proposal else offer.approaches[approach],
        proposal=proposal,
        constraints=offer.constraints,
        assumptions=offer.assumptions,
    )
    return applied(Plan(title=""), plan_reply(task))


def plan_of(key: str, approach: int = 0) -> Plan:
    return drafted({**GOALS, **HELD_OUT}[key].text, approach)


def plan_reply(task: PlanTask) -> PlanReply:
    reply = answer(task)
    assert isinstance(reply, PlanReply)
    return reply


def applied(plan: Plan, reply: PlanReply) -> Plan:
    return amend(plan, reply.amendments, title=reply.title)


def told(plan: Plan, goal: str, *texts: str, section: str | None = None) -> tuple[Plan, PlanReply]:
    """Give feedback on a plan and return what came of it."""
    feedback = tuple(Feedback(id=f"F{number}", text=text, section=section) for number, text in enumerate(texts, 1))
    reply = plan_reply(PlanTask(goal=goal, today=TODAY, iteration=2, plan=plan, feedback=feedback))
    return applied(plan, reply), reply


def mended(plan: Plan, goal: str, findings: tuple[Finding, ...], iteration: int = 2) -> Plan:
    task = PlanTask(
        goal=goal,
        today=TODAY,
        iteration=iteration,
        plan=plan,
        findings=findings,
        constraints=proposed(goal).constraints,
    )
    return applied(plan, plan_reply(task))


def verified(plan: Plan, goal: str) -> VerifyReply:
    reply = answer(VerifyTask(goal=goal, today=TODAY, plan=plan, constraints=proposed(goal).constraints))
    assert isinstance(reply, VerifyReply)
    return reply


def found(plan: Plan, goal: str) -> tuple[Finding, ...]:
    return check_plan(plan, today=DAY, constraints=proposed(goal).constraints)


def rules(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.rule for finding in findings}


def bytes_of(plan: Plan) -> dict[str, bytes]:
    return {section.id: msgspec.json.encode(section) for section in plan.sections}
