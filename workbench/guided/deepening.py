"""The second look at a plan that nothing questions: one risk more, the largest step in two. Then it is left alone."""

from __future__ import annotations

from statistics import median

from workbench.domain.plan.plan import Plan, Risk, Step
from workbench.guided.changing import split_step
from workbench.guided.drafting import FIRST_RISKS, field_risk
from workbench.guided.editing import log_decision, next_id, put_item
from workbench.guided.setting import Setting

MOST_STEPS = 16


def deepened(plan: Plan, setting: Setting) -> Plan:
    """Return the plan with what the field knows further, and without a step that is too large to be steered."""
    known = {item.text for item in plan.items if isinstance(item, Risk)}
    for number in range(FIRST_RISKS, len(setting.field.risks)):
        risk = field_risk(setting, number, next_id(plan, "R"))
        if risk.text not in known:
            plan = put_item(plan, "risks", risk)
    large = _too_large(plan)
    if large is not None:
        plan, second = split_step(plan, large)
        plan = log_decision(
            plan,
            f"Split {large.id} “{large.title}”; {second} is its second half.",
            "It was more than twice as long as most steps: half-way there is a result to look at.",
        )
    return plan


def _too_large(plan: Plan) -> Step | None:
    sized = [step for step in plan.steps if step.effort and ": " not in step.title]
    if not sized or len(plan.steps) >= MOST_STEPS:
        return None
    largest = max(sized, key=lambda step: step.effort.expected if step.effort else 0)
    usual = median(step.effort.expected for step in sized if step.effort)
    expected = largest.effort.expected if largest.effort else 0
    return largest if expected > 2.2 * usual and 8 <= expected <= 60 else None
