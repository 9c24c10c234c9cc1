"""Days that come again, and days off: whom they are for.

    Rule ─▶ days_of_rule ─▶ each day, up to ten years ahead
    DaysOff · Person · Place ─▶ Closing: days off for everybody, for people by name, for steps by tag, of places

A freeze that names a tag stops the steps that carry it, and nobody's other work.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from msgspec import Struct, field

from workbench.domain.plan.plan import LONGEST_SPAN, Days, DaysOff, Person, Place, Plan, Rule, name_key
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import LAST_DAY, WEEKDAY_CODES, months_later, plannable_day

_LEAST_DAYS = {"day": 1, "week": 7, "month": 28, "year": 365}
_MONTHS = {"month": 1, "year": 12}


_FREQUENCIES: Mapping[str, Literal["day", "week", "month", "year"]] = {
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
_LONGEST_YEAR = 367
_NTH = lazy_pattern(rf"\+?([1-5])({'|'.join(WEEKDAY_CODES)})")


def rule_of(text: str, first: str, *, until: str | None = None) -> Rule | None:
    """Return an RRULE as a rule that begins on the first day that fits, from one on; None if none can say it."""
    parts = dict(part.split("=", 1) for part in text.upper().split(";") if "=" in part)
    every = _FREQUENCIES.get(parts.pop("FREQ", ""))
    interval, ends = parts.pop("INTERVAL", "1"), parts.pop("UNTIL", "")
    names = parts.pop("BYDAY").split(",") if "BYDAY" in parts else []
    nth = 0
    if every == "month" and (of_month := _NTH.fullmatch(",".join(names))):
        nth, names = int(of_month[1]), [of_month[2]]
    month, number = (parts.pop(name, "0") for name in ("BYMONTH", "BYMONTHDAY"))
    parts.pop("WKST", None)
    numbers = (interval, month, number)
    is_unclear = parts or (names and not nth and every in _MONTHS)  # every Thursday of a month
    if every is None or is_unclear or not all(map(str.isdecimal, numbers)) or not set(names) <= set(WEEKDAY_CODES):
        return None
    weekdays = tuple(sorted(WEEKDAY_CODES.index(name) + 1 for name in names))
    start = _first_that_fits(date.fromisoformat(first), weekdays, int(month), int(number), nth)
    last = re.sub(r"^(\d{4})-?(\d\d)-?(\d\d).*", r"\1-\2-\3", ends) or until
    if start is None:
        return None
    return Rule(every, start.isoformat(), int(interval) or 1, weekdays if every == "week" or nth else (), last)


def _first_that_fits(first: date, weekdays: tuple[int, ...], month: int, number: int, nth: int) -> date | None:
    for day in (first + timedelta(days=ahead) for ahead in range(_LONGEST_YEAR)):
        if nth not in (0, _nth(day)):
            continue
        if day.isoweekday() in (weekdays or range(1, 8)) and month in (0, day.month) and number in (0, day.day):
            return day
    return None


def _nth(day: date) -> int:
    """Return which of its weekdays a day is in its month, 1 to 5."""
    return (day.day - 1) // 7 + 1


def days_of_rule(rule: Rule) -> Iterator[date]:
    """Yield the days of a rule, ascending; none for what is not a rule, and at most those of ten years."""
    first, until = plannable_day(rule.first), plannable_day(rule.until) if rule.until else LAST_DAY
    if first is None or until is None or rule.interval < 1 or not 1 <= rule.length <= LONGEST_SPAN:
        return
    if rule.weekdays and rule.every != "week" and (rule.every != "month" or rule.weekdays != (first.isoweekday(),)):
        return
    last = min(until, first + timedelta(days=LONGEST_SPAN))
    after = 0  # the last day so far: what begins again before it ends repeats none
    for begin in _begins(rule, first, last):
        end = begin + rule.length
        yield from map(date.fromordinal, range(max(begin, after), end))
        after = max(after, end)


def _begins(rule: Rule, first: date, last: date) -> Iterable[int]:
    """Return the first day of each time that a rule comes, up to a day, as ordinals that ascend."""
    begin, end = first.toordinal(), last.toordinal() + 1
    if rule.every == "day":
        return range(begin, end, rule.interval)
    if rule.every == "week":
        monday = begin - first.weekday()
        weekdays = {day for day in rule.weekdays if 1 <= day <= 7} if rule.weekdays else {first.isoweekday()}
        weeks = (range(monday + weekday - 1, end, 7 * rule.interval) for weekday in weekdays)
        return sorted(day for week in weeks for day in week if day >= begin)
    return _of_months(first, last, rule.interval * _MONTHS[rule.every], by_weekday=bool(rule.weekdays))


def _of_months(first: date, last: date, months: int, *, by_weekday: bool) -> Iterator[int]:
    for count in range(0, LONGEST_SPAN, months):
        try:
            begin = months_later(first, count)
        except ValueError:  # beyond the calendar
            return
        if by_weekday:  # the first Thursday, as the first day is one; not every month has a fifth one
            early = begin.replace(day=1)
            begin = early + timedelta(days=(first.weekday() - early.weekday()) % 7 + 7 * (_nth(first) - 1))
            if begin.month != early.month:
                continue
        if begin > last:
            return
        if by_weekday or begin.day == first.day:  # no 31 January in February
            yield begin.toordinal()


MOST_DAYS = 300_000
"""Days off of one plan that are calculated with, counted for each whom they are for: ten years of Sundays are 520."""


class Closing(Struct, frozen=True):
    """On which days nobody, somebody, or nothing of a kind is done, each day with what says so."""

    everybody: Mapping[date, DaysOff] = field(default_factory=dict)
    people: Mapping[str, frozenset[date]] = field(default_factory=dict)
    """Days on which a person is away, or off, by name."""
    again: Mapping[str, frozenset[date]] = field(default_factory=dict)
    """Those of them that come again every few days, weeks or months, by name; for everybody by ""."""
    tags: Mapping[str, Mapping[date, DaysOff]] = field(default_factory=dict)
    """Days on which no step with a tag is done."""
    places: Mapping[str, frozenset[date]] = field(default_factory=dict)
    """Days on which a place is closed, by id; its weekdays aside."""
    items: tuple[tuple[DaysOff, frozenset[date]], ...] = ()
    """The days of each item, for whomever."""
    left_out: frozenset[str] = frozenset()
    """Ids of what has so many days that they are not calculated with, as a check says."""

    @classmethod
    def from_plan(cls, plan: Plan) -> Closing:
        """Return the days off of a plan; dates that are none are left out, as a check names them."""
        return _closing(tuple([item for item in plan.items if isinstance(item, DaysOff | Person | Place)]))

    def tagged(self, day: date, tags: Iterable[str]) -> DaysOff | None:
        """Return what says that a step with these tags is not done on a day, the last if several do."""
        found = [off for tag in tags if (off := self.tags.get(tag, {}).get(day))]
        return found[-1] if found else None

    def is_closed(self, place: Place, day: date) -> bool:
        """Tell whether a place is closed on a day."""
        is_weekday = not place.weekdays or day.isoweekday() in place.weekdays
        return not is_weekday or day in self.places.get(place.id, ())


@lru_cache(maxsize=8)  # one plan is asked several times, with the same days
def _closing(items: tuple[DaysOff | Person | Place, ...]) -> Closing:
    names = {name_key(item.text) for item in items if isinstance(item, Person)}
    everybody: dict[date, DaysOff] = {}
    people: dict[str, set[date]] = defaultdict(set)
    again: dict[str, set[date]] = defaultdict(set)
    tags: dict[str, dict[date, DaysOff]] = defaultdict(dict)
    places: dict[str, frozenset[date]] = {}
    of_items: list[tuple[DaysOff, frozenset[date]]] = []
    left_out, held = set(), 0
    for item in items:
        if held + (many := _most_days(item, len(names))) > MOST_DAYS:
            left_out.add(item.id)
            of_items += [(item, frozenset())] if isinstance(item, DaysOff) else []
            continue
        held += many
        if isinstance(item, Person):
            people[name_key(item.text)].update(all_days(item.away, item.away_again))
            again[name_key(item.text)].update(_regular(item.away_again))
        elif isinstance(item, Place):
            places[item.id] = frozenset(all_days(item.closed, item.again))
        else:
            days = frozenset(all_days(item.days, item.again))
            of_items.append((item, days))
            if not item.who:
                everybody |= dict.fromkeys(days, item)
                again[""].update(_regular(item.again))
            for who in whom(item, names):
                if name_key(who) in names:
                    people[name_key(who)].update(days)
                    again[name_key(who)].update(_regular(item.again))
                else:
                    tags[who] |= dict.fromkeys(days, item)
    away = {name: frozenset(days) for name, days in people.items()}
    regular = {name: frozenset(days) for name, days in again.items()}
    return Closing(everybody, away, regular, dict(tags), places, tuple(of_items), frozenset(left_out))


def _regular(rules: Iterable[Rule]) -> Iterator[date]:
    """Return the days of rules that come again within a year: no holidays."""
    return all_days((), (rule for rule in rules if rule.every != "year"))


def whom(item: DaysOff, people: Container[str]) -> Iterator[str]:
    """Yield whom days off are for; "A and B" are two if both are people of the plan, by ``name_key``."""
    for who in item.who:
        parts = who.split(" and ")
        yield from parts if all(name_key(part) in people for part in parts) else [who]


def _most_days(item: DaysOff | Person | Place, people: int) -> int:
    """Return how many days an item has at most, for each whom they are for."""
    if isinstance(item, Person):
        return LONGEST_SPAN * len(item.capacity) + _most(item.away, item.away_again)
    if isinstance(item, Place):
        return _most(item.closed, item.again)
    return (len(item.who) or people + 1) * _most(item.days, item.again)


def _most(spans: Iterable[Days], rules: Iterable[Rule]) -> int:
    return sum(map(_length, spans)) + sum(map(_most_of_rule, rules))


def _length(span: Days) -> int:
    first, last = plannable_day(span.first), plannable_day(span.last)
    return (last - first).days + 1 if first and last and last >= first else 0


def _most_of_rule(rule: Rule) -> int:
    period = _LEAST_DAYS[rule.every] * max(1, rule.interval)
    return min(LONGEST_SPAN, (LONGEST_SPAN // period + 1) * max(1, len(rule.weekdays)) * max(1, rule.length))


def all_days(spans: Iterable[Days], rules: Iterable[Rule] = ()) -> Iterator[date]:
    """Yield the days of some stretches and rules; one that is none, or longer than any can be, has none."""
    for span in spans:
        with suppress(ValueError):
            yield from span
    for rule in rules:
        yield from days_of_rule(rule)
