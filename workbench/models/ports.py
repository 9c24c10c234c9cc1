"""How a language model is reached: one request in, a stream of parts out.

    Request ──LanguageModel.stream──▶ (TextDelta | Thought | Retried | Noted)* · ToolCall* · Usage? · Done
                                 └──▶ raises ModelError (domain/errors.py); parts received before stay with the caller

Every model, the offline guided planner included, speaks this protocol, and the same contract tests run on all of them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from workbench.domain.loop.asking.tasks import Task
from workbench.domain.session.context import Message


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """How to answer."""

    max_output_tokens: int | None = None
    """What the session's budget leaves for the answer; None: it has none. A client sends less where the model, or what
    its window leaves, allows less."""
    temperature: float | None = None
    """None: the provider's default."""
    first: float = 600.0
    """Seconds until the first part: a model may be loaded, and a long prompt read, before it."""
    idle: float = 120.0
    """Seconds without a part, once one has come."""
    total: float | None = None
    """Seconds for the whole answer, retries included; None: as long as parts arrive."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a model is given for one answer."""

    role: str
    """The role that asks: planner, verifier, executor, generator, or an agent's name."""
    task: Task
    messages: tuple[Message, ...]
    """The exact prompt. A client joins messages of one role that follow each other; it changes no word."""
    schema: dict[str, Any] | None = None
    """JSON schema the answer must fit; None for free text. The messages do not hold it: a client sends it, once."""
    parameters: Parameters = Parameters()
    is_repair: bool = False
    """Whether a reply was refused, whose bad part alone is asked for."""
    came: tuple[str, ...] = ()
    """Parts of the answer that arrived before an interruption: a client may leave them out of what it asks for."""


class TextDelta(msgspec.Struct, frozen=True):
    """More of the answer's text."""

    text: str


class Thought(msgspec.Struct, frozen=True):
    """Reasoning: what the model says to itself, and no part of the answer."""

    text: str
    takes_back: bool = False
    """Whether the answer's text up to here was none either: it was reasoning, or is begun again."""


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
    """US dollars; None when the price is not known. 0.0 only if nothing is charged."""
    estimated: bool = False
    """True when the provider reported nothing and the tokens were counted here."""
    cached_tokens: int = 0
    """Of the input tokens, those that the provider had kept from an earlier prompt."""
    reasoning_tokens: int = 0
    """About how many of the output tokens were reasoning."""
    server_window: int = 0
    """What the server itself says of its window, in tokens; 0 if it says nothing."""
    is_continued: bool = False
    """Whether two requests are counted together, so that the input tokens are not those of the prompt."""


class Retried(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt failed and another one follows; shown, and kept in the log."""

    reason: str
    wait: float
    """Seconds until the next attempt."""


class Noted(msgspec.Struct, frozen=True):
    """Something that a person should know of this call; shown, and kept in the log."""

    note: str
    """In a sentence."""
    came: str = ""
    """A part of the answer, whole, as JSON, if more follow: it is kept over an interruption."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """The answer is complete."""

    reason: Literal["stop", "length", "tool"]
    model: str
    """The model's name as the provider reports it."""


FREE: frozenset[str] = frozenset({"guided", "scripted"})
"""Names of the models that run on this machine, which costs nothing."""

Part = TextDelta | Thought | ToolCall | Usage | Retried | Noted | Done


class LanguageModel(Protocol):
    """Something that answers requests. Implementations keep no state between requests that changes an answer."""

    @property
    def name(self) -> str:
        """``guided``, ``scripted``, or ``provider:model``; recorded with every call."""

    @property
    def window(self) -> int:
        """Tokens that prompt and answer may have together, as far as it is known."""

    def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer a request. The last part is Done. Cancelling the iteration ends the request.

        Raises ModelError of the kind that tells what to do: denied, unreachable, refused, unknown.
        """


@runtime_checkable
class Inquiring(Protocol):
    """A language model whose server can be asked what it takes."""

    def inquire(self) -> None:
        """Ask once how large the window is and how long an answer may be. Blocks for some seconds; raises nothing."""


@runtime_checkable
class Priced(Protocol):
    """A language model that knows beforehand whether anybody will know what an answer costs."""

    @property
    def is_priced(self) -> bool:
        """Whether its price is known, or its server tells it with each answer."""


@runtime_checkable
class Patient(Protocol):
    """A language model that has limits of time of its own."""

    def patience(self, asked: Parameters) -> Parameters:
        """Return how long to wait for it, instead of what was asked for."""


def window_of(model: LanguageModel) -> int:
    """Return a model's window, asking its server if it has one. Blocks: call it where blocking is allowed."""
    if isinstance(model, Inquiring):
        model.inquire()
    return model.window
