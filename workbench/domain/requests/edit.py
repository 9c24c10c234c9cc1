"""Operations on a plan, gathered one after the other, each on the plan as those before it leave it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain.plan.operations import AddItem, AddSection, MoveItem, Operation, RemoveItem, SetField, applied
from workbench.domain.plan.plan import (
    Answering,
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Effort,
    Item,
    Lag,
    Person,
    Plan,
    Question,
    Risk,
    Section,
    Step,
    WorkingTime,
)
from workbench.domain.requests.request import Unclear

_HOMES: dict[type[Item], tuple[str, str, str]] = {
    Step: ("S", "steps", "Steps"),
    Risk: ("R", "risks", "Risks"),
    Criterion: ("C", "criteria", "Success criteria"),
    Constraint: ("K", "constraints", "Constraints"),
    Decision: ("D", "decisions", "Decision log"),
    Question: ("Q", "questions", "Open questions"),
    Bullet: ("B", "notes", "Notes"),
    Person: ("P", "people", "People"),
    WorkingTime: ("W", "calendar", "Calendar"),
    DaysOff: ("H", "calendar", "Calendar"),
}
"""Letter of the id, and the section that is made where none has such items."""


def next_number(plan: Plan, letter: str) -> int:
    """Return the number after the highest of a letter that stands in the plan or is spoken of in it."""
    text = msgspec.json.encode(plan).decode()
    return 1 + max((int(number) for number in re.findall(rf"\b{letter}(\d{{1,6}})\b", text)), default=0)


class Edit:
    """Changes of a plan for one request."""

    def __init__(self, plan: Plan) -> None:
        self.before = plan
        self.plan = plan

    def do(self, *operations: Operation) -> None:
        """Carry out operations. Raises PlanUnsound."""
        self.plan = applied(self.plan, operations)

    def set(self, item: str, **values: Any) -> None:
        """Give fields of an item other values; None takes a value away."""
        for field, value in values.items():
            if getattr(self.item(item), field) != value:
                self.do(SetField(item, field, msgspec.to_builtins(value)))

    def item(self, name: str) -> Item:
        """Return an item as it is now."""
        return next(item for item in self.plan.items if item.id == name)

    def step(self, name: str) -> Step:
        """Return a step as it is now."""
        return next(step for step in self.plan.steps if step.id == name)

    def new_id(self, kind: type[Item]) -> str:
        """Return an id that neither stands in the plan nor is spoken of in it."""
        letter = _HOMES[kind][0]
        return f"{letter}{next_number(self.plan, letter)}"

    def add(self, item: Item, *, section: str = "", after: str | None = None) -> str:
        """Put a new item where others of its kind are: behind one of them, "" for the top, None for the end."""
        _, home, title = _HOMES[type(item)]
        here = self.plan.section(section) if section else self._section_of(item, after)
        if here is None:
            name = section or home
            new = Section(id=name, title=title if name == home else name.capitalize(), items=(item,))
            self.do(AddSection(new, self.plan.sections[-1].id if self.plan.sections else ""))
        else:
            end = here.items[-1].id if here.items else ""
            self.do(AddItem(here.id, item, end if after is None else after))
        return item.id

    def _section_of(self, item: Item, after: str | None) -> Section | None:
        beside = (section for section in self.plan.sections if after and any(one.id == after for one in section.items))
        alike = (section for section in self.plan.sections if any(type(one) is type(item) for one in section.items))
        home = self.plan.section(_HOMES[type(item)][1])
        return next(beside, None) or (home if isinstance(item, Bullet) else next(alike, None) or home)

    def move(self, name: str, other: str, *, before: bool = False) -> None:
        """Put an item behind another, or before it, in that one's section."""
        section = next(section for section in self.plan.sections if any(item.id == other for item in section.items))
        ids = [item.id for item in section.items if item.id != name]
        at = ids.index(other)
        self.do(MoveItem(name, section.id, (ids[at - 1] if at else "") if before else other))

    # --- needs --------------------------------------------------------------------------------------------------------

    def need(self, name: str, needed: str, lag: Lag | None = None) -> None:
        """Let a step need another, with a lag or none."""
        step = self.step(name)
        lags = tuple(one for one in step.lags if one.step != needed)
        self.set(name, needs=tuple(dict.fromkeys((*step.needs, needed))), lags=(*lags, lag) if lag else lags)

    def let_go(self, name: str, needed: Collection[str], instead: Iterable[str] = ()) -> None:
        """Let a step need some others no more, and instead what these needed, where that is said."""
        step = self.step(name)
        needs = [one for one in dict.fromkeys((*step.needs, *instead)) if one not in needed and one != name]
        self.set(name, needs=tuple(needs), lags=tuple(lag for lag in step.lags if lag.step not in needed))

    def detach(self, gone: Collection[str]) -> tuple[str, ...]:
        """Let the steps that need some others need what these needed; return the ids of those that did."""
        needs = {step.id: step.needs for step in self.plan.steps}

        def standing(name: str, seen: frozenset[str]) -> list[str]:
            if name not in gone:
                return [name]
            return [one for need in needs.get(name, ()) if need not in seen for one in standing(need, seen | {need})]

        waiting = [step for step in self.plan.steps if step.id not in gone and set(step.needs) & set(gone)]
        for step in waiting:
            instead = [one for need in step.needs if need in gone for one in standing(need, frozenset({need}))]
            other = reached(self.plan, [need for need in step.needs if need not in gone])
            self.let_go(step.id, gone, [one for one in instead if one not in other])
        return tuple(step.id for step in waiting)

    def forget(self, name: str) -> None:
        """Take an item out, and out of what others say they answer."""
        for item in self.plan.items:
            if isinstance(item, Answering) and name in item.answers:
                self.set(item.id, answers=tuple(answer for answer in item.answers if answer != name))
        self.do(RemoveItem(name))

    # --- steps --------------------------------------------------------------------------------------------------------

    def split(self, step: Step, titles: Sequence[str]) -> tuple[str, ...]:
        """Make several steps of one, one after the other, the effort in equal parts; return their ids."""
        share = scaled(step.effort, 1 / len(titles)) if step.effort else None
        cost = replace(step.cost, amount=step.cost.amount / len(titles)) if step.cost else None
        self.set(step.id, title=titles[0], effort=share, cost=cost)
        ids = [step.id]
        for title in titles[1:]:
            part = replace(step, id=self.new_id(Step), title=title, effort=share, cost=cost, needs=(ids[-1],), lags=())
            part = replace(part, on=None, not_before=None, deadline=None, start=None, end=None, answers=())
            ids.append(self.add(part, after=ids[-1]))
        self.set(ids[-1], deadline=step.deadline)
        self.set(step.id, deadline=None if len(ids) > 1 else step.deadline)
        for other in self.plan.steps:
            if step.id in other.needs and other.id not in ids:
                lags = tuple(replace(lag, step=ids[-1]) if lag.step == step.id else lag for lag in other.lags)
                needs = tuple(ids[-1] if need == step.id else need for need in other.needs)
                self.set(other.id, needs=needs, lags=lags)
        return tuple(ids)

    def merge(self, kept: Step, others: Sequence[Step]) -> None:
        """Let one step do what several did; what needed one of these needs it."""
        gone = {step.id for step in others}
        efforts = [step.effort for step in (kept, *others) if step.effort]
        costs = [step.cost for step in (kept, *others) if step.cost]
        if len({cost.currency for cost in costs}) > 1:
            raise Unclear(f"The costs of {kept.id} and of what is merged with it are in different currencies.")
        joined = {
            field: "; ".join(dict.fromkeys(text for step in (kept, *others) if (text := getattr(step, field))))
            for field in ("outcome", "check", "notes")
        }
        needs = tuple(need for step in (kept, *others) for need in step.needs if need not in gone | {kept.id})
        effort = Effort(*(sum(getattr(one, part) for one in efforts) for part in ("low", "likely", "high")))
        self.set(
            kept.id,
            title=" and ".join([kept.title, *(_lower(step.title) for step in others)]),
            effort=effort if efforts else None,
            cost=replace(costs[0], amount=sum((cost.amount for cost in costs[1:]), costs[0].amount)) if costs else None,
            needs=tuple(dict.fromkeys(needs)),
            lags=tuple(lag for lag in kept.lags if lag.step not in gone),
            answers=tuple(dict.fromkeys(answer for step in (kept, *others) for answer in step.answers)),
            **joined,
        )
        for step in self.plan.steps:
            if step.id not in gone | {kept.id} and gone & set(step.needs):
                needs = tuple(dict.fromkeys(kept.id if need in gone else need for need in step.needs))
                self.set(step.id, needs=needs, lags=tuple(lag for lag in step.lags if lag.step not in gone))
            if step.parent in gone:
                self.set(step.id, parent=kept.id)
        for name in gone:
            self.forget(name)


def reached(plan: Plan, needs: Iterable[str]) -> frozenset[str]:
    """Return all steps that come before a step with some needs, these themselves left out."""
    by_id = {step.id: step.needs for step in plan.steps}
    seen: set[str] = set()
    ahead = [one for need in needs for one in by_id.get(need, ())]
    while ahead:
        if (name := ahead.pop()) not in seen:
            seen.add(name)
            ahead += by_id.get(name, ())
    return frozenset(seen)


def scaled(effort: Effort, factor: float) -> Effort:
    """Return an effort multiplied, in quarters of a day, never under a quarter."""
    low, likely, high = (max(0.25, round(days * factor * 4) / 4) for days in (effort.low, effort.likely, effort.high))
    return Effort(low=low, likely=likely, high=high)


def _lower(text: str) -> str:
    """Return a title to stand inside another: its first letter small, unless the word is a name or an abbreviation."""
    return text if text[1:2].isupper() or not text[1:2].isalpha() else text[:1].lower() + text[1:]
