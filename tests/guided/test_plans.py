"""Plans of the offline planner: they say what is known, account for every fact, and are silent about the rest."""

from __future__ import annotations

import re
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.guided.plans import (
    DAY,
    GOALS,
    TODAY,
    applied,
    confirmed,
    drafted,
    found,
    plan_of,
    plan_reply,
    proposed,
    put_item,
    rules,
)
from workbench.domain.facts.ledger import stated
from workbench.domain.facts.reader import read_facts
from workbench.domain.loop.tasks import (
    Answered,
    ExecuteReply,
    ExecuteTask,
    Feedback,
    GenerateReply,
    GenerateTask,
    PlanTask,
    VerifyReply,
    VerifyTask,
)
from workbench.domain.plan.figures import with_forecast
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Days, Plan, Question, Risk, Step, WorkingTime
from workbench.export.figures import headline
from workbench.guided.brief import read_brief
from workbench.guided.kinds import ASKS
from workbench.guided.model import answer
from workbench.guided.parts import CLAUSES, SEEN

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
    assert not {rule for rule in rules(found(plan)) if rule.startswith(("ids.", "steps.cycle", "steps.needs"))}
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


@pytest.mark.full
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
    assert not plan.steps
    assert GOALS["chinese"] in plan.section("goal").text
    assert any("分号" in text for text in questions(plan))
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
    assert asking.needs == (step(plan, "Order food").id,)
    assert asking.id in step(plan, "Celebrate").needs
    assert asking.origin.kind == "goal"


def test_nothing_has_a_date_after_a_step_whose_length_nobody_knows():
    plan = plan_of("thesis")
    unknown = step(plan, "Write the draft")
    assert unknown.effort is None
    later = plan.steps[plan.steps.index(unknown) :]
    assert {(one.start, one.end) for one in later} == {(None, None)}
    assert f"{unknown.id} has no estimate" in plan.section("approach").text


def test_what_no_practice_fits_stands_in_the_persons_words():
    plan = drafted(GOALS["toys"])
    assert {"Paint the shelf", "Collect 50 toys"} <= {one.title for one in plan.steps}
    assert step(plan, "Open").on == "2027-05-08"
    assert "I have no practice for this" in plan.section("approach").text


def test_only_what_is_to_be_done_is_a_step():
    plan = drafted("Clear the cellar by 31 May 2027. 600 boxes, two helpers. The lift is out of use, larch.")
    assert "Clear the cellar" not in {one.title for one in plan.steps}  # a goal said again is no step
    listed = drafted("Finish my album: 4 songs to mix, mastering, 9 songs recorded, 3000 euros")
    assert [one.title for one in listed.steps] == ["Have ready: 4 songs to mix", "Have ready: mastering"]
    assert "9 songs recorded." in notes(listed)
    assert not [one for key in GOALS for one in plan_of(key).steps if one.title.startswith("Do: ")]


def test_the_persons_own_words_are_no_grave_fault():
    goal = "Get our band new uniforms by 20 June 2027, at most 450 EUR each for 28 players"
    plan = drafted(goal)
    assert not plan.steps
    assert {finding.severity for finding in found(plan)} == {"minor"}


def test_a_kind_whose_usual_course_is_too_long_gives_no_steps():
    plan = drafted("Move our billing to the new provider by 27 November 2026")
    assert not plan.steps
    assert "usual steps of moving data" in questions(plan)[0]


def test_a_day_of_something_beside_is_not_the_day_of_the_whole():
    plan = drafted("Repair the organ by 1 October 2027. The diocese pays half if we apply by 15 January 2027.")
    assert {item.day for item in plan.items if isinstance(item, Constraint)} == {"2027-01-15", "2027-10-01"}
    assert not any("has to be done by" in text for text in questions(plan))


def test_hours_and_absences_are_those_of_whoever_they_are_said_of():
    plan = drafted("Hire two nurses by 1 June 2027. Ben is away 3 to 10 May 2027 and I have 5 hours a week.")
    assert {one.text: (one.hours, one.away) for one in plan.people} == {
        "You": (5, ()),
        "Ben": (None, (Days("2027-05-03", "2027-05-10"),)),
    }
    assert not [limit for limit in limits(plan) if "away" in limit]
    other = drafted("Hire two nurses by 1 June 2027. The agency has 4 hours a week for us.")
    assert not [one for one in other.people if one.hours]
    assert notes(other) == ["The agency has 4 hours a week for us."]


def test_weekdays_on_which_alone_there_is_work_stand_in_the_calendar():
    goal = "Hire two nurses by 1 June 2027. We can only work on Saturdays."
    plan = confirmed(goal)
    assert {one.text: one.weekdays for one in plan.people} == {"You": (6,)}
    assert "constraints.unanswered" not in rules(found(plan))
    assert {date.fromisoformat(one.start).weekday() for one in plan.steps if one.start} == {5}


def test_a_stretch_of_weeks_is_no_day():
    plan = drafted("Plant a hedge of 60 m along the yard this autumn")
    assert not plan.steps
    assert [item.day for item in plan.items if isinstance(item, Constraint)] == ["2026-11-30"]


def test_a_limit_is_carried_by_its_own_step_alone():
    plan = plan_of("billing")
    limit = next(item for item in plan.items if isinstance(item, Constraint) and "downtime" in item.text)
    assert [one.title for one in plan.steps if limit.id in one.answers] == [step(plan, "way back").title]


@pytest.mark.parametrize(
    ("goal", "limits"),
    [
        ("Build a website by 1 May, nothing above 5,000 EUR", ["Nothing above 5,000 EUR"]),
        ("Organise a film night on 8 May 2027, no entry fee above 15 EUR", ["No entry fee above 15 EUR"]),
    ],
)
def test_a_limit_is_worded_as_one(goal, limits):
    plan = confirmed(goal) if "film night" in goal else drafted(goal)
    texts = [item.text for item in plan.items if isinstance(item, Constraint) and "EUR" in item.text]
    assert texts == limits
    assert not any(step.cost for step in plan.steps)


def test_absences_and_days_off_belong_to_people_and_calendar():
    goal = "Hire two nurses by 1 June. I am away from 3 to 14 May 2027. The office is closed 24 to 31 December 2026."
    plan = drafted(goal)
    person = next(one for one in plan.people if one.text == "You")
    assert person.away == (Days("2027-05-03", "2027-05-14"),)
    assert any(getattr(item, "days", ()) == (Days("2026-12-24", "2026-12-31"),) for item in plan.items)


def test_the_plan_of_the_readme_is_short_and_sound():
    plan = plan_of("billing")
    assert rules(found(plan)) == set()
    assert len(re.findall(r"\w+", to_markdown(plan))) < 950


def test_the_approaches_of_a_kind_make_different_plans():
    ways = proposed(GOALS["billing"]).approaches
    plans = [plan_of("billing", number) for number in range(len(ways))]
    assert len({tuple(one.title for one in plan.steps) for plan in plans}) == len(ways) == 3


def test_an_answered_kind_gives_its_core():
    goal = "Get my driving licence back by 5 May 2027"
    asked = proposed(goal).questions[0]
    assert proposed(goal).approaches == ()
    by_name = drafted(goal, answers=((asked, "1"),))
    none = drafted(goal, answers=((asked, "none"),))
    assert by_name.steps[0].origin.kind == "practice"
    assert not none.steps


def limits(plan: Plan) -> list[str]:
    return [item.text for item in plan.items if isinstance(item, Constraint)]


def notes(plan: Plan) -> list[str]:
    return [item.text for item in plan.items if isinstance(item, Bullet)]


FAIR = (
    "Hold the autumn fair of the allotments in Lund on 18 and 19 September 2027 for 300 visitors, budget 4,000 EUR, "
    "Nils books the meadow, no stall fee above 20 EUR. Need: stewards, soup for 300, a puppet stage"
)


def test_what_is_held_on_days_is_an_event_on_these_days():
    plan = confirmed(FAIR)
    day = step(plan, "Hold the autumn fair")
    assert (day.on, day.start, day.end) == ("2027-09-18", "2027-09-18", "2027-09-19")
    assert step(plan, "Clear up").start > day.end
    assert all(one.end <= day.start for one in plan.steps if one.end and one.start < day.start)
    assert headline(with_forecast(plan)).startswith("18 Sep to 19 Sep 2027")
    assert "%" not in headline(with_forecast(plan))
    assert not any(finding.rule.startswith("dates.") for finding in found(plan))


def test_a_sum_for_one_of_many_is_no_budget():
    plan = confirmed(FAIR)
    assert [item.amount.amount for item in plan.items if isinstance(item, Constraint) and item.amount] == [4_000]
    assert any("stall fee above 20 EUR" in text for text in limits(plan))
    verified = answer(VerifyTask(goal=FAIR, today=TODAY, plan=plan))
    assert isinstance(verified, VerifyReply)
    assert "reckoning.budgets" not in rules(verified.findings)
    each = drafted("Take the choir with 30 singers by train to Bergen from 4 to 6 June 2027, at most 250 EUR per head")
    assert any("7,500 EUR for 30 singers" in text for text in limits(each))


def test_who_does_a_step_owns_it():
    assert step(confirmed(FAIR), "Book the place").owner == "Nils"


def test_a_list_of_needs_is_shared_out_over_steps():
    plan = confirmed(FAIR)
    assert "soup for 300" in step(plan, "Order what is needed").title
    assert "stewards" in step(plan, "Fill the rota").title
    assert step(plan, "Have ready: a puppet stage").origin.kind == "goal"


def test_what_is_there_already_is_confirmed():
    plan = confirmed("Hold the spring fair on 8 May 2027. The hall is booked.")
    assert step(plan, "The hall is booked").title.startswith("Have it confirmed in writing")
    assert not [one for one in plan.steps if one.title.startswith("Book the place")]


def test_what_is_undecided_is_asked():
    plan = confirmed("Travel with our club to Malmö from 4 to 6 June 2027. Bus or train undecided.")
    assert any(text.startswith("“Bus or train undecided”: who can settle that") for text in questions(plan))
    assert "Bus or train undecided" in limits(plan)


def test_a_step_without_estimate_has_the_last_day_that_keeps_the_deadline():
    plan = confirmed(GOALS["thesis"].replace("1 March 2027", "1 March 2028"))
    unknown = step(plan, "Write the draft")
    later = [one for one in plan.steps if unknown.id in one.needs]
    assert unknown.deadline < min(one.deadline for one in later) <= "2028-03-01"
    assert headline(with_forecast(plan)) == f"no finish: {unknown.id} has no estimate"


def test_an_own_step_without_estimate_leaves_the_others_their_dates():
    plan = confirmed(FAIR)
    undated = [one.title for one in plan.steps if one.start is None]
    assert undated == ["Have ready: a puppet stage"]


def test_time_that_does_not_suffice_is_said_first():
    plan = confirmed("Migrate our payroll by 4 December 2026")
    assert "does not fit" in plan.section("approach").text
    assert "which later day holds" in questions(plan)[0]
    assert "does not fit" not in plan_of("billing").section("approach").text


@pytest.mark.parametrize(
    ("goal", "asked"),
    [
        ("Hold the fair on 31 September 2027", "there is no 31 September 2027"),
        ("Go from 3 to 30 shops this year, no loans, no investors, no new staff", "pull against each other"),
        ("Hire a cook and spend nothing by 1 March 2027", "who pays for it"),
        ("Nothing may change for the members, and introduce a new fee by 1 March 2027", "which of them yields"),
        ("Repaint the hall by 1 March 2024", "gone by"),
    ],
)
def test_what_cannot_be_is_asked_first(goal, asked):
    assert asked in questions(drafted(goal))[0]


@pytest.mark.parametrize(
    ("goal", "asked"),
    [
        ("Make our playground safer", "In which number would it show"),
        ("Improve the mood in the kitchen team", "In which number would it show"),
        ("pigeons", "“pigeons”"),
        ("I was told on Monday that my knee is worn out and I feel lost. I climb stairs all day.", "doctor"),
    ],
)
def test_what_leaves_open_how_much_or_what_gets_questions_and_no_steps(goal, asked):
    plan = drafted(goal)
    assert not plan.steps
    assert any(asked in text for text in questions(plan))
    assert not any(isinstance(item, Criterion) for item in plan.items)


def test_from_a_number_to_a_number_is_one_criterion():
    plan = confirmed("Reduce the queue at the counter from 12 to 5 minutes by 1 June 2027, no new staff")
    told = drafted("Reduce complaints from 9 % to 5 % by 1 June 2027")
    assert [item.target for item in told.items if isinstance(item, Criterion)] == ["5 % (9 % today)"]
    assert step(plan, "Choose one change").answers


def test_a_stretch_of_days_is_when_it_happens():
    plan = confirmed("Move 40 beehives 200 km in March 2027")
    move = step(plan, "Move the 40 beehives")
    assert "2027-03-01" <= move.start <= move.end <= "2027-03-31"


def test_what_goes_live_on_a_day_is_prepared_before():
    plan = confirmed("Set up a tutoring service for pupils, open from 1 March 2027")
    assert plan.steps[0].start == TODAY
    assert step(plan, "Begin the tutoring service").start >= "2027-03-01"


def test_circumstances_limit_the_step_they_concern_or_are_noted():
    plan = confirmed(
        "Close our shop in Linz by 31 March 2027. 3 employees, a lease until 2029, my uncle likes pigeons."
    )
    lease = next(item for item in plan.items if isinstance(item, Constraint) and "lease" in item.text)
    assert lease.id in step(plan, "End leases").answers
    assert "My uncle likes pigeons." in notes(plan)
    fair = confirmed("Hold the summer fair on 12 June 2027: raffle, pony, 200 guests")
    assert notes(fair) == ["Raffle, pony."]
    assert not [one for one in plan.steps if "pigeons" in one.title or "employees" in one.title]


def test_what_leaves_on_a_day_sets_the_deadline_and_what_lasts_does_not():
    plan = drafted("Translate our manual into Finnish, drawings may still change until mid October 2027, "
                   "the machine ships 3 November 2027")  # fmt: skip
    assert [item.day for item in plan.items if isinstance(item, Constraint) and item.day] == ["2027-11-03"]


def test_things_by_the_hundred_set_a_pace():
    plan = confirmed("Digitise 5,200 photographs by 23 November 2027, I have 4 hours a week")
    assert "100 a week, 24.9 in each of 4 hours" in step(plan, "Reckon").title


def test_a_later_iteration_changes_nothing_and_says_so():
    plan = plan_of("billing")
    reply = plan_reply(PlanTask(goal=GOALS["billing"], today=TODAY, iteration=2, plan=plan))
    assert reply.amendments == ()
    assert "Nothing is left" in reply.insights[0]


def test_feedback_that_is_not_understood_is_asked_back():
    plan = plan_of("billing")
    said = Feedback(id="F1", text="hm, the colour of it all")
    reply = plan_reply(PlanTask(goal=GOALS["billing"], today=TODAY, iteration=2, plan=plan, feedback=(said,)))
    assert reply.handled[0].outcome == "asked"
    assert "the colour of it all" in questions(applied(plan, reply))[-1]


@pytest.mark.parametrize("text", ["undo", "in German, please", "save it"])
def test_what_feedback_cannot_do_is_not_said_to_be_done(text):
    plan = plan_of("billing")
    said = Feedback(id="F1", text=text)
    reply = plan_reply(PlanTask(goal=GOALS["billing"], today=TODAY, iteration=2, plan=plan, feedback=(said,)))
    assert [one.outcome for one in reply.handled] == ["not done"]
    assert reply.amendments == ()


@pytest.mark.parametrize("kind", ["wedding", "billing"])
def test_other_approaches_to_a_kind_of_work_are_named_once_there_is_a_plan(kind):
    plan = plan_of(kind)
    said = Feedback(id="F1", text="show me other approaches")
    reply = plan_reply(PlanTask(goal=GOALS[kind], today=TODAY, iteration=2, plan=plan, feedback=(said,)))
    offered = proposed(GOALS[kind]).approaches
    others = [one.title for one in offered if one.title not in plan.section("approach").text]
    [handled] = reply.handled
    assert handled.outcome == ("done" if others else "not done")
    assert all(title in handled.note for title in others)
    assert reply.amendments == ()


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_every_role_answers_for_every_goal(goal):
    plan = drafted(goal)
    verified = answer(VerifyTask(goal=goal, today=TODAY, plan=plan, known=found(plan)))
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


def test_a_limit_that_a_proposal_sets_is_not_set_a_second_time():
    goal = "Publish a podcast with local authors by 7 June 2027, spending no more than 3,000 EUR, without paid adverts."
    text = (
        "## Constraints\n\n- K1 · At most 3,000 EUR\n  - Limits: amount · At most: 3,000 EUR\n"
        "- K2 · Consent in writing\n\n"
        "## Steps\n\n- S1 · Record the talks\n  - Outcome: six recordings\n  - Check: each was heard through\n"
    )
    reply = plan_reply(PlanTask(goal=goal, proposal=text, today=TODAY, iteration=1))
    limits = {item.id: item for item in applied(Plan(title=""), reply).items if isinstance(item, Constraint)}
    assert (limits["K1"].text, limits["K2"].text) == ("At most 3,000 EUR", "Consent in writing")
    assert [one.amount is not None for one in limits.values()].count(True) == 1
    assert any("paid adverts" in one.text for one in limits.values())


MOVE = "out of the flat in Leeds by 31 January 2027, into my sister's annexe"
STEPS = (
    "Nothing is begun. First I give written notice by 31 December 2026; book a van for Saturday 23 January 2027; "
    "the council takes 4 weeks to answer; a list of the furniture, my cousin Lena does it; if it rains, another day"
)


def told(goal: str, **answers: str) -> Plan:
    """Return the plan of a goal of which a person has answered the questions that have these words in them."""
    asked = proposed(goal).questions
    given = {text: said for text in asked for words, said in answers.items() if words in text}
    assert len(given) == len(answers)
    return drafted(goal, answers=tuple(given.items()))


def test_what_has_to_be_done_is_asked_and_becomes_the_steps_in_the_persons_words():
    plan = told(MOVE, semicolon=STEPS)
    assert [one.title for one in plan.steps] == [
        "Give written notice by 31 December 2026",
        "Book a van for Saturday 23 January 2027",
        "The council takes 4 weeks to answer",
        "A list of the furniture, my cousin Lena does it",
    ]
    notice, van, council, furniture = plan.steps
    assert (notice.deadline, van.on, council.waiting, furniture.owner) == ("2026-12-31", "2027-01-23", 28, "Lena")
    assert van.needs == (notice.id,)
    assert {one.origin.kind for one in plan.steps} == {"answer"}
    assert {"Nothing is begun.", "If it rains, another day."} <= set(notes(plan))


def test_steps_are_told_in_any_language():
    plan = told(GOALS["german"], semicolon="Angebote einholen (3 Wochen); Vertrag bis 1. März 2027 unterschreiben")
    assert [one.title for one in plan.steps] == [
        "Angebote einholen (3 Wochen)",
        "Vertrag bis 1. März 2027 unterschreiben",
    ]
    assert (plan.steps[0].waiting, plan.steps[1].deadline) == (21, "2027-03-01")
    assert any("Schritt für Schritt" in text for text in proposed(GOALS["german"]).questions)


def test_an_answer_that_is_no_step_is_kept_whole():
    said = "About 400 pounds. I work weekdays, and two friends help on weekends."
    plan = told(MOVE, money=said, early="My sister Moira has to agree, and she likes cats.")
    assert said in notes(plan)
    assert "My sister Moira has to agree, and she likes cats" in limits(plan)
    assert [one.title for one in plan.steps] == ["Get the agreement of Moira"]


def test_how_success_is_seen_is_the_criterion():
    plan = told(MOVE, see="I get my deposit of 850 pounds back")
    assert [item.measure for item in plan.items if isinstance(item, Criterion)] == [
        "I get my deposit of 850 pounds back"
    ]
    assert not any(item.amount for item in plan.items if isinstance(item, Constraint))


def test_the_steps_of_a_kind_that_were_not_told_are_asked_about():
    goal = "Hire two nurses by 1 June 2027"
    steps = "Write the profile; publish the ad; talk to those who fit; call references"
    plan = told(goal, nearest="1", semicolon=steps)
    assert [one.title for one in plan.steps][:2] == ["Write the profile", "Publish the ad"]
    assert {one.origin.kind for one in plan.steps} == {"answer"}
    assert "Such work often has these steps, too" in questions(plan)[0]


@pytest.mark.parametrize("goal", ["Hold the fair on 31 September 2027", "Paint the hall by 1 March 2024"])
def test_a_day_that_cannot_be_gives_no_step_before_another_is_named(goal):
    assert not drafted(goal).steps
    plan = drafted(goal, answers=((questions(drafted(goal))[0], "2 October 2027"),))
    assert [item.day for item in plan.items if isinstance(item, Constraint)] == ["2027-10-02"]


def test_told_steps_are_in_order_only_as_far_as_their_words_say_so():
    free = told(MOVE, semicolon="Measure the windows; order the curtains; ask Mr. Lind about the floor")
    assert [one.needs for one in free.steps] == [(), (), ()]
    assert [one.title for one in free.steps][2] == "Ask Mr. Lind about the floor"
    then = told(MOVE, semicolon="Measure the windows; then order the curtains; paint the hall after the measuring")
    assert [one.needs for one in then.steps] == [(), ("S1",), ("S1",)]
    numbered = told(MOVE, semicolon="1. Measure the windows 2. Order the curtains")
    assert [one.needs for one in numbered.steps] == [(), ("S1",)]
    before = told(MOVE, semicolon="Vote at the meeting on 4 March 2027; send the notice 21 days before the meeting")
    assert [one.needs for one in before.steps] == [("S2",), ()]


@pytest.mark.parametrize(
    ("said", "owner"),
    [
        ("Herr Pichler guts the bathroom", "Herr Pichler"), ("Yusuf trains the guards in March", "Yusuf"),
        ("Karin and Prof. Lindh read the draft", "Karin and Prof. Lindh"), ("the bakery: Tom", "Tom"),
        ("build a deck, Charlie, at weekends", "Charlie"), ("book the van (Moira)", "Moira"),
        ("the council checks the plans", "the council"), ("I book the hall", "You"),
        ("move the three big ones, Norvik, Halden Pay and Trellis", "You"), ("safety tests for children", "You"),
    ],
)  # fmt: skip
def test_a_told_step_is_done_by_whom_its_words_name(said, owner):
    assert told(MOVE, semicolon=f"{said}; then hand the keys back").steps[0].owner == owner


def test_days_in_a_told_step_are_its_days_only_where_they_say_when_it_is_done():
    said = (
        "make the rota to 12 September 2027; swim twice a week, mornings or Saturday; cool the boiler, 24 hours; "
        "translate about four poems a week; hold the exercise on 24 March 2027; report within ten working days"
    )
    *open_, exercise, report = told(MOVE, semicolon=said).steps
    assert {(one.on, one.start, one.deadline, one.effort, one.waiting) for one in open_} == {(None,) * 5}
    assert (exercise.on, report.deadline, report.needs) == ("2027-03-24", None, (exercise.id,))


def test_what_each_does_in_one_sentence_is_a_step_of_its_own():
    said = (
        "Fiona and I draft the handbook by 15 January 2027, Dr Mensah reads it for two weeks and Abdul writes the "
        "script. In January we order the chairs and I write to the sponsors, then Sheila hands the paper out next week"
    )
    assert [(one.title, one.owner) for one in told(MOVE, semicolon=said).steps] == [
        ("Fiona and I draft the handbook by 15 January 2027", "You"),
        ("Dr Mensah reads it for two weeks", "Dr Mensah"),
        ("Abdul writes the script", "Abdul"),
        ("In January we order the chairs", "You"),
        ("Write to the sponsors", "You"),
        ("Sheila hands the paper out next week", "Sheila"),
    ]


def test_a_day_of_a_told_step_that_could_be_read_in_two_ways_is_the_one_that_was_meant():
    asked = next(text for text in proposed(MOVE).questions if "semicolon" in text)
    steps = (asked, "Hold the meeting on 05/06/2027; pack the boxes")
    meant = next(text for text in questions(drafted(MOVE, answers=(steps,))) if "Which is meant" in text)
    plan = drafted(MOVE, answers=(steps, (meant, "6 May 2027")))
    assert [one.on for one in plan.steps] == ["2027-05-06", None]
    assert not [text for text in questions(plan) if "Which is meant" in text]

    before = drafted(MOVE, answers=(steps,))
    question = next(item for item in before.items if isinstance(item, Question) and item.text == meant)
    said = Feedback(id="F1", text=f"{question.id}: I mean 6 May 2027")
    told_before = (Answered(question=steps[0], answer=steps[1]),)
    task = PlanTask(goal=MOVE, today=TODAY, iteration=2, plan=before, feedback=(said,), answers=told_before)
    later = applied(before, plan_reply(task))
    assert [one.on for one in later.steps] == ["2027-05-06", None]
    assert "2027-05-06" in {item.day for item in later.items if isinstance(item, Constraint)}
    assert question.id not in {item.id for item in later.items}


def test_a_doubt_that_is_a_question_itself_is_asked_as_it_is_and_answered():
    goal = "Open the cafe by 3 May 2028, helpers get 5 an hour"
    asked = next(text for text in proposed(goal).questions if "5 an hour" in text)
    assert asked == "“5 an hour”: of what?"
    answered = Answered(question=asked, answer="5 EUR an hour")
    (wage,) = (one.fact for one in read_brief(goal, TODAY, (answered,)).of("amount") if one.source == "goal")
    assert (wage.value.number, wage.value.currency, wage.value.per, wage.doubt) == (5, "EUR", "hour", "")


def test_a_day_of_the_goal_that_is_corrected_later_is_not_half_moved():
    goal = "Organise a wedding for 120 guests on 05/06/2027 in Lisbon"
    before = drafted(goal)
    question = next((i for i in before.items if isinstance(i, Question) and "Which is meant" in i.text), None)
    assert question is not None
    said = Feedback(id="F1", text=f"{question.id}: 6 May 2027")
    after = applied(before, plan_reply(PlanTask(goal=goal, today=TODAY, iteration=2, plan=before, feedback=(said,))))
    assert {"2027-05-06"}.isdisjoint(item.day for item in after.items if isinstance(item, Constraint))


def test_short_steps_that_are_set_apart_are_steps():
    assert len(told(GOALS["german"], semicolon="打包；搬家；退租").steps) == 3


def test_what_is_no_step_is_noted():
    plan = told(MOVE, semicolon="Pack the boxes; maybe a second van; about 300 pounds; it is quiet there; no pianos")
    assert [one.title for one in plan.steps] == ["Pack the boxes"]
    assert {"Maybe a second van.", "About 300 pounds.", "No pianos."} <= set(notes(plan))


def test_told_steps_leave_no_approach_to_choose():
    goal = GOALS["billing"]
    asked = next(text for text in proposed(goal).questions if "semicolon" in text)
    ways = proposed(goal, ((asked, "Map the data; test the load; switch over"),)).approaches
    assert [one.title for one in ways] == ["Your own words"]


def test_steps_that_are_told_later_become_the_plan():
    plan = drafted("Stop smoking by 1 March 2027")
    assert not plan.steps
    assert "You have not told the steps yet" in plan.section("approach").text
    question = next(item for item in plan.items if isinstance(item, Question) and "semicolon" in item.text)
    said = Feedback(id="F1", text=f"{question.id}: get the patches; go to the group; then stop; about 60 euros")
    reply = plan_reply(PlanTask(goal="Stop smoking", today=TODAY, iteration=2, plan=plan, feedback=(said,)))
    after = applied(plan, reply)
    assert [(one.title, one.needs) for one in after.steps] == [
        ("Get the patches", ()), ("Go to the group", ()), ("Stop", ("S2",))
    ]  # fmt: skip
    assert question.id not in {item.id for item in after.items}
    assert "You have not told" not in after.section("approach").text
    assert [one.note for one in reply.handled] == ["S1, S2 and S3 added. “About 60 euros.” is no step."]


def test_a_day_that_was_corrected_is_no_finding_any_more():
    goal = "Hold the class reunion on 31 June 2027 for 60 people"
    before = answer(VerifyTask(goal=goal, today=TODAY, plan=drafted(goal)))
    asked = next(text for text in questions(drafted(goal)) if "there is no 31 June" in text)
    plan = drafted(goal, answers=((asked, "26 June 2027"),))
    after = answer(VerifyTask(goal=goal, today=TODAY, plan=plan))
    assert isinstance(before, VerifyReply)
    assert isinstance(after, VerifyReply)
    assert "reckoning.date" in rules(before.findings)
    assert "reckoning.date" not in rules(after.findings)
    assert not [text for text in questions(plan) if "31 June" in text]


def test_what_was_just_said_is_not_asked():
    kind = next(
        text for text in proposed("Get my driving licence back by 5 May 2027").questions if text.startswith(ASKS)
    )
    plan = drafted("Get my driving licence back by 5 May 2027", answers=((kind, "None of these, a court case"),))
    assert not [text for text in questions(plan) if "court case" in text]
    agreed = told(MOVE, semicolon="Get the landlord's consent; pack the boxes")
    assert not [text for text in questions(agreed) if "has to agree" in text]


def test_money_that_comes_in_limits_nothing():
    plan = drafted("Build a bridge by 1 June 2027: draw it, build it. We ask for a grant of 31,000 EUR")
    assert not [item for item in plan.items if isinstance(item, Constraint) and item.amount]


def test_another_language_is_said_first():
    assert proposed(GOALS["german"]).questions[0].startswith("I read only English")
    assert proposed("Milchautomat am Hof, ab 1. April 2027, höchstens 15.000 €").questions[0].startswith("I read only")


def test_a_clause_that_begins_with_its_time_is_a_step_of_its_own():
    said = (
        "Bert borrows a tester from his old work, then the week before I make the list of slots, on the day we weigh "
        "everything, and in March I send the receipts in"
    )
    assert [one.title for one in told(MOVE, semicolon=said).steps] == [
        "Bert borrows a tester from his old work",
        "The week before I make the list of slots",
        "On the day we weigh everything",
        "In March I send the receipts in",
    ]


def test_what_comes_once_something_is_done_is_a_step_after_it():
    said = (
        "The joiners come in mid January for nine days, once that's done I mark out the beds, and on the 30th we plant"
        ". Then the council looks at it, and once it is approved it goes to Ms Rehm"
    )
    steps = told(MOVE, semicolon=said).steps
    assert [one.title for one in steps] == [
        "The joiners come in mid January for nine days",
        "Mark out the beds",
        "On the 30th we plant",
        "The council looks at it",
        "It goes to Ms Rehm",
    ]
    assert [one.needs for one in steps] == [(), ("S1",), (), ("S3",), ("S4",)]


@pytest.mark.parametrize(
    "remark",
    [
        "I love my old cupboard", "We're not touching the asbestos ourselves", "he never answers his phone",
        "Pawel's always good with his hands", "The last landlord was easier", "I don't trust these eight weeks",
        "February nothing", "if the deeds say no then we stop", "I still get laughed at", "I really don't have a list",
        "The cat stays out", "On Sunday I can breathe",
    ],
)  # fmt: skip
def test_a_remark_between_the_steps_is_none_and_stays_in_the_plan(remark):
    plan = told(MOVE, semicolon=f"Book the van; {remark}; in March I send the receipts in")
    assert [one.title for one in plan.steps] == ["Book the van", "In March I send the receipts in"]
    assert remark.casefold().strip() in to_markdown(plan).casefold()


def test_a_list_of_what_is_needed_is_no_list_of_days_or_people():
    goal = "He needs a new GP, and somebody to be with him on Tues and Thurs. Give up the house by 31 March 2027."
    assert not [one for one in drafted(goal).steps if "Thurs" in one.title]
    assert not drafted("Finish the study: 60 gardens in Norwich, supervisor Dr. Lindqvist, due 3 September 2027").steps
    assert not drafted("Four of us sewing: me, Aunt Pat, Delia, Ruth. A quilt by 22 May 2027").steps


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [
        ("it's a limit", Constraint, "No posters with slogans"),
        ("a risk, people would laugh", Risk, "No posters with slogans – people would laugh"),
        ("it's a step, mine: write the report by 31 March 2027", Step, "Write the report by 31 March 2027"),
    ],
)
def test_what_no_line_spoke_of_becomes_what_it_is_said_to_be(said, kind, text):
    goal = "Stop smoking by 1 May 2027"
    before = drafted(goal)
    asks = "No line speaks of “No posters with slogans”: is it a step, a limit, a risk, or which line should change?"
    asked = Question(id="Q9", text=asks)
    plan = put_item(before, "questions", asked)
    feedback = (Feedback(id="F1", text=f"Q9: {said}. Q8: never mind"),)
    reply = plan_reply(PlanTask(goal=goal, today=TODAY, iteration=2, plan=plan, feedback=feedback))
    later = applied(plan, reply)
    new = [item for item in later.items if isinstance(item, kind) and item.id not in {one.id for one in before.items}]
    assert [getattr(item, "title", "") or item.text for item in new] == [text]
    assert asked.id not in {item.id for item in later.items}
    assert reply.handled[0].outcome == "done"
    assert any("never mind" in one.request for one in reply.handled[1:]), "what else was said is answered apart"


def test_an_answer_swallows_no_request_behind_it_and_loses_no_words():
    goal = "Stop smoking by 1 May 2027"
    asks = "No line speaks of “get the patches”: is it a step, a limit, a risk, or which line should change?"
    plan = put_item(drafted(goal), "questions", Question(id="Q9", text=asks))
    feedback = (Feedback(id="F1", text="Q9: it's a step, owner Jonas. Drop K1.\nQ8: blue"),)
    reply = plan_reply(PlanTask(goal=goal, today=TODAY, iteration=2, plan=plan, feedback=feedback))
    [new] = applied(plan, reply).steps
    assert "get the patches" in new.title.casefold()
    assert "Jonas" in (*new.title.split(), new.owner)
    assert {"Drop K1", "blue"} <= {one.request.removeprefix("Q8: ").strip(".") for one in reply.handled}
    for other in ("Q9: limit S1 to 3 days", "Q9: Step 1 should say so"):
        task = PlanTask(goal=goal, today=TODAY, iteration=2, plan=plan, feedback=(Feedback(id="F1", text=other),))
        assert not applied(plan, plan_reply(task)).steps


@pytest.mark.parametrize(
    "step_told",
    [
        "Make sure nothing is left in the flat", "Jonas helps Ana move the boxes", "Do not forget to call the bank",
        "I think we should ring the council first",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_remark_is_a_step(step_told):
    assert len(told(MOVE, semicolon=f"Book the van; {step_told}; paint the hall").steps) == 3


def test_words_of_several_languages_make_no_goal_foreign():
    assert read_brief("Hire a van in Leeds", TODAY).language == "en"
    assert read_brief("quero fazer uma horta na escola da minha filha, mas não tem verba", TODAY).language == "other"


def test_the_kind_of_work_can_be_named_later_and_brings_its_steps():
    goal = "Hire two nurses by 1 June 2027"
    plan = drafted(goal)
    assert not plan.steps
    asked = next(item for item in plan.items if isinstance(item, Question) and item.text.startswith(ASKS))
    said = Feedback(id="F1", text=f"{asked.id}: 1")
    reply = plan_reply(PlanTask(goal=goal, today=TODAY, iteration=2, plan=plan, feedback=(said,)))
    after = applied(plan, reply)
    assert "Write the profile" in after.steps[0].title
    assert reply.handled[0].outcome == "done"
    left = [item.text for item in after.items if isinstance(item, Question)]
    assert not [text for text in left if text.startswith(ASKS) or "If it is" in text]
    known = {item.id for item in after.items}
    assert {name for step in after.steps for name in (*step.needs, *step.answers)} <= known
    assert "Kind of work: hiring people" in after.section("approach").text
    titles = [section.id for section in after.sections]
    assert titles.index("steps") < titles.index("risks") < titles.index("questions")


def test_facts_are_cited_as_the_session_holds_them():
    goal = "Open a salon in May 2027. Dave fits the pipes"
    kinds = f"{ASKS} 1 opening a business, 2 a move, or none of these"
    answers = (Answered(question=kinds, answer="1"), Answered(question=SEEN, answer="What for? Ida reads the lease."))
    of_goal = stated(read_facts(goal, DAY), "goal", ())
    ledger = (*of_goal, *stated(read_facts("Ida reads the lease.", DAY), "A2", of_goal))
    held = {(one.id, one.fact.text) for one in ledger}
    assert {(one.id, one.fact.text) for one in read_brief(goal, TODAY, answers, ledger=ledger).facts} == held
    without = read_brief(goal, TODAY, (answers[0], Answered(question=SEEN, answer="Ida reads the lease.")))
    assert {(one.id, one.fact.text) for one in without.facts} == held
    taken_back = tuple(one for one in ledger if one.source == "goal")
    assert {one.source for one in read_brief(goal, TODAY, answers, ledger=taken_back).facts} == {"goal"}


def test_the_day_of_an_event_counts_back_to_what_is_before_it():
    goal = "Give a garden party. The invitations must go out six weeks before the party. Tom cooks."
    (asked,) = (text for text in proposed(goal).questions if "when is the party" in text)
    plan = drafted(goal, 0, ((asked, "12 June 2027"),))
    assert [item.day for item in plan.items if isinstance(item, Constraint) and "six weeks" in item.text] == [
        "2027-05-01"
    ]
    task = VerifyTask(goal=goal, today=TODAY, plan=plan)
    answers = (Answered(question=asked, answer="12 June 2027"),)
    (before,) = (one.text for one in answer(task).findings if one.rule == "reckoning.date")
    assert before == "“six weeks before the party”: when is the party?"
    assert not [
        one for one in answer(msgspec.structs.replace(task, answers=answers)).findings if one.rule == "reckoning.date"
    ]
