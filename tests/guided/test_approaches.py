"""Three approaches, questions or assumptions, and other approaches after feedback on them."""

from __future__ import annotations

import pytest
from tests.guided.goals import GOALS, TODAY
from tests.guided.plans import applied, plan_reply, proposed
from workbench.domain.loop.tasks import Answered, Approach, Feedback, PlanTask, ProposeTask
from workbench.domain.plan.plan import Plan
from workbench.guided.approaches import propose

GOAL = GOALS["billing"].text


def _after(text: str) -> tuple[Approach, ...]:
    task = ProposeTask(
        goal=GOAL,
        today=TODAY,
        feedback=(Feedback(id="F1", text=text),),
        previous=proposed(GOAL).approaches,
        may_ask=False,
    )
    return propose(task).approaches


@pytest.mark.parametrize("key", GOALS)
def test_three_approaches_are_offered_each_with_what_a_choice_needs(key):
    approaches = proposed(GOALS[key].text).approaches

    assert [approach.id for approach in approaches] == ["A1", "A2", "A3"]
    assert len({approach.title for approach in approaches}) == 3
    for approach in approaches:
        assert len(approach.outline) >= 8
        assert all((approach.summary, approach.advantages, approach.drawbacks, approach.fits))


def test_at_most_three_questions_are_asked_and_none_that_the_goal_answers():
    reply = propose(ProposeTask(goal=GOAL, today=TODAY))

    assert len(reply.questions) == 3
    assert not any("When must it be finished" in question for question in reply.questions)
    assert any("cost" in question for question in reply.questions)


def test_without_a_date_the_date_is_asked_for_first():
    reply = propose(ProposeTask(goal="Move our billing to the new provider for 5,000 euros", today=TODAY))

    assert reply.questions[0].startswith("When must it be finished")
    assert not any("What may it cost" in question for question in reply.questions)


def test_a_date_that_has_passed_is_asked_about():
    reply = propose(ProposeTask(goal="Move our billing by 30 June 2020", today=TODAY))

    assert reply.questions[0].startswith("2020-06-30 has passed already")


def test_when_nobody_may_be_asked_assumptions_are_stated_instead():
    reply = propose(ProposeTask(goal=GOAL, today=TODAY, may_ask=False))

    assert reply.questions == ()
    assert len(reply.assumptions) >= 2


def test_an_ambiguous_date_is_stated_as_an_assumption():
    reply = propose(ProposeTask(goal="Move our billing by 03/04/2027", today=TODAY))

    assert "“03/04/2027” is read day first, as 2027-04-03." in reply.assumptions


def test_answers_become_constraints():
    answers = (Answered(question="What may it cost, in money and in people's time?", answer="at most 5,000 euros"),)

    reply = propose(ProposeTask(goal=GOAL, today=TODAY, answers=answers))

    assert "at most 5,000 euros" in reply.constraints
    assert reply.questions == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("That is all too slow for us", "One rehearsed switch"),
        ("We need the cheapest one", "One rehearsed switch"),
        ("I like option 2", "Run both in parallel, then switch"),
        ("Rather the second approach please", "Run both in parallel, then switch"),
    ],
)
def test_feedback_brings_what_it_asks_for_to_the_front(text, first):
    assert _after(text)[0].title == first


def test_a_refused_approach_is_not_offered_again():
    assert "One rehearsed switch" not in {approach.title for approach in _after("No rehearsed switch, please")}


def test_two_approaches_are_combined_on_demand():
    mixture = _after("Can you combine 1 and 2?")[0]

    assert mixture.title == "Move in cohorts, then as in: run both in parallel, then switch"
    assert "Define the cohorts and the rule for moving on" in mixture.outline
    assert "Archive the old system and switch it off" in mixture.outline


def test_a_wish_in_other_words_becomes_an_approach_of_its_own():
    approaches = _after("Our bookkeeper wants to see every customer in person")

    assert "Our bookkeeper wants to see every customer in person" in approaches[0].summary
    assert [approach.id for approach in approaches] == ["A1", "A2", "A3", "A4"]


@pytest.mark.parametrize("text", ["Can you combine 1 and 2?", "Our bookkeeper wants to see every customer"])
def test_a_new_approach_is_drafted_from_its_outline_with_what_the_tables_know(text):
    chosen = _after(text)[0]

    plan = applied(Plan(title=""), plan_reply(PlanTask(goal=GOAL, today=TODAY, iteration=1, approach=chosen)))

    assert [step.title for step in plan.steps] == list(chosen.outline)
    archive = plan.steps[-1]
    assert "found in the archive within ten minutes" in archive.check


def test_an_approach_of_a_language_model_is_drafted_too():
    foreign = Approach(
        id="A1", title="Ask the neighbours", summary="They know.", outline=("Ring the bell", "Ask kindly")
    )

    plan = applied(Plan(title=""), plan_reply(PlanTask(goal=GOAL, today=TODAY, iteration=1, approach=foreign)))

    assert [step.title for step in plan.steps] == ["Ring the bell", "Ask kindly"]
    assert plan.steps[1].needs == ("S1",)
    assert all((step.outcome, step.check, step.owner, step.effort) for step in plan.steps)
