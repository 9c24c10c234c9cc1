"""Ids cannot be confused with free text, or with one another."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import InvalidId
from workbench.domain.log.ids import MAX_ID_LENGTH, AgentId, SessionId, session_id_for, slug

ALLOWED = set(string.ascii_lowercase + string.digits + "-")
HOSTILE = [
    *("", " ", "*", "%", "_", "-", "-a", "a-", "a_b", "A", "a b", "a\n", "\na", "a\x00", "../a", "a/b", "a.b", ".."),
    *("ä", "а", "ａ", "１", "a\u200b", "\u202ea", "a" * 41, "[a]", "a;b", "a'b", "None\n", "a\r", "a ", "\ta", "İ"),
]  # fmt: skip
"""Wildcards, paths, look-alikes (Cyrillic а, full-width ａ), white space, control characters, too long."""


@pytest.mark.parametrize("value", [*HOSTILE, None, 1, 1.5, b"a", ["a"], ("a",), {"a": 1}, object(), True])
@pytest.mark.parametrize("kind", [SessionId, AgentId])
def test_what_is_no_id_is_refused(kind, value):
    with pytest.raises(InvalidId) as caught:
        kind(value)
    assert "lower-case letters, digits and hyphens" in caught.value.remedy
    assert caught.value.message.isascii()
    assert len(caught.value.message) < 100


@given(st.text(max_size=60))
def test_text_is_an_id_exactly_when_the_rule_says_so(text):
    follows_the_rule = 1 <= len(text) <= MAX_ID_LENGTH and set(text) <= ALLOWED and text[0] != "-" and text[-1] != "-"
    try:
        accepted = SessionId(text) == text
    except InvalidId:
        accepted = False
    assert accepted == follows_the_rule


@given(st.from_regex(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?", fullmatch=True))
def test_every_text_of_the_rule_is_an_id(text):
    assert SessionId(text) == text
    assert type(SessionId(text)) is SessionId


@given(st.text(max_size=200), st.integers(4, 40))
def test_a_slug_is_an_id_or_nothing(text, length):
    result = slug(text, max_length=length)
    assert len(result) <= length
    assert result == "" or SessionId(result) == result
    assert slug(result, max_length=length) == result


@given(st.text(max_size=300), st.from_regex(r"[a-z0-9]{4,12}", fullmatch=True))
def test_every_goal_gives_a_valid_session_id(goal, ending):
    session = session_id_for(goal, ending)
    assert SessionId(session) == session
    assert session.endswith(f"-{ending}")


def test_a_session_is_called_after_telling_words_of_its_goal():
    assert session_id_for("Move our billing to the new provider by 30 June", "x7k2") == "move-billing-provider-x7k2"
    assert session_id_for("We're a 14-hectare farm", "x7k2") == "14-hectare-farm-x7k2"
    assert session_id_for("I’m race director of Anna's run", "x7k2") == "race-director-anna-x7k2"
    assert session_id_for("to the", "x7k2") == "session-x7k2"
    assert session_id_for("计划", "x7k2") == "session-x7k2"
