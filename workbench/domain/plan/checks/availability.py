"""When people can work, as their line says it: "Mondays only", "20 hours a week", "on leave 3 to 14 May"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from msgspec.structs import replace

from workbench.domain.plan.checks.days import days_in, with_whole_dates
from workbench.domain.plan.checks.quantities import NUMBER_WORDS, count_of
from workbench.domain.plan.plan import Days, Item, Person

_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?"
_WEEKDAYS = re.compile(
    rf"\b{_DAY}(?:(?:, ?| ?(?:and|or|&|/) ?| ?(?:–|-) ?| to ){_DAY})*(?: (?:morning|afternoon|evening)s?)?\b",
    re.IGNORECASE,
)
_REGULAR = re.compile(r"days\b|\bonly\b|\bevery\b|\beach\b", re.IGNORECASE)
"""Words with which weekdays are those of every week."""
_NOT_THEN = re.compile(r"\b(?:not|never|no|except|off|away|free|without)\b|n['’]t\b", re.IGNORECASE)
_COUNT = rf"(?P<count>\d+(?:[.,]\d+)?|an?|{NUMBER_WORDS})"
_HOURS = re.compile(rf"\b{_COUNT} ?(?P<unit>h|hours?|days?) (?:a|per|each|every|/) ?week\b", re.IGNORECASE)
_SHARE = re.compile(r"\b(?P<share>\d{1,2}) ?(?:%|per ?cent)", re.IGNORECASE)
_HALF = re.compile(
    r"\bhalf[- ](?:time|days?)\b|\b(?:mornings|afternoons) only\b|\bonly (?:mornings|in the mornings?)\b"
)
_FULL_WEEK, _FULL_DAY = 40.0, 8.0
_IS_AWAY = re.compile(
    r"\b(?:away|absent|abroad|on (?:leave|holiday|vacation)|unavailable|not (?:here|there|available))\b",
    re.IGNORECASE,
)
_LEAVES = re.compile(r"\b(?:leaves|retires|until|till|(?:contract|term) (?:ends|runs out)|last day)\b", re.IGNORECASE)
_JOINS = re.compile(r"\b(?:from|joins|starts|begins|not before)\b", re.IGNORECASE)
_FOR_GOOD = timedelta(days=3_000)


def with_stated_hours(item: Item, today: date) -> Item:
    """Return a person with the working time of their words, where their fields say none; other items as they are."""
    if not isinstance(item, Person):
        return item
    words = f"{item.text}, {item.role}"
    away = item.away or _away(words, today)
    if item.hours is not None or item.weekdays:
        return replace(item, away=away)
    return replace(item, weekdays=_weekdays(words), hours=_hours(words), away=away)


def _away(words: str, today: date) -> tuple[Days, ...]:
    for clause in re.split(r"[;(]", with_whole_dates(words)):
        days = sorted(days_in(clause, today))
        if not days:
            continue
        first, last = days[0], days[-1]
        if _IS_AWAY.search(clause):
            return (Days(first.isoformat(), last.isoformat()),)
        if len(days) == 1 and _LEAVES.search(clause):
            return (Days((first + timedelta(days=1)).isoformat(), (first + _FOR_GOOD).isoformat()),)
        if len(days) == 1 and _JOINS.search(clause) and first > today:
            return (Days(today.isoformat(), (first - timedelta(days=1)).isoformat()),)
    return ()


def _weekdays(words: str) -> tuple[int, ...]:
    for clause in re.split(r"[.;(]", words):
        match = _WEEKDAYS.search(clause)
        if match is None or not _REGULAR.search(clause):
            continue
        days = {_number(name) for name in re.findall(_DAY, match[0], re.IGNORECASE)}
        if re.search(r"–|-| to ", match[0]) and len(days) == 2:
            first, last = sorted(days)
            days = set(range(first, last + 1))
        is_negated = _NOT_THEN.search(clause[: match.start()]) or re.match(r" (?:off|free)\b", clause[match.end() :])
        return tuple(sorted({1, 2, 3, 4, 5} - days if is_negated else days))
    return ()


def _number(name: str) -> int:
    return _DAY_NAMES.index(name[:3].lower()) + 1


def _hours(words: str) -> float | None:
    if match := _HOURS.search(words):
        count = float(match["count"].replace(",", ".")) if match["count"][0].isdigit() else count_of(match["count"])
        return count * (_FULL_DAY if match["unit"].lower().startswith("d") else 1)
    if match := _SHARE.search(words):
        return _FULL_WEEK * int(match["share"]) / 100
    return _FULL_WEEK / 2 if _HALF.search(words) else None
