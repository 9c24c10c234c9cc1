"""Dates, amounts and names in everyday sentences, and what looks like one and is none."""

from __future__ import annotations

import pytest
from tests.domain.facts.brief import brief, phrases


@pytest.mark.parametrize(("text", "expected"), phrases("Days"))
def test_a_day_is_read_with_its_role(text, expected):
    assert brief(text) == expected


@pytest.mark.parametrize(("text", "expected"), phrases("Days that come again"))
def test_a_day_that_comes_again_is_read_as_a_rule(text, expected):
    assert brief(text) == expected


@pytest.mark.parametrize(("text", "expected"), phrases("Amounts"))
def test_an_amount_is_read_with_its_role(text, expected):
    assert brief(text) == expected


@pytest.mark.parametrize(("text", "expected"), phrases("Names"))
def test_a_name_is_read_where_a_name_stands(text, expected):
    assert brief(text) == expected


@pytest.mark.parametrize("text", [text for text, _ in phrases("Neither")])
def test_what_only_looks_like_a_date_or_an_amount_is_none(text):
    assert brief(text) == ""
