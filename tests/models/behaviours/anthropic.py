"""Anthropic's messages."""

from __future__ import annotations

import json

from tests.models import fake_openai as fake
from tests.models.behaviours.behaviour import CALLS, Behaviour, always, first, pieces, refusing


def streamed(reply, **more):
    return fake.anthropic_text(*pieces(reply), **more)


def of(name, server, **more):
    more = {"tokens": (5 * CALLS, 4 * CALLS), "options": {"window": 128_000}, "model": "claude-sonnet-5"} | more
    return Behaviour(f"Anthropic: {name}", server, protocol="anthropic", **more)


def error(status, kind, message, **headers):
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return lambda handler: handler.whole(status, body, **headers)


def cut_once(body, reply, before):
    last = body["messages"][-1]["content"]
    if "cut off" in (last if isinstance(last, str) else last[-1]["text"]):
        came = body["messages"][-2]["content"]
        return streamed(reply.removeprefix(came if isinstance(came, str) else came[-1]["text"]))
    return streamed(reply) if before else streamed(reply[: len(reply) // 2], stop="max_tokens")


def kept(_body, reply, before):
    """Answer, and count a part of what three roles share as kept from the first of them."""
    usage = {
        "input_tokens": 5,
        "cache_read_input_tokens": 300 if 2 < before < 5 else 0,
        "cache_creation_input_tokens": 0,
    }
    return streamed(reply, usage=usage)


def marks(body):
    """Return the texts that end at a mark."""
    last = body["messages"][-1]["content"]
    blocks = [*(body["system"] if isinstance(body["system"], list) else ()), *(last if isinstance(last, list) else ())]
    return [block["text"] for block in blocks if "cache_control" in block]


def are_marked(bodies):
    system = marks(bodies[0])
    plans = [shown for body in bodies if len(shown := marks(body)) > 1]  # not of the page's writer and last reader
    return (
        len(system) == 1
        and len(plans) > 1
        and len({tuple(shown) for shown in plans}) == 1  # the bytes up to the mark are the same for all roles
        and plans[0][0] == system[0]
        and plans[0][1].endswith("</input>")
        and all("# Task:" not in shown for shown in plans[0])
    )


TOO_MANY = "max_tokens: {} > 8192, which is the maximum allowed number of output tokens for this model"
BEHAVIOURS = (
    of("a stream", always(streamed)),
    of("a beginning that is kept", kept, tokens=(2 * 305 + 4 * 5, 4 * CALLS), sent=are_marked, cached=600),
    of("no marks of what is to be kept (a gateway)", refusing(
        lambda body: "cache_control" in json.dumps(body),
        error(400, "invalid_request_error", "system.0.cache_control: Extra inputs are not permitted"), streamed),
       requests=CALLS + 1, told=("takes no `cache_control`; asked without",)),
    of("a block of thinking", always(lambda reply: streamed(reply, thinking="Hm. Let me see."))),
    of("overloaded", first(lambda _reply: error(529, "overloaded_error", "Overloaded"), streamed), requests=CALLS + 1,
       told=("has a fault (529): “Overloaded”",)),
    of("cut off at the limit", cut_once, requests=CALLS + 1, tokens=(35, 28), told=("continued from there",)),
    of("declined", first(lambda _reply: streamed("No", stop="refusal"), streamed), requests=1, tokens=None,
       is_fixed=True, fails="declined to answer"),
    of("no output format", refusing(
        lambda body: "output_config" in body or "output_format" in body,
        error(400, "invalid_request_error", "output_config.format: Extra inputs are not permitted"), streamed),
       requests=CALLS + 1, told=("takes no JSON schema; asked in words instead",),
       sent=lambda bodies: "It is of the type" in json.dumps(bodies[1])),
    of("more tokens than the model writes", refusing(
        lambda body: body["max_tokens"] > 8_192,
        lambda handler: error(400, "invalid_request_error", TOO_MANY.format(
            handler.server.requests[-1]["body"]["max_tokens"]))(handler),
        streamed), model="claude-unknown-9", max_tokens=120_000, requests=CALLS + 1,
       told=("the model answers with at most 8,192 tokens",)),
    of("a prompt that is too long", refusing(
        lambda body: len(json.dumps(body["messages"])) / 4.2 > 7_000,
        error(400, "invalid_request_error", "prompt is too long: 9000 tokens > 8192 maximum"), streamed),
       requests=None, tokens=None, said=300,
       told=("The model reads 8,192 tokens at most, by our count: a shorter prompt follows.",)),
    of("busy for an hour", first(
        lambda _reply: error(429, "rate_limit_error", "Too many.", **{"retry-after": "3600"}), streamed), requests=1,
       tokens=(0, 0), cost=0.0, is_fixed=True, fails="and asks to wait 1 hour."),
    of("no credit", always(lambda _reply: error(400, "invalid_request_error", "Your credit balance is too low.")),
       requests=1, tokens=(0, 0), cost=0.0, fails="“Your credit balance is too low.”"),
    of("a wrong key", always(lambda _reply: error(401, "authentication_error", "invalid x-api-key")), requests=1,
       tokens=(0, 0), cost=0.0, fails="does not accept the key: “invalid x-api-key”"),
    of("no such model", always(lambda _reply: error(404, "not_found_error", "model: claude-sonnet-5")), requests=1,
       tokens=(0, 0), cost=0.0, fails="There is no model 'claude-sonnet-5' at"),
)  # fmt: skip
