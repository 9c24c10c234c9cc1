"""A key in a server's words, in any form, is hidden before anybody sees or keeps it."""

import base64
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.models import fake_openai as fake
from tests.models.conftest import KEY
from tests.models.recording import RecordingModel
from tests.models.requests import propose
from tests.models.test_providers import heard
from workbench.models.answers import ended
from workbench.models.ports import TextDelta, ToolCall
from workbench.models.secret import HIDDEN, KeyRedactor, Secret

_BYTES = KEY.encode()
_B64 = base64.b64encode
FORMS = {
    "as it is": KEY,
    "upper case": KEY.upper(),
    "with spaces": " ".join(KEY),
    "with hyphens": "-".join(KEY),
    "without hyphens": KEY.replace("-", ""),
    "a newline in it": f"{KEY[:20]}\n{KEY[20:]}",
    "a newline of JSON in it": f"{KEY[:20]}\\n{KEY[20:]}",
    "newlines between all": "\n".join(KEY),
    "the invisible in it": f"{KEY[:9]}\u200b\u2060{KEY[9:20]}\x1b\x00{KEY[20:]}",
    "Base64": _B64(_BYTES).decode(),
    "Base64 in lines": "\n".join(_B64(_BYTES).decode()[at : at + 9] for at in range(0, 60, 9)),
    "Basic": "Authorization: Basic " + _B64(b"user:" + _BYTES).decode(),
    "Base64 after one byte": _B64(b"x" + _BYTES + b"yz").decode(),
    "Base64 after two bytes": _B64(b"xy" + _BYTES + b"z").decode(),
    "Base64 for URLs": base64.urlsafe_b64encode(b"?>" + _BYTES + b"~~").decode(),
    "URL-encoded": KEY.replace("-", "%2D"),
    "URL-encoded in full": "".join(f"%{byte:02x}" for byte in _BYTES),
    "escapes of JSON": "".join(f"\\u{byte:04X}" for byte in _BYTES),
    "hexadecimal": _BYTES.hex(),
    "hexadecimal, upper case": _BYTES.hex().upper(),
    "hexadecimal in groups": _BYTES.hex(" ", 2),
    "within a tag": f"<a href={KEY}>",
    "without its prefix": KEY.removeprefix("sk-test-"),
    "without its end": KEY[:-8],
}


def letters_of(text):
    """The letters and digits of a text: what a reader needs of a key."""
    return "".join(letter for letter in text if letter.isalnum()).lower()


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_of_the_key_is_hidden(form):
    shown = Secret(KEY).redact(f"before {form} after")
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert shown.count(HIDDEN) == 1
    assert len(letters_of(shown)) < 40, shown


@given(st.sampled_from(list(FORMS.values())), st.lists(st.integers(1, 30)), st.text(max_size=30), st.text(max_size=30))
@example(KEY, [1] * 100, "sk-", "sk-test")
@example(KEY + KEY, [], "sk-test-5f4dcc3b5aa765d", "")
def test_pieces_are_hidden_as_the_whole_is(form, sizes, before, after):
    text = before + form + after
    stream, shown = KeyRedactor(Secret(KEY)), ""
    rest = text
    for size in sizes:
        shown += stream.feed(rest[:size])
        rest = rest[size:]
    shown += stream.feed(rest)
    assert shown + stream.finish() == Secret(KEY).redact(text)


@given(st.text(), st.lists(st.integers(1, 9)))
@example("sk-test-5", [3])
@example("50% of R&D \\", [])
def test_what_is_no_key_stays_as_it_is(text, sizes):
    stream, shown, rest = KeyRedactor(Secret(KEY)), "", text
    for size in sizes:
        shown += stream.feed(rest[:size])
        rest = rest[size:]
    shown += stream.feed(rest)
    assert shown + stream.finish() == text


def test_a_part_that_is_nearly_the_key_is_hidden_and_words_are_not():
    key = Secret("sk-test-SECRET-123456")
    assert (
        key.redact("It is test-SECRET-123456, a test secret of 123456.") == f"It is {HIDDEN}, a test secret of 123456."
    )
    named = Secret("my-local-server-key-1")
    assert named.redact("Use my local server, or my local server key 1.") == f"Use my local server, or {HIDDEN}."


def test_only_what_may_be_the_key_is_held_back():
    stream = KeyRedactor(Secret(KEY))
    assert stream.feed("A plan to ") == "A plan to "
    assert stream.feed("sk-te") == ""
    assert (stream.feed("am: ") + stream.finish()) == "sk-team: "
    assert stream.feed(KEY[:20]) == ""
    assert stream.feed(" " * 3_000) != ""
    stream.finish()
    stream.feed(KEY[:20])
    assert stream.finish() == HIDDEN


@pytest.mark.parametrize("word", ["none", "lm-studio", "not-needed", "sk-1234", ""])
def test_a_placeholder_tears_no_word_apart(word):
    text = f"none of it, LM Studio, not needed, {word}"
    assert Secret(word).redact(text) == text


@pytest.mark.cases(10)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
async def test_no_part_of_an_answer_has_the_key(server, model_of, form):
    text = f'{{"a": "{form}"}}'
    server.will(fake.text(*text))
    parts = [part async for part in model_of().stream(propose())]
    heard = "".join(part.text for part in parts if isinstance(part, TextDelta))
    assert HIDDEN in heard
    assert len(letters_of(heard)) < 40, heard

    server.will(fake.tool_call("search", json.dumps({"q": form})))
    parts = [part async for part in model_of().stream(propose())]
    (call,) = [part for part in parts if isinstance(part, ToolCall)]
    assert HIDDEN in call.arguments
    assert len(letters_of(call.arguments)) < 40, call


@pytest.mark.cases(25)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("behaviour", [lambda form: fake.status(401, form), fake.refusal, fake.cut_off])
async def test_no_error_has_the_key(server, model_of, behaviour, form):
    server.will(behaviour(form))
    parts, error = await heard(model_of())
    assert error is not None
    seen = f"{parts} {error}"
    assert all(secret not in letters_of(seen) for secret in Secret(KEY).forms), seen
    assert error.__context__ is None


async def test_no_script_has_the_key(server, model_of, tmp_path):
    server.will(fake.text(f"It is {KEY[:9]}", f"{KEY[9:]}, or ", FORMS["Basic"]))
    file = tmp_path / "script.jsonl"
    async with ended(RecordingModel(model_of(), file).stream(propose())) as parts:
        assert [part async for part in parts]
    kept = file.read_text()
    assert f"It is {HIDDEN}, or Authorization: Basic" in kept
    assert all(secret not in letters_of(kept) for secret in Secret(KEY).forms)
