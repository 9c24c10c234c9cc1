"""Repairs: each defect that can be taken back is offered, makes its finding go away, and touches nothing else."""

from __future__ import annotations

import msgspec
import pytest
from tests.domain.template_plans import DAY, drafted, found, replace_item, rules
from workbench.domain.plan.changing.operations import SetField, applied, concerns
from workbench.domain.plan.checks.case import Case
from workbench.domain.plan.plan import Constraint, Criterion, Effort, Lag, Person, Plan, Section, Step
from workbench.domain.plan.repairs import Repair, consequence, repairs_of


def _step(plan: Plan, step_id: str) -> Step:
    return next(step for step in plan.steps if step.id == step_id)


def _with(plan: Plan, step_id: str, **fields) -> Plan:
    return replace_item(plan, msgspec.structs.replace(_step(plan, step_id), **fields))


def _criterion(plan: Plan, **fields) -> Plan:
    first = next(item for item in plan.items if isinstance(item, Criterion))
    return replace_item(plan, msgspec.structs.replace(first, **fields))


DEFECTS = {
    "steps.effort-order": lambda plan: _with(plan, "S3", effort=Effort(low=9, likely=2, high=1)),
    "steps.cycle": lambda plan: _with(plan, "S3", needs=("S5",)),
    "steps.needs": lambda plan: _with(plan, "S3", needs=("S1", "S99")),
    "answers.unknown": lambda plan: _with(plan, "S3", answers=("K99",)),
    "criteria.past": lambda plan: _criterion(plan, due="2020-01-01"),
    "dates.order": lambda plan: _with(plan, "S3", start="2027-01-20", end="2027-01-10"),
    "dates.needs": lambda plan: _with(plan, "S5", start="2026-11-23", end="2026-12-10"),
    "dates.format": lambda plan: _with(plan, "S3", start="soon"),
}


def offered(plan: Plan) -> tuple[Repair, ...]:
    return repairs_of(Case(plan, DAY), found(plan))


def told(plan: Plan, repair: Repair) -> str:
    return consequence(Case(plan, DAY), repair, found)


@pytest.mark.parametrize("rule", DEFECTS)
def test_a_defect_has_a_repair_after_which_it_is_gone(rule):
    broken = DEFECTS[rule](drafted())
    assert rule in rules(found(broken))
    offers = [one for one in offered(broken) if one.finding.rule == rule]
    assert offers
    assert rule not in rules(found(applied(broken, offers[0].operations)))
    assert "fewer" in told(broken, offers[0])


@pytest.mark.parametrize("rule", ["steps.owner"])
def test_nothing_that_somebody_has_to_say_is_made_up(rule):
    broken = _with(drafted(), "S3", **{rule.partition(".")[2]: ""})
    assert rule in rules(found(broken))
    assert offered(broken) == ()


def test_a_mistyped_need_is_offered_as_what_was_meant_before_it_is_offered_to_go():
    plan = _with(drafted(), "S9", needs=("S88",))
    first, second = offered(plan)
    assert first.label == "S9 needs S8 in place of S88"
    assert second.operations == (SetField("S9", "needs", None),)
    assert {name for one in (first, second) for change in one.operations for name in concerns(change)} == {"S9"}


def test_a_dropped_need_is_one_finding_and_offered_to_be_what_it_needed():
    lag = Lag("S1", 3)
    broken = _with(drafted(), "S3", needs=("S1",), lags=(lag,), status="dropped", start="2028-01-03", end="2028-01-03")
    broken = _with(broken, "S4", needs=("S3",))
    assert [(one.rule, one.text) for one in found(broken) if one.item == "S4"] == [
        ("status.dropped", f"S4 “{_step(broken, 'S4').title}” needs S3, which was dropped.")
    ]
    offer = next(one for one in offered(broken) if one.finding.rule == "status.dropped")
    repaired = _step(applied(broken, offer.operations), "S4")
    assert (offer.label, repaired.needs, repaired.lags) == ("S4 needs S1 in place of S3", ("S1",), (lag,))


def test_a_dropped_need_that_waits_for_the_step_itself_just_goes():
    broken = _with(_with(drafted(), "S3", needs=("S4",), status="dropped"), "S4", needs=("S3",))
    assert [one.label for one in offered(broken) if one.label[:2] == "S4"] == ["S4 does not need S3"]


def test_what_was_probably_meant_makes_no_circle():
    steps = (Step(id="S1", title="One", needs=("S22",)), Step(id="S2", title="Two", needs=("S1",)))
    plan = Plan(title="", sections=(Section(id="steps", title="Steps", items=steps),))
    assert [one.label for one in offered(plan) if one.finding.rule == "steps.needs"] == ["S1 does not need S22"]


def _late(*people: Person) -> Plan:
    def step(number: int, owner: str) -> Step:
        days = Effort(low=5, likely=5, high=5)
        return Step(id=f"S{number}", title=f"Part {number}", outcome="a", check="b", owner=owner, effort=days)

    limit = Constraint(id="K1", text="Done by 4 December 2026", day="2026-12-04", limits="date")
    sections = (
        Section(id="constraints", title="Constraints", items=(limit,)),
        Section(id="people", title="People", items=people),
        Section(id="steps", title="Steps", items=tuple(step(number, "Anna") for number in (1, 2, 3))),
    )
    return Plan(title="Late", sections=sections)


def test_where_it_does_not_fit_the_date_and_the_people_are_offered_in_this_order():
    plan = _late(Person(id="P1", text="Anna"), Person(id="P2", text="Ben"))
    labels = [one.label for one in offered(plan) if one.finding.rule == "dates.deadline"]
    assert [label.split()[0] for label in labels] == ["move", "give"]
    assert labels[0] == "move K1 to 2026-12-11"
    [given] = [one for one in offered(plan) if one.label.startswith("give")]
    assert "the last step ends on 2026-12-04, now 2026-12-11" in told(plan, given)


def test_the_last_day_of_a_range_is_what_moves():
    limit = Constraint(id="K1", text="The fair", day="2026-12-01", last="2026-12-04", limits="date")
    plan = replace_item(_late(), limit)
    late = _with(plan, "S3", needs=("S2",), answers=("K1",), start="2026-12-07", end="2026-12-11")
    late = _with(_with(late, "S2", needs=("S1",)), "S1", start="2026-11-23", end="2026-11-27")
    (move,) = [one for one in offered(late) if one.finding.rule == "dates.deadline"]
    assert move.operations == (SetField("K1", "last", "2026-12-11"),)


def test_a_repair_that_leaves_no_finding_fewer_is_none():
    broken = DEFECTS["steps.needs"](drafted())
    repair = offered(broken)[0]
    assert told(broken, msgspec.structs.replace(repair, operations=(SetField("S3", "notes", "Nothing."),))) == ""


def test_unknown_owners_are_added_to_the_people_together():
    plan = _with(_with(drafted(), "S1", owner="Hanne"), "S2", owner="Mats")
    people = Section(id="people", title="People", items=(Person(id="P1", text="Ole", hours=20),))
    plan = msgspec.structs.replace(plan, sections=(*plan.sections, people))
    (offer,) = [one for one in offered(plan) if one.finding.rule == "people.unknown"]
    assert offer.label == "add Hanne and Mats to the people"
    after = applied(plan, offer.operations)
    assert [one.text for one in after.people] == ["Ole", "Hanne", "Mats"]
    assert "people.unknown" not in rules(found(after))
