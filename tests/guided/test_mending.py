"""The verifier finds what checks cannot see; a first draft is looked through, and a person's plan is left alone."""

from __future__ import annotations

import pytest
from tests.guided.goals import GOALS
from tests.guided.plans import mended, plan_of, rules, verified
from workbench.domain.plan.plan import Effort, Plan, Risk, Section, Step


def _bare(*steps: Step, items=()) -> Plan:
    return Plan(
        title="A plan",
        sections=(
            Section(id="steps", title="Steps", items=steps),
            Section(id="risks", title="Risks", items=items),
        ),
    )


def _plain(number: int, title: str, owner: str = "Anna", days: float = 10, needs: tuple[str, ...] = ()) -> Step:
    return Step(
        id=f"S{number}",
        title=title,
        outcome="A thing",
        check="Seen",
        owner=owner,
        effort=Effort(low=days, likely=days, high=days),
        needs=needs,
    )


WEAK = {
    "model.no-way-back": _bare(_plain(1, "Switch everything over")),
    "model.one-owner": _bare(_plain(1, "Paint", days=8), _plain(2, "Dry", owner="Ben", days=2)),
    "model.nobody-decides": _bare(_plain(1, "Paint")),
    "model.no-risks": _bare(_plain(1, "Paint")),
    "model.risk-unready": _bare(
        _plain(1, "Paint"), items=(Risk(id="R1", text="Rain", likelihood="high", impact="high"),)
    ),
}


@pytest.mark.parametrize("rule", WEAK)
def test_the_verifier_finds_what_checks_cannot_see_and_the_planner_leaves_it_to_the_person(rule):
    plan = WEAK[rule]
    findings = tuple(one for one in verified(plan, "Paint the fence").findings if one.rule == rule)
    assert len(findings) == 1
    assert mended(plan, "Paint the fence", findings, iteration=3) == plan


@pytest.mark.parametrize("key", GOALS)
def test_the_verifier_finds_nothing_in_a_first_draft(key):
    assert rules(verified(plan_of(key), GOALS[key].text).findings) == set()
