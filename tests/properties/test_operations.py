"""Operations on a plan: what they make is the plan they were taken from, and each can be undone exactly."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.pace import EVEN, growth
from tests.properties.plans import plans
from workbench.domain.errors import NotFound, PlanUnsound, UsageError
from workbench.domain.plan.changing.history import changes_of, told, undone
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    Cause,
    Change,
    MoveItem,
    MoveSection,
    Operation,
    RemoveItem,
    SetField,
    SetPlan,
    applied,
    concerns,
    inverse,
    operations_between,
)
from workbench.domain.plan.markdown import section_to_markdown
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
        SetField("S1", "progress", "half"),
        SetField("S1", "mode", "fast"),
        SetField("S1", "other", {"Sprint": 12}),
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


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("also", ["Ben"], "S2 also: – → Ben"),
        ("waits_working", True, "S2 wait: – → working days"),
        ("repeat", {"every": "week", "first": "2027-01-05"}, "S2 repeats: – → weekly from 2027-01-05"),
        ("progress", {"done": 5.0, "of": 8.0}, "S2 progress: – → 5 of 8"),
        ("other", {"Sprint": "12"}, "S2 other: – → Sprint = 12"),
        ("no_return", True, "S2 no way back: – → yes"),
    ],
)
def test_a_field_is_set_cleared_and_told(field, value, text):
    operation = SetField("S2", field, value)
    new = applied(PLAN, [operation])
    assert operations_between(PLAN, new) == (operation,)
    assert told(operation, PLAN) == text
    assert applied(new, [inverse(PLAN, operation)]) == applied(new, [SetField("S2", field, None)]) == PLAN


def test_sections_in_which_ids_stand_twice_are_replaced_whole():
    double = Section(id="steps", title="Steps", items=(Bullet(id="B1", text="a"), Bullet(id="B1", text="b")))
    new = Plan(title="Plan", sections=(double, NOTES))
    assert applied(PLAN, operations_between(PLAN, new)) == new
    assert applied(new, operations_between(new, PLAN)) == PLAN


def test_an_item_of_another_kind_takes_the_place_of_the_one_with_its_id():
    new = Plan(title="Plan", sections=(Section(id="steps", title="Steps", items=(Constraint(id="S1", text="x"),)),))
    assert applied(PLAN, operations_between(PLAN, new)) == new


# --- history and undo -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Version:
    version: int
    plan: Plan
    changes: tuple[Change, ...]


def versions_of(*plans_: Plan, whole: bool = False) -> list[_Version]:
    """The versions of a plan that was each of these in turn; ``whole``: as events of rules 1 and 2 say them."""
    versions, old = [], Plan(title="")
    for number, plan in enumerate(plans_, start=1):
        operations = (SetPlan(plan),) if whole else operations_between(old, plan)
        versions.append(_Version(number, plan, tuple(Change(one, Cause("planner")) for one in operations)))
        old = plan
    return versions


@given(pairs(), st.booleans())
def test_a_version_is_undone_exactly_also_one_that_was_written_as_a_whole(pair, whole):
    old, new = pair
    assume(old != new and old != Plan(title=""))
    back = undone(versions_of(old, new, whole=whole), "2")
    assert applied(new, (change.operation for change in back)) == old
    assert {change.cause for change in back} == {Cause("undo", "2")}


@given(pairs())
def test_the_last_change_is_undone_exactly_and_every_change_says_what_it_did(pair):
    old, new = pair
    assume(old != new)
    made = [one for one in changes_of(versions_of(old, new)) if one.version == 2]
    back = undone(versions_of(old, new), made[-1].name)
    assert applied(new, (change.operation for change in back)) == made[-1].before
    for one in made:
        assert one.text.strip()
        after = applied(one.before, [one.change.operation])
        assert one.items <= {item.id for item in (*one.before.items, *after.items)}


@given(pairs(), st.data())
def test_undo_of_any_change_leaves_the_later_ones_or_says_which_stands_in_the_way(pair, data):
    old, new = pair
    assume(old != new)
    versions = versions_of(old, new)
    made = data.draw(st.sampled_from(list(changes_of(versions))))
    back = _undone_if_it_can_be(versions, made.name)
    after = applied(new, (change.operation for change in back))
    touched = {item for change in back for item in concerns(change.operation)} | made.items
    kept = {item.id: item for item in new.items if item.id not in touched}
    assert {item.id: item for item in after.items if item.id not in touched} == kept


def _undone_if_it_can_be(versions, name):
    with suppress(UsageError):
        return undone(versions, name)
    return ()


def _steps(**fields):
    return Plan(
        title="Plan",
        sections=(Section(id="steps", title="Steps", items=(Step(id="S1", title="One", **fields), STEPS.items[1])),),
    )


def test_what_was_changed_again_since_names_the_change_that_stands_in_the_way():
    versions = versions_of(_steps(owner="Tom"), _steps(owner="Anna"), _steps(owner="Ben"))
    with pytest.raises(UsageError, match=r"last by 3\.1: S1 owner: Anna → Ben") as caught:
        undone(versions, "2.1")
    assert caught.value.remedy == "Undo 3.1 first."
    assert [one.operation for one in undone(versions, "3.1")] == [SetField("S1", "owner", "Anna")]


def test_a_first_draft_and_what_is_not_there_are_not_undone():
    versions = versions_of(_steps())
    with pytest.raises(UsageError, match="first draft"):
        undone(versions, "1")
    with pytest.raises(NotFound):
        undone(versions, "1.9")


def test_what_is_put_back_stands_behind_the_nearest_neighbour_that_is_left():
    three = Section(id="steps", title="Steps", items=tuple(Step(id=f"S{n}", title=str(n)) for n in (1, 2, 3)))
    without = [
        Plan(title="", sections=(Section(id="steps", title="Steps", items=items),))
        for items in (three.items, three.items[:2], three.items[:1])
    ]
    [back] = undone(versions_of(*without), "2.1")
    assert back.operation == AddItem("steps", three.items[2], after="S1")


def test_many_operations_take_time_that_grows_with_them() -> None:
    def seconds(count: int) -> float:
        plan = Plan(title="", sections=(Section(id="a", title="A"),))
        names = [f"S{one}" for one in range(count)]
        adding = [AddItem("a", Step(id=one, title=one), before) for before, one in pairwise(["", *names])]
        begun = time.process_time()
        after = applied(plan, [*adding, *(SetField(one, "title", "x") for one in reversed(names))])
        spent = time.process_time() - begun
        assert len(after.steps) == count
        return spent

    assert growth(seconds, 8_000, at_once=0.02) <= EVEN
