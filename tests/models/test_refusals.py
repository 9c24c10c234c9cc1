"""What a refusal says is read; what it does not say is not claimed; hostile words take no time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.models.servers.refusals import Sent, after_too_long, is_context_exceeded, remedy_for
from workbench.models.servers.traits import Traits

SENT = Sent(schema=True, system=True, limit=199_002, prompt_tokens=1_000)
REMEDIES = {
    "max_tokens is too large: 199002. This model supports at most 16384 completion tokens": {"output_limit": 16_384},
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`.": {"output_limit": 8_192},
    "max_tokens: 199002 > 64000, which is the maximum allowed number of output tokens": {"output_limit": 64_000},
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]": {"output_limit": 8_192},
    "'max_tokens' or 'max_completion_tokens' is too large: 199002. This model's maximum context length is 32768 tokens "
    "and your request has 1000 input tokens (199002 > 32768 - 1000).": {
        "output_limit": 28_591, "window": 8_192, "window_source": "refusal"},
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.": {
        "other_token_field": True},
    "Unrecognized request argument supplied: stream_options": {"left_out": frozenset({"stream_options"})},
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.": {
        "left_out": frozenset({"temperature"})},
    "System role not supported": {"takes_system": False},
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.": {"takes_system": False},
    "Conversation roles must alternate user/assistant/user/assistant/...": {"takes_system": False},
    "Developer instruction is not enabled for models/gemma-3-27b-it": {"takes_system": False},
    "'response_format' of type 'json_schema' is not supported": {"takes_schema": False},
    "Invalid schema for response_format 'answer': 'pattern' is not permitted.": {"takes_schema": False},
    "output_config.format: Extra inputs are not permitted": {"takes_schema": False},
    "failed to parse grammar": {"takes_schema": False},
    "No endpoints found that can handle the requested parameters.": {"takes_schema": False},
    "No": {"takes_schema": False},
}  # fmt: skip


def remedied(words, traits=Traits(), sent=SENT):  # noqa: B008  # frozen
    return remedy_for(words, traits, sent, sentence=words)


@pytest.mark.parametrize("words", REMEDIES)
def test_each_refusal_has_its_remedy_once(words):
    remedy = remedied(words)
    changed = {name: getattr(remedy.traits, name) for name in REMEDIES[words]}
    assert changed == REMEDIES[words]
    taught = Sent(
        schema=remedy.traits.takes_schema,
        system=remedy.traits.takes_system,
        limit=min(SENT.limit, remedy.traits.output_limit or SENT.limit),
        prompt_tokens=1_000,
    )
    again = remedied(words, remedy.traits, taught)
    assert again is None or again.traits != remedy.traits


@pytest.mark.parametrize(
    "words",
    [
        "The moon is in the wrong house tonight.",
        "You exceeded your current quota, please check your plan.",
        "This request would exceed your limit of 30,000 input tokens per minute.",
        "model 'x' not found, try pulling it first",
    ],
)
def test_what_a_refusal_does_not_say_is_not_claimed(words):
    assert remedied(words) is None


@pytest.mark.parametrize(
    ("words", "window"),
    [
        ("This model's maximum context length is 8,192 tokens. However, you requested 9000 tokens.", 8_192),
        ("request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096),
        ("prompt is too long: 210000 tokens > 100000 maximum", 100_000),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (104857).", 104_857),
        ("`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens", 8_193),
        ("when context the overflows. However, the model is loaded with context length of only 4096 tokens", 4_096),
        ('{"n_prompt_tokens":9000,"n_ctx":2048,"type":"exceed_context_size_error"}', 2_048),
    ],
)  # fmt: skip
def test_the_window_is_read_from_what_was_too_long(words, window):
    assert is_context_exceeded(words)
    known = Traits(window=128_000, window_source="setting")
    assert after_too_long(words, known, 9_000).window == window


@given(st.text(max_size=300), st.integers(1, 10**6))
def test_any_words_are_read(words, limit):
    remedy = remedied(words, sent=SENT._replace(limit=limit))
    assert remedy is None or remedy.traits != Traits()


HOSTILE = [
    "max_tokens ", "unsupported ", "system not ", "not system ", "inputs ", "0,000", "context ", "1", " ", "model ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_words_take_no_time(piece):
    begun = time.process_time()
    remedied(piece * (20_000 // len(piece)))
    is_context_exceeded(piece * (20_000 // len(piece)))
    assert time.process_time() - begun < 0.5
