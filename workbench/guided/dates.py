r"""Dates as people write them, resolved to days.

    "by 30 June" · "before Christmas" · "end of Q3" · "in 6 weeks" ──find_dates(text, today)──▶ Moment*

A date without a year is its next occurrence from ``today`` on. A period (June, Q3, next week) counts by its last day
where it is a deadline and by its first day where something starts or must be over before it. Seasons are those of the
northern hemisphere. English is read best; German, French and Spanish dates and the usual words before them are known.
"""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal

import msgspec

Role = Literal["deadline", "start", "mention"]


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A date found in a text."""

    text: str
    """As it is written."""
    day: date
    """The day it names; of a period the day that counts (see the module)."""
    role: Role
    """What it is for: an end to keep, a beginning, or neither."""
    limit: date
    """The last day on which work is still in time: ``day``, or the day before it behind "before"."""
    in_force: bool = False
    """True where something holds "from" a day on: it may be what has to be ready by then."""
    exact: bool
    """True where a single day is named, not a period."""
    start: int
    """Offset of the first character, of the words before it too ("by")."""
    end: int


class _Period(msgspec.Struct, frozen=True):
    first: date
    last: date
    role: Role | None = None
    """Where the expression itself says what it is for ("in 6 weeks")."""


_MONTH_NAMES = {
    1: "january jan januar janvier enero",
    2: "february feb februar fevrier febrero",
    3: "march mar marz maerz mars marzo",
    4: "april apr avril abril",
    5: "may mai mayo",
    6: "june jun juni juin junio",
    7: "july jul juli juillet julio",
    8: "august aug aout agosto",
    9: "september sept sep septembre septiembre",
    10: "october oct oktober okt octobre octubre",
    11: "november nov novembre noviembre",
    12: "december dec dezember dez decembre diciembre",
}
_MONTHS = {name: number for number, names in _MONTH_NAMES.items() for name in names.split()}
_WEEKDAY_NAMES = {
    0: "monday montag lundi lunes",
    1: "tuesday dienstag mardi martes",
    2: "wednesday mittwoch mercredi miercoles",
    3: "thursday donnerstag jeudi jueves",
    4: "friday freitag vendredi viernes",
    5: "saturday samstag samedi sabado",
    6: "sunday sonntag dimanche domingo",
}
_WEEKDAYS = {name: number for number, names in _WEEKDAY_NAMES.items() for name in names.split()}
NUMBER_WORDS = {
    word: number
    for number, words in {
        1: "a an one ein eine einem einer einen un une uno una",
        2: "two couple zwei deux dos",
        3: "three drei trois tres",
        4: "four vier quatre cuatro",
        5: "five funf cinq cinco",
        6: "six sechs seis",
        7: "seven sieben sept siete",
        8: "eight acht huit ocho",
        9: "nine neun neuf nueve",
        10: "ten zehn dix diez",
        11: "eleven elf onze once",
        12: "twelve zwolf douze doce",
        18: "eighteen",
        24: "twenty-four",
    }.items()
    for word in words.split()
}
_UNITS = {
    unit: (kind, count)
    for kind, count, units in (
        ("day", 1, "day days tag tage tagen jour jours dia dias"),
        ("day", 7, "week weeks woche wochen semaine semaines semana semanas"),
        ("day", 14, "fortnight fortnights sprint sprints"),
        ("month", 1, "month months monat monate monaten mois mes meses"),
        ("month", 3, "quarter quarters quartal quartale quartalen trimestre trimestres"),
        ("month", 12, "year years jahr jahre jahren an ans annee annees ano anos"),
    )
    for unit in units.split()
}


_MONTH = f"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\\.?"
_NUMBER = f"(?P<count>\\d{{1,3}}|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})"
_UNIT = f"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})"
_WEEKDAY = f"(?P<weekday>{'|'.join(sorted(_WEEKDAYS, key=len, reverse=True))})"
_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_PART = (
    r"(?P<part>(?:the\s+)?(?:very\s+)?(?:end|close)\s+of|late|(?:the\s+)?(?:start|beginning)\s+of|early|"
    r"(?:the\s+)?middle\s+of|mid|ende|anfang|mitte|(?:la\s+)?fin|(?:le\s+)?debut|mi|"
    r"(?:a\s+)?(?:finales|fines|final)(?:\s+de)?|(?:a\s+)?(?:principios|comienzos)(?:\s+de)?|mediados(?:\s+de)?)"
)


def find_dates(text: str, today: date) -> tuple[Moment, ...]:
    """Return the dates in a text, in the order they stand there, none overlapping another."""
    plain = _plain(text)
    taken: list[Moment] = []
    for pattern, resolve in _READERS:
        for match in pattern.finditer(plain):
            if any(match.start() < other.end and other.start < match.end() for other in taken):
                continue
            period = _resolved(resolve, match, today)
            if period is not None:
                taken.append(_moment(text, plain, match, period))
    return tuple(sorted(taken, key=lambda moment: moment.start))


def spoken(day: date) -> str:
    """Return a day as plans write it: ``Wednesday 2027-06-30``."""
    return f"{day:%A} {day.isoformat()}"


def _plain(text: str) -> str:
    """Return text in lower case without accents, each character still at its place."""
    if text.isascii():
        return text.lower()
    return "".join(_bare(character) for character in text)


def _bare(character: str) -> str:
    if character.isascii():
        return character.lower()
    bare = unicodedata.normalize("NFKD", character)[:1]
    return bare.lower() if bare.isascii() and bare else " " if character.isspace() else character


def _resolved(
    resolve: Callable[[re.Match[str], date], _Period | None], match: re.Match[str], today: date
) -> _Period | None:
    """Return what a match names, or None where no calendar has such a day (31 April, the year 10,000)."""
    try:
        return resolve(match, today)
    except (ValueError, OverflowError):
        return None


_BEFORE = re.compile(r"\b(?:before|prior\s+to|ahead\s+of|vor|avant|antes\s+del?)\s+(?:the\s+)?(?:dem\s+|le\s+)?$")
_NOT_BEFORE = re.compile(r"\b(?:not|never|n['’]t|no\s+\w+)\s+(?:\w+\s+){0,2}(?:before|until|till)\s+(?:the\s+)?$")
_BY = re.compile(
    r"\b(?:by|until|till|no\s+later\s+than|not\s+later\s+than|latest|deadline(?:\s+is|:|\s+of)?|due(?:\s+on|\s+by|:)?|"
    r"through|bis(?:\s+zum|\s+zu)?|spatestens(?:\s+am|\s+bis)?|d'ici(?:\s+au|\s+a)?|d’ici|jusqu'au|para|hasta|"
    r"finished?\s+in|done\s+in|ready\s+(?:in|for|on)|live\s+(?:in|on))\s+(?:the\s+|el\s+|le\s+)?$"
)
_FROM = re.compile(
    r"\b(?:from|start(?:s|ing)?(?:\s+on|\s+in|\s+from)?|begin(?:s|ning)?(?:\s+on|\s+in)?|after|since|not\s+before|"
    r"as\s+of|ab|seit|nach|a\s+partir\s+d[eu]|depuis|apres|desde|despues\s+del?)\s+(?:the\s+|el\s+|le\s+)?$"
)
_ON = re.compile(r"\b(?:on|in|at|for|during|within|over|this|am|im|zum|le|en|el|al|au)\s+(?:the\s+|el\s+|le\s+)?$")


_LEADS: tuple[tuple[re.Pattern[str], Role, bool], ...] = (
    (_BEFORE, "deadline", True),
    (_BY, "deadline", False),
    (_FROM, "start", False),
)
_IN_FORCE = re.compile(r"\b(?:from|as\s+of|effective|ab|a\s+partir\s+d[eu]|desde)\s+(?:the\s+)?$")


def _moment(text: str, plain: str, match: re.Match[str], period: _Period) -> Moment:
    before = plain[max(0, match.start() - 40) : match.start()]
    lead, role, over = _lead(before)
    day, limit = period.last, period.last
    if over:
        day, limit = period.first, _day_before(period.first)
    elif role == "start":
        day, limit = period.first, period.first
    return Moment(
        text=text[match.start() : match.end()].rstrip("."),
        day=day,
        role=period.role or role,
        limit=limit,
        exact=period.first == period.last,
        in_force=_IN_FORCE.search(before) is not None,
        start=match.start() - lead,
        end=match.end(),
    )


def _lead(before: str) -> tuple[int, Role, bool]:
    """Return how many characters in front belong to a date, what they make of it, and whether they mean "before"."""
    if (match := _NOT_BEFORE.search(before)) is not None:
        return len(match[0]), "start", False
    for pattern, role, over in _LEADS:
        if (match := pattern.search(before)) is not None:
            return len(match[0]), role, over
    if (match := _ON.search(before)) is not None:
        return len(match[0]), "deadline", False
    return 0, "mention", False


def _day_before(day: date) -> date:
    return day - timedelta(days=1)


def _one_day(day: date) -> _Period:
    return _Period(day, day)


def _iso(match: re.Match[str], _: date) -> _Period:
    return _one_day(date(int(match["y"]), int(match["m"]), int(match["d"])))


def _numeric(match: re.Match[str], today: date) -> _Period:
    """Read 30.06.2027 and 30/6/27 day first; month first only where the second number cannot be a month."""
    first, second, year = int(match["a"]), int(match["b"]), match["y"]
    day, month = (second, first) if second > 12 and match["sep"] == "/" else (first, second)
    if not year:
        return _one_day(_next_day(today, month, day))
    return _one_day(date(int(year) + (2000 if len(year) == 2 else 0), month, day))


def _day_and_month(match: re.Match[str], today: date) -> _Period:
    month, day = _MONTHS[match["month"]], int(match["d"])
    if match["year"] is not None:
        return _one_day(date(int(match["year"]), month, day))
    return _one_day(_next_day(today, month, day))


def _next_day(today: date, month: int, day: int) -> date:
    """Return the next 29 February, or whatever day of a month, from today on."""
    for year in range(today.year, today.year + 9):
        if day <= monthrange(year, month)[1]:
            found = date(year, month, day)
            if found >= today:
                return found
    raise ValueError(day)


def _month_of(year: int, month: int) -> _Period:
    return _Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _month(match: re.Match[str], today: date) -> _Period | None:
    name, month, year, part = match["month"], _MONTHS[match["month"]], match["year"], match["part"]
    if not part and year is None and name in {"may", "mar", "mars", "march", "sept", "jan", "dec", "mai"}:
        before = match.string[max(0, match.start() - 8) : match.start()]
        if re.search(r"\b(?:by|in|until|before|of|im|bis|en|next|this|since|from|after|vor)\s$", before) is None:
            return None
    number = int(year) if year is not None else today.year + (month < today.month)
    return _part_of(_month_of(number, month), part)


def _part_of(period: _Period, part: str | None) -> _Period:
    """Return the early, middle or late part of a period."""
    if not part:
        return period
    days = (period.last - period.first).days
    if re.search(r"start|beginning|early|anfang|debut|principios|comienzos", part):
        return _Period(period.first, period.first + timedelta(days=days // 3))
    if re.search(r"\bmid|mi$|middle|mitte|mediados", part):
        return _one_day(period.first + timedelta(days=days // 2))
    return _one_day(period.last)


def _quarter(match: re.Match[str], today: date) -> _Period:
    number = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}.get(match["q"]) or int(match["q"])
    year = int(match["year"]) if match["year"] is not None else today.year
    if match["year"] is None and number * 3 < today.month:
        year += 1
    return _part_of(_months(year, number * 3 - 2, 3), match["part"])


def _half(match: re.Match[str], today: date) -> _Period:
    number = {"first": 1, "second": 2}.get(match["h"]) or int(match["h"])
    year = int(match["year"]) if match["year"] is not None else today.year + (number * 6 < today.month)
    return _part_of(_months(year, number * 6 - 5, 6), match["part"])


def _months(year: int, first: int, count: int) -> _Period:
    return _Period(date(year, first, 1), _month_of(year, first + count - 1).last)


def _in_time(match: re.Match[str], today: date) -> _Period:
    count = match["count"]
    kind, each = _UNITS[match["unit"]]
    number = (int(count) if count.isdigit() else NUMBER_WORDS[count]) * each
    day = today + timedelta(days=number) if kind == "day" else _months_later(today, number)
    return _Period(day, day, "deadline")


def _months_later(day: date, count: int) -> date:
    months = day.year * 12 + day.month - 1 + count
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _weekday(match: re.Match[str], today: date) -> _Period | None:
    """Read a weekday behind a preposition; "Monday to Friday" and "Friday calls" name no date."""
    around = match.string[max(0, match.start() - 14) : match.start()], match.string[match.end() : match.end() + 6]
    if (match["next"] is None and _AT_A_DAY.search(around[0]) is None) or re.match(
        r"\s*(?:to|and|-|–|bis)\s", around[1]
    ):
        return None
    ahead = (_WEEKDAYS[match["weekday"]] - today.weekday() - 1) % 7 + 1
    if match["next"] is not None and today.weekday() + ahead < 7:
        ahead += 7
    return _one_day(today + timedelta(days=ahead))


_AT_A_DAY = re.compile(
    r"\b(?:by|until|till|before|after|on|this|from|since|due|next|am|bis|ab|le|avant|el|antes del)\s$"
)


def _named_period(match: re.Match[str], today: date) -> _Period:
    """Read next week, this month, the end of the year, next quarter."""
    which, unit = match["which"], match["named"]
    later = 1 if re.search(r"next|nachst|prochain|proxim", which) else 0
    if unit in {"week", "woche", "semaine", "semana"}:
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * later)
        return _Period(monday, monday + timedelta(days=4))
    if unit in {"month", "monat", "mois", "mes"}:
        day = _months_later(today.replace(day=1), later)
        return _part_of(_month_of(day.year, day.month), match["part"])
    if unit in {"quarter", "quartal", "trimestre"}:
        first = _months_later(date(today.year, (today.month - 1) // 3 * 3 + 1, 1), 3 * later)
        return _part_of(_months(first.year, first.month, 3), match["part"])
    return _part_of(_months(today.year + later, 1, 12), match["part"])


def _whole_year(match: re.Match[str], _: date) -> _Period:
    return _part_of(_months(int(match["year"]), 1, 12), match["part"])


def _tomorrow(match: re.Match[str], today: date) -> _Period:
    ahead = 0 if match[0] in {"today", "tonight", "heute", "hoy"} else 1
    return _one_day(today + timedelta(days=ahead))


def _feast(match: re.Match[str], today: date) -> _Period:
    year = int(match["year"]) if match["year"] is not None else None
    find = _FEASTS[re.sub(r"\s+", " ", match["feast"])]
    day = find(year or today.year)
    return _one_day(day if year is not None or day >= today else find(today.year + 1))


def _season(match: re.Match[str], today: date) -> _Period:
    month = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[match["season"]]
    year = int(match["year"]) if match["year"] is not None else today.year
    period = _season_of(year, month)
    if match["year"] is None and (period.last if match["which"] else period.first) < today:
        period = _season_of(year + 1, month)
    return period


def _season_of(year: int, month: int) -> _Period:
    first = date(year, month, 1)
    return _Period(first, _months_later(first, 3) - timedelta(days=1))


def _easter(year: int) -> date:
    """Return Easter Sunday (Gauss's rule in the form of Meeus, Jones and Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def _thanksgiving(year: int) -> date:
    first = date(year, 11, 1)
    return first + timedelta(days=(3 - first.weekday()) % 7 + 21)


_FEASTS: dict[str, Callable[[int], date]] = {
    "christmas eve": lambda year: date(year, 12, 24),
    "christmas": lambda year: date(year, 12, 25),
    "xmas": lambda year: date(year, 12, 25),
    "weihnachten": lambda year: date(year, 12, 25),
    "noel": lambda year: date(year, 12, 25),
    "navidad": lambda year: date(year, 12, 25),
    "new year's eve": lambda year: date(year, 12, 31),
    "new year's day": lambda year: date(year, 1, 1),
    "new year": lambda year: date(year, 1, 1),
    "valentine's day": lambda year: date(year, 2, 14),
    "halloween": lambda year: date(year, 10, 31),
    "thanksgiving": _thanksgiving,
    "black friday": lambda year: _thanksgiving(year) + timedelta(days=1),
    "easter": _easter,
    "ostern": _easter,
    "paques": _easter,
}

_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], _Period | None]], ...] = tuple(
    (re.compile(pattern, re.ASCII), resolve)
    for pattern, resolve in (
        (r"(?<![\d-])(?P<y>(?:19|20|21)\d\d)[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?![\d-])", _iso),
        (r"(?<![\d./])(?P<a>\d{1,2})(?P<sep>[./])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d\d)(?![\d/])", _numeric),
        (r"(?<![\d./])(?P<a>\d{1,2})(?P<sep>\.)(?P<b>\d{1,2})\.(?P<y>)?(?!\d)", _numeric),
        (
            r"(?<![\d.,])(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+|d')?"
            + _MONTH
            + r"(?![a-z])(?:,?\s+(?:de[l]?\s+)?"
            + _YEAR
            + r"(?!\d))?",
            _day_and_month,
        ),
        (
            r"(?<![a-z])" + _MONTH + r"\s+(?:the\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th)?(?![\d%,.]\d|\d|\s*(?:%|k\b))"
            r"(?:,?\s+" + _YEAR + r"(?!\d))?",
            _day_and_month,
        ),
        (
            r"(?:" + _PART + r"[\s-]+)?(?<![a-z0-9])q(?P<q>[1-4])"
            r"(?:\s+(?:of\s+)?" + _YEAR + r"|(?![a-z0-9]))",
            _quarter,
        ),
        (
            r"(?:" + _PART + r"[\s-]+)?(?<![a-z])(?:the\s+)?(?P<q>first|second|third|fourth|last)\s+quarter"
            r"(?:\s+(?:of\s+)?" + _YEAR + r")?",
            _quarter,
        ),
        (r"(?<![a-z])(?:the\s+)?(?P<part>)(?P<h>first|second)\s+half\s+of\s+" + _YEAR, _half),
        (
            r"(?:" + _PART + r"[\s-]+)?(?<![a-z0-9])(?:h(?P<h>[12])(?:\s+(?:of\s+)?" + _YEAR + r"|(?![a-z0-9])))",
            _half,
        ),
        (
            r"(?:"
            + _PART
            + r"[\s-]+)?(?<![a-z])"
            + _MONTH
            + r"(?![a-z])(?:,?\s+(?:of\s+|del?\s+)?"
            + _YEAR
            + r"(?!\d))?",
            _month,
        ),
        (
            r"(?<![a-z])(?:with)?in\s+(?:the\s+(?:next|coming)\s+)?(?:about\s+|a\s+)?"
            + _NUMBER
            + r"\s+(?:of\s+)?"
            + _UNIT
            + r"(?![a-z])(?:'?s?['’]?\s+time)?",
            _in_time,
        ),
        (r"(?<![a-z])" + _NUMBER + r"\s+" + _UNIT + r"\s+(?:from\s+(?:now|today)|ab\s+heute)", _in_time),
        (
            r"(?<![a-z])(?:over|during)\s+the\s+(?:next|coming)\s+" + _NUMBER + r"\s+" + _UNIT + r"(?![a-z])",
            _in_time,
        ),
        (
            r"(?<![a-z])(?:innerhalb\s+von|binnen|dans|d'ici|en|dentro\s+de)\s+"
            + _NUMBER
            + r"\s+"
            + _UNIT
            + r"(?![a-z])",
            _in_time,
        ),
        (
            r"(?:" + _PART + r"[\s-]+)?(?<![a-z])(?P<which>next|this|the|nachste[nrs]?|diese[nrsm]?|des|la\s+proxima|"
            r"el\s+proximo|proximo)\s+(?P<named>week|month|quarter|year|woche|monat|quartal|jahr|semana|mes|ano)"
            r"(?:'s\s+end)?(?![a-z-])",
            _named_period,
        ),
        (r"(?<![a-z])(?:year[ -]end|eoy)(?P<part>)(?P<which>)(?P<named>)(?![a-z])", _named_period),
        (r"(?<![a-z])(?P<next>next\s+|nachsten\s+|proximo\s+)?(?:this\s+)?" + _WEEKDAY + r"(?![a-z])", _weekday),
        (
            r"(?<![a-z])(?P<feast>"
            + "|".join(name.replace(" ", r"\s+") for name in _FEASTS)
            + r")(?![a-z])(?:\s+"
            + _YEAR
            + r")?",
            _feast,
        ),
        (
            r"(?<![a-z])(?P<which>this\s+|next\s+|the\s+|in\s+)?(?P<season>spring|summer|autumn|fall|winter)"
            r"(?![a-z])(?:\s+" + _YEAR + r")?",
            _season,
        ),
        (r"(?<![a-z])(?:tomorrow|today|tonight|morgen|heute|demain|manana|hoy)(?![a-z])", _tomorrow),
        (
            r"(?:"
            + _PART
            + r"[\s-]+|(?<=\bin )|(?<=\bby )|(?<=\bbefore )|(?<=\buntil )|(?<=\bbis ))(?<![\d.,-])"
            + _YEAR
            + r"(?![\d.,%-]*\d)(?!\s*[a-z]{3,}s\b)",
            _whole_year,
        ),
    )
)
