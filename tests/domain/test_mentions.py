"""Finding a text however the workbench wrote it: whatever escaping it went through, nothing of it is left."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Bullet, Criterion, Section
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.mentions import Mentions
from workbench.planning.asking.roles import _as_text

MARK = "[forgotten]"


def as_json(text: str) -> str:
    """The text as it stands within a JSON string."""
    return msgspec.json.encode(text).decode()[1:-1]


def in_a_prompt(text: str) -> str:
    return _as_text(text)


def in_json_in_a_prompt(text: str) -> str:
    """The text as it stands in a prompt's JSON."""
    return _as_text([text])[len('["') : -len('"]')]


WRITINGS = {
    "said": lambda text: text,
    "in a reply": as_json,
    "in a reply that a reply quotes": lambda text: as_json(as_json(text)),
    "three deep": lambda text: as_json(as_json(as_json(text))),
    "in a prompt": in_a_prompt,
    "in JSON in a prompt": in_json_in_a_prompt,
    "a reply in a prompt": lambda text: in_json_in_a_prompt(as_json(text)),
}

hard = st.text(
    alphabet=st.sampled_from(list('ab"\\\n\t<>/&;: #-*é😀\u2028')) | st.characters(codec="utf-8"), min_size=1
)
texts = (hard | hard.map(lambda text: f"{text}<input name={text}")).filter(lambda text: len(text.strip()) >= 4)


@given(text=texts, before=hard, behind=hard, writing=st.sampled_from(list(WRITINGS.values())))
@example(text='a"b\\', before="\\", behind='"', writing=as_json)
@example(text="ab <", before="", behind="input", writing=in_a_prompt)
@example(text="0001", before="0", behind="0", writing=in_json_in_a_prompt)
def test_nothing_is_left_however_it_was_written(text, before, behind, writing):
    mentions = Mentions([text])
    if mentions.within(MARK):
        return
    stripped = text.strip()
    for said in (before + writing(stripped) + behind, writing(before + stripped + behind)):
        assert mentions.within(said)
        left = mentions.replaced(said, MARK)
        assert MARK in left
        for other in WRITINGS.values():
            assert other(stripped) not in left
        assert not mentions.within(left)


@given(text=hard, other=hard)
def test_what_does_not_mention_it_stays_as_it_is(text, other):
    mentions = Mentions([text])
    if not mentions.within(other):
        assert mentions.replaced(other, MARK) == other


@pytest.mark.parametrize(
    ("text", "said", "left"),
    [
        ("the key is K1", "Well, the key is K1.", "Well, [forgotten]."),
        ("the key is K1", "the key\n    is\tK1", "[forgotten]"),
        ('say "é😀"!', json.dumps({"text": 'say "é😀"!'}), '{"text": "[forgotten]"}'),
        ("a/b/c/d", r'{"text": "a\/b\/c\/d"}', '{"text": "[forgotten]"}'),
        ("one\ntwo", r'"one\u000atwo"', '"[forgotten]"'),
        (clean("one\x1btwo"), r'"one\u001btwo"', '"[forgotten]"'),
        (clean("one\u202etwo"), r'"one\u202etwo"', '"[forgotten]"'),
        ("one\x1btwo", clean("one\x1btwo"), "[forgotten]"),
        ("a key, a key", "a key, a key, a key", "[forgotten]"),
        ("secret", "secret and secret", "[forgotten] and [forgotten]"),
        ("xx[forgotten]", "xxxx[forgotten]", "[forgotten]"),
        ("secret", "Secret", "Secret"),
        ("a very long\nsecret indeed", "a very long secret…", "[forgotten]"),
        ("a very long secret", "a very lo…", "a very lo…"),
        ("a very long secret", "another long sec…", "another long sec…"),
        ("  padded  ", "x padded y", "x [forgotten] y"),
    ],
)
def test_examples(text, said, left):
    assert Mentions([text]).replaced(said, MARK) == left


def test_a_mark_that_makes_it_up_again_takes_the_whole_text():
    assert Mentions(["abc["]).replaced("abcabc[ and more", MARK) == MARK


@pytest.mark.parametrize("text", ["It is\n\ndue · Due: today", "## Not a section\nof K1", "Must: hold the key"])
def test_it_is_found_in_a_plans_markdown(text):
    section = Section(
        id="notes",
        title="Notes",
        text=text,
        items=(Criterion(id="C1", text="x", measure=text), Bullet(id="B1", text=text)),
    )
    left = Mentions([text]).replaced(section_to_markdown(section), MARK)
    assert left.count(MARK) == 3, left
    assert Mentions([text]).replaced(clean_name(text), MARK) == MARK


def test_a_text_that_is_shortened_within_another_one_is_found() -> None:
    mentions = Mentions(["The Marmalade lawyer costs 4711 EUR."])
    told = "U2 (used): Ask about…\nU3 (used in S3): The Marmalade lawyer…\nS3: The Marmalade lawyer's letter"
    assert (
        mentions.replaced(told, "[gone]")
        == "U2 (used): Ask about…\nU3 (used in S3): [gone]\nS3: The Marmalade lawyer's letter"
    )
    assert not mentions.within("The Marmal… and The Marmalade judge…")
