"""What would record something else than was meant is refused, and the sentence says what to type."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace
from tests.commands.plans import PLAN, STEPS, TODAY, parsed, step
from workbench.domain.commands import Unread, parse
from workbench.domain.plan.changing.history import change_texts
from workbench.domain.plan.plan import Days, Decision, Plan, Rule, Section
from workbench.domain.plan.scheduling.rescheduling import rescheduled
from workbench.domain.plan.telling.schedule_told import with_computed_dates

REFUSED = [
    ("remove @Anna", "Anna owns D1: `D1 owner none`"),
    ("remove @Kim", "has nothing else of Kim"),
    ("move @Kim first", "has nothing else of Kim"),
    ("@Ben away 12 Feb - 8 Feb", "end before they begin"),
    ("@Ben away 5-1 Feb", "end before they begin"),
    ("@Ben away 19-8 Feb", "end before they begin"),
    ("@Ben away W08-W06", "end before they begin"),
    ("days off 10-2 March", "end before they begin"),
    ("@Ben hours 8/week from 28 Feb to 1 Feb", "end before they begin"),
    ("repeat S3 every Mon from 2027-05-01 until 2027-04-01", "end before they begin"),
    ("@Annna away 3 May", "do you mean Anna?"),
    ("S3 owner Annna", "do you mean Anna?"),
    ('@Ben name "Anna"', "two people would become one"),
    ("S2 10 minutes late", "less than a day moves none"),
    ("S3 priority urgent", "low, high"),
    ('add risk "Rain" likelihood huge', "low, medium, high"),
    ('merge S6 "Alone"', "Name two steps"),
]


@pytest.mark.parametrize(("said", "why"), REFUSED, ids=[said for said, _ in REFUSED])
def test_it_is_refused(said, why):
    found = parse(said, PLAN, TODAY)
    assert isinstance(found, Unread), found.operations
    assert why in found.why


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("24 Dec - 6 Jan", ("2026-12-24", "2027-01-06")),
        ("30 Jan-2 Feb 2027", ("2027-01-30", "2027-02-02")),
        ("8.2.-12.2.", ("2027-02-08", "2027-02-12")),
        ("3 Jan - 22 Dec", ("2027-01-03", "2027-12-22")),
        ("2027-02-08..2027-02-12", ("2027-02-08", "2027-02-12")),
        ("W06-W08", ("2027-02-08", "2027-02-28")),
        ("KW 6 bis KW 8", ("2027-02-08", "2027-02-28")),
    ],
)
def test_days_in_order_are_read(said, days):
    assert parsed(f"@Ben away {said}").plan.people[0].away == (Days(*days),)


def test_a_new_name_that_resembles_another_stands_in_quotes():
    assert step('S3 @"Annna"').owner == "Annna"


def test_who_is_taken_out_and_still_owns_something_is_told():
    assert parsed("remove @Ben").notes == ("Ben Lang goes on to own S2: `S2 owner …` changes it.",)


def test_a_choice_stands_once_in_the_text_whatever_is_said_again():
    [decision] = [
        one for one in parsed("D1 choose B; D1 clear choice; D1 choose B").plan.items if isinstance(one, Decision)
    ]
    assert (decision.text, decision.choice) == ("Which hall? School", "School")


def test_a_wait_for_somebody_ends():
    assert step('S3 note "red"; S3 waiting "ink"').status == "waiting"
    assert step('S3 note "red"; S3 waiting "ink"; S3 clear waiting').notes == "red"
    assert step('S3 waiting "ink"; S3 clear waiting').status == "todo"


def test_a_status_by_the_name_of_its_field_is_what_its_command_says():
    assert parsed("S3 status done").plan == parsed("S3 done").plan
    assert parsed("S3 set status under-way").plan == parsed("S3 under way").plan


def test_what_comes_again_does_not_begin_before_its_step():
    later = replace(STEPS[2], start="2026-12-16", end="2026-12-16")
    plan = Plan(title="One", sections=(Section(id="steps", title="Steps", items=(later,)),))
    assert step("repeat S3 every Mon", plan=plan).repeat == Rule("week", "2026-12-21", weekdays=(1,))
    assert step("repeat S3 every 3 days", plan=plan).repeat == Rule("day", "2026-12-16", 3)
    assert step("repeat S3 every Mon from 1 Dec", plan=plan).repeat == Rule("week", "2026-12-01", weekdays=(1,))


@pytest.mark.parametrize(
    ("said", "day"),
    [("Sa 27.3.2027", date(2027, 3, 27)), ("So, 28.3.2027", date(2027, 3, 28)), ("Fr", date(2026, 12, 4))],
)
def test_short_german_weekdays_are_read(said, day):
    assert step(f"S3 by {said}").deadline == day.isoformat()


@pytest.mark.parametrize("said", ["Mo-Do", "Mo bis Do", "Montag bis Donnerstag", "Mon-Thu"])
def test_weekdays_are_read_in_german_too(said):
    assert parsed(f"@Kim weekdays {said}").plan.people[-1].weekdays == (1, 2, 3, 4)


def test_a_title_may_stand_behind_its_fields():
    said = parsed('add @Anna by 2027-02-19 4h "Label the drawers"').plan.steps[-1]
    assert (said.title, said.owner, said.deadline) == ("Label the drawers", "Anna", "2027-02-19")


def test_a_range_of_steps_is_merged():
    assert [one.id for one in parsed('merge S1..S3 "Prepare"').plan.steps][:2] == ["S1", "S4"]


NEW = [
    ("@Kim away 3-14 May", "added P2 “Kim”: away 2027-05-03 – 2027-05-14"),
    ("@Kim hours 8/week", "added P2 “Kim”: hours 8 a week"),
    ("budget 40,000 EUR", "added K1 “The budget”: at most 40000 EUR"),
    ("working days Mon-Thu", "added W1 weekdays: Mon, Tue, Wed, Thu"),
]


@pytest.mark.parametrize(("said", "told"), NEW, ids=[said for said, _ in NEW])
def test_a_new_item_is_told_with_its_values(said, told):
    alone = Plan(title="One", sections=PLAN.sections[:2])
    assert change_texts(parsed(said, alone).operations, alone) == (told.replace("P2", "P1"),)
    assert change_texts(parsed(said).operations, PLAN) == (told,)


@pytest.mark.parametrize(
    "said",
    ["S3 is not done yet.", "S3 40% never printed", "S3 60 % hardly printed", "S3 isn't done", "S3 done tomorrow",
     "S3 is 40% cheaper than 5 others", "S3 takes 5d at least"],
)  # fmt: skip
def test_nothing_is_offered_that_is_not_what_was_said(said):
    found = parse(said, PLAN, TODAY)
    assert isinstance(found, Unread)
    assert found.suggestion == ""


def test_a_share_without_what_is_not_read_is_offered():
    found = parse("S3 is 90% certain", PLAN, TODAY)
    assert isinstance(found, Unread)
    assert found.suggestion == "S3 is 90%"


def test_a_delay_is_counted_from_the_dates_that_the_commands_before_it_give():
    def after(*texts: str) -> Plan:
        plan = with_computed_dates(None, replace(PLAN, sections=PLAN.sections[:2]), TODAY)
        for text in texts:
            plan = rescheduled(plan, parsed(text, plan).plan, today=TODAY).plan
        return plan

    for one, other in (("S1 done 27 Nov", "all late 1w"), ("S2 takes 20d", "S5 late 1w")):
        assert after(f"{one}; {other}") == after(one, other)


def test_a_name_of_two_words_is_offered_in_quotes():
    found = parse("S4 @Lea Voss", PLAN, TODAY)
    assert isinstance(found, Unread)
    assert found.suggestion == 'S4 @"Lea Voss"'


def test_several_people_may_stand_without_a_comma():
    assert parsed("@Kim @Ben away 3 May").plan == parsed("@Kim, @Ben away 3 May").plan
