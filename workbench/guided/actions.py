"""First actions: of the steps for which practice knows a concrete one, and of no other."""

from __future__ import annotations

from workbench.domain.loop.tasks import Action, ExecuteReply, ExecuteTask
from workbench.domain.plan.plan import Step
from workbench.guided.brief import Brief
from workbench.guided.cores import Core
from workbench.guided.phrases import sentence


def execute(task: ExecuteTask, brief: Brief, cores: tuple[Core, ...]) -> ExecuteReply:
    """Answer an ExecuteTask with the first things to do for steps that are still to do."""
    known = {core.id: core for core in cores}
    actions = (_first(step, known, brief) for step in task.plan.steps if step.status == "todo")
    return ExecuteReply(actions=tuple(filter(None, actions)))


def _first(step: Step, known: dict[str, Core], brief: Brief) -> Action | None:
    if step.origin is None or step.origin.kind != "practice":
        return None
    core_id, _, key = step.origin.source.split(" ", 1)[0].partition("/")
    core = known.get(core_id)
    first = core.steps[key].first if core and key in core.steps else ""
    if not first:
        return None
    return Action(step=step.id, text=sentence(brief.fill(first)), check=step.check, owner=step.owner, due=step.start)
