"""The changes of a version line by line: what moves with what, and what was taken back."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from workbench.domain.errors import NotFound
from workbench.domain.plan.changing.history import undone
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    Cause,
    Change,
    Operation,
    RemoveItem,
    SetField,
    applied,
)
from workbench.domain.plan.changing.review import change_groups
from workbench.domain.plan.plan import Plan, Section, Step

STEPS = Section(
    id="steps",
    title="Steps",
    items=(
        Step(id="S1", title="Copy", start="2027-05-03", end="2027-05-05"),
        Step(id="S2", title="Test", needs=("S1",), start="2027-05-06", end="2027-05-07"),
        Step(id="S3", title="Switch", needs=("S2",), start="2027-05-10", end="2027-05-10"),
        Step(id="S4", title="Thank", start="2027-05-10", end="2027-05-10"),
    ),
)


@dataclass(frozen=True)
class Made:
    version: int
    plan: Plan
    changes: tuple[Change, ...]


def versions(*rounds: tuple[Operation, ...] | tuple[Change, ...]) -> list[Made]:
    made = [Made(1, applied(Plan(title=""), (AddSection(STEPS),)), (Change(AddSection(STEPS), Cause("planner")),))]
    for number, operations in enumerate(rounds, 2):
        changes = tuple(one if isinstance(one, Change) else Change(one, Cause("planner")) for one in operations)
        plan = applied(made[-1].plan, (change.operation for change in changes))
        made.append(Made(number, plan, changes))
    return made


LATER = (
    SetField("S1", "end", "2027-05-12"),
    SetField("S1", "owner", "Ann"),
    SetField("S3", "end", "2027-05-17"),
    SetField("S4", "start", "2027-05-11"),
    AddItem("steps", Step(id="S5", title="Tell"), after="S4"),
    RemoveItem("S2"),
)


def test_a_group_says_what_became_of_its_line() -> None:
    signs = {group.subject: group.sign for group in change_groups(versions(LATER), 2)}
    assert (signs["S1"], signs["S5"], signs["S2"]) == ("changed", "added", "removed")


def test_a_group_that_was_taken_back_is_rejected_until_that_is_taken_back_too() -> None:
    once = versions(LATER[:3])
    group = change_groups(once, 2)[0]
    back = undone(once, *group.names)
    twice = versions(LATER[:3], back)
    assert twice[-1].plan == once[0].plan
    assert [one.is_rejected for one in change_groups(twice, 2)] == [True]
    thrice = versions(LATER[:3], back, undone(twice, "3"))
    assert thrice[-1].plan == once[-1].plan
    assert [one.is_rejected for one in change_groups(thrice, 2)] == [False]


def test_of_several_names_each_has_to_be_known() -> None:
    with pytest.raises(NotFound, match=r"9\.9"):
        undone(versions(LATER), "2.1", "9.9")
