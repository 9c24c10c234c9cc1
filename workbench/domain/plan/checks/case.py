"""What every check is given, and what is read of a plan once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.plan import Decision, Item, Person, Plan, Section, Step, WorkingTime, name_key
from workbench.domain.plan.scheduling.calendar import FULL_DAY, Calendar, day_of
from workbench.domain.plan.scheduling.cycles import find_cycles, knots
from workbench.domain.plan.scheduling.work_times import WorkTimes

AnItem = TypeVar("AnItem", bound=Item)


class Case(Struct, frozen=True, dict=True):
    """A plan and the day on which it is looked at."""

    plan: Plan
    today: date

    @cached_property
    def placed(self) -> tuple[tuple[Section, Item], ...]:
        """Every item with the section it is in."""
        return tuple((section, item) for section in self.plan.sections for item in section.items)

    @cached_property
    def _of_kind(self) -> dict[type[Any], list[tuple[Section, Any]]]:
        return {}

    def every(self, kind: type[AnItem]) -> Iterator[tuple[Section, AnItem]]:
        """Yield the items of one kind, each with its section."""
        if kind not in self._of_kind:
            self._of_kind[kind] = [(section, item) for section, item in self.placed if isinstance(item, kind)]
        return iter(self._of_kind[kind])

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
    def times(self) -> WorkTimes:
        """When work can happen, as the plan says; the standard week where what it says cannot be."""
        try:
            return WorkTimes.from_plan(self._of_the_available)
        except PlanUnsound:
            return WorkTimes()

    @cached_property
    def _of_the_available(self) -> Plan:
        """The plan without people who never work, for whom there is no calendar."""
        sections = (
            msgspec.structs.replace(section, items=tuple(item for item in section.items if not has_no_hours(item)))
            for section in self.plan.sections
        )
        return msgspec.structs.replace(self.plan, sections=tuple(sections))

    def calendar(self, step: Step, owner: str = "") -> Calendar:
        """Return when a step can be worked on by an owner, its first unless another is named: else the plan's own."""
        return self.times.people.get(name_key(owner or step.owner), self.times.own)

    @cached_property
    def conditional(self) -> frozenset[str]:
        """Ids of the steps that are done only if something happens."""
        return self.plan.conditional

    def may_wait(self, step: Step, needed: str) -> bool:
        """Tell whether a step waits for another: for none that was dropped, and for a conditional one only if it is."""
        is_dropped = needed in self.steps and self.steps[needed].status == "dropped"
        return not is_dropped and (needed not in self.conditional or step.id in self.conditional)

    def past_dropped(self, step: Step) -> Step:
        """Return a step that needs what its dropped needs needed, with their lags; not what waits for the step."""
        needs, lags, passed = dict[str, None](), {lag.step: lag for lag in step.lags}, set[str]()
        ahead = [*reversed(step.needs)]
        while ahead:
            needed = self.steps.get(name := ahead.pop())
            if needed is not None and needed.status == "dropped":
                if name not in passed:
                    passed.add(name)
                    lags = {lag.step: lag for lag in needed.lags} | lags
                    ahead += reversed(needed.needs)
            elif needed is None or name in step.needs or not self.follows(needed, step):
                needs[name] = None
        kept = tuple(lag for lag in lags.values() if lag.step in needs)
        return msgspec.structs.replace(step, needs=tuple(needs), lags=kept)

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

    def is_open_work(self, step: Step) -> bool:
        """Tell whether somebody is to work on a step itself, in any case."""
        return self.is_work(step) and step.status != "done" and step.id not in self.conditional

    def follows(self, step: Step, other: Step) -> bool:
        """Tell whether a step has to wait for another one, by needs, wholes and parts."""
        reached: set[str] = set()
        ahead = [step.id]
        while ahead:
            known = self.steps.get(ahead.pop())
            if known is None or known.id in reached:
                continue
            reached.add(known.id)
            whole = self.steps.get(known.parent)
            ahead += [*known.needs, *(whole.needs if whole else ()), *self.parts.get(known.id, ())]
        return other.id in reached

    @cached_property
    def _says_weekdays(self) -> bool:
        return any(isinstance(item, WorkingTime | Person) for item in self.plan.items)

    def worked_days(self, step: Step, owner: str = "") -> float:
        """Return the days of eight hours that an owner can work between a step's start and its end, as ``calendar``."""
        start, end = day_of(step.start), day_of(step.end)
        if start is None or end is None or end < start:
            return 0
        theirs = self.calendar(step, owner)
        worked = theirs.worked_before(end.toordinal() + 1) - theirs.worked_before(start.toordinal())
        if not self._says_weekdays:
            worked += FULL_DAY * len({day for day in (start, end) if day.weekday() > _FRIDAY})
        return worked / FULL_DAY


Check = Callable[[Case], Iterable[Finding]]
"""Looks at one thing; yields what is wrong with it."""
Severity = Literal["major", "minor"]
_MOST_NAMED, _FRIDAY = 40, 4
"""Items that one finding names; the last weekday of a week of which nothing else is said."""


def fault(rule: str, severity: Severity, place: tuple[Section, Item], text: str, remedy: str) -> Finding:
    """Return a finding about an item of a section."""
    section, item = place
    return Finding(rule=rule, severity=severity, text=text, section=section.id, item=item.id, remedy=remedy)


def until_decided(case: Case, finding: Finding, *about: str) -> Finding:
    """Return a finding as what waits for the person, where an open decision is about one of these items."""
    waits = [
        item.id
        for _, item in case.every(Decision)
        if item.is_open and not {*item.causes, *item.answers}.isdisjoint(about)
    ]
    remedy = f"Waits for {listed(waits)}."
    return msgspec.structs.replace(finding, severity="minor", remedy=remedy) if waits else finding


def listed(names: Sequence[str]) -> str:
    """Return some ids as a sentence names them: all of a few, the first of many."""
    shown, more = list(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def has_no_hours(item: Item) -> bool:
    """Tell whether an item is a person who can never work."""
    return isinstance(item, Person) and item.hours is not None and item.hours <= 0


def quoted(text: str) -> str:
    """Return text short enough for a sentence about it, in quotation marks."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= 70 else line[:69] + '…'}”"
