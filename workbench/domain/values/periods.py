"""Periods as people write them, and parts of them.

    "May" · "June 2028" · "Q3" · "H2 2027" · "summer" · "week 23" · "next month" · "2028"
    "end of" · "mid-" · "the last Friday of" · "the first two weeks of" · "the week of"      ──period_at──▶ Span

A period without a year is the one that runs, or the next one; seasons are those of the northern hemisphere.
Raises ValueError or OverflowError for days beyond the calendar.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import (
    FEASTS,
    MONTHS,
    SEASONS,
    WEEKDAYS,
    WORDS_OF_FEASTS,
    easter,
    months_later,
    months_of,
    spoken_day,
    weekday_between,
    working_days_later,
)
from workbench.domain.values.days import YEAR, Span, alternatives, day_at, one_day, year_of
from workbench.domain.values.small_words import SMALL

_ORDINALS = dict.fromkeys(("last", "final", "letzte", "letzten", "letzter"), -1) | {
    word: number
    for number, words in enumerate(
        (
            "first 1st erste ersten erster erstes",
            "second 2nd zweite zweiten zweiter zweites",
            "third 3rd dritte dritten dritter drittes",
            "fourth 4th vierte vierten vierter viertes",
            "fifth 5th",
        ),
        start=1,
    )
    for word in words.split()
}
_ORDINAL = rf"(?P<ordinal>{alternatives(_ORDINALS)})(?![a-z])"
_START = r"(?:the\s)?(?:very\s)?(?:start|beginning)\sof|anfang|(?:le\s)?debut|(?:a\s)?(?:principios|comienzos)(?:\sde)?"
_MIDDLE = r"(?:the\s)?(?:middle|midpoint)\sof|half-?way\sthrough|mid(?:\sof)?|mitte|mi|mediados(?:\sde)?"
_END = r"(?:the\s)?(?:very\s)?(?:end|close|last)\sof|ende?|(?:la\s)?fin|(?:a\s)?(?:finales|fines|final)(?:\sde)?"
_PART = lazy_pattern(
    rf"(?:(?P<start>{_START})|(?P<middle>{_MIDDLE})|(?P<end>{_END})|(?:in\s)?(?P<early>early)|"
    rf"(?:in\s)?(?P<late>late))(?:\s(?:in\s)?|-\s?)"
)
_HALF_OF = lazy_pattern(r"(?:the\s)?(?P<half>first|1st|second|2nd|latter|last)\shalf\sof\s(?:the\s)?")
_MONTH = lazy_pattern(
    rf"(?:(?P<near>next|this|last)\s)?(?P<month>{alternatives(MONTHS)})(?![a-z])(?P<dot>\.(?=\s\d))?"
    rf"(?:\s(?P<part>morning|afternoon|evening|night)s?(?=\s(?:in|of)\s(?:19|20|21)\d\d))?{YEAR}(?!\.?\s(?:the\s)?\d{{1,2}}(?!\d)|,\s\d{{1,2}}(?:st|nd|rd|th)|\s(?:bank\sholiday|fool))",
    needs=MONTHS,
)
_QUARTER = lazy_pattern(
    rf"(?:the\s)?(?:q(?P<number>[1-4])(?![a-z\d])|h(?P<half>[12])(?![a-z\d])|"
    rf"(?:(?P<ordinal>{alternatives(_ORDINALS)})|(?P<dotted>[1-4])\.)\s(?:quarter|quartal)\b)(?:\sof\sthe\syear\b)?{YEAR}",
    needs=("q", "h1", "h2"),
)
_SEASON = lazy_pattern(
    rf"(?:(?P<near>this|next|last|the|coming)\s)?(?P<season>{alternatives(SEASONS)})\b(?!-){YEAR}(?:/\d\d(?!\d))?"
    r"(?!\s(?:holidays?|break|camp|term|party|festival|fair|fete|market|exhibition|show|ball|games|programme|exams?|school|course|season|sale|house|cleaning|concert|edition|menu|"
    r"tyres|half-?term|vacation|starts?|begins?|ends?)\b)",
    needs=SEASONS,
)
_ISO_WEEK = lazy_pattern(r"(?P<y>(?:19|20|21)\d\d)-?w(?P<week>\d\d)(?:-?(?P<day>[1-7]))?(?![\w-])")
_WEEK = lazy_pattern(
    r"(?P<sure>(?:iso|calendar)[ -]week\s|(?:kw|cw|kalenderwoche)\.?\s?)?(?(sure)|(?:weeks?|wk|woche)\s)"
    r"(?P<week>\d{1,2})"
    rf"(?:(?:\s?[-/&]\s?|\s(?:to|and|or)\s)(?P<to>\d{{1,2}}(?!\d)))?(?!\s?[-/&]\s?(?!(?:19|20|21)\d\d(?!\d))\d)"
    rf"(?![\d.,:]|/(?!(?:19|20|21)\d\d)|\sof\s(?!20)|(?:st|nd|rd|th)?\s(?:of\s)?(?:{alternatives(MONTHS)})\b){YEAR}",
    needs=("week", "kw", "cw", "wk", "woche"),
)
_UNITS = ("week", "month", "quarter", "year")
_NAMED = lazy_pattern(
    r"(?P<later>later\s)?(?:the\s|la\s|el\s|des\s)?(?P<near>this|next|nxt|last|coming|current|following|past|previous|"
    r"upcoming|nachste[nrs]?|diese[nrsm]?|proxim[ao]|the)\s(?:calendar\s)?(?P<unit>weekend|wkend|week|wk|month|quarter|year|"
    r"woche|monat|quartal|jahr|semana|mes|ano)\b(?P<after>\safter\snext\b)?(?!-|'s?\b|\s\d|\s(?:before|after|of)\b)",
    needs=(*_UNITS, "wk", "woche", "monat", "quartal", "jahr", "semana", "mes", "ano"),
)
_UNIT_END = lazy_pattern(
    r"(?:the\s)?(?:end\sof\s(?P<of>week|month|quarter|year)|"
    rf"(?P<german>monat|quartal|jahr)e?s?ende|(?P<unit>week|month|quarter|year)(?:'s)?[ -]+end"
    rf"(?!\s(?!(?:{alternatives(SMALL)})(?![a-z'-]))[a-z])|eo(?P<short>[wmqy]))(?![a-z])",
    needs=("end", "eow", "eom", "eoq", "eoy"),
)
_UNIT_OVER = lazy_pattern(
    rf"(?:the|this)\s(?P<unit>{'|'.join(_UNITS)})\s(?:is\s(?:out|over|up)|ends)(?![a-z])", needs=_UNITS
)
_YEAR_ALONE = lazy_pattern(
    r"(?P<year>(?:19|20|21)\d\d)(?![\d%:]|[.,/-]\d|s\b|\s?(?:[a-z]{3,}s|eur|usd|people)\b|\s?[€$£]|"
    r"\s(?:and|to|or)\s\d{3,5}\s?(?:eur|usd|gbp|chf|dollars|pounds|[€$£]))",
    needs=("19", "20", "21"),
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_LONG = {"day": 1, "week": 7, "fortnight": 14}
_ORDINAL_OF = lazy_pattern(
    rf"(?:the\s)?{_ORDINAL}\s(?:(?P<weekday>{alternatives(WEEKDAYS)})|(?:(?P<count>\d|{alternatives(_COUNTS)})\s(?=days|weeks))?"
    r"(?P<kind>weekend|fortnight|(?:working|business)\sday|day|week|woche|tag|wochenende|arbeitstag)s?)"
    r"\s(?:of|in|im|des)\s(?:the\s(?!month|year|quarter))?|(?P<nth>week)\s(?P<number>[1-5])\s(?:of|in)\s(?!20)",
    needs=(*WEEKDAYS, "day", "week", "fortnight", "tag", "woche"),
)
_WEEK_OF = lazy_pattern(
    r"(?:the\s)?(?P<kind>week|weekend)\s(?:of|beginning|commencing|starting|ending|around)\s(?:on\s)?(?:the\s)?|w/[ce]\s"
)
_AROUND_FEAST = lazy_pattern(
    rf"(?:the\s)?(?P<feast>{alternatives(FEASTS)})\s(?:(?P<weekend>weekend)|holidays?|break|period|season|week){YEAR}\b",
    needs=WORDS_OF_FEASTS,
)
_LOOSE_MONTHS = frozenset(name for name in MONTHS if len(name) <= len("march") and name != "july") | {"august"}
_WORDS_OF_UNITS = {
    "woche": "week", "wk": "week", "wkend": "weekend",
    "semana": "week", "monat": "month", "mes": "month", "quartal": "quarter", "jahr": "year",
    "tag": "day", "wochenende": "weekend", "arbeitstag": "working day", "ano": "year",
    "w": "week", "m": "month", "q": "quarter", "y": "year",
}  # fmt: skip


def period_at(plain: str, at: int, today: date) -> Span | None:
    """Return the period, or the part of one, that begins at a place."""
    return (
        _part_at(plain, at, today)
        or _ordinal_at(plain, at, today)
        or _whole_at(plain, at, today)
        or _week_of(plain, at, today)
    )


def _whole_at(plain: str, at: int, today: date) -> Span | None:
    """Return a month, quarter, half, season, week or year."""
    for pattern, read in _WHOLES:
        match = pattern.match(plain, at)
        if match is not None and (found := read(match, today)) is not None:
            return found
    return None


def _days_of(whole: Span | None) -> tuple[date, date] | None:
    """Return the first and last day of a span that has them."""
    return None if whole is None or whole.first is None or whole.last is None else (whole.first, whole.last)


def _part_at(plain: str, at: int, today: date) -> Span | None:
    """Return the beginning, middle, end or half of a period."""
    if (match := _HALF_OF.match(plain, at)) is not None:
        whole = _whole_at(plain, match.end(), today)
        if whole is None or (days := _days_of(whole)) is None:
            return None
        first, last = _halved(*days, is_first=match["half"] in {"first", "1st"})
        return replace(whole, first=first, last=last, is_loose=False)
    if (match := _PART.match(plain, at)) is None:
        return None
    start = match.end()
    place = start + 4 * plain.startswith("the ", start)
    whole = _whole_at(plain, start, today) or _whole_at(plain, place, today) or _ordinal_at(plain, start, today)
    if whole is None or (days := _days_of(whole)) is None or days[0] == days[1]:
        return None
    first, last = _part_of(match, *days)
    is_week = (days[1] - days[0]).days == _WEEK_DAYS and days[0].weekday() == 0
    doubt = f"{spoken_day(last)}, or {spoken_day(days[1])}?" if match["end"] and is_week else whole.doubt
    return replace(whole, first=first, last=last, doubt=doubt, is_loose=False)


_HALF_A_YEAR = 183
_WEEK_DAYS = 6
"""Days from the first of a week to its last."""


def _part_of(match: re.Match[str], first: date, last: date) -> tuple[date, date]:
    """Return the part of a period that a match of ``_PART`` names; its start, middle and end are single days."""
    days = (last - first).days
    if match["early"]:
        return first, first + timedelta(days=(days + 1) // 3 - 1 if days > _WEEK_DAYS else 2)
    if match["late"]:
        return last - timedelta(days=days // 3), last
    if match["end"] and days == _WEEK_DAYS and first.weekday() == 0:
        last -= timedelta(days=2)  # a Friday
    day = first if match["start"] else first + timedelta(days=days // 2) if match["middle"] else last
    return day, day


def _halved(first: date, last: date, *, is_first: bool) -> tuple[date, date]:
    if (last - first).days > 88:  # halves of quarters and years begin with a month or its middle
        months = (last.year - first.year) * 12 + last.month - first.month + 1
        middle = months_later(first, months // 2) + timedelta(days=15 * (months % 2))
    else:
        middle = first + timedelta(days=((last - first).days + 1) // 2)
    return (first, middle - timedelta(days=1)) if is_first else (middle, last)


def _ordinal_at(plain: str, at: int, today: date) -> Span | None:
    """Return the last Friday of May, the first weekend in June, the first two weeks of June."""
    match = _ORDINAL_OF.match(plain, at)
    whole = _whole_at(plain, match.end(), today) if match is not None else None
    if match is None or whole is None or (days := _days_of(whole)) is None:
        return None
    found = _ordinal_in(*days, match)
    if found[1] < today <= days[1] and not whole.has_year and (days[1] - days[0]).days < 31:
        later = _days_of(_whole_at(plain, match.end(), days[1] + timedelta(days=1)))  # its first Monday is past
        found = _ordinal_in(*later, match) if later is not None and later[0] > days[0] else found
    is_one_week = match["nth"] or (match["kind"] in {"week", "woche"} and not match["count"])
    doubt = "counted in weeks of seven days" if is_one_week else whole.doubt
    if plain.startswith("the month", match.end()):
        doubt = f"each month, or {spoken_day(found[0])}?"
    return replace(whole, first=found[0], last=found[1], doubt=doubt, is_loose=False)


def _ordinal_in(first: date, last: date, match: re.Match[str]) -> tuple[date, date]:
    number = int(match["number"] or _ORDINALS[match["ordinal"]])
    kind = match["nth"] or _WORDS_OF_UNITS.get(match["kind"], match["kind"])
    if match["weekday"] or kind == "weekend":
        day = weekday_between(first, last, WEEKDAYS[match["weekday"] or "saturday"], number)
        return day, day + timedelta(days=kind == "weekend")
    if kind in _LONG:
        long = _LONG[kind] * int(_COUNTS.get(match["count"] or "") or match["count"] or 1)
        begin = last - timedelta(days=long - 1) if number < 0 else first + timedelta(days=long * (number - 1))
        return begin, begin + timedelta(days=long - 1)
    day = working_days_later(last + timedelta(days=1) if number < 0 else first - timedelta(days=1), number)
    return day, day


def _unit_end(match: re.Match[str], today: date) -> Span | None:
    word = match[match.lastindex or 0]
    unit = _WORDS_OF_UNITS.get(word, word)
    last = _unit(unit, today)[1]
    if unit == "week":
        friday = last - timedelta(days=2)
        return one_day(match.end(), friday, f"{spoken_day(friday)}, or {spoken_day(last)}?")
    return one_day(match.end(), last)


def _unit(unit: str, day: date, later: int = 0) -> tuple[date, date]:
    """Return the week, month, quarter or year that a day is in, or one later."""
    if unit in {"week", "weekend"}:
        monday = day - timedelta(days=day.weekday()) + timedelta(days=7 * later)
        return (monday if unit == "week" else monday + timedelta(days=5)), monday + timedelta(days=6)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = months_later(date(day.year, (day.month - 1) // months * months + 1, 1), months * later)
    return months_of(first.year, first.month, months)


def _named_period(match: re.Match[str], today: date) -> Span | None:
    """Read this week, next month, the week after next, the end of "the year"."""
    near, unit = match["near"], _WORDS_OF_UNITS.get(match["unit"], match["unit"])
    before = match.string[max(0, match.start() - 8) : match.start()]
    if near == "the" and not match["after"]:
        is_part = re.search(r"\b(?:of|at|by|over|before|early|late|in|mid|until|on)\s$", before) is not None
        if not is_part or (unit == "week" and not before.endswith("of ")):
            return None
    later = 2 if match["after"] else 1 if re.match(r"next|nxt|following|nachst|proxim", near) else 0
    later = 1 if near in {"coming", "upcoming"} and unit != "weekend" else later
    later = -1 if near in {"last", "past", "previous"} else later
    first, last = _unit(unit, today, later)
    doubt = f"from {spoken_day(first)}, or a week earlier?" if unit == "weekend" and later == 1 else ""
    return Span(end=match.end(), first=max(first, today) if match["later"] else first, last=last, doubt=doubt)


def _quarter(match: re.Match[str], today: date) -> Span | None:
    """Read Q3, the third quarter, and H2."""
    months = 6 if match["half"] else 3
    number = int(match["half"] or match["number"] or match["dotted"] or _ORDINALS[match["ordinal"]]) % 5
    year = year_of(match, today)
    days = months_of(year or today.year + (number * months < today.month), (number - 1) * months + 1, months)
    is_loose = year is None and match["ordinal"] is None  # "Q3" may be the third question
    return Span(end=match.end(), first=days[0], last=days[1], has_year=year is not None, is_loose=is_loose)


def _season(match: re.Match[str], today: date) -> Span | None:
    month, year, near = SEASONS[match["season"]], year_of(match, today), match["near"]
    days = months_of(year or today.year - (month == 12), month, 3)
    while year is None and (days[1] < today or (near == "next" and days[0] <= today)):
        days = months_of(days[0].year + 1, month, 3)
    if near == "last":
        days = months_of(days[0].year - 1, month, 3)
    is_near = near == "next" and year is None and 0 < (days[0] - today).days < _HALF_A_YEAR
    doubt = f"from {spoken_day(days[0])}, or a year later?" if is_near else ""
    is_loose = year is None and near not in {"this", "next", "last", "coming"}
    has_year = year is not None
    return Span(end=match.end(), first=days[0], last=days[1], doubt=doubt, is_loose=is_loose, has_year=has_year)


def _iso_week(match: re.Match[str], _today: date) -> Span | None:
    """Read 2027-W06 and 2027-W06-3, as ISO 8601 writes weeks and their days."""
    year, week, day = int(match["y"]), int(match["week"]), int(match["day"] or 0)
    first = date.fromisocalendar(year, week, day or 1)  # ValueError for a week that the year does not have
    last = first if day else first + timedelta(days=6)
    return Span(end=match.end(), first=first, last=last, has_year=True)


def _week(match: re.Match[str], today: date) -> Span | None:
    """Read a week by its number, as ISO 8601 counts."""
    week, year = int(match["week"]), year_of(match, today)
    if not 1 <= week <= 53:
        return None
    monday = date.fromisocalendar(year or today.year, week, 1)
    if year is None and monday + timedelta(days=6) < today:
        monday = date.fromisocalendar(today.year + 1, week, 1)
    is_loose = not (match["sure"] or match["to"] or year or match[0].startswith("wk"))
    last = monday + timedelta(days=7 * max(0, int(match["to"] or week) - week) + 6)
    return Span(end=match.end(), first=monday, last=last, is_loose=is_loose, has_year=year is not None)


def _around_feast(match: re.Match[str], today: date) -> Span | None:
    """Read "Easter weekend" and "the Christmas holidays", which nobody but the person knows the days of."""
    find, year = FEASTS[match["feast"]], year_of(match, today)
    day = find(year or today.year)
    if year is None and day < today:
        day = find(today.year + 1)
    if not match["weekend"]:
        return one_day(match.end(), day, "when is that?")
    if day.weekday() < WEEKDAYS["saturday"]:
        first, last = _unit("weekend", day)
        return Span(end=match.end(), first=first, last=last, doubt=f"{spoken_day(day)} is a {day:%A}")
    first = day - timedelta(days=2 if day == easter(day.year) else 1)
    return Span(end=match.end(), first=first, last=day + timedelta(days=1))


def _month(match: re.Match[str], today: date) -> Span | None:
    month, year, near = MONTHS[match["month"]], year_of(match, today), match["near"]
    number, doubt = year or today.year + (month < today.month), ""
    if near == "last":
        number = today.year - (month >= today.month)
    elif near == "next" and year is None:
        number = today.year + (month <= today.month)
        doubt = f"{match['month'].capitalize()} {number}, or {number + 1}?" if month > today.month else ""
    first, last = months_of(number, month, 1)
    is_loose = year is None and not near and match["month"] in _LOOSE_MONTHS
    found = Span(end=match.end(), first=first, last=last, doubt=doubt, is_loose=is_loose, has_year=year is not None)
    return replace(found, part_of_day=match["part"] or "")


def _year(match: re.Match[str], _: date) -> Span | None:
    year = int(match["year"])
    return Span(end=match.end(), first=date(year, 1, 1), last=date(year, 12, 31), is_loose=True, has_year=True)


def _week_of(plain: str, at: int, today: date) -> Span | None:
    """Read "the week of 12 June", "week commencing 3 May"."""
    match = _WEEK_OF.match(plain, at)
    day = day_at(plain, match.end(), today) if match is not None and match.end() < len(plain) else None
    if match is None or day is None or day.first is None:
        return None
    first, last = _unit(match["kind"] or "week", day.first)
    return replace(day, first=first, last=last)


_WHOLES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Span | None]], ...] = (
    (_UNIT_END, _unit_end), (_UNIT_OVER, _unit_end), (_NAMED, _named_period), (_QUARTER, _quarter), (_SEASON, _season),
    (_ISO_WEEK, _iso_week), (_WEEK, _week), (_AROUND_FEAST, _around_feast), (_MONTH, _month), (_YEAR_ALONE, _year),
)  # fmt: skip
