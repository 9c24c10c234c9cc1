"""Labelled feedback on plans: the class is right, and what it does not concern stays byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guided.feedback import CASES, HELD_OUT, Case
from tests.guided.goals import GOALS
from tests.guided.plans import DAY, bytes_of, plan_of, told
from workbench.domain.loop.tasks import Feedback
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Constraint, Criterion, Question, Risk
from workbench.guided.feedback import classify, concerned

ENOUGH = 0.9


def _share_right(cases: tuple[Case, ...]) -> float:
    return sum(classify(case.text) == case.kind for case in cases) / len(cases)


def test_nine_of_ten_labelled_pieces_of_feedback_are_classified_right():
    assert len(CASES) >= 50
    assert _share_right(CASES) >= ENOUGH


def test_most_of_the_feedback_that_was_held_out_is_classified_right():
    assert _share_right(HELD_OUT) >= 0.8


@pytest.mark.parametrize("case", CASES + HELD_OUT, ids=lambda case: case.text[:40])
def test_sections_that_feedback_does_not_concern_stay_byte_for_byte(case):
    plan = plan_of(case.plan)

    after, reply = told(plan, GOALS[case.plan].text, case.text)

    changed = {name for name, content in bytes_of(after).items() if bytes_of(plan)[name] != content}
    assert changed <= case.concerns
    for section in plan.sections:
        if section.id not in case.concerns:
            kept = after.section(section.id)
            assert kept is not None
            assert section_to_markdown(kept) == section_to_markdown(section)
    assert {amendment.section.id for amendment in reply.amendments} == changed
    assert set(reply.handled[0].sections) == changed


UNSOUND = {"Do S5 before S4.": {"order.irreversible"}}
"""Feedback that makes a plan unsound, as the checks say: invitations are sent before the venue is booked."""


@pytest.mark.parametrize("case", CASES + HELD_OUT, ids=lambda case: case.text[:40])
def test_a_plan_stays_sound_through_feedback_and_each_piece_is_handled(case):
    after, reply = told(plan_of(case.plan), GOALS[case.plan].text, case.text)

    said = Feedback(id="F1", text=case.text)
    findings = check_plan(after, today=DAY, feedback=(said,), handled=reply.handled)
    schedule = after.section("schedule")
    fits = schedule is None or "This does not fit" not in schedule.text
    expected = UNSOUND.get(case.text, set()) | (set() if fits else {"dates.deadline"})
    assert {one.rule for one in findings if one.severity == "major"} == expected
    assert reply.handled[0].note
    if case.kind != "question":
        assert reply.amendments


@pytest.mark.parametrize(
    ("plan", "text", "step", "field", "value"),
    [
        ("billing", "S3 should be done by Maria.", "S3", "owner", "Maria"),
        ("kitchen", "Our neighbour Tom, not the project lead, is responsible for S2.", "S2", "owner", "Tom"),
        ("billing", "Please let Ann-Marie Duke own S4.", "S4", "owner", "Ann-Marie Duke"),
        ("wedding", "Rename S1 to 'Agree on budget and guest list'.", "S1", "title", "Agree on budget and guest list"),
    ],
)
def test_a_change_of_one_field_changes_that_field(plan, text, step, field, value):
    after, _ = told(plan_of(plan), GOALS[plan].text, text)

    changed = next(one for one in after.steps if one.id == step)
    assert getattr(changed, field) == value


@pytest.mark.parametrize(
    ("text", "step", "days"),
    [
        ("The pilot should take three weeks instead of two.", "S5", 15),
        ("S6 takes 10 days.", "S6", 10),
        ("S1: two days is too little, make it four days.", "S1", 4),
    ],
)
def test_lengths_are_read_in_working_days(text, step, days):
    after, _ = told(plan_of("billing"), GOALS["billing"].text, text)

    effort = next(one.effort for one in after.steps if one.id == step)
    assert effort is not None
    assert effort.likely == days


def test_a_new_deadline_replaces_the_old_one_wherever_it_counts():
    after, _ = told(plan_of("billing"), GOALS["billing"].text, "Move the deadline to 15 May.")

    first = next(item for item in after.items if isinstance(item, Constraint))
    assert first.text.startswith("By 15 May (2027-05-15)")
    assert {item.due for item in after.items if isinstance(item, Criterion)} == {"2027-05-15"}
    schedule = after.section("schedule")
    assert schedule is not None
    assert "2027-05-15" in schedule.text
    assert "2027-06-30" not in schedule.text


def test_a_deadline_too_near_is_said_and_shortens_no_estimate():
    before = plan_of("billing")
    after, _ = told(before, GOALS["billing"].text, "We have to be done by 8 January now.")

    schedule = after.section("schedule")
    assert schedule is not None
    assert "This does not fit" in schedule.text
    assert [step.effort for step in after.steps] == [step.effort for step in before.steps]


def test_the_order_of_two_steps_is_turned_around():
    after, _ = told(plan_of("wedding"), GOALS["wedding"].text, "Do S5 before S4.")

    steps = {step.id: step for step in after.steps}
    assert "S5" in steps["S4"].needs
    assert "S4" not in steps["S5"].needs


def test_two_steps_become_one():
    after, _ = told(plan_of("billing"), GOALS["billing"].text, "Merge S8 and S9.")

    steps = {step.id: step for step in after.steps}
    assert "S9" not in steps
    assert steps["S10"].needs == ("S8",)


def test_a_removed_step_hands_its_needs_and_its_constraint_on():
    before = plan_of("billing")
    kept = {step.id: step for step in before.steps}["S5"]

    after, _ = told(before, GOALS["billing"].text, "Drop S5.")

    steps = {step.id: step for step in after.steps}
    assert "S5" not in steps
    assert set(kept.needs) <= set(steps["S6"].needs)
    assert "K2" in {answer for step in after.steps for answer in step.answers}


def test_an_id_that_was_removed_is_never_given_to_something_else():
    goal = GOALS["billing"].text
    plan, _ = told(plan_of("billing"), goal, "Drop S10.")
    plan, _ = told(plan, goal, "Please add a step to train the support team.")

    assert "S10" not in {step.id for step in plan.steps}
    assert "S11" in {step.id for step in plan.steps}


def test_a_new_step_stands_where_it_was_asked_for():
    after, _ = told(plan_of("billing"), GOALS["billing"].text, "Add a rehearsal of the invoice run before S5.")

    steps = {step.id: step for step in after.steps}
    assert "S11" in steps["S5"].needs
    assert set(steps["S11"].needs) == {"S2", "S4"}


def test_a_likelihood_moves_by_one():
    after, _ = told(plan_of("billing"), GOALS["billing"].text, "R2 is more likely than that.", "R1 has low impact.")

    risks = {item.id: item for item in after.items if isinstance(item, Risk)}
    assert risks["R2"].likelihood == "high"
    assert risks["R1"].impact == "low"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What is the critical path?", "S1 → "),
        ("How long does the whole thing take?", "working days"),
        ("How long does S3 take?", "S3 takes about"),
        ("Will we finish in time?", "the chance is about"),
        ("Which steps can be done in parallel?", "S2 and S3"),
        ("Who decides in the end?", "the sponsor"),
        ("Who owns the pilot cohort?", "owns S5"),
        ("When does the pilot start?", "S5"),
        ("What comes out of S4?", "A procedure that returns"),
        ("What happens if an interface stops working?", "R3"),
        ("What does it cost?", "Q1"),
        ("What do you assume about the contract?", "B8"),
    ],
)
def test_questions_are_answered_from_the_plan(text, words):
    _, reply = told(plan_of("billing"), GOALS["billing"].text, text)

    assert reply.handled[0].kind == "question"
    assert words in reply.handled[0].note
    assert reply.amendments == ()


def test_a_question_that_the_plan_cannot_answer_becomes_an_open_question():
    after, reply = told(plan_of("billing"), GOALS["billing"].text, "Do the auditors accept scanned receipts?")

    asked = [item for item in after.items if isinstance(item, Question)][-1]
    assert asked.text == "Do the auditors accept scanned receipts?"
    assert asked.id in reply.handled[0].note


@pytest.mark.parametrize(
    ("section", "text", "kept"),
    [
        ("risks", "Add a strike at the old provider.", {"risks", "decisions"}),
        ("questions", "Add who our contact at the bank is.", {"questions", "decisions"}),
        ("assumptions", "Add that the bank answers within a day.", {"assumptions", "decisions"}),
        ("scope", "Add the archive of 2019.", {"scope", "decisions"}),
    ],
)
def test_feedback_pinned_to_a_section_amends_that_section(section, text, kept):
    plan = plan_of("billing")

    after, reply = told(plan, GOALS["billing"].text, text, section=section)

    assert {amendment.section.id for amendment in reply.amendments} == kept
    assert len(after.section(section).items) == len(plan.section(section).items) + 1


def test_a_change_that_no_rule_knows_is_taken_into_the_step_it_speaks_of():
    after, reply = told(
        plan_of("billing"), GOALS["billing"].text, "The pilot cohort: change it so that it is Danish only."
    )

    pilot = next(step for step in after.steps if step.id == "S5")
    assert "Danish only" in pilot.outcome
    assert reply.handled[0].kind == "change"


def test_a_start_that_moves_moves_the_dates():
    after, _ = told(plan_of("billing"), GOALS["billing"].text, "Start on 11 January 2027 instead.")

    assert min(step.start for step in after.steps) == "2027-01-11"


def test_what_takes_too_long_is_shortened():
    plan = plan_of("billing")
    after, _ = told(plan, GOALS["billing"].text, "S5 is too long.")

    before = next(step.effort for step in plan.steps if step.id == "S5")
    now = next(step.effort for step in after.steps if step.id == "S5")
    assert now.likely < before.likely


def test_several_pieces_at_once_are_all_handled():
    texts = ("Drop S7.", "S3 should be done by Maria.", "Why do we need a way back?", "Security really matters here.")

    after, reply = told(plan_of("billing"), GOALS["billing"].text, *texts)

    assert [one.kind for one in reply.handled] == ["remove", "change", "question", "emphasise"]
    assert "S7" not in {step.id for step in after.steps}
    assert check_plan(after, today=DAY) == ()


def test_concerned_names_the_sections_that_a_class_may_amend():
    assert concerned("question", Risk) == ("questions",)
    assert concerned("add", Risk) == ("risks", "decisions")
    assert concerned("change", Constraint) == ("constraints", "criteria", "steps", "risks", "decisions")
    assert concerned("remove", "assumptions") == ("assumptions", "decisions")
    assert concerned("emphasise", Risk) == ("constraints", "steps", "decisions")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120))
def test_whatever_is_said_is_handled(text):
    plan = plan_of("billing")

    _, reply = told(plan, GOALS["billing"].text, text)

    assert reply.handled[0].kind in {"add", "remove", "change", "question", "emphasise"}
    assert reply.handled[0].note
