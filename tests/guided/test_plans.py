"""Plans of the offline planner: they say what is known, account for every fact, and are silent about the rest."""

from __future__ import annotations

import re
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.guided.plans import DAY, GOALS, TODAY, applied, drafted, found, plan_of, plan_reply, proposed, rules
from workbench.domain.loop.tasks import (
    ExecuteReply,
    ExecuteTask,
    Feedback,
    GenerateReply,
    GenerateTask,
    PlanTask,
    VerifyReply,
    VerifyTask,
)
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.plan import Constraint, Criterion, Days, Plan, Question, Step, WorkingTime
from workbench.guided.brief import CLAUSES, read_brief
from workbench.guided.model import answer

PARTS = (
    "open a café in Porto", "hire two nurses", "paint the fence", "by 30 June 2027", "on 8 May 2027", "before 1 March",
    "for at most 20,000 EUR", "without downtime", "Anna must approve it", "with 5 hours a week", "100 % secure",
    "make it better", "we live there", "for 80 guests", "in Lisbon", "then clean up", "from 3 to 10 May Ben is away",
    "für die Kinder", "我们", "31 February 2027", "[x] {thing} \\d+", "the council needs three weeks",
)  # fmt: skip


def step(plan: Plan, words: str) -> Step:
    return next(one for one in plan.steps if words in one.title)


def questions(plan: Plan) -> list[str]:
    return [item.text for item in plan.items if isinstance(item, Question)]


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6), st.sampled_from([", ", ". ", "; ", " "]))
def test_any_goal_gives_a_plan_that_accounts_for_its_facts(parts, joint):
    goal = joint.join(parts)
    plan = drafted(goal)
    assert len({item.id for item in plan.items}) == len(plan.items)
    assert not {rule for rule in rules(found(plan, goal)) if rule.startswith(("ids.", "steps.cycle", "steps.needs"))}
    assert len(questions(plan)) <= 7
    written = msgspec.json.encode(plan).decode()
    left = [one for one in read_brief(goal, TODAY).facts if one.fact.type in CLAUSES - {"unread"}]
    asked = len(questions(plan)) == 7  # what is not asked for want of room stays in the ledger
    text = goal.casefold()
    for one in left:
        sources = [item.origin.source.split() for item in plan.items if item.origin]
        assert asked or any(one.id in ids for ids in sources) or one.fact.text.casefold() in text, one
    assert written == msgspec.json.encode(drafted.__wrapped__(goal)).decode()


@given(st.text(max_size=300))
def test_no_text_stops_the_planner(goal):
    assert drafted(goal).title
    assert msgspec.json.encode(proposed(goal)) == msgspec.json.encode(proposed.__wrapped__(goal))


def test_a_long_hostile_goal_is_read_in_time():
    for part in ("a" * 20_000, "by 1 " * 4_000, "must " * 4_000, "x, and " * 3_000, "((((" * 5_000, "“" * 20_000):
        assert drafted(part).sections


def test_a_vague_goal_gives_questions_and_nothing_else():
    reply = proposed(GOALS["vague"])
    assert reply.approaches == ()
    assert len(reply.questions) == 4
    plan = plan_of("vague")
    assert not plan.steps
    assert questions(plan) == list(reply.questions)


def test_the_answers_to_a_vague_goal_become_its_criterion_and_day():
    better, whom, when, see = proposed(GOALS["vague"]).questions
    said = ((better, "Fewer late deliveries"), (whom, "our customers"), (when, "30 June 2027"), (see, "under 2 % late"))
    plan = drafted(GOALS["vague"], answers=said)
    criterion = next(item for item in plan.items if isinstance(item, Criterion))
    assert (criterion.text, criterion.measure) == ("Fewer late deliveries", "under 2 % late")
    assert any(isinstance(item, Constraint) and item.day == "2027-06-30" for item in plan.items)


def test_a_goal_in_letters_that_are_not_read_keeps_its_words():
    plan = plan_of("chinese")
    assert [step.title for step in plan.steps] == ["我们想在六月三十日之前搬到新办公室", "预算两万元"]
    assert "cannot read" in plan.section("approach").text


def test_of_another_language_dates_and_sums_are_read():
    plan = plan_of("german")
    limits = [item for item in plan.items if isinstance(item, Constraint)]
    assert {item.day for item in limits} == {"2027-06-30", None}
    assert any(item.amount and item.amount.amount == 20_000 for item in limits)
    assert "I read English" in plan.section("approach").text


def test_an_event_is_planned_back_from_its_day():
    plan = plan_of("wedding")
    day = step(plan, "Celebrate")
    assert (day.on, day.end) == ("2027-09-11", "2027-09-11")
    assert any(isinstance(item, WorkingTime) and item.backward for item in plan.items)
    assert step(plan, "Give the final number").end > "2027-08-01"
    assert step(plan, "View places in Lisbon for 120 guests").end < "2027-03-01"


def test_who_must_agree_is_asked_before_what_that_gates():
    plan = plan_of("wedding")
    asking = step(plan, "Anna")
    assert asking.needs == (step(plan, "Taste and order food").id,)
    assert asking.id in step(plan, "Give the final number").needs
    assert asking.origin.kind == "goal"


def test_nothing_has_a_date_after_a_step_whose_length_nobody_knows():
    plan = plan_of("thesis")
    unknown = step(plan, "Write the draft")
    assert unknown.effort is None
    later = plan.steps[plan.steps.index(unknown) :]
    assert {(one.start, one.end) for one in later} == {(None, None)}
    assert f"{unknown.id} has no estimate" in plan.section("approach").text


def test_somebody_elses_time_is_a_step_that_waits():
    waiting = step(plan_of("thesis"), "three weeks")
    assert waiting.waiting == 21


def test_what_no_practice_fits_stands_in_the_persons_words():
    plan = plan_of("toys")
    assert {"Paint the shelf", "Collect 50 toys"} <= {one.title for one in plan.steps}
    assert step(plan, "Open").on == "2027-05-08"
    assert "stand in your own words" in plan.section("approach").text


def test_a_limit_is_carried_by_its_own_step_alone():
    plan = plan_of("billing")
    limit = next(item for item in plan.items if isinstance(item, Constraint) and "downtime" in item.text)
    assert [one.title for one in plan.steps if limit.id in one.answers] == [step(plan, "way back").title]


def test_absences_and_days_off_belong_to_people_and_calendar():
    goal = "Hire two nurses by 1 June. I am away from 3 to 14 May 2027. The office is closed 24 to 31 December 2026."
    plan = drafted(goal)
    person = next(one for one in plan.people if one.text == "You")
    assert person.away == (Days("2027-05-03", "2027-05-14"),)
    assert any(getattr(item, "days", ()) == (Days("2026-12-24", "2026-12-31"),) for item in plan.items)


def test_the_plan_of_the_readme_is_short_and_sound():
    plan = plan_of("billing")
    assert rules(found(plan, GOALS["billing"])) == set()
    assert len(re.findall(r"\w+", to_markdown(plan))) < 950


def test_the_approaches_of_a_kind_make_different_plans():
    ways = proposed(GOALS["billing"]).approaches
    plans = [plan_of("billing", number) for number in range(len(ways))]
    assert len({tuple(one.title for one in plan.steps) for plan in plans}) == len(ways) == 3


def test_an_answered_kind_gives_its_core():
    goal = "Renovate and sell the house of my aunt by 5 May 2027"
    asked = proposed(goal).questions[0]
    assert proposed(goal).approaches == ()
    by_name = drafted(goal, answers=((asked, "1"),))
    none = drafted(goal, answers=((asked, "none"),))
    assert by_name.steps[0].origin.kind == "practice"
    assert {one.origin.kind for one in none.steps} == {"goal"}


def test_a_later_iteration_changes_nothing_and_says_so():
    plan = plan_of("billing")
    reply = plan_reply(PlanTask(goal=GOALS["billing"], today=TODAY, iteration=2, plan=plan))
    assert reply.amendments == ()
    assert "Nothing is left" in reply.insights[0]


def test_feedback_that_is_not_understood_is_asked_back():
    plan = plan_of("billing")
    said = Feedback(id="F1", text="hm, the colour of it all")
    reply = plan_reply(PlanTask(goal=GOALS["billing"], today=TODAY, iteration=2, plan=plan, feedback=(said,)))
    assert reply.handled[0].outcome == "not understood"
    assert "the colour of it all" in questions(applied(plan, reply))[-1]


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_every_role_answers_for_every_goal(goal):
    plan = drafted(goal)
    verified = answer(VerifyTask(goal=goal, today=TODAY, plan=plan, known=found(plan, goal)))
    acted = answer(ExecuteTask(goal=goal, today=TODAY, plan=plan))
    assert isinstance(verified, VerifyReply)
    assert isinstance(acted, ExecuteReply)
    page = answer(GenerateTask(goal=goal, today=TODAY, plan=plan, actions=acted.actions, findings=verified.findings))
    assert isinstance(page, GenerateReply)
    assert page.deliverable.startswith(f"# {plan.title}")
    assert {action.step for action in acted.actions} <= {one.id for one in plan.steps}


def test_hours_that_are_not_there_are_found():
    plan = plan_of("thesis")
    verified = answer(VerifyTask(goal=GOALS["thesis"], today=TODAY, plan=plan))
    assert isinstance(verified, VerifyReply)
    assert "reckoning.hours" in rules(verified.findings)


def test_dates_of_a_plan_are_days_ahead():
    for key in GOALS:
        for one in plan_of(key).steps:
            assert one.start is None or date.fromisoformat(one.start) >= DAY
