"""Values in words: "Wed 30 June 2027", "at most 20,000 EUR"."""

from __future__ import annotations

from calendar import day_name

from workbench.domain.values.calendar_words import WEEKDAY_CODES, plannable_day, spoken_day
from workbench.domain.values.named_value import NamedValue, Value

_FREQUENCIES = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_ORDINALS = {"1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last"}


def in_words(named: NamedValue) -> str:
    """Return what a value is: "1 June 2027 to 30 June 2027", "at most 2,500 USD per month"."""
    value = named.value
    if named.type == "date":
        return _rule_in_words(value) if value.recurs else _days_in_words(value)
    if value.number is None:
        return ""
    number = _number(value.number) + (f" to {_number(value.up_to)}" if value.up_to is not None else "")
    unit = value.currency or value.unit
    if named.type in {"duration", "capacity"} and (value.up_to or value.number) != 1:
        unit += "s"
    return " ".join(filter(None, (value.bound, number, unit))) + (f" per {value.per}" if value.per else "")


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,g}" if value < 1e6 else f"{value:,.2f}"


def _days_in_words(value: Value) -> str:
    first, last, limit = map(plannable_day, (value.first, value.last, value.limit))
    if first is None or last is None:
        return ""
    days = f"{first:%a} {spoken_day(first)}" if first == last else f"{spoken_day(first)} to {spoken_day(last)}"
    if limit is not None:
        days += f", so {spoken_day(limit)} at the latest"
    return days + _time_in_words(value)


def _time_in_words(value: Value) -> str:
    return "".join(f", {words}" for words in (value.part_of_day, value.time) if words)


def _rule_in_words(value: Value) -> str:
    rule = dict(part.split("=", 1) for part in value.recurs.split(";"))
    interval, unit = int(rule.get("INTERVAL", "1")), _FREQUENCIES[rule["FREQ"]]
    every = f"every {unit}" if interval == 1 else f"every {interval} {unit}s"
    days = [code for code in rule.get("BYDAY", "").split(",") if code]
    which = _ORDINALS | {"": "a" if unit == "month" else ""}
    names = " and ".join(f"{which[code[:-2]]} {day_name[WEEKDAY_CODES.index(code[-2:])]}".strip() for code in days)
    if unit == "month" and days:
        every = f"{names} of {every}"
    elif days:
        every = f"every {names}" if interval == 1 else f"{every} on {names}"
    if "BYMONTHDAY" in rule:
        numbers = rule["BYMONTHDAY"].replace(",", " and ")
        every = f"last day of {every}" if numbers == "-1" else f"day {numbers} of {every}"
    times = "" if value.number is None else "once " if value.number == 1 else f"{value.number:g} times "
    return times + every + _time_in_words(value)
