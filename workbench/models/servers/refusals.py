"""A refused request is read before it is believed: which of what was sent the server does not take, and what to do.

    400, 404, 422, 500, or an error in a stream ─▶ its words ─┬▶ Remedy: other traits, and the request again
                                                              └▶ None: no remedy; it is told as it is

Each remedy changes the traits, so that none is tried twice. Words are those of OpenAI, Azure, Anthropic, Google, Groq,
OpenRouter, Together, vLLM, llama.cpp, Ollama and LM Studio. Pure: nothing here imports a provider's client.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec.structs import replace

from workbench.domain.text.patterns import lazy_pattern
from workbench.models.servers.traits import ASSUMED_WINDOW, Traits

MOST_READ = 4_000
"""Characters of an error that are looked at."""
_SMALLEST_WINDOW = 512
_LARGEST = 100_000_000
_MOST_UNDERCOUNTED = 4.0
"""Beyond that, a number in a refusal is no count of the prompt."""
_SHORTEST_REASON = 20
"""Characters below which a refusal says nothing: "Bad Request"."""

_CONTEXT = lazy_pattern(
    r"context.?(?:length|window|size)|maximum context|exceed_context|context the overflows|prompt is too long"
    r"|too many (?:input |prompt )?tokens|input token count|n_ctx|reduce the length|max_model_len"
    r"|input(?:s|_ids)?.{0,60}must be <=|longer than the (?:maximum )?(?:context|model)"
)
_WINDOW_SIZES = tuple(
    map(
        re.compile,
        (
            r"maximum context length (?:is|of)[^0-9]{0,20}(\d+)",
            r"context (?:size|length|window)[^0-9]{0,40}(\d+)",
            r"n_ctx[^0-9]{0,6}(\d+)",
            r"max_model_len[^0-9]{0,10}(\d+)",
            r"<=? ?(\d+)",
            r"> ?(\d+)",
            r"allowed \((\d+)",
            r"(?:limit|maximum)(?: of| is)?:? (\d+)",
        ),
    )
)
_OUTPUT = lazy_pattern(
    r"max_?(?:completion_|output_|new_)?_?tokens|maxoutputtokens|max output tokens|completion tokens"
)
_OF_ANSWER = lazy_pattern(r"completion tokens|output tokens|maximum value for|maxoutputtokens|valid range|must be less")
_NUMBER = lazy_pattern(r"\d+")
_UNKNOWN = (
    r"(?:unsupported|unrecognized|unrecognised|unknown|unexpected|extra|not supported|not permitted|not allowed"
    r"|does not support|doesn't support|only the default|deprecated|extra_forbidden|invalid parameter)"
)
_TOKEN_FIELD = lazy_pattern(
    rf"{_UNKNOWN}.{{0,80}}max_(?:completion_)?tokens|max_(?:completion_)?tokens.{{0,120}}(?:{_UNKNOWN}|use )"
)
_PARAMETERS = ("stream_options", "temperature", "parallel_tool_calls", "reasoning_effort", "store", "cache_control")
_SYSTEM = lazy_pattern(
    r"system (?:role|message|prompt|instruction)s?.{0,60}(?:not|un)|(?:not|un)\w{0,9} .{0,40}system (?:role|message)"
    r"|does not support 'system'|developer instruction is not|only user and assistant roles|roles must alternate"
    r"|must alternate|alternate user/assistant|raise_exception"
)
_SCHEMA = lazy_pattern(
    r"response_?format|json_?.?schema|structured.?output|output_config|output_format|response_?schema|response_?mime"
    r"|grammar|json mode|no endpoints found that (?:can handle|support)"
)


class Sent(NamedTuple):
    """What was sent with a request that was refused."""

    schema: bool
    system: bool
    limit: int | None
    """Output tokens that were asked for at most."""
    prompt_tokens: int
    """About how many the prompt takes."""


class Remedy(NamedTuple):
    """What a refusal taught, and how the request goes out again."""

    traits: Traits
    reason: str
    """A clause for the person: "the server takes no JSON schema; asked in words instead"."""


def remedy_for(words: str, traits: Traits, sent: Sent, *, sentence: str) -> Remedy | None:
    """Return the remedy for a refusal in these words; None if there is none, or where it was tried already.

    ``sentence``: what of them is for people.
    """
    text = _plain(words)
    return (
        _shorter_answer(text, traits, sent)
        or _other_field(text, traits, sent)
        or _without_parameter(text, traits)
        or _without_system(text, traits, sent)
        or _without_schema(text, traits, sent, sentence)
    )


def is_context_exceeded(words: str) -> bool:
    """Tell whether a refusal says that the prompt is too long."""
    return _CONTEXT.search(_plain(words)) is not None


def after_too_long(words: str, traits: Traits, prompt_tokens: int) -> Traits:
    """Return the traits after a prompt of about so many tokens was too long.

    The server's own numbers are believed: its window, or how it counts the prompt. Without any, a smaller window is
    guessed only where the known one was a guess as well; else the traits stay, and a person is asked.
    """
    text = _plain(words)
    window = _window_in(text)
    if window is not None and window < traits.window:
        return replace(traits, window=window, window_source="refusal")
    if traits.window_source in ("assumed", "profile"):
        is_far = min(traits.window, prompt_tokens) > ASSUMED_WINDOW
        guess = ASSUMED_WINDOW if is_far else min(prompt_tokens * 4 // 5, traits.window - 1)
        return replace(traits, window=max(guess, 1))
    longer = (number for number in map(_number, _NUMBER.findall(text)) if number > traits.window)
    undercount = min(longer, default=0) / max(prompt_tokens, 1)
    is_count = traits.undercount < undercount < _MOST_UNDERCOUNTED
    return replace(traits, undercount=undercount) if is_count else traits


def _plain(words: str) -> str:
    """Return an error's words in small letters, with numbers in one piece: 8,192 as 8192."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", words[:MOST_READ].lower())


def _window_in(text: str) -> int | None:
    matches = (match for size in _WINDOW_SIZES if (match := size.search(text)) is not None)
    sizes = (int(match[1][:12]) for match in matches)
    return next((size for size in sizes if _SMALLEST_WINDOW <= size <= _LARGEST), None)


def _shorter_answer(text: str, traits: Traits, sent: Sent) -> Remedy | None:
    """Ask for fewer output tokens, if more than the model gives were asked for."""
    if sent.limit is None or _OUTPUT.search(text) is None or _TOKEN_FIELD.search(text) is not None:
        return None
    window = _window_in(text) if _CONTEXT.search(text) and not _OF_ANSWER.search(text) else None
    if window is not None and window > sent.prompt_tokens:
        limit = (window - sent.prompt_tokens) * 9 // 10
        changed = replace(traits, window=min(window, traits.window), window_source="refusal")
    else:
        smaller = [number for number in map(_number, _NUMBER.findall(text)) if 16 <= number < sent.limit]
        limit = max(smaller, default=0)
        changed = traits
        limit -= "exclusive" in text
    if not 0 < limit < sent.limit:
        return None
    changed = replace(changed, output_limit=limit)
    return Remedy(changed, f"the model answers with at most {limit:,} tokens; asked for no more")


def _number(digits: str) -> int:
    return int(digits[:12])


def _other_field(text: str, traits: Traits, sent: Sent) -> Remedy | None:
    if sent.limit is None or _TOKEN_FIELD.search(text) is None:
        return None
    if traits.other_token_field:  # neither name is taken
        if "max_tokens" in traits.left_out:
            return None
        left_out = traits.left_out | {"max_tokens", "max_completion_tokens"}
        return Remedy(replace(traits, left_out=left_out), "the server takes no limit of an answer; asked without")
    changed = replace(traits, other_token_field=True)
    return Remedy(changed, "the server has another name for the limit of an answer; asked with that")


def _without_parameter(text: str, traits: Traits) -> Remedy | None:
    name = next((name for name in _PARAMETERS if name in text and name not in traits.left_out), None)
    if name is None or re.search(_UNKNOWN, text) is None:
        return None
    return Remedy(replace(traits, left_out=traits.left_out | {name}), f"the server takes no `{name}`; asked without")


def _without_system(text: str, traits: Traits, sent: Sent) -> Remedy | None:
    if not (sent.system and traits.takes_system) or _SYSTEM.search(text) is None:
        return None
    reason = "the model has no system role; its text was put before the first message"
    return Remedy(replace(traits, takes_system=False), reason)


def _without_schema(text: str, traits: Traits, sent: Sent, sentence: str) -> Remedy | None:
    if not (sent.schema and traits.takes_schema):
        return None
    changed = replace(traits, takes_schema=False)
    if _SCHEMA.search(text) is not None:
        return Remedy(changed, "the server takes no JSON schema; asked in words instead")
    if len(sentence) < _SHORTEST_REASON:
        return Remedy(changed, "the server does not say why it refused the request; asked without a JSON schema")
    return None
