"""What every check is given, and what is read of a plan once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal, TypeVar

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Feedback, Finding, Handled
from workbench.domain.plan.calendar import Calendar, day_of
from workbench.domain.plan.checks.availability import with_stated_hours
from workbench.domain.plan.cycles import find_cycles, knots
from workbench.domain.plan.plan import Criterion, Item, Person, Plan, Question, Section, Step, WorkingTime, name_key
from workbench.domain.plan.schedule import WorkTimes
from workbench.domain.text.words import stems

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
    told: tuple[str, ...] = ()
    """What the person answered, where the planner takes it over word for word."""

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
        reached = knots(tuple(self.steps.values()))
        return {step: number for number, knot in enumerate(reached) for step in knot}

    @cached_property
    def answered(self) -> frozenset[str]:
        """Ids that some item says it answers."""
        return frozenset(answer for item in self.plan.items for answer in getattr(item, "answers", ()))

    @cached_property
    def times(self) -> WorkTimes:
        """When work can happen, as the plan says; the standard week where what it says cannot be."""
        try:
            return WorkTimes.of(self.as_available)
        except PlanUnsound:
            return WorkTimes()

    @cached_property
    def as_available(self) -> Plan:
        """The plan with the hours and weekdays that people's own words give, and without those who have no hour."""
        sections = (
            msgspec.structs.replace(
                section,
                items=tuple(with_stated_hours(item, self.today) for item in section.items if not has_no_hours(item)),
            )
            for section in self.plan.sections
        )
        return msgspec.structs.replace(self.plan, sections=tuple(sections))

    def calendar(self, step: Step) -> Calendar:
        """Return when a step can be worked on: its owner's time, or the plan's own."""
        return self.times.people.get(name_key(step.owner), self.times.own)

    @cached_property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """Ids of the parts of each step that has some."""
        parts: dict[str, tuple[str, ...]] = {}
        for step in self.steps.values():
            if step.parent in self.steps:
                parts[step.parent] = (*parts.get(step.parent, ()), step.id)
        return parts

    def is_work(self, step: Step) -> bool:
        """Tell whether somebody works on a step itself: it is no milestone, no mere waiting, not dropped, no whole."""
        waits = step.waiting is not None and step.effort is None
        return not (step.milestone or waits or step.status == "dropped" or step.id in self.parts)

    @cached_property
    def _ancestors(self) -> dict[str, frozenset[str]]:
        return {}

    def ancestors(self, step: Step) -> frozenset[str]:
        """Return the ids of all that must have ended before a step, by needs, wholes and parts."""
        if (known := self._ancestors.get(step.id)) is None:
            reached: set[str] = set()
            ahead = [*step.needs, *self._needs_of_whole(step)]
            while ahead:
                needed = ahead.pop()
                if needed not in reached and needed in self.steps:
                    reached.add(needed)
                    ahead += [*self.steps[needed].needs, *self._needs_of_whole(self.steps[needed])]
                    ahead += self.parts.get(needed, ())
            known = self._ancestors[step.id] = frozenset(reached)
        return known

    def _needs_of_whole(self, step: Step) -> tuple[str, ...]:
        whole = self.steps.get(step.parent)
        return whole.needs if whole else ()

    def precedes(self, first: Step, second: Step) -> bool:
        """Tell whether one step has ended when another begins: it is done, needed, or ends no later by its dates."""
        if first.status == "done" or first.id in self.ancestors(second):
            return True
        end, start = day_of(first.finished or first.end), day_of(second.started or second.start or second.on)
        return end is not None and start is not None and end <= start

    def comes_before(self, step: Step, other: Step) -> bool:
        """Tell whether a step comes before another, by needs or by dates: not only that nothing says which is first."""
        if self.precedes(other, step):
            return False
        if step.id in self.ancestors(other):
            return True
        begins, ends = step.on or step.start, other.end or other.on
        return bool(begins and ends and begins < ends)

    @cached_property
    def _words(self) -> dict[int, frozenset[str]]:
        return {}

    def words(self, step: Step) -> frozenset[str]:
        """Return the telling words of a step's title and outcome."""
        if (known := self._words.get(id(step))) is None:
            known = self._words[id(step)] = frozenset(stems(f"{step.title} . {step.outcome}"))
        return known

    @cached_property
    def _told(self) -> frozenset[str]:
        return frozenset(stems(" . ".join([self.goal, *self.told])))

    def is_in_own_words(self, item: Item) -> bool:
        """Tell whether an item is what the person said and no more: what it lacks is for them to say, and no fault."""
        return _is_theirs(item) and frozenset(stems(wording(item))) <= self._told

    @cached_property
    def is_being_asked(self) -> bool:
        """Whether all that is planned comes from the person's words: the rest is still to be said."""
        asks = any(isinstance(item, Question) for item in self.plan.items)
        return (asks or bool(self.plan.steps)) and all(map(_is_theirs, self.plan.steps))

    @cached_property
    def has_week(self) -> bool:
        """Whether the plan says on which weekdays there is work: for all, or for its people."""
        return any(isinstance(item, WorkingTime | Person) for item in self.plan.items)

    @property
    def goal(self) -> str:
        """The prose of the section ``goal``; "" without one."""
        section = self.plan.section("goal")
        return section.text if section else ""


Check = Callable[[Case], Iterable[Finding]]
"""Looks at one thing; yields what is wrong with it."""


Severity = Literal["major", "minor"]


def fault(rule: str, severity: Severity, place: tuple[Section, Item], text: str, remedy: str) -> Finding:
    """Return a finding about an item of a section."""
    section, item = place
    return Finding(rule=rule, severity=severity, text=text, section=section.id, item=item.id, remedy=remedy)


def _is_theirs(item: Item) -> bool:
    return item.origin is not None and item.origin.kind in ("goal", "answer", "feedback")


def has_no_hours(item: Item) -> bool:
    """Tell whether an item is a person who can never work."""
    return isinstance(item, Person) and item.hours is not None and item.hours <= 0


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


def openings(text: str) -> frozenset[str]:
    """Return the first letters of the telling words of a text: two forms of a word share them."""
    return frozenset(word[:OPENING] for word in stems(text) if not word[0].isdigit())


OPENING = 5
"""Letters that two words share that are forms of one: member, membership."""
