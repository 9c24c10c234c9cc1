"""Models of providers against a server on the loopback: what it says, what it costs, and every way it can fail."""

import asyncio
import json
import logging
import pickle
import threading
import traceback

import pytest
from tests.models import fake_openai as fake
from tests.models.conftest import KEY
from tests.models.requests import propose
from workbench.domain.errors import (
    ModelContextExceeded,
    ModelDenied,
    ModelError,
    ModelRefused,
    ModelRejected,
    ModelReplyInvalid,
    ModelTooSlow,
    ModelUnknown,
    ModelUnreachable,
)
from workbench.models.answers import ended, timely
from workbench.models.catalogue import PROVIDERS
from workbench.models.ports import Done, Parameters, Retried, TextDelta, Usage
from workbench.models.secret import HIDDEN, Secret

ENDINGS = {"openai": fake.text, "anthropic": fake.anthropic_text, "google": fake.google_text}
NAMES = {"openai": "gpt-4o", "anthropic": "claude-sonnet-5", "google": "gemini-2.5-flash"}


async def heard(model, request=None):
    """Return the parts that arrived and the error that ended them, if any."""
    parts = []
    try:
        async with ended(model.stream(request or propose())) as stream:
            async for part in stream:
                parts.append(part)  # noqa: PERF401  # what arrived before an error is kept
    except ModelError as error:
        return parts, error
    return parts, None


def text_of(parts):
    return "".join(part.text for part in parts if isinstance(part, TextDelta))


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_an_answer_streams_with_its_usage_and_its_model(server, model_of, provider):
    server.will(ENDINGS[provider]('{"a": ', "1}"))

    parts, error = await heard(model_of(provider, NAMES[provider]))

    assert error is None
    assert text_of(parts) == '{"a": 1}'
    assert isinstance(parts[-2], Usage)
    assert parts[-2].input_tokens > 0
    assert (parts[-2].estimated, parts[-2].cost) == (False, None)
    assert isinstance(parts[-1], Done)
    assert parts[-1].reason == "stop"
    assert "fake" in parts[-1].model


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_the_request_carries_prompt_schema_and_limits(server, model_of, provider):
    server.will(ENDINGS[provider]("{}"))
    parameters = Parameters(max_output_tokens=321, temperature=0.25, total=30)

    await heard(model_of(provider, NAMES[provider]), propose(parameters=parameters))

    sent = json.dumps(server.requests[0]["body"])
    assert all(word in sent for word in ("Plan.", "Move our billing", "321", "approaches"))
    assert ("0.25" in sent) is (provider != "anthropic")  # newer Claude models take no temperature
    assert KEY in "".join(server.requests[0]["headers"].values())
    assert KEY not in sent + server.requests[0]["path"]


async def test_text_is_cleaned_across_the_borders_of_its_pieces(server, model_of):
    server.will(fake.text("a\r", "\nb\x1b", "[31m\u202e e", "\u0301x"))

    parts, _ = await heard(model_of())

    assert text_of(parts) == "a\nb␛[31m⟨U+202E⟩ e\u0301x"


@pytest.mark.parametrize("code", [500, 502, 503, 429])
async def test_a_passing_fault_is_asked_again_and_shown(server, model_of, waits, code):
    server.will(fake.status(code), fake.status(code), fake.text("ok"))

    parts, error = await heard(model_of())

    assert error is None
    assert [type(part) for part in parts[:2]] == [Retried, Retried]
    assert str(code) in parts[0].reason
    assert [part.wait for part in parts[:2]] == waits == [0.5, 1.0]
    assert text_of(parts) == "ok"
    assert len(server.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_fault_that_stays_is_given_up_after_our_attempts_and_nobody_elses(server, model_of, waits, provider):
    server.will(fake.status(500, "out of order"))

    parts, error = await heard(model_of(provider, NAMES[provider]))

    assert isinstance(error, ModelUnreachable)
    assert "tried 3 times" in error.message
    assert "out of order" in error.message
    assert error.remedy
    assert len(server.requests) == 3
    assert len(parts) == len(waits) == 2


@pytest.mark.parametrize("behaviour", [fake.drop, fake.cut_off()])
async def test_a_connection_lost_before_the_first_text_is_made_anew(server, model_of, waits, behaviour):
    server.will(behaviour, fake.text("ok"))

    parts, error = await heard(model_of())

    assert error is None
    assert text_of(parts) == "ok"
    assert "lost" in parts[0].reason
    assert len(waits) == 1


@pytest.mark.parametrize(
    "behaviour", [fake.cut_off("half ", "an answer"), fake.text("half ", "an answer", finish=None)]
)
async def test_an_answer_cut_off_in_mid_stream_is_never_bought_whole_again(server, model_of, waits, behaviour):
    server.will(behaviour)

    parts, error = await heard(model_of())

    assert text_of(parts).startswith("half")
    assert isinstance(error, ModelUnreachable)
    assert error.message.startswith("The reply was cut off")
    first, rest = server.requests
    assert [message["role"] for message in rest["body"]["messages"]] == ["system", "user", "assistant", "user"]
    assert rest["body"]["messages"][2]["content"] == "half an answer"
    assert first["body"]["messages"] == rest["body"]["messages"][:2]
    assert waits == []
    assert not any(isinstance(part, Done) for part in parts)


async def test_no_server_at_all_is_named_with_the_remedy(server, model_of):
    server.server_close()
    model = model_of()

    _, error = await heard(model)

    assert isinstance(error, ModelUnreachable)
    assert "no connection" in error.message
    assert "--model guided" in error.remedy


@pytest.mark.parametrize(
    ("behaviour", "kind", "message", "remedy"),
    [
        (
            fake.status(401, f"Incorrect API key provided: {KEY}"),
            ModelDenied,
            "does not accept the key",
            "OPENAI_API_KEY",
        ),
        (fake.status(403), ModelDenied, "does not accept the key", "OPENAI_API_KEY"),
        (fake.status(402, "no money"), ModelDenied, "quota", "Top up"),
        (fake.status(404, "no such model"), ModelUnknown, "There is no model 'm-1'", "base URL"),
        (fake.page(404), ModelUnknown, "There is no model", "base URL"),
        (fake.status(413, "too big"), ModelRejected, "did not accept the request (413)", "another model"),
        (
            fake.status(400, "This model's maximum context length is 10 tokens"),
            ModelContextExceeded,
            "longer than the model at 127.0.0.1",
            "smaller window",
        ),
        (fake.page(), ModelReplyInvalid, "does not follow OpenAI's protocol", "base URL"),
        (fake.refusal("I will not plan that."), ModelRefused, "“I will not plan that.”", "other words"),
        (fake.text("a", finish="content_filter"), ModelRefused, "declined", "other words"),
        (fake.text(""), ModelReplyInvalid, "answered with nothing", "Ask again"),
        (fake.text("  \n"), ModelReplyInvalid, "answered with nothing", "Ask again"),
        (fake.events('{"id": ', "[DONE]"), ModelReplyInvalid, "cannot be read", "Ask again"),
        (fake.events({"choices": "abc"}), ModelReplyInvalid, "protocol", "base URL"),
        (fake.events([1, 2]), ModelReplyInvalid, "protocol", "base URL"),
        (fake.events("[DONE]"), ModelReplyInvalid, "protocol", "base URL"),
        (lambda handler: handler.whole(200, b'{"a": \n'), ModelReplyInvalid, "cannot be read", "Ask again"),
        (lambda handler: handler.whole(200, {"error": {"message": "boom"}}), ModelReplyInvalid, "“boom”", "Ask again"),
        (lambda handler: handler.whole(200, []), ModelReplyInvalid, "protocol", "base URL"),
        (lambda handler: handler.whole(200, {"choices": ["x"]}), ModelReplyInvalid, "protocol", "base URL"),
    ],
)
async def test_what_will_not_pass_is_an_error_of_its_kind_with_a_remedy(
    server, model_of, waits, behaviour, kind, message, remedy
):
    server.will(behaviour)

    _, error = await heard(model_of(), propose(schema=False))

    assert type(error) is kind
    assert message in error.message
    assert remedy in error.remedy
    assert len(server.requests) == 1
    assert waits == []


@pytest.mark.parametrize(
    "behaviour",
    [
        fake.endless(b"data: " + json.dumps(fake.chunk({"content": "x" * 1000})).encode() + b"\n\n"),
        fake.endless(b"data: " + json.dumps(fake.chunk({"reasoning_content": "x" * 1000})).encode() + b"\n\n"),
        fake.endless(b"x" * 10_000),
        fake.endless(b"\n" * 1_000),
        fake.endless(b": wait\n\n" * 100),
        fake.endless(b"data: " + json.dumps(fake.chunk({})).encode() + b"\n\n"),
        fake.many(lambda number: fake.call_chunk(number, name="x" * 2_000)),
        fake.many(lambda _: fake.call_chunk(0, name="x", arguments="y" * 2_000)),
        fake.many(fake.call_chunk),
    ],
    ids=["text", "thoughts", "one line", "empty", "comments", "nothing", "calls", "one call", "calls without a name"],
)
async def test_a_reply_without_end_is_stopped_and_the_connection_closed(server, model_of, behaviour):
    server.will(behaviour)

    parts, error = await heard(model_of(max_bytes=20_000))

    assert type(error) is ModelReplyInvalid
    assert "longer than 0.02 MB" in error.message
    assert len(text_of(parts)) <= 20_000
    assert await asyncio.to_thread(server.hung_up.wait, 60)


@pytest.mark.parametrize("empty", [b"\n" * 1_000, b": wait\n\n" * 120], ids=["empty lines", "comments"])
async def test_what_says_nothing_counts_towards_the_limit(server, model_of, empty):
    def behave(handler):
        handler.begin_events()
        for _ in range(500):
            handler.raw(empty)
        handler.event(fake.chunk({"content": "late"}, finish="stop"))
        handler.end_events()

    server.will(behave)

    parts, error = await heard(model_of(max_bytes=20_000))

    assert (type(error), parts) == (ModelReplyInvalid, [])
    assert "longer than 0.02 MB" in error.message


async def test_tool_calls_without_end_are_stopped_and_counted(server, model_of):
    server.will(fake.many(lambda number: fake.call_chunk(number, name="x")))

    _, error = await heard(model_of())

    assert type(error) is ModelReplyInvalid
    assert "more than 200 tool calls" in error.message
    assert await asyncio.to_thread(server.hung_up.wait, 60)


async def test_a_reply_in_tiny_pieces_is_read_as_far_as_it_takes_no_long_time(server, model_of):
    server.will(fake.many(lambda _: fake.chunk({"content": "x"})))

    parts, error = await heard(model_of(max_bytes=20_000))

    assert type(error) is ModelReplyInvalid
    assert "in more than 500 pieces" in error.message
    assert 400 < len(text_of(parts)) <= 500
    assert await asyncio.to_thread(server.hung_up.wait, 60)


async def test_a_compressed_reply_is_neither_asked_for_nor_read(server, model_of):
    server.will(fake.compressed(b"\n" * 10_000_000))

    _, error = await heard(model_of())

    assert type(error) is ModelReplyInvalid
    assert "sent a compressed reply" in error.message
    assert {name.lower(): value for name, value in server.requests[0]["headers"].items()}[
        "accept-encoding"
    ] == "identity"


async def test_a_server_that_goes_silent_is_left_with_what_it_said(server, model_of):
    server.will(fake.hanging("slow ", "start", until=threading.Event()))
    parts, request = [], propose(parameters=Parameters(first=60, idle=0.2))

    async def listen():
        async with ended(model_of().stream(request)) as stream:
            async for part in timely(stream, request.parameters):
                parts.append(part)  # noqa: PERF401  # what arrived before an error is kept

    with pytest.raises(ModelTooSlow, match="sent nothing for 0 seconds"):
        await listen()

    assert text_of(parts).startswith("slow")
    assert await asyncio.to_thread(server.hung_up.wait, 60)


@pytest.mark.parametrize("way", ["close", "cancel"])
async def test_cancelling_keeps_what_arrived_and_closes_the_connection(server, model_of, way):
    server.will(fake.hanging("kept ", "text", until=threading.Event()))
    parts = []
    arrived = asyncio.Event()

    async def listen():
        async with ended(model_of().stream(propose())) as stream:
            async for part in stream:
                parts.append(part)
                arrived.set()
                if way == "close":
                    return

    task = asyncio.create_task(listen())
    await arrived.wait()
    if way == "cancel":
        task.cancel()
    await asyncio.wait([task])

    assert task.cancelled() is (way == "cancel")
    assert text_of(parts).startswith("kep")  # the last letter may begin the key
    assert await asyncio.to_thread(server.hung_up.wait, 60)


@pytest.mark.parametrize(
    "behaviour",
    [
        fake.text("fine"),
        fake.status(401, f"Incorrect API key provided: {KEY}."),
        fake.status(500, f"Authorization: Bearer {KEY}"),
        fake.status(404, f"for {KEY[:12]}…"),
        fake.events({"error": {"message": KEY}}),
        fake.refusal(f"Not with {KEY}."),
        fake.drop,
    ],
)
async def test_no_key_is_in_any_error_traceback_representation_or_log(server, model_of, caplog, behaviour):
    caplog.set_level(logging.DEBUG)
    server.will(behaviour)
    model = model_of()

    parts, error = await heard(model)

    shown = [repr(model), str(vars(model)), repr(parts), caplog.text]
    if error is not None:
        assert error.__cause__ is None
        assert error.__context__ is None
        shown += [str(error), repr(error), error.message, error.remedy, *traceback.format_exception(error)]
    assert caplog.records
    assert not any(KEY in text or KEY[:12] in text for text in shown)


def test_a_secret_shows_itself_to_nobody():
    secret = Secret(KEY)

    assert secret.reveal() == KEY
    assert KEY not in repr(secret) + str(secret) + f"{secret}"
    assert KEY.encode() not in pickle.dumps(secret)
    assert (
        secret.scrub(f"a {KEY} b sk-proj-abc***xyz9 Bearer abcdefgh AIzaSyA1234567890")
        == f"a {HIDDEN} b {HIDDEN} {HIDDEN} {HIDDEN}"
    )
    assert Secret("none").scrub("task-12: none of it") == f"task-12: {HIDDEN} of it"
    assert Secret("no").scrub("nothing, not even risk-averse") == "nothing, not even risk-averse"


@pytest.mark.parametrize(
    ("variable", "value", "base_url", "place", "remedy"),
    [
        ("SSL_CERT_FILE", "/nonexistent", None, "OpenAI", "SSL_CERT_FILE"),
        ("ALL_PROXY", "socks5://user:pass-word@127.0.0.1:9", None, "OpenAI", "pip install socksio"),
        ("ALL_PROXY", "nothing://user:pass-word@127.0.0.1:9", None, "OpenAI", "ALL_PROXY"),
        ("UNUSED", "1", "http://[::1", "the server at the base URL", "Check the base URL"),
    ],
)
async def test_what_fails_before_there_is_a_connection_is_an_error_of_ours(
    monkeypatch, model_of, variable, value, base_url, place, remedy
):
    monkeypatch.setenv(variable, value)

    parts, error = await heard(model_of("openai", "m", base_url=base_url))

    assert (type(error), parts) == (ModelUnreachable, [])
    assert error.message.startswith(f"No connection to {place} can be set up on this machine: ")
    assert "Error" not in error.message
    assert remedy in error.remedy
    assert (error.__cause__, error.__context__) == (None, None)
    assert "pass-word" not in str(error)
