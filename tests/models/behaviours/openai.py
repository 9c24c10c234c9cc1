"""OpenAI, and the many that speak its protocol: gateways, hosts of open models, servers on the own machine."""

from __future__ import annotations

import json
from functools import partial

from tests.builders import FIRST_DRAFT, sections_reply
from tests.models import fake_openai as fake
from tests.models.behaviours.behaviour import CALLS, Behaviour, always, first, pieces, refusing

WINDOW = {"window": 128_000}
USAGE = {"prompt_tokens": 2_000, "completion_tokens": 7, "total_tokens": 2_007}
IN = USAGE["prompt_tokens"]


def streamed(reply, **more):
    return text(*pieces(reply), **more)


def text(*said, **more):
    return fake.text(*said, **({"usage": USAGE} | more))


def of(name, server, **more):
    more = {"tokens": (IN * CALLS, 7 * CALLS)} | more
    return Behaviour(name, server, **({"options": WINDOW} | more))


# --- streams ----------------------------------------------------------------------------------------------------------


def kept_alive(reply):
    def behave(handler):
        handler.begin_events()
        handler.raw(b": OPENROUTER PROCESSING\n\n" * 3)
        for piece in pieces(reply):
            handler.event(fake.chunk({"role": "assistant", "content": piece}))
        handler.event(fake.chunk({}, finish="stop"))
        handler.event(fake.chunk(usage=USAGE))
        handler.event("[DONE]")
        handler.end_events()

    return behave


def ticking(reply):
    """A stream of one sign at a time, empty deltas among them."""
    return text(*(piece for sign in reply[:400] for piece in (sign, "")), reply[400:])


def priced(reply, cost=0.0125):
    usage = {**USAGE, "cost": cost, "prompt_tokens_details": {"cached_tokens": 8}}
    return streamed(reply, usage={**usage, "completion_tokens_details": {"reasoning_tokens": 3}})


def until(reply, share):
    return reply[: int(len(reply) * share)]


def rest_of(body):
    """What of a reply came, where its rest is asked for; "" where it is asked for whole."""
    said = [message for message in body["messages"] if message["role"] == "assistant"]
    return said[-1]["content"] if said and "cut off" in body["messages"][-1]["content"] else ""


def cut_once(cut, *, goes_on=lambda came, reply: reply.removeprefix(came)):
    """A server that cuts the first reply off, and is asked for the rest of it."""

    def server(body, reply, before):
        came = rest_of(body)
        if came:
            return streamed(goes_on(came, reply))
        return streamed(reply) if before else cut(until(reply, 0.5))

    return server


STREAMS = (
    of("a stream", always(streamed)),
    of("an answer that is not streamed", always(fake.whole), tokens=None),
    of("comments that keep a stream alive", always(kept_alive)),
    of("a sign at a time, with empty pieces", always(ticking)),
    of("no usage", always(lambda reply: streamed(reply, usage=None)), tokens=None),
    of("cost and cached tokens in usage", always(priced), cost=0.0125 * CALLS, cached=8 * CALLS),
    of("cost in usage of an answer that is not streamed", always(
        lambda reply: lambda handler: handler.whole(200, {
            "id": "c", "object": "chat.completion", "created": 1, "model": "m", "usage": {**USAGE, "cost": 0.5},
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}]})),
       cost=0.5 * CALLS),
    of("a cost that is none", always(lambda reply: priced(reply, cost="free")), cached=8 * CALLS),
    of("cut off at the limit", cut_once(lambda half: text(*pieces(half), finish="length")), requests=CALLS + 1,
       told=("was cut off at its limit of 7 tokens, and continued from there",), tokens=(IN * 7, 7 * 7),
       sent=lambda bodies: bodies[1]["messages"][:2] == bodies[0]["messages"]),
    of("cut off, and begun again", cut_once(
        lambda half: text(*pieces(half), finish="length"), goes_on=lambda _came, reply: reply),
       requests=CALLS + 1, told=("continued from there",), tokens=None),
    of("cut off twice", lambda body, reply, before: (
        streamed(reply) if before > 1 else text(*pieces(reply[len(rest_of(body)):][:200]), finish="length")),
       requests=CALLS + 1, told=("continued from there", "It was cut off; what had come was used."), tokens=None),
    of("a connection that is lost in the middle", cut_once(lambda half: fake.cut_off(*pieces(half))),
       requests=CALLS + 1, told=("The reply was cut off: the connection to 127.0.0.1",), tokens=None),
    of("a stream without an end", cut_once(lambda half: text(*pieces(half), finish=None)), requests=CALLS + 1,
       told=("The reply was cut off: the answer stopped without an end",), tokens=None),
    of("a connection that is lost before the first text", first(lambda _reply: fake.drop, streamed),
       requests=CALLS + 1, told=("was lost",)),
    of("an error in a stream", first(
        lambda _reply: fake.events({"error": {"message": "overloaded", "code": 503}}), streamed),
       requests=CALLS + 1, told=("has a fault (503): “overloaded”",)),
)  # fmt: skip

# --- reasoning --------------------------------------------------------------------------------------------------------


def reasoning_in(field):
    def answer(reply):
        def behave(handler):
            handler.begin_events()
            for piece in ("The person ", 'wants {"a": 1}.'):
                handler.event(fake.chunk({"role": "assistant", field: piece}))
            for piece in pieces(reply):
                handler.event(fake.chunk({"content": piece}))
            handler.event(fake.chunk({}, finish="stop"))
            handler.event(fake.chunk(usage=USAGE))
            handler.event("[DONE]")
            handler.end_events()

        return behave

    return answer


THINKING = 'The person wants {"findings": []}.\n\n'


def around(before, after=""):
    return always(lambda reply: text(*pieces(before + reply + after)))


def only_thoughts(_reply):
    return text("<think>", "Hm, let me see. " * 50, finish="length")


REASONING = (
    of("reasoning in a field of its own", always(reasoning_in("reasoning_content"))),
    of("reasoning in another field", always(reasoning_in("reasoning"))),
    of("think tags in pieces", always(lambda reply: text(*(*"<think>", THINKING, *"</think>\n"), reply))),
    of("think never closed, with the answer in it", around(f"<think>{THINKING}")),
    of("nothing but reasoning", first(only_thoughts, streamed), requests=1, tokens=None, is_fixed=True,
       fails="tokens for reasoning and then reached its limit: it wrote no answer."),
)  # fmt: skip

# --- replies ----------------------------------------------------------------------------------------------------------


def as_tool_call(reply):
    return fake.tool_call("answer", reply)


def with_comments(reply):
    written = json.dumps(json.loads(reply), indent=1)
    return streamed("// My answer:\n" + written.replace("[\n", "[ // a list\n").replace("{\n", "{ /* an object */\n"))


def with_raw_newlines(reply):
    return streamed(reply.replace("with the new", "with\nthe new").replace("{", "{ x: 1,", 1))


def with_a_bad_field(reply):
    """A planner one of whose steps has an effort that is none; others' replies are as they are."""
    read = json.loads(reply) if reply.startswith("{") else {}
    if "steps" in read:
        read["steps"][1]["effort"] = {"low": "some", "likely": 2, "high": 3}
    return streamed(json.dumps(read) if read else reply)


def ignoring_the_schema(body, reply, _before):
    """A server that takes a schema and does not pass it on: the model sees nothing of it."""
    return streamed("1. Move everything at once\n2. Move in parts") if has_schema(body) else streamed(reply)


def in_sections(reply):
    """A planner's reply in whole sections, as weak models write it; None of another role's."""
    is_plan = reply.startswith("{") and "steps" in json.loads(reply)
    return json.loads(sections_reply(*FIRST_DRAFT, title="Billing")) if is_plan else None


def other_ids(reply):
    """Steps that are numbered as chapters are, and named so by those after them; a criterion without any id."""
    if (read := in_sections(reply)) is None:
        return streamed(reply)
    first, second = read["amendments"][2]["section"]["items"]
    first["id"], second["id"], second["needs"] = "S1.1", "S1.2", ["S1.1"]
    del read["amendments"][1]["section"]["items"][0]["id"]
    return streamed(json.dumps(read))


def rest_unchanged(body, reply, _before):
    """A planner that does not write out again what it does not change."""
    if (read := in_sections(reply)) is None:
        return streamed(reply)
    if '<input name=\\"plan\\">' in json.dumps(body):
        read["amendments"] = [read["amendments"][2]]
        read["amendments"][0]["section"]["items"][1:] = [{"type": "bullet", "text": "(rest unchanged)"}, "..."]
    return streamed(json.dumps(read))


def as_document(change):
    """A generator that answers with Markdown, as it is asked to; in some form."""

    def answer(reply):
        read = json.loads(reply) if reply.startswith("{") else {}
        return change(read["deliverable"]) if "deliverable" in read else streamed(reply)

    return answer


def document_cut_once(body, reply, _before):
    if "deliverable" not in reply:
        return streamed(reply)
    return streamed("ves in June\n\nNobody notices.") if rest_of(body) else text("# Billing mo", finish="length")


def apologising(body, reply, _before):
    is_first = "deliverable" in reply and "could not be used" not in json.dumps(body)
    return streamed("I am sorry, but I cannot do that.") if is_first else streamed(reply)


MENDED = "It was not quite JSON"
REPLIES = (
    of("a tool call in place of JSON", always(as_tool_call), tokens=None),
    of("comments", always(with_comments), told=(MENDED,) * CALLS),
    of("raw newlines and names without quotation marks", always(with_raw_newlines), told=("It was not quite JSON",),
       tokens=None),
    of("a bad field in a step", always(with_a_bad_field),
       told=("steps[1].effort.low was left out: it is no number.",)),
    of("a schema that is taken and ignored", ignoring_the_schema, requests=CALLS + 1, tokens=(IN * 7, 49),
       told=("did not keep to the JSON schema: asked in words from now on.", "The reply holds no JSON object."),
       sent=lambda bodies: has_schema(bodies[0]) and not any(has_schema(body) for body in bodies[1:])
       and "It is of the type" in json.dumps(bodies[1])),
    of("ids like S1.1, and an item without one", always(other_ids), told=(
        "S1 is the id of what the model called S1.1. S2 is the id of what the model called S1.2.",)),
    of("rest unchanged", rest_unchanged, iterations=2, requests=8, tokens=(IN * 8, 7 * 8),
       told=("“(rest unchanged)” was left out: it is no item.",)),
    of("a document in Markdown", always(as_document(streamed))),
    of("a document in a fence", always(as_document(lambda text: streamed(f"```markdown\n{text}\n```")))),
    of("a document that is cut off at the limit", document_cut_once, requests=CALLS + 1, tokens=(IN * 7, 49),
       told=("continued from there",)),
    of("an apology in place of a document", apologising, requests=CALLS + 1, tokens=(IN * 7, 49),
       told=("the generator cannot use it. The reply is no document.",)),
    of("no JSON at first", first(lambda _reply: streamed("Let me think about it."), streamed), requests=CALLS + 1,
       told=("m-1 answered, but the planner cannot use it. The reply holds no JSON object.",), tokens=(IN * 7, 49),
       sent=lambda bodies: [one["role"] for one in bodies[1]["messages"]] == ["system", "user", "assistant", "user"]),
    of("no JSON at all", always(lambda _reply: streamed("No.")), requests=2, tokens=(IN * 2, 14),
       told=("cannot use it",), fails="openai:m-1 answered, but the planner cannot use it."),
)  # fmt: skip

# --- refusals ---------------------------------------------------------------------------------------------------------


def has_schema(body):
    return "response_format" in body


def in_turns(bodies):
    return all(
        one["role"] != other["role"]
        for body in bodies
        for one, other in zip(body["messages"], body["messages"][1:], strict=False)
    )


def has_system(body):
    return body["messages"][0]["role"] == "system"


def is_too_long(tokens):
    return lambda body: len(json.dumps(body["messages"])) / 4.2 > tokens


def asks_for_more_than(limit):
    return lambda body: max(body.get("max_tokens") or 0, body.get("max_completion_tokens") or 0) > limit


WITHOUT = "# Task: write the page"
"""The task that has no schema."""


def schema_refused(name, refusal, said="takes no JSON schema; asked in words instead"):
    return of(name, refusing(has_schema, refusal, streamed), requests=CALLS + 1, told=(said,),
              sent=lambda bodies: all(
                  "It is of the type" in json.dumps(body) for body in bodies[1:] if WITHOUT not in json.dumps(body))
              and "It is of the type" not in json.dumps(bodies[0]))  # fmt: skip


def bad(message, status=400, **more):
    return lambda handler: handler.whole(status, {"error": {"message": message, "code": None, **more}})


def limit_refused(name, words, *, limit=16_384):
    return of(
        name,
        refusing(asks_for_more_than(limit), bad(words), streamed),
        requests=CALLS + 1,
        told=(f"the model answers with at most {limit:,} tokens; asked for no more",),
        max_tokens=200_000,
    )


def window_refused(name, refusal):
    counted = partial(streamed, usage=fake.COUNTED)
    return of(name, refusing(is_too_long(7_000), refusal, counted), requests=None, tokens=None, said=300,
              told=("The model reads 8,192 tokens at most, by our count: a shorter prompt follows.",))  # fmt: skip


TOO_LARGE = "max_tokens is too large: {}. This model supports at most 16384 completion tokens, whereas you provided {}."
EXTRA = {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}
NEITHER = "Conversation roles must alternate user/assistant/user/assistant/..."

REFUSALS = (
    schema_refused("no response_format", bad("'response_format' of type 'json_schema' is not supported.")),
    schema_refused("404 for parameters (OpenRouter)", bad(
        "No endpoints found that can handle the requested parameters.", 404)),
    schema_refused("500 for a grammar (llama.cpp)", bad("failed to parse grammar", 500, type="server_error")),
    schema_refused("400 without a word", bad("Bad Request"), "does not say why it refused the request"),
    schema_refused("an error as text (Ollama)", lambda handler: handler.whole(400, {"error": "invalid json schema"})),
    of("a model without a system role (Gemma)", refusing(has_system, bad("System role not supported"), streamed),
       requests=CALLS + 1, told=("has no system role; its text was put before the first message",),
       sent=lambda bodies: in_turns(bodies) and "You work in a planning" in bodies[1]["messages"][0]["content"]),
    of("roles that must alternate (Mistral)", lambda body, reply, _before: (
        bad(NEITHER) if has_system(body) or not in_turns([body]) else streamed(reply)),
       requests=CALLS + 1, told=("has no system role",), sent=in_turns),
    of("roles that must alternate after a system text", lambda body, reply, _before: (
        streamed(reply) if in_turns([body]) else bad(NEITHER, 500)), sent=in_turns),
    of("no stream_options", refusing(
        lambda body: "stream_options" in body, lambda handler: handler.whole(422, {"detail": [EXTRA]}),
        streamed), requests=CALLS + 1, told=("takes no `stream_options`; asked without",)),
    of("max_completion_tokens alone", refusing(lambda body: "max_tokens" in body, bad(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        streamed), requests=CALLS + 1, max_tokens=90_000, told=("another name for the limit of an answer",),
       sent=lambda bodies: all("max_completion_tokens" in body for body in bodies[1:])),
    of("no limit of an answer at all", refusing(
        lambda body: "max_tokens" in body or "max_completion_tokens" in body,
        bad("Unsupported parameter: max_tokens, max_completion_tokens"), streamed),
       requests=CALLS + 2, max_tokens=90_000, told=("another name", "takes no limit of an answer")),
    of("--max-tokens 200000 with a model of 16,384 that says so", refusing(
        asks_for_more_than(16_384), bad("No."), streamed), max_tokens=200_000, options={},
       pages={"/v1/models": {"data": [{"id": "m-1", "context_length": 128_000,
                                       "top_provider": {"max_completion_tokens": 16_384}}]}}),
    limit_refused("--max-tokens 200000 with a model of 16,384 (OpenAI)", TOO_LARGE.format(199_000, 199_000)),
    window_refused("a prompt that is too long (vLLM)", bad(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.")),
    of("moderation", first(lambda _reply: bad("Your request was rejected by our safety system."), streamed), requests=1,
       tokens=(0, 0), cost=0.0, is_fixed=True,
       fails="declined the request: “Your request was rejected by our safety system.”"),
    of("a model that is not there", always(lambda _reply: bad('model "m-1" not found, try pulling it first', 404)),
       requests=1, tokens=(0, 0), cost=0.0, fails="There is no model 'm-1' at 127.0.0.1:"),
    of("a key that is echoed", always(lambda _reply: lambda handler: handler.whole(
        401, {"error": {"message": f"Incorrect API key provided: {handler.headers['authorization']}."}})), requests=1,
       tokens=(0, 0), cost=0.0, fails="does not accept the key: “Incorrect API key provided: Bearer [key].”"),
    of("no credit", always(lambda _reply: bad("Insufficient credits", 402)), requests=1, tokens=(0, 0), cost=0.0,
       fails="is used up: “Insufficient credits”"),
    of("a refusal that nobody knows", always(lambda _reply: bad("The moon is in the wrong house tonight.")), requests=1,
       tokens=(0, 0), cost=0.0, fails="did not accept the request (400): “The moon is in the wrong house tonight.”"),
)  # fmt: skip

# --- times ------------------------------------------------------------------------------------------------------------


def dead_after(calls):
    """A server that dies between two roles, and is started again when the person resumes."""
    return lambda _body, reply, before: streamed(reply) if before < calls or before >= calls + 3 else fake.drop


TIMES = (
    of("busy at first", first(lambda _reply: fake.status(429, retry_after="2"), streamed), requests=CALLS + 1,
       told=("asks to slow down (429)",)),
    of("busy for an hour", first(lambda _reply: fake.status(429, "Rate limit.", retry_after="3600"), streamed),
       requests=1, tokens=(0, 0), cost=0.0, is_fixed=True,
       fails="asks to slow down (429): “Rate limit.”, and asks to wait 1 hour."),
    of("out of order at first", first(lambda _reply: fake.status(502, "Bad gateway"), streamed), requests=CALLS + 1,
       told=("has a fault (502): “Bad gateway”",)),
    of("dead between planner and verifier", dead_after(2), requests=5, tokens=(IN * 2, 14), is_fixed=True,
       told=("was lost", "was lost"), fails="could not be reached (tried 3 times)"),
    of("a page of a web server", always(lambda _reply: fake.page()), requests=1, tokens=None,
       fails="The answer from 127.0.0.1:"),
    of("an answer of nothing", first(lambda _reply: text(""), streamed), requests=1, tokens=None, is_fixed=True,
       fails="The model answered with nothing."),
)  # fmt: skip

PRICES = (
    of("no price, and a bound of cost", always(streamed), max_cost=2.0,
       asks="The cost is bounded by $2.00, but this model's price is not known. Bound its tokens instead?"),
    of("a price that the server lists, and a bound of cost", always(lambda reply: priced(reply, cost=0.01)),
       max_cost=2.0, cost=0.01 * CALLS, cached=8 * CALLS, options={},
       pages={"/v1/models": {"data": [{"id": "m-1", "context_length": 128_000, "pricing": {"prompt": "0.000001"}}]}}),
)  # fmt: skip

# --- windows ----------------------------------------------------------------------------------------------------------


WINDOWS = (
    of("a window of llama.cpp", always(streamed), options={},
       pages={"/v1/models": {"data": [{"id": "m.gguf", "meta": {"n_ctx": 16_384}}]}}),
    of("no window that anybody knows", always(streamed), options={},
       told=("does not say how long a prompt may be: 8,192 tokens are",)),
    of("a tokenizer that takes a third fewer tokens", lambda body, reply, _before: streamed(reply, usage={
        **USAGE, "prompt_tokens": int(len(json.dumps(body["messages"])) / 6)}), tokens=None, said=200),
)  # fmt: skip

BEHAVIOURS = (*STREAMS, *REASONING, *REPLIES, *REFUSALS, *TIMES, *PRICES, *WINDOWS)
