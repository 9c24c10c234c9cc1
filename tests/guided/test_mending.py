"""Findings of the checks and of the verifier are mended where they stand, and are gone afterwards."""

from __future__ import annotations

import msgspec
import pytest
from tests.guided.goals import GOALS, TODAY
from tests.guided.plans import DAY, found, mended, plan_of, rules, verified
from workbench.domain.loop.tasks import VerifyTask
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Effort, Plan, Question, Risk, Section, Step
from workbench.guided.editing import drop_item, put_item, replace_item
from workbench.guided.verifying import verify

GOAL = GOALS["billing"].text


def _step(plan: Plan, step_id: str) -> Step:
    return next(step for step in plan.steps if step.id == step_id)


def _with(plan: Plan, step_id: str, **fields) -> Plan:
    return replace_item(plan, msgspec.structs.replace(_step(plan, step_id), **fields))


def _criterion(plan: Plan, **fields) -> Plan:
    first = next(item for item in plan.items if isinstance(item, Criterion))
    return replace_item(plan, msgspec.structs.replace(first, **fields))


DEFECTS = {
    "steps.outcome": lambda plan: _with(plan, "S3", outcome=""),
    "steps.check": lambda plan: _with(plan, "S3", check=""),
    "steps.owner": lambda plan: _with(plan, "S3", owner=""),
    "steps.effort": lambda plan: _with(plan, "S3", effort=None),
    "steps.effort-order": lambda plan: _with(plan, "S3", effort=Effort(low=9, likely=2, high=1)),
    "steps.cycle": lambda plan: _with(plan, "S3", needs=("S5",)),
    "steps.needs": lambda plan: _with(plan, "S3", needs=("S1", "S99")),
    "answers.unknown": lambda plan: _with(plan, "S3", answers=("K99",)),
    "criteria.measure": lambda plan: _criterion(plan, measure=""),
    "criteria.target": lambda plan: _criterion(plan, target=""),
    "criteria.past": lambda plan: _criterion(plan, due="2020-01-01"),
    "twice": lambda plan: put_item(plan, "steps", msgspec.structs.replace(_step(plan, "S3"), id="S20", needs=("S1",))),
    "dates.order": lambda plan: _with(plan, "S3", start="2027-01-20", end="2027-01-10"),
    "dates.needs": lambda plan: _with(plan, "S5", start="2026-11-23", end="2026-12-10"),
    "dates.format": lambda plan: _with(plan, "S3", start="soon"),
    "constraints.missing": lambda plan: drop_item(
        drop_item(drop_item(_with(plan, "S5", answers=(), check="It was seen"), "K2"), "C4"), "R6"
    ),
    "contradiction.scope": lambda plan: put_item(
        plan, "scope", Bullet(id="B90", text="Reports that the new system makes possible", priority="won't")
    ),
}


@pytest.mark.parametrize("rule", DEFECTS)
def test_a_planted_defect_is_mended(rule):
    broken = DEFECTS[rule](plan_of("billing"))
    findings = found(broken, GOAL)
    assert rule in rules(findings)

    sound = mended(broken, GOAL, findings, iteration=3)

    assert rule not in rules(found(sound, GOAL))


@pytest.mark.parametrize("rule", ["steps.check", "steps.owner", "criteria.measure", "contradiction.scope"])
def test_mending_touches_only_the_section_of_the_defect(rule):
    broken = DEFECTS[rule](plan_of("billing"))
    findings = tuple(one for one in found(broken, GOAL) if one.rule == rule)

    sound = mended(broken, GOAL, findings, iteration=3)

    changed = {section.id for section in sound.sections if broken.section(section.id) != section}
    assert changed == {findings[0].section}


def _mended_to_the_end(plan: Plan) -> Plan:
    for iteration in range(3, 6):
        plan = mended(plan, GOAL, found(plan, GOAL), iteration)
    return plan


def test_an_overrun_is_shortened_and_the_schedule_says_so():
    plan = plan_of("billing")
    for step in plan.steps:
        plan = _with(plan, step.id, effort=Effort(low=20, likely=20, high=20))

    after = _mended_to_the_end(plan)

    assert "dates.deadline" not in rules(found(after, GOAL))
    schedule = after.section("schedule")
    assert schedule is not None
    assert "estimates cut to" in schedule.text


def test_an_overrun_that_cannot_be_mended_is_said_plainly_and_does_not_go_round_in_circles():
    plan = plan_of("billing")
    for step in plan.steps:
        plan = _with(plan, step.id, effort=Effort(low=90, likely=90, high=90))

    once = _mended_to_the_end(plan)
    again = mended(once, GOAL, found(once, GOAL), iteration=4)

    assert "dates.deadline" in rules(found(once, GOAL))
    assert again == once
    schedule = again.section("schedule")
    assert schedule is not None
    assert "This does not fit" in schedule.text


def test_a_constraint_nothing_answers_is_answered_by_a_step():
    plan = put_item(
        plan_of("billing"), "constraints", Constraint(id="K7", text="Danish law applies to archived vouchers")
    )
    findings = found(plan, GOAL)
    assert "constraints.unanswered" in rules(findings)

    after = mended(plan, GOAL, findings, iteration=3)

    assert "K7" in {answer for step in after.steps for answer in step.answers}


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
def test_the_verifier_finds_what_checks_cannot_see_and_the_planner_mends_it(rule):
    plan = WEAK[rule]
    findings = tuple(one for one in verified(plan, "Paint the fence").findings if one.rule == rule)
    assert len(findings) == 1

    after = mended(plan, "Paint the fence", findings, iteration=3)

    assert rule not in rules(verified(after, "Paint the fence").findings)


def test_a_late_first_check_is_found_and_mended_by_splitting():
    steps = [
        msgspec.structs.replace(_plain(1, "Paint", days=40), start="2026-11-23", end="2027-01-15"),
        msgspec.structs.replace(_plain(2, "Dry", days=5, needs=("S1",)), start="2027-01-18", end="2027-01-22"),
        msgspec.structs.replace(_plain(3, "Sand", days=5, needs=("S2",)), start="2027-01-25", end="2027-01-29"),
        msgspec.structs.replace(_plain(4, "Wax", days=5, needs=("S3",)), start="2027-02-01", end="2027-02-05"),
    ]
    plan = _bare(*steps)
    findings = tuple(one for one in verified(plan, "Paint").findings if one.rule == "model.late-check")
    assert len(findings) == 1

    after = mended(plan, "Paint", findings, iteration=3)

    assert len(after.steps) == 5
    assert "model.late-check" not in rules(verified(after, "Paint").findings)


def test_a_plan_without_reserve_decides_beforehand_what_is_left_out():
    goal = "Paint the fence by 4 December 2026"
    plan = Plan(
        title="Fence",
        sections=(
            Section(id="constraints", title="K", items=(Constraint(id="K1", text="By 4 December 2026 (2026-12-04)"),)),
            Section(
                id="steps",
                title="Steps",
                items=(msgspec.structs.replace(_plain(1, "Paint"), start="2026-11-23", end="2026-12-04"),),
            ),
        ),
    )
    findings = tuple(one for one in verified(plan, goal).findings if one.rule == "model.no-reserve")
    assert len(findings) == 1

    after = mended(plan, goal, findings, iteration=3)

    assert "model.no-reserve" not in rules(verified(after, goal).findings)


def test_what_the_checks_found_is_not_said_again():
    plan = WEAK["model.no-way-back"]
    first = verify(VerifyTask(goal="Switch", today=TODAY, plan=plan)).findings
    known = tuple(one for one in first if one.item)

    again = verify(VerifyTask(goal="Switch", today=TODAY, plan=plan, known=known)).findings

    assert known
    assert set(rules(again)).isdisjoint(rules(known))


def test_findings_that_no_rule_can_mend_leave_the_plan_alone():
    plan = plan_of("billing")
    strange = msgspec.structs.replace(verified(WEAK["model.no-risks"], "x").findings[0], rule="model", item="S99")

    assert mended(plan, GOAL, (strange,), iteration=3) == plan
    assert check_plan(plan, today=DAY) == ()


def test_every_mend_survives_a_finding_about_nothing():
    plan = plan_of("billing")
    for rule in (*DEFECTS, *WEAK, "constraints.unanswered", "criteria.vague", "dates.effort", "model.late-check"):
        finding = msgspec.structs.replace(
            verified(WEAK["model.no-risks"], "x").findings[0], rule=rule, item="S99", text="Nothing."
        )
        after = mended(plan, GOAL, (finding,), iteration=3)
        assert {step.id for step in plan.steps} <= {step.id for step in after.steps}
        assert any(isinstance(item, Question) for item in after.items)


def test_a_knot_of_steps_that_all_need_each_other_is_opened():
    plan = plan_of("billing")
    names = [step.id for step in plan.steps][:7]
    for name in names:
        plan = _with(plan, name, needs=tuple(other for other in names if other != name))
    assert "steps.cycle" in rules(found(plan, GOAL))
    assert "steps.cycle" not in rules(found(mended(plan, GOAL, found(plan, GOAL)), GOAL))
