"""Lines of one's own steps: a title, what is said behind it, and their order."""

from __future__ import annotations

import pytest
from tests.commands.plans import PLAN, TODAY
from workbench.domain.commands import (
    Parsed,
    StepLine,
    Unread,
    complete,
    echo,
    field_texts,
    parse,
    read_outline,
    read_step_line,
)
from workbench.domain.plan.plan import Effort, Plan, Step

EMPTY = Plan(title="New")
LINES = [
    ("Book the hall 2d @Anna by 3 May", "Book the hall", "2d @Anna by 3 May"),
    ("Print posters on 26 shops", "Print posters on 26 shops", ""),
    ("Party", "Party", ""),
    ("2d", "2d", ""),
    ("- Meet on Monday", "Meet", "on Monday"),
    ("3. Meet, on 26 Mar 13:00", "Meet", "on 26 Mar 13:00"),
    ("Talk to Anna by phone", "Talk to Anna by phone", ""),
    ("Read chapters 3 to 5 3h", "Read chapters 3 to 5", "3h"),
    ("Sell 40 tickets 1-2-4d needs S1 cost 300 EUR", "Sell 40 tickets", "1-2-4d needs S1 cost 300 EUR"),
    ("Book 2d and call", "Book 2d and call", ""),
    ("Call +loud together", "Call", "+loud together"),
    ("Ask about 3 May", "Ask about 3 May", ""),
    ('Say "2d"', 'Say "2d"', ""),
    ("Rake the lawn 2d @Webb £150", "Rake the lawn", "2d @Webb £150"),
    ("Buy larch 8 weeks @Hanne by 10 January, 600 EUR", "Buy larch", "8 weeks @Hanne by 10 January, 600 EUR"),
    ("Mow 2d, @Anna and @Ben.", "Mow", "2d, @Anna and @Ben."),
    ("Let her soak for one week 7d", "Let her soak for one week", "7d"),
    ("Rent a van for 2 days", "Rent a van", "for 2 days"),
    ("Look after 3 children", "Look after 3 children", ""),
    ("Paint after S1", "Paint", "after S1"),
    ("Meet 2d; 3 May", "Meet 2d; 3 May", ""),
]


@pytest.mark.parametrize(("line", "title", "fields"), LINES, ids=[line for line, *_ in LINES])
def test_fields_are_a_suffix_of_complete_fields(line, title, fields):
    found = read_step_line(line, TODAY)
    assert isinstance(found, StepLine)
    assert (found.title, found.fields) == (title, fields)


def steps(text: str, plan: Plan = EMPTY) -> tuple[Parsed, dict[str, Step]]:
    found = read_outline(text, plan, TODAY)
    assert isinstance(found, Parsed), str(found)
    return found, {step.title: step for step in found.plan.steps if step not in plan.steps}


def test_steps_follow_each_other_unless_they_say_otherwise():
    _, by = steps("Find 2d\nBook\nPrint together\nParty on 18 Apr needs S1")
    assert [(one.id, one.needs) for one in by.values()] == [
        ("S1", ()),
        ("S2", ("S1",)),
        ("S3", ("S1",)),
        ("S4", ("S1",)),
    ]


def test_an_effort_that_nobody_said_is_one_day_and_marked():
    found, by = steps("Find 2d\nBook\nWait wait 2w")
    assert (by["Find"].effort, by["Book"].effort, by["Wait"].effort) == (Effort(2, 2, 2), Effort(1, 1, 1), None)
    assert found.assumed == ("S2",)


def test_what_is_indented_once_is_a_part():
    found, by = steps("Find\n  Call 2d\n  Visit\nBook")
    assert (by["Call"].parent, by["Visit"].parent, by["Book"].parent) == ("S1", "S1", "")
    assert (by["Call"].needs, by["Visit"].needs, by["Book"].needs) == ((), ("S2",), ("S1",))
    assert by["Find"].effort is None
    assert found.assumed == ("S3", "S4")


def test_what_is_indented_deeper_is_refused_with_its_line():
    found = read_outline("Find\n  Call\n    Ask", PLAN, TODAY)
    assert isinstance(found, Unread)
    assert str(found).splitlines()[0] == "    Ask"
    assert "indent a line once at most" in found.why


def test_steps_stand_behind_those_of_the_plan():
    found, by = steps("Clean\nGo home", PLAN)
    assert [(one.id, one.needs) for one in by.values()] == [("S10", ()), ("S11", ("S10",))]
    assert [item.id for item in found.plan.steps][-2:] == ["S10", "S11"]


def test_one_wrong_line_stops_all():
    found = read_outline("Find\nBook needs S77", PLAN, TODAY)
    assert isinstance(found, Unread)
    assert (found.why.split(":")[0], found.start) == ("There is no S77 in the plan", 16)


def test_sums_several_owners_and_numbers_of_steps_are_read():
    _, by = steps("Mow 1d €90\nRake\nSow 2d, @Anna, @Ben, 90 EUR, needs 1, 2\nDance after S1")
    assert (str(by["Mow"].cost.amount), by["Mow"].cost.currency) == ("90", "EUR")
    assert (by["Sow"].owners, by["Sow"].needs, by["Sow"].cost.currency) == (("Anna", "Ben"), ("S1", "S2"), "EUR")
    assert by["Dance"].needs == ("S1",)


SAID_BACK = [
    ("Mow 2d @Webb £150 by 3 May", "S3 “Mow” · owner Webb · effort 2 days · deadline 2027-05-03 · cost 150 GBP"),
    ("Mow needs 2 not before 1 April", "S3 “Mow” · effort 1 day, assumed · not before 2027-04-01 · needs S2"),
    ("Plane them 3d @Ole in May", "S3 “Plane them 3d @Ole in May” · effort 1 day, assumed"),
]


@pytest.mark.parametrize(("line", "told"), SAID_BACK, ids=[line for line, _ in SAID_BACK])
def test_a_line_is_said_back_as_it_was_read(line, told):
    assert echo(line, ["Buy", "Dry"], TODAY) == told


ADDED = [
    ("after S5", ("S5",), ""),
    ("2d, after S4, S5", ("S4", "S5"), ""),
    ("after S5 lag 2d below S1", ("S5",), ""),
    ("90 EUR", (), "90 EUR"),
    ("@Anna EUR 90 by 3 May", (), "90 EUR"),
    ("2d by 3 May, €90", (), "90 EUR"),
    ("90 EUR, after S5", ("S5",), "90 EUR"),
]


@pytest.mark.parametrize(("fields", "needs", "cost"), ADDED, ids=[fields for fields, *_ in ADDED])
def test_what_is_said_of_a_step_that_is_added_is_what_an_own_line_says(fields, needs, cost):
    found = parse(f'add "Sign" {fields}', PLAN, TODAY)
    assert isinstance(found, Parsed), str(found)
    new = next(step for step in found.plan.steps if step.title == "Sign")
    assert new.needs == needs
    assert (f"{new.cost.amount} {new.cost.currency}" if new.cost else "") == cost
    assert " · ".join(field_texts(new)).endswith(f"needs {', '.join(needs)}" if needs and "lag" not in fields else "")


def test_a_step_after_another_stands_behind_it_and_one_that_is_placed_where_it_is_placed():
    def before(command):
        found = parse(command, PLAN, TODAY)
        assert isinstance(found, Parsed), str(found)
        return found.operations[0].after

    assert before('add "Sign" after S5') == "S5"
    assert before('add "Sign" after S5 below S1') == before('add "Sign" below S1 after S5') == "S1"
    assert before('add question "Who?" after Q2') == "Q2"
    assert any(one.text == "after" for one in complete('add "Sign" af', PLAN, TODAY))


def test_a_line_that_cannot_be_read_says_why():
    found = echo("Mow needs S7", ["Buy"], TODAY)
    assert isinstance(found, Unread)
    assert found.why.startswith("There is no S7 in the plan")


def test_a_long_line_is_refused():
    assert isinstance(read_step_line("word " * 200, TODAY), Unread)
    assert isinstance(read_outline("word " * 20_000, PLAN, TODAY), Unread)
    assert isinstance(read_step_line("  ", TODAY), Unread)
