"""Operations on a plan: what they make is the plan they were taken from, and each can be undone exactly."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.plans import plans
from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.operations import (
    AddItem,
    AddSection,
    MoveItem,
    MoveSection,
    Operation,
    RemoveItem,
    SetField,
    applied,
    concerns,
    inverse,
    operations_between,
)
from workbench.domain.plan.plan import Bullet, Constraint, Plan, Section, Step


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Plan, Plan]:
    """Two plans, the second made of parts of the first and of another one."""
    old, other = draw(plans()), draw(plans())
    sections = {section.id: section for section in (*old.sections, *other.sections)}
    items = draw(st.permutations([item for section in sections.values() for item in section.items]))
    items = {item.id: item for item in items[: draw(st.integers(0, len(items)))]}
    names = draw(st.lists(st.sampled_from(sorted(sections)), unique=True, min_size=1))
    share = [draw(st.sampled_from(names)) for _ in items]
    new = [
        msgspec.structs.replace(
            sections[name],
            text=draw(st.sampled_from([sections[name].text, "Other words."])),
            items=tuple(item for item, where in zip(items.values(), share, strict=True) if where == name),
        )
        for name in names
    ]
    return old, Plan(title=draw(st.sampled_from([old.title, "Other"])), sections=tuple(new))


@given(pairs())
def test_the_operations_between_two_plans_lead_from_one_to_the_other(pair):
    old, new = pair
    operations = operations_between(old, new)
    assert applied(old, operations) == new
    assert bool(operations) == (old != new)


@given(pairs())
def test_operations_survive_being_written_and_read(pair):
    old, new = pair
    operations = operations_between(old, new)
    text = msgspec.json.encode(operations)
    assert applied(old, msgspec.json.decode(text, type=tuple[Operation, ...])) == new


@given(pairs())
def test_each_operation_is_undone_exactly(pair):
    plan, new = pair
    for operation in operations_between(plan, new):
        after = applied(plan, [operation])
        undone = applied(after, [inverse(plan, operation)])
        assert msgspec.json.encode(undone) == msgspec.json.encode(plan)
        plan = after


@given(pairs())
def test_an_operation_leaves_every_other_section_and_item_as_it_was(pair):
    plan, new = pair
    for operation in operations_between(plan, new):
        after = applied(plan, [operation])
        if ids := set(concerns(operation)):
            lines = {item.id: item for item in plan.items if item.id not in ids}
            assert {item.id: item for item in after.items if item.id not in ids} == lines
            for section in after.sections:
                if not ids & {item.id for item in (*section.items, *_items_of(plan, section.id))}:
                    before = plan.section(section.id)
                    if before is not None:
                        assert section is before
                        assert section_to_markdown(section) == section_to_markdown(before)
        plan = after


def _items_of(plan: Plan, name: str):
    section = plan.section(name)
    return section.items if section else ()


STEPS = Section(id="steps", title="Steps", items=(Step(id="S1", title="One"), Step(id="S2", title="Two")))
NOTES = Section(id="notes", title="Notes", text="Words.")
PLAN = Plan(title="Plan", sections=(STEPS, NOTES))


@pytest.mark.parametrize(
    "operation",
    [
        SetField("S9", "title", "x"),
        SetField("S1", "id", "S3"),
        SetField("S1", "colour", "red"),
        SetField("S1", "effort", "long"),
        SetField("S1", "title", None),
        AddItem("steps", Step(id="S1", title="x")),
        AddItem("steps", Step(id="S3", title="x"), after="S9"),
        AddItem("nowhere", Step(id="S3", title="x")),
        RemoveItem("S9"),
        MoveItem("S1", "steps", after="S1"),
        MoveItem("S1", "nowhere"),
        AddSection(NOTES),
        AddSection(Section(id="new", title="New"), after="nowhere"),
        MoveSection("notes", after="notes"),
    ],
    ids=str,
)
def test_an_operation_that_does_not_fit_is_refused_with_a_remedy(operation):
    with pytest.raises(PlanUnsound) as caught:
        applied(PLAN, [operation])
    assert caught.value.remedy
    assert PLAN.sections == (STEPS, NOTES)


def test_one_field_that_changed_is_one_operation():
    new = applied(PLAN, [SetField("S2", "owner", "Anna")])
    assert operations_between(PLAN, new) == (SetField("S2", "owner", "Anna"),)
    assert inverse(PLAN, SetField("S2", "owner", "Anna")) == SetField("S2", "owner", None)
    assert new.sections[1] is NOTES


def test_sections_in_which_ids_stand_twice_are_replaced_whole():
    double = Section(id="steps", title="Steps", items=(Bullet(id="B1", text="a"), Bullet(id="B1", text="b")))
    new = Plan(title="Plan", sections=(double, NOTES))
    assert applied(PLAN, operations_between(PLAN, new)) == new
    assert applied(new, operations_between(new, PLAN)) == PLAN


def test_an_item_of_another_kind_takes_the_place_of_the_one_with_its_id():
    new = Plan(title="Plan", sections=(Section(id="steps", title="Steps", items=(Constraint(id="S1", text="x"),)),))
    assert applied(PLAN, operations_between(PLAN, new)) == new
