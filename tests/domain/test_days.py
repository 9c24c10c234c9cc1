"""Deadlines in sentences: the same as looking at each clause by itself, and in no more than its own time."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import took
from workbench.domain.plan.checks.days import deadlines

TODAY = date(2026, 1, 1)
WORDS = st.sampled_from(
    [
        "before 2027-01-01",
        "until 2027-02-02",
        "by 2027-03-03",
        "not",
        "no",
        "don't",
        "noted",
        ".",
        ";",
        ",",
        "start",
        "x.5",
    ]
)


def clause_by_clause(text):
    for match in re.finditer(r"\b(before|until|by) (\d{4}-\d{2}-\d{2})", text):
        clause = re.split("[.;,]", text[: match.start()])[-1]
        negated = re.search(r"\b(?:no|not)\b|n't\b", clause)
        if match[1] == "by" or not negated:
            yield date.fromisoformat(match[2])


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_a_deadline_is_a_beginning_where_its_clause_is_negated_before_it(text):
    assert deadlines(text, TODAY) == tuple(clause_by_clause(text))


@pytest.mark.parametrize("words", ["before 2027-01-01 ", "no before 2027-01-01 ", "at the latest ", "by on the at "])
def test_fifty_thousand_characters_are_read_at_once(words):
    text = words * (50_000 // len(words))
    assert took(lambda: deadlines(text, TODAY), within=2) < 2, (
        "it took nine when each looked at all that stands before it"
    )
