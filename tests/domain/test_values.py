"""The reader of values: sealed phrases, everyday phrases, what only looks like a value, and hostile texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.pace import took
from workbench.domain.values.dates import read_dates
from workbench.domain.values.meanings import chips_of, numbered
from workbench.domain.values.named_value import NamedValue
from workbench.domain.values.plain import plain_text
from workbench.domain.values.reader import read_values
from workbench.domain.values.units import CALENDAR_DAYS

TODAY = date(2027, 3, 10)
"""A Wednesday."""
FOLDER = Path(__file__).parent / "values"
SEALED: list[dict[str, Any]] = json.loads((FOLDER / "sealed_phrases.json").read_text(encoding="utf-8"))["phrases"]
"""Phrases of somebody who had not seen the reader, with what each says."""
NOT_READ = {"P55": "names of people are no values"}
_WORD_LIST = """
    by before 3 May 2027 monday the first of week, end Anna and Tom will build a website without 40k EUR € $ 120
    the day before then since was signed on half past EOD kW p.p. grand 3/4 to 29/3 + Tue Thu maybe its
    guests in 10 weeks not don't if must - – 14/05 every other asdf . ; ? fast from to until next last 2.5 hours
    twenty half
"""
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(st.sampled_from([*_WORD_LIST.split(), "\n", ""]), max_size=15).map(" ".join)
)
"""Any text, and texts of words that the reader looks for."""


def phrases(section: str) -> Iterator[tuple[str, str]]:
    """Yield the phrases of a section of ``phrases.txt``, with what is read from each."""
    inside = False
    for line in (FOLDER / "phrases.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            inside = line == f"# {section}"
        elif inside and line:
            text, _, expected = line.partition(" | ")
            yield text, expected


def brief(named: NamedValue) -> str:
    """Return a value in a few words: ``2027-03-28``, ``at most 500 EUR per month``."""
    value = named.value
    if named.type == "date":
        days = value.recurs or str(value.first)
        days += f" to {value.last}" if value.last != value.first else ""
        limit = f" limit {value.limit}" if value.limit not in {None, value.first, value.last} else ""
        times = f" x{value.number:g}" if value.number is not None else ""
        return " ".join(f"{days}{limit}{times} {value.part_of_day} {value.time}".split())
    number = f"{value.number:.10g}" + (f"-{value.up_to:.10g}" if value.up_to is not None else "")
    unit = f"{value.currency or value.unit}".rstrip()
    return " ".join(f"{value.bound} {number} {unit}".split()) + (f" per {value.per}" if value.per else "")


def read(text: str) -> str:
    """Return the values of a text in a few words."""
    return "; ".join(map(brief, read_values(text, TODAY)))


def of_type(found: Sequence[NamedValue], *types: str) -> list[NamedValue]:
    """Return the values of some types."""
    return [one for one in found if one.type in types]


def is_read(phrase: dict[str, Any]) -> bool:
    """Tell whether all that a sealed phrase says is read, and nothing else of its kind."""
    found, expected = read_values(phrase["text"], TODAY), phrase["expect"]
    dates, sums = of_type(found, "date"), [one for one in found if one.value.currency]
    lengths, counts = (of_type(found, "duration", "capacity"), [one for one in found if one.value.unit])
    match expected:
        case {"none": True}:
            return not (dates or sums or lengths)
        case {"conflict": doubt, "date": day}:
            [unsure] = read_dates(phrase["text"], plain_text(phrase["text"]), TODAY)
            return not found and (unsure.value.first, unsure.doubt) == (day, doubt)
        case {"date": day}:
            days = {(one.value.first, one.value.last) for one in dates}
            limits = {one.value.limit for one in dates}
            is_limit = limits == {expected["limit"]} if "limit" in expected else limits <= {None, day}
            return any(days == {(one, one)} for one in (day, *expected.get("alt", []))) and is_limit
        case {"dates": days}:
            return [one.value.first for one in dates] == list(days)
        case {"range": days}:
            ends = [[one.value.first, one.value.last] for one in dates]
            return ends in ([days], [expected.get("alt_range")])
        case {"money": money}:
            return [([one.value.number, one.value.currency], one.value.per) for one in sums] == [
                (money, expected.get("per", ""))
            ]
        case {"money_range": money}:
            return [[one.value.number, one.value.up_to, one.value.currency] for one in sums] == [money]
        case {"days": days}:
            [length] = [round((one.value.number or 0) * CALENDAR_DAYS[one.value.unit], 1) for one in lengths]
            return length in (days, *expected.get("alt_days", []))
        case {"day_range": days}:
            return [[one.value.number, one.value.up_to, one.value.unit] for one in lengths] == [[*days, "day"]]
        case {"hours": hours, "hours_per": per}:
            return [(one.value.number, one.value.unit, one.value.per) for one in lengths] == [(hours, "hour", per)]
        case {"recurring": rule}:
            rule = "FREQ=WEEKLY;BYDAY=SA morning" if rule == "weekly SA morning" else rule
            return [brief(one) for one in dates] == [rule]
        case {"count": count}:
            return [[one.value.number, one.value.unit] for one in counts] == [count]
        case _:
            return False


@pytest.mark.parametrize(
    "phrase",
    [
        pytest.param(
            one,
            id=one["id"],
            marks=pytest.mark.xfail(reason=NOT_READ[one["id"]], strict=True) if one["id"] in NOT_READ else (),
        )
        for one in SEALED
    ],
)
def test_a_sealed_phrase_is_read(phrase: dict[str, Any]) -> None:
    assert is_read(phrase)


@pytest.mark.parametrize("section", ["Days", "Days that come again", "Amounts", "Other languages and forms", "Neither"])
def test_what_phrases_say_is_read(section: str) -> None:
    """What only looks like a value is none: nothing stands behind those of the last section."""
    said = list(phrases(section))
    assert len(said) > 50
    assert [(text, read(text)) for text, _ in said] == said


@given(TEXTS, st.dates())
@example("a\x85b\u2028c\t\td", date(2027, 3, 10))
@example("in 9999 years", date.max)
@example("three weeks ago", date.min)
@example("until January", date.min)
@example("after today", date.max)
def test_values_quote_the_text_in_its_order(text: str, today: date) -> None:
    values = read_values(text, today)

    assert [value.start for value in values] == sorted(value.start for value in values)
    assert all(value.text == text[value.start : value.end] and value.text.strip() for value in values)


HOSTILE = (
    "1 ", "may ", "a week before ", "30 ", "3 to ", "Anna and ", "3, ", "1.", "the first ", "every monday and ", "$1 ",
    "end of ", "and build ", "in 3 ", "don't before monday ", "twenty ", " ", "\n", "half a ", "from 3 may to ", "(",
    "1/", "5 eur per ", "no later than the the ", "five of ", "week of ", "AB ", "ask Anna to ", ", if ", "-", "½",
)  # fmt: skip


@pytest.mark.cases(2)
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_read_within_a_second(unit: str) -> None:
    text = (unit * 20_000)[:20_000]

    assert took(lambda: read_values(text, TODAY), within=1, attempts=1) < 1


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("on Tuesday 2 June 2027", "2 June 2027 is a Wednesday"),
        ("by 31 November", "there is no 31 November"),
        ("by 29 February 2027", "there is no 29 February 2027"),
        ("on 04/07", "4 July 2027, or 7 April 2027?"),
        ("on Wednesday", "17 March 2027, or today, 10 March 2027?"),
        ("next Friday", "19 March 2027, or 12 March 2027?"),
        ("by 1 March", "1 March 2027 is past, so 2028?"),
        ("in several weeks", "how many is several?"),
    ],
)
def test_what_may_be_meant_otherwise_is_not_read(text: str, doubt: str) -> None:
    assert [named.doubt for named in read_dates(text, plain_text(text), TODAY)] == [doubt]
    assert not of_type(read_values(text, TODAY), "date")


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("before 1 June", ["deadline 2027-05-31", "goal day 2027-06-01"]),
        ("in June", ["deadline 2027-06-30", "days off 2027-06-01 - 2027-06-30"]),
        ("for at most 2,000 to 2,500 EUR", ["budget 2500 EUR"]),
        ("raise at least 500 EUR, sold on 3 May 2026, every Monday, 2,000 EUR a month", []),
    ],
)
def test_a_person_chooses_what_a_value_is(text: str, commands: list[str]) -> None:
    assert [meaning.command for _, meaning in numbered(chips_of(text, TODAY))] == commands
