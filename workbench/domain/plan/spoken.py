"""Values at a place of a text: how far each one goes, and what it is.

    "by 3 May needs S1"      ──DAY──▶  3 May 2027, "3 May"         what follows is for the grammar
    "takes 1-2-4d by Friday" ──WORK───▶ 1, 2 and 4 working days, "1-2-4d"

What a date, a length of time, an amount or a share is, ``domain/values`` says alone. Short forms that only a command
has ("8/week", "W06", "5mo") are spelled out before it reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.loop.limits import MOST_DAYS
from workbench.domain.plan.plan import Days, Effort, Money, Progress
from workbench.domain.plan.scheduling.recurrence import rule_of
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.amounts import read_amounts
from workbench.domain.values.calendar_words import WEEKDAY_CODES, WEEKDAYS, spoken_day
from workbench.domain.values.clock import time_after
from workbench.domain.values.days import Span
from workbench.domain.values.distances import expression_at
from workbench.domain.values.named_value import NamedValue
from workbench.domain.values.numbers import Number, single_at
from workbench.domain.values.ranges import several_days
from workbench.domain.values.recurrences import recurrence_at
from workbench.domain.values.units import CALENDAR_DAYS, WORKING_DAYS

WINDOW = 100
"""Characters of a text in which a value ends."""
_LONG_AGO, _SOON = timedelta(days=120), timedelta(days=30)
_ALONE = frozenset(f"q{number}" for number in range(1, 5))
_WEEK = lazy_pattern(r"\Aw(?=\d{1,2}(?!\w|-\d))")
_MONTHS = lazy_pattern(r"\A(?P<number>\d[\d.,-]*)\s?mo\b")
_HOURS = lazy_pattern(r"\A(?P<number>\d[\d.,]*)\s?(?=/|(?:an?|per)\s)")
_THREE = lazy_pattern(r"(?P<low>\d[\d.,]*)-(?P<likely>\d[\d.,]*)-(?P<high>\d[\d.,]*)\s?(?P<unit>[a-z]+)")
_OF = lazy_pattern(r"\s?(?:of|/)\s?")
_TURNED = "These days end before they begin: say the first one first, with its month."
_UP_TO = r"(?:\s?-\s?|\s(?:to|until|till|bis)\s)"
_FROM_DAY_TO_DAY = lazy_pattern(rf"(\d{{1,2}})(?:st|nd|rd|th|\.)?{_UP_TO}\d{{1,2}}\.?(?:st|nd|rd|th)?\s?[a-z]")
_WEEK_NUMBER = r"(?:w|kw\s?|cw\s?|week\s)(\d{1,2})"
_FROM_WEEK_TO_WEEK = lazy_pattern(rf"{_WEEK_NUMBER}{_UP_TO}{_WEEK_NUMBER}(?!\w)")
_LONG_WEEKDAYS = {name[:2]: name for name in WEEKDAYS if name.endswith("tag") or name == "mittwoch"}
_SHORT_WEEKDAY = lazy_pattern(r"\A(mo|di|mi|do|fr|sa|so)\b\.?(?=,?\s?\d|\s?-|\s?\Z)")
_SHORT_WEEKDAYS = lazy_pattern(r"\b(?:mo|di|mi|do|fr|sa|so)\b|\sbis\s")
_MANY_HOURS = lazy_pattern(r"\A(?P<number>\d{1,3}(?:,\d{3})+)\s?h\b")
_AND = lazy_pattern(r"\s(?:and\s)?(?=\d|an?\s|[a-z]+\s)")
_FRACTION = lazy_pattern(
    r"(?P<count>an?|one|two|three)[\s-](?P<part>quarter|third)s?(?!\w)|half(?=\s(?:done|finished)\b|\Z)"
)
_PARTS = {"a": 1, "one": 1, "two": 2, "three": 3, "quarter": 4, "third": 3}
_SLASH = lazy_pattern(r"(\d{1,6})\s?/\s?(\d{1,6})(?![\d/.,])")
_LATE = lazy_pattern(r"\s?late(?!\w)")
_TO = lazy_pattern(r"\s?-\s?|\s(?:to|until|till)\s")


class Length(Struct, frozen=True):
    """A length of time."""

    number: float
    unit: str
    """As ``WORKING_DAYS`` names it."""
    up_to: float | None = None
    is_more: bool = False
    """Whether it is said to come on top, or to be left: "3 more days"."""
    is_calendar: bool = False
    """Whether "calendar" is said."""
    further: Length | None = None
    """What is added in a smaller unit: "1w 2d"."""

    @property
    def working(self) -> float:
        """It in working days."""
        return round(self.number * WORKING_DAYS[self.unit] + (self.further.working if self.further else 0), 6)

    @property
    def calendar(self) -> float:
        """It in days of the calendar."""
        return round(self.number * CALENDAR_DAYS[self.unit] + (self.further.calendar if self.further else 0), 6)

    @property
    def longest(self) -> Length:
        """The upper end of a range: what may take eight weeks is planned with eight."""
        return self if self.up_to is None else replace(self, number=self.up_to, up_to=None)

    @property
    def lasts(self) -> tuple[float, bool]:
        """It as a duration, and whether that is days of the calendar: unless working days, or less, are said."""
        is_elapsed = self.unit not in ("working day", "hour", "minute")
        return self.longest.calendar if is_elapsed else self.longest.working, is_elapsed

    @property
    def waits(self) -> tuple[float, bool, bool]:
        """It as waiting, and whether that is working days, or hours of the clock."""
        is_working = self.unit == "working day"
        long = self.longest
        return long.number if is_working else long.calendar, is_working, self.unit in ("hour", "minute")

    @property
    def lag(self) -> tuple[float, bool, bool]:
        """It as a lag, whether that is time of the clock, and whether whole days of it are said as hours.

        It is working days, unless hours or calendar days are said.
        """
        is_clock = self.unit in ("hour", "minute")
        if not (is_clock or self.is_calendar):
            return self.longest.working, False, False
        days = self.longest.calendar
        return days, True, is_clock and days > 0 and not days % 1


class Reading(NamedTuple):
    """A value that begins at a place."""

    value: Any
    end: int
    """Index after it."""
    doubt: str = ""
    wrong: str = ""
    """Why it cannot be meant, a sentence; "" for what can."""


def _day(plain: str, today: date) -> Reading | None:
    """Return the days of an expression as (first, last)."""
    plain, more = _spelled(plain, _WEEK, "week ")
    plain, longer = _with_weekday(plain)
    span = expression_at(plain, 0, today)
    return None if span is None or plain[: span.end] in _ALONE else _days(span, more + longer)


def _with_weekday(plain: str) -> tuple[str, int]:
    """Return a text that begins with a short German weekday with the long one, and by how much it became longer."""
    short = _SHORT_WEEKDAY.match(plain)
    return _spelled(plain, _SHORT_WEEKDAY, _LONG_WEEKDAYS[short[1]]) if short else (plain, 0)


def _days(span: Span, more: int = 0) -> Reading | None:
    if span.first is None or span.last is None:
        is_none = span.doubt.startswith("there is no ")
        return Reading(None, span.end - more, wrong=f"T{span.doubt[1:]}.") if is_none else None
    return Reading((span.first, span.last), span.end - more, span.doubt)


def _past_day(plain: str, today: date) -> Reading | None:
    """Return the last such day, today at the latest, if no year is said."""
    plain, more = _with_weekday(plain)
    found = expression_at(plain, 0, today)
    if found is None or found.first is None:
        return _days(found, more) if found else None
    ahead = found.first
    if ahead > today and not found.has_year and not found.is_distance:
        words = plain[: found.end].split()
        is_weekday = words[0] in WEEKDAYS and len(words) == 1
        back = timedelta(days=7 if is_weekday else 364)
        with suppress(OverflowError):
            earlier = expression_at(plain, 0, today - back)
            if earlier and (is_weekday or earlier.first != found.first - back):  # "tomorrow" was never yesterday
                found = earlier
    doubt = "" if any(words in found.doubt for words in (" is past, so ", ", or today, ")) else found.doubt
    if not doubt and found.first and ahead > today and today - found.first > _LONG_AGO:
        if ahead - today <= _SOON:
            return Reading(
                None, found.end - more, wrong="That day is still to come. Of one that is past, say the year."
            )
        doubt = f"{spoken_day(found.first)}, or {spoken_day(ahead)}, which is still to come?"
    return _days(replace(found, doubt=doubt), more)


def _period(plain: str, today: date) -> Reading | None:
    """Return stretches of days, each as (first, last)."""
    plain = plain.replace("..", "--")
    if weeks := _FROM_WEEK_TO_WEEK.match(plain):
        from_to = [_day(f"week {weeks[number]}", today) for number in (1, 2)]
        if from_to[0] and from_to[1]:
            return _in_order(from_to[0].value[0], from_to[1].value[1], weeks.end())
    plain, more = _with_weekday(plain)
    first = expression_at(plain, 0, today)
    several = []
    with suppress(ValueError, OverflowError):
        several = several_days(plain, 0, today, first, "from")
    readings = [_days(reading.span) for reading in several] or [_day(plain, today)]
    known = [reading for reading in readings if reading is not None]
    if len(known) != len(readings):
        return None
    days = tuple(reading.value for reading in known)
    end, (begin, last) = known[-1].end - more, days[0]
    turned = _FROM_DAY_TO_DAY.match(plain, 0, known[-1].end)
    is_across = not any(year in plain[: known[-1].end] for year in (str(begin.year), str(last.year)))
    if (turned and int(turned[1]) > last.day) or (begin.year < last.year and (last - begin).days > 180 and is_across):
        return Reading(days, end, wrong=_TURNED)
    return Reading(days, end, known[0].doubt)


def _in_order(first: date, last: date, end: int) -> Reading:
    return Reading(((first, last),), end, wrong=_TURNED if first > last else "")


def _recurrence(plain: str, today: date) -> Reading | None:
    """Return a rule that begins today, as far as a plan can hold it."""
    span = recurrence_at(plain, 0)
    is_weekly = span is not None and ("BYDAY" not in span.recurs or "FREQ=WEEKLY" in span.recurs)
    rule = rule_of(span.recurs, today.isoformat()) if span is not None and span.number is None and is_weekly else None
    return Reading(rule, span.end) if span is not None and rule is not None else None


def _weekdays(plain: str, _: date) -> Reading | None:
    span = recurrence_at(f"every {_spelled_weekdays(plain)}", 0)
    if span is None or not span.recurs.startswith("FREQ=WEEKLY;BYDAY="):
        return None
    codes = span.recurs.partition("BYDAY=")[2].split(",")
    said = _spelled_weekdays(plain)[: span.end - len("every ")]
    end = max((size for size in range(len(plain) + 1) if _spelled_weekdays(plain[:size]) == said), default=len(plain))
    return Reading(tuple(WEEKDAY_CODES.index(code) + 1 for code in codes), end)


def _spelled_weekdays(plain: str) -> str:
    """Return a text with short German weekdays spelled out."""
    return _SHORT_WEEKDAYS.sub(lambda short: _LONG_WEEKDAYS.get(short[0], " to "), plain)


def _clock(plain: str, _: date) -> Reading | None:
    """Return a time as ``13:00``, or hours as ``10:00-16:00``."""
    begin = time_after(f" {plain}", 0)
    if begin is None:
        return None
    text = plain[: begin[0] - 1]
    parts = _TO.split(text)
    end = time_after(f" at {parts[1]}", 0) if len(parts) == 2 else None
    if len(parts) > 2 or (len(parts) == 2 and end is None):
        return None
    return Reading(f"{begin[1]}-{end[1]}" if end else begin[1], len(text))


def _amount(plain: str, kind: str) -> NamedValue | None:
    """Return the amount of a type that begins a text."""
    amounts = read_amounts(plain, plain, ())
    return amounts[0] if amounts and amounts[0].type == kind and amounts[0].start == 0 else None


def _span(plain: str, today: date) -> Reading | None:
    """Return a length, with those in ever smaller units that follow: "1w 2d", "1h 30min"."""
    first = _one_span(plain)
    joint = _AND.match(plain, first.end) if first and first.value.up_to is None else None
    rest = _span(plain[joint.end() :], today) if joint else None
    if first is None or joint is None or rest is None or rest.value.up_to is not None:
        return first
    if rest.value.calendar >= CALENDAR_DAYS[first.value.unit]:
        return first
    is_more = first.value.is_more or rest.value.is_more
    return Reading(replace(first.value, is_more=is_more, further=rest.value), joint.end() + rest.end)


def _one_span(plain: str) -> Reading | None:
    plain, more = _spelled(plain, _MONTHS, r"\g<number> months")
    plain, hours = _spelled(plain, _MANY_HOURS, r"\g<number> hours")
    more += hours
    named = _amount(plain, "duration")
    if named is None or named.value.number is None or named.value.unit not in WORKING_DAYS:
        return None
    words = plain[: named.end].split()
    if named.doubt or named.value.number > MOST_DAYS:  # "1.250 days" may be a thousand
        return None
    if words[-1].startswith("quart"):  # "three quarters" is a share
        return None
    length = Length(
        named.value.number,
        named.value.unit,
        named.value.up_to,
        "more" in words or "further" in words,
        "calendar" in words,
    )
    return Reading(length, named.end - more)


def _delay(plain: str, today: date) -> Reading | None:
    """Return the length of "2 weeks late"."""
    span = _span(plain, today)
    late = _LATE.match(plain, span.end) if span else None
    return Reading(span.value, late.end()) if span and late else None


def _effort(plain: str, today: date) -> Reading | None:
    """Return an estimate, with whether it is what is left: ``1-2-4d``, ``2-3 days``, ``5d``, ``3 more days``."""
    if (three := _THREE.match(plain)) is not None:
        parts = [_span(f"{three[name]}{three['unit']}", today) for name in ("low", "likely", "high")]
        low, likely, high = (part.value.working if part else -1.0 for part in parts)
        return Reading((Effort(low, likely, high), False), three.end()) if 0 <= low <= likely <= high else None
    found = _span(plain, today)
    if found is None:
        return None
    length = found.value
    last = Length(length.up_to, length.unit).working if length.up_to else length.working
    return Reading((Effort(length.working, (length.working + last) / 2, last), length.is_more), found.end)


def _money(plain: str, _: date) -> Reading | None:
    named = _amount(plain, "amount")
    if named is None or not named.value.currency or named.value.per or named.value.up_to is not None:
        return None
    amount = Decimal(repr(named.value.number)).normalize() + 0
    return Reading(Money(Decimal(f"{amount:f}"), named.value.currency), named.end, named.doubt)


def _share(plain: str, _: date) -> Reading | None:
    if fraction := _FRACTION.match(plain):
        part = _PARTS.get(fraction["count"], 1) / _PARTS.get(fraction["part"], 2)
        return Reading(Progress(round(part, 4)), fraction.end()) if part <= 1 else None
    named = _amount(plain, "amount")
    if named is None or named.value.unit != "%" or named.value.up_to is not None:
        return None
    share = float(Decimal(repr(named.value.number)) / 100)
    return Reading(Progress(share), named.end) if share <= 1 else None


def _count(plain: str, _: date) -> Reading | None:
    slash = _SLASH.match(plain)  # "3/4" is a number, too
    if slash and 0 < int(slash[2]) >= int(slash[1]):
        return Reading(Progress(float(slash[1]), float(slash[2])), slash.end())
    done = single_at(plain, 0)
    joint = _OF.match(plain, done.end) if done else None
    whole = _number_at(plain, joint.end()) if joint else None
    if done is None or whole is None or not 0 <= done.value <= whole.value or whole.value <= 0:
        return None
    return Reading(Progress(done.value, whole.value), whole.end, done.doubt or whole.doubt)


def _number_at(plain: str, at: int) -> Number | None:
    return single_at(plain, at) if at < len(plain) else None


def _rate(plain: str, _: date) -> Reading | None:
    """Return hours and what they are for: (8, "week")."""
    plain, more = _spelled(plain, _HOURS, r"\g<number>h")
    named = _amount(plain, "capacity")
    if named is None or named.value.unit != "hour" or named.value.per not in ("day", "week"):
        return None
    return Reading((named.value.number, named.value.per), named.end - more)


def _spelled(plain: str, short: re.Pattern[str], long: str) -> tuple[str, int]:
    """Return a text with a short form at its beginning spelled out, and by how much it became longer."""
    spelled = short.sub(long, plain, count=1)
    return spelled, len(spelled) - len(plain)


READERS: Mapping[str, Callable[[str, date], Reading | None]] = {
    "PAST": _past_day, "COUNT": _count, "SHARE": _share, "MONEY": _money, "RATE": _rate, "WORK": _effort, "SPAN": _span,
    "DELAY": _delay, "EVERY": _recurrence, "WEEKDAYS": _weekdays, "PERIOD": _period, "DAY": _day, "CLOCK": _clock,
}  # fmt: skip
"""What reads each value that the grammar declares, in the order in which they are tried."""


def read_whole(kind: str, text: str, today: date) -> Reading | None:
    """Return the value that a text is from its beginning to its end."""
    found = READERS[kind](text, today) if text else None
    return found if found is not None and found.end == len(text) else None


def as_days(value: tuple[date, date]) -> Days:
    """Return days as a plan keeps them."""
    return Days(value[0].isoformat(), value[1].isoformat())
