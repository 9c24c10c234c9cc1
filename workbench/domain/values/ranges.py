"""Several days as people write them: from one to another, or some of one month.

"from 3 to 14 May" · "3–14 May" · "May 3-14, 2027" · "Thursday 10 to Sunday 13 June" · "28 April to 3 May"
"between 1 June and 15 July 2027" · "20 December 2027 until 6 January 2028" · "Monday to Friday next week"
"12, 19 and 26 June"                                                 ──several_days──▶ Reading*
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from itertools import pairwise

from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import MONTHS, WEEKDAY_CODES, WEEKDAYS, spoken_day
from workbench.domain.values.clock import time_after
from workbench.domain.values.days import WEEKDAY, YEAR, Reading, Span, alternatives, day_at, year_of
from workbench.domain.values.distances import expression_at

_DAY = rf"(?:{WEEKDAY.replace('P<weekday>', ':')},?\s)?(?:the\s)?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?"
_TO = (
    r"(?:\s?-{1,2}\s?|\s?/\s?(?=\d{4}-)|\s(?:to|un'?till?|'?till?|through|thru|bis(?:\szum)?|au|al|a|"
    r"and\send(?:ing|s)(?:\son)?)\s)(?:the\s)?"
)
_JOINT = lazy_pattern(rf"{_TO}|(?P<between>\s(?:and|und|et|y)\s(?:the\s)?)")
"""Between two days; "and" only after "between"."""
_DAYS_TO = lazy_pattern(rf"{_DAY}(?:{_TO}|(?P<between>\s(?:and|und|et|y)\s(?:the\s)?))")
_ITEM = _DAY.replace("P<day>", ":")
_DAY_LIST = lazy_pattern(
    rf"{_ITEM}(?:,\s?{_ITEM}){{0,12}}(?:,\s?|,?\s(?:and|or|und|oder|et|ou|y|o)\s|\s?[&/+]\s?)(?:the\s)?"
    rf"(?=\d|{WEEKDAY.replace('P<weekday>', ':')},?\s\d)"
)
_OR = frozenset({"or", "oder", "ou", "o"})
_NEXT = lazy_pattern(r"\s(?:and|or)\s|\s?[/&+]\s?")
_TO_DAY = lazy_pattern(
    r"(?:\s?-\s?|\s(?:to|through|until|till)\s)(?:the\s)?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    rf"(?![\d:%]|[.,/-]\d|\s(?:of|day)){YEAR}"
)
_MONTH_FIRST = lazy_pattern(rf"(?:{alternatives(MONTHS)})\.?\s(?:the\s)?\d", needs=MONTHS)
_WITH_MONTH = lazy_pattern(
    rf"(?:[a-z]+\.?,?\s)?(?:the\s)?\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?:{alternatives(MONTHS)})(?![a-z])|"
    rf"\d+\.\d|(?:1[3-9]|[23]\d)/\d{{1,2}}(?!\d)|\d{{1,2}}(?:st|nd|rd|th)\sof\s(?:the|this|next)\smonth\b"
)
_SURE = lazy_pattern(rf"(?:{alternatives(MONTHS)}){_TO}(?:{alternatives(MONTHS)})|(\d+[./]\d+\.?){_TO}(\d+[./]\d+\.?)")
"""What can be nothing else: "June to August", not "may march"."""
_NOW = lazy_pattern(r"(?:right\s)?now(?=\s(?:to|until|till|through)\b)|(?<=between\s)now(?=\sand\b)")
_MOVED = lazy_pattern(r"\b(?:mov|postpon|shift|push|reschedul|delay|brought|bring|chang)\w*\b[^.;:!?\n]*$")
"""Before two days of which the second takes the place of the first."""


def several_days(plain: str, at: int, today: date, first: Span | None, word: str) -> list[Reading]:
    """Return the days of a range or list that begins at a place, where ``first`` is; empty if none does."""
    if days := _days_of_a_month(plain, at, today, word):
        return days
    if (now := _NOW.match(plain, at)) is not None:
        first = Span(end=now.end(), first=today, last=today)
    if first is None:
        return []
    if (whole := _range(plain, at, first, today, word)) is not None:
        return [whole]
    to_day = _TO_DAY.match(plain, first.end) if _MONTH_FIRST.match(plain, at) is not None else None
    if to_day is not None:
        return _to_day(to_day, at, first, today)
    return _adjoining(plain, at, first, today)


def _adjoining(plain: str, at: int, first: Span, today: date) -> list[Reading]:
    """Read two expressions of which the second begins where the first ends: "in May and June", "Q1 or Q2"."""
    joint = _NEXT.match(plain, first.end)
    second = expression_at(plain, joint.end(), today) if joint is not None else None
    if joint is None or first.first is None or second is None or second.first is None or first.is_distance:
        return []
    is_day = first.first == first.last
    if is_day != (second.first == second.last) or (is_day and " or " in joint[0]):
        return []
    if first.last is None or second.first != first.last + timedelta(days=1):
        return []
    is_loose = first.is_loose and second.is_loose
    return [Reading(at, replace(second, first=first.first, is_loose=is_loose))]


def _days_of_a_month(plain: str, at: int, today: date, word: str) -> list[Reading]:
    """Read "3 to 14 May", "between 3 and 14 May", "12, 19 and 26 June"."""
    joint = _DAYS_TO.match(plain, at)
    if joint is None or (joint["between"] and word != "between"):
        return _day_list(plain, at, today)
    last = _with_month(plain, joint.end(), today)
    first = _day_before(last, int(joint["day"])) if last is not None else None
    return [Reading(at, replace(last, first=first))] if last is not None and first is not None else []


def _day_list(plain: str, at: int, today: date) -> list[Reading]:
    """Read "12, 19 and 26 June" as several days, "12 and 13 June" as one stretch."""
    several = _DAY_LIST.match(plain, at)
    last = _with_month(plain, several.end(), today) if several is not None else None
    if several is None or last is None:
        return []
    numbers = list(re.finditer(r"\d{1,2}", several[0]))
    days = [
        Reading(at + number.start(), Span(end=at + number.end(), first=day, last=day))
        for number in numbers
        if (day := _day_before(last, int(number[0]))) is not None
    ]
    if len(days) < len(numbers):
        return []
    days.append(Reading(several.end(), last))
    return days if _OR.intersection(several[0].split()) else _join_days(at, days)


def _join_days(at: int, days: list[Reading]) -> list[Reading]:
    """Return days that follow each other as one stretch: "12 and 13 June"."""
    spans = [day.span for day in days]
    if not all(span.last and later.first == span.last + timedelta(days=1) for span, later in pairwise(spans)):
        return days
    return [Reading(at, replace(spans[-1], first=spans[0].first))]


def _with_month(plain: str, at: int, today: date) -> Span | None:
    """Return the day at a place, where it has a month."""
    if _WITH_MONTH.match(plain, at) is None:
        return None
    try:
        return day_at(plain, at, today)
    except (ValueError, OverflowError):
        return None


def _day_before(last: Span, day: int) -> date | None:
    """Return the day of a month that comes before another: "28 to 3 May" begins in April."""
    if last.first is None or not 1 <= day <= 31:
        return None
    month = last.first if day <= last.first.day else last.first.replace(day=1) - timedelta(days=1)
    return month.replace(day=day) if day <= monthrange(month.year, month.month)[1] else None


def _to_day(match: re.Match[str], at: int, first: Span, today: date) -> list[Reading]:
    """Read "May 3-14, 2027"."""
    if first.first is None:
        return []
    begin, day = first.first.replace(year=year_of(match, today) or first.first.year), int(match["day"])
    if not begin.day < day <= monthrange(begin.year, begin.month)[1]:
        return []
    return [Reading(at, replace(first, end=match.end(), first=begin, last=begin.replace(day=day)))]


def _range(plain: str, at: int, first: Span, today: date, word: str) -> Reading | None:
    """Read two expressions with "to" between them, or "and" after "between"."""
    time = time_after(plain, first.end)
    joint = _JOINT.match(plain, time[0] if time is not None else first.end)
    if joint is None or (joint["between"] and word != "between") or first.first is None or first.is_distance:
        return None
    if word == "from" and _MOVED.search(plain, max(0, at - 60), at) is not None:
        return None
    place = joint.end()
    last = _last_of(plain, place, first.first, today)
    if last is None or last.first is None or last.last is None or last.is_distance:
        return None
    days = _weekday(plain, at, first), _weekday(plain, place, last)
    if days[0] is not None and days[1] is not None:
        is_bare = plain[at : first.end].isalpha() and plain[place : last.end].isalpha()
        return _weekdays(at, first, last, (days[0], days[1]), is_bare=is_bare)
    is_loose = first.is_loose and last.is_loose and not word
    is_sure = not is_loose or _SURE.fullmatch(plain, at, last.end) is not None
    return _from_to(plain, at, first, last) if is_sure else None


def _from_to(plain: str, at: int, first: Span, last: Span) -> Reading | None:
    """Return the days from one expression to another, in the year of the last one."""
    if first.first is None or last.last is None:
        return None
    begin = _in_year_of(plain, at, first, last.last) if last.has_year and not first.has_year else first.first
    if begin > last.last:
        return None
    doubt = first.doubt if begin == first.first and not last.has_year else ""
    later = "" if "is past, so" in last.doubt else last.doubt  # the next such day after the first one
    return Reading(at, replace(last, first=begin, doubt=doubt or later, is_loose=False, target=None))


def _last_of(plain: str, place: int, first: date, today: date) -> Span | None:
    """Return the end of a range: the next day of that name from its first day on."""
    last = expression_at(plain, place, today)
    is_fixed = last is not None and (last.has_year or " week" in plain[place : last.end])
    if last is not None and last.last is not None and last.last < first and not is_fixed:
        last = expression_at(plain, place, first)
    return last


def _in_year_of(plain: str, at: int, first: Span, last: date) -> date:
    """Return the first day of a range whose last day alone has a year."""
    for year in (last.year, last.year - 1):
        again = expression_at(plain, at, date(year, 1, 1))
        if again is not None and again.end == first.end and again.first is not None and again.first <= last:
            return again.first
    return first.first or last


def _weekday(plain: str, at: int, span: Span) -> int | None:
    """Return the weekday of an expression that begins with its name and has no date of its own."""
    words = plain[at : span.end]
    name = words.removeprefix("this ").removeprefix("next ").split()[0]
    return None if span.first is None or any(map(str.isdigit, words)) else WEEKDAYS.get(name)


def _weekdays(at: int, first: Span, last: Span, days: tuple[int, int], *, is_bare: bool) -> Reading:
    """Return "Monday to Friday next week" as days, and "Monday to Friday" as days that come again."""
    if is_bare and days == (0, 4):
        codes = ",".join(WEEKDAY_CODES[days[0] : days[1] + 1])
        return Reading(at, Span(end=last.end, recurs=f"FREQ=WEEKLY;BYDAY={codes}"))
    count = timedelta(days=(days[1] - days[0]) % 7)
    end = last.last or date.max
    begin = end - count
    doubt = f"each week, or {spoken_day(begin)}?" if is_bare else first.doubt or last.doubt
    span = replace(last, first=begin, last=end, is_loose=False, doubt=doubt)
    return Reading(at, span)
