"""Days that come again, and days off: whom they are for.

    Rule ─▶ days_of_rule ─▶ each day, up to ten years ahead
    DaysOff · Person ─▶ Closing: days off for everybody, for people by name, for steps by tag

A freeze that names a tag stops the steps that carry it, and nobody's other work.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from workbench.domain.plan.plan import LONGEST_SPAN, Days, DaysOff, Place, Plan, Rule, name_key
from workbench.domain.values.calendar_words import LAST_DAY, WEEKDAY_CODES, months_later, plannable_day

_STEP_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}


_FREQUENCIES: Mapping[str, Literal["day", "week", "month", "year"]] = {
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
_LONGEST_YEAR = 367


def rule_of(text: str, first: str, *, until: str | None = None) -> Rule | None:
    """Return an RRULE as a rule that begins on the first day that fits, from one on; None where none can say it."""
    parts = dict(part.split("=", 1) for part in text.upper().split(";") if "=" in part)
    every = _FREQUENCIES.get(parts.pop("FREQ", ""))
    interval, ends = parts.pop("INTERVAL", "1"), parts.pop("UNTIL", "")
    names = parts.pop("BYDAY").split(",") if "BYDAY" in parts else []
    month, number = (parts.pop(name, "0") for name in ("BYMONTH", "BYMONTHDAY"))
    parts.pop("WKST", None)
    numbers = (interval, month, number)
    if every is None or parts or not all(map(str.isdecimal, numbers)) or not set(names) <= set(WEEKDAY_CODES):
        return None
    weekdays = tuple(sorted(WEEKDAY_CODES.index(name) + 1 for name in names))
    start = _first_that_fits(date.fromisoformat(first), weekdays, int(month), int(number))
    last = re.sub(r"^(\d{4})-?(\d\d)-?(\d\d).*", r"\1-\2-\3", ends) or until
    if start is None:
        return None
    return Rule(every, start.isoformat(), int(interval) or 1, weekdays if every == "week" else (), last)


def _first_that_fits(first: date, weekdays: tuple[int, ...], month: int, number: int) -> date | None:
    for day in (first + timedelta(days=ahead) for ahead in range(_LONGEST_YEAR)):
        if day.isoweekday() in (weekdays or range(1, 8)) and month in (0, day.month) and number in (0, day.day):
            return day
    return None


def days_of_rule(rule: Rule) -> Iterator[date]:
    """Yield the days of a rule, ascending; none for what is no rule, and at most those of ten years."""
    first, until = plannable_day(rule.first), plannable_day(rule.until) if rule.until else LAST_DAY
    if first is None or until is None or rule.interval < 1 or not 1 <= rule.length <= LONGEST_SPAN:
        return
    last = min(until, first + timedelta(days=LONGEST_SPAN))
    seen: date | None = None
    for begin in _begins(rule, first, last):
        for day in (begin + timedelta(days=n) for n in range(rule.length)):
            if seen is None or day > seen:
                yield day
                seen = day


def _begins(rule: Rule, first: date, last: date) -> Iterator[date]:
    """Yield the first day of each time that a rule comes, up to a day."""
    for count in range(LONGEST_SPAN + 1):
        try:
            begin = _nth(rule, first, count * rule.interval)
        except (ValueError, OverflowError):  # beyond the calendar
            return
        if begin - timedelta(days=begin.weekday()) > last:
            return
        if rule.every == "week":
            yield from (day for day in _of_week(rule, begin, first) if day <= last)
        elif begin <= last and (rule.every == "day" or begin.day == first.day):  # no 31 January in February
            yield begin


def _nth(rule: Rule, first: date, count: int) -> date:
    if rule.every in _MONTHS:
        return months_later(first, count * _MONTHS[rule.every])
    return first + timedelta(days=count * _STEP_DAYS[rule.every])


def _of_week(rule: Rule, begin: date, first: date) -> Iterator[date]:
    """Yield the weekdays of a rule in the week of a day, none before the first."""
    monday = begin - timedelta(days=begin.weekday())
    for weekday in sorted(set(rule.weekdays)) or [begin.isoweekday()]:
        if 1 <= weekday <= 7 and (day := monday + timedelta(days=weekday - 1)) >= first:
            yield day


@dataclass(frozen=True)
class Closing:
    """On which days nobody, somebody, or nothing of a kind is done, each day with what says so."""

    everybody: Mapping[date, DaysOff] = field(default_factory=dict)
    people: Mapping[str, frozenset[date]] = field(default_factory=dict)
    """Days on which a person is away, or off, by name."""
    tags: Mapping[str, Mapping[date, DaysOff]] = field(default_factory=dict)
    """Days on which no step with a tag is done."""

    @classmethod
    def of(cls, plan: Plan) -> Closing:
        """Return the days off of a plan; dates that are none are left out, as a check names them."""
        names = {name_key(person.text) for person in plan.people}
        everybody: dict[date, DaysOff] = {}
        people: dict[str, set[date]] = defaultdict(set)
        tags: dict[str, dict[date, DaysOff]] = defaultdict(dict)
        for item in plan.items:
            if not isinstance(item, DaysOff):
                continue
            days = list(all_days(item.days, item.again))
            if not item.who:
                everybody |= dict.fromkeys(days, item)
            for who in item.who:
                if name_key(who) in names:
                    people[name_key(who)].update(days)
                else:
                    tags[who] |= dict.fromkeys(days, item)
        for person in plan.people:
            people[name_key(person.text)].update(all_days(person.away, person.away_again))
        return cls(everybody, {name: frozenset(days) for name, days in people.items()}, tags)

    def for_tags(self, tags: Iterable[str]) -> dict[date, DaysOff]:
        """Return the days on which a step with these tags is not done."""
        found: dict[date, DaysOff] = {}
        for tag in tags:
            found |= self.tags.get(tag, {})
        return found


def is_closed(place: Place, day: date) -> bool:
    """Tell whether a place is closed on a day."""
    is_weekday = not place.weekdays or day.isoweekday() in place.weekdays
    return not is_weekday or day in all_days(place.closed, place.again)


def all_days(spans: Iterable[Days], rules: Iterable[Rule] = ()) -> Iterator[date]:
    """Yield the days of some stretches and rules; one that is none, or longer than any can be, has none."""
    for span in spans:
        with suppress(ValueError):
            yield from span
    for rule in rules:
        yield from days_of_rule(rule)
