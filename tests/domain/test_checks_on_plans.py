"""The checks on whole plans: nothing to say about sound ones, and planted defects are found."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.domain.defects import DEFECTS, TRAPS, UNSEEN, Defect
from tests.domain.sound_plans import TODAY, PlanCase, names, sound
from workbench.domain.plan.checks import check_plan

RULES = {
    "cycle": ("steps.cycle",),
    "missing check": ("steps.check",),
    "forgotten constraint": ("constraints.",),
    "date overrun": ("dates.", "criteria.past"),
    "duplicate": ("twice",),
    "contradiction": ("contradiction.",),
}


def findings(case: PlanCase):
    return check_plan(
        case.plan, today=TODAY, constraints=case.constraints, feedback=case.feedback, handled=case.handled
    )


def is_found(defect: Defect) -> bool:
    return any(finding.rule.startswith(RULES[defect.kind]) for finding in findings(defect.case))


def shares(defects: list[Defect]) -> dict[str, float]:
    planted = Counter(defect.kind for defect in defects)
    found = Counter(defect.kind for defect in defects if is_found(defect))
    return {kind: found[kind] / planted[kind] for kind in planted}


def test_there_are_ten_sound_plans_of_realistic_size():
    assert len(names()) == 10
    assert all(len(sound(name).plan.steps) >= 8 for name in names())


@pytest.mark.parametrize("name", names())
def test_a_sound_plan_has_no_finding(name):
    assert findings(sound(name)) == ()


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.what)
def test_what_only_looks_like_a_defect_is_no_finding(trap):
    assert findings(trap.case) == ()


def test_there_are_eight_planted_defects_of_each_kind():
    assert min(Counter(defect.kind for defect in DEFECTS).values()) >= 8
    assert set(RULES) == {defect.kind for defect in DEFECTS}


@pytest.mark.full
@pytest.mark.parametrize("kind", RULES)
def test_nine_of_ten_planted_defects_of_each_kind_are_found(kind):
    """Of contradictions three of four: two amounts that are no money, and a place in another place, take a reader."""
    missed = [defect.what for defect in DEFECTS if defect.kind == kind and not is_found(defect)]
    assert shares(DEFECTS)[kind] >= (0.75 if kind == "contradiction" else 0.9), missed


@pytest.mark.full
def test_most_wordings_that_the_checks_were_not_made_with_are_found(record_property):
    for kind, share in shares(UNSEEN).items():
        record_property(kind, share)
        assert share >= 0.5, kind
