"""Reasoning is set apart from the answer, in all the forms in which servers mix them."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.models.ports import TextDelta
from workbench.models.servers.thoughts import ThoughtSplitter

FORMS = {
    "none": ('{"a": 1}', "", '{"a": 1}'),
    "tags": ("<think>Hm. <b></think>\n\nYes.", "Hm. <b>", "Yes."),
    "other tags": ("<thinking>Hm.</thinking>Yes.", "Hm.", "Yes."),
    "empty": ("<think>\n</think>\n\nYes.", "\n", "Yes."),
    "twice": ("<think>A</think><think>B</think>Yes.", "AB", "Yes."),
    "only closed": ("Okay, the person\nwants.\n</think>\n{}", "Okay, the person\nwants.\n", "{}"),
    "never closed": ("<think>I wonder", "I wonder", ""),
    "never closed before JSON": ('<think>So:\n{"a": 1}', 'So:\n{"a": 1}', '{"a": 1}'),
    "harmony": (
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
        "Hm.",
        "Yes.",
    ),
    "harmony with a constraint": (
        "<|start|>assistant<|channel|>final <|constrain|>json<|message|>{}<|return|>",
        "",
        "{}",
    ),
    "harmony without its signs": ('analysisWe think.assistantfinal{"a": 1}', "We think.", '{"a": 1}'),
    "a word that begins alike": ("analysis of costs", "", "analysis of costs"),
    "tags in an answer": ('{"text": "Use <think> and </think>."}', "", '{"text": "Use <think> and </think>."}'),
    "other markup": ("<h1>Plan</h1> a < b", "", "<h1>Plan</h1> a < b"),
    "white space": (" \n ", "", ""),
}


def split(*pieces, is_whole=True):
    splitter, thoughts, answer = ThoughtSplitter(), "", ""
    parts = [part for piece in pieces for part in splitter.feed(piece)]
    for part in [*parts, *splitter.finish(is_whole=is_whole)]:
        if isinstance(part, TextDelta):
            answer += part.text
            continue
        if part.takes_back:
            thoughts, answer = thoughts + answer, ""
        thoughts += part.text
    return thoughts, answer.strip()


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_set_apart(form):
    text, thoughts, answer = FORMS[form]
    assert split(text) == (thoughts, answer)


@given(st.sampled_from(sorted(FORMS)), st.lists(st.integers(0, 120)))
def test_pieces_do_not_matter(form, cuts):
    text, thoughts, answer = FORMS[form]
    ends = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    assert split(*(text[at:to] for at, to in pairwise(ends))) == (thoughts, answer)


@pytest.mark.parametrize("piece", ["<", "<think>", "</think>", "\n", "a", "<|channel|>", "analysis", "<|", "{"])
def test_hostile_streams_take_no_longer_than_others(piece):
    begun = time.process_time()
    split(*[piece] * 20_000)
    assert time.process_time() - begun < 1.0
