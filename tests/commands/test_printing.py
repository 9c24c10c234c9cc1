"""An operation is printed as a command that does the same: nothing else, and nothing less."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.commands.plans import PLAN, TODAY
from tests.properties.plans import plans
from tests.properties.test_operations import pairs
from workbench.domain.commands import Parsed, commands_between, parse
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    MoveItem,
    MoveSection,
    Operation,
    RemoveItem,
    RemoveSection,
    SetField,
    SetSection,
    SetTitle,
    applied,
    operations_between,
)
from workbench.domain.plan.plan import Bullet, Days, Origin, Plan, Section, Step


def printed(operation: Operation, plan: Plan) -> str:
    return "; ".join(commands_between(plan, applied(plan, (operation,))))


PRINTED: list[tuple[Operation, str]] = [
    (SetField("S3", "owner", "Kim de Vries"), 'S3 owner "Kim de Vries"'),
    (SetField("S3", "effort", {"low": 1, "likely": 2.5, "high": 4}), "S3 effort 1-2.5-4d"),
    (SetField("S3", "effort", {"low": 5, "likely": 5, "high": 5}), "S3 effort 5d"),
    (SetField("S3", "effort", None), "S3 clear effort"),
    (SetField("S3", "deadline", "2027-05-03"), "S3 by 2027-05-03"),
    (SetField("S3", "not_before", "2027-05-03"), "S3 not before 2027-05-03"),
    (SetField("S3", "on", "2027-05-03"), "S3 on 2027-05-03"),
    (SetField("S3", "cost", {"amount": "7900", "currency": "EUR"}), "S3 cost 7900 EUR"),
    (SetField("S3", "title", 'Hang "them" \\ up'), 'S3 title "Hang \\"them\\" \\\\ up"'),
    (SetField("S3", "parent", "S1"), "S3 under S1"),
    (SetField("S3", "status", "done"), 'S3 status "done"'),
    (SetField("S3", "tags", ["a", "b"]), 'S3 tags "a, b"'),
    (SetField("S3", "needs", ["S1"]), 'S3 set needs "S1"'),
    (SetField("S3", "needs", None), "S3 clear needs"),
    (SetField("S3", "each", True), 'S3 set effort "2 days (1–3) each"'),
    (SetField("P1", "away", [{"first": "2027-05-03", "last": "2027-05-14"}]), 'P1 set away "2027-05-03 – 2027-05-14"'),
    (SetField("D1", "latest", "2027-05-03"), "D1 by 2027-05-03"),
    (RemoveItem("S9"), "remove S9"),
    (MoveItem("S3", "steps", "S5"), "move S3 below S5"),
    (MoveItem("S3", "steps"), "move S3 first"),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "text"), PRINTED, ids=[text for _, text in PRINTED])
def test_an_operation_is_printed_in_the_plainest_way(operation, text):
    assert printed(operation, PLAN) == text
    found = parse(text, PLAN, TODAY)
    assert isinstance(found, Parsed)
    assert found.operations == (operation,)


SECTION = Section(id="notes", title="Notes", text="Some.", items=(Bullet(id="B1", text="One", priority="must"),))
SEVERAL: list[tuple[Operation, str]] = [
    (AddItem("steps", Step(id="S20", title="Eat", origin=Origin("person")), "S2"), 'add S20 "Eat" below S2'),
    (AddItem("steps", Step(id="S20", title="Eat"), "S2"), 'add S20 "Eat" below S2; S20 clear from'),
    (
        AddSection(SECTION, "goal"),
        (
            'add section notes "Notes" below section goal; section notes text "Some."; '
            'add B1 "One" below section notes; B1 clear from; B1 priority "must"'
        ),
    ),
    (RemoveItem("S3"), 'remove S3; S4 set needs "S3"'),  # what needs it goes on to name it
    (MoveItem("S3", "goal"), "move S3 below section goal"),
    (RemoveSection("goal"), "remove section goal"),
    (MoveSection("goal", "people"), "move section goal below section people"),
    (SetSection("goal", "text", "Two\nlines."), 'section goal text "Two\nlines."'),
    (SetSection("goal", "title", "Why"), 'section goal title "Why"'),
    (SetTitle("A fair"), 'plan title "A fair"'),
]


@pytest.mark.parametrize(("operation", "text"), SEVERAL, ids=[text for _, text in SEVERAL])
def test_an_operation_is_printed_as_several_commands_where_one_is_too_few(operation, text):
    assert printed(operation, PLAN) == text
    found = parse(text, PLAN, TODAY)
    assert isinstance(found, Parsed)
    assert found.operations == (operation,)


def test_an_id_that_stands_twice_is_said_by_no_command():
    double = Section(id="twice", title="Twice", items=(Bullet(id="B1", text="One"), Bullet(id="B1", text="Two")))
    operation = AddSection(double, "goal")
    with pytest.raises(PlanUnsound):
        printed(operation, PLAN)


def test_an_operation_that_does_not_fit_is_refused():
    with pytest.raises(PlanUnsound):
        printed(RemoveItem("S99"), PLAN)


@st.composite
def with_other_fields(draw: st.DrawFn) -> tuple[Plan, Plan]:
    """Two plans of the same items, some of which have the fields of others of their kind."""
    old, other = draw(plans()), draw(plans())
    by_kind = {type(item): item for item in other.items}
    person = Origin("person")
    sections = tuple(
        replace(section, items=tuple(replace(by_kind.get(type(item), item), id=item.id) for item in section.items))
        for section in old.sections
    )
    new = Plan(title=other.title, sections=sections)
    extra = [replace(item, id=f"{item.id[0]}{900 + at}", origin=person) for at, item in enumerate(other.items[:2])]
    first = replace(new.sections[0], items=(*extra, *new.sections[0].items))
    return old, Plan(title=new.title, sections=(first, *new.sections[1:]))


WAITS = ("waiting", "waits_working", "waits_hours")


@pytest.mark.cases(8)
@given(pairs() | with_other_fields())
@settings(max_examples=10_000)
def test_each_operation_is_printed_and_read_back_as_it_is(pair):
    plan, new = pair
    for operation in operations_between(plan, new):
        if getattr(operation, "field", "") in WAITS:  # a wait is one text of three fields: below, they are said at once
            plan = applied(plan, (operation,))
            continue
        text, after = printed(operation, plan), applied(plan, (operation,))
        found = parse(text, plan, TODAY)
        assert isinstance(found, Parsed), str(found)
        assert found.plan == after
        assert found.operations == operations_between(plan, after)
        plan = after


@pytest.mark.cases(8)
@given(pairs() | with_other_fields())
@settings(max_examples=10_000)
def test_each_plan_is_reached_by_commands(pair):
    before, after = pair
    commands = commands_between(before, after)
    plan = before
    for command in commands:
        found = parse(command, plan, TODAY)
        assert isinstance(found, Parsed), str(found)
        plan = found.plan
    assert plan == after
    if commands:
        at_once = parse("\n".join(commands), before, TODAY)
        assert isinstance(at_once, Parsed)
        assert at_once.operations == operations_between(before, after)


def test_days_of_a_person_are_read_back_as_they_are():
    days = Days("2027-05-03", "2027-05-14")
    operation = SetField("P1", "away", [msgspec.to_builtins(days)])
    found = parse(printed(operation, PLAN), PLAN, TODAY)
    assert isinstance(found, Parsed)
    assert found.plan.people[0].away == (days,)
