"""The changes of a version, one at a time, for a person who looks at each: what changed, and what moves with it.

versions ─▶ change_groups(versions, 3) ─▶ S9: when, check      ┐ accepted or rejected as a whole:
                                          └ S10, S11 move with it ┘ undone(versions, *group.names)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.plan.changing.history import Made, Version, changes_of
from workbench.domain.plan.changing.operations import (
    AddItem,
    AddSection,
    Cause,
    Operation,
    RemoveItem,
    RemoveSection,
    SetField,
    SetPlan,
    SetTitle,
)
from workbench.domain.plan.plan import Plan

Sign = Literal["added", "removed", "changed"]
_DATES = frozenset({"start", "end"})


class ChangeGroup(Struct, frozen=True):
    """The changes of one line of a plan, and the steps that move with it."""

    subject: str
    """Id of the item, or of the section; "" for the plan's title."""
    made: tuple[Made, ...]
    moved: tuple[Made, ...] = ()
    """Other dates of steps that need it."""
    is_rejected: bool = False
    """Whether all of it was undone since."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all its changes: ``3.2``."""
        return tuple(one.name for one in (*self.made, *self.moved))

    @property
    def cause(self) -> Cause:
        """Why it was made."""
        return self.made[0].change.cause

    @property
    def sign(self) -> Sign:
        """What became of the line."""
        operations = [one.change.operation for one in self.made]
        if any(isinstance(operation, AddItem | AddSection) for operation in operations):
            return "added"
        return "removed" if any(isinstance(one, RemoveItem | RemoveSection) for one in operations) else "changed"


def change_groups(versions: Sequence[Version], number: int) -> tuple[ChangeGroup, ...]:
    """Return what was changed in a version, line by line, in the order in which it was done."""
    made = list(changes_of(versions))
    gone = _undone_names(made)
    by_subject: dict[str, list[Made]] = {}
    for one in made:
        if one.version == number:
            by_subject.setdefault(_subject(one.change.operation), []).append(one)
    plan = next((version.plan for version in versions if version.version == number), Plan(title=""))
    leaders = _leaders(by_subject, {step.id: step.needs for step in plan.steps})
    groups = {subject: ChangeGroup(subject, tuple(of)) for subject, of in by_subject.items() if subject not in leaders}
    for follower, leader in leaders.items():
        groups[leader] = replace(groups[leader], moved=(*groups[leader].moved, *by_subject[follower]))
    return tuple(replace(group, is_rejected=gone.issuperset(group.names)) for group in groups.values())


def _undone_names(made: Iterable[Made]) -> frozenset[str]:
    """Return the names of the changes that were taken back, and stay so."""
    sources: set[str] = set()
    every = list(made)
    for one in reversed(every):
        if one.change.cause.kind == "undo" and not {one.name, str(one.version)} & sources:
            sources.add(one.change.cause.source)
    return frozenset(one.name for one in every if {one.name, str(one.version)} & sources)


def _subject(operation: Operation) -> str:
    match operation:
        case AddItem(_, item):
            return item.id
        case AddSection(section):
            return section.id
        case SetTitle() | SetPlan():
            return ""
        case _:
            return operation.item if hasattr(operation, "item") else operation.section


def _leaders(by_subject: Mapping[str, Sequence[Made]], needs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return which changed step each step follows of which nothing but the dates changed."""
    following = {subject for subject, made in by_subject.items() if subject in needs and all(map(is_date, made))}
    leaders: dict[str, str] = {}
    for subject in following:
        seen, waiting = {subject}, list(needs[subject])
        while waiting and subject not in leaders:
            step = waiting.pop(0)
            if step in by_subject and step not in following:
                leaders[subject] = step
            elif step not in seen:
                seen.add(step)
                waiting += needs.get(step, ())
    return {subject: leaders[subject] for subject in by_subject if subject in leaders}


def is_date(made: Made) -> bool:
    """Tell whether a change sets the start or the end of a step, which follow from its other fields."""
    operation = made.change.operation
    return isinstance(operation, SetField) and operation.field in _DATES
