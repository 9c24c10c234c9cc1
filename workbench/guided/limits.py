"""The dates a plan is held to, read from its own constraints: once there is a plan, it is the truth, not the goal."""

from __future__ import annotations

from datetime import date

from workbench.domain.plan.plan import Constraint, Plan
from workbench.guided.reading import deadline_in


def deadline_of(plan: Plan, today: date) -> date | None:
    """Return the last day on which the work is still in time; None where no constraint says so."""
    texts = tuple(item.text for item in plan.items if isinstance(item, Constraint))
    return deadline_in(texts, today)
