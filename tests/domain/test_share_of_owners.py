"""The owners of a step are told apart once, however often its share is asked for."""

from __future__ import annotations

import pytest
from workbench.domain.plan import schedule
from workbench.domain.plan.plan import Step, name_key


def test_the_owners_of_a_step_are_told_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def key(name: str) -> str:
        asked.append(name)
        return name_key(name)

    monkeypatch.setattr(schedule, "name_key", key)
    step = Step(id="S1", title="Do", owner="Ada", also=tuple(f"Guest {number}" for number in range(60)))
    shares = {schedule.share_of(step) for _ in step.owners}
    assert shares == {1 / 61}
    assert len(asked) == 61
