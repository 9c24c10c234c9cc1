"""Whether an item of a plan acts on a fact: in one of its typed fields, or in the words of a step or criterion."""

from __future__ import annotations

import re
from calendar import day_name
from collections.abc import Callable, Collection, Mapping
from datetime import date, timedelta
from decimal import Decimal

from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    DaysOff,
    Decision,
    Item,
    Person,
    Risk,
    Step,
    WorkingTime,
)
from workbench.domain.text.words import stem_set, stems
from workbench.domain.values.fact import Fact, FactType, Value
from workbench.domain.values.units import CALENDAR_DAYS, WORKING_DAYS

_WEEKDAYS = {name: number for number, name in enumerate(("MO", "TU", "WE", "TH", "FR", "SA", "SU"), start=1)}
_ENOUGH = 0.7
"""Share of a fact's telling words that an item has to hold to be made of it."""


def uses(item: Item, fact_id: str, fact: Fact) -> bool:
    """Tell whether an item acts on a fact: it names it, or a typed field of it holds its value."""
    if fact_id in names(item):
        return True
    rule = _RULES.get(fact.type)
    return rule is not None and rule(item, fact)


def names(item: Item) -> frozenset[str]:
    """Return the ids that an item gives as what it answers, and as where it comes from."""
    source = item.origin.source if item.origin and item.origin.kind != "file" else ""  # a file may be called G1
    return frozenset((*getattr(item, "answers", ()), *re.split(r"[,\s]+", source)))


def _date(item: Item, fact: Fact) -> bool:
    value = fact.value
    if value.recurs:
        return _recurrence(item, value)
    days = {day for day in (value.first, value.last, value.limit) if day}
    if isinstance(item, Step | Criterion) and _names_days(_said(item), value):
        return True
    match item:
        case Constraint():
            return item.day in days
        case Criterion():
            return item.due in days
        case Step():
            return bool(days & {item.not_before, item.on, item.deadline, item.started, item.finished})
        case Person() | DaysOff():
            spans = item.away if isinstance(item, Person) else item.days
            return any(span.first == value.first and span.last == value.last for span in spans)
        case _:
            return False


def _names_days(text: str, value: Value) -> bool:
    """Tell whether a text names the only day of a date, or the month that it is."""
    if value.first is None or value.last is None:
        return False
    day, last = date.fromisoformat(value.first), date.fromisoformat(value.last)
    if day != last:
        is_month = day.day == 1 and last.month == day.month and (last + timedelta(days=1)).day == 1
        return is_month and bool(re.search(rf"\b{day:%B}\b", text))
    number = rf"\b{day.day}(?:st|nd|rd|th)?\b"
    named = rf"{number}(?: (?:and|to) \d\d?)? (?:of )?{day:%B}\b|\b{day:%B} {number}|\b{day.isoformat()}\b"
    return bool(re.search(rf"(?:{named})(?!,? (?!{day.year})\d{{4}})", text))


def _recurrence(item: Item, value: Value) -> bool:
    match = re.search(r"BYDAY=([A-Z,]+)", value.recurs)
    weekdays = tuple(sorted(_WEEKDAYS[day] for day in match[1].split(",") if day in _WEEKDAYS)) if match else ()
    if isinstance(item, Step | Criterion):
        said = _said(item)
        return bool(weekdays) and all(re.search(rf"\b{day_name[day - 1]}s?\b", said) for day in weekdays)
    return isinstance(item, Person | WorkingTime) and bool(weekdays) and item.weekdays == weekdays


def _amount(item: Item, fact: Fact) -> bool:
    value = fact.value
    if value.number is None:
        return False
    if value.currency:
        numbers = {Decimal(str(number)) for number in (value.number, value.up_to) if number is not None}
        if isinstance(item, Criterion):
            return any(_says_number(f"{item.measure} {item.target}", number) for number in numbers)
        money = item.amount if isinstance(item, Constraint) else item.cost if isinstance(item, Step) else None
        return money is not None and money.currency == value.currency and money.amount in numbers
    match item:
        case Criterion():
            said = f"{item.measure} {item.target} {item.text}"
        case Constraint():
            said = item.text
        case Step():
            said = f"{item.title} {item.outcome} {item.check}"
        case _:
            return False
    written = {f"{value.number:g}" if value.number < 1e6 else str(int(value.number))}
    if value.number in range(len(_NUMBERS)):
        written |= stem_set(_NUMBERS[int(value.number)])
    return bool(written & set(stems(said))) and (value.number >= _UNLIKELY or _has_words(fact.text, said, written))


def _says_number(text: str, number: Decimal) -> bool:
    grouped = re.escape(f"{number.normalize():,f}").replace(",", "[,. ]?")
    return re.search(rf"(?<![\d.,]){grouped}(?![\d]|[.,]\d)", text) is not None


_UNLIKELY = 10
"""A number from which on it hardly stands for two things of one plan."""
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _duration(item: Item, fact: Fact) -> bool:
    value = fact.value
    if value.number is None or value.unit not in WORKING_DAYS:
        return False
    working, elapsed = (value.number * unit[value.unit] for unit in (WORKING_DAYS, CALENDAR_DAYS))
    if isinstance(item, Step):
        efforts = (item.effort.low, item.effort.likely, item.effort.high) if item.effort else ()
        held = {*efforts, item.left, item.waiting, *(lag.days for lag in item.lags)}
        if held & {working, elapsed}:
            return True
    return isinstance(item, Step | Constraint | Criterion) and _has_words(fact.text, _said(item))


def _person(item: Item, fact: Fact) -> bool:
    name = (fact.value.name or fact.text).casefold()
    known = item.text if isinstance(item, Person) else _said(item) if isinstance(item, Step | Criterion) else ""
    return bool(name) and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", known.casefold()))


def can_use(item: Item, kind: FactType) -> bool:
    """Tell whether an item can be about a fact of words: it makes or measures a thing, or rules one out."""
    is_scope = isinstance(item, Bullet) and item.priority is not None
    if kind == "deliverable":
        return is_scope or isinstance(item, Step | Criterion | Decision)
    is_limit = isinstance(item, Constraint | Criterion | Decision | Risk)
    is_excluded = isinstance(item, Bullet) and item.priority == "won't"
    return is_limit or is_excluded or (kind == "condition" and isinstance(item, Step | Person))


def _said(item: Item) -> str:
    match item:
        case Step():
            return f"{item.title} . {item.outcome} . {item.check} . {item.owner}"
        case Criterion():
            return f"{item.text} . {item.measure} . {item.target}"
        case Decision():
            return f"{item.text} . {item.reason}"
        case _:
            return item.text


def _has_words(fact: str, said: str, besides: Collection[str] = ()) -> bool:
    telling = set(stems(fact)).difference(besides)
    return bool(telling) and len(telling & set(stems(said))) >= _ENOUGH * len(telling)


def _wording(item: Item, fact: Fact) -> bool:
    is_user = isinstance(item, _HAVE_PLACES) if fact.type == "place" else can_use(item, fact.type)
    return is_user and _has_words(fact.text, _said(item))


_HAVE_PLACES = (Step, Constraint, Criterion, Decision)
_RULES: Mapping[str, Callable[[Item, Fact], bool]] = {
    "date": _date,
    "amount": _amount,
    "duration": _duration,
    "capacity": lambda item, fact: isinstance(item, Person) and item.hours == fact.value.number is not None,
    "person": _person,
    **dict.fromkeys(("place", "deliverable", "exclusion", "condition", "quality"), _wording),
}
