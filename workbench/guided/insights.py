"""What is worth remembering of an iteration: a few short sentences that are true of this very plan."""

from __future__ import annotations

from datetime import date

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Handled, PlanTask
from workbench.domain.plan.plan import Plan
from workbench.guided.limits import deadline_of
from workbench.guided.rendering import schedule_of
from workbench.guided.wording import counted, listed


def plan_insights(before: Plan | None, after: Plan, handled: tuple[Handled, ...], task: PlanTask) -> tuple[str, ...]:
    """Return two to five insights of a drafted or amended plan."""
    insights = [_path(after, task)]
    owners = {
        owner: [step.id for step in after.steps if step.owner == owner] for owner in {s.owner for s in after.steps}
    }
    busiest = max(sorted(owners), key=lambda owner: len(owners[owner]), default="")
    if busiest:
        insights.append(
            f"{busiest} owns {len(owners[busiest])} of {len(after.steps)} steps: {listed(owners[busiest])}."
        )
    if before is None:
        longest = max(after.steps, key=lambda step: step.effort.expected if step.effort else 0)
        insights.append(f"The largest step is {longest.id} “{longest.title}”.")
    elif after == before:
        insights.append("Nothing questions the plan: no section was changed.")
    insights += [f"{one.feedback} was handled as {one.kind}: {one.note}" for one in handled[:2]]
    return tuple(insights[:5])


def _path(plan: Plan, task: PlanTask) -> str:
    deadline = deadline_of(plan, date.fromisoformat(task.today))
    try:
        dates = schedule_of(plan, deadline)
    except PlanUnsound as unsound:
        return unsound.message
    if not plan.steps:
        return "The plan has no steps yet."
    path = "→".join(dates.critical_path)
    if deadline is None or dates.slack_days is None:
        return f"The critical path is {path}, finished on {dates.finish.isoformat()}."
    days = counted(abs(dates.slack_days), "working day")
    if dates.slack_days < 0:
        return f"The critical path is {path}: {days} too long for {deadline.isoformat()}."
    return f"The critical path is {path}, with {days} of slack before {deadline.isoformat()}."
