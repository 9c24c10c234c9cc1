"""How a language model is reached: one request in, a stream of parts out.

    Request ──LanguageModel.stream──▶ TextDelta* · ToolCall* · Usage? · Done
                                 └──▶ raises ModelError (domain/errors.py); parts received before stay with the caller

Every model, the offline guided planner included, speaks this protocol, and the same contract tests run on all of them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal, Protocol

import msgspec

from workbench.domain.loop.tasks import Task
from workbench.domain.session.context import Message


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool the model may call."""

    name: str
    description: str
    schema: dict[str, Any]
    """JSON schema of its arguments."""


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """How to answer."""

    max_output_tokens: int | None = None
    """None: the provider's own limit."""
    temperature: float | None = None
    """None: the provider's default."""
    timeout: float = 120.0
    """Seconds for the whole answer, retries included."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a model is given for one answer."""

    role: str
    """The role that asks: planner, verifier, executor, generator, or an agent's name."""
    task: Task
    messages: tuple[Message, ...]
    """The exact prompt. A client may join messages of one role that follow each other; it changes no word."""
    schema: dict[str, Any] | None = None
    """JSON schema the answer must fit; None for free text."""
    tools: tuple[Tool, ...] = ()
    parameters: Parameters = Parameters()


class TextDelta(msgspec.Struct, frozen=True):
    """More of the answer's text."""

    text: str


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """The model wants a tool to be called."""

    id: str
    name: str
    arguments: str
    """JSON, as the model wrote it."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What the answer took."""

    input_tokens: int
    output_tokens: int
    cost: float | None = None
    """US dollars; None when the price is not known. 0.0 only where nothing is charged."""
    estimated: bool = False
    """True when the provider reported nothing and the tokens were counted here."""


class Retried(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt failed and another one follows; shown, and kept in the log."""

    reason: str
    wait: float
    """Seconds until the next attempt."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """The answer is complete."""

    reason: Literal["stop", "length", "tool"]
    model: str
    """The model's name as the provider reports it."""


FREE: frozenset[str] = frozenset({"guided", "scripted"})
"""Names of the models that run on this machine, where nothing is charged."""

Part = TextDelta | ToolCall | Usage | Retried | Done


class LanguageModel(Protocol):
    """Something that answers requests. Implementations keep no state between requests that changes an answer."""

    @property
    def name(self) -> str:
        """``guided``, ``scripted``, or ``provider:model``; recorded with every call."""

    @property
    def window(self) -> int:
        """Tokens that prompt and answer may have together."""

    def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer a request. The last part is Done. Cancelling the iteration ends the request.

        Raises ModelError of the kind that tells what to do: denied, unreachable, refused, unknown.
        """
