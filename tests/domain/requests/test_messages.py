"""Messages of several parts: what each part asks for, what it leaves out, and why it is asked."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest
from tests.domain.requests.plans import PLAN, changed, item_of, said
from workbench.domain.plan.plan import Days, Decision, Question, Risk, Step

pytestmark = pytest.mark.cases(6)


def _titles(plan, *names):
    return [getattr(item_of(plan, name), "title", None) for name in names]


def _owners(plan, *names):
    return [item_of(plan, name).owner for name in names]


# --- parts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "Give S4 to Anna and S5 to Tom",
        "Tom does S5 and Anna S4",
        "Tom should do S5, and Anna S4",
        "S4 Anna, S5 Tom",
        "Anna: S4. Tom: S5.",
        "Tom does the migration and Anna the interface",
        "make S4 Anna's and S5 Tom's",
        "S4 and S5 are the wrong way round: give S4 to Anna and S5 to Tom",
    ],
)
def test_a_part_may_leave_out_what_the_one_before_says(message):
    after, _ = said(message)
    assert _owners(after, "S4", "S5") == ["Anna", "Tom"]
    assert _owners(after, "S6", "S7", "S8") == _owners(PLAN, "S6", "S7", "S8")


def test_two_lines_are_renamed_at_once():
    after, requests = said("Rename S9 to Go live, S4 to Shop interface and drop S7")
    assert _titles(after, "S9", "S4", "S7") == ["Go live", "Shop interface", None]
    assert len(requests) == 3
    after, _ = said('Rename the archive to "Keep the past" and the training to "Teach"')
    assert _titles(after, "S8", "S6") == ["Keep the past", "Teach"]


def test_each_part_has_its_own_day_and_length():
    after, _ = said("S4 by 10 April, S8 by 12 April and S6 takes 4 days")
    assert [item_of(after, name).deadline for name in ("S4", "S8", "S6")] == ["2027-04-10", "2027-04-12", None]
    after, _ = said("S5 takes 6 days and S6 3 days")
    assert [item_of(after, name).effort.likely for name in ("S5", "S6")] == [6, 3]


def test_a_fragment_of_the_next_sentence_borrows_no_verb():
    after, requests = said("Drop S7. The archive.")
    assert item_of(after, "S8") == item_of(PLAN, "S8") or item_of(after, "S8").title == "Archive the old data"
    assert requests[1].operations == ()


def test_each_value_of_a_line_is_set():
    after, _ = said("S4 by 3 May, 5 days, Anna")
    step = item_of(after, "S4")
    assert (step.deadline, step.effort.likely, step.owner) == ("2027-05-03", 5, "Anna")


def test_what_is_clear_is_done_and_the_rest_is_asked():
    after, (done, asked) = said("S1 done yesterday, S2 almost done")
    assert (item_of(after, "S1").status, item_of(after, "S2").status) == ("done", "todo")
    assert (done.outcome, asked.outcome) == ("done", "asked")
    assert "S2" in asked.answer


def test_what_is_asked_is_answered_by_the_next_sentence():
    after, (request,) = said("S5 is too short. It should be 8 days.")
    assert request.outcome == "done"
    assert item_of(after, "S5").effort.likely == 8


def test_the_last_request_of_a_message_can_be_taken_back_in_it():
    after, requests = said("Drop S7. No, undo that.")
    assert item_of(after, "S7") == item_of(PLAN, "S7")
    assert requests[-1].answer == "“Drop S7.” is taken back."
    assert requests[-1].control == ""


@pytest.mark.parametrize("message", ["drop S7. Sorry, I meant S8", "drop S7, I mean S8, not S7"])
def test_what_was_meant_is_done_instead(message):
    after, requests = said(message)
    assert item_of(after, "S8") is None
    assert item_of(after, "S7") == item_of(PLAN, "S7") or item_of(after, "S7").title == "Tell the customers"
    assert requests[-1].text == message


def test_each_sum_and_day_of_a_sentence_is_used():
    after, _ = said("deadline 15 July, budget 50k")
    assert item_of(after, "K1").day == "2027-07-15"
    assert item_of(after, "K2").amount.amount == 50000
    assert item_of(said("15 July instead of 30 June")[0], "K1").day == "2027-07-15"
    in_june = changed({"K1": {"day": "2027-06-01", "last": "2027-06-30"}})
    limit = item_of(said("deadline 15 July", in_june)[0], "K1")
    assert (limit.day, limit.last) == ("2027-06-01", "2027-07-15"), "the last day of a range is the deadline"


def test_the_parts_of_a_step_are_spoken_of_by_their_order():
    after, _ = said("Split S5 and give the second part to Tom")
    assert _owners(after, "S5", "S10") == ["Anna", "Tom"]


# --- reasons ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "Drop S7, nobody asked for it.",
        "Drop S7. They know it already.",
        "Drop S7 because they know it already",
        "Drop S7 (they know it already)",
        "Drop S7 - we did that last year",
        "Everybody knows it already, so drop S7",
    ],
)
def test_a_reason_belongs_to_its_request_and_is_kept(message):
    after, (request,) = said(message)
    assert request.outcome == "done"
    assert "you say why: “" in request.answer
    assert request.text.rstrip(".") == message.rstrip(".)")
    note = next(item for item in after.items if isinstance(item, Decision) and "Dropped S7" in item.text)
    assert note.reason.split(": ", 2)[2] in message


@pytest.mark.parametrize(
    "second", ["The shop is slow.", "We need a second server.", "S4 is a mess.", "It should cost 3,000 EUR at most."]
)
def test_what_asks_for_more_or_speaks_of_something_else_is_no_reason(second):
    _, requests = said(f"Drop S7. {second}")
    assert len(requests) == 2
    assert "you say why" not in requests[0].answer


def test_a_status_has_the_day_that_its_reason_names():
    after, (request,) = said("The supplier delivered on Monday, so S4 is done")
    assert item_of(after, "S4").finished == "2027-03-08"
    assert request.outcome == "done"


def test_a_day_may_be_named_before_what_waits_for_it():
    after, _ = said("Tom is on holiday until 16 April, so S4 can't start before")
    assert item_of(after, "S4").not_before == "2027-04-17"
    assert item_of(after, "P2").away[0].last == "2027-04-16"


def test_what_would_be_done_is_the_response_to_the_risk_just_named():
    after, requests = said("Biggest risk is that the shop goes down. We'd switch to the old one. Drop S7.")
    assert item_of(after, "R3").response == "Switch to the old one"
    assert [request.outcome for request in requests] == ["done"] * 3


# --- nothing else -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "S1 almost done",
        "R1 is high",
        "I want to switch over two weeks earlier",
        "maybe drop S7?",
        "Should we drop S7?",
        "too long",
        "C2 is not good",
        "don't drop S7",
        "keep S7",
        "We've signed the contract",
        "The new provider is Stripe",
        "everything with money goes to Stripe",
        "only on Saturdays",
        "S99 is missing",
        "S4 -> Karl",
        "S3 needs Tom and a lawyer",
        "if the export is late, drop S8",
        "drop S8 if the export is late",
        "S3 or S4 should go to Eva",
        "drop everything except S9",
        "The data is bad. S8.",
        "we want 200 customers",
        "There's no hurry",
        "the contract must be signed before S3",
        "The interface takes 3",
        "15 July instead of 20 July",
        "Sell at the market instead of sending invoices",
        "cost of S3 is 500 to 700 EUR",
    ],
)
def test_what_may_mean_something_else_changes_nothing(message):
    after, requests = said(message)
    assert after == PLAN
    assert all(request.operations == () for request in requests)


def test_a_level_that_is_not_spoken_of_stays():
    risk = msgspec.structs.replace(item_of(PLAN, "R2"), impact=str(b"medium", "ascii"))  # as read from a file
    sections = tuple(
        msgspec.structs.replace(section, items=tuple(risk if item.id == "R2" else item for item in section.items))
        for section in PLAN.sections
    )
    _, (request,) = said("R2 is very likely", msgspec.structs.replace(PLAN, sections=sections))
    assert [(one.item, one.field, one.value) for one in request.operations] == [("R2", "likelihood", "high")]


def test_words_beside_an_id_have_to_fit_it():
    after, requests = said("S4 of the newsletter takes 5 days")
    assert after == PLAN
    assert requests[0].outcome == "asked"


def test_a_number_goes_only_where_it_stands():
    after, (request,) = said("three invoices instead of two")
    assert item_of(after, "C1").text == "No customer gets three invoices"
    assert "three invoices instead of two" in request.answer
    assert said("five invoices instead of seven")[0] == PLAN


def test_what_loses_its_only_step_is_named():
    plan = msgspec.structs.replace(
        PLAN,
        sections=tuple(
            msgspec.structs.replace(
                section,
                items=tuple(
                    msgspec.structs.replace(item, answers=("K1",)) if item.id == "S7" else item
                    for item in section.items
                ),
            )
            for section in PLAN.sections
        ),
    )
    _, (request,) = said("drop S7", plan)
    assert request.outcome == "partly"
    assert "nothing answers K1" in request.answer


# --- meanings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", ["the CFO signs the contract", "It's the CFO who signs the contract"])
def test_a_statement_with_the_words_of_a_question_answers_it(message):
    after, (request,) = said(message)
    assert item_of(after, "Q1") is None or request.outcome != "done"
    assert isinstance(item_of(after, "Q2"), Question)


def test_success_is_said_as_criteria():
    after, _ = said("It has worked when no invoice is lost and half of the customers have paid by the end of June")
    new = [item for item in after.items if item.id in ("C3", "C4")]
    assert [item.text for item in new] == ["No invoice is lost", "Half of the customers have paid"]
    assert [item.due for item in new] == [None, "2027-06-30"]


@pytest.mark.parametrize(
    ("message", "kind", "texts"),
    [
        ("add two risks: rain and wind", Risk, ["Rain", "Wind"]),
        ("Steps missing: testing, rehearsal", Step, ["Testing", "Rehearsal"]),
        ("add a last step: have a party", Step, ["Have a party"]),
        ("the rehearsal should be a separate step", Step, ["Rehearsal"]),
        ("there's a risk that the bank refuses", Risk, ["The bank refuses"]),
        ("I want Eva to check the books", Step, ["Check the books"]),
    ],
)
def test_lines_are_added_in_other_words(message, kind, texts):
    after, requests = said(message)
    new = [item for item in after.items if type(item) is kind and item not in PLAN.items and item.id not in _ids()]
    assert [getattr(item, "title", "") or item.text for item in new] == texts, requests


def _ids():
    return {item.id for item in PLAN.items}


@pytest.mark.parametrize(
    ("message", "name", "needs"),
    [
        ("S8 belongs at the end", "S8", ("S9",)),
        ("S6 can start right away", "S6", ()),
        ("S6 can start rigth away", "S6", ()),
        ("S6 doesnt need S3", "S6", ()),
        ("S8 needs S4, not S5", "S8", ("S4",)),
        ("add a dependency from S8 to S4", "S8", ("S5", "S4")),
    ],
)
def test_the_order_is_changed_as_told(message, name, needs):
    after, _ = said(message)
    assert item_of(after, name).needs == needs


@pytest.mark.parametrize(
    ("message", "name", "likely"),
    [
        ("S5 will take more like 8 days", "S5", 8),
        ("S5 takes 4 to 12 days, probably 7", "S5", 7),
        ("Legal says 2 weeks for the contract", "S2", 10),
        ("S5 max 4 days", "S5", 4),
    ],
)
def test_lengths_are_understood_in_other_words(message, name, likely):
    after, _ = said(message)
    assert item_of(after, name).effort.likely == likely


@pytest.mark.parametrize(
    ("message", "name", "amount"),
    [
        ("S3 costs 2,000 more", "S3", 7000),
        ("S3 costs 500 EUR less", "S3", 4500),
        ("we can spend 10,000 more", "K2", 50000),
        ("K2 is 30,000", "K2", 30000),
        ("Budget is 45,000, not 40,000.", "K2", 45000),
    ],
)
def test_sums_stand_by_themselves_or_come_on_top(message, name, amount):
    item = item_of(said(message)[0], name)
    assert (item.cost if isinstance(item, Step) else item.amount).amount == amount


@pytest.mark.parametrize(
    ("message", "response"),
    [("response to R1: pay more", "Pay more")],
)
def test_what_is_done_if_a_risk_comes_true_is_its_response(message, response):
    assert item_of(said(message)[0], "R1").response == response


@pytest.mark.parametrize("message", ["Eva takes Tom's part", "give all of Tom's steps to Eva", "Tom's steps go to Eva"])
def test_the_steps_of_somebody_are_meant_together(message):
    after, _ = said(message)
    assert [step.id for step in after.steps if step.owner == "Eva"] == ["S4", "S6", "S8"]


def test_a_stretch_of_days_has_both_its_ends():
    step = item_of(said("S4 from 3 May to 7 May")[0], "S4")
    assert (step.not_before, step.deadline) == ("2027-05-03", "2027-05-07")


def test_everything_up_to_a_step_is_meant():
    after, _ = said("everything up to S3 is done")
    assert [step.id for step in after.steps if step.status == "done"] == ["S1", "S2", "S3"]


@pytest.mark.parametrize("message", ["drop the server", "no server please", "forget the server thing"])
def test_one_thing_of_several_in_a_title_goes_alone(message):
    after, _ = said("S8 should be called Archive the data and clean the server")
    after, (request,) = said(message, after)
    assert request.answer == "S8 says “Archive the data” now."
    assert item_of(after, "S8").title == "Archive the data"


def test_people_of_the_goal_are_known():
    goal = msgspec.structs.replace(PLAN.sections[0], text="Move billing with Marta by 30 June 2027.")
    plan = msgspec.structs.replace(PLAN, sections=(goal, *PLAN.sections[1:]))
    after, _ = said("Marta is away 3-14 May", plan)
    assert item_of(after, "P3").text == "Marta"
    after, _ = said("Nora is away 3-14 May", plan)
    assert [(one.text, one.away) for one in after.people if one.text == "Nora"] == [
        ("Nora", (Days("2027-05-03", "2027-05-14"),))
    ]
    assert said("Ana is away 3-14 May", plan)[1][0].answer == "Do you mean Anna?"


def test_somebody_takes_the_place_of_somebody_everywhere():
    after, _ = said("Tom has left, Eva takes over")
    assert _owners(after, "S4", "S6", "S8") == ["Eva"] * 3


def test_the_opening_is_the_step_that_is_called_as_the_plan():
    plan = msgspec.structs.replace(PLAN, title="Switch over billing")
    steps = plan.section("steps")
    other = Step(id="S10", title="Switch off the lights", needs=("S9",))
    sections = tuple(
        msgspec.structs.replace(steps, items=(*steps.items, other)) if section.id == "steps" else section
        for section in plan.sections
    )
    after, _ = said("the switch is on 2 May", msgspec.structs.replace(plan, sections=sections))
    assert item_of(after, "S9").on == date(2027, 5, 2).isoformat()


def test_a_question_about_slack_is_answered():
    assert "working day" in said("How much slack is there on S6?")[1][0].answer


# --- read by what stands in it ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "name", "values"),
    [
        ("the archive: three days, Anna", "S8", {"owner": "Anna"}),
        ("S4, S6 to Karl please", "S6", {"owner": "Karl"}),
        ("Archive: not before 3 May, and Anna does it", "S8", {"not_before": "2027-05-03", "owner": "Anna"}),
        ("Dr Weiss takes care of the archive", "S8", {"owner": "Dr Weiss"}),
        ("training about 50% through", "S6", {"status": "under-way", "left": 1.0}),
        ("the interface is about half way", "S4", {"status": "under-way"}),
        ("Tom did the archive yesterday already", "S8", {"status": "done", "finished": "2027-03-09"}),
        ("S9 on the 12th please, not the 14th", "S9", {"on": "2027-04-12"}),
        ("could Marketing please be put down for the archive?", "S8", {"owner": "Marketing"}),
        ("Schritt S8 dauert 4 Tage", "S8", {}),
        ("S8 übernimmt Anna", "S8", {}),
    ],
)
def test_a_clause_is_read_by_what_stands_in_it(message, name, values):
    after, requests = said(message)
    item = item_of(after, name)
    assert {field: getattr(item, field) for field in values} == values, requests


def test_values_after_a_new_step_are_its_own():
    after, _ = said(
        "Add a step: count the invoices. Anna runs it, about three days, after the training and before the archive."
    )
    step = item_of(after, "S10")
    assert (step.owner, step.effort.likely, step.needs) == ("Anna", 3, ("S6",))
    assert "S10" in item_of(after, "S8").needs


@pytest.mark.parametrize(
    ("message", "title", "owner"),
    [
        ("Add a step: Rhys drives the scrap to the tip on 17 May.", "Drive the scrap to the tip", "Rhys"),
        ("Add a step: Mrs Falk carries the boxes, in June.", "Carry the boxes", "Mrs Falk"),
        ("Add a step: Dinner starts at 8 in the hall", "Dinner starts at 8 in the hall", ""),
        ("Add a step: Volunteers clean the hall", "Volunteers clean the hall", ""),
        ("Add a step: Tom will pick up the keys", "Pick up the keys", "Tom"),
        ("Add a step: I'll ring the council about the road", "Ring the council about the road", "You"),
        ("Add a step: I write the press release", "Write the press release", "You"),
        ("Add a step: Aunt Josie irons the tablecloths", "Iron the tablecloths", "Aunt Josie"),
        ("Add a step: print the raffle tickets (Siobhan's doing that)", "Print the raffle tickets", "Siobhan"),
    ],
)
def test_who_does_a_new_step_may_be_new_too(message, title, owner):
    step = item_of(said(message)[0], "S10")
    assert (step.title, step.owner) == (title, owner)


@pytest.mark.parametrize(
    "message",
    [
        "The old data have gone to the bank on Thursday",
        "Tom had lunch with the provider on Friday",
        "Anna came back from the training on Monday",
        "The provider: lunch",
        "There is no provider like the old one",
        "The support lot do get their own provider",
        "I want everybody to have something to do",
        "S4 takes 5 days and S99",
    ],
)
def test_what_asks_for_nothing_makes_no_step(message):
    after, requests = said(message)
    assert [step.id for step in after.steps] == [step.id for step in PLAN.steps], requests
    assert [step.title for step in after.steps] == [step.title for step in PLAN.steps]


@pytest.mark.parametrize(
    ("message", "title", "effort"),
    [
        ("add a step: order 30 badges for 2 days of training", "Order 30 badges for 2 days of training", None),
        ("Add a step: agree the 30 day notice", "Agree the 30 day notice", None),
        ("add a step: book the 2 day course, Anna, half a day", "Book the 2 day course", 0.5),
    ],
)
def test_a_number_of_a_title_stays_in_it(message, title, effort):
    step = item_of(said(message)[0], "S10")
    assert (step.title, step.effort and step.effort.likely) == (title, effort)


@pytest.mark.parametrize(
    ("message", "name", "text"),
    [
        ("Add to the success criteria: no mail is lost", "C3", "No mail is lost"),
        ("Put the following into the constraints: no work at night", "K3", "No work at night"),
        ("Under risks, add that the bank is closed", "R3", "The bank is closed"),
        ("one more for the risks: the mail is down", "R3", "The mail is down"),
        ("Add the tax office to the open questions", "Q3", "The tax office?"),
    ],
)
def test_a_line_goes_to_the_section_that_is_named(message, name, text):
    assert item_of(said(message)[0], name).text == text


def test_what_still_says_the_old_is_asked_about():
    _, (request,) = said("The deadline is 15 July")
    assert request.answer.endswith("The goal still says “30 June”: shall that change too?")
    after, (request,) = said("add a risk: without S7 nobody knows")
    _, (request,) = said("drop S7", after)
    assert "R3 still speaks of S7" in request.answer


def test_a_day_before_what_a_step_needs_is_pointed_out():
    _, (request,) = said("S4 is on 22 March")
    assert request.answer.endswith("But S4 needs S3, which ends on 2027-04-02: what should give?")


@pytest.mark.parametrize("message", ["S3 costs 4,000 EUR and S4", "S4 takes 5 days except in June"])
def test_what_a_form_passes_over_is_asked(message):
    after, (request,) = said(message)
    assert (after, request.outcome) == (PLAN, "asked")


@pytest.mark.parametrize(
    ("message", "control"),
    [
        ("That's exactly what I wanted", ""), ("Brilliant, let's run with this", "approve"), ("ok for me", "approve"),
        ("no further comments from my side", "approve"), ("undo the change before", "undo"),
        ("take back what you just changed", "undo"), ("ignore G2 and G7", "dismiss"),
    ],
)  # fmt: skip
def test_what_is_said_to_the_workbench_is_understood_in_other_words(message, control):
    after, (request,) = said(message)
    assert (after, request.control) == (PLAN, control)
    assert request.outcome in ("done", "not done")


def test_facts_and_constraints_are_tied_to_items():
    assert item_of(said("G6 belongs to S4")[0], "S4").answers == ("G6",)
    assert item_of(said("S3 covers K2")[0], "S3").answers == ("K2",)
    assert item_of(said("G6 belongs to K1")[0], "K1").origin.source == "G6"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why is S4 so late?", "after S3, which ends on 2 April"),
        ("what has to be finished before S9 can start?", "S4 “Build the interface to the shop”"),
        ("what depends on S5?", "need S5"),
        ("can S4 start before S3 is done?", "No: S4 needs S3"),
        ("which step takes longest?", "S2 “Negotiate the contract” with 5 days"),
        ("what could we leave out to be earlier?", "The end hangs on S1 → S2"),
        ("what happens if S2 takes a week longer?", "If so: S2 takes 10 days now"),
        ("which steps have no owner?", "Every open step has its owner"),
        ("what are the risks?", "R1"),
        ("who does the lighthouse?", "The plan does not say"),
        ("when is the lighthouse ready?", "The plan does not say"),
    ],
)
def test_exactly_what_is_asked_is_answered(question, answer):
    after, (request,) = said(question)
    assert answer in request.answer
    assert after == PLAN


def test_what_is_said_of_a_risk_after_it_is_its_own():
    after, _ = said("Add a risk: the bank is closed. Fairly likely, very bad if it does. We'd know from the letter.")
    risk = item_of(after, "R3")
    assert (risk.likelihood, risk.impact, risk.sign) == ("high", "high", "The letter")


def test_a_part_of_a_split_has_its_own_owner_and_sum():
    after, _ = said("split S5 into export (Tom) and import (Anna, 2 days, 300 EUR)")
    first, second = item_of(after, "S5"), item_of(after, "S10")
    assert (first.title, first.owner, second.title, second.owner) == ("Export", "Tom", "Import", "Anna")
    assert (second.effort.likely, second.cost.amount) == (2, 300)


def test_the_parts_of_a_split_may_be_told_after_it():
    after, requests = said("Split the migration. First the export, that's Tom, 2 days; then the import by Anna, 4 days")
    first, second = item_of(after, "S5"), item_of(after, "S10")
    assert (first.title, first.owner, first.effort.likely) == ("Export", "Tom", 2), requests
    assert (second.title, second.owner, second.effort.likely) == ("Import", "Anna", 4)


def test_a_number_alone_has_the_unit_of_the_sentence_before():
    after, _ = said("Hmm, three days for S6 seems too short. Make it four.")
    assert item_of(after, "S6").effort.likely == 4
