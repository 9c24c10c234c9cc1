"""What the facts of a text mean for a plan: working days, days of the calendar, days that have been, money."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

import msgspec

from workbench.domain.facts.reader import read_facts
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Effort, Money
from workbench.domain.values.fact import Fact
from workbench.domain.values.units import CALENDAR_DAYS, WORKING_DAYS

MOST_DAYS = 2_000
"""Working days that an estimate can have."""
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_LEAD = re.compile(
    r"(?i)(?:\b(?:on|at|by|since|from|in|for|of|as|until|till|before|after|within|the|about|only|just|around|roughly|"
    r"some|another|it|took|takes?|already|last|more|extra|to|and|than)\s+|[\s,;:(–-])+$"
)


_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_STRETCH = re.compile(rf"(?i)\b(?P<first>{_WEEKDAY})\b ?(?:-|–|to|through|till|until) ?(?P<last>{_WEEKDAY})\b(?! \d)")


class Span(msgspec.Struct, frozen=True):
    """A length of time as it was said."""

    low: float
    high: float
    """The same as ``low`` where no range was given."""
    unit: str
    start: int
    end: int

    @property
    def working(self) -> Effort:
        """It as an estimate in working days."""
        low, high = (round(days * WORKING_DAYS[self.unit] * 8) / 8 for days in (self.low, self.high))
        return Effort(low=low, likely=(low + high) / 2, high=high)

    @property
    def calendar(self) -> int:
        """It in days of the calendar, rounded; of a range, the upper end."""
        return round(self.high * CALENDAR_DAYS[self.unit])

    def __str__(self) -> str:
        """Say it as it was said."""
        length = number(self.low) if self.low == self.high else f"{number(self.low)} to {number(self.high)}"
        return f"{length} {self.unit}{'' if self.high == 1 else 's'}"


@lru_cache(maxsize=500)
def facts(text: str, today: date) -> tuple[Fact, ...]:
    """Return the days, amounts, lengths and capacities of a text, in order.

    "Two more weeks" is a length too: what is said of it is what the request is about.
    """
    plain = _EXTRA.sub(lambda match: match[1] + " " * (len(match[2]) + 1), text)
    named = (fact for fact in read_facts(plain, today) if fact.type in ("date", "amount", "duration", "capacity"))
    return tuple(msgspec.structs.replace(fact, text=text[fact.start : fact.end]) for fact in named)


@lru_cache(maxsize=200)
def names_in(text: str, today: date) -> tuple[str, ...]:
    """Return the names of people in a text."""
    return tuple(fact.value.name or fact.text for fact in read_facts(text, today) if fact.type == "person")


_EXTRA = re.compile(
    r"(?i)(\b(?:\d[\d.,/–-]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple of|few) )((?:more|extra|"
    r"additional|further|full|whole|other)) (?=(?:working )?(?:hours?|days?|weeks?|months?)\b)"
)


def spans(text: str, today: date) -> tuple[Span, ...]:
    """Return the lengths of time that a text names."""
    named = (fact for fact in facts(text, today) if fact.type == "duration" and fact.value.unit in WORKING_DAYS)
    return tuple(
        Span(fact.value.number, fact.value.up_to or fact.value.number, fact.value.unit, fact.start, fact.end)
        for fact in named
        if fact.value.number is not None and 0 < fact.value.number <= MOST_DAYS
    )


def days(text: str, today: date) -> tuple[Fact, ...]:
    """Return the facts of a text that are days or stretches of days."""
    return tuple(fact for fact in facts(text, today) if fact.type == "date" and fact.value.first)


def first_of(fact: Fact) -> date:
    """Return the first day of a fact that is one."""
    return date.fromisoformat(fact.value.first or "")


def last_of(fact: Fact) -> date:
    """Return the last day of a fact that is one."""
    return date.fromisoformat(fact.value.last or fact.value.first or "")


def limit_of(fact: Fact) -> date:
    """Return the last day that keeps a deadline."""
    return date.fromisoformat(fact.value.limit or fact.value.last or fact.value.first or "")


NOT_SO = re.compile(r"(?i),?\s*\b(?:not|instead of|rather than|in place of)\b(?! before| later| earlier| until).*$")


def day_in(text: str, today: date) -> Fact | None:
    """Return the first day of a text, or stretch of days; of "3 May, not 5 May" the first. None for none."""
    return next(iter(days(NOT_SO.sub("", text), today)), None)


def span_in(text: str, today: date) -> Span | None:
    """Return the first length of time of a text; of "5 days, not 3" the first. None for none, or for a capacity."""
    if any(fact.type == "capacity" for fact in facts(text, today)):
        return None
    return next(iter(spans(NOT_SO.sub("", text), today)), None)


def share_in(text: str, today: date) -> float | None:
    """Return the first percentage of a text, as a share; None for none."""
    shares = (fact.value.number for fact in facts(text, today) if fact.value.unit == "%")
    return next((share / 100 for share in shares if share is not None), None)


def past_day(fact: Fact, today: date) -> date:
    """Return the day of something that has happened: "Tuesday" is the last one, "28 December" that of last year."""
    day = first_of(fact)
    if day <= today:
        return day
    if re.search(r"(?i)day\b", fact.text) and not re.search(r"\d", fact.text):
        return day - timedelta(days=7 * -(-(day - today).days // 7))
    if not re.search(r"\d{4}", fact.text) and (day - today).days > 90:
        return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)
    return day


def money(text: str, today: date, currency: str = "") -> Money | None:
    """Return the sum that a text names; one without a currency is in the one given. None for none."""
    for fact in facts(text, today):
        code = fact.value.currency or currency
        if fact.type == "amount" and fact.value.number is not None and fact.value.unit == "" and code:
            return Money(Decimal(f"{fact.value.number:.2f}".removesuffix(".00")), code)
    return None


def weekdays(text: str, today: date) -> tuple[int, ...]:
    """Return the days of the week that a text names as coming again, 1 for Monday."""
    names = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
    if match := _STRETCH.search(text):
        first, last = (names.index(match[end][:2].upper()) for end in ("first", "last"))
        return tuple(1 + (first + n) % 7 for n in range((last - first) % 7 + 1))
    rules = [fact.value.recurs for fact in facts(text, today) if fact.value.recurs]
    return tuple(sorted({at for rule in rules for at, name in enumerate(names, 1) if re.search(rf"\b{name}\b", rule)}))


def without(text: str, taken: Iterable[Fact | Span]) -> str:
    """Return a text without some stretches, and without the small words that lead to them."""
    for stretch in sorted(taken, key=lambda one: -one.start):
        before = _LEAD.sub(" ", text[: stretch.start])
        text = f"{before} {text[stretch.end :]}"
    return " ".join(text.split()).strip(" ,;:()–-")


def spoken(day: date, today: date) -> str:
    """Return a day in words: ``3 June``, with its year where that is not this one."""
    return f"{day.day} {_MONTHS[day.month - 1]}" + ("" if day.year == today.year else f" {day.year}")


def effort_told(effort: Effort | None) -> str:
    """Return an estimate in words: ``5 days``."""
    if effort is None:
        return "no estimate"
    return f"{number(effort.likely)} {'day' if effort.likely == 1 else 'days'}"


def money_told(sum_of_money: Money) -> str:
    """Return a sum in words: ``20,000 EUR``."""
    amount = sum_of_money.amount
    return (
        f"{amount:,.0f} {sum_of_money.currency}"
        if amount == amount.to_integral()
        else f"{amount:,.2f} {sum_of_money.currency}"
    )
