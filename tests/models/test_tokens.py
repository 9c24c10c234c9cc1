"""The token estimate stays near the counts of a real tokenizer (OpenAI's o200k_base, counted once with js-tiktoken)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.models.tokens import estimate_tokens

COUNTED = json.loads(Path(__file__).with_name("counted_tokens.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("counted", COUNTED, ids=lambda counted: counted["name"])
def test_the_estimate_is_within_its_documented_error(counted):
    assert abs(estimate_tokens(counted["text"]) / counted["tokens"] - 1) <= counted["error"]


@given(st.text(), st.text())
def test_more_text_never_takes_fewer_tokens_beyond_rounding(one, two):
    assert estimate_tokens(one + two) >= estimate_tokens(one) - 1
    assert (estimate_tokens(one) == 0) is (one == "")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("an", 1),
        ("internationalization", 3),  # 20 letters, six to a token
        ("((((((((", 3),  # eight signs, three to a token
        ("жжжжжжжжж", 4),  # 18 bytes of an alphabet, five to a token
        ("漢漢漢漢", 3),  # 12 bytes, four to a token
        ("\ud800" * 8, 2),  # what cannot be encoded is a byte
        ("1234567", 3),
        ("\n \n\u2003\n", 1),
        ("a  b", 3),
        ("plan: misunderstandings — 2028", 8),
    ],
)
def test_each_kind_of_piece_has_its_rate(text, tokens):
    assert estimate_tokens(text) == tokens
