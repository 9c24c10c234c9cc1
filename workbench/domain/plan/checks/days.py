"""Dates within sentences: which day a text names, and whether it is a deadline.

    "Submitted by 31 March 2028"  ──deadlines──▶ 2028-03-31        by, before, until, no later than, due, deadline
    "on 7 and 8 October 2027"     ──with_iso_dates──▶ "on 7 and 2027-10-08"

Read are ISO dates, ``30 June 2027``, ``June 30, 2027`` and ``30.06.2027``; without a year, the next one from today.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from datetime import date

from workbench.domain.plan.calendar import day_of

_MONTH_NAMES = (
    "jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|oct october|"
    "nov november|dec december"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        _MONTH_NAMES.split("|"),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{_MONTH})\b\.?(?:,? (?P<year>\d{{4}}))?"
    rf"|(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? (?P<year2>\d{{4}}))?"
    r"|(?P<day3>\d{1,2})\.(?P<month3>\d{1,2})\.(?P<year3>\d{4}))\b",
    re.IGNORECASE,
)
_HALF_DATE = re.compile(
    rf"\b(\d{{1,2}}) (and|to|until|–|-|through) (\d{{1,2}} (?:{_MONTH})\b(?:,? \d{{4}})?)", re.IGNORECASE
)
_ROUGH = re.compile(
    rf"\b(early|mid|late|in|end|beginning|start"
    rf"|middle)(?:[- ]of)?[- ](?:the )?({_MONTH})\b(?! \d{{1,2}}\b)(?: (\d{{4}}))?",
    re.IGNORECASE,
)
_DEADLINE = re.compile(
    r"\b(?:by|before|until|till|no later than|not later than|due|deadline|at the latest)\b(?: is|:)?"
    r"(?: (?:on|the|at|latest)){0,4}(?: (?:mon|tues|wednes|thurs|fri|satur|sun)day,?)? (\d{4}-\d{2}-\d{2})",
    re.IGNORECASE,
)


_NEGATION = re.compile(r"\b(?:no|not|never|nothing|nobody|cannot|earliest)\b|n['’]t\b", re.IGNORECASE)
"""In the clause before "before 1 March" and "until 1 March" it makes a beginning of an end: "must not start before 1
March"."""
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(
    r"\b(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b"
    r"[.,]? (?:the )?",
    re.IGNORECASE,
)
_END_OF_STRETCH = re.compile(r"(?:\b(?:to|until|till|through)|–|-) (?:the )?\d{4}-\d{2}-\d{2}", re.IGNORECASE)
_CLAUSE_END = re.compile("[.;,]")


def with_iso_dates(text: str, today: date) -> str:
    """Return text with every date in it as ISO 8601; what is no day of the calendar stays as it is."""
    return _DATE.sub(lambda match: _iso(match, today), text)


def days_in(text: str, today: date) -> tuple[date, ...]:
    """Return the days that a text names."""
    named = (_iso(match, today) for match in _DATE.finditer(text))
    return tuple(day for one in named if (day := day_of(one)))


def beginnings_in(text: str, today: date) -> tuple[date, ...]:
    """Return the days that a text names, without the ends of stretches: of "20 to 25 September" the 20th."""
    return days_in(_END_OF_STRETCH.sub(" ", with_iso_dates(with_whole_dates(text), today)), today)


def _whole_dates(match: re.Match[str]) -> str:
    """Return "1 to 14 May" with both days whole."""
    month = match[3].split(" ", 1)[1]
    return f"{match[1]} {month} {match[2]} {match[3]}"


def with_whole_dates(text: str) -> str:
    """Return text in which a stretch of days has the month twice."""
    return _HALF_DATE.sub(_whole_dates, text)


def rough_days_in(text: str, today: date) -> tuple[date, ...]:
    """Return the days that a text names, "mid-June" and "end of May" among them."""
    parts = {"early": 1, "beginning": 1, "start": 1, "in": 1, "mid": 15, "middle": 15, "late": 25, "end": 28}
    rough = (
        _iso_next(today, _MONTHS[match[2].lower()], parts[match[1].lower()], match[3])
        for match in _ROUGH.finditer(text)
    )
    return (*days_in(text, today), *(day for one in rough if (day := day_of(one))))


def _iso_next(today: date, month: int, day: int, year: str | None) -> str:
    return _calendar_day(int(year), month, day, "") if year else _next(today, month, day, "")


def deadlines(text: str, today: date) -> tuple[date, ...]:
    """Return the days that a text names as deadlines."""
    plain = with_iso_dates(text, today)
    named = [(match, day) for match in _DEADLINE.finditer(plain) if (day := day_of(match[1]))]
    if not named:
        return ()
    is_negated = _is_negated(plain)
    return tuple(
        day
        for match, day in named
        if not (match[0].lower().startswith(("before", "until", "till")) and is_negated(match.start()))
    )


def without_deadlines(text: str, today: date) -> str:
    """Return what a text says besides its deadlines."""
    return _DEADLINE.sub(" ", with_iso_dates(text, today))


def wrong_weekdays(text: str, today: date) -> Iterator[tuple[str, date]]:
    """Yield dates that a text names with a day of the week they are not on; without a year, in this one or the next."""
    for match in _WEEKDAY.finditer(text):
        named = _DATE.match(text, match.end())
        day = day_of(_iso(named, today)) if named else None
        if named is None or day is None:
            continue
        weekday = _WEEKDAYS.index(match[1][:3].lower())
        has_year = named["iso"] or named["year"] or named["year2"] or named["year3"]
        years = (day,) if has_year else (day, _a_year_later(day))
        if all(one.weekday() != weekday for one in years):
            yield text[match.start() : named.end()], day


def _a_year_later(day: date) -> date:
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return day


def _is_negated(text: str) -> Callable[[int], bool]:
    """Return what tells whether a clause of a text is negated before a place of it; found once for all places."""
    negations = [match.span() for match in _NEGATION.finditer(text)]
    ends = [end for _, end in negations]
    stops = [match.start() for match in _CLAUSE_END.finditer(text)]

    def is_negated(place: int) -> bool:
        said = bisect_right(ends, place)
        stopped = bisect_left(stops, place)
        return said > 0 and (stopped == 0 or stops[stopped - 1] < negations[said - 1][0])

    return is_negated


def _iso(match: re.Match[str], today: date) -> str:
    found = match.groupdict()
    if found["iso"]:
        return match[0]
    day = int(found["day"] or found["day2"] or found["day3"])
    named = found["month"] or found["month2"]
    month = _MONTHS[named.lower()] if named else int(found["month3"])
    given = found["year"] or found["year2"] or found["year3"]
    return _calendar_day(int(given), month, day, match[0]) if given else _next(today, month, day, match[0])


def _next(today: date, month: int, day: int, otherwise: str) -> str:
    this_year = _calendar_day(today.year, month, day, otherwise)
    return this_year if this_year >= today.isoformat() else _calendar_day(today.year + 1, month, day, otherwise)


def _calendar_day(year: int, month: int, day: int, otherwise: str) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return otherwise
