"""Words of the calendar in English, German, French and Spanish: months, weekdays, seasons and feasts."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero",
            "february feb febuary februar fevrier febrero",
            "march mar marz maerz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug aout agosto",
            "september sept sep septembre septiembre",
            "october oct oktober okt octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember dez decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag lundi lunes",
            "tuesday tues tue tuseday dienstag mardi martes",
            "wednesday wed weds wensday wednsday mittwoch mercredi miercoles",
            "thursday thurs thur thu thrusday thursay donnerstag jeudi jueves",
            "friday fri freitag vendredi viernes",
            "saturday sat saterday samstag samedi sabado",
            "sunday sun sonntag dimanche domingo",
        )
    )
    for name in names.split()
}
_FIRST_DAYS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINAL_DAYS = {word: number for number, word in enumerate(_FIRST_DAYS.split(), start=1)} | {
    **{f"twenty-{word}": 20 + number for number, word in enumerate(_FIRST_DAYS.split()[:9], start=1)},
    "thirtieth": 30,
    "thirty-first": 31,
}
WEEKDAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
SEASONS = {
    name: month
    for month, names in {
        3: "spring fruhling fruhjahr",
        6: "summer sommer",
        9: "autumn fall herbst",
        12: "winter",
    }.items()
    for name in names.split()
}
"""First month of a season of the northern hemisphere."""


FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2199, 12, 31)
"""The days that a plan can name: far enough for every plan, and far enough from the ends of the calendar."""
NO_SUCH_DAY = "plans go from 1900 to 2199"


def is_plannable(day: date | None) -> bool:
    """Tell whether a plan can name a day; True for none."""
    return day is None or FIRST_DAY <= day <= LAST_DAY


def plannable_day(text: str | None) -> date | None:
    """Return the day of an ISO date; None for anything else, and for a day that no plan can name."""
    try:
        day = date.fromisoformat(text or "")
    except ValueError:
        return None
    return day if is_plannable(day) else None


def months_of(year: int, month: int, count: int) -> tuple[date, date]:
    """Return the first and last day of a stretch of months."""
    first = date(year, month, 1)
    last = months_later(first, count - 1)
    return first, last.replace(day=monthrange(last.year, last.month)[1])


def months_later(day: date, count: int) -> date:
    """Return the same day of a later month, or that month's last day. Raises ValueError outside of the calendar."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    if not 1 <= year <= 9999:
        raise ValueError(year)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def working_days_later(day: date, count: int) -> date:
    """Return the day that is so many Mondays to Fridays later."""
    weeks, rest = divmod(abs(count), 5)
    step = timedelta(days=1 if count >= 0 else -1)
    day += step * 7 * weeks
    while rest:
        day += step
        rest -= day.weekday() < 5
    return day


def spoken_day(day: date) -> str:
    """Return a day as people write it: ``3 May 2027``."""
    return f"{day.day} {day:%B %Y}"


def easter(year: int) -> date:
    """Return Easter Sunday (Gauss's rule in the form of Meeus, Jones and Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def weekday_between(first: date, last: date, weekday: int, number: int) -> date:
    """Return the n-th of a weekday in a stretch of days, or with -1 its last. Raises ValueError if there is none."""
    if number < 0:
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
    if day > last:
        raise ValueError(number)
    return day


def _same_day_each_year(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _after_easter(days: int) -> Callable[[int], date]:
    return lambda year: easter(year) + timedelta(days=days)


def _nth(month: int, weekday: int, number: int, days: int = 0) -> Callable[[int], date]:
    return lambda year: weekday_between(*months_of(year, month, 1), weekday, number) + timedelta(days=days)


FEASTS: dict[str, Callable[[int], date]] = {
    name: find
    for find, names in (
        (_same_day_each_year(1, 1), "new year's day, new years day, new year's, new year, neujahr, turn of the year"),
        (_same_day_each_year(1, 5), "twelfth night"),
        (_same_day_each_year(2, 14), "valentine's day, valentines day, valentine's"),
        (_same_day_each_year(3, 8), "women's day"),
        (_same_day_each_year(3, 15), "ides of march"),
        (_same_day_each_year(3, 17), "st patrick's day, paddy's day"),
        (_same_day_each_year(4, 1), "april fool's day, april fools' day, april fools day"),
        (_same_day_each_year(5, 1), "may day"),
        (_same_day_each_year(7, 1), "canada day"),
        (_same_day_each_year(7, 4), "independence day"),
        (_same_day_each_year(7, 14), "bastille day"),
        (_same_day_each_year(10, 31), "halloween, hallowe'en, reformation day"),
        (_same_day_each_year(11, 1), "all saints' day, all saints day"),
        (_same_day_each_year(11, 5), "bonfire night, guy fawkes night"),
        (_same_day_each_year(11, 11), "veterans day, armistice day"),
        (_same_day_each_year(12, 6), "st nicholas day"),
        (_same_day_each_year(12, 24), "christmas eve, xmas eve, heiligabend"),
        (_same_day_each_year(12, 25), "christmas day, xmas day, christmas, xmas, weihnachten, noel, navidad"),
        (_same_day_each_year(12, 26), "boxing day, st stephen's day"),
        (_same_day_each_year(12, 31), "new year's eve, new years eve, nye, silvester, hogmanay"),
        (_after_easter(-47), "shrove tuesday, pancake day, mardi gras"),
        (_after_easter(-46), "ash wednesday"),
        (_after_easter(-21), "mothering sunday"),
        (_after_easter(-7), "palm sunday"),
        (_after_easter(-2), "good friday, karfreitag"),
        (_after_easter(0), "easter sunday, easter day, easter, ostern, paques"),
        (_after_easter(1), "easter monday, ostermontag"),
        (_after_easter(39), "ascension day, ascension thursday"),
        (_after_easter(49), "pentecost, whitsun, whit sunday, pfingsten"),
        (_after_easter(50), "whit monday, pentecost monday, pfingstmontag"),
        (_after_easter(60), "corpus christi"),
        (_nth(2, 0, 3), "presidents' day, presidents day"),
        (_nth(5, 0, -1), "memorial day"),
        (_nth(8, 0, -1), "august bank holiday, summer bank holiday"),
        (_nth(9, 0, 1), "labor day"),
        (_nth(11, 3, 4), "thanksgiving day, thanksgiving"),
        (_nth(11, 3, 4, 1), "black friday"),
        (_nth(11, 3, 4, 4), "cyber monday"),
    )
    for name in names.split(", ")
}
"""Each feast's day in a year."""
WORDS_OF_FEASTS = frozenset(max(name.split(), key=len) for name in FEASTS)
"""A word of each feast: a text without any of them names none."""
