"""Steps turned into actions: how it begins, a look half-way, how it is finished and checked.

Step ─▶ first thing (due when it starts) · look half-way (longer steps) · outcome and check (due when it ends)
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from workbench.domain.loop.tasks import Action, ExecuteReply, ExecuteTask, Finding
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.schedule import add_working_days, duration
from workbench.guided.drafting import first_things
from workbench.guided.rendering import day_in
from workbench.guided.setting import Setting, read_setting
from workbench.guided.wording import capital, counted, in_a_sentence, lower_first, sentence

LONG = 6
"""Working days from which on a step is looked at half-way."""
MOST_ACTIONS = 3


def execute(task: ExecuteTask) -> ExecuteReply:
    """Answer an ExecuteTask: one to three actions for each step, in the order of the plan."""
    setting = read_setting(task.goal, task.today)
    first = first_things(setting)
    actions = tuple(
        action for step in task.plan.steps for action in _actions(step, task.plan, first, task.findings, setting)
    )
    return ExecuteReply(actions=actions, insights=_insights(task, actions))


def _actions(
    step: Step, plan: Plan, first: Mapping[str, str], findings: tuple[Finding, ...], setting: Setting
) -> list[Action]:
    receiver = _receiver(step, plan, setting)
    actions = [_begin(step, first, receiver)]
    found = next((finding for finding in findings if finding.item == step.id), None)
    if found is not None:
        actions.append(_settle(step, found))
    elif duration(step) >= LONG and (start := day_in(step.start)) is not None:
        actions.append(_half_way(step, start, receiver))
    actions.append(_finish(step, receiver))
    return actions[:MOST_ACTIONS]


def _receiver(step: Step, plan: Plan, setting: Setting) -> str:
    """Return who takes the result on: the owner of a step that waits for it, else who decides."""
    waiting = (other.owner for other in plan.steps if step.id in other.needs and other.owner != step.owner)
    return next(waiting, setting.decider)


def _begin(step: Step, first: Mapping[str, str], receiver: str) -> Action:
    known = first.get(step.title)
    alone = receiver == step.owner
    agreed = "" if alone else f", and agree on it with {in_a_sentence(receiver)}"
    text = known or f"Write down in one sentence what “{step.title}” delivers{agreed}"
    agrees = f"{capital(in_a_sentence(receiver))} has read the sentence and agrees"
    check = "A first result exists that can be shown" if known or alone else agrees
    return Action(step=step.id, text=sentence(text), check=check, owner=step.owner, due=step.start)


def _half_way(step: Step, start: date, receiver: str) -> Action:
    middle = add_working_days(start, duration(step) // 2)
    return Action(
        step=step.id,
        text=f"Half-way through {step.id}, hold what there is against its check"
        + ("." if receiver == step.owner else f", and show it to {in_a_sentence(receiver)}."),
        check="What is missing is written down with a day behind it",
        owner=step.owner,
        due=middle.isoformat(),
    )


def _settle(step: Step, finding: Finding) -> Action:
    return Action(
        step=step.id,
        text=sentence(f"Settle before going on: {lower_first(finding.text)} {finding.remedy}".strip()),
        check="The finding is gone when the plan is checked again",
        owner=step.owner,
        due=step.start,
    )


def _finish(step: Step, receiver: str) -> Action:
    outcome = lower_first(step.outcome) if step.outcome else f"the result of “{step.title}”"
    done = "Finish" if receiver == step.owner else f"Hand over to {in_a_sentence(receiver)}"
    return Action(
        step=step.id,
        text=f"{done}: {outcome.rstrip('.')}.",
        check=step.check,
        owner=step.owner,
        due=step.end,
    )


def _insights(task: ExecuteTask, actions: tuple[Action, ...]) -> tuple[str, ...]:
    dated = sorted((action for action in actions if action.due), key=lambda action: action.due or "")
    insights = [f"{counted(len(actions), 'action')} for {counted(len(task.plan.steps), 'step')}."]
    first = day_in(dated[0].due) if dated else None
    if first is not None:
        insights.append(f"The first is due on {dated[0].due}: {dated[0].text}")
        week = add_working_days(first, 5).isoformat()
        soon = sum((action.due or "") <= week for action in dated)
        insights.append(f"{counted(soon, 'action')} {'is' if soon == 1 else 'are'} due by {week}.")
    return tuple(insights)
