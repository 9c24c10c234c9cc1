"""Sound plans by somebody who had not read the checks: nothing major is wrong with them, and nothing is lost."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Constraint, Plan

TODAY = date(2026, 11, 23)
FILES = sorted((Path(__file__).parent / "plans_by_others").glob("*.md"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_sound_plan_has_no_major_finding_and_comes_back_from_its_markdown(file: Path) -> None:
    plan = from_markdown(file.read_text(encoding="utf-8"), Plan(title=""))
    constraints = tuple(item.text for item in plan.items if isinstance(item, Constraint))
    found = check_plan(plan, today=TODAY, constraints=constraints)
    assert [finding.text for finding in found if finding.severity == "major"] == []
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan
    assert len(plan.steps) >= 9
    assert plan.people or any(step.owner for step in plan.steps)
