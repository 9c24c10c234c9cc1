"""A request's messages go out as one system text, then user and assistant in turns; no word is lost, and none added."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import CachePoint
from tests.models.requests import propose
from workbench.domain.session.context import Message
from workbench.models.continuation import GO_ON
from workbench.models.servers.messages import as_prompts, turns

SAID = st.lists(
    st.builds(Message, role=st.sampled_from(["system", "user", "assistant", "tool"]), content=st.text(min_size=1)),
    max_size=8,
)


def message(role, content):
    return Message(role=role, content=content)


@given(SAID, st.booleans(), st.sampled_from(["", "Half a reply"]))
def test_roles_take_turns_whatever_is_said(messages, takes_system, so_far):
    said = turns(messages, takes_system=takes_system, so_far=so_far)

    others = said[1:] if said and said[0][0] == "system" else said
    assert [role for role, _ in others] == ["user", "assistant"] * (len(others) // 2) + ["user"] * (len(others) % 2)
    assert "system" not in [role for role, _ in others]
    assert takes_system or said[0][0] == "user"
    for one in messages:
        assert any(one.content in text for _, text in said)
    assert not so_far or said[-1] == ("user", GO_ON)


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (
            [message("system", "S"), message("user", "goal"), message("user", "task")],
            [("system", "S"), ("user", "goal\n\ntask")],
        ),
        ([message("system", "S"), message("system", "T"), message("user", "U")], [("system", "S\n\nT"), ("user", "U")]),
        ([message("user", "U"), message("tool", "T")], [("user", "U\n\nT")]),
        ([message("assistant", "A")], [("user", "(What came before is not shown.)"), ("assistant", "A")]),
    ],
)
def test_messages_of_one_kind_are_joined(messages, said):
    assert turns(messages) == said


def test_a_schema_in_words_ends_the_system_text():
    [(_, system), _] = turns([message("system", "S"), message("user", "U")], schema=propose().schema)
    assert system.startswith("S\n\nAnswer with one JSON object")
    assert "type Approach = {" in system


FILES, PLAN = '<input name="files">\n[]\n</input>', '<input name="plan">\n# Plan\n</input>'


@pytest.mark.parametrize(
    ("spoken", "marked"),
    [
        ([f"{FILES}\n\nGoal\n\n{PLAN}\n\nTask"], [FILES, f"\n\nGoal\n\n{PLAN}"]),
        (["Goal\n\nTask"], []),
        ([f"Goal\n\n{PLAN}"], [f"Goal\n\n{PLAN}"]),
        ([f"I said {FILES}"], []),
        ([f"{PLAN} is what I say", f"So? {PLAN}", PLAN, "And now?"], [PLAN]),
    ],
)
def test_what_is_worth_keeping_ends_at_a_mark(spoken, marked):
    """At two at most, whatever a person writes: with the system text's that is one less than Anthropic allows."""
    talk = [turn for text in spoken for turn in (("user", text), ("assistant", "A"))][:-1]
    prompts = as_prompts([("system", "S"), *talk], marked=True)
    pieces = [part.content for one in prompts for part in one.parts if isinstance(part.content, list)]
    assert [before for one in pieces for before, here in pairwise(one) if isinstance(here, CachePoint)] == marked
    assert all(piece for one in pieces for piece in one), "no empty text"
