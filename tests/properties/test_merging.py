"""A person's edit of an older version: it holds on the plan of now, and nothing of anybody's is lost silently."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.plans import plans
from tests.properties.test_operations import PLAN, STEPS, pairs
from workbench.domain.plan.changing.merging import carried_over
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    RemoveItem,
    RemoveSection,
    SetField,
    SetSection,
    applied,
    concerns,
    operations_between,
)
from workbench.domain.plan.plan import Section, Step


@given(pairs())
def test_without_anything_done_since_an_edit_is_itself(pair):
    base, edited = pair
    edit = operations_between(base, edited)
    carried = carried_over(base, edit, base)
    assert applied(base, carried.operations) == edited
    assert (carried.overridden, carried.unplaced) == ((), ())


@given(pairs())
def test_without_an_edit_the_plan_stays_as_it_is(pair):
    base, now = pair
    assert carried_over(base, (), now).operations == ()


@given(pairs(), st.data())
def test_what_a_person_set_holds_and_what_no_edit_concerns_is_as_others_left_it(pair, data):
    base, edited = pair
    other = data.draw(plans())
    now = data.draw(st.sampled_from([edited, other, base]))
    edit = operations_between(base, edited)
    carried = carried_over(base, edit, now)
    after = applied(now, carried.operations)
    there = {item.id: item for item in after.items}
    fields = {(one.item, one.field): one.value for one in carried.operations if isinstance(one, SetField)}
    for (item, field), value in fields.items():
        assert item not in there or msgspec.json.decode(msgspec.json.encode(there[item])).get(field) == value
    touched = {name for one in carried.operations for name in concerns(one)}
    gone = {one.section for one in carried.operations if isinstance(one, RemoveSection)}
    kept = {item.id for section in now.sections if section.id not in gone for item in section.items} - touched
    assert all(there.get(item.id) == item for item in now.items if item.id in kept)
    wanted = [one for one in edit if not isinstance(one, RemoveItem | RemoveSection)]
    done = len([one for one in carried.operations if not isinstance(one, RemoveItem | RemoveSection)])
    assert done + len(carried.unplaced) == len(wanted)


def test_both_set_the_same_field_and_the_person_wins_and_is_told():
    mine, theirs = SetField("S1", "owner", "Anna"), SetField("S1", "owner", "Tom")
    carried = carried_over(PLAN, [mine], applied(PLAN, [theirs]))
    assert (carried.operations, carried.overridden, carried.unplaced) == ((mine,), (theirs,), ())


def test_two_new_steps_with_the_same_id_are_both_kept_and_what_needs_mine_still_does():
    mine = (AddItem("steps", Step(id="S3", title="Mine"), "S2"), SetField("S1", "needs", ["S3"]))
    now = applied(PLAN, [AddItem("steps", Step(id="S3", title="Theirs"), "S2")])
    after = applied(now, carried_over(PLAN, mine, now).operations)
    assert {step.id: step.title for step in after.steps} == {"S1": "One", "S2": "Two", "S3": "Theirs", "S4": "Mine"}
    assert after.steps[0].needs == ("S4",)


def test_what_a_person_changed_and_others_removed_is_named():
    mine = (SetField("S1", "owner", "Anna"), SetSection("notes", "text", "Mine."), RemoveItem("S2"))
    now = applied(PLAN, [RemoveItem("S1"), RemoveItem("S2"), RemoveSection("notes")])
    carried = carried_over(PLAN, mine, now)
    assert (carried.operations, carried.unplaced) == ((), mine[:2])


def test_a_new_section_whose_items_have_taken_ids_is_carried_over():
    section = Section(
        id="more", title="More", items=(Step(id="S3", title="Mine"), Step(id="S4", title="x", needs=("S3",)))
    )
    now = applied(PLAN, [AddItem("steps", Step(id="S3", title="Theirs"), STEPS.items[-1].id)])
    after = applied(now, carried_over(PLAN, [AddSection(section, "notes")], now).operations)
    assert [(step.id, step.needs) for step in after.steps][-2:] == [("S5", ()), ("S4", ("S5",))]
