"""Dates within sentences: which day a text names, and whether it is a deadline.

    "Submitted by 31 March 2028"  ──deadlines──▶ 2028-03-31        by, before, until, no later than, due, deadline
    "on 7 and 8 October 2027"     ──with_iso_dates──▶ "on 7 and 2027-10-08"

A day is read as the reader of facts reads it; without a year, it is the next one from today.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from datetime import date

from workbench.domain.facts.calendar_words import MONTHS, months_later
from workbench.domain.facts.days import Span, alternatives, day_at
from workbench.domain.facts.distances import expression_at
from workbench.domain.facts.plain import plain_text
from workbench.domain.plan.calendar import day_of

_MONTH = alternatives(MONTHS)
_MAYBE = re.compile(rf"(?<![\w.,/+:-])(?:\d|(?:{_MONTH})\b)")
"""Where a date may begin."""
_HALF_DATE = re.compile(
    rf"\b(\d{{1,2}}) (and|to|until|–|-|through) (\d{{1,2}} (?:{_MONTH})\b(?:,? \d{{4}})?)", re.IGNORECASE
)
_ROUGH = re.compile(
    r"\b(?:in |(?P<days>(?:early|mid|late|end|beginning|start|middle)(?:[- ]of)?[- ](?:the )?))"
    rf"(?P<month>{_MONTH})\b(?! \d{{1,2}}\b)"
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
_CLAUSE_END = re.compile("[.;,]")


def _dates(text: str, today: date) -> Iterator[tuple[int, int, date]]:
    """Yield the days that a text names, each with its place."""
    plain, at = plain_text(text), 0
    for match in _MAYBE.finditer(plain):
        span = _date_at(plain, match.start(), today) if match.start() >= at else None
        if span is not None and span.first is not None:
            at = span.end
            yield match.start(), at, span.first


def _date_at(plain: str, at: int, today: date) -> Span | None:
    """Return the date with a number in it that begins at a place."""
    try:
        span = day_at(plain, at, today)
    except (ValueError, OverflowError):
        return None
    if span is None or span.first is None or span.is_loose:
        return None
    return span if any(map(str.isdigit, plain[at : span.end])) else None


def with_iso_dates(text: str, today: date) -> str:
    """Return text with every date in it as ISO 8601; what is no day of the calendar stays as it is."""
    parts, at = [], 0
    for start, end, day in _dates(text, today):
        parts += [text[at:start], day.isoformat()]
        at = end
    return "".join((*parts, text[at:]))


def days_in(text: str, today: date) -> tuple[date, ...]:
    """Return the days that a text names."""
    return tuple(day for _, _, day in _dates(text, today))


def with_whole_dates(text: str) -> str:
    """Return text in which a stretch of days has the month twice."""
    return _HALF_DATE.sub(lambda match: f"{match[1]} {match[3].split(' ', 1)[1]} {match[2]} {match[3]}", text)


def rough_days_in(text: str, today: date) -> tuple[date, ...]:
    """Return the days that a text names, "mid-June" and "end of May" among them."""
    plain = plain_text(text)
    places = (match.start("days" if match["days"] else "month") for match in _ROUGH.finditer(plain))
    periods = (expression_at(plain, place, today) for place in places)
    return (*days_in(text, today), *(span.first for span in periods if span is not None and span.first))


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
    plain = plain_text(text)
    for match in _WEEKDAY.finditer(plain):
        named = _date_at(plain, match.end(), today)
        if named is None or named.first is None:
            continue
        weekday = _WEEKDAYS.index(match[1][:3])
        years = (named.first,) if named.has_year else (named.first, months_later(named.first, 12))
        if all(one.weekday() != weekday for one in years):
            yield text[match.start() : named.end], named.first


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
