"""What a person does not want, taken out; what nobody planned is put out of scope, so that nobody starts it."""

from __future__ import annotations

import re
from datetime import date

from workbench.domain.loop.tasks import Feedback
from workbench.domain.plan.plan import Bullet, Constraint, Plan, Section, Step
from workbench.guided.drafting import place_for, with_constraint
from workbench.guided.editing import (
    drop_item,
    item_of,
    log_decision,
    next_id,
    put_item,
    replace_item,
    with_steps,
    without_mention,
)
from workbench.guided.feedback import Subject, words_of
from workbench.guided.setting import Setting
from workbench.guided.timing import without
from workbench.guided.wording import capital

FEWEST_STEPS = 2
"""A plan keeps at least so many steps; what goes further is a question for the person."""

Result = tuple[Plan, str, date | None]


def remove(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result:
    """Take out what is not wanted."""
    item = subject.item
    if item is None:
        return _out_of_scope(plan, said)
    if isinstance(item, Step) and len(plan.steps) <= FEWEST_STEPS:
        return plan, f"{item.id} stays: a plan of fewer than {FEWEST_STEPS} steps is none.", None
    name = words_of(item)
    plan = (
        _without_step(plan, item, setting)
        if isinstance(item, Step)
        else without_mention(drop_item(plan, item.id), item.id)
    )
    note = f"{item.id} “{name}” was taken out."
    return log_decision(plan, f"Removed {item.id}: {name}.", f"Asked for in {said.id}.", (said.id,)), note, None


def _without_step(plan: Plan, gone: Step, setting: Setting) -> Plan:
    """Return the plan without a step; what needed it needs what it needed, what it answered another step answers."""
    kept = without(plan.steps, {gone.id})
    plan = with_steps(drop_item(plan, gone.id), {step.id: step for step in kept})
    answered = {answer for step in plan.steps for answer in step.answers}
    for answer in gone.answers:
        constraint = item_of(plan, answer)
        if isinstance(constraint, Constraint) and answer not in answered:
            steps = plan.steps
            place = place_for(constraint.text, steps, steps[max(0, len(steps) - 2)].id)
            plan = replace_item(plan, with_constraint(steps[place], constraint, setting.today))
    return plan


def _out_of_scope(plan: Plan, said: Feedback) -> Result:
    """Return the plan with a line that says this will not be done: nothing in it is what the person means."""
    phrase = _unwanted(said.text)
    bullet = Bullet(id=next_id(plan, "B"), text=capital(phrase), priority="won't", answers=(said.id,))
    if plan.section("scope") is None:
        plan = Plan(title=plan.title, sections=(*plan.sections, Section(id="scope", title="Scope")))
    plan = put_item(plan, "scope", bullet)
    note = f"Nothing in the plan does this; {bullet.id} now says that it is out of scope."
    return log_decision(plan, f"{bullet.id} is out of scope.", f"Asked for in {said.id}.", (said.id,)), note, None


def _unwanted(text: str) -> str:
    """Return what is not wanted, as a noun phrase."""
    words = " ".join(text.split())
    words = re.sub(
        r"^(?:please\s+|let['’]?s\s+|we\s+can\s+|i\s+would\s+|we\s+)*(?:drop|remove|delete|skip|cut|omit|strike|scrap|ditch|"
        r"leave\s+out|take\s+out|get\s+rid\s+of|forget(?:\s+about)?|no|do\s+without|can\s+do\s+without|"
        r"(?:do\s*n['’]?t|do\s+not)\s+(?:need|want))\s+(?:everything\s+about\s+|anything\s+about\s+|the\s+)?",
        "",
        words,
        count=1,
        flags=re.IGNORECASE,
    )
    words = re.split(r"[.;!?]|,\s|\s+(?:because|since)\s", words)[0]
    return re.sub(r"\s+please$", "", words).strip(" .,") or "what was asked to be left out"
