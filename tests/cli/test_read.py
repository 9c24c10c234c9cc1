"""``workbench read``: the values that a text names, for people and for programs."""

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

TEXT = "Open the shop by 3 May for at most 2.5k EUR, in two or three days. Anna must sign off. No balloons."
VALIDATOR = jsonschema.Draft202012Validator(schema_of(ValueObject))
TODAY = ("--today", "2027-03-10")


def test_it_shows_each_value_and_nothing_else(workbench: Command) -> None:
    assert [line.split("\t") for line in workbench("read", TEXT, *TODAY).out.splitlines()] == [
        ["words", "value"],
        ["3 May", "Mon 3 May 2027"],
        ["2.5k EUR", "at most 2,500 EUR"],
        ["in two or three days", "12 March 2027 to 13 March 2027"],
    ]


@given(TEXTS)
def test_any_value_fits_the_schema_and_has_words(text: str) -> None:
    for value in read_values(text, date(2027, 3, 10)):
        VALIDATOR.validate(json.loads(json.dumps(value_object(value))))
        assert in_words(value)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("x", "--today", "31 May"),
            "Argument --today: '31 May' is not a day: write it as 2027-06-30, from 1900 to 2199.",
        ),
        (
            ("x", "--today", "2027-02-30"),
            "Argument --today: '2027-02-30' is not a day: write it as 2027-06-30, from 1900 to 2199.",
        ),
        ((" ",), "There is nothing to read."),
        (("-",), "There is nothing to read."),
    ],
)
def test_wrong_use_ends_in_a_sentence(workbench: Command, arguments: tuple[str, ...], sentence: str) -> None:
    result = workbench("read", *arguments)
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err


def test_hostile_text_does_not_reach_the_terminal(workbench: Command) -> None:
    assert "\x1b" not in workbench("read", "build a \x1b[31mshed by 3 May", *TODAY).out
