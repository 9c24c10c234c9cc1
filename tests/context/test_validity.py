"""Calls and their results, as both providers want them; what is not so is repaired, said, and never passed on."""

import pytest
from hypothesis import given, settings
from tests.context.conversations import calling, conversations, numbered, reasoning, reply, result, user, wrecks
from tests.context.providers import refusals
from workbench.context.entry import Entry
from workbench.context.groups import flat, grouped
from workbench.context.validity import NO_BEGINNING, NO_RESULT, SAYS_NOTHING, repair, validate

HELLO = user("Hello")
REFUSED = {
    "a call without its result": [HELLO, calling("c1"), user("Well?")],
    "a call without one of its results": [HELLO, calling("c1", "c2"), result("c2")],
    "a result without its call": [HELLO, result("c1"), reply("So.")],
    "a result behind a message": [HELLO, calling("c1"), user("Hurry."), result("c1")],
    "two results of one call": [HELLO, calling("c1"), result("c1"), result("c1", "Again.")],
    "an id used twice": [HELLO, calling("c1"), result("c1"), calling("c1"), result("c1")],
    "an id used twice in one reply": [HELLO, calling("c1", "c1"), result("c1"), result("c1", "2")],
    "a reply first": [reply("Hello"), user("Hello")],
    "a blank message": [user(" \n"), reply("What?")],
    "calls of two replies, then their results": [HELLO, calling("a"), calling("b"), result("a"), result("b")],
    "reasoning without its call": [HELLO, reasoning("c1"), reply("Hm.")],
}


@pytest.mark.parametrize("said", REFUSED.values(), ids=REFUSED)
def test_what_a_provider_refuses_is_seen_and_repaired(said):
    entries = numbered(*said)
    assert validate(entries)
    if not any(one.leads_to for one in entries):  # how reasoning is bound is our own affair
        assert refusals(entries)
    repaired = repair(entries)
    assert validate(repaired.entries) == ()
    assert refusals(repaired.entries) == []
    assert repaired.receipt is not None
    assert repaired.receipt.note
    assert repaired.receipt.hash_before != repaired.receipt.hash_after


@settings(max_examples=150, deadline=None)
@given(wrecks())
def test_our_rules_are_the_providers_rules(entries):
    """Apart from reasoning, whose place only we know."""
    ours = [violation for violation in validate(entries) if "leads to" not in violation.message]
    stays = [one for one in entries if not one.leads_to]
    assert bool(validate(stays)) == bool(refusals(stays))
    assert bool(ours) >= bool(refusals(stays))


@settings(max_examples=150, deadline=None)
@given(wrecks())
def test_whatever_came_about_can_be_sent_after_repair(entries):
    repaired = repair(entries)
    assert validate(repaired.entries) == ()
    assert refusals(repaired.entries) == []
    assert repair(repaired.entries).receipt is None, "a second repair finds nothing to do"
    said = {one.text for one in entries if one.role == "user" and one.text.strip()}
    assert said <= {one.text for one in repaired.entries}, "what a person said is never lost"


@given(conversations())
def test_a_valid_conversation_is_not_touched(entries):
    valid = flat(grouped(entries))
    repaired = repair(valid)
    assert repaired.entries == valid
    assert repaired.receipt is None


def test_a_call_without_a_result_is_answered_with_a_note():
    repaired = repair(numbered(HELLO, calling("c1"), user("Well?")))
    assert [one.text for one in repaired.entries] == ["Hello", "", NO_RESULT, "Well?"]
    assert repaired.entries[2].answers == "c1"
    assert repaired.receipt.note == "1 added for what is missing"


def test_a_result_without_its_call_is_left_out_and_named():
    repaired = repair(numbered(HELLO, result("c1", "42")))
    assert [one.text for one in repaired.entries] == ["Hello"]
    assert repaired.receipt.ids == ("s-1:2",)


def test_calls_that_wait_for_their_results_may_stay_open_at_the_end():
    waiting = numbered(HELLO, calling("c1", "c2"), result("c2"))
    assert validate(waiting, awaiting=True) == ()
    assert repair(waiting, awaiting=True).entries == waiting
    assert validate(waiting) != ()


def test_calls_in_the_middle_do_not_wait():
    repaired = repair(numbered(HELLO, calling("c1"), user("Well?"), calling("c2")), awaiting=True)
    assert [one.answers for one in repaired.entries] == ["", "", "c1", "", ""]


def test_notes_say_what_is_missing():
    repaired = repair(numbered(reply("Hello"), user("  ")))
    assert [one.text for one in repaired.entries] == [NO_BEGINNING, "Hello", SAYS_NOTHING]


@pytest.mark.parametrize(
    "wrong",
    [
        {"role": "user", "makes": ("c1",)},
        {"role": "user", "leads_to": "c1"},
        {"role": "assistant", "makes": ("c1",), "leads_to": "c2"},
        {"role": "tool"},
        {"role": "user", "answers": "c1"},
        {"role": "summary"},
        {"role": "user", "covers": ("s-1:1",)},
    ],
    ids=str,
)
def test_an_entry_that_no_conversation_has_cannot_be_made(wrong):
    with pytest.raises(ValueError, match="entry x"):
        Entry(id="x", session="s-1", seq=1, time="", text="x", tokens=1, **wrong)
