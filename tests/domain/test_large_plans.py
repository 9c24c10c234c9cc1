"""What is asked of every step of a plan is found out once for the plan: else a plan of thousands takes minutes."""

from __future__ import annotations

from datetime import date

import pytest
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.domain.plan.scheduling.plan_day import held_to_day
from workbench.templates.answers import _ready


def plan_of(steps: int) -> Plan:
    items = tuple(
        Step(id=f"S{n}", title=f"Part {n}", needs=(f"S{n - 1}",) if n > 1 else ()) for n in range(1, steps + 1)
    )
    return Plan(title="Work", sections=(Section(id="steps", title="Steps", items=items),))


@pytest.mark.parametrize("steps", [3, 300])
def test_conditional_steps_are_looked_for_once(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Plan, "conditional", property(lambda _plan: frozenset(asked.append(1) or ())))
    plan = plan_of(steps)
    held_to_day(plan, date(2027, 5, 1), dict.fromkeys((step.id for step in plan.steps), date(2027, 4, 1)))
    assert len(asked) == 1
    list(_ready(plan))
    assert len(asked) == 2
