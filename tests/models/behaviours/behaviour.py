"""A behaviour of a server: what it does with requests, and what has to come of it for the person."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.builders import FIRST_DRAFT, execute_reply, generate_reply, plan_reply, propose_reply, verify_reply

REPLIES = {
    "propose approaches": propose_reply(),
    "plan": plan_reply(*FIRST_DRAFT, title="Billing"),
    "verify the plan": verify_reply(),
    "turn steps into actions": execute_reply(),
    "write the page": generate_reply(),
    "say what came before in fewer words": "The person named what matters.",
}
"""What a model would reply, by the heading of its task."""
CALLS = 6
"""Of a session of one iteration."""

Answer = Callable[[Any], None]
"""Answers a request, as the handlers of fake_openai.py do."""
Server = Callable[[dict[str, Any], str, int], Answer]
"""Returns what is answered to a request, by its body, what a model would reply, and how many came before it."""


@dataclass(frozen=True)
class Behaviour:
    """What a server does, and what comes of it."""

    name: str
    server: Server
    told: tuple[str, ...] = ()
    """What a person is told on the way, in events: a part of each, in order."""
    fails: str = ""
    """What a person is told where the session cannot go on: a part of the message; "" where it is finished."""
    asks: str = ""
    """What a person is asked before anything is sent: a part of the question; then the session goes on."""
    requests: int | None = CALLS
    """Requests that the server sees; None where they are not what this behaviour is about."""
    tokens: tuple[int, int] | None = None
    """Input and output tokens of the session; None where they are not what this behaviour is about."""
    cached: int = 0
    """Of the input tokens, those that the provider had kept."""
    cost: float | None = None
    """Dollars of the session; None where nobody knows."""
    sent: Callable[[list[dict[str, Any]]], bool] | None = None
    """What must hold of the bodies of the requests."""
    is_fixed: bool = False
    """Whether the fault is over when the person resumes."""
    protocol: str = "openai"
    model: str = "m-1"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the model."""
    max_tokens: int | None = None
    """The session's bound."""
    max_cost: float | None = None
    """The session's bound, in dollars."""
    iterations: int = 1
    said: int = 0
    """Messages of the session's conversation, of some 40 tokens each, before it is planned."""
    pages: Mapping[str, Any] = field(default_factory=dict)
    """What the server answers to a look at a path."""


def reply_to(body: dict[str, Any]) -> str:
    """Return what a model would reply to a request."""
    words = json.dumps(body)
    return next(reply for heading, reply in REPLIES.items() if f"# Task: {heading}\\n" in words)


def first(answer: Callable[[str], Answer], usual: Callable[[str], Answer]) -> Server:
    """Return a server that answers the first request in its own way, and all others as usual."""
    return lambda _body, reply, before: (usual if before else answer)(reply)


def always(answer: Callable[[str], Answer]) -> Server:
    """Return a server that answers all requests alike."""
    return lambda _body, reply, _before: answer(reply)


def refusing(condition: Callable[[dict[str, Any]], bool], refusal: Answer, usual: Callable[[str], Answer]) -> Server:
    """Return a server that refuses what fulfils a condition."""
    return lambda body, reply, _before: refusal if condition(body) else usual(reply)


def pieces(text: str, size: int = 40) -> list[str]:
    """Return a text as it is streamed."""
    return [text[at : at + size] for at in range(0, len(text), size)]
