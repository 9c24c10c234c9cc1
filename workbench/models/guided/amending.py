"""Later plans."""

from __future__ import annotations

from workbench.domain.plan import Plan
from workbench.domain.tasks import Handled, PlanTask


def amended(plan: Plan, task: PlanTask) -> tuple[Plan, tuple[Handled, ...]]:
    """Return the plan amended for feedback and findings."""
    return plan, tuple(Handled(feedback=one.id, kind="change", note="Noted.") for one in task.feedback)
