"""Requests that are read by a cue and by what the words around it name."""

from __future__ import annotations

import pytest
from tests.domain.requests.plans import PLAN, item_of, said
from workbench.domain.plan.operations import SetField, applied
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Days, Lag, Risk

pytestmark = pytest.mark.cases(6)


def _new(after, kind):
    return [item for item in after.items if isinstance(item, kind) and item not in PLAN.items]


@pytest.mark.parametrize(
    ("message", "stays"),
    [
        ("give everything to Eva except the first two and the archive", {"S1", "S2", "S8"}),
        ("give everything to Eva apart from S4", {"S4"}),
        ("Eva does all steps but not the last three", {"S7", "S8", "S9"}),
        ("Anna takes S2, Marketing the training, Eva takes the rest", {"S2", "S6"}),
    ],
)
def test_what_is_excepted_stays(message, stays):
    after, _ = said(message)
    assert {step.id for step in after.steps if step.owner != "Eva"} == stays


def test_an_exception_that_is_not_among_what_changes_is_asked_about():
    after, (request,) = said("give S4 and S5 to Eva except S8")
    assert after == PLAN
    assert request.outcome == "asked"


@pytest.mark.parametrize(
    ("message", "name", "needs"),
    [
        ("Don't hold the switch over back for the training", "S9", ("S4", "S7", "S8")),
        ("S9 only needs S4", "S9", ("S4",)),
        ("S9 only has to wait for the archive", "S9", ("S8",)),
        ("Don't start S4 before S6 is finished", "S4", ("S3", "S6")),
        ("I want the training done before the interface is built", "S4", ("S3", "S6")),
    ],
)
def test_needs_are_loosened_and_tightened(message, name, needs):
    assert item_of(said(message)[0], name).needs == needs


def test_what_nothing_waits_for_any_more_is_told():
    _, (request,) = said("S9 only needs S4")
    assert "nothing waits for S6, S7 and S8 any more" in request.answer


def test_two_steps_change_places_only_where_one_waits_for_the_other():
    after, _ = said("swap S1 and S2")
    assert (item_of(after, "S1").needs, item_of(after, "S2").needs) == (("S2",), ())
    after, (request,) = said("swap 4 and 6")
    assert after == PLAN
    assert request.answer.startswith("Neither of S4")


def test_time_is_left_between_two_steps():
    step = item_of(said("leave two weeks between S4 and S6")[0], "S6")
    assert step.lags == (Lag("S4", 14.0, True),)


@pytest.mark.parametrize(
    ("message", "name", "text"),
    [
        ("no French invoices: German only", "B3", "German and French invoices"),
        ("there is no interface to the shop to build", "S4", "Build the interface to the shop"),
    ],
)
def test_what_is_one_thing_is_not_taken_apart(message, name, text):
    item = item_of(said(message)[0], name)
    assert (getattr(item, "title", "") or item.text) == text


def test_a_question_about_what_is_not_there_is_settled():
    after, (request,) = said("wrong: there is no SEPA")
    assert item_of(after, "Q2") is None or request.outcome == "asked"


def test_a_constraint_becomes_a_wish():
    plan = applied(PLAN, [SetField("K1", "text", "Without downtime"), SetField("K1", "day", None)])
    after, (request,) = said("No downtime is nice to have, not a must", plan)
    assert item_of(after, "K1") is None
    assert [(item.text, item.priority) for item in _new(after, Bullet)] == [("Without downtime", "could")]
    assert request.outcome == "done"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("What we can't live with is a lost invoice", "Never: a lost invoice"),
        ("never switch over on a Friday", "Never switch over on a Friday"),
        ("nobody may see the old data", "Nobody may see the old data"),
    ],
)
def test_a_rule_is_a_constraint(message, text):
    assert [(item.text, item.limits) for item in _new(said(message)[0], Constraint)] == [(text, "exclusion")]


def test_limits_for_several_things_are_each_noted():
    after, _ = said("licences max 3,000, training 1.500 EUR, travel not more than 2k")
    assert [int(item.amount.amount) for item in _new(after, Constraint)] == [3000, 1500, 2000]
    assert item_of(after, "K2") == item_of(PLAN, "K2")


def test_a_criterion_has_its_target():
    (new,) = _new(said("add to the criteria: not more than 5 complaints in the first month")[0], Criterion)
    assert (new.measure, new.target) == ("Complaints in the first month", "at most 5")


def test_how_a_step_is_known_to_be_done_is_its_check_and_not_its_status():
    step = item_of(said("S2: Eva, 6 days, done when both have signed")[0], "S2")
    assert (step.owner, step.effort.likely, step.check, step.status) == ("Eva", 6, "Both have signed", "todo")


def test_sign_and_response_belong_to_the_risk_just_named():
    (risk,) = _new(said("Add a risk: it floods. Sign = rain for three days, then we move upstairs.")[0], Risk)
    assert (risk.sign, risk.response) == ("Rain for three days", "We move upstairs")


@pytest.mark.parametrize(
    ("message", "name", "away"),
    [
        ("Tom's in Canada 3–14 May, can't do a thing then", "Tom", ("2027-05-03", "2027-05-14")),
        ("Anna and Tom are away on 7 May", "Anna", ("2027-05-07", "2027-05-07")),
    ],
)
def test_who_is_elsewhere_is_away(message, name, away):
    (person,) = [one for one in said(message)[0].people if one.text == name]
    assert person.away == (Days(*away),)


def test_a_pronoun_is_the_person_named_before():
    after, _ = said("I spoke to Eva. She'll do the archive.")
    assert item_of(after, "S8").owner == "Eva"


def test_who_has_to_do_what_was_missing_is_read_with_it():
    after, _ = said(
        "You forgot support. Eva has to tell them what to say, two days, and that has to be ready before S7"
    )
    step = item_of(after, "S10")
    assert (step.owner, step.effort.likely) == ("Eva", 2)
    assert step.title == "Support: tell them what to say"
    assert "S10" in item_of(after, "S7").needs


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("why does S4 have to wait for S3?", "S4 needs S3"),
        ("what if the migration takes 3 weeks?", "If so: S5"),
        ("if we dropped S7, would that help?", "If so: S7 is dropped"),
        ("S7 before S5? makes no sense", "Did you mean: S7 comes before S5 now? (yes / no)"),
        ("come up with something more fun than an archive", "invents nothing"),
        ("S4 must be through by 31 March, sales promised it", "But S4 ends on 2027-04-07, after that"),
        ("add someone from finance to S4", "where"),
        ("I'd like S4 done and a party", "S4"),
        ("Legal needs 10 days for the interface", "or a step of its own?"),
    ],
)
def test_what_is_said_back(message, answer):
    _, requests = said(message)
    assert any(answer in request.answer for request in requests), requests


@pytest.mark.parametrize(
    "message",
    [
        "S7 before S5? makes no sense",
        "come up with something more fun than an archive",
        "add someone from finance to S4",
        "Legal needs 10 days for the interface",
        "you're assuming the new provider supports SEPA - it doesn't",
        "idk, cant sign a contract we havent got",
        "we want to be done with planning two weeks before",
        "cap it at 20",
        "honestly this plan sucks",
    ],
)
def test_nothing_is_changed_by_what_is_not_certain(message):
    assert said(message)[0] == PLAN
