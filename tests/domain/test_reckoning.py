"""Reckoning: what cannot be or does not fit in a person's facts is found, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.facts.reader import read_facts
from workbench.domain.facts.reckoning import reckon
from workbench.domain.plan.plan import Effort, Step

TODAY = date(2026, 11, 23)


def found(text: str, steps: tuple[Step, ...] = ()) -> set[str]:
    return {finding.rule.removeprefix("reckoning.") for finding in reckon(read_facts(text, TODAY), TODAY, steps=steps)}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Submit the application by 31 February 2027", "date"),
        ("Meet on Monday, 13 May 2027", "date"),
        ("Finish the report by 1 March 2020", "past"),
        ("Paint the house by 1 June 2027; work must not start before 1 July 2027", "order"),
        ("Paint the house with a budget of 5,000 EUR, and spend at most 7,000 EUR", "budgets"),
        ("Budget 2,000 EUR; the hall costs 1,500 EUR and the band costs 900 EUR", "sum"),
        ("Learn Spanish by 1 June 2027 with 2 hours a week; the course takes 200 hours", "hours"),
        ("Build a shop with zero errors by 1 June 2027", "absolute"),
        ("Run it with 100 % availability", "absolute"),
    ],
)
def test_what_cannot_be_is_found(text, rule):
    assert rule in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Move our billing to the new provider by 30 June 2027 without downtime",
        "Budget 2,000 EUR; the hall costs 1,500 EUR",
        "Learn Spanish by 1 June 2027 with 5 hours a week; the course takes 60 hours",
        "Draft by 1 March 2027, final version by 1 May 2027",
        "Never work on Fridays",
        "Win 30 % of the votes in Graz and 80 % in Linz",
        "",
    ],
)
def test_what_may_well_be_is_left_alone(text):
    assert found(text) == set()


def test_hours_are_compared_with_the_steps():
    steps = (Step(id="S1", title="Learn", effort=Effort(20, 30, 40)),)
    assert "hours" in found("Learn Spanish by 1 March 2027 with 2 hours a week", steps)
    assert "hours" not in found("Learn Spanish by 1 March 2027 with 30 hours a week", steps)


@given(st.text(max_size=400))
def test_no_text_stops_it(text):
    assert reckon(read_facts(text, TODAY), TODAY) == reckon(read_facts(text, TODAY), TODAY)
