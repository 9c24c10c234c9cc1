"""Steps turned into actions: something to do, how to tell that it is done, who, and by when."""

from __future__ import annotations

from workbench.domain.plan import Step
from workbench.domain.tasks import Action, ExecuteReply, ExecuteTask
from workbench.models.guided.setting import read_setting
from workbench.models.guided.wording import filled


def execute(task: ExecuteTask) -> ExecuteReply:
    """Answer an ExecuteTask."""
    setting = read_setting(task.goal, task.today)
    first = {
        filled(known.title, setting.words): filled(known.first, setting.words) for known in setting.field.steps.values()
    }
    actions = tuple(action for step in task.plan.steps for action in _actions(step, first.get(step.title, "")))
    return ExecuteReply(actions=actions, insights=(f"{len(actions)} actions for {len(task.plan.steps)} steps.",))


def _actions(step: Step, first: str) -> list[Action]:
    begin = first or f"Agree in one sentence on what “{step.title}” delivers, and who checks it"
    return [
        Action(
            step=step.id,
            text=begin,
            check="It is written down where the others find it",
            owner=step.owner,
            due=step.start,
        ),
        Action(
            step=step.id,
            text=f"Have the result checked: {step.title}",
            check=step.check,
            owner=step.owner,
            due=step.end,
        ),
    ]
