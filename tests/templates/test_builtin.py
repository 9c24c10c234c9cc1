"""The built-in templates: each can be read, has steps that differ, and makes a plan that holds."""

from __future__ import annotations

from datetime import date

import pytest
from workbench.domain.loop.begin import Begin
from workbench.domain.plan.checks import check_plan
from workbench.templates.catalogue import Catalogue, built_in, built_in_names
from workbench.templates.composition import first_plan
from workbench.templates.ranking import ranked
from workbench.templates.template import read_template, split_choice, to_toml

TODAY = date(2027, 1, 11)
CHOICES = [choice for name in built_in_names() for choice in built_in(name).choices]


def test_there_are_twenty_nine_under_names_of_lower_case_words():
    assert len(built_in_names()) == 29
    assert all(name.replace("-", "").isalpha() and name.islower() for name in built_in_names())


@pytest.mark.parametrize("name", built_in_names())
def test_it_is_whole_and_reads_back_the_same(name):
    template = built_in(name)
    used = {key for choice in template.choices for key in template.way(split_choice(choice)[1])}
    assert used == set(template.steps), "no step is left over"
    assert len({step.title for step in template.steps.values()}) == len(template.steps)
    assert all(step.outcome and step.check for step in template.steps.values())
    assert template.fits
    assert template.day
    assert template.questions
    assert read_template(to_toml(template), name) == template


@pytest.mark.cases(20)
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("day", ["", "30 June 2029", "30 April 2027"])
def test_every_variant_makes_a_scheduled_plan_without_a_major_finding(choice, day):
    name, variant = split_choice(choice)
    begin = Begin(template=choice, commands=(f"deadline {day}",) if day else ())
    plan = first_plan(begin, built_in(name), "Something", TODAY)
    assert 5 <= len(built_in(name).way(variant)) <= 10
    assert all(step.start and step.end for step in plan.steps)
    if day != "30 April 2027":
        assert not [one.text for one in check_plan(plan, today=TODAY) if one.severity == "major"]


GOALS = {
    "Move our billing to the new provider by 30 June": "move-system",
    "Organise a conference for 200 developers in Leipzig": "event",
    "Open a small café in our street": "open-business",
    "Find a new flat and move there with two children": "move-home",
    "Our wedding in the garden of my parents": "celebration",
    "Hire two nurses for the day clinic": "hire",
    "Learn enough Spanish for a year in Chile": "study",
    "Write my dissertation about river fish": "write",
    "Renovate the bathroom": "renovate",
    "Two weeks by train through Italy": "trip",
    "Get ISO 27001 certification": "comply",
    "Digitise 4,000 slides of my grandfather": "batch",
    "Run the Berlin marathon": "fitness",
    "Raise 20,000 euros for a new playground": "fundraise",
}


@pytest.mark.parametrize(("goal", "name"), GOALS.items())
def test_the_right_template_is_among_the_first_three(goal, name):
    order = [one.name for one in ranked(goal, Catalogue())]
    assert name in order[:3]
    assert order == [one.name for one in ranked(goal, Catalogue())]
    assert sorted(order) == sorted(built_in_names())
