"""Findings mended where they stand: a check written, a circle opened, a double merged, a constraint answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.cycles import find_cycles
from workbench.domain.plan.plan import Answering, Bullet, Constraint, Criterion, Decision, Effort, Item, Plan, Step
from workbench.domain.plan.schedule import schedule
from workbench.guided.adding import add_constraint
from workbench.guided.changing import merge_steps
from workbench.guided.drafting import place_for, with_constraint
from workbench.guided.editing import drop_item, item_of, log_decision, replace_item, with_steps, without_mention
from workbench.guided.limits import deadline_of
from workbench.guided.rendering import first_day
from workbench.guided.setting import Setting
from workbench.guided.timing import fit, times_of
from workbench.guided.verifying import MENDS

_Mend = Callable[[Plan, Finding, Setting], Plan]


def mended(plan: Plan, findings: Sequence[Finding], setting: Setting) -> Plan:
    """Return the plan with every finding mended that a rule can mend; the others are left for a person."""
    for finding in findings:
        mend = _MENDS.get(finding.rule) or MENDS.get(finding.rule)
        if mend is not None:
            plan = mend(plan, finding, setting)
    return plan


def _step(plan: Plan, finding: Finding) -> Step | None:
    item = item_of(plan, finding.item or "")
    return item if isinstance(item, Step) else None


def _outcome(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del setting
    step = _step(plan, finding)
    if step is None:
        return plan
    return replace_item(
        plan, msgspec.structs.replace(step, outcome=f"The result of “{step.title}”, where others can find it")
    )


def _check(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    step = _step(plan, finding)
    if step is None:
        return plan
    other = next((one.owner for one in plan.steps if one.owner and one.owner != step.owner), setting.decider)
    shown = step.outcome or f"the result of “{step.title}”"
    check = f"{other} has been shown this and misses nothing: {shown[:1].lower() + shown[1:]}"
    return replace_item(plan, msgspec.structs.replace(step, check=check))


def _owner(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    step = _step(plan, finding)
    if step is None:
        return plan
    same = next((one.owner for one in plan.steps if one.workstream == step.workstream and one.owner), "")
    return replace_item(plan, msgspec.structs.replace(step, owner=same or setting.decider))


def _effort(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del setting
    step = _step(plan, finding)
    if step is None:
        return plan
    effort = step.effort or Effort(low=1, likely=2, high=4)
    low, likely, high = sorted(max(0.5, days) for days in (effort.low, effort.likely, effort.high))
    return replace_item(plan, msgspec.structs.replace(step, effort=Effort(low=low, likely=likely, high=high)))


def _criterion(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    item = item_of(plan, finding.item or "")
    if not isinstance(item, Criterion):
        return plan
    if finding.rule == "criteria.measure":
        changed = msgspec.structs.replace(
            item, measure="cases in which it is so, out of all cases, counted when it is due"
        )
    elif finding.rule == "criteria.past":
        deadline = deadline_of(plan, setting.today)
        ends = max((step.end or "" for step in plan.steps), default="") or None
        changed = msgspec.structs.replace(
            item, due=deadline.isoformat() if deadline and deadline >= setting.today else ends
        )
    else:
        changed = msgspec.structs.replace(
            item, target="100 %" if "cases" in item.measure else f"yes, said by {setting.the_decider}"
        )
    return replace_item(plan, changed)


def _cycle(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    """Open each circle where it leads back to a step that stands earlier in the plan, until none is left."""
    del finding, setting
    for _ in range(_CIRCLES_IN_A_KNOT):
        cycles = find_cycles(plan.steps)
        if not cycles:
            break
        for first, *_between, back in ((cycle[0], *cycle) for cycle in cycles):
            step = item_of(plan, first)
            if isinstance(step, Step):
                needs = tuple(need for need in step.needs if need != back)
                plan = replace_item(plan, msgspec.structs.replace(step, needs=needs))
    return plan


_CIRCLES_IN_A_KNOT = 50
"""That are opened one after the other; a plan with more is for a person to look at."""


def _needs(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del finding, setting
    known = {step.id for step in plan.steps}
    return with_steps(
        plan,
        {
            step.id: msgspec.structs.replace(step, needs=tuple(need for need in step.needs if need in known))
            for step in plan.steps
        },
    )


def _answers(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    del setting
    item = item_of(plan, finding.item or "")
    unknown = set(re.findall(r"\b[KC]\d+\b", finding.text))
    if not isinstance(item, Answering):
        return plan
    answers = tuple(answer for answer in item.answers if answer not in unknown)
    return replace_item(plan, msgspec.structs.replace(item, answers=answers))


def _twice(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    """Keep the first of two: steps are merged, of other items the second goes."""
    del setting
    match = re.search(r"says what ([SCKRDQB]\d+) says\.$", finding.text)
    first, second = item_of(plan, match[1] if match else ""), item_of(plan, finding.item or "")
    if first is None or second is None:
        return plan
    if isinstance(first, Step) and isinstance(second, Step):
        merged = merge_steps(plan, first, second)
        return replace_item(merged, _like(item_of(merged, first.id), first))
    return without_mention(drop_item(plan, second.id), second.id)


def _like(merged: Item | None, first: Step) -> Item:
    """Return a merged step with the words and the effort of the first: the second said nothing new."""
    return msgspec.structs.replace(
        merged if isinstance(merged, Step) else first,
        title=first.title,
        outcome=first.outcome,
        check=first.check,
        effort=first.effort,
    )


def _overrun(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    """Shorten the steps as far as is honest; where that is not enough the schedule says so."""
    del finding
    deadline = deadline_of(plan, setting.today)
    start = first_day(plan) or setting.today
    try:
        times = times_of(plan)
        slack = schedule(plan.steps, start=start, deadline=deadline, times=times).slack_days
        if deadline is None or slack is None or slack >= 0 or _shortened(plan):
            return plan
        fitted = fit(plan.steps, start=start, deadline=deadline, times=times)
    except PlanUnsound:
        return plan
    plan = with_steps(plan, {step.id: step for step in fitted.steps})
    return log_decision(
        plan,
        f"{_SHORTENED} to {fitted.factor:.0%} of their length, to fit {deadline.isoformat()}.",
        "The dates did not add up.",
    )


_SHORTENED = "Estimates shortened"


def _shortened(plan: Plan) -> bool:
    return any(isinstance(item, Decision) and item.text.startswith(_SHORTENED) for item in plan.items)


def _dates(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    """Drop the dates of a step: they are computed anew from what it needs."""
    del setting
    step = _step(plan, finding)
    return plan if step is None else replace_item(plan, msgspec.structs.replace(step, start=None, end=None))


def _missing_constraint(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    quoted = re.search(r"[“\"'](?P<text>.+)[”\"']", finding.text)
    known = [item.text.casefold() for item in plan.items if isinstance(item, Constraint)]
    told = next((one for one in setting.brief.constraints if quoted and quoted["text"].rstrip("…") in one), "")
    text = told or (quoted["text"] if quoted else "")
    if not text or text.casefold() in known:
        return plan
    return add_constraint(plan, text[:1].upper() + text[1:], setting.today)[0]


def _unanswered(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    constraint = item_of(plan, finding.item or "")
    if not isinstance(constraint, Constraint) or not plan.steps:
        return plan
    steps = plan.steps
    place = place_for(constraint.text, steps, steps[max(0, len(steps) - 2)].id)
    return replace_item(plan, with_constraint(steps[place], constraint, setting.today))


def _scope(plan: Plan, finding: Finding, setting: Setting) -> Plan:
    """Of a line that is in scope and out of it, keep the one that stands first."""
    del setting
    item = item_of(plan, finding.item or "")
    return drop_item(plan, item.id) if isinstance(item, Bullet) else plan


_MENDS: dict[str, _Mend] = {
    "steps.outcome": _outcome,
    "steps.check": _check,
    "steps.owner": _owner,
    "steps.effort": _effort,
    "steps.effort-order": _effort,
    "steps.cycle": _cycle,
    "steps.needs": _needs,
    "answers.unknown": _answers,
    "criteria.measure": _criterion,
    "criteria.target": _criterion,
    "criteria.vague": _criterion,
    "criteria.past": _criterion,
    "twice": _twice,
    "dates.deadline": _overrun,
    "dates.order": _dates,
    "dates.needs": _dates,
    "dates.effort": _dates,
    "dates.format": _dates,
    "constraints.missing": _missing_constraint,
    "constraints.unanswered": _unanswered,
    "contradiction.scope": _scope,
}
