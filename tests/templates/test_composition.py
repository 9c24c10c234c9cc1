"""The first plan holds what was picked and typed, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest
from workbench.domain.errors import UsageError
from workbench.domain.loop.begin import Begin
from workbench.domain.plan.plan import Effort, Plan, Step
from workbench.templates.catalogue import built_in
from workbench.templates.composition import extra_item_lines, first_plan

TODAY = date(2027, 1, 11)
GOAL = "Move our billing to the new provider\nwithout downtime"


def moved(keep: tuple[int, ...] = (), outline: str = "", commands: tuple[str, ...] = ()) -> Plan:
    begin = Begin(template="move-system:cohorts", keep=keep, outline=outline, commands=commands)
    return first_plan(begin, built_in("move-system"), GOAL, TODAY)


def test_only_kept_steps_are_in_it_and_needs_are_inherited():
    plan = moved((1, 6, 9))
    assert [(step.id, step.title[:20], step.needs) for step in plan.steps] == [
        ("S1", "List everything that", ()),
        ("S2", "Move a small group t", ("S1",)),
        ("S3", "Archive the old syst", ("S2",)),
    ]
    assert plan.section("risks") is plan.section("questions") is plan.section("criteria") is None
    assert {item.origin.source for item in plan.items} == {"move-system:cohorts"}


def test_what_a_template_has_besides_steps_is_kept_by_its_number():
    plan = moved((1, 2, 11, 13, 15))
    items = [(item.id, item.origin.source) for item in plan.items if not isinstance(item, Step)]
    assert items == [(name, "move-system:cohorts") for name in ("C1", "R1", "Q1")]
    assert plan.section("questions").items[0].text == "Who decides when the old system is switched off?"
    told = extra_item_lines(built_in("move-system"))
    assert told[0].startswith("Risk: Old records do not fit the new system's rules. Clean them")
    assert told[-1].startswith("It has worked by: cases of the first full cycle")


OWN = "Plane 2d\nOil 3d\nSail on 12 June"


def days(*commands: str, outline: str = OWN) -> list[str]:
    return [step.start for step in first_plan(Begin(outline=outline, commands=commands), None, GOAL, TODAY).steps]


def test_the_day_it_is_for_dates_own_steps_back_and_a_deadline_does_not():
    assert days("goal day 12 June") == ["2027-06-07", "2027-06-09", "2027-06-12"]
    assert days("deadline 12 June") == ["2027-01-11", "2027-01-13", "2027-06-12"]


def test_own_steps_follow_the_templates_and_are_the_persons():
    plan = moved((1,), "Tell Anna 2d @Anna needs S1\n  Call her\nBuy cake by 3 May\nSleep")
    own = plan.steps[1:]
    assert [(step.title, step.parent, step.needs) for step in own] == [
        ("Tell Anna", "", ("S1",)),
        ("Call her", "S2", ()),
        ("Buy cake", "", ("S2",)),
        ("Sleep", "", ("S4",)),
    ]
    assert {step.origin.kind for step in own} == {"person"}
    assert own[2].effort == Effort(1, 1, 1)
    assert all(step.start for step in plan.steps)
    (told,) = plan.section("assumptions").items
    assert told.text == "At the first draft, S3, S4 and S5 were given one day each: nothing was said."


def test_the_day_gives_distances_their_dates_and_answers_its_question():
    event = built_in("event")
    question = len(event.way("partner")) + len(event.risks) + 1
    keep = tuple(range(1, question + 1))
    open_ = first_plan(Begin(template="event:partner", keep=keep), event, "Fair", TODAY)
    assert [item.text for item in open_.section("questions").items] == ["On which day is it?"]
    begin = Begin(template="event:partner", keep=keep, commands=("goal day 24 June 2028",))
    plan = first_plan(begin, event, "Fair", TODAY)
    assert plan.section("questions") is None
    steps = {step.title.split()[0]: step for step in plan.steps}
    assert steps["Hold"].on == steps["Hold"].start == "2028-06-24"
    assert steps["Fill"].deadline == "2028-06-10"
    assert steps["Fill"].end == "2028-06-09", "planned back from the day"
    assert steps["Clear"].start == "2028-06-26"
    commands = ("goal day 24 June 2028", 'days off 1 May 2028 - 5 May 2028 "Away"', "working days Mon-Thu")
    other = first_plan(Begin(template="event:partner", commands=commands), event, "Fair", TODAY)
    assert {step.title.split()[0]: step for step in other.steps}["Fill"].end == "2028-06-08"


@pytest.mark.parametrize("begin", [Begin(outline="a\n  b\n    c"), Begin(commands=("deadline yesterdayish",))])
def test_what_cannot_be_read_is_named_and_nothing_of_it_is_used(begin):
    with pytest.raises(UsageError, match="cannot be read:\n"):
        first_plan(begin, None, GOAL, TODAY)


BACK = [
    (
        "Paint 5d by 12 Jan\nFlowers 1d needs none\nParty on 18 Mar needs 1, 2",
        ["2027-01-11", "2027-03-17", "2027-03-18"],  # what cannot be in time begins at once, the rest just in time
        "there was too little time for S1.",
    ),
    (
        "Build 60d\nPaint 2d\nFlowers 1d needs none\nParty on 18 Mar needs 1, 3",
        ["2027-01-11", "2027-04-05", "2027-03-17", "2027-03-18"],
        "there was too little time for S1 and S2.",
    ),
    (
        "Build 4d\nPaint 2d\nFlowers 1d needs none\nParty on 18 Mar needs 2, 3",
        ["2027-03-10", "2027-03-16", "2027-03-17", "2027-03-18"],
        "",
    ),
]


@pytest.mark.parametrize(("outline", "starts", "told"), BACK)
def test_what_can_be_dated_back_is_though_something_else_is_too_late(outline, starts, told):
    begin = Begin(outline=outline, commands=("goal day 18 Mar 2027",))
    plan = first_plan(begin, None, "A party", TODAY)
    assert [step.start for step in plan.steps] == starts
    texts = [item.text for item in plan.section("assumptions").items]
    assert any(told in text for text in texts) if told else not any("too little" in text for text in texts)
