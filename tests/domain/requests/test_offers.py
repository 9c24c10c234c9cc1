"""A reading that is not certain is offered: a yes carries it out, a no leaves all as it is."""

from __future__ import annotations

import msgspec
import pytest
from tests.domain.requests.plans import PLAN, TODAY, item_of, said
from workbench.domain.plan.operations import AddItem, applied
from workbench.domain.plan.plan import Origin, Question
from workbench.domain.requests import read_requests

pytestmark = pytest.mark.cases(6)


def _offered(message):
    """Return the plan in which what a message is asked back stands as an open question."""
    after, requests = said(message)
    assert after == PLAN
    (request,) = requests
    assert request.outcome == "asked"
    assert request.answer.startswith("Did you mean: ")
    question = Question(id="Q9", text=request.answer, origin=Origin("feedback", "F1"))
    return applied(PLAN, (AddItem("questions", question),))


@pytest.mark.parametrize(
    ("message", "item", "field", "value"),
    [
        ("S5 takes 8 days rehearsed blindfolded", "S5", "effort.likely", 8),
        ("S7 before S5?", "S7", "needs", ("S3",)),
        ("move the training workshop before S4", "S4", "needs", ("S3", "S6")),
    ],
)
@pytest.mark.parametrize("yes", ["yes", "Y", "Q9: yes please", "ok"])
def test_a_yes_carries_out_what_was_offered(message, item, field, value, yes):
    plan = _offered(message)
    after, requests = said(yes, plan)
    assert [request.outcome for request in requests] == ["done"]
    builtins = item_of(after, item)
    for name in field.split("."):
        builtins = getattr(builtins, name)
    assert builtins == value
    assert item_of(after, "Q9") is None


@pytest.mark.parametrize("no", ["no", "Q9: no", "nope."])
def test_a_no_leaves_all_as_it_is(no):
    after, _ = said(no, _offered("S5 takes 8 days rehearsed blindfolded"))
    assert after == PLAN


def test_a_yes_without_an_offer_approves():
    after, requests = said("yes")
    assert after == PLAN
    assert requests[0].answer == "Nothing is to be changed."


def test_only_the_offers_of_the_last_message_are_answered():
    first = Question(id="Q8", text="Did you mean: S4 takes 9 days? (yes / no)", origin=Origin("feedback", "F1"))
    plan = applied(PLAN, (AddItem("questions", first, "Q2"),))
    last = msgspec.structs.replace(
        first, id="Q9", text="Did you mean: S5 takes 9 days? (yes / no)", origin=Origin("feedback", "F2")
    )
    plan = applied(plan, (AddItem("questions", last, "Q8"),))
    after, _ = said("yes", plan)
    assert item_of(after, "S5").effort.likely == 9
    assert item_of(after, "S4") == item_of(PLAN, "S4")
    assert item_of(after, "Q8") is not None


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("S5 is Tom's, S5 is Anna's", "both speak of S5: which holds?"),
        ("S4 is on Sunday 3 April", "is a Saturday"),
        ("drop the last one", "Which one do you mean"),
        ("Q1: no clue", "stays open"),
        ("we can only cancel until 1 May", ""),
        ("the big one is missing", "which step is missing?"),
        ("I want the parcels crispy", "Did you mean"),
    ],
)
def test_what_may_mean_something_else_changes_nothing(message, words):
    requests = read_requests(message, PLAN, today=TODAY)
    after = PLAN
    for request in requests:
        after = applied(after, request.operations)
    if "which holds" not in words:
        assert after == PLAN
    assert any(words in request.answer for request in requests), requests


@pytest.mark.parametrize(
    ("message", "item", "field", "value"),
    [
        ("1) S4 takes 4 days 2) S8 is Anna's 3) drop R2", "S4", "effort.likely", 4),
        ("step 4 takes 4 days", "S4", "effort.likely", 4),
        ("S5 20% longer", "S5", "effort.likely", 6),
        ("S6 is finished when all of them have passed the exam", "S6", "check", "All of them have passed the exam"),
        ("can't start before 12 April", "S1", "not_before", "2027-04-12"),
        ("S8 on 3 May the latest, or we pay twice", "S8", "deadline", "2027-05-03"),
    ],
)
def test_one_rule_reads_many_sentences(message, item, field, value):
    after, _ = said(message)
    read = item_of(after, item)
    for name in field.split("."):
        read = getattr(read, name)
    assert read == value


def test_it_is_what_was_spoken_of_whatever_else_is_said():
    after, requests = said("Add a step: rent a tent. It has to be migrated by 3 May")
    assert item_of(after, "S5") == item_of(PLAN, "S5")
    assert item_of(after, "S10").deadline == "2027-05-03"
    assert requests[1].answer.startswith("S10 “Rent a tent” has to end by 3 May")


def test_what_is_foreseen_is_a_risk_with_its_response():
    after, _ = said("and if it rains we all go in the barn")
    assert (item_of(after, "R3").text, item_of(after, "R3").response) == ("It rains", "We all go in the barn")
