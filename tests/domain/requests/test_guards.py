"""What is not certainly understood changes nothing: it is asked."""

from __future__ import annotations

import pytest
from tests.domain.requests.plans import PLAN, said
from workbench.domain.plan.operations import SetField, applied
from workbench.domain.plan.plan import Days, Person, Risk

pytestmark = pytest.mark.cases(6)

TWO = applied(
    PLAN,
    (
        SetField("S6", "title", "Order music and flowers"),
        SetField("K2", "text", "It must be quiet, and the boss wants to speak"),
    ),
)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("not true: there is no new provider", "rest on new provider"),
        ("we've got no customer data", "S5"),
        ("Could you write to the new provider that it has to support SEPA?", ""),
        ("The new provider supports SEPA, right?", ""),
        ("split S6: the morning is Tom's job, I will do the afternoon", "who does each"),
        ("S5 takes 8 days rehearsed blindfolded", ""),
        ("The export is off on 3 June", ""),
        ("The lease runs out on 31 March", ""),
        ("The server is off on 3 May", ""),
        ("Our holiday season is off limits from 3 to 7 May", ""),
        ("Budget is off on 3 May", ""),
        ("The lift is away from 3 to 7 May", ""),
    ],
)
def test_what_is_no_clear_request_changes_nothing(message, words):
    after, requests = said(message)
    assert after == PLAN
    assert words in requests[0].answer
    assert {request.outcome for request in requests} <= {"asked", "not done", "not understood"}


@pytest.mark.parametrize(
    "message",
    ["without a DJ", "the boss speaking is nice to have", "the speech of the boss is optional"],
)
def test_a_part_of_a_line_is_taken_out_only_where_it_is_named(message):
    after, requests = said(message, TWO)
    assert after == TWO
    assert requests[0].outcome in ("asked", "not understood")


def test_what_no_line_names_is_a_constraint_when_it_is_not_wanted():
    after, (request,) = said("no singer please", TWO)
    assert after.steps == TWO.steps
    assert [item.text for item in after.items if item not in TWO.items] == ["No singer"]
    assert "is added as a constraint" in request.answer


def test_what_is_named_word_for_word_is_still_taken_out():
    after, _ = said("forget the flowers", TWO)
    assert next(step.title for step in after.steps if step.id == "S6") == "Order music"


def test_an_opinion_on_a_risk_is_not_its_response():
    after, requests = said("New risk: the cellar floods. I'd call that rather unlikely. We'd pump it dry.")
    (risk,) = (item for item in after.items if isinstance(item, Risk) and item not in PLAN.items)
    assert risk.response in ("", "Pump it dry")
    assert any(request.outcome in ("asked", "not understood") for request in requests) or risk.likelihood == "low"


@pytest.mark.parametrize("name", ["Our accountant", "Priya", "The sales team"])
def test_somebody_new_may_be_away(name):
    after, _ = said(f"{name} is away from 3 to 7 May")
    assert len([item for item in after.items if isinstance(item, Person)]) == 3


OLD = {item.id for item in PLAN.items}


@pytest.mark.parametrize(
    ("message", "holds"),
    [
        ("Q1: S5 takes 3 days", lambda items: items["S5"].effort.likely == 3),
        ("Q1: drop S5", lambda items: "S5" not in items),
        ("Q1: K1 moves to 23 June.", lambda items: items["K1"].day == "2027-06-23"),
        (
            "Q1: it is a new step: Tom paints the hall, until 15 June.",
            lambda items: (items["S10"].title, items["S10"].owner) == ("Paint the hall", "Tom"),
        ),
        ("Q1: The CFO signs, and by the way let Tom do S5 instead of Anna.", lambda items: items["S5"].owner == "Tom"),
        (
            "Q1: The CFO, but she's away, so move the deadline to 16 July.",
            lambda items: items["K1"].day == "2027-07-16",
        ),
        ("Q1: Please make S2 eight days, she reads slowly.", lambda items: items["S2"].effort.likely == 8),
        ("Q1: the CFO, Mrs Lang", lambda items: [one for one in items if one not in OLD] == ["D2"]),
        ("Q1: nobody, it takes no signature", lambda items: [one for one in items if one not in OLD] == ["D2"]),
    ],
)
def test_a_question_that_is_answered_with_a_request_is_settled_and_that_is_done(message, holds):
    after, requests = said(message)
    items = {item.id: item for item in after.items}
    assert holds(items), requests
    assert "Q1" not in items


@pytest.mark.parametrize(
    "message",
    [
        *(f"Anna is {how} from 3 to 7 May" for how in ("ill", "sick", "off sick", "unwell", "on jury duty")),
        "Anna has jury duty from 3 to 7 May",
        "From 3 May through 7 May, Anna will be travelling in Portugal with no laptop.",
        "Don't count on Anna from 3 to 7 May",
    ],
)
def test_somebody_ill_or_not_there_is_away(message):
    after, _ = said(message)
    assert next(person.away for person in after.people if person.text == "Anna") == (Days("2027-05-03", "2027-05-07"),)


def test_an_opinion_is_no_reason_for_what_was_said_before_it():
    _, requests = said("New risk: the port closes. I'd bet it's unlikely.")
    assert "you say why" not in requests[0].answer
    assert requests[1].outcome in ("asked", "not understood")
