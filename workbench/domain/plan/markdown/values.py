"""How values that are more than a word are written below an item, and read: lists, rules, capacities, progress.

A part of a list that could be read as something else is written as a JSON text: ``A; "B; or C" (1200 EUR)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeVar, get_args

import msgspec

from workbench.domain.loop.limits import MOST_DAYS
from workbench.domain.plan.plan import Capacity, Progress, Rule
from workbench.domain.plan.spoken import WINDOW, read_whole
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.plain import plain_text

NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
DAY = r"\d{4}-\d\d-\d\d"

_T = TypeVar("_T")
_TIME = r"([01]?\d|2[0-4])(?::([0-5]\d))?"
_CLOCK = lazy_pattern(_TIME, re.ASCII)
_FROM_TO = lazy_pattern(rf"{_TIME} ?(?:–|-|to|until) ?{_TIME}", re.ASCII)
_HOURS = lazy_pattern(rf"({NUMBER}) ?(?:(d|days?)|h|hrs?|hours?)?(?:(?: (?:a|per) | ?/ ?)week)?", re.ASCII)
_WEEKDAY = lazy_pattern(r"(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:days?)?", re.IGNORECASE)
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_Unit = Literal["day", "week", "month", "year"]
_ADVERBS: dict[str, _Unit] = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
_RULE = lazy_pattern(
    rf"(?:({'|'.join(_ADVERBS)})|every (?:([1-9]\d{{0,3}}) )?({'|'.join(get_args(_Unit))})s?)(?: on (.+?))?"
    rf" from ({DAY})(?: (?:until|to) ({DAY}))?(?: for ([1-9]\d{{0,3}}) days?)?",
    re.ASCII,
)
_CAPACITY = lazy_pattern(r"(.+?)(?: from (.+?))?(?: (?:until|to) (.+?))?(?: in (.+?))?(?: \(([^\s()]+)\))?", re.ASCII)
_COUNT = lazy_pattern(rf"({NUMBER}) ?(?:of|/) ?({NUMBER})", re.ASCII)
_SHARE = lazy_pattern(r"(\d+(?:\.\d+)?) ?%", re.ASCII)
_JSON_TEXT = r'"(?:[^"\\]|\\.)*+"'
_PAIR = lazy_pattern(rf"({_JSON_TEXT}|[^=]*[^=\s]) ?= ?(.*)")


def number(value: float) -> str:
    """Return a number as people write it: without a point where it is whole."""
    return repr(float(value)).removesuffix(".0")


def countable(text: str) -> float | None:
    """Return a number; None for one that nobody can calculate with."""
    return value if abs(value := float(text)) <= MOST_DAYS else None


_LAG = lazy_pattern(rf"({NUMBER}) ?(?:d|(?:(calendar )|working )?days?)?", re.ASCII)


def read_lag(text: str) -> tuple[float, bool, bool] | None:
    """Return how long after something else begins, whether that is days of the calendar, and whether it is hours."""
    if match := _LAG.fullmatch(text):
        return float(match[1]), match[2] is not None, False
    length = said_in("SPAN", text)
    return length.lag if length else None


def lag(days: float, is_elapsed: bool, *, as_hours: bool = False) -> str:
    """Return a lag, or waiting, as ``2 days``, ``3 calendar days`` or, of time of the clock, ``4 hours``."""
    hours = f"{number(round(days * 24, 4))} hours"
    if is_elapsed and (days % 1 or as_hours) and (read_lag(hours) or ())[:2] == (days, True):
        return hours.removesuffix("s") if hours == "1 hours" else hours
    return f"{number(days)} {'calendar ' if is_elapsed else ''}days"


_SOME_DAYS = (date(2024, 2, 29), date(2091, 10, 3))
"""What a text says on both, it says on every day."""


def said_in(kind: str, text: str) -> Any:
    """Return the value of a kind (``spoken``) that a text is, as a command reads it; None for none.

    None, too, if it is in doubt, or is another one on other days.
    """
    if not 0 < len(text) <= WINDOW:
        return None
    found, later = (read_whole(kind, plain_text(text), day) for day in _SOME_DAYS)
    return found.value if found and found == later and not (found.doubt or found.wrong) else None


def weekly_hours(text: str) -> float | None:
    """Return hours a week."""
    match = _HOURS.fullmatch(text)
    hours = float(match[1]) * (8 if match[2] else 1) if match else -1.0
    return hours if 0 <= hours <= 168 else None


def weekdays(days: Sequence[int]) -> str:
    """Return the names of weekdays, those that no week has left out."""
    return ", ".join(_WEEKDAYS[day - 1] for day in days if 1 <= day <= 7)


def read_weekdays(text: str) -> tuple[int, ...] | None:
    """Return the days of a list of weekdays: ``Mon, Tue`` as we write them, and ``Mondays and Tuesdays``."""
    days = [_WEEKDAY.fullmatch(day) for day in re.split(r"\s*,\s*|\s+and\s+|\s+", text)]
    named = tuple(_WEEKDAYS.index(day[1].title()) + 1 for day in days if day)
    return named if len(named) == len(days) else said_in("WEEKDAYS", text)


def read_clock(text: str) -> str | None:
    """Return a time of the day as ``02:15``."""
    return _time(*match.groups()) if (match := _CLOCK.fullmatch(text)) else None


def read_from_to(text: str) -> str | None:
    """Return hours of the day as ``02:00-06:00``."""
    match = _FROM_TO.fullmatch(text)
    return f"{_time(match[1], match[2])}-{_time(match[3], match[4])}" if match else None


def read_clock_or_hours(text: str) -> str | None:
    """Return a time of the day, or hours of it."""
    return read_clock(text) or read_from_to(text)


def _time(hours: str, minutes: str | None) -> str:
    return f"{int(hours):02}:{minutes or '00'}"


def rules(values: Sequence[Rule]) -> str:
    """Return rules as ``weekly on Mon from 2027-01-04 until 2027-06-28; …``."""
    return "; ".join(map(rule, values))


def rule(value: Rule | None, day: Callable[[str], str] = str) -> str:
    """Return one rule in words; ``day`` writes its ISO dates."""
    if value is None:
        return ""
    adverb = next(adverb for adverb, unit in _ADVERBS.items() if unit == value.every)
    parts = [
        adverb if value.interval == 1 else f"every {value.interval} {value.every}s",
        f"on {days}" if (days := weekdays(value.weekdays)) else "",
        f"from {day(value.first)}",
        f"until {day(value.until)}" if value.until else "",
        f"for {value.length} days" if value.length != 1 else "",
    ]
    return " ".join(filter(None, parts))


def read_rules(text: str) -> tuple[Rule, ...] | None:
    """Return rules; None if one of them is none."""
    return _read_each(read_rule, text)


def read_rule(text: str) -> Rule | None:
    """Return a rule from its words."""
    match = _RULE.fullmatch(text)
    days = read_weekdays(match[4]) if match and match[4] else ()
    if match is None or days is None:
        return None
    unit: _Unit = _ADVERBS[match[1]] if match[1] else msgspec.convert(match[3], _Unit)
    return Rule(unit, match[5], int(match[2] or 1), days, match[6], int(match[7] or 1))


def capacities(values: Sequence[Capacity]) -> str:
    """Return capacities as ``8 h a week until 2027-06-30; 16 h a week from 2027-07-01 (D2)``."""
    return "; ".join(map(_capacity, values))


def _capacity(value: Capacity) -> str:
    parts = [
        f"{number(value.hours)} h a week",
        f"from {value.first}" if value.first else "",
        f"until {value.last}" if value.last else "",
        f"({value.decision})" if value.decision else "",
    ]
    return " ".join(filter(None, parts))


def read_capacities(text: str) -> tuple[Capacity, ...] | None:
    """Return capacities; None if one of them is none."""
    return _read_each(_read_capacity, text) or _read_each(_read_capacity, text, ",")


def _read_capacity(text: str) -> Capacity | None:
    match = _CAPACITY.fullmatch(text)
    if match is None or (hours := weekly_hours(match[1])) is None or (match[4] and (match[2] or match[3])):
        return None
    first, last = (_day(said or match[4], at) for at, said in enumerate((match[2], match[3])))
    return None if "" in (first, last) else Capacity(hours, first, last, match[5] or "")


def _day(text: str | None, at: int) -> str | None:
    """Return the first or the last day of a text as an ISO date; "" for none, None if nothing is said."""
    if text is None or re.fullmatch(DAY, text):
        return text
    days = said_in("DAY", text)
    return days[at].isoformat() if days else ""


def progress(value: Progress | None) -> str:
    """Return ``5 of 8``, or a share as ``90 %``."""
    if value is None:
        return ""
    return share(value.done) if value.of == 1 and value.done <= 1 else f"{number(value.done)} of {number(value.of)}"


def read_progress(text: str) -> Progress | None:
    """Return progress."""
    if (part := read_share(text)) is not None:
        return Progress(part)
    match = _COUNT.fullmatch(text)
    done, of = (countable(match[1]), countable(match[2])) if match else (None, None)
    if match is None:
        said: Progress | None = said_in("COUNT", text)
        return said
    return Progress(done, of) if done is not None and of is not None and done >= 0 and of > 0 else None


def share(value: float | None) -> str:
    """Return a share of 1 in hundredths, exactly."""
    return "" if value is None else f"{(Decimal(repr(float(value))) * 100).normalize():f} %"


def read_share(text: str) -> float | None:
    """Return a share of 1 from hundredths."""
    match = _SHARE.fullmatch(text)
    return value if match and (value := float(Decimal(match[1]) / 100)) <= 1 else None


def names(values: Sequence[str]) -> str:
    """Return names apart by commas."""
    return ", ".join(text if _is_plain(text) and "," not in text else _json(text) for text in values)


def read_names(text: str) -> tuple[str, ...] | None:
    """Return names; None if a JSON text is none."""
    return _read_each(read_part, text, ",")


def pairs(values: dict[str, str]) -> str:
    """Return fields of another tool as ``Sprint = 12; Team = North``."""
    return "; ".join(f"{_plain(name, '=')} = {_plain(value)}" for name, value in values.items())


def read_pairs(text: str) -> dict[str, str] | None:
    """Return fields by their names; None if one has no name."""
    found = _read_each(_read_pair, text)
    return dict(found) if found is not None else None


def _read_pair(text: str) -> tuple[str, str] | None:
    match = _PAIR.fullmatch(text)
    name, value = (read_part(match[1]), read_part(match[2])) if match else (None, None)
    return (name, value) if name is not None and value is not None else None


def pieces(text: str, mark: str = ";") -> Iterator[str]:
    """Yield the parts of a list, apart by a mark that is in no JSON text."""
    for match in re.finditer(rf"((?:(?<![^\s{mark}]){_JSON_TEXT}|[^{mark}])*+)(?:{mark}|\Z)", text):
        if piece := match[1].strip():
            yield piece


def read_part(text: str) -> str | None:
    """Return a part of a list as a text; None for a JSON text that is none."""
    if not text.startswith('"'):
        return text
    try:
        return msgspec.json.decode(text, type=str)
    except msgspec.DecodeError:
        return None


def plain_or_json(text: str, is_read_back: Callable[[str], bool]) -> str:
    """Return a text as it is where it is read back so, else as a JSON text."""
    return text if _is_plain(text) and ";" not in text and is_read_back(text) else _json(text)


def _plain(text: str, mark: str = ";") -> str:
    return plain_or_json(text, lambda plain: mark not in plain)


def _is_plain(text: str) -> bool:
    return bool(text) and text == " ".join(text.split()) and '"' not in text


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _read_each(read: Callable[[str], _T | None], text: str, mark: str = ";") -> tuple[_T, ...] | None:
    """Return what each part of a list is; None if one is nothing, or there is none."""
    values = [read(piece) for piece in pieces(text, mark)]
    known = tuple(value for value in values if value is not None)
    return known if known and len(known) == len(values) else None
