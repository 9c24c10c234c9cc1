"""Passages: any run of 40 characters that two texts share is found, wherever it stands, and no shorter one is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from workbench.replay.audit.passages import SHORTEST, Passages

OWN = "".join(chr(0x4E00 + number) for number in range(200))
"""200 characters, each once: any run of it stands in one place only."""


def said(text: str, read: str) -> list[tuple[str, str]]:
    passages = Passages()
    passages.add(text, "nova")
    return [(found.words, found.whose) for found in passages.said_in(read)]


@given(start=st.integers(0, 160), length=st.integers(1, 100), before=st.text("abc ", max_size=9), after=st.text("xyz "))
def test_a_shared_run_is_found_as_far_as_it_goes_and_from_40_characters_on(start, length, before, after):
    run = OWN[start : start + length]
    expected = [(run, "nova")] if len(run) >= SHORTEST else []
    assert said(OWN, before + run + after) == expected


def test_white_space_is_one_space_and_a_passage_is_found_once_for_each_text():
    text = "What is said here is long enough to be found again"
    assert said(text, f"So: {text.replace(' ', chr(10) + ' ')}!") == [(text, "nova")]
    passages = Passages()
    for whose in ("nova", "nova", "aniza"):
        passages.add(text, whose)
    assert [found.whose for found in passages.said_in(text)] == ["nova", "aniza"]
