"""``workbench read``: the values of a text, for people and for programs."""

from __future__ import annotations

import json
from datetime import date

import jsonschema
import pytest
from hypothesis import given
from tests.cli.conftest import Command
from tests.domain.test_values import TEXTS
from tests.json_schemas import schema_of
from workbench.domain.values.reader import read_values
from workbench.domain.values.wording import in_words
from workbench.export.values import ValueObject, value_object

TEXT = "Open the shop by 3 May for at most 2.5k EUR. Anna must sign off. No balloons."
VALIDATOR = jsonschema.Draft202012Validator(schema_of(ValueObject))
TODAY = ("--today", "2027-03-10")


def test_it_shows_each_value_with_its_words(workbench: Command) -> None:
    assert workbench("read", TEXT, *TODAY).out.splitlines()[-2:] == [
        "3 May\tMon 3 May 2027",
        "2.5k EUR\tat most 2,500 EUR",
    ]


def test_it_says_where_nothing_is_read(workbench: Command) -> None:
    assert workbench("read", "on 31 April, or in a few days", *TODAY).out == "No value is named beyond doubt.\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("before 1 June", "Tue 1 June 2027, so 31 May 2027 at the latest"),
        ("3-14 May", "3 May 2027 to 14 May 2027"),
        ("tomorrow evening", "Thu 11 March 2027, evening"),
        ("every Sunday morning", "every Sunday, morning"),
        ("by 5 pm on Friday", "Fri 12 March 2027, 17:00"),
        ("every 1st and 15th", "day 1 and 15 of every month"),
        ("one Saturday a month", "once a Saturday of every month"),
        ("the 1st and 3rd Friday of the month", "first Friday and third Friday of every month"),
        ("the last day of every month", "last day of every month"),
        ("no ticket above 15 EUR", "at most 15 EUR"),
        ("at least 40 guests", "at least 40 guests"),
        ("every other Friday", "every 2 weeks on Friday"),
        ("the first Monday of every month", "first Monday of every month"),
        ("on the 5th of every month", "day 5 of every month"),
        ("twice a week", "2 times every week"),
        ("€2M", "2,000,000 EUR"),
        ("1.25 km", "1.25 km"),
        ("two or three days", "2 to 3 days"),
        ("an hour a week", "1 hour per week"),
    ],
)
def test_values_are_shown_in_words(workbench: Command, text: str, words: str) -> None:
    assert words in workbench("read", text, *TODAY).out


def test_each_line_of_json_fits_the_published_schema(workbench: Command) -> None:
    text = f"{TEXT} Paris in 6 weeks? 20 % of 3 hours a week, only on Mondays, for two to three days."
    lines = workbench("read", "-", *TODAY, "--json", stdin=text).lines
    for line in lines:
        VALIDATOR.validate(line)
        assert line["text"] == text[line["start"] : line["end"]]
    values = {line["text"]: line["value"] for line in lines}
    assert values["3 May"] == {"from": "2027-05-03", "to": "2027-05-03"}
    assert values["2.5k EUR"] == {"number": 2500, "currency": "EUR", "bound": "at most"}
    assert values["two to three days"] == {"number": 2, "unit": "day", "up_to": 3}


@given(TEXTS)
def test_any_value_fits_the_schema_and_has_words(text: str) -> None:
    for value in read_values(text, date(2027, 3, 10)):
        VALIDATOR.validate(json.loads(json.dumps(value_object(value))))
        assert in_words(value)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("x", "--today", "31 May"), "Argument --today: '31 May' is not a day: write it as 2027-06-30."),
        (("x", "--today", "2027-02-30"), "Argument --today: '2027-02-30' is not a day: write it as 2027-06-30."),
    ],
)
def test_wrong_use_ends_in_a_sentence(workbench: Command, arguments: tuple[str, ...], sentence: str) -> None:
    result = workbench("read", *arguments)
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err


def test_today_is_the_day_that_the_clock_shows(workbench: Command) -> None:
    assert (
        workbench("read", "today", "--json").last["value"]["from"]
        == workbench("read", "heute", "--json").last["value"]["from"]
    )


def test_hostile_text_does_not_reach_the_terminal(workbench: Command) -> None:
    assert "\x1b" not in workbench("read", "build a \x1b[31mshed by 3 May", *TODAY).out
