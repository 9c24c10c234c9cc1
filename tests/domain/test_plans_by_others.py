"""Plans by people who had not read the checks: sound ones have no major finding, and planted defects are named."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Constraint, Plan

TODAY = date(2026, 11, 23)
SOUND = sorted((Path(__file__).parent / "plans_by_others").glob("*.md"))
FOLDER = Path(__file__).parent / "defects_by_others"
DEFECTS = [
    (plan, defect["kind"], frozenset(defect["items"]))
    for plan, defects in sorted(json.loads((FOLDER / "key.json").read_text(encoding="utf-8")).items())
    for defect in defects
]
"""Plan, kind of defect, and the items it can be named at."""
RULES = {
    "risk noticed too late": "risks.late",
    "capacity does not fit": "counts.capacity",
    "no baseline": "criteria.baseline",
    "gate bypassed": "order.said",
    "delivery time too short": "dates.lead",
    "cost above ceiling": "money.limit",
    "decision contradicted by step": "contradiction.free",
    "double booking": "people.busy",
    "notice period missed": "order.notice",
    "auditor audits own work": "people.own-work",
    "work before approval, missing need": "order.said",
    "effort far too low": "counts.effort",
    "owner has left by then": "people.gone",
    "must in scope without a step": "scope.undone",
    "old system ended before new one is ready": "order.ended",
    "criterion not measurable": "criteria.vague",
    "part of the goal uncovered": "goal.uncovered",
    "step during absence": "dates.day-off",
    "exclusion broken by order of steps": "order.said",
    "constraint claimed but not met": "counts.few",
    "needs a dropped step, nothing replaces it": "status.dropped",
    "date and weekday contradict": "dates.weekday",
    "criterion due before the step ends": "dates.deadline",
    "open question that nothing settles": "questions.open",
    "irreversible too early": "order.irreversible",
    "baseline never measured": "criteria.baseline",
    "budget exceeded": "money.limit",
    "person double-booked": "people.busy",
    "numbers contradict a limit": "counts.people",
    "exclusion violated": "constraints.broken",
    "independence of check violated": "people.own-work",
    "missing step others rely on": "constraints.work",
    "wrong date copied from last year": "dates.weekday",
    "start before a need has ended": "dates.needs",
    "commitment before approval": "order.said",
    "effort far too low for the quantity": "counts.effort",
    "must of the scope without a step": "scope.undone",
    "steps in a circle": "steps.cycle",
    "work on an absence": "dates.day-off",
    "one person at two places": "people.busy",
    "cost above the limit": "money.limit",
    "something ruled out is done": "contradiction.excluded",
    "Must without a step": "scope.undone",
    "deadline missed": "dates.deadline",
    "approval comes after what needs it": "order.approval",
    "irreversible before its proof": "order.irreversible",
    "criterion due before its step": "dates.deadline",
    "check that proves nothing": "steps.proof",
    "two lines contradict": "counts.people",
    "same step twice in other words": "steps.twice",
    "check possible only after the end": "steps.proof",
    "printed before what it shows": "order.input",
    "decision contradicted": "contradiction.excluded",
    "layer after what lies on it": "order.stages",
    "one thing at two places": "order.one",
    "work in days that are ruled out": "constraints.broken",
    "people enrolled before the ethics vote": "order.irreversible",
    "required drill without a step": "constraints.unanswered",
    "too little time to dry": "dates.lag",
}
"""The check that names each kind."""
MISSED = {
    "missing dependency": "that an order goes by a list which is made later is said in no words that both steps share",
    "need on the wrong step": "that seed goes into a fine seedbed is knowledge of the world",
}
"""Kinds that the checks cannot know, each with the reason why."""


def findings(file: Path) -> tuple[Finding, ...]:
    plan = from_markdown(file.read_text(encoding="utf-8"), Plan(title=""))
    constraints = tuple(item.text for item in plan.items if isinstance(item, Constraint))
    return check_plan(plan, today=TODAY, constraints=constraints)


@pytest.mark.parametrize("file", SOUND, ids=lambda path: path.stem)
def test_a_sound_plan_has_no_finding_and_comes_back_from_its_markdown(file: Path) -> None:
    plan = from_markdown(file.read_text(encoding="utf-8"), Plan(title=""))
    assert [finding.text for finding in findings(file)] == []
    assert from_markdown(to_markdown(plan), Plan(title="")) == plan
    assert len(plan.steps) >= 9
    assert plan.people or any(step.owner for step in plan.steps)


@pytest.mark.parametrize(("plan", "kind", "items"), DEFECTS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_planted_defect_is_named_at_one_of_its_items(plan: str, kind: str, items: frozenset[str]) -> None:
    named = {(one.rule, one.item or (one.section or "").title()) for one in findings(FOLDER / f"{plan}.md")}
    if kind in MISSED:
        assert not {item for _, item in named} & items, f"{kind} is named now: give it its rule"
    else:
        assert named & {(RULES[kind], item) for item in items}


@pytest.mark.parametrize("plan", sorted({plan for plan, _, _ in DEFECTS}))
def test_a_plan_with_defects_has_no_other_major_finding(plan: str) -> None:
    planted = frozenset(item for other, _, items in DEFECTS for item in items if other == plan)
    major = [one for one in findings(FOLDER / f"{plan}.md") if one.severity == "major"]
    assert [one.text for one in major if (one.item or (one.section or "").title()) not in planted] == []
