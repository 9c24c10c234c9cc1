"""Small plans, each with one thing that is wrong, or only looks so, and by how much a step can slip."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.figures import figures
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.scheduling.schedule import with_dates

TODAY = date(2026, 12, 1)
BLOCKS = (Path(__file__).parent / "small_plans.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
HEADINGS = {"S": "Steps", "P": "People", "H": "Calendar", "L": "Places", "M": "Money", "T": "The day <!-- day -->"}


def plan_of(lines: list[str]) -> Plan:
    """Return a plan of items, each kind under its own heading."""
    text: list[str] = []
    kind = ""
    for line in lines:
        if line.startswith("- ") and line[2] != kind:
            kind = line[2]
            text += ["", f"## {HEADINGS[kind]}", ""]
        text.append(line)
    plan = from_markdown("\n".join(text), Plan(title=""))
    return with_dates(plan, start=TODAY, deadline=None)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0][2:])
def test_what_is_wrong_with_a_small_plan_is_named_and_nothing_else(block: str) -> None:
    lines = block.splitlines()
    plan = plan_of([line for line in lines if line[0] not in "!~"])
    found = [(one.rule, one.item or "", one.severity) for one in check_plan(plan, today=TODAY)]
    for said in (line[2:] for line in lines if line[0] == "!"):
        if said.startswith("no "):
            assert [one for one in found if one[0].startswith(said[3:])] == []
        else:
            assert tuple(said.split()) in found
    slack = {step.step: step.slack for step in figures(plan).steps}
    for said in (line[2:] for line in lines if line[0] == "~"):
        name, days = said.split()
        assert slack[name] == int(days)
