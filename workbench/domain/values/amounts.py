"""Amounts within a text: money, shares, counts, durations and capacity.

    "at most 40k EUR" · "20 %" · "120 guests"   amount      "two weeks late"   duration    "2.5 hours a week"   capacity

A number that names a thing ("version 3.12", "room 302", "chapters 4-6") is no amount, nor is one without a unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import MONTHS, WEEKDAYS
from workbench.domain.values.days import alternatives
from workbench.domain.values.money import CURRENCY_SIGNS, PERS, is_currency, money_after, money_before, per_at
from workbench.domain.values.named_value import NamedValue, Value, ValueType
from workbench.domain.values.numbers import NUMBER_WORDS, Number, number_at
from workbench.domain.values.small_words import SMALL
from workbench.domain.values.units import UNITS
from workbench.domain.values.words_before import bound_of

_MEASURE = lazy_pattern(
    r"\s?(?P<unit>km/h|km|kg|kwp?|kwh|mw|gsm|lbs?|oz|m²|m2|m3|sqm|sq\sft|square\s(?:metres?|meters?|feet)|cm|mm|gb|tb|mb|pb|kb|ha|"
    r"hectares?|acres?|litres?|liters?|miles?|metres?|meters?|feet|inch(?:es)?|tons?|tonnes?|grams?|m|g|l|t|"
    r"mbit/s|rps|fps|px|°c?|x)(?![a-z0-9])"
)
_LABEL_WORDS = """
    act age aged ages bay bib day month module round angular apartment appendix area article at bed building bus chapter
    class code column covid din district django episode exercise fig figure flat flight floor formula gate grade highway
    house iec invoice iso issue item java lesson level line model motorway mysql no node nr number option p page
    paragraph part phase php platform port postgres postgresql pp psalm python question rails react release rfc room
    route row ruby scene season section series size sprint stage step table terminal ticket tier top track type ubuntu
    unit v verse version vol volume vue web week windows zone
"""
_LABELS = frozenset(_LABEL_WORDS.split())
"""Nouns before a number that is a name: "room 302"."""
_NOT_COUNTED_LIST = """
    ago cant dont en et fm h id im its ive left m max maximum minus nd o' ok pcm pct percent plus rd re st th thats
    times tops und via vs
"""
_NOT_COUNTED = (
    (SMALL - {"things", "others", "new", "good", "little", "long", "open", "second", "ready"})
    | frozenset(_NOT_COUNTED_LIST.split())
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
)
_IRREGULAR = frozenset({"people", "children", "men", "women", "staff", "persons", "feet", "mice", "sheep"})
_START = lazy_pattern(rf"(?<![\w.,:/#'])(?<!\d-)(?:(?P<digit>\d)|[½¼¾]|(?P<sign>{CURRENCY_SIGNS})|(?P<word>[a-z]+))")
_ARTICLE = lazy_pattern(r"an?\s(?:(?:good|full|whole|solid|further|single)\s)?")
_SHARE = lazy_pattern(r"\s?(?:%|(?:percent|per\scent|prozent|percentage\spoints?)\b)")
_UNIT = lazy_pattern(
    rf"(?:\s|-)?(?:(?:full|whole|more|extra|further|solid)\s)?(?P<kind>(?:working|work|business|man|person|"
    rf"calendar|half)[ -])?(?P<unit>{alternatives(UNITS)})"
    r"(?![a-z0-9]|-(?!long\b)[a-z])(?!\sold\b|\sof\sage)(?P<more>\sand\sa\s(?:half|quarter)\b)?(?:\sor\s(?:(?P<two>two)|so)\b)?"
)
_CAPACITY = lazy_pattern(
    r"(?:\sof\s[a-z]+)?\s?(?:/|(?:an?|per|each|every|in\s(?:a|each|every)|pro|am|die|im|in\sder)\s)\s?(?P<per>day|week|month|quarter|year|"
    r"tag|woche|monat|jahr|"
    r"weekday|weekend|morning|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|h|wk|mo)\b|\s(?P<adverb>daily|"
    r"weekly|monthly)\b"
)
_ORDINAL = lazy_pattern(r"\s(?!(?:or|and|per|for|to|later|late)\b)[a-z]")
"""After "a second" and "a quarter" that are no time: "a second opinion"."""
_YEAR = lazy_pattern(r"(?:19|20)\d\d(?!\d|[.,]\d)")
_AT_A_TIME = ("at ", "by ", "until ", "till ", "before ", "after ", ", ")
"""Before an hour of the day: "at 9h"."""
_SOMEBODY = (" i ", " we ", " you ", " they ", " he ", " she ", " it ", " we'")
"""After a day that nobody knows: "one day we'll laugh"."""
_HOURS_OF_A_DAY = 24
_MOST_OF_A_LETTER = 1_000
"""Numbers before a unit of one letter: "3d"."""
_AGE = lazy_pattern(r"\s?(?:-?years?[ -]olds?|years?\sof\sage)\b")
_TIME = lazy_pattern(
    r"\s?(?:[ap]\.?m\b|o'clock|uhr\b|:\d\d|h\d\d)|(?<=\d[.:]\d\d)\s(?:train|bus|coach|tram|ferry|boat|flight|plane|service)\b"
)
_LABEL = lazy_pattern(r"(?<![a-z])(?P<word>[a-z]++)[\s-]?#?$")
_GROUP = lazy_pattern(
    r"\b(?:team|group|family|party|staff|crew|class|band|choir|committee|board|panel|audience|household)\sof\s"
    r"(?:(?:about|up\sto|around|at\smost|at\sleast)\s)?$"
)
_OF_US = lazy_pattern(r"\sof\s(?:us|them|you)\b|\spax\b")
_NOUNS = lazy_pattern(
    r"(?:\+?\s(?:or\sso\s)?(?:of\s(?:the|our|my|your|us|them)\s)?|-)(?P<first>[^\W\d_][\w'-]*)"
    r"(?:\s(?P<second>[a-z][a-z'-]*))?(?:\s(?P<third>[a-z][a-z'-]*))?"
)


class _Amount(NamedTuple):
    end: int
    value: Value
    doubt: str = ""
    type: ValueType = "amount"


def _value_of(number: Number, unit: str = "", per: str = "") -> Value:
    return Value(number=number.value, up_to=number.up_to, unit=unit, per=per)


def read_amounts(text: str, plain: str, taken: Sequence[tuple[int, int]]) -> tuple[NamedValue, ...]:
    """Return the amounts of a text in their order, outside of the places of its dates, which are in order, too."""
    amounts: list[NamedValue] = []
    at = index = 0
    for match in _START.finditer(plain):
        start = match.start()
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        until = taken[index][0] if index < len(taken) else len(plain)
        if start < at or start >= until:
            continue
        found = _amount_at(text, plain, match)
        if found is not None and found.end <= until:
            amounts.append(_named_value(text, plain, start, found))
            at = found.end
        elif match["digit"] and (number := number_at(plain, start)) is not None:
            at = number.end
    return tuple(amounts)


def _named_value(text: str, plain: str, start: int, found: _Amount) -> NamedValue:
    end, value = found.end, found.value
    if value.unit and plain.endswith(value.unit, start, end):  # in its own letters: "28 élèves"
        value = replace(value, unit=text[end - len(value.unit) : end].lower())
    if found.type == "amount":
        value = replace(value, bound=bound_of(plain, start, end))
    return NamedValue(text=text[start:end], start=start, end=end, type=found.type, value=value, doubt=found.doubt)


def _amount_at(text: str, plain: str, match: re.Match[str]) -> _Amount | None:
    at, word = match.start(), match["word"] or ""
    if match["sign"] or is_currency(word):
        money = money_before(plain, at)
        return _Amount(*money) if money is not None else None
    if word and word not in NUMBER_WORDS:
        return None
    number = number_at(plain, at)
    if number is None:
        article = _ARTICLE.match(plain, at) if not plain[max(0, at - 2) : at].strip().isdigit() else None
        return _duration(plain, at, Number(1.0, article.end())) if article is not None else None
    if (money := money_after(plain, at)) is not None:
        return _Amount(*money)
    if (share := _SHARE.match(plain, number.end)) is not None:
        return _Amount(share.end(), _value_of(number, "%"), number.doubt)
    return _duration(plain, at, number) or _people(text, plain, at, number) or _count(text, plain, at, number)


def _duration(plain: str, at: int, number: Number) -> _Amount | None:
    """Read "three weeks", "a year and a half", "2.5 hours a week"."""
    match = _UNIT.match(plain, number.end)
    if match is None or _is_no_length(plain, at, number, match) or _is_label(plain, at):
        return None
    unit, factor = UNITS[match["unit"]]
    kind, more = (match["kind"] or "").strip(" -"), match["more"] or ""
    if unit == "millisecond":
        unit, factor = "second", 0.001
    if unit == "day" and kind in {"working", "work", "business"}:
        unit = "working day"
    factor *= 0.5 if kind == "half" else 1
    value = (number.value + (0.5 if more.endswith("half") else 0.25 if more else 0)) * factor
    up_to = number.up_to * factor if number.up_to is not None else 2 * factor if match["two"] else None
    return _with_capacity(plain, match.end(), number._replace(value=value, up_to=up_to), unit)


def _is_no_length(plain: str, at: int, number: Number, match: re.Match[str]) -> bool:
    """Tell whether a unit after a number is none: "a second opinion", "5 pm", "90s music", "one day we'll laugh"."""
    word, end, is_digit = match["unit"], match.end(), plain[at].isdigit()
    if number.value == 1 and (plain.endswith("not ", 0, at) or (word == "day" and plain.startswith(_SOMEBODY, end))):
        return True
    is_which = word == "quarters" or (word in {"second", "quarter"} and number.value == 1)
    if (is_which and _ORDINAL.match(plain, end)) or (is_digit and _TIME.match(plain, number.end)):
        return True
    if word == "h" and number.value <= _HOURS_OF_A_DAY and plain.endswith(_AT_A_TIME, 0, at):
        return True
    if len(word) == 1:
        is_adjacent = match.start("unit") == number.end
        is_written = is_digit and number.value < _MOST_OF_A_LETTER and (is_adjacent or word in "hds")
        return not is_written or (word == "s" and is_adjacent and _is_decade(plain, at, number))
    return word == "an" and number.value > 1  # "5 an hour"; in French one is "an", and five are "ans"


def _is_decade(plain: str, at: int, number: Number) -> bool:
    """Tell whether seconds are years or people: "in the 90s", "under 12s"."""
    return (number.value % 10 == 0 and number.value < 100) or plain.endswith(("under ", "over "), 0, at)


def _with_capacity(plain: str, end: int, number: Number, unit: str) -> _Amount:
    per = _CAPACITY.match(plain, end)
    if per is None:
        return _Amount(end, _value_of(number, unit), number.doubt, "duration")
    word = per["per"] or per["adverb"]
    word = "week" if word.endswith("day") and word not in {"day", "weekday"} else word
    return _Amount(per.end(), _value_of(number, unit, PERS.get(word, word)), number.doubt, "capacity")


def _people(text: str, plain: str, at: int, number: Number) -> _Amount | None:
    """Read "a team of five", "six of us"."""
    of_us = _OF_US.match(plain, number.end)
    is_year = _YEAR.match(plain, at) is not None
    if is_year or (of_us is None and _GROUP.search(plain, max(0, at - 40), at) is None):
        return None
    noun = _noun(text, plain, number) if of_us is None else None
    unit, end = noun or ("people", of_us.end() if of_us is not None else number.end)
    return _Amount(end, _value_of(number, unit), number.doubt)


def _count(text: str, plain: str, at: int, number: Number) -> _Amount | None:
    """Read "120 guests", "two dozen chairs", "20 km"."""
    is_time = _TIME.match(plain, number.end) is not None or _AGE.match(plain, number.end) is not None
    if is_time or _is_label(plain, at) or plain[number.end : number.end + 2].strip("0123456789") == "-":
        return None
    if (measure := _MEASURE.match(plain, number.end)) is not None and plain[at].isdigit():
        unit, end = measure["unit"], measure.end()
    else:
        noun = _noun(text, plain, number)
        if noun is None or (number.value <= 1 and not plain[at].isdigit()):
            return None
        unit, end = noun
        if _YEAR.match(plain, at) is not None and unit not in _IRREGULAR and not unit.endswith("s"):
            return None
    per, end = per_at(plain, end)
    return _Amount(end, _value_of(number, unit, per), number.doubt)


def _is_label(plain: str, at: int) -> bool:
    """Return whether the word before a number makes a name of it: "room 302"."""
    label = _LABEL.search(plain, max(0, at - 16), at)
    if label is None or label["word"] == "at":
        return False
    return label["word"] in _LABELS or label["word"].removesuffix("s") in _LABELS


def _noun(text: str, plain: str, number: Number) -> tuple[str, int] | None:
    """Return what is counted, and where it ends: the first plural of up to three words, else the next word."""
    match = _NOUNS.match(plain, number.end)
    if match is None or len(match["first"]) < 2 or match["first"] in _NOT_COUNTED:
        return None
    for name in ("first", "second", "third"):
        word = match[name]
        if word is None or word in _NOT_COUNTED:
            break
        if word in _IRREGULAR or (word.endswith("s") and not word.endswith(("ss", "'s", "ous", "us", "is"))):
            return word, match.end(name)
    word = match["first"]
    is_plural = text[match.start("first")].isupper() and word.endswith(("en", "er", "e", "n"))  # "12 Gäste"
    return (word, match.end("first")) if is_plural and plain[number.end - 1].isdigit() else None
