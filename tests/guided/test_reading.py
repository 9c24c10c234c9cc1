"""Dates, amounts, constraints and objectives as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guided.plans import DAY
from workbench.domain.loop.tasks import Answered
from workbench.guided.amounts import find_amounts
from workbench.guided.dates import find_dates
from workbench.guided.reading import read_brief
from workbench.guided.wording import counted, filled, heading, listed, lower_first, read_objective


@pytest.mark.parametrize(
    ("text", "day", "role"),
    [
        ("by 2027-06-30", "2027-06-30", "deadline"),
        ("by 30 June", "2027-06-30", "deadline"),
        ("by the 3rd of December", "2026-12-03", "deadline"),
        ("until June 30, 2028", "2028-06-30", "deadline"),
        ("no later than 1 Nov 2027", "2027-11-01", "deadline"),
        ("on 24.12.2026", "2026-12-24", "deadline"),
        ("on 24.12.", "2026-12-24", "deadline"),
        ("by 06/30/2027", "2027-06-30", "deadline"),
        ("by 30/06/27", "2027-06-30", "deadline"),
        ("by the end of Q3", "2027-09-30", "deadline"),
        ("by Q1 2028", "2028-03-31", "deadline"),
        ("in the second quarter of 2027", "2027-06-30", "deadline"),
        ("in H1 2027", "2027-06-30", "deadline"),
        ("by mid-April", "2027-04-15", "deadline"),
        ("by early June", "2027-06-10", "deadline"),
        ("by the end of the year", "2026-12-31", "deadline"),
        ("by year end", "2026-12-31", "deadline"),
        ("by the end of next month", "2026-12-31", "deadline"),
        ("next week", "2026-12-04", "mention"),
        ("by Friday", "2026-11-27", "deadline"),
        ("by next Friday", "2026-12-04", "deadline"),
        ("in 6 weeks", "2027-01-04", "deadline"),
        ("within 90 days", "2027-02-21", "deadline"),
        ("in three months", "2027-02-23", "deadline"),
        ("two weeks from now", "2026-12-07", "deadline"),
        ("over the next two quarters", "2027-05-23", "deadline"),
        ("by tomorrow", "2026-11-24", "deadline"),
        ("by Easter", "2027-03-28", "deadline"),
        ("by Thanksgiving", "2026-11-26", "deadline"),
        ("by Black Friday 2027", "2027-11-26", "deadline"),
        ("this summer", "2027-08-31", "mention"),
        ("by 2029", "2029-12-31", "deadline"),
        ("starting on 1 March", "2027-03-01", "start"),
        ("must not start before 1 March", "2027-03-01", "start"),
        ("bis zum 30. Juni", "2027-06-30", "deadline"),
        ("bis Ende März", "2027-03-31", "deadline"),
        ("d'ici 3 mois", "2027-02-23", "deadline"),
        ("para el 30 de junio de 2027", "2027-06-30", "deadline"),
        ("by 29 February", "2028-02-29", "deadline"),
    ],
)
def test_dates_are_resolved_against_today(text, day, role):
    moments = find_dates(text, DAY)

    assert [(moment.day.isoformat(), moment.role) for moment in moments] == [(day, role)]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("before Christmas", "2026-12-24"),
        ("before June", "2027-05-31"),
        ("before summer 2027", "2027-05-31"),
        ("avant le 15 juin", "2027-06-14"),
    ],
)
def test_before_a_day_means_the_day_before_at_the_latest(text, limit):
    assert find_dates(text, DAY)[0].limit == date.fromisoformat(limit)


@pytest.mark.parametrize(
    "text",
    [
        "We may do it",
        "march on",
        "Monday to Friday",
        "31 February",
        "9999-99-99",
        "in 30 minutes",
        "2000 guests",
        "1.5",
    ],
)
def test_what_is_no_date_is_not_taken_for_one(text):
    assert [moment for moment in find_dates(text, DAY) if moment.exact] == []


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("for 40,000 euros", [("40,000 euros", "money")]),
        ("€40k or $1.5 million", [("€40k", "money"), ("$1.5 million", "money")]),
        ("CHF 12'000.50", [("CHF 12'000.50", "money")]),
        ("2 Mio. Euro", [("2 Mio. Euro", "money")]),
        ("700 euros per unit", [("700 euros per unit", "money")]),
        ("3 % and 12.5 percent", [("3 %", "share"), ("12.5 percent", "share")]),
        ("two weeks of overlap", [("two weeks of overlap", "duration")]),
        ("120 guests, 10 kWp", [("120 guests", "count"), ("10 kWp", "count")]),
        ("three senior engineers", [("three senior engineers", "count")]),
        ("42", [("42", "number")]),
    ],
)
def test_amounts_keep_the_words_they_were_written_in(text, amounts):
    assert [(amount.text, amount.kind) for amount in find_amounts(text)] == amounts


@pytest.mark.parametrize(
    ("goal", "constraints"),
    [
        (
            "Move billing by 30 June without downtime, data loss or double charges",
            ("by 30 June (2027-06-30)", "without downtime, data loss or double charges"),
        ),
        ("We must move billing by 30 June", ("by 30 June (2027-06-30)",)),
        (
            "Paint the house. Neighbours must not be woken before 8 am, and we cannot use ladders.",
            ("Neighbours must not be woken before 8 am", "we cannot use ladders"),
        ),
        ("Build it while keeping the team under 5 people", ("while keeping the team under 5 people",)),
        ("Keep bees in my garden", ()),
        ("Raise 500,000 euros", ()),
        ("Buy a van for 20,000 euros", ("20,000 euros",)),
        ("Ohne Ausfall umziehen, höchstens 500 Euro", ("höchstens 500 Euro",)),
    ],
)
def test_constraints_stay_in_the_persons_words(goal, constraints):
    assert read_brief(goal, DAY).constraints == constraints


def test_answers_add_what_the_goal_left_out():
    answers = (
        Answered(
            question="When must it be finished, and what happens if it is later?", answer="30 June, the contract ends"
        ),
        Answered(question="What may it cost, in money and in people's time?", answer="40k EUR"),
        Answered(question="Who decides when opinions differ?", answer="Anna"),
        Answered(question="How would you tell that it was a success?", answer="Nobody calls support"),
        Answered(question="How many people can work on it?", answer="Two, at most 10 hours a week"),
        Answered(question="Which interfaces are there?", answer=""),
    )

    brief = read_brief("Move our billing", DAY, answers=answers)

    assert brief.deadline == date(2027, 6, 30)
    assert (brief.budget, brief.decider, brief.success) == ("40k EUR", "Anna", "Nobody calls support")
    assert brief.constraints == ("by 30 June (2027-06-30)", "Budget: 40k EUR", "at most 10 hours a week")
    assert len(brief.facts) == 5


def test_a_resolved_date_in_a_given_constraint_wins_over_today():
    brief = read_brief("Finish in 6 weeks", date(2027, 1, 1), constraints=("in 6 weeks (2027-01-04)",))

    assert brief.deadline == date(2027, 1, 4)
    assert brief.constraints == ("in 6 weeks (2027-01-04)",)


def test_the_last_deadline_counts_and_earlier_ones_are_milestones():
    brief = read_brief("Write it by 1 May 2027; draft to Ben by 15 March 2027", DAY)

    assert brief.deadline == date(2027, 5, 1)
    assert "draft to Ben by 15 March 2027 (2027-03-15)" in brief.constraints


def test_a_deadline_that_has_passed_is_not_one():
    brief = read_brief("Move billing by 30 June 2020", DAY)

    assert brief.deadline is None
    assert [moment.day for moment in brief.past] == [date(2020, 6, 30)]


@pytest.mark.parametrize(
    ("goal", "verb", "thing", "target"),
    [
        ("We want to move our billing to the new provider", "move", "our billing", "the new provider"),
        ("Please help me plan a wedding for 80 guests", "", "the wedding", ""),
        ("Organising a wedding", "organise", "the wedding", ""),
        ("Migrate the CRM to HubSpot", "migrate", "the CRM", "HubSpot"),
        ("Teach myself piano", "teach", "", ""),
        ("Become certified", "become", "", ""),
        ("写一本书", "", "", ""),
        ("Wedding", "", "the wedding", ""),
    ],
)
def test_the_objective_is_taken_out_of_the_goal_only_where_it_is_plain(goal, verb, thing, target):
    objective = read_objective(goal, len(goal))

    assert (objective.verb, objective.thing, objective.target) == (verb, thing, target)


def test_words_fit_into_sentences():
    assert filled("A {unit} of {thing}. {thing} works", {"unit": "invoice", "thing": "our billing"}) == (
        "An invoice of our billing. Our billing works"
    )
    assert heading("  move it, ") == "Move it"
    assert lower_first("ISO 27001 applies") == "ISO 27001 applies"
    assert lower_first("Only remote") == "only remote"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert (counted(1, "day"), counted(2, "day")) == ("1 day", "2 days")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    brief = read_brief(text, DAY)

    assert brief.objective.title
    assert all(constraint.strip() for constraint in brief.constraints)
    assert len(set(brief.constraints)) == len(brief.constraints)
