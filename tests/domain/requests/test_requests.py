"""What people say about a plan: each request does what was meant, and its answer says so."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from tests.domain.requests.plans import PLAN, begun, item_of, said
from workbench.domain.plan.plan import Days, DaysOff, Lag, Money

pytestmark = pytest.mark.cases(10)

Values = dict[str, Any]


def _check(message: str, values: dict[str, Values], answer: str, plan: Any = PLAN, outcome: str = "done") -> None:
    after, requests = said(message, plan)
    assert answer in requests[0].answer
    assert requests[0].outcome == outcome
    for name, fields in values.items():
        item = item_of(after, name)
        assert item is not None, requests
        assert {field: getattr(item, field) for field in fields} == fields


def _effort(likely: float) -> Any:
    return type("Likely", (), {"__eq__": lambda _self, effort: effort.likely == likely, "__hash__": None})()


# --- how the work stands ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "values", "answer"),
    [
        ("S1 done", {"S1": {"status": "done", "finished": "2027-03-10"}}, "S1 is done"),
        (
            "S1 is done since Tuesday, took 4 days",
            {"S1": {"status": "done", "finished": "2027-03-09", "started": "2027-03-04"}},
            "S1 is done since 9 March, after 4 days",
        ),
        ("we finished S1 and S2", {"S1": {"status": "done"}, "S2": {"status": "done"}}, "S1 and S2 are done"),
        ("mark S3 as done", {"S3": {"status": "done"}}, "S3 is done"),
        ("S4 started yesterday", {"S4": {"status": "under-way", "started": "2027-03-09"}}, "under way since 9 March"),
        ("Tom has started on S4", {"S4": {"status": "under-way", "started": "2027-03-10"}}, "S4 is under way"),
        ("S5 is 60 %", {"S5": {"status": "under-way", "left": 2.0}}, "60 % of S5 is done; 2 days of work are left"),
        ("S5 is 100% done", {"S5": {"status": "done"}}, "S5 is done"),
        ("half of S6 is done", {"S6": {"left": 1.0}}, "50 % of S6 is done"),
        ("2 days left on S4", {"S4": {"status": "under-way", "left": 2.0}}, "2 days of S4 are left"),
        (
            "S5 is blocked until 3 June",
            {"S5": {"status": "waiting", "not_before": "2027-06-03"}},
            "S5 waits until 3 June; it ends",
        ),
        (
            "S5 is waiting for the supplier",
            {"S5": {"status": "waiting", "notes": "waiting for the supplier"}},
            "waits for the supplier",
        ),
        ("S8 is waiting for S7", {"S8": {"needs": ("S5", "S7")}}, "S8 waits for S7"),
        (
            "S3 slipped a week",
            {"S3": {"not_before": "2027-04-05", "status": "todo"}},
            "S3 is 1 week later; it ends 9 April, was 2 April",
        ),
        ("push S6 back 3 days", {"S6": {"not_before": "2027-04-12"}}, "S6 is 3 days later"),
        (
            "we are two weeks late",
            {"S1": {"not_before": "2027-03-29"}, "S2": {"not_before": None}},
            "begins 2 weeks later; 9 steps move",
        ),
        ("postpone S6 until 3 May", {"S6": {"not_before": "2027-05-03"}}, "S6 begins not before 3 May"),
    ],
)
def test_a_status_is_set_as_it_is_told(message, values, answer):
    _check(message, values, answer)


@pytest.mark.parametrize(
    ("message", "values", "answer"),
    [
        ("S1 is not done after all", {"S1": {"status": "under-way", "finished": None}}, "S1 is open now"),
        ("S2 slipped 2 days", {"S2": {"left": pytest.approx(7.17, abs=0.01)}}, "S2 is 2 days later"),
        (
            "drop S8",
            {"S8": {"status": "dropped"}, "S9": {"needs": ("S4", "S6", "S7")}},
            "S8 is dropped; S9 no longer needs it",
        ),
    ],
)
def test_work_that_has_begun_is_kept_as_a_record(message, values, answer):
    _check(message, values, answer, begun())


@pytest.mark.parametrize(
    "message",
    [
        "drop S1",
        "S1 takes 5 days",
        "S1 starts on 3 May",
        "merge S1 and S3",
        "split S1 in two",
        "move S1 after S3",
        "S1 started yesterday",
        "Tom takes over S1",
        "S1 slipped a week",
        "S1 by 3 May",
        "S1 is blocked",
    ],
)
def test_done_work_never_moves(message):
    plan = begun()
    after, (request,) = said(message, plan)
    assert request.outcome == "asked"
    assert after == plan


def test_a_deadline_in_the_past_tense_is_no_status():
    after, _ = said("S3 must be done by 3 May")
    assert item_of(after, "S3").status == "todo"
    assert item_of(after, "S3").deadline == "2027-05-03"


def test_nothing_is_done_on_a_day_to_come():
    after, (request,) = said("S3 was done on 2027-06-03")
    assert "3 June is still to come" in request.answer
    assert after == PLAN


# --- steps ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "values", "answer"),
    [
        (
            'rename S4 to "Connect the shop"',
            {"S4": {"title": "Connect the shop"}},
            "S4 is called “Connect the shop” now",
        ),
        ("S7 should be called tell everybody", {"S7": {"title": "Tell everybody"}}, "S7 is called"),
        ("the outcome of S4 is a tested interface", {"S4": {"outcome": "A tested interface"}}, "The outcome of S4"),
        (
            "merge S7 and S8",
            {
                "S7": {"title": "Tell the customers and archive the old data", "effort": _effort(3)},
                "S9": {"needs": ("S4", "S6", "S7")},
            },
            "S8 is part of S7 now",
        ),
        ("move S6 after S7", {"S6": {"needs": ("S3", "S7")}}, "S6 comes after S7 now"),
        ("do S3 before S2", {"S2": {"needs": ("S1", "S3")}, "S3": {"needs": ("S1",)}}, "S3 comes before S2 now"),
        ("S4 two days after S3", {"S4": {"needs": ("S3",), "lags": (Lag("S3", 2.0),)}}, "S4 comes 2 days after S3"),
        ("S4 needs S2", {"S4": {"needs": ("S3", "S2")}}, "S4 needs S2 now"),
        ("S9 can start before S8", {"S9": {"needs": ("S4", "S6", "S7")}}, "S9 does not wait for S8 now"),
        ("S4 doesn't need S3 any more", {}, ""),
        ("S7 and S8 can be done in parallel", {"S7": {"needs": ("S5",)}}, "as it is"),
    ],
)
def test_steps_are_changed_as_they_are_told(message, values, answer):
    _check(message, values, answer)


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("drop the archive step", "S8"),
        ("S7 can go", "S7"),
        ("we don't need to train the support team", "S6"),
        ("Skip the archive, nobody reads it", "S8"),
        ("delete the first risk", "R1"),
        ("Remove R2 please", "R2"),
        ("get rid of the last question", "Q2"),
        ("telling customers is not necessary", "S7"),
        ("drop the arhcive", "S8"),
    ],
)
def test_what_is_not_wanted_goes_and_nothing_else(message, gone):
    after, requests = said(message)
    assert requests[0].outcome == "done"
    assert {item.id for item in PLAN.items} - {item.id for item in after.items} == {gone}
    assert gone not in {need for step in after.steps for need in step.needs}


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        (
            "drop the provider step",
            "Which step do you mean: S1 “Choose the new provider” or S3 “Set up the new provider”?",
        ),
        ("drop the newsletter", "speaks of “the newsletter”"),
        ("drop the new thing", "S1"),
        ("drop S42", "There is no S42"),
        ("drop it", "do you mean"),
        ("drop the French invoices", "B3 “German and French invoices” says more than that"),
        ("drop S1, S2, S3, S4, S5 and S6", "6 of the 9 open steps"),
        ("S2 needs S5", "each would wait for the other"),
        ("do S9 before S1", "each would wait for the other"),
        ("split S4 into three parts: design and build", "Into which 3 parts"),
        ("someone else should do S4", "Who takes S4 over?"),
        ("Anna leaves the project", "who takes them over?"),
        ("I have 2.5 h a week", "Under which name do you stand in the plan"),
        ("only Mondays and Tuesdays", "Who works on Mondays and Tuesdays only?"),
        ("must be approved by legal", "What does Legal team approve"),
        ("we need more time", "How much, and where"),
        ("Bob takes over from Tom, but S99 is dropped", "S4"),
        ("S4 starts on 3 March", "Which day do you mean: 3 March 2028?"),
    ],
)
def test_what_is_not_clear_is_asked_back(message, answer):
    after, requests = said(message)
    assert any(answer in request.answer for request in requests), requests
    if "Bob" not in message:
        assert after == PLAN
        assert requests[0].outcome in ("asked", "not done")


def test_a_step_is_split_into_what_is_named():
    after, (request,) = said("split S5 into export and import")
    assert [item_of(after, name).title for name in ("S5", "S10")] == ["Export", "Import"]
    assert item_of(after, "S10").needs == ("S5",)
    assert item_of(after, "S7").needs == ("S10",)
    assert request.answer.startswith("S5 is split into S5 “Export” and S10 “Import”")


# --- how long, when, how much -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "values", "answer"),
    [
        (
            "S4 takes 5 days, not 3",
            {"S4": {"effort": _effort(5)}},
            "S4 takes 5 days now, was 3 days; it ends 9 April, was 7 April",
        ),
        ("S4 is too optimistic: double it", {"S4": {"effort": _effort(6)}}, "takes 6 days now"),
        ("S2 needs 2 more days", {"S2": {"effort": _effort(7)}}, "S2 takes 7 days now"),
        ("S4: 3-5 days", {"S4": {"effort": _effort(4)}}, "S4 takes 4 days (3 to 5) now, was 3 days"),
        ("training takes two weeks", {"S6": {"effort": _effort(10)}}, "takes 10 days now"),
        ("shorten S5 by 2 days", {"S5": {"effort": _effort(3)}}, "S5 takes 3 days now"),
        ("add 20% to S5", {"S5": {"effort": _effort(6)}}, "S5 takes 6 days now"),
        (
            "halve all estimates",
            {"S8": {"effort": _effort(1)}, "S5": {"effort": _effort(2.5)}},
            "The estimates of 9 steps are multiplied by 0.5",
        ),
        ("S5 by 3 May", {"S5": {"deadline": "2027-05-03"}}, "S5 has to end by 3 May"),
        ("S5 not before 3 May", {"S5": {"not_before": "2027-05-03"}}, "S5 begins not before 3 May; it ends 10 May"),
        ("switch over is on 1 June", {"S9": {"on": "2027-06-01"}}, "is on 1 June"),
        ("move S6 to 3 May", {"S6": {"on": "2027-05-03"}}, "S6 is on 3 May"),
        (
            "the deadline is now 15 June",
            {
                "K1": {"text": "By 15 June 2027 (2027-06-15)", "day": "2027-06-15"},
                "C1": {"due": "2027-06-15"},
                "C2": {"due": "2027-06-15"},
            },
            "The deadline is 15 June now, was 30 June (K1)",
        ),
        (
            "we have two more weeks",
            {"K1": {"day": "2027-07-14"}, "C1": {"due": "2027-07-14"}, "C2": {"due": "2027-07-14"}},
            "14 July",
        ),
        ("start on 5 April", {"S1": {"not_before": "2027-04-05"}}, "The work begins on 5 April"),
        (
            "budget is now 20k",
            {"K2": {"amount": Money(Decimal(20000), "EUR"), "text": "Budget: 20,000 EUR"}},
            "The budget is 20,000 EUR now, was 40,000 EUR (K2)",
        ),
        ("cut the budget by 10%", {"K2": {"amount": Money(Decimal(36000), "EUR")}}, "36,000 EUR"),
        ("S4 costs 3,000 EUR", {"S4": {"cost": Money(Decimal(3000), "EUR")}}, "all steps together 8,000 EUR"),
    ],
)
def test_lengths_days_and_money_are_set_as_told(message, values, answer):
    _check(message, values, answer)


# --- people -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "values", "answer"),
    [
        ("Tom takes over S5", {"S5": {"owner": "Tom"}}, "S5 is Tom's now, was Anna's"),
        ("assign S2 and S3 to Eva", {"S2": {"owner": "Eva"}, "S3": {"owner": "Eva"}}, "S2 and S3 are Eva's now"),
        ("Tom does everything about the provider", {"S1": {"owner": "Tom"}, "S3": {"owner": "Tom"}}, "are Tom's now"),
        ("S6 should be done by Marketing", {"S6": {"owner": "Marketing"}}, "S6 is Marketing's now"),
        (
            "replace Tom by Eva",
            {"S4": {"owner": "Eva"}, "S6": {"owner": "Eva"}, "S8": {"owner": "Eva"}},
            "are Eva's now, were Tom's",
        ),
        (
            "Anna is away 3–14 May",
            {"P1": {"away": (Days("2027-05-03", "2027-05-14"),)}},
            "Anna is away 3 May to 14 May",
        ),
        ("Tom only works Mondays and Tuesdays", {"P2": {"weekdays": (1, 2)}}, "Tom works on Mondays and Tuesdays now"),
        ("Tom has 2.5 hours a week", {"P2": {"hours": 2.5}}, "Tom has 2.5 hours a week now"),
        (
            "Priya joins as designer",
            {"P3": {"text": "Priya", "role": "designer"}},
            "Priya is among the people as designer (P3)",
        ),
        (
            "Marketing is away 3–14 May",
            {"P3": {"text": "Marketing", "away": (Days("2027-05-03", "2027-05-14"),)}},
            "Marketing is away",
        ),
    ],
)
def test_people_are_changed_as_told(message, values, answer):
    _check(message, values, answer)


def test_days_off_are_for_everybody():
    after, (request,) = said("we're closed 24 Dec to 2 Jan")
    (off,) = (item for item in after.items if isinstance(item, DaysOff))
    assert off.days == (Days("2027-12-24", "2028-01-02"),)
    assert request.answer == "Nobody works 24 December to 2 January 2028 (H1)."


def test_the_week_of_all_is_changed():
    after, _ = said("no work on Fridays")
    assert [item.weekdays for item in after.items if item.id == "W1"] == [(1, 2, 3, 4)]
    assert "as it is" in said("no work on weekends")[1][0].answer


# --- other lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "values", "answer"),
    [
        ("R1 is less likely", {"R1": {"likelihood": "low"}}, "The likelihood of R1 is low now, was medium"),
        ("the impact of R2 is high", {"R2": {"impact": "high"}}, "The impact of R2 is high"),
        ("response to R1: ask every week", {"R1": {"response": "Ask every week"}}, "R1 is “Ask every week” now"),
        ("C2 target is 98%", {"C2": {"target": "98%"}}, "The target of C2 is 98% now, was 95 %"),
        (
            "Q2: the new provider supports SEPA",
            {"D2": {"text": "The new provider supports SEPA"}},
            "Q2 is settled: D2 says",
        ),
        ("Q2: I think it does", {"B4": {"text": "I think it does"}}, "Q2 is settled: B4"),
        ("we decided to use Stripe", {"D2": {"text": "Use Stripe"}}, "D2 notes the decision “Use Stripe”"),
        (
            "let's go with Stripe instead of the new provider",
            {"S1": {"title": "Choose Stripe"}, "S3": {"title": "Set up Stripe"}},
            "and S1, S3 and Q2 say so",
        ),
        (
            "use letters instead of invoices",
            {"C2": {"text": "Letters go out on time"}},
            "stands in the place of “invoices”",
        ),
        (
            "Add a risk: strike at the old provider, likelihood high",
            {"R3": {"text": "Strike at the old provider", "likelihood": "high"}},
            "is added",
        ),
        ("add a question: who pays?", {"Q3": {"text": "Who pays?"}}, "is added"),
        ("New criterion: half of the calls", {"C3": {"text": "Half of the calls"}}, "is added"),
        (
            "Constraint: no data leaves Europe",
            {"K3": {"text": "No data leaves Europe", "limits": "exclusion"}},
            "is added",
        ),
        ("customers must never get two mails", {"K3": {"text": "Customers must never get two mails"}}, "is added"),
        ("add an assumption: the bank answers", {"B4": {"text": "The bank answers"}}, "is added"),
    ],
)
def test_other_lines_are_changed_as_told(message, values, answer):
    _check(message, values, answer)


def test_an_assumption_that_is_wrong_goes_and_its_owner_is_asked_about():
    after, (request,) = said("wrong: we have no legal team")
    assert request.outcome == "partly"
    assert request.answer.endswith("S2 “Negotiate the contract” is Legal team's: who does it?")
    assert item_of(after, "B1") is None


@pytest.mark.parametrize(
    ("message", "step", "needed_by"),
    [
        (
            "We also need a translation of the manual, two days, by Anna",
            {"title": "Translation of the manual", "owner": "Anna", "effort": _effort(2), "needs": ()},
            (),
        ),
        ("there's no step for choosing the pentest firm", {"title": "Choosing the pentest firm", "owner": ""}, ()),
        (
            "Add a rehearsal before the switch over, half a day, Tom does it",
            {"title": "Rehearsal", "owner": "Tom", "effort": _effort(0.5)},
            ("S9",),
        ),
        (
            "Add a step after S3: call the bank and cancel the card",
            {"title": "Call the bank and cancel the card", "needs": ("S3",)},
            (),
        ),
        ("add a party at the end", {"title": "Party", "needs": ("S9",)}, ()),
        (
            "Don't forget the insurance by 3 May for 200 EUR",
            {"title": "Insurance", "deadline": "2027-05-03", "cost": Money(Decimal(200), "EUR")},
            (),
        ),
        ('add "Buy stamps" (2 days, Tom)', {"title": "Buy stamps", "owner": "Tom", "effort": _effort(2)}, ()),
        (
            "add a milestone: contract signed on 3 May",
            {"title": "Contract signed", "milestone": True, "on": "2027-05-03"},
            (),
        ),
        (
            "The contract must be approved by the board before the switch over",
            {"title": "Board approves the contract", "owner": "Board"},
            ("S9",),
        ),
        ("legal has to sign off S2", {"title": "Legal team approves S2", "needs": ("S2",)}, ("S3",)),
    ],
)
def test_a_step_that_is_missing_is_added_with_all_that_is_said_of_it(message, step, needed_by):
    after, requests = said(message)
    added = item_of(after, "S10")
    assert requests[0].outcome == "done", requests
    assert {field: getattr(added, field) for field in step} == step
    assert tuple(one.id for one in after.steps if "S10" in one.needs) == needed_by


def test_a_day_within_the_words_of_a_new_step_stays_in_its_title():
    after, [first, *_] = said("Someone has to ring Dr Aziz that 17 December suits")
    assert first.outcome == "done"
    assert item_of(after, "S10").title == "Ring Dr Aziz that 17 December suits"


@pytest.mark.parametrize(
    "message",
    ["No group, nobody throwing me in the deep.", "Ring Dr Aziz, and I want the gap explained on a separate page."],
)
def test_nobody_is_called_no_and_no_words_are_lent_to_a_whole_clause(message):
    after, _ = said(message)
    assert "No" not in {step.owner for step in after.steps}
    assert not [step.title for step in after.steps if "Has to" in step.title]


# --- what is asked of the workbench -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "control", "outcome"),
    [
        ("fine, go ahead", "approve", "done"),
        ("looks good", "approve", "done"),
        ("ok", "approve", "done"),
        ("continue", "approve", "done"),
        ("undo that", "undo", "not done"),
        ("undo the last change", "undo", "not done"),
        ("save it", "finish", "done"),
        ("too long", "", "asked"),
        ("shorter please", "shorter", "done"),
        ("more detail", "longer", "done"),
        ("in German, please", "language", "done"),
        ("show me other approaches", "other approaches", "done"),
        ("ignore that", "dismiss", "done"),
        ("forget what I said about the archive", "dismiss", "done"),
        ("thanks, great work", "", "done"),
        ("asdf", "", "not understood"),
        ("???", "", "not understood"),
        ("", "", "not understood"),
    ],
)
def test_what_is_no_change_changes_nothing(message, control, outcome):
    after, requests = said(message)
    assert after == PLAN
    assert (requests[0].control, requests[0].outcome) == (control, outcome)


@pytest.mark.cases(100)  # each has lines of its own
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why does S4 take so long?", "takes 3 days"),
        ("who does S3?", "Anna owns S3."),
        ("when do we finish?", "The plan ends on 14 April, 55 working days before the deadline of 30 June"),
        ("what is the critical path?", "S1 → S2 → S3"),
        ("how long does S5 take?", "S5 takes 5 days"),
        ("when does the training start?", "runs from"),
        ("Is S3 done?", "S3 is still to do, and ends on 2 April"),
        ("what does it cost?", "The steps cost 5,000 EUR, and 40,000 EUR (K2) may be spent"),
        ("which steps run in parallel?", "S4 and S5"),
        ("what's left?", "0 of 9 steps are done"),
        ("what does Tom have to do?", "Tom has S4"),
        ("what do you assume about the contract?", "B1: Our legal team"),
        ("what happens if customers do not pay?", "R2"),
        ("who signs?", "Q1 asks it; until then the plan assumes: The CFO signs"),
        ("how many steps are there?", "The plan has 9 steps"),
        ("why do we need S6?", "S9 needs it"),
        ("do penguins fly?", "The plan does not say"),
    ],
)
def test_a_question_is_answered_and_changes_nothing(question, answer):
    after, (request,) = said(question)
    assert answer in request.answer
    assert request.control == "question"
    assert after == PLAN


# --- several at once, and notes ---------------------------------------------------------------------------------------


def test_each_request_of_a_message_has_a_line_of_its_own_and_sees_the_ones_before():
    message = "Drop S7, and Tom takes over S3. Also S4 takes two weeks; add a step: pack and ship. It takes 2 days."
    after, requests = said(message)
    assert [message[request.start : request.end] for request in requests] == [request.text for request in requests]
    assert len(requests) == 5
    assert item_of(after, "S7") is None
    assert item_of(after, "S3").owner == "Tom"
    assert item_of(after, "S10").title == "Pack and ship"
    assert item_of(after, "S10").effort.likely == 2


def test_it_means_what_was_spoken_of_before():
    after, _ = said("S4 is done and took 4 days. Rename S5 'Move and check', it needs S4.")
    assert item_of(after, "S4").started == "2027-03-05"
    assert item_of(after, "S5").title == "Move and check"
    assert item_of(after, "S5").needs == ("S3", "S4")


def test_a_note_acts_on_the_item_it_is_pinned_to_and_no_other():
    after, _ = said("takes 2 days longer", item="S5")
    assert item_of(after, "S5").effort.likely == 7
    after, (request,) = said("drop S4", item="S5")
    assert after == PLAN
    assert request.outcome == "asked"
    after, (request,) = said("drop the archive step", item="S5")
    assert after == PLAN
    after, _ = said("only Mondays", item="S6")
    assert [person.weekdays for person in after.people if person.text == "Tom"] == [(1,)]


def test_a_note_on_a_section_speaks_of_its_lines():
    after, _ = said("Add a strike at the old provider.", section="risks")
    assert item_of(after, "R3").text == "A strike at the old provider"


def test_dates_are_told_with_what_they_were():
    _, (request,) = said("S5 takes 60 days")
    assert "it ends" in request.answer
    assert "the plan ends 30 June, was 14 April" in request.answer or "past the deadline" in request.answer


def test_a_plan_without_dates_is_changed_without_dates():
    plan, _ = said("S4 takes 5 days")
    bare = type(plan)(title="", sections=(plan.section("risks"),))
    after, (request,) = said("add a step: dance", bare)
    assert item_of(after, "S1").title == "Dance"
    assert request.outcome == "done"
