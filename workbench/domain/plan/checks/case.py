"""What every check is given, and what is read of a plan once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TypeVar

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Feedback, Finding, Handled
from workbench.domain.plan.cycles import find_cycles, knots
from workbench.domain.plan.plan import Criterion, Item, Plan, Section, Step
from workbench.domain.plan.schedule import WorkTimes

AnItem = TypeVar("AnItem", bound=Item)


@dataclass(frozen=True)
class Case:
    """A plan and what it has to hold up against."""

    plan: Plan
    today: date
    constraints: tuple[str, ...] = ()
    """As they were told, whether or not the plan lists them."""
    feedback: tuple[Feedback, ...] = ()
    handled: tuple[Handled, ...] = ()

    @cached_property
    def placed(self) -> tuple[tuple[Section, Item], ...]:
        """Every item with the section it stands in."""
        return tuple((section, item) for section in self.plan.sections for item in section.items)

    def every(self, kind: type[AnItem]) -> Iterator[tuple[Section, AnItem]]:
        """Yield the items of one kind, each with its section."""
        return ((section, item) for section, item in self.placed if isinstance(item, kind))

    @cached_property
    def steps(self) -> dict[str, Step]:
        """Steps by id; of two with the same id, the first."""
        return {step.id: step for step in reversed(self.plan.steps)}

    @cached_property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Circular dependencies, as ``find_cycles`` gives them."""
        return find_cycles(tuple(self.steps.values()))

    @cached_property
    def knots(self) -> dict[str, int]:
        """Steps that wait for themselves, each with the number of its knot; those of one knot wait for one another."""
        found = knots(tuple(self.steps.values()))
        return {step: number for number, knot in enumerate(found) for step in knot}

    @cached_property
    def answered(self) -> frozenset[str]:
        """Ids that some item says it answers."""
        return frozenset(answer for item in self.plan.items for answer in getattr(item, "answers", ()))

    @cached_property
    def times(self) -> WorkTimes:
        """When work can happen, as the plan says; the standard week where what it says cannot be."""
        try:
            return WorkTimes.of(self.plan)
        except PlanUnsound:
            return WorkTimes()

    @property
    def goal(self) -> str:
        """The prose of the section ``goal``; "" without one."""
        section = self.plan.section("goal")
        return section.text if section else ""


Check = Callable[[Case], Iterable[Finding]]
"""Looks at one thing; yields what is wrong with it."""


def wording(item: Item) -> str:
    """Return what an item says first: the title of a step, the text of anything else."""
    return item.title if isinstance(item, Step) else item.text


def statements(item: Item) -> tuple[str, ...]:
    """Return what an item claims, a sentence each; a criterion's target is read with its text and with its measure."""
    match item:
        case Criterion():
            return (f"{item.text}: {item.target}", f"{item.measure}: {item.target}")
        case Step():
            return (item.title, item.outcome, item.check)
        case _:
            return (item.text,)


def quoted(text: str) -> str:
    """Return text short enough for a sentence about it, in quotation marks."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= 70 else line[:69] + '…'}”"
