"""The reader: every word is in a fact, clauses have types, doubts are said, and hostile texts cost little."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.domain.facts.brief import TEXTS, TODAY, clauses
from tests.pace import took
from workbench.domain.facts.reader import read_facts

SEPARATORS = "-–—•*·.,;:!?()[]\"'"


@given(TEXTS, st.dates())
@example("a\x85b\u2028c\t\td", date(2027, 3, 10))
@example("in 9999 years", date.max)
@example("three weeks ago", date.min)
@example("until January", date.min)
@example("after today", date.max)
def test_every_word_of_a_text_is_in_some_fact(text, today):
    facts = read_facts(text, today)

    covered = {place for fact in facts for place in range(fact.start, fact.end)}
    assert all(set(range(*match.span())) <= covered for match in re.finditer(r"\w+", text))
    stretches = (match for match in re.finditer(r"\S+", text) if match[0].strip(SEPARATORS))
    assert all(covered.intersection(range(*match.span())) for match in stretches)


@given(TEXTS)
def test_facts_stand_in_the_order_of_the_text_and_quote_it(text):
    facts = read_facts(text, TODAY)

    assert [fact.start for fact in facts] == sorted(fact.start for fact in facts)
    assert all(fact.text == text[fact.start : fact.end] and fact.text.strip() for fact in facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paint the fence by 3 May", [("deliverable", "Paint the fence")]),
        ("We need a bigger shed", [("deliverable", "We need a bigger shed")]),
        ("The invoice has to be paid", [("deliverable", "The invoice has to be paid")]),
        ("I'd like to sing and buy a boat", [("deliverable", "I'd like to sing"), ("deliverable", "and buy a boat")]),
        ("Renovate the bath without noise", [("deliverable", "Renovate the bath"), ("exclusion", "without noise")]),
        ("Don't touch the old piano", [("exclusion", "Don't touch the old piano")]),
        ("Nobody may work at night", [("exclusion", "Nobody may work at night")]),
        ("Book a tent, but only if it rains", [("deliverable", "Book a tent"), ("condition", "but only if it rains")]),
        ("Legal must sign off the text", [("condition", "Legal must sign off the text")]),
        ("The permit is not valid before 1 June", [("condition", "The permit is not valid before 1 June")]),
        ("The site should be fast and accessible", [("quality", "The site should be fast and accessible")]),
        ("pages must load in under 2 s", [("quality", "pages must load in under 2 s")]),
        ("The hall is closed on Mondays", [("condition", "The hall is closed on Mondays")]),
        ("- book a band\n- bake a cake", [("deliverable", "book a band"), ("deliverable", "bake a cake")]),
        ("Sow carrots. Then water them!", [("deliverable", "Sow carrots"), ("deliverable", "Then water them")]),
        ("Meet approx. 20 people", [("deliverable", "Meet approx. 20 people")]),
    ],
)  # fmt: skip
def test_clauses_are_typed(text, expected):
    assert clauses(text) == expected


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("hjkl", ["hjkl"]),
        ("zxcv qwer tyui", ["zxcv qwer tyui"]),
        ("Wir feiern den Geburtstag meiner Mutter bis 12. Juni", ["Wir feiern den Geburtstag meiner Mutter"]),
        ("Préparer la fête pour ma fille", ["Préparer la fête pour ma fille"]),
        ("Организовать свадьбу", ["Организовать свадьбу"]),
        ("Bake a cake. wvut", ["wvut"]),
        ("!?!", ["!?!"]),
        ("🎉", ["🎉"]),
    ],
)
def test_what_no_rule_understands_is_unread(text, unread):
    assert [words for kind, words in clauses(text) if kind == "unread"] == unread


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("on Tuesday 2 June 2027", "2 June 2027 is a Wednesday"),
        ("by 31 November", "there is no 31 November"),
        ("by 29 February 2027", "there is no 29 February 2027"),
        ("on 04/07", "4 July 2027, or 7 April 2027?"),
        ("on Wednesday", "17 March 2027, or today, 10 March 2027?"),
        ("next Friday", "19 March 2027, or 12 March 2027?"),
        ("by 1 March", "1 March 2027 is past, so 2028?"),
        ("by 1 March 2020", "1 March 2020 is past"),
        ("until June", "until its first day, or its last?"),
        ("two weeks before the opening", "when is the opening?"),
        ("in several weeks", "how many is several?"),
        ("at most 40k", "which currency?"),
        ("2.500 dollars", "2.500 read as 2,500"),
        ("800 pesos", "which pesos?"),
        ("Travel with Ida", "is Ida a person?"),
    ],
)
def test_what_may_be_meant_otherwise_has_a_doubt(text, doubt):
    assert [fact.doubt for fact in read_facts(text, TODAY) if fact.doubt] == [doubt]


HOSTILE = (
    "1 ", "may ", "a week before ", "30 ", "3 to ", "Anna and ", "3, ", "1.", "the first ", "every monday and ", "$1 ",
    "end of ", "and build ", "in 3 ", "don't before monday ", "twenty ", " ", "\n", "half a ", "from 3 may to ", "(",
    "1/", "5 eur per ", "no later than the the ", "five of ", "week of ", "AB ", "ask Anna to ", ", if ", "-", "½",
)  # fmt: skip


@pytest.mark.cases(2)
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_read_within_a_second(unit):
    text = (unit * 20_000)[:20_000]

    assert took(lambda: read_facts(text, TODAY), within=1, attempts=1) < 1


def test_a_goal_is_read_within_milliseconds():
    goal = (
        "Plan a fair for 300 people in Lisbon on 12-14 October 2027 for under 40,000 EUR. Maria (finance) must sign "
        "off the budget by 3 May, and Tom will book the venue two weeks before the opening on 12 October. No plastic, "
        "without ads; the website has to be fast. Tickets at 150 EUR, 20 % less before 1 August. We have 6 hours a "
        "week, only on Saturday mornings, and Anna is away 3-14 May."
    )

    assert took(lambda: read_facts(goal, TODAY), within=0.005) < 0.005


@pytest.mark.parametrize(
    ("text", "words", "day"),
    [
        ("We've said end of January, realistically the 30th", "the 30th", "2027-01-30"),
        ("They send it by 7 December. The drawing when he's back on the 14th.", "on the 14th", "2026-12-14"),
        ("Findings in January, send that to Dr Probert on the 15th", "on the 15th", "2027-01-15"),
        ("the last ones back on Tuesday 9 February", "on Tuesday 9 February", "2027-02-09"),
        ("the drill is on 17 February; send the folder by the 26th", "by the 26th", "2027-02-26"),
    ],
)
def test_a_day_without_a_month_is_in_the_month_that_was_named(text, words, day):
    facts = read_facts(text, date(2026, 11, 26))
    assert next(one for one in facts if one.text == words).value.first == day


def test_a_day_without_a_month_is_the_one_that_was_named_elsewhere():
    open_on = date(2027, 3, 13)
    [fact] = [one for one in read_facts("Open on the 13th", date(2026, 11, 26), [open_on]) if one.type == "date"]
    assert (fact.value.first, fact.doubt) == ("2027-03-13", "")


def test_the_numbers_of_a_list_of_numbers_say_nothing():
    facts = read_facts("1. 20 chairs\n2. 30 tables\n3. 12:30 lunch", date(2026, 11, 26))
    assert {fact.text for fact in facts}.isdisjoint({"1", "2", "3"})
    assert {fact.value.number for fact in facts if fact.type == "amount"} == {20, 30}


def test_the_numbers_of_a_list_say_nothing():
    facts = read_facts("1. get the log; 2. book the inspector; 3. plan ground floor places", date(2026, 11, 26))
    assert not [one.text for one in facts if one.text.strip().isdigit()]


@pytest.mark.parametrize(
    "text", ["It is done by 30 June, I am away on the 10th", "By the end of June. I am away on the 10th."]
)
def test_a_day_before_a_last_one_is_never_one_that_is_past(text):
    facts = read_facts(text, date(2026, 6, 20))
    assert next(one for one in facts if "10th" in one.text and one.type == "date").value.first == "2026-07-10"
