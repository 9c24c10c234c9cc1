"""What follows from a person's facts by arithmetic: days that cannot be, sums and hours that do not fit.

    facts, today ─┬─▶ days       no such day, past, start after the end
                  ├─▶ money      two budgets, prices over the budget, price × people over the budget
                  ├─▶ hours      hours a week until the deadline against the work that is named or planned
                  ├─▶ pace       so many pages, plates, records until the deadline
                  ├─▶ notice     what takes so long that it ends after the day it is for
                  ├─▶ shares     parts of more than 100 %
                  └─▶ absolutes  "never", "100 %", "zero errors": asked what a single case may cost
    ─▶ Finding, rule reckoning.…

Each only where it is certain: a figure that may mean something else is compared with nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.plan import Step
from workbench.domain.text.cleaning import shorten
from workbench.domain.values.fact import Fact
from workbench.domain.values.units import CALENDAR_DAYS

_HOURS_A_DAY = 8
_HOURS = {"minute": 1 / 60, "hour": 1.0, "day": 8.0, "working day": 8.0}
_WEEKS = {"day": 1 / 7, "week": 1.0, "month": 52 / 12, "year": 52.0}
"""Weeks of what an amount of time is for each of."""
_PEOPLE = re.compile(
    r"\b(?:guests?|people|persons?|participants?|attendees?|employees?|visitors?|members?|students?|pupils?|children|adults)\b",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(
    r"\b(?:100 ?(?:%|per ?cent) (?:\w+ )?(?:uptime|availab\w+|satisf\w+|accura\w+|secur\w+|reliab\w+|certain\w*|safe\w*"
    r"|coverage|attendance)"
    r"|zero (?:errors?|defects?|bugs?|risks?|mistakes?|complaints?|waste|accidents?|incidents?|downtime)"
    r"|(?:no|without(?: any)?|without a single) (?:errors?|mistakes?|bugs?|defects?|risks?|complaints?)"
    r"|never (?:\w+ )?(?:fails?|breaks?|goes? wrong|be (?:late|wrong|down|offline))"
    r"|(?:everybody|everyone|all \w+) (?:must|has to|have to) (?:like|love|agree|be happy))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Told:
    facts: Sequence[Fact]
    today: date
    steps: Sequence[Step]

    def of(self, kind: str, *roles: str) -> Iterator[Fact]:
        """Yield the facts of a type, and of one of the roles where some are given."""
        return (fact for fact in self.facts if fact.type == kind and (not roles or fact.role in roles))

    @property
    def deadline(self) -> tuple[Fact, date] | None:
        """The last deadline."""
        days = [
            (fact, day) for fact in self.of("date", "deadline") if (day := day_of(fact.value.limit or fact.value.last))
        ]
        return max(days, key=lambda one: one[1], default=None)


def reckon(facts: Sequence[Fact], today: date, *, steps: Sequence[Step] = ()) -> tuple[Finding, ...]:
    """Return what cannot be or does not fit in a person's facts, each as a question to them.

    ``steps``: of a plan, whose efforts are compared with the hours there are.
    """
    told = _Told(facts, today, steps)
    return tuple(finding for rule in _RULES for finding in rule(told))


def _doubts(told: _Told) -> Iterator[Finding]:
    for fact in told.facts:
        if fact.doubt and fact.type in ("date", "amount") and not fact.doubt.endswith("is past"):
            text = f"{_quoted(fact)}: {fact.doubt.rstrip('.')}{'' if fact.doubt.endswith('?') else '.'}"
            yield _finding("date" if fact.type == "date" else "amount", text, "Say which is meant.")


def _past(told: _Told) -> Iterator[Finding]:
    for fact in told.of("date", "deadline", "on"):
        day = day_of(fact.value.limit or fact.value.last)
        if day and day < told.today and fact.doubt.endswith("is past"):
            text = f"{_quoted(fact)} is {day}, which has gone by."
            yield _finding("past", text, "Give the year, or another day.")


def _order(told: _Told) -> Iterator[Finding]:
    last = told.deadline
    for fact in told.of("date", "start"):
        day = day_of(fact.value.limit or fact.value.first)
        if last and day and day > last[1]:
            text = f"It may begin on {day} ({_quoted(fact)}) and has to be done by {last[1]} ({_quoted(last[0])})."
            yield _finding("order", text, "Move one of the two days.")


def _budgets(told: _Told) -> Iterator[Finding]:
    limits = [fact for fact in told.of("amount", "budget") if fact.value.currency and not fact.value.per]
    for first, second in pairwise(limits):
        if first.value.currency == second.value.currency and first.value.number != second.value.number:
            text = f"Two budgets are given: {_quoted(first)} and {_quoted(second)}."
            yield _finding("budgets", text, "Say which one holds, or what each is for.", "minor")


def _prices(told: _Told) -> Iterator[Finding]:
    limit = next((fact for fact in told.of("amount", "budget") if fact.value.currency and not fact.value.per), None)
    if limit is None or limit.value.number is None:
        return
    most = limit.value.up_to or limit.value.number
    prices = (fact for fact in told.of("amount", "price") if fact.value.currency == limit.value.currency)
    costs = [(_quoted(fact), cost) for fact in prices if (cost := _times(fact, told)) is not None]
    total = sum(cost for _, cost in costs)
    if costs and total > most:
        total_said, most_said = (f"{number:,.10g} {limit.value.currency}" for number in (total, most))
        text = f"{' + '.join(fact for fact, _ in costs)} is {total_said}, more than the budget of {most_said}."
        yield _finding("sum", text, "Raise the budget, or say what is left out.")


def _times(price: Fact, told: _Told) -> float | None:
    """Return what a price comes to; None where nobody knows how often it is paid."""
    number = price.value.number
    if number is None or not price.value.per:
        return number
    counts = [fact for fact in told.of("amount", "count", "target") if _PEOPLE.search(f"{fact.text} {fact.value.unit}")]
    is_known = price.value.per == "person" and len(counts) == 1 and counts[0].value.number is not None
    return number * (counts[0].value.number or 0) if is_known else None


def _hours(told: _Told) -> Iterator[Finding]:
    """Compare the hours until the deadline with the hours that are named, or that the steps take."""
    capacity = [fact for fact in told.of("capacity") if fact.value.unit in _HOURS and fact.value.per in _WEEKS]
    if len(capacity) != 1 or told.deadline is None:
        return
    fact, last = capacity[0], told.deadline[1]
    hours = (fact.value.up_to or fact.value.number or 0) * _HOURS[fact.value.unit]
    weeks = max(0, (last - told.today).days) / 7
    there = round(weeks * hours * 7 if fact.value.per == "day" else weeks * hours / _WEEKS[fact.value.per])
    begin = f"{_quoted(fact)} until {last} is {there} hours"
    named = (one for one in told.of("duration") if one.value.unit == "hour" and one.value.number)
    most = max(named, key=lambda one: one.value.number or 0, default=None)
    if most is not None and (most.value.number or 0) > there:
        text = f"{begin}, less than {_quoted(most)}."
        yield _finding("hours", text, "Move the day, give more hours, or do less.")
        return
    efforts = (step.effort.expected for step in told.steps if step.effort and step.status == "todo")
    work = round(sum(efforts) * _HOURS_A_DAY)
    if work > there:
        text = f"{begin}; the steps with an estimate alone take about {work}."
        yield _finding("hours", text, "Move the day, give more hours, share the work, or leave steps out.")


def _pace(told: _Told) -> Iterator[Finding]:
    """Say how much of many things has to be made a week, or an hour where hours are known."""
    if told.deadline is None:
        return
    last = told.deadline[1]
    counts = [(one.text, one.value.number) for one in told.of("amount") if _MADE.search(one.text)]
    named = (_MADE_OF.search(one.text) for one in told.facts if one.type != "date")
    counts += [(one[0], float(one[1].replace(",", ""))) for one in named if one]
    days = (last - told.today).days
    for text, number in counts:
        if number is None or number < _MANY or days < 1:
            continue
        pace = f"{number / days:.0f} a day" if days <= _SHORT else f"{number / days * 7:.0f} a week"
        is_much = number / days >= _MUCH
        remedy = "What is there already, and what has to be there on that day?"
        yield _finding("pace", f"“{text}” until {last} is {pace}.", remedy, "major" if is_much else "minor")


_MADE = re.compile(r"\b(?:pages|words|chapters|negatives|photo\w*|slides|records|tapes|cassettes|plates)\b")
_MADE_OF = re.compile(r"\b(\d[\d,]*)-(?:page|word|chapter)\b")
_MANY, _MUCH, _SHORT = 50, 5, 21
"""Things from which on their pace is said; things a day that are much; days up to which it is said by the day."""


def _notice(told: _Told) -> Iterator[Finding]:
    """Find what, begun today, ends on or after the next day that is named."""
    days = [(one, day_of(one.value.limit or one.value.last)) for one in told.of("date", "deadline", "on")]
    ahead = [(one, day) for one, day in days if day and day > told.today and not one.value.recurs and not one.doubt]
    for span in told.of("duration"):
        takes = any(one.start <= span.start < one.end and _TAKES.search(one.text) for one in told.facts)
        long = (span.value.number or 0) * CALENDAR_DAYS.get(span.value.unit, 0)
        if not takes or not ahead or long < _WEEK:
            continue
        named, day = max(ahead, key=lambda one: one[1])
        end = told.today + timedelta(days=round(long))
        if end >= day:
            text = f"{_quoted(span)} from today ends on {end}, and {_quoted(named)} is {day}."
            yield _finding("notice", text, "What bridges the time between, or which of them can move?")


_TAKES = re.compile(r"\b(?:notice|takes?|lead time|turnaround|delivery|waiting)\b", re.IGNORECASE)
_WEEK = 7


def _shares(told: _Told) -> Iterator[Finding]:
    shares = [fact for fact in told.of("amount") if fact.value.unit == "%" and fact.value.number]
    groups: list[list[Fact]] = []
    for fact in shares:
        if groups and fact.start - groups[-1][-1].end <= _NEAR:
            groups[-1].append(fact)
        else:
            groups.append([fact])
    clauses = [fact for fact in told.facts if fact.type not in ("date", "amount", "duration", "person", "place")]
    for group in groups:
        total = sum(fact.value.number or 0 for fact in group)
        around = " ".join(one.text for one in clauses if one.start <= group[-1].end and group[0].start <= one.end)
        if len(group) > 1 and total > _WHOLE and _SPLITS.search(around):
            named = " + ".join(_quoted(fact) for fact in group)
            yield _finding("shares", f"{named} is {total:g} %, more than the whole.", "Correct one of the shares.")


_NEAR, _WHOLE = 60, 100
_SPLITS = re.compile(
    r"\b(?:split|shares?|divid\w+|allocat\w+|distribut\w+|rest|of the (?:budget|money|time|whole|total))\b",
    re.IGNORECASE,
)


def _absolutes(told: _Told) -> Iterator[Finding]:
    seen: set[str] = set()
    for fact in told.facts:
        match = _ABSOLUTE.search(fact.text[:2_000])
        if match and match[0].casefold() not in seen:
            seen.add(match[0].casefold())
            text = f"“{match[0]}” cannot be promised: what may a single case cost, and how many are borne?"
            yield _finding("absolute", text, "Give the number that is borne, or what keeping it may cost.", "minor")


_RULES = (_doubts, _past, _order, _budgets, _prices, _hours, _pace, _notice, _shares, _absolutes)


def _finding(rule: str, text: str, remedy: str, severity: Literal["major", "minor"] = "major") -> Finding:
    return Finding(rule=f"reckoning.{rule}", severity=severity, text=text, remedy=remedy)


def _quoted(fact: Fact) -> str:
    return f"“{shorten(' '.join(fact.text.split()), 60)}”"
