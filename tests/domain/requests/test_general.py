"""What no form fits, read by what stands in it: levels, answers, values, owners, and what a wish lacks."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest
from tests.domain.requests.plans import PLAN, changed, item_of, said
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Days, Decision, Risk
from workbench.domain.plan.schedule import with_dates

pytestmark = pytest.mark.cases(6)


def _value(plan, name, field):
    value = item_of(plan, name)
    for part in field.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(
    ("message", "item", "field", "value"),
    [
        ("R1 isnt that likely imo, say medium", "R1", "likelihood", "medium"),
        ("r1 likelihood high", "R1", "likelihood", "high"),
        ("R2: the impact is low", "R2", "impact", "low"),
        ("Ok with the plan except the archive, that needs 4 days instead of 2", "S8", "effort.likely", 4),
        ("S6 is more work than that, 4 days at least", "S6", "effort.likely", 4),
        ("teh archive takes 4 days not 2", "S8", "effort.likely", 4),
        ("S8 doesnt start before 3 may, the export isnt there earlier", "S8", "not_before", "2027-05-03"),
        ("the bank wants the letter by 20 April, so S7 has to come earlier", "S7", "deadline", "2027-04-20"),
        ("the archive thing is Tom's, half a day", "S8", "effort.likely", 0.5),
        ("Priya from support does the training", "S6", "owner", "Priya (support)"),
        ("invoices go out on time in 97 % of cases", "C2", "target", "97 %"),
        ("We have a bit less money: 35,000 EUR instead of 40,000", "K2", "amount.amount", 35000),
        ("fine by me apart from the money, make it 38000 all in", "K2", "amount.amount", 38000),
    ],
)
def test_a_value_goes_to_the_item_that_is_meant_and_to_no_other(message, item, field, value):
    after, _ = said(message)
    assert _value(after, item, field) == value
    others = {one.id for one in PLAN.items if one.id != item}
    was, now = ({one.id: one for one in plan.items} for plan in (PLAN, after))
    dated = {"start", "end"}
    for name in others & set(now):
        changed = {f for f in was[name].__struct_fields__ if getattr(was[name], f) != getattr(now[name], f)}
        assert changed <= dated, name


def test_the_likelihood_of_a_risk_leaves_its_impact_as_it_is():
    after, _ = said("R1 likelihood high")
    assert (item_of(after, "R1").likelihood, item_of(after, "R1").impact) == ("high", "high")


def test_a_level_said_again_is_that_of_the_same_risk():
    after, requests = said("r2 is likely, make it medium")
    assert (item_of(after, "R2").likelihood, item_of(after, "R2").impact) == ("medium", item_of(PLAN, "R2").impact)
    assert len(requests) == 1


def test_a_new_risk_takes_its_levels_and_its_response_from_the_sentences_behind_it():
    after, _ = said("new risk - the bank is closed. low likelihood, high impact. the treasurer pays by card")
    (risk,) = (item for item in after.items if isinstance(item, Risk) and item not in PLAN.items)
    assert (risk.likelihood, risk.impact) == ("low", "high")
    assert risk.response == "The treasurer pays by card"


def test_a_condition_behind_a_new_risk_is_its_sign_and_its_response():
    after, _ = said("New risk: the data is wrong. If the sums differ, we load it again")
    (risk,) = (item for item in after.items if isinstance(item, Risk) and item not in PLAN.items)
    assert (risk.sign, risk.response) == ("The sums differ", "We load it again")


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("the new provider supports SEPA", "Q2"),
        ("who signs the contract: our CFO", "Q1"),
        ("The contract is signed by our CFO, that's settled", None),
    ],
)
def test_a_statement_in_the_words_of_an_open_question_settles_it(message, question):
    after, requests = said(message)
    if question is None:
        assert item_of(after, "S2") == item_of(PLAN, "S2")
        return
    assert item_of(after, question) is None
    (decision,) = (item for item in after.items if isinstance(item, Decision) and item not in PLAN.items)
    assert decision.reason.startswith(f"Answers {question}")
    assert question in requests[0].answer


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("make it cheaper", "how much may it cost: K2"),
        ("do it earlier", "Which step should come earlier"),
        ("this is too much for me alone", "Which steps should somebody else take, and who"),
        ("not sure about the dates", "Which date should change"),
        ("this takes way too long", "how many days should it take"),
        ("push S8 back a bit", "By how many days should S8"),
        ("I don't like S5", "What is wrong with S5"),
        ("S4 needs more time", "S4"),
        ("Change the date to the 20th", "Which date should change"),
        ("S14 goes to Eva", "There is no S14"),
        ("the works council has its own rules", "is it a step, a limit, a risk"),
    ],
)
def test_a_wish_that_says_too_little_is_asked_about_and_changes_nothing(message, words):
    after, requests = said(message)
    assert after == PLAN
    assert words in requests[0].answer
    assert {request.outcome for request in requests} == {"asked"}


def test_the_wish_behind_a_request_is_its_reason():
    after, (request,) = said("swap S7 and S5, I want to tell people first")
    assert item_of(after, "S5").needs == ("S3", "S7")
    assert "you say why: “I want to tell people first”" in request.answer


def test_what_has_happened_to_a_part_of_a_step_is_noted_there():
    steps = tuple(
        msgspec.structs.replace(step, title="Book music and a photographer") if step.id == "S6" else step
        for step in PLAN.steps
    )
    sections = tuple(
        msgspec.structs.replace(section, items=steps) if section.id == "steps" else section for section in PLAN.sections
    )
    after, (request,) = said("photographer is booked, 950€", msgspec.structs.replace(PLAN, sections=sections))
    assert item_of(after, "S6").status == "todo"
    assert item_of(after, "S6").notes == "Photographer is booked, 950€"
    assert item_of(after, "S6").cost.amount == 950
    assert request.outcome == "partly"


def test_what_does_not_belong_to_the_work_is_out_of_scope():
    after, _ = said("paper letters are out of scope")
    (line,) = (item for item in after.items if isinstance(item, Bullet) and item not in PLAN.items)
    assert (line.text, line.priority) == ("Paper letters", "won't")


def test_a_role_gets_its_name_everywhere():
    after, _ = said("our legal team is Smith & Partners")
    assert item_of(after, "S2").owner in ("Smith & Partners", "Legal team")
    after, _ = said("Jo Smith is our legal team btw")
    assert item_of(after, "S2").owner == "Jo Smith"


def test_a_new_step_in_a_month_lies_in_that_month():
    after, _ = said("Add a step: order the cards, in May")
    step = item_of(after, "S10")
    assert (step.not_before, step.deadline) == ("2027-05-01", "2027-05-31")


def test_what_is_wanted_instead_is_noted_at_its_step():
    after, _ = said("no workshop, a video for the training please")
    assert not [item for item in after.items if isinstance(item, Constraint) and item not in PLAN.items]
    assert item_of(after, "S6").notes == "No workshop, a video for the training"


def test_no_sentence_is_swallowed_by_the_one_behind_it():
    after, requests = said("The finance lead owns S8. It has to be through by 3 May.")
    assert (item_of(after, "S8").owner, item_of(after, "S8").deadline) == ("Finance lead", "2027-05-03")
    assert len(requests) == 2


def test_a_value_that_is_said_to_be_wrong_is_put_right():
    after, _ = said("K2 is now 45,000")
    assert item_of(after, "K2").amount.amount == 45000
    after, requests = said("we need to cut the budget")
    assert after == PLAN
    assert "to how much" in requests[0].answer


@pytest.mark.parametrize(
    ("message", "added"),
    [
        ("Outside lighting is in scope", "must"), ("No-code tools are in scope", "must"),
        ("The disco isn't out of scope", "must"), ("fireworks are out of scope", "won't"),
    ],
)  # fmt: skip
def test_what_is_in_scope_is_said_by_the_verb_and_not_by_its_subject(message, added):
    after, _ = said(message)
    (new,) = [one for one in after.items if isinstance(one, Bullet) and one not in PLAN.items]
    assert new.priority == added


@pytest.mark.parametrize(
    "message",
    [
        "if you have time, I would like to see the costs",
        "If possible, we marry outside",
        "no reply yet",
        "nobody can tell",
    ],
)
def test_what_is_only_polite_or_says_how_it_is_becomes_no_risk_and_no_limit(message):
    after, _ = said(message)
    assert after == PLAN


@pytest.mark.parametrize("message", ["it's the 0th now", "the launch is on the 0th now", "it's the 31st now"])
def test_a_day_that_cannot_be_is_no_crash_and_no_other_day(message):
    after, _ = said(message)
    assert not {"2027-05-30", "2027-06-30"} & {
        getattr(one, "day", None) for one in after.items if one not in PLAN.items
    }


@pytest.mark.parametrize(
    ("message", "name", "field", "value"),
    [
        ("please don't start the training before the fair on 12 April", "S6", "not_before", "2027-04-12"),
        ("never archive the old data before May", "S8", "not_before", "2027-05-01"),
        ("the deadline got pulled in, it's 30 April now", "K1", "day", "2027-04-30"),
        ("the budget was cut, it is 30,000 EUR now", "K2", "amount", 30000),
    ],
)
def test_a_day_or_a_sum_told_beside_its_line_is_set_there(message, name, field, value):
    after, requests = said(message)
    new = getattr(item_of(after, name), field)
    assert getattr(new, "amount", new) == value
    assert {request.outcome for request in requests} == {"done"}


def test_what_has_to_happen_in_a_month_begins_and_ends_in_it_and_what_has_to_be_finished_may_begin_before():
    after, _ = said("the support team has to be trained in May")
    step = item_of(after, "S6")
    assert (step.not_before, step.deadline) == ("2027-05-01", "2027-05-31")
    after, _ = said("the archive has to be ready in May")
    step = item_of(after, "S8")
    assert (step.not_before, step.deadline) == (None, "2027-05-31")


@pytest.mark.parametrize(
    "message",
    [
        "Please don't wait with the switch over until 1 June", "It does not matter if the training is before 12 April",
        "We never agreed to start the training before 12 April", "Don't split the migration before 1 May",
        "We don't have to pay for the new provider until 1 May", "Nothing must go wrong with it before 1 May",
        "Can Anna take S6 until 20 April?", "If you drop S8, I'm happy", "Let's have it in May",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_request_moves_nothing(message):
    after, _ = said(message)
    assert after.steps == PLAN.steps
    assert [one for one in after.items if isinstance(one, Criterion)] == [
        one for one in PLAN.items if isinstance(one, Criterion)
    ]


def test_before_the_end_of_a_month_is_by_its_last_day():
    after, _ = said("Train the support team before the end of March")
    assert item_of(after, "S6").deadline == "2027-03-31"


def test_a_step_is_not_put_off_where_its_end_is_meant_or_no_step_is_clear():
    after, requests = said("the training must not be finished before 12 April")
    assert (after, requests[0].outcome) == (PLAN, "asked")
    after, requests = said("don't go to the lake before 12 April")
    assert not [step for step in after.steps if step.not_before]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("it's Bea who signs, not me", "Bea is the one who signs"),
        ("It's Bea Lutz who signs it", "Bea Lutz is the one who signs it"),
    ],
)
def test_who_does_what_a_question_asks_for_settles_it(message, text):
    after, _ = said(message)
    assert item_of(after, "Q1") is None
    assert text in [one.text for one in after.items if isinstance(one, Decision)]


def test_a_number_of_the_thing_that_a_question_counts_settles_it():
    asked = changed({"Q1": {"text": "How many invoices or reminders go out each month?"}})
    after, requests = said("it's about 900 paper invoices", asked)
    assert (item_of(after, "Q1"), requests[0].outcome) == (None, "done")
    after, _ = said("it's about 900 paper cups", asked)
    assert item_of(after, "Q1") is not None


def test_what_has_to_be_done_before_a_step_is_a_step_before_it():
    after, _ = said("we still need to write to the banks before the switch over")
    new = next(step for step in after.steps if step.title == "Write to the banks")
    assert new.id in item_of(after, "S9").needs
    after, _ = said("we need to tell the customers before the switch over")
    assert [step.id for step in after.steps if item_of(PLAN, step.id) is None] == []


def test_a_step_of_two_things_is_split_into_them_and_courtesy_is_no_title():
    two = changed({"S6": {"title": "Train agents and supervisors"}})
    after, requests = said("split the agents and the supervisors into two please, Bea looks after the supervisors", two)
    titles = {step.title: step.owner for step in after.steps}
    assert (titles["Train agents"], titles["Train supervisors"]) == ("Tom", "Bea")
    assert [request.outcome for request in requests] == ["done", "done"]


def test_a_sentence_is_not_put_in_the_place_of_a_number_word():
    plan = changed({"S7": {"title": "Tell the customers in two letters"}})
    after, _ = said("I think the whole migration is one long week of work and not two since we know the data", plan)
    assert after == plan


def test_several_steps_are_made_into_one_step():
    after, _ = said("merge S7 and S8 into one step")
    assert (item_of(after, "S8"), item_of(after, "S9").needs.count("S7")) == (None, 1)


def test_who_is_away_and_had_steps_side_by_side_hears_that_they_follow_one_another():
    alone = msgspec.structs.replace(PLAN, sections=tuple(one for one in PLAN.sections if one.id != "people"))
    _, requests = said("Tom is away 1 to 5 March 2028", with_dates(alone, start=date(2027, 3, 15), deadline=None))
    assert "Tom will do one step at a time" in requests[0].answer


@pytest.mark.parametrize(
    ("message", "name", "field", "value"),
    [
        ("put the training back to three days", "S6", "effort", 3),
        ("can Bea take the training?", "S6", "owner", "Bea"),
        ("Oh and Bea, my old boss, runs the training", "S6", "owner", "Bea"),
        ("Bea from finance takes the training at the end", "S6", "owner", "Bea (finance)"),
        ("the training before 1 June", "S6", "deadline", "2027-05-31"),
    ],
)
def test_what_is_said_in_passing_does_not_hide_the_request(message, name, field, value):
    after, _ = said(message)
    new = getattr(item_of(after, name), field)
    assert getattr(new, "likely", new) == value


def test_a_risk_that_is_named_as_one_goes_and_no_words_of_other_lines():
    after, _ = said("drop the risk about the late supplier")
    assert item_of(after, "R1") is None
    assert after.steps == PLAN.steps


def test_who_is_off_from_a_day_on_is_asked_until_when():
    after, requests = said("Tom is off from Monday")
    assert (after, requests[0].answer) == (PLAN, "Until when? You say “Tom is off from Monday”")
    after, _ = said("Tom can't do anything in the last two weeks of May")
    assert item_of(after, "P2").away == (Days("2027-05-18", "2027-05-31"),)


def test_a_word_that_stands_against_another_is_changed_in_the_step_that_is_named_and_nowhere_else():
    plan = changed({"S6": {"title": "Train the support team once"}})
    plan = changed({"S7": {"title": "Tell the customers once more"}}, plan)
    after, _ = said("the training should be done twice, not once", plan)
    assert item_of(after, "S6").title == "Train the support team twice"
    assert item_of(after, "S7").title == "Tell the customers once more"


def test_what_makes_somebody_happy_is_a_sign_of_success_and_no_risk():
    after, _ = said("If at least 9 of the 10 invoices fit, I'm happy")
    assert after.section("risks") == PLAN.section("risks")
    (new,) = [one for one in after.items if isinstance(one, Criterion) and one not in PLAN.items]
    assert new.target == "at least 9 of the 10"


def test_a_step_that_is_told_to_be_done_answers_no_question():
    after, _ = said("Tell the customers who signs the contract earlier")
    assert item_of(after, "Q1") is not None


def test_to_look_after_something_is_no_order_of_steps():
    after, _ = said("we need two students to look after the customers, 200 EUR")
    (new,) = [step for step in after.steps if item_of(PLAN, step.id) is None]
    assert "look after the customers" in new.title


def test_to_decide_together_is_no_decision():
    after, _ = said("the rest Tom and I decide together")
    assert not [one for one in after.items if isinstance(one, Decision) and one not in PLAN.items]


def test_a_number_of_things_before_a_colon_hides_none_of_them():
    after, _ = said("Three things: the training is Bea's, S7 takes two days and S8 is Anna's")
    assert (item_of(after, "S6").owner, item_of(after, "S7").effort.likely, item_of(after, "S8").owner) == (
        "Bea", 2, "Anna",
    )  # fmt: skip


def test_the_day_that_it_is_all_for_is_moved_where_nothing_else_was_spoken_of():
    plan = changed({"S9": {"on": "2027-06-30"}})
    after, _ = said("let's make it the 23rd of June", plan)
    assert (item_of(after, "S9").on, item_of(after, "K1").day) == ("2027-06-23", "2027-06-23")
    assert said("let's make it the 23rd of June")[0] == PLAN


def test_a_list_of_people_is_no_name_with_a_description():
    after, _ = said("Anna, our accountant, and Tom are away 3 to 7 May 2027")
    assert {one.text for one in after.items if getattr(one, "away", ())} == {"Anna", "Accountant", "Tom"}
