"""Single days as people write them.

    "3 May 2027" · "May 3rd" · "30.09.2027" · "14/05" · "the 15th" · "Wednesday, 13 May" · "next Friday" · "tomorrow"
    "Easter" · "Christmas Eve 2027"                                             ──day_at──▶ Span

A day without a year is the next one from today on. What no calendar has ("31 February") is a span without days and with
a doubt, never another day.
Raises ValueError or OverflowError for days beyond the calendar.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

import msgspec
from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import FEASTS, MONTHS, ORDINAL_DAYS, WEEKDAYS, WORDS_OF_FEASTS, spoken_day
from workbench.domain.values.small_words import SMALL


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Days that an expression names."""

    end: int
    """Index after the expression."""
    first: date | None = None
    """None if no calendar has the day, or nobody said it."""
    last: date | None = None
    doubt: str = ""
    has_year: bool = False
    is_loose: bool = False
    """Whether it is a date only where a word before it says so: "may", "sat", "3/4"."""
    is_distance: bool = False
    """Whether it is counted from today: "in 6 weeks"."""
    part_of_day: str = ""
    recurs: str = ""
    """The rule of days that come again, as RFC 5545 writes it."""
    number: float | None = None
    """How often in each of its periods: "three times a week"."""
    target: tuple[int, Span] | None = None
    """The date that it is counted from, with its place."""


class Reading(msgspec.Struct, frozen=True):
    """Days at a place."""

    start: int
    span: Span


def alternatives(words: Iterable[str]) -> str:
    """Return words as a pattern that prefers the longest."""
    return "|".join(sorted(words, key=len, reverse=True))


def one_day(end: int, day: date, doubt: str = "") -> Span:
    """Return the span of a single day."""
    return Span(end=end, first=day, last=day, doubt=doubt)


YEAR = (
    r"(?:(?:,?\s(?:of\s|in\s|del?\s)?|\s?[/-]\s?)(?P<year>(?:19|20|21)\d\d)(?![\d%]|[.,]\d)|,?\s?(?:of\s)?'(?P<short>\d\d)(?!\d)"
    r"|,?\s(?:of\s)?(?P<which>this|next|last)\syear\b)?"
)
"""A year after a day, month, quarter, season or feast; it may be missing."""
_MONTH = rf"(?P<month>{alternatives(MONTHS)})(?![a-z])(?:\.(?=,?\s\d))?"
WEEKDAY = rf"(?P<weekday>{alternatives(WEEKDAYS)})(?![a-z])(?:\.(?=,?\s[\da-z]))?"
LONG_WEEKDAYS = f"(?:{alternatives(name for name in WEEKDAYS if len(name) > 4)})"
_ISO = lazy_pattern(r"(?P<y>(?:19|20|21)\d\d)([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?!\d|-\d|/\d(?!\d{3}-))")
_NUMERIC = lazy_pattern(
    r"(?P<a>\d{1,2})(?P<sep>[./-])(?P<b>\d{1,2})"
    r"(?:(?P=sep)(?P<y>\d{4}|\d\d)(?![\d/%]|[.,]\d|-\d(?!\d?[./]\d))|(?P<open>\.)(?![\d/%:])|(?![\d/%:]|[.,]\d|-\d(?!\d?[./]\d)))"
)
_DAY_MONTH = lazy_pattern(
    rf"(?:the\s)?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.)?(?:\s|-)?(?:day\s)?(?:of\s|de\s|d')?|"
    rf"(?P<word>{alternatives(ORDINAL_DAYS)})\s(?:day\s)?of\s){_MONTH}{YEAR}(?:\s(?P<two>2[5-9]|3\d)(?=\s?(?:$|[,;)\n]|\.(?!\d))))?"
    r"(?!\s(?:be|have|not|also|need|come|want|get|go|still)\b)",
    needs=MONTHS,
)
_DAY_MONTH_YEAR = lazy_pattern(
    rf"(?P<day>\d{{1,2}})(?P<sep>[/-])(?P<month>{alternatives(MONTHS)})(?P=sep)(?P<y>\d{{4}}|\d\d)(?!\d)", needs=MONTHS
)
"""As boards export it: 30/Apr/27."""
_MONTH_DAY = lazy_pattern(
    rf"{_MONTH}(?:,(?=\s\d{{1,2}}(?:st|nd|rd|th)))?\s(?:the\s(?P<word>{alternatives(ORDINAL_DAYS)})\b|(?:the\s)?(?P<day>\d{{1,2}}))(?:st|nd|rd|"
    rf"th)?(?![\d%:]|[.,'/]\d|\s?(?:%|k\b|[ap]m\b|[€$£]|eur\b)|\s(?:people|guests|days|weeks|months|hours)){YEAR}",
    needs=MONTHS,
)
_DAY_FIRST = lazy_pattern(r"\b(?:1[3-9]|2\d|3[01])[/-]\d{1,2}\b")
"""A date beside another that says that days come first: "29/3 to 9/4"."""
_THE_DAY = lazy_pattern(
    rf"(?P<the>the\s)?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b|(?P<word>{alternatives(ORDINAL_DAYS)})(?=\sof\s))"
    r"(?P<of>\sof\s(?:the|this|(?P<next>next))\smonth\b)?"
)
_AFTER_LIST = """
    onwards latest morning afternoon evening noon lunchtime eod cob inclusive incl works suits looks sounds comes
    pls plz thx thanks
"""
_AFTER = alternatives(SMALL - {"one", "half", "thing"} | set(_AFTER_LIST.split()))
AFTER_A_DAY = lazy_pattern(rf"\s?(?:$|[.,;:!?)(&+/-]|(?!(?:year|time)s?\b)(?:{_AFTER})(?![a-z-]))")
"""What may follow "the 15th" and "Friday": no noun, as in "the 15th floor"."""
_NEAR_WORDS = """
    morrow moro tmr morgen demain manana yesterday gestern ayer tonight today this heute hoy aujourd'hui
"""
_NEAR = lazy_pattern(
    r"(?:(?:the\s)?(?P<over>day\safter\stomorrow|ubermorgen|pasado\smanana|apres-demain)\b|"
    r"(?:the\s)?(?P<before>day\sbefore\syesterday|vorgestern)\b|(?P<yesterday>yesterday|gestern|ayer)\b|"
    r"(?P<tomorrow>tomorrow|tmrw|tmr|tomorow|tommorow|2moro|2morrow|morgen|demain|manana)\b|(?P<tonight>tonight)\b|"
    r"(?P<today>today|this\s(?=(?:morning|afternoon|evening)\b)|heute(?!\sin\s)|hoy|aujourd'hui))"
    r"(?P<week>\s(?:in\sa\s)?week\b(?!\s?\d))?",
    needs=_NEAR_WORDS.split(),
)
_DAYS_AHEAD = {"over": 2, "before": -2, "yesterday": -1, "tomorrow": 1, "week": 7}
_WEEKDAY_ALONE = lazy_pattern(
    rf"(?:(?:the\s)?(?P<which>next|nachsten|proximo|last|letzten|this\scoming|this|coming|following|kommenden|diesen)\s)?{WEEKDAY}(?!')",
    needs=WEEKDAYS,
)
_WEEKDAY_SHIFT = lazy_pattern(
    r",?\s(?:(?:of|in)\s)?(?:(?P<this>this)|(?:the\s)?(?P<next>next|following|nachste|nachster|kommende|kommender))\s(?:week|woche)\b|"
    r"\s(?:(?:of|in)\s)?the\sweek\s(?P<after>after\snext)\b|\s(?P<later>week|fortnight)\b(?!\s?(?:\d|ends?\b))|"
    r"\sin\s(?:(?P<weeks>two|three|four|2|3|4)\sweeks|a\s(?P<two>fortnight))\b|\s(?P<skip>after\snext)\b|\s(?P<last>before\slast)\b"
)
_PART_OF_DAY = lazy_pattern(
    r",?\s?(?:in\sthe\s|at\s)?(?P<part>morning|afternoon|evening|night)\b(?!\s(?:shift|train|flight))"
)
_FEAST = lazy_pattern(
    rf"(?<!in\sthe\s)(?P<feast>{alternatives(FEASTS).replace(' ', '[ ]+')})(?![a-z']){YEAR}"
    rf"(?!(?<!eve)\s(?:eve|trees?|cards?|part(?:y|ies)|dinner|market|weekend|parade|agreement)\b)",
    needs=WORDS_OF_FEASTS,
)
_TO_DATE = lazy_pattern(r",?\s(?:(?P<part>morning|afternoon|evening|night),?\s)?(?:the\s|den\s|dem\s)?|,")
_COUNTS = {"week": 1, "fortnight": 2, "two": 2, "three": 3, "four": 4}
_RECENT = timedelta(days=60)
"""A day without a year that is past for less may be meant as past."""


def day_at(plain: str, at: int, today: date, *, year: int | None = None) -> Span | None:
    """Return the day that begins at a place; ``year`` is meant if none is written."""
    found = _numbered_day(plain, at, today, year)
    if found is None and not plain[at].isdigit():
        found = _near_day(plain, at, today) or _read_holiday(plain, at, today)
        found = found or _with_month(_MONTH_DAY.match(plain, at), today, year) or _weekday(plain, at, today)
    if found is None or found.part_of_day:
        return found
    part = _PART_OF_DAY.match(plain, found.end)
    return replace(found, end=part.end(), part_of_day=part["part"]) if part is not None else found


def year_of(match: re.Match[str], today: date) -> int | None:
    """Return the year that a pattern with YEAR matched."""
    if match["year"]:
        return int(match["year"])
    if match["short"]:
        return 2000 + int(match["short"])
    return today.year + {"this": 0, "next": 1, "last": -1}[match["which"]] if match["which"] else None


def _numbered_day(plain: str, at: int, today: date, year: int | None = None) -> Span | None:
    """Read what begins with a number or "the"."""
    if (match := _ISO.match(plain, at)) is not None:
        return _calendar_day(match.end(), today, (int(match["d"]), int(match["m"]), int(match["y"])), match[0])
    if (match := _DAY_MONTH_YEAR.match(plain, at)) is not None:
        of_year = int(match["y"]) + (2000 if len(match["y"]) == 2 else 0)
        return _calendar_day(match.end(), today, (int(match["day"]), MONTHS[match["month"]], of_year))
    if (match := _DAY_MONTH.match(plain, at)) is not None:
        return _with_month(match, today, year)
    if (match := _NUMERIC.match(plain, at)) is not None:
        return _numeric(match, today, year)
    match = _THE_DAY.match(plain, at)
    if match is None or (match["of"] is None and AFTER_A_DAY.match(plain, match.end()) is None):
        return None
    return _day_of_month(match, today)


def _with_month(match: re.Match[str] | None, today: date, year: int | None) -> Span | None:
    """Return a day with the name of its month."""
    if match is None:
        return None
    day = ORDINAL_DAYS[match["word"]] if match["word"] else int(match["day"])
    two = match.groupdict().get("two")  # "10 jun 28"
    year = year_of(match, today) or (2000 + int(two) if two else year)
    return _calendar_day(match.end(), today, (day, MONTHS[match["month"]], year))


def _numeric(match: re.Match[str], today: date, year: int | None) -> Span | None:
    """Read 30.06.2027 and 30/6/27 day first; month first only where the second number cannot be a month."""
    first, second, sep, written = int(match["a"]), int(match["b"]), match["sep"], match["y"]
    is_padded = match["a"].startswith("0") or match["b"].startswith("0")
    is_decimal = sep == "." and not (written or is_padded or match["open"]) and second < 10
    if match[0] == "24/7" or (sep == "-" and not written) or is_decimal:
        return None
    day, month = (second, first) if second > 12 and sep != "." else (first, second)
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    if written:
        year = int(written) + (2000 if len(written) == 2 else 0)
    found = _calendar_day(match.end(), today, (day, month, year), match[0])
    if found is None:
        return None
    is_short = not is_padded and len(written or "") < 4
    is_loose = (not written or is_short) if sep == "." else not (is_padded or written)
    turned = None if sep == "." else _calendar_day(match.end(), today, (month, day, year))
    doubt = _swapped_day_doubt(match, found, turned)
    end = found.end - 1 if match["open"] and match.string[found.end :].strip() == "" else found.end
    return replace(found, is_loose=is_loose, doubt=doubt, end=end, has_year=bool(written))


def _swapped_day_doubt(match: re.Match[str], found: Span, turned: Span | None) -> str:
    """Return the doubt of a day that is another one with its numbers turned round, if no date beside it is that way."""
    around = match.string[max(0, match.start() - 40) : match.end() + 40]
    if turned is None or not (found.first and turned.first) or found.first == turned.first:
        return found.doubt
    return found.doubt if _DAY_FIRST.search(around) else f"{spoken_day(found.first)}, or {spoken_day(turned.first)}?"


def _calendar_day(end: int, today: date, numbers: tuple[int, int, int | None], written: str = "") -> Span | None:
    """Return a day of the calendar, the next one if there is no year; without days if it does not exist."""
    day, month, year = numbers
    name = date(2000, month, 1).strftime("%B") if 1 <= month <= 12 else ""
    if day == 0 or day > 39:
        return None
    longest = monthrange(2000 if year is None else year, month)[1] if name else 0
    if day > longest:
        return Span(end=end, doubt=f"there is no {written or ' '.join(map(str, filter(None, (day, name, year))))}")
    if year is not None:
        return replace(one_day(end, date(year, month, day)), has_year=True)
    years = (each for each in range(today.year, today.year + 9) if day <= monthrange(each, month)[1])
    first = date(next(years), month, day)
    return one_day(end, first) if first >= today else _next_year(end, first, date(next(years), month, day), today)


def _next_year(end: int, past: date, later: date, today: date) -> Span:
    """Return a later day, with a doubt where the one before it is past for little."""
    return one_day(end, later, f"{spoken_day(past)} is past, so {later.year}?" if today - past <= _RECENT else "")


def _day_of_month(match: re.Match[str], today: date) -> Span | None:
    """Return "the 15th": of this month or the next that has one."""
    day = int(match["day"] or ORDINAL_DAYS[match["word"]])
    if not 1 <= day <= 31 or (match["word"] and not match["of"]):
        return None
    begin = (today.replace(day=1) + timedelta(days=32)).replace(day=1) if match["next"] else today
    first = next((each for each in _days_of_months(begin, day) if each >= today), None)
    is_loose = not match["the"] and not match["of"]
    return replace(one_day(match.end(), first), is_loose=is_loose) if first is not None else None


def _days_of_months(first: date, day: int) -> Iterator[date]:
    """Yield the day of so many months that have it."""
    month = first.replace(day=1)
    for _ in range(14):
        if day <= monthrange(month.year, month.month)[1]:
            yield month.replace(day=day)
        month = (month + timedelta(days=32)).replace(day=1)


def _near_day(plain: str, at: int, today: date) -> Span | None:
    match = _NEAR.match(plain, at)
    if match is None:
        return None
    ahead = sum(days for kind, days in _DAYS_AHEAD.items() if match[kind])
    found = one_day(match.end(), today + timedelta(days=ahead))
    return replace(found, part_of_day="evening") if match["tonight"] else found


def _read_holiday(plain: str, at: int, today: date) -> Span | None:
    match = _FEAST.match(plain, at)
    if match is None:
        return None
    find, year = FEASTS[re.sub(r"\s", " ", match["feast"])], year_of(match, today)
    day = find(year or today.year)
    if year is None and day < today:
        return _next_year(match.end(), day, find(today.year + 1), today)
    return replace(one_day(match.end(), day), has_year=year is not None)


def _weekday(plain: str, at: int, today: date) -> Span | None:
    match = _WEEKDAY_ALONE.match(plain, at)
    if match is None:
        return None
    weekday, which = WEEKDAYS[match["weekday"]], match["which"] or ""
    joint = _TO_DATE.match(plain, match.end())
    if joint is not None and not which and (dated := _dated_weekday(plain, joint.end(), today, weekday)) is not None:
        return replace(dated, part_of_day=joint["part"] or "")
    day = today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    if (shift := _WEEKDAY_SHIFT.match(plain, match.end())) is None:
        return _weekday_alone(match, day, today, which)
    if shift["skip"]:
        later, latest = day + timedelta(days=7), day + timedelta(days=14)
        return one_day(shift.end(), later, f"{spoken_day(later)}, or {spoken_day(latest)}?")
    if shift["later"]:
        return one_day(shift.end(), day + timedelta(days=7 * _COUNTS[shift["later"]]))
    if shift["last"]:
        return one_day(shift.end(), _last(day, today) - timedelta(days=7))
    counted = shift["weeks"] or shift["two"] or ("week" if shift["next"] else "two" if shift["after"] else "")
    weeks = (_COUNTS.get(counted) or int(counted)) if counted else 0
    return one_day(shift.end(), today + timedelta(days=7 * weeks + weekday - today.weekday()))


def _weekday_alone(match: re.Match[str], day: date, today: date, which: str) -> Span:
    doubt, week = "", timedelta(days=7)
    if which in {"last", "letzten"}:
        day = _last(day, today)
    elif which in {"this", "diesen"} and day - week == today:
        day = today
    elif which in {"next", "nachsten", "proximo"} and day - today < timedelta(days=7 - today.weekday()):
        doubt = f"{spoken_day(day + week)}, or {spoken_day(day)}?"
        day += week
    elif today.weekday() == day.weekday() and not which:
        doubt = f"{spoken_day(day)}, or today, {spoken_day(today)}?"
    found = one_day(match.end() - match[0].endswith("."), day, doubt)
    return replace(found, is_loose=not which)


def _last(day: date, today: date) -> date:
    """Return the last such weekday before today, from the next one after it."""
    return day - timedelta(days=14 if day.weekday() == today.weekday() else 7)


def _dated_weekday(plain: str, at: int, today: date, weekday: int) -> Span | None:
    """Return the date after a weekday, with a doubt if it is on another one."""
    if at >= len(plain):
        return None
    is_number = plain[at].isdigit()
    found = _numbered_day(plain, at, today) if is_number else _with_month(_MONTH_DAY.match(plain, at), today, None)
    if found is None:
        return None
    the_day = _THE_DAY.match(plain, at)
    if the_day is not None and the_day["day"] and the_day.end() == found.end and found.first is not None:
        days = _days_of_months(found.first, int(the_day["day"]))
        day = next((day for day in days if day.weekday() == weekday), None)
        return one_day(the_day.end(), day) if day is not None else None
    if found.first is None or found.first.weekday() == weekday:
        return replace(found, is_loose=False)
    return replace(found, doubt=f"{spoken_day(found.first)} is a {found.first:%A}", is_loose=False)
