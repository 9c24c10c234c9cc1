"""Google's generateContent."""

from __future__ import annotations

import json

from tests.models import fake_openai as fake
from tests.models.behaviours.behaviour import CALLS, Behaviour, always, first, pieces, refusing


def streamed(reply, **more):
    return fake.google_text(*pieces(reply, 200), **more)


def of(name, server, **more):
    more = {"tokens": (6 * CALLS, 3 * CALLS), "options": {"window": 128_000}, "model": "gemini-2.5-flash"} | more
    return Behaviour(f"Google: {name}", server, protocol="google", **more)


def error(code, status, message, *details):
    body = {"error": {"code": code, "status": status, "message": message, "details": list(details)}}
    return lambda handler: handler.whole(code, body)


def cut_once(body, reply, before):
    if "cut off" in body["contents"][-1]["parts"][0]["text"]:
        return streamed(reply.removeprefix(body["contents"][-2]["parts"][0]["text"]))
    return streamed(reply) if before else streamed(reply[: len(reply) // 2], finish="MAX_TOKENS")


RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "14s"}
TOO_MANY = "It has a maxOutputTokens value of {} but the supported range is from 1 (inclusive) to 65537 (exclusive)."
BEHAVIOURS = (
    of("a stream", always(streamed)),
    of("parts of thought", always(lambda reply: streamed(reply, thought="Hm. Let me see."))),
    of("cut off at the limit", cut_once, requests=CALLS + 1, tokens=(42, 21), told=("continued from there",)),
    of("blocked for safety", first(lambda _reply: streamed("No", finish="SAFETY"), streamed), requests=1, tokens=None,
       is_fixed=True, fails="declined to answer"),
    of("busy, with its wait in the body", first(
        lambda _reply: error(429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric", RETRY), streamed),
       requests=CALLS + 1, told=("asks to slow down (429)",)),
    of("no schema", refusing(
        lambda body: "responseJsonSchema" in json.dumps(body) or "responseSchema" in json.dumps(body),
        error(400, "INVALID_ARGUMENT", "A schema in GenerationConfig.response_schema exceeds the maximum depth"),
        streamed), requests=CALLS + 1, told=("takes no JSON schema; asked in words instead",)),
    of("no system instruction (Gemma)", refusing(
        lambda body: "systemInstruction" in body,
        error(400, "INVALID_ARGUMENT", "Developer instruction is not enabled for models/gemma-3-27b-it"), streamed),
       requests=CALLS + 1, told=("has no system role",)),
    of("more tokens than the model writes", refusing(
        lambda body: body["generationConfig"].get("maxOutputTokens", 0) > 65_536,
        lambda handler: error(400, "INVALID_ARGUMENT", TOO_MANY.format(
            handler.server.requests[-1]["body"]["generationConfig"]["maxOutputTokens"]))(handler), streamed),
       max_tokens=200_000, options={"window": 1_000_000}, requests=CALLS + 1,
       told=("the model answers with at most 65,536 tokens",)),
    of("a prompt that is too long", refusing(
        lambda body: len(json.dumps(body["contents"])) / 4.2 > 7_000,
        error(400, "INVALID_ARGUMENT",
              "The input token count (9000) exceeds the maximum number of tokens allowed (8192)."), streamed),
       requests=None, tokens=None, said=300,
       told=("The model reads 8,192 tokens at most, by our count: a shorter prompt follows.",)),
    of("overloaded", first(lambda _reply: error(503, "UNAVAILABLE", "The model is overloaded."), streamed),
       requests=CALLS + 1, told=("has a fault (503): “The model is overloaded.”",)),
    of("no such model", always(lambda _reply: error(404, "NOT_FOUND", "models/gemini-2.5-flash is not found.")),
       requests=1, tokens=(0, 0), cost=0.0, fails="There is no model 'gemini-2.5-flash' at"),
    of("a wrong key", always(lambda _reply: error(400, "INVALID_ARGUMENT", "API key not valid.", {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"})), requests=1, tokens=(0, 0),
       cost=0.0, fails="does not accept the key: “API key not valid.”"),
)  # fmt: skip
