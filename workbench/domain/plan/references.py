"""References in prose: what stands for a date or a sum of the plan, so that there is one set of dates and sums.

    {S12.start}  {S12.end}     a day: ``Fri 19 Mar``        {S12.slack}  {K1.slack}    ``3 working days``
    {S12.by}  {K1.day}         its deadline, a set day      {S12.cost}                 ``1,200 EUR``
    {D1.latest}                the last day of a decision   {plan.ready}   the day on which the last step ends
    {money.total} {money.left} sums, one a currency         {plan.tightest}   the step that can slip least, and how far
    {money.reserve}            what of them is kept back
    {money.uncovered}          what has to be paid and no fund pays; it is in no total
    {money.optional}           what can be left out, and is in no total
    {M1.total} {M1.left} {M1.reserve}   the same of a fund

A step's slack: how far it can slip before the plan ends later. That of a date constraint, or of a criterion: from the
end of what meets it to its day.

The list is closed. A reference that is not in it, or names an item that is not there, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.figures import Figures, StepFigures, figures
from workbench.domain.plan.money import Limit, fund_limits, left_out_of, money_text, paid_by, whole_limits
from workbench.domain.plan.plan import Constraint, Criterion, Decision, Fund, Item, Money, Plan, Section, Step
from workbench.domain.plan.scheduling.calendar import day_of, working_days_between
from workbench.domain.plan.scheduling.plan_day import named_by
from workbench.domain.plan.scheduling.work_times import WorkTimes
from workbench.domain.text.languages import ENGLISH, NO_SIGNS, Language
from workbench.domain.text.patterns import lazy_pattern

_NOTHING = "nothing"
_REFERENCE = lazy_pattern(r"\{([A-Z]\d{1,9}|money|plan)\.([a-z]+)\}(\.?)", re.ASCII)
_PLAIN_FIELDS = frozenset({"id", "parent", "fund", "place"})
"""Texts of items that name other items, and are no prose."""
_FIELDS: Mapping[type, tuple[str, ...]] = {
    Step: ("start", "end", "by", "slack", "cost"),
    Criterion: ("slack",),
    Constraint: ("day", "slack"),
    Decision: ("latest",),
    Fund: ("total", "left", "reserve"),
}
"""What references to an item can ask for."""


class UnknownReference(Struct, frozen=True):
    """A reference that nothing of the plan answers to."""

    reference: str
    """As it is written: ``{S99.end}``."""
    section: str
    """Id of the section in whose prose it stands."""
    item: str | None
    """Id of the item; None for the section's own text."""


def filled(text: str, plan: Plan, language: Language = ENGLISH, signs: Mapping[str, str] = NO_SIGNS) -> str:
    """Return a text with the values of a plan for its references; the same text if it has none.

    ``signs``: signs or words that replace the names of currencies, by ISO 4217: ``£1,200``.

    >>> filled("Open on {plan.ready}, {S99.end}.", plan)
    'Open on Wed 31 Mar 2027, {S99.end}.'
    """
    return _Values(plan, language, signs).filled(text)


def filler(plan: Plan) -> Callable[[str], str]:
    """Return ``filled`` for many texts and one plan, which is calculated once."""
    return _Values(plan).filled


def with_references(plan: Plan) -> Plan:
    """Return a plan as it is shown: each reference in its prose has its value. The same plan if it has none."""
    values = _Values(plan)
    sections = tuple(_filled_section(section, values.filled) for section in plan.sections)
    shown = replace(plan, title=values.filled(plan.title), sections=sections)
    return plan if shown == plan else shown


def unknown_references(plan: Plan) -> tuple[UnknownReference, ...]:
    """Return the references in a plan's prose that nothing answers to, in the order of the plan."""
    found: list[UnknownReference] = []
    values = _Values(plan)
    for section in plan.sections:
        places = [(None, section.text), *((item.id, text) for item in section.items for text in _texts(item))]
        found += [
            UnknownReference(match[0].removesuffix("."), section.id, name)
            for name, text in places
            for match in _REFERENCE.finditer(text)
            if values.getter(match[1], match[2]) is None
        ]
    return tuple(found)


def weekday_and_day(day: date, beside: date | None = None) -> str:
    """Return a day with its weekday: ``Fri 19 Mar 2027``; without the year if that is the year of ``beside``."""
    return ENGLISH.day_text(day, beside)


def reference_value_lines(plan: Plan) -> Iterator[str]:
    """Yield what references there are, for who writes with them: values of the whole and of funds, then of each kind.

    What is beside a step in the plan is not told again: ``{S1.start} {S1.end} … of this and every other step``.
    """
    values = _Values(plan)
    names: list[tuple[str, tuple[str, ...]]] = [
        ("plan", ("ready", "tightest")),
        ("money", ("total", "left", "reserve", "uncovered", "optional")),
    ]
    names += [(item.id, _FIELDS[Fund]) for item in plan.items if isinstance(item, Fund)]
    for name, fields in names:
        told = ((f"{{{name}.{field}}}", values.value(name, field)) for field in fields)
        if line := " · ".join(f"{reference} {value}" for reference, value in told if value not in ("", _NOTHING)):
            yield line
    firsts = {type(one): one.id for one in reversed(plan.items) if not isinstance(one, Constraint) or one.by}
    kinds = {Step: "step", Criterion: "criterion", Constraint: "date constraint", Decision: "decision"}
    for kind, called in kinds.items():
        if kind in firsts:
            offered = " ".join(f"{{{firsts[kind]}.{field}}}" for field in _FIELDS[kind])
            yield f"{offered} of this and every other {called}"


def values_used(plan: Plan) -> str:
    """Return what the references in a plan's prose stand for, each once: ``{S1.end} Fri 19 Mar · …``; "" for none."""
    values = _Values(plan)
    texts = (text for section in plan.sections for text in (section.text, *map("\n".join, map(_texts, section.items))))
    found = dict.fromkeys(match[0].removesuffix(".") for text in texts for match in _REFERENCE.finditer(text))
    return " · ".join(f"{one} {told}" for one in found if (told := values.filled(one)) != one)


class _Values:
    """What the references of one plan stand for. Nothing is calculated before a text has one."""

    def __init__(self, plan: Plan, language: Language = ENGLISH, signs: Mapping[str, str] = NO_SIGNS) -> None:
        self._plan, self._language, self._signs = plan, language, signs
        self._known: dict[tuple[str, str], str | None] = {}
        """Values of references that were met, each calculated once; None for an unknown one."""

    def filled(self, text: str) -> str:
        if "{" not in text:
            return text
        unit = self._language.working_day[1]
        return _REFERENCE.sub(self._shown, text).replace(f"{unit} {unit}", unit)  # who wrote it said the unit, too

    def value(self, name: str, field: str) -> str:
        """Return the value of a reference; "" if the plan does not know it, or the reference."""
        getter = self.getter(name, field)
        return getter() if getter else ""

    def _shown(self, match: re.Match[str]) -> str:
        reference = (match[1], match[2])
        if reference not in self._known:
            getter = self.getter(*reference)
            self._known[reference] = None if getter is None else getter() or self._language.unknown
        value = self._known[reference]
        if value is None:
            return match[0]
        has_dot = value.endswith(".")  # “15. Jan.” ends with one, and so does the sentence
        return value if has_dot else f"{value}{match[3]}"

    def getter(self, name: str, field: str) -> Callable[[], str] | None:
        """Return what calculates the value of a reference; None for an unknown one."""
        if name == "money":
            return {
                "total": self._total,
                "left": self._left,
                "reserve": self._reserve,
                "uncovered": self._uncovered,
                "optional": self._optional,
            }.get(field)
        if name == "plan":
            return {"ready": self._ready, "tightest": self._tightest}.get(field)
        item = self._items.get(name)
        if field not in _FIELDS.get(type(item), ()):
            return None
        match item:
            case Constraint() if field == "day":
                return lambda: self._day(item.by)
            case Criterion() | Constraint():
                return lambda: self._days_before(item)
            case Fund():
                return lambda: self._of_fund(name, field)
            case Decision():
                return lambda: self._day(item.latest)
            case Step() if field == "by":
                return lambda: self._day(item.deadline)
            case _:
                return lambda: self._step(name, field)

    @cached_property
    def _items(self) -> Mapping[str, Item]:
        return {item.id: item for item in reversed(self._plan.items)}

    @cached_property
    def _steps(self) -> Mapping[str, StepFigures]:
        return {step.step: step for step in reversed(self._figures.steps)}

    @cached_property
    def _figures(self) -> Figures:
        return figures(self._plan)

    def _ready(self) -> str:
        return self._language.day_text(self._figures.finish) if self._figures.finish else ""

    def _tightest(self) -> str:
        step = tightest(self._plan, self._figures)
        if step is None or step.slack is None:
            return ""
        return f"{step.title}, {self._language.count_text(step.slack)}"

    def _total(self) -> str:
        return self._sums(self._figures.costs.totals)

    def _uncovered(self) -> str:
        return self._sums(self._figures.costs.uncovered) or _NOTHING

    def _optional(self) -> str:
        return self._sums(left_out_of(self._plan)) or _NOTHING

    def _left(self) -> str:
        return self._left_of(whole_limits(self._plan))

    def _reserve(self) -> str:
        reserves: dict[str, Decimal] = {}
        for limit in fund_limits(self._plan):
            reserves[limit.most.currency] = reserves.get(limit.most.currency, Decimal(0)) + limit.reserve
        return self._sums(Money(amount, currency) for currency, amount in reserves.items() if amount)

    def _sums(self, sums: Iterable[Money]) -> str:
        return " and ".join(map(self._money, sums))

    def _money(self, money: Money) -> str:
        return self._language.sum_text(money_text(money), self._signs)

    def _left_of(self, limits: Iterable[Limit]) -> str:
        """Return what limits leave, what is kept back as a reserve included."""
        return self._sums(Money(-limit.over, limit.most.currency) for limit in limits)

    def _of_fund(self, name: str, field: str) -> str:
        if field == "total":
            return self._sums(paid_by(self._plan, name))
        limits = [limit for limit in fund_limits(self._plan) if limit.constraint == name]
        if field == "left":
            return self._left_of(limits)
        return self._sums(Money(limit.reserve, limit.most.currency) for limit in limits if limit.reserve)

    def _step(self, name: str, field: str) -> str:
        step = self._steps[name]
        match field:
            case "slack":
                if step.slack is not None:
                    return self._language.count_text(step.slack)
                return self._language.fixed if step.start and self._is_on_a_day(name) else ""
            case "cost":
                return "" if step.cost is None else self._money(step.cost)
            case _:
                day = step.start if field == "start" else step.end
                return "" if day is None else self._language.day_text(day, self._figures.finish)

    def _is_on_a_day(self, name: str) -> bool:
        item = self._items[name]
        return isinstance(item, Step) and item.on is not None and item.status != "done"

    def _day(self, written: str | None) -> str:
        day = day_of(written)
        return "" if day is None else self._language.day_text(day, self._figures.finish)

    def _days_before(self, item: Criterion | Constraint) -> str:
        """Return the working days to an item's day: from what is held to it, if it is the one that the plan is for.

        Else from the last step that answers it; "" if none does.
        """
        told, due = self._figures, day_of(item.due if isinstance(item, Criterion) else item.by)
        is_of_plan = due is not None and due == told.deadline and item in named_by(self._plan, due)
        if is_of_plan and told.slack_days is not None:
            return self._language.count_text(told.slack_days)
        answering = {step.id for step in self._plan.steps if item.id in step.answers and step.status != "dropped"}
        ends = [step.end for step in told.steps if step.step in answering and step.end]
        last = max(ends, default=None)
        if last is None or due is None:
            return ""
        try:
            return self._language.count_text(working_days_between(last, due, WorkTimes.from_plan(self._plan).own))
        except PlanUnsound:
            return ""


def tightest(plan: Plan, told: Figures) -> StepFigures | None:
    """Return the open step that can slip least, of what is done in any case; None if none can slip."""
    wholes = {step.part_of for step in told.steps}
    conditional = {step.id for step in plan.steps if step.condition}
    some = (step for step in told.steps if step.slack is not None and step.step not in wholes | conditional)
    return min((step for step in some if step.status not in ("done", "dropped")), key=_slack, default=None)


def _slack(step: StepFigures) -> int:
    return step.slack or 0


def working_days(count: int) -> str:
    """Return a number of working days in words: ``3 working days``, ``−1 working day``."""
    return ENGLISH.count_text(count)


def _texts(item: Item) -> Iterator[str]:
    """Yield the texts of an item that are prose."""
    yield from _prose(item).values()
    if isinstance(item, Decision):
        yield from (option.text for option in item.options)


def _prose(item: Item) -> dict[str, str]:
    fields = ((name, getattr(item, name)) for name in item.__struct_fields__ if name not in _PLAIN_FIELDS)
    return {name: text for name, text in fields if isinstance(text, str) and "{" in text}


def _filled_section(section: Section, fill: Callable[[str], str]) -> Section:
    items = tuple(_filled_item(item, fill) for item in section.items)
    return replace(section, text=fill(section.text), items=items)


def _filled_item(item: Item, fill: Callable[[str], str]) -> Item:
    changed: dict[str, Any] = {name: fill(text) for name, text in _prose(item).items()}
    if isinstance(item, Decision) and any("{" in option.text for option in item.options):
        options = tuple(replace(option, text=fill(option.text)) for option in item.options)
        return replace(item, options=options, **changed)
    return replace(item, **changed) if changed else item
