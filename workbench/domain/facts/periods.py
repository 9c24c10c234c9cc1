"""Periods as people write them, and parts of them.

    "May" · "June 2028" · "Q3" · "H2 2027" · "summer" · "week 23" · "next month" · "2028"
    "end of" · "mid-" · "the last Friday of" · "the first two weeks of" · "the week of"      ──period_at──▶ Span

A period without a year is the one that runs, or the next one; seasons are those of the northern hemisphere. All
functions read the plain form of a text and raise ValueError or OverflowError for days beyond the calendar.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

import msgspec

from workbench.domain.facts.calendar_words import (
    FEASTS,
    MONTHS,
    SEASONS,
    WEEKDAYS,
    easter,
    month_of,
    months_later,
    months_of,
    spoken_day,
    weekday_between,
    working_days_later,
)
from workbench.domain.facts.days import YEAR, Span, alternatives, day_at, one_day, year_of
from workbench.domain.facts.numbers import single_at
from workbench.domain.facts.vocabulary import SMALL

_ORDINALS = {
    word: number
    for number, words in enumerate(
        ("last final", "", "first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"), -1
    )
    for word in words.split()
}
_ORDINAL = rf"(?P<ordinal>{alternatives(_ORDINALS)})(?![a-z])"
_START = (
    r"(?:the\s)?(?:very\s)?(?:start|beginning)\sof|anfang|(?:le\s)?debut|(?:a\s)?(?:principios|"
    r"comienzos)(?:\sde)?"
)
_MIDDLE = r"(?:the\s)?(?:middle|midpoint)\sof|half-?way\sthrough|mid(?:\sof)?|mitte|mi|mediados(?:\sde)?"
_END = r"(?:the\s)?(?:very\s)?(?:end|close|last)\sof|ende?|(?:la\s)?fin|(?:a\s)?(?:finales|fines|final)(?:\sde)?"
_PART = re.compile(
    rf"(?:(?P<start>{_START})|(?P<middle>{_MIDDLE})|(?P<end>{_END})|(?:in\s)?(?P<early>early)|"
    rf"(?:in\s)?(?P<late>late))"
    r"(?:\s(?:in\s)?|-\s?)"
)
_TO_PART = re.compile(r"(?:to|or|and|-)\s(?=(?:mid|late|end)\b)|/\s?(?=(?:mid|late|end)\b)")
"""Between two parts of one period: "mid to late June"."""
_WHOLE_OF = re.compile(
    r"(?:the\s)?(?:(?:whole|entirety|all|(?P<rest>rest|remainder))\sof\s(?:the\s(?!month|year|quarter|week))?|"
    r"(?:all|whole|entire)\s(?:(?:month|year|season)\sof\s)?|month\sof\s)"
)
_HALF_OF = re.compile(r"(?:the\s)?(?:(?P<half>first|1st|second|2nd|latter|last)\s)?half\sof\s(?:the\s)?")
_MONTH = re.compile(
    rf"(?:(?P<near>next|this|"
    rf"last)\s)?(?P<month>{alternatives(MONTHS)})(?![a-z])(?P<dot>\.(?=\s\d))?"
    rf"(?:\s(?P<part>morning|afternoon|evening|night)s?(?=\s(?:in|of)\s(?:19|20|21)\d\d))?{YEAR}(?!\.?\s(?:the\s)?\d{{1,2}}(?!\d)|,\s\d{{1,2}}(?:st|nd|rd|th)|\s(?:bank\sholiday|fool))"
)
_MONTH_AND_YEAR = re.compile(r"(?P<month>0?[1-9]|1[0-2])/(?P<year>20\d\d)(?![\d/])")
_QUARTER = re.compile(
    rf"(?:the\s)?(?:q(?P<number>[1-4])(?![a-z\d])|(?P<ordinal>first|second|third|fourth|last|1st|2nd|3rd|"
    rf"4th)\squarter\b)"
    rf"(?:\sof\sthe\syear\b)?{YEAR}"
)
_HALF_YEAR = re.compile(rf"h(?P<number>[12])(?![a-z\d]){YEAR}")
_SEASON = re.compile(
    rf"(?:(?P<near>this|next|last|the|"
    rf"coming)\s)?(?P<season>{alternatives(SEASONS)})\b(?!-){YEAR}(?:/\d\d(?!\d))?"
)
_AFTER_SEASON = re.compile(
    r"\s(?:holidays?|break|camp|term|party|festival|fair|school|course|season|sale|house|cleaning|concert|edition|"
    r"menu|tyres|half-?term|vacation|starts?|begins?|ends?)\b"
)
_WEEK = re.compile(
    r"(?P<sure>(?:iso|calendar)[ -]week\s|(?:kw|cw)\s?)?(?(sure)|(?:weeks?|wk)\s)(?P<week>\d{1,2})"
    rf"(?:(?:\s?[-/&]\s?|\s(?:to|and|or)\s)(?P<to>\d{{1,2}}))?(?!\s?[-/&]\s?\d)"
    rf"(?![\d.,:/]|\sof\s(?!20)|(?:st|nd|rd|th)?\s(?:of\s)?(?:{alternatives(MONTHS)})\b){YEAR}"
)
_ISO_WEEK = re.compile(r"(?P<year>20\d\d)-?w(?P<week>\d\d)(?!\d)")
_NAMED = re.compile(
    r"(?P<later>later\s)?(?:the\s|la\s|el\s|des\s)?(?P<near>this|next|nxt|last|coming|current|following|past|previous|upcoming|"
    r"nachste[nrs]?|diese[nrsm]?|proxim[ao]|the)\s(?:calendar\s)?(?P<unit>weekend|wkend|week|wk|month|quarter|year|woche|"
    r"monat|"
    r"quartal|jahr|semana|mes|ano)\b(?P<after>\safter\snext\b)?(?!-|'s?\b|\s\d|\s(?:before|after|of)\b)"
)
_UNIT_END = re.compile(
    r"(?:the\s)?(?:end\sof\s(?P<of>week|month|quarter|year)|(?P<unit>week|month|quarter|year)(?:'s)?[ -]+end|"
    r"eo(?P<short>[wmqy])|(?:the|this)\s(?P<over>week|month|quarter|year)(?:\sis\s(?:out|over|up)|\sends))"
    r"(?![a-z])"
)
_NAMES_WHAT = re.compile(rf"\s(?!(?:{alternatives(SMALL)})(?![a-z'-]))[a-z]")
_YEAR_ALONE = re.compile(r"(?P<year>(?:19|20|21)\d\d)(?![\d%:]|[.,/-]\d|\s?(?:[a-z]{3,}s|eur|usd|people)\b|\s?[€$£])")
_ORDINAL_OF = re.compile(
    rf"(?:the\s)?{_ORDINAL}\s(?:(?P<weekday>{alternatives(WEEKDAYS)})|(?P<kind>weekend|fortnight|(?:working|business)\sday|day|week))"
    r"\s(?:of|in)\s(?:the\s(?!month|year|quarter))?|(?P<nth>week)\s(?P<number>[1-5])\s(?:of|in)\s(?!20)"
)
_FIRST_UNITS = re.compile(r"(?:the\s)?(?P<which>first|last|final)\s(?=\S)")
_UNITS_OF = re.compile(r"\s(?P<unit>days?|weeks?|months?)\s(?:of|in)\s(?:the\s(?!month|year|quarter))?")
_WEEK_OF = re.compile(
    r"(?:the\s)?(?P<kind>week|weekend)\s(?:of|beginning|commencing|starting|ending|around)\s(?:on\s)?(?:the\s)?|w/[ce]\s"
)
_AROUND_FEAST = re.compile(
    rf"(?:the\s)?(?P<feast>{alternatives(FEASTS)})\s(?:(?P<weekend>weekend)|holidays?|break|period|season|week){YEAR}\b"
)
_UNKNOWN = re.compile(
    r"(?:(?:the\s)?(?:start|beginning|middle|end|(?:first|last)\s(?:day|week))\sof\s)?(?:(?:the|a|any|next|all|every|new|coming)\s){0,3}"
    rf"(?!(?:august|summer)\sbank)(?:(?:(?:{alternatives(MONTHS)}|early|late|school|bank|public|national|financial|fiscal|tax|academic|{alternatives(SEASONS)})\s){{1,3}}"
    r"(?:holidays?|break|vacation|term|year)|"
    r"(?:(?:summer|autumn|spring|winter)\s)?half-?term|(?<=the\s)holidays|(?<=of\s)term|(?<=in\sthe\s)new\syear|advent|(?:mother|father)'?s'?\sday|"
    r"ramadan|eid(?:\sal-\w+)?|diwali|hanukkah|passover|midsummer(?:'s)?(?:\s(?:eve|day))?|carnival|(?:long|bank\sholiday)\sweekend|"
    r"(?:chinese|lunar)\snew\syear)(?:\sweekend)?\b(?!\s(?:starts?|begins?|ends?|runs?)\b)(?!,?\s\(?(?:is\s)?"
    r"(?:on\s|of\s)?(?:the\s)?\d)"
)
"""Days that each school and country has its own of."""
_TOLD_OF = re.compile(r"\b(?:is|are|was)\s(?:an?\s)?$")
"""Before what a day is: "3 May is a public holiday"."""
_LOOSE_MONTHS = frozenset(name for name in MONTHS if len(name) <= len("march") and name != "july") | {"august"}
_WORDS_OF_UNITS = {
    "woche": "week", "wk": "week", "wkend": "weekend",
    "semana": "week", "monat": "month", "mes": "month", "quartal": "quarter", "jahr": "year",
    "ano": "year", "w": "week", "m": "month", "q": "quarter", "y": "year",
}  # fmt: skip


def period_at(plain: str, at: int, today: date) -> Span | None:
    """Return the period, or the part of one, that begins at a place."""
    return (
        _unknown(plain, at)
        or _part_at(plain, at, today)
        or _ordinal_at(plain, at, today)
        or _whole_at(plain, at, today)
        or _week_of(plain, at, today)
    )


def _span(
    end: int, days: tuple[date, date], *, doubt: str = "", is_loose: bool = False, has_year: bool = False
) -> Span:
    return Span(end=end, first=days[0], last=days[1], doubt=doubt, is_loose=is_loose, has_year=has_year)


def _whole_at(plain: str, at: int, today: date) -> Span | None:
    """Return a month, quarter, half, season, week or year."""
    for read in (_unit_end, _named, _quarter, _half_year, _season, _week, _around_feast, _month, _year):
        if (found := read(plain, at, today)) is not None:
            return found
    return None


def _part_at(plain: str, at: int, today: date) -> Span | None:
    """Return the beginning, middle, end or half of a period."""
    if (match := _HALF_OF.match(plain, at)) is not None:
        whole = _whole_at(plain, match.end(), today)
        if whole is None or whole.first is None or whole.last is None:
            return None
        if match["half"] is None:
            return msgspec.structs.replace(whole, doubt="which half?", is_loose=False)
        return _halved(whole, whole.first, whole.last, is_first=match["half"] in {"first", "1st"})
    if (match := _WHOLE_OF.match(plain, at)) is not None:
        whole = _whole_at(plain, match.end(), today)
        is_running = match["rest"] and whole is not None and whole.first is not None and whole.first < today
        if whole is None:
            return None
        is_loose = " of " not in match[0] and plain[match.end() : whole.end] in {"may", "march", "mar"}
        return msgspec.structs.replace(whole, first=today if is_running else whole.first, is_loose=is_loose)
    if (match := _PART.match(plain, at)) is None:
        return None
    joint = _TO_PART.match(plain, match.end())
    other = _PART.match(plain, joint.end()) if joint is not None else None
    start = other.end() if other is not None else match.end()
    place = start + 4 * plain.startswith("the ", start)
    whole = _whole_at(plain, start, today) or _whole_at(plain, place, today) or _ordinal_at(plain, start, today)
    if whole is None or whole.first is None or whole.last is None or whole.first == whole.last:
        return None
    first, last = _part_of(match, whole.first, whole.last)
    doubt = whole.doubt
    if match["end"] and (whole.last - whole.first).days == _WEEK_DAYS and whole.first.weekday() == 0:
        doubt = f"{spoken_day(last)}, or {spoken_day(whole.last)}?"
    if other is not None:
        last = _part_of(other, whole.first, whole.last)[1]
    return _span(whole.end, (first, last), doubt=doubt, has_year=whole.has_year)


_HALF_A_YEAR = 183
_WEEK_DAYS = 6
"""Days from the first of a week to its last."""


def _part_of(match: re.Match[str], first: date, last: date) -> tuple[date, date]:
    """Return the part of a period that a match of ``_PART`` names; its start, middle and end are single days."""
    days = (last - first).days
    if match["start"]:
        return first, first
    if match["early"]:
        return first, first + timedelta(days=(days + 1) // 3 - 1 if days > _WEEK_DAYS else 2)
    if match["middle"]:
        middle = first + timedelta(days=days // 2)
        return middle, middle
    if match["late"]:
        return last - timedelta(days=days // 3), last
    if days == _WEEK_DAYS and first.weekday() == 0:
        last -= timedelta(days=2)  # a Friday
    return last, last


def _halved(whole: Span, first: date, last: date, *, is_first: bool) -> Span:
    if (last - first).days > 88:  # halves of quarters and years begin with a month or its middle
        months = (last.year - first.year) * 12 + last.month - first.month + 1
        middle = months_later(first, months // 2) + timedelta(days=15 * (months % 2))
    else:
        middle = first + timedelta(days=((last - first).days + 1) // 2)
    days = (first, middle - timedelta(days=1)) if is_first else (middle, last)
    return _span(whole.end, days, doubt=whole.doubt, has_year=whole.has_year)


def _ordinal_at(plain: str, at: int, today: date) -> Span | None:
    """Return the last Friday of May, the first weekend in June, the first two weeks of June."""
    if (match := _ORDINAL_OF.match(plain, at)) is not None:
        return _ordinal_of(match, plain, today)
    match = _FIRST_UNITS.match(plain, at)
    number = single_at(plain, match.end()) if match is not None else None
    unit = _UNITS_OF.match(plain, number.end) if number is not None else None
    whole = _whole_at(plain, unit.end(), today) if unit is not None else None
    if match is None or number is None or unit is None or whole is None or whole.first is None or whole.last is None:
        return None
    count = int(number.value)
    if unit["unit"].startswith("month"):
        first, last = whole.first, months_later(whole.first, count) - timedelta(days=1)
        if match["which"] != "first":
            first, last = months_later(whole.last + timedelta(days=1), -count), whole.last
    else:
        days = timedelta(days=count * (7 if unit["unit"].startswith("week") else 1) - 1)
        is_first = match["which"] == "first"
        first, last = (whole.first, whole.first + days) if is_first else (whole.last - days, whole.last)
    return _span(whole.end, (first, last), has_year=whole.has_year)


def _ordinal_of(match: re.Match[str], plain: str, today: date) -> Span | None:
    whole = _whole_at(plain, match.end(), today)
    if whole is None or whole.first is None or whole.last is None:
        return None
    found = _ordinal_in(whole.first, whole.last, match)
    is_month_alone = not whole.has_year and (whole.last - whole.first).days < 31
    if found[1] < today and is_month_alone and whole.last >= today:  # the month runs, its first Monday is past
        later = _whole_at(plain, match.end(), whole.last + timedelta(days=1))
        if later is not None and later.first is not None and later.last is not None and later.first > whole.first:
            found = _ordinal_in(later.first, later.last, match)
    doubt = "counted in weeks of seven days" if "week" in {match["kind"], match["nth"]} else whole.doubt
    if plain.startswith("the month", match.end()):
        doubt = f"each month, or {spoken_day(found[0])}?"
    return _span(whole.end, found, doubt=doubt, has_year=whole.has_year)


def _ordinal_in(first: date, last: date, match: re.Match[str]) -> tuple[date, date]:
    number, kind = int(match["number"] or _ORDINALS[match["ordinal"]]), match["nth"] or match["kind"]
    if match["weekday"]:
        day = weekday_between(first, last, WEEKDAYS[match["weekday"]], number)
        return day, day
    if kind == "weekend":
        day = weekday_between(first, last, 5, number)
        return day, day + timedelta(days=1)
    if kind == "week":
        begin = last - timedelta(days=6) if number < 0 else first + timedelta(days=7 * (number - 1))
        return begin, begin + timedelta(days=6)
    if kind == "fortnight":
        begin = last - timedelta(days=13) if number < 0 else first + timedelta(days=14 * (number - 1))
        return begin, begin + timedelta(days=13)
    if kind == "day":
        day = last if number < 0 else first + timedelta(days=number - 1)
        return day, day
    day = last + timedelta(days=1) if number < 0 else first - timedelta(days=1)
    day = working_days_later(day, number)
    return day, day


def _unit_end(plain: str, at: int, today: date) -> Span | None:
    match = _UNIT_END.match(plain, at)
    if match is None:
        return None
    unit = match["of"] or match["unit"] or match["over"] or _WORDS_OF_UNITS[match["short"]]
    last = _unit(unit, today)[1]
    if match["unit"] and _NAMES_WHAT.match(plain, match.end()) is not None:  # "the month-end report"
        return None
    if unit == "week":
        friday = last - timedelta(days=2)
        return one_day(match.end(), friday, f"{spoken_day(friday)}, or {spoken_day(last)}?")
    return one_day(match.end(), last)


def _unit(unit: str, day: date, later: int = 0) -> tuple[date, date]:
    """Return the week, month, quarter or year that a day is in, or one later."""
    if unit in {"week", "weekend"}:
        monday = day - timedelta(days=day.weekday()) + timedelta(days=7 * later)
        return (monday if unit == "week" else monday + timedelta(days=5)), monday + timedelta(days=6)
    if unit == "month":
        return months_of(day.year + (day.month - 1 + later) // 12, (day.month - 1 + later) % 12 + 1, 1)
    if unit == "quarter":
        first = months_later(date(day.year, (day.month - 1) // 3 * 3 + 1, 1), 3 * later)
        return months_of(first.year, first.month, 3)
    return months_of(day.year + later, 1, 12)


def _named(plain: str, at: int, today: date) -> Span | None:
    """Read this week, next month, the week after next, the end of "the year"."""
    match = _NAMED.match(plain, at)
    if match is None:
        return None
    near, unit = match["near"], _WORDS_OF_UNITS.get(match["unit"], match["unit"])
    if near == "the" and not match["after"]:
        is_part = (
            re.search(r"\b(?:of|at|by|over|before|early|late|in|mid|until|on)\s$", plain[max(0, at - 8) : at])
            is not None
        )
        if not is_part or (unit == "week" and plain[max(0, at - 3) : at] != "of "):
            return None
    later = 2 if match["after"] else 1 if re.match(r"next|nxt|following|nachst|proxim", near) else 0
    later = 1 if near in {"coming", "upcoming"} and unit != "weekend" else later
    later = -1 if near in {"last", "past", "previous"} else later
    days, doubt = _unit(unit, today, later), ""
    if match["later"]:
        days = max(days[0], today), days[1]
    if unit == "weekend" and later == 1:
        doubt = f"from {spoken_day(days[0])}, or a week earlier?"
    return _span(match.end(), days, doubt=doubt)


def _quarter(plain: str, at: int, today: date) -> Span | None:
    match = _QUARTER.match(plain, at)
    if match is None:
        return None
    number = int(match["number"] or {"last": 4}.get(match["ordinal"]) or _ORDINALS[match["ordinal"]])
    year = year_of(match, today)
    days = months_of(year or today.year + (number * 3 < today.month), number * 3 - 2, 3)
    return _span(match.end(), days, has_year=year is not None)


def _half_year(plain: str, at: int, today: date) -> Span | None:
    match = _HALF_YEAR.match(plain, at)
    if match is None:
        return None
    number, year = int(match["number"]), year_of(match, today)
    days = months_of(year or today.year + (number * 6 < today.month), number * 6 - 5, 6)
    return _span(match.end(), days, has_year=year is not None)


def _season(plain: str, at: int, today: date) -> Span | None:
    match = _SEASON.match(plain, at)
    if match is None or _AFTER_SEASON.match(plain, match.end()) is not None:
        return None
    month, year, near = SEASONS[match["season"]], year_of(match, today), match["near"]
    days = months_of(year or today.year - (month == 12), month, 3)
    while year is None and (days[1] < today or (near == "next" and days[0] <= today)):
        days = months_of(days[0].year + 1, month, 3)
    if near == "last":
        days = months_of(days[0].year - 1, month, 3)
    is_near = near == "next" and year is None and 0 < (days[0] - today).days < _HALF_A_YEAR
    doubt = f"from {spoken_day(days[0])}, or a year later?" if is_near else ""
    is_loose = year is None and near not in {"this", "next", "last", "coming"}
    return _span(match.end(), days, doubt=doubt, is_loose=is_loose, has_year=year is not None)


def _week(plain: str, at: int, today: date) -> Span | None:
    """Read a week by its number, as ISO 8601 counts."""
    match = _ISO_WEEK.match(plain, at) or _WEEK.match(plain, at)
    if match is None:
        return None
    week = int(match["week"])
    year = int(match["year"]) if match.re is _ISO_WEEK else year_of(match, today)
    if not 1 <= week <= 53:
        return None
    monday = date.fromisocalendar(year or today.year, week, 1)
    if year is None and monday + timedelta(days=6) < today:
        monday = date.fromisocalendar(today.year + 1, week, 1)
    is_loose = (
        match.re is _WEEK and not match["sure"] and not match["to"] and year is None and not match[0].startswith("wk")
    )
    more = max(0, int(match["to"]) - week) if match.re is _WEEK and match["to"] else 0
    days = monday, monday + timedelta(days=7 * more + 6)
    return _span(match.end(), days, is_loose=is_loose, has_year=year is not None)


def _around_feast(plain: str, at: int, today: date) -> Span | None:
    """Read "Easter weekend" and "the Christmas holidays", which nobody but the person knows the days of."""
    match = _AROUND_FEAST.match(plain, at)
    if match is None:
        return None
    find, year = FEASTS[match["feast"]], year_of(match, today)
    day = find(year or today.year)
    if year is None and day < today:
        day = find(today.year + 1)
    if not match["weekend"]:
        return one_day(match.end(), day, "when is that?")
    if day.weekday() < WEEKDAYS["sunday"]:
        is_within = day.weekday() == WEEKDAYS["saturday"]
        return _span(match.end(), _unit("weekend", day), doubt="" if is_within else f"{spoken_day(day)} is a {day:%A}")
    friday = timedelta(days=2 if day == easter(day.year) else 1)
    return _span(match.end(), (day - friday, day + timedelta(days=1)))


def _unknown(plain: str, at: int) -> Span | None:
    """Read "the school holidays" as days that nobody has said."""
    match = _UNKNOWN.match(plain, at)
    if match is None or _TOLD_OF.search(plain, max(0, at - 10), at) is not None:
        return None
    return Span(end=match.end(), doubt="when is that?", is_loose=True)


def _month(plain: str, at: int, today: date) -> Span | None:
    if (match := _MONTH_AND_YEAR.match(plain, at)) is not None:
        return _span(match.end(), month_of(int(match["year"]), int(match["month"])), has_year=True)
    if (match := _MONTH.match(plain, at)) is None:
        return None
    month, year, near = MONTHS[match["month"]], year_of(match, today), match["near"]
    number = year or today.year + (month < today.month)
    doubt = ""
    if near == "last":
        number = today.year - (month >= today.month)
    elif near == "next" and year is None:
        number = today.year + (month <= today.month)
        if month > today.month:
            doubt = f"{match['month'].capitalize()} {number}, or {number + 1}?"
    is_loose = year is None and not near and match["month"] in _LOOSE_MONTHS
    found = _span(match.end(), month_of(number, month), doubt=doubt, is_loose=is_loose, has_year=year is not None)
    return msgspec.structs.replace(found, part_of_day=match["part"] or "")


def _year(plain: str, at: int, _: date) -> Span | None:
    match = _YEAR_ALONE.match(plain, at)
    if match is None:
        return None
    return _span(match.end(), months_of(int(match["year"]), 1, 12), is_loose=True, has_year=True)


def _week_of(plain: str, at: int, today: date) -> Span | None:
    """Read "the week of 12 June", "week commencing 3 May"."""
    match = _WEEK_OF.match(plain, at)
    day = day_at(plain, match.end(), today) if match is not None and match.end() < len(plain) else None
    if match is None or day is None or day.first is None:
        return None
    first, last = _unit(match["kind"] or "week", day.first)
    return msgspec.structs.replace(day, first=first, last=last)
