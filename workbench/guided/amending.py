"""Later plans: feedback handled, and nothing else touched; what a finding asks for is offered to the person.

plan ──each feedback──▶ add · remove · change · answer · emphasise ──▶ Handled
──none, second iteration──▶ deepened once          third and later: left as it is
──▶ settled: dates, schedule and first actions follow the steps
"""

from __future__ import annotations

from datetime import date

from workbench.domain.loop.tasks import Feedback, Handled, PlanTask
from workbench.domain.plan.plan import Plan
from workbench.guided import adding, answering, changing, deepening, emphasising, removing
from workbench.guided.drafting import first_things
from workbench.guided.editing import settled
from workbench.guided.feedback import classify, subject_of
from workbench.guided.limits import deadline_of
from workbench.guided.rendering import first_day
from workbench.guided.setting import Setting, read_setting

DEEPENED_IN = 2
"""The iteration in which a plan that nothing questions is looked through once more."""


def amended(plan: Plan, task: PlanTask) -> tuple[Plan, tuple[Handled, ...]]:
    """Return the plan amended for feedback, and what became of each piece of it."""
    setting = read_setting(task.goal, task.today, answers=task.answers, constraints=task.constraints)
    before, handled = plan, []
    for said in task.feedback:
        plan, answer = _handle(plan, said, setting)
        handled.append(answer)
    if before == plan and task.plan is not None and task.iteration == DEEPENED_IN and not task.feedback:
        plan = _settle(plan, deepening.deepened(plan, setting), setting)
    return plan, tuple(handled)


def _handle(plan: Plan, said: Feedback, setting: Setting) -> tuple[Plan, Handled]:
    kind = classify(said.text)
    subject = subject_of(said.text, plan, said.section)
    plan_after, note, start = _OPERATIONS[kind](plan, said, subject, setting)
    after = _settle(plan, plan_after, setting, start)
    changed = tuple(section.id for section in after.sections if plan.section(section.id) != section)
    return after, Handled(feedback=said.id, kind=kind, sections=changed, note=note)


_OPERATIONS = {
    "add": adding.add,
    "remove": removing.remove,
    "change": changing.change,
    "question": answering.respond,
    "emphasise": emphasising.emphasise,
}


def _settle(before: Plan, after: Plan, setting: Setting, start: date | None = None) -> Plan:
    return settled(
        before,
        after,
        today=setting.today,
        deadline=deadline_of(after, setting.today),
        first_things=first_things(setting),
        start=start or (first_day(after) if before == after else None),
    )
