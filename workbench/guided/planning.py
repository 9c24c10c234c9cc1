"""The planner's task: draft the first plan, amend a later one, and stop when nothing questions it."""

from __future__ import annotations

from workbench.domain.loop.tasks import Handled, PlanReply, PlanTask
from workbench.domain.plan.plan import Amendment, Plan
from workbench.guided.drafting import draft
from workbench.guided.insights import plan_insights


def plan(task: PlanTask) -> PlanReply:
    """Answer a PlanTask with amendments of the sections that change, and of no other."""
    handled: tuple[Handled, ...] = ()
    before = task.plan
    after = draft(task) if before is None else before
    if before is None and not task.feedback:
        return _reply(None, after, handled, task)
    from workbench.guided.amending import amended

    after, handled = amended(after, task)
    return _reply(before, after, handled, task)


def _reply(before: Plan | None, after: Plan, handled: tuple[Handled, ...], task: PlanTask) -> PlanReply:
    return PlanReply(
        title=after.title,
        amendments=_differences(before, after),
        handled=handled,
        insights=plan_insights(before, after, handled, task),
    )


def _differences(before: Plan | None, after: Plan) -> tuple[Amendment, ...]:
    """Return the amendments that lead from one plan to the other."""
    amendments: list[Amendment] = []
    place: str | None = None
    for section in after.sections:
        if before is None or before.section(section.id) != section:
            amendments.append(Amendment(section=section, after=place))
        place = section.id
    if before is not None:
        amendments += [
            Amendment(section=section, remove=True) for section in before.sections if after.section(section.id) is None
        ]
    return tuple(amendments)
