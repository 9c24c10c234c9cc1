"""A plan takes over the steps of a proposal that a person brought."""

from __future__ import annotations

import pytest
from tests.guided.goals import GOALS
from tests.guided.plans import drafted, found
from workbench.domain.plan.plan import Plan

GOAL = GOALS["billing"].text

MARKDOWN = """# Billing move

## Background
- This is context and no step

## Preparation
1. Call the provider (Anna, 2 days)
2. [ ] Export all invoices
   - 3. nested numbers are steps too

## Move
* **Switch** on a Sunday (1 week)
* Switch on a Sunday
"""


def _titles(proposal: str) -> list[str]:
    return [step.title for step in drafted(GOAL, proposal=proposal).steps]


def test_numbers_bullets_and_boxes_are_steps_under_their_headings():
    plan = drafted(GOAL, proposal=MARKDOWN)

    assert [step.title for step in plan.steps][:2] == ["Call the provider", "Export all invoices"]
    assert [step.title for step in plan.steps].count("Switch on a Sunday") == 1
    call, switch = plan.steps[0], plan.steps[-1]
    assert (call.owner, call.effort.likely, call.workstream) == ("Anna", 2, "Preparation")
    assert (switch.effort.likely, switch.workstream) == (5, "Move")
    assert not any("context" in step.title for step in plan.steps)


@pytest.mark.parametrize(
    ("proposal", "titles"),
    [
        ("Call them. Then pay. Close it", ["Call them", "Then pay", "Close it"]),
        ("Call them\nPay\nClose it", ["Call them", "Pay", "Close it"]),
        ("## Call them\n## Pay", ["Call them", "Pay"]),
        ("- Call them\n- Pay", ["Call them", "Pay"]),
    ],
)
def test_plain_texts_are_taken_line_by_line_or_sentence_by_sentence(proposal, titles):
    assert _titles(proposal) == titles


def test_what_a_proposal_leaves_open_is_filled_in_and_the_plan_is_sound():
    plan = drafted(GOAL, proposal=MARKDOWN)

    assert all((step.outcome, step.check, step.owner, step.effort, step.start) for step in plan.steps)
    assert {one.rule for one in found(plan, GOAL)} <= {"scope.undone"}  # the steps are the person's, the scope is not
    approach = plan.section("approach")
    assert approach is not None
    assert "proposal this session started from" in approach.text


def test_a_proposal_of_nothing_falls_back_to_the_first_approach():
    plan = drafted(GOAL, proposal="--- *** ---")

    assert isinstance(plan, Plan)
    assert plan.steps[0].title == "List everything that our billing does"


def test_a_huge_proposal_is_cut_to_what_can_be_steered():
    assert len(_titles("\n".join(f"- Step number {number} of many" for number in range(5_000)))) == 24
