"""Language models of providers: OpenAI and whatever speaks its protocol, Anthropic, Google; through pydantic-ai.

The provider's own structured mode is asked for the answer's schema; where a server does not take one, the schema is put
into words and the request is sent again, visibly. Whether the answer fits is judged by domain/loop/tasks.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from workbench.domain.errors import ModelError, ModelReplyInvalid
from workbench.domain.text.cleaning import StreamCleaner, clean, clean_name
from workbench.models.answers import ended
from workbench.models.catalogue import ModelProvider
from workbench.models.connection import Address, Opening, connected, open_provider
from workbench.models.ports import Done, Part, Request, TextDelta, ToolCall, Usage
from workbench.models.retry import Backoff, Transient, retrying
from workbench.models.secret import Secret, without_key
from workbench.models.tokens import estimate_prompt, estimate_tokens

if TYPE_CHECKING:
    from pydantic_ai import messages as wire
    from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
    from pydantic_ai.settings import ModelSettings

WINDOW = 128_000
"""Tokens assumed where nobody says more."""


class ProviderModel:
    """A language model that a provider runs."""

    def __init__(
        self,
        provider: ModelProvider,
        model: str,
        *,
        key: Secret,
        base_url: str | None = None,
        window: int = WINDOW,
        max_bytes: int = 4_000_000,
        backoff: Backoff | None = None,
        opening: Opening = open_provider,
    ) -> None:
        self._address = Address(provider, model, key, base_url, max_bytes)
        self.name = f"{provider.id}:{model}"
        self.window = window
        """Tokens that prompt and answer may have together."""
        self._backoff = backoff or Backoff()
        self._opening = opening
        self._schema_in_words = False
        """What the server has been found to need; the answer is judged the same way."""

    def __repr__(self) -> str:
        return f"ProviderModel({self.name!r})"

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer a request. Raises the kinds of ModelError that models/failures.py lists, none of them with a key."""
        attempts = retrying(lambda: self._attempt(request), self._backoff, within=request.parameters.timeout)
        problem: ModelError
        async with ended(attempts) as parts:
            try:
                async for part in without_key(parts, self._address.key):
                    yield part
            except ModelError as error:
                scrub = self._address.key.scrub
                problem = type(error)(scrub(error.message), scrub(error.remedy))
            else:
                return
        raise problem  # apart from the one that it stands for, which a traceback would show

    async def _attempt(self, request: Request) -> AsyncIterator[Part]:
        problem: Exception
        with_schema = False
        async with connected(self._address, self._opening) as model:
            from workbench.models.failures import SchemaRefused, failure

            try:
                takes_schema = model.profile.get("supports_json_schema_output", False) and not self._schema_in_words
                with_schema = request.schema is not None and takes_schema
                async for part in _answer(model, request, self._address, with_schema=with_schema):
                    yield part
            except Exception as error:  # noqa: BLE001  # a parser fed by any server raises anything; none of it is lost
                problem = failure(error, self._address, with_schema=with_schema)
            else:
                return
        if isinstance(problem, SchemaRefused):
            self._schema_in_words = True
            problem = Transient(
                "the server takes no JSON schema; asked in words instead", remedy="Try another model.", retry_after=0.0
            )
        raise problem


async def _answer(model: Model, request: Request, address: Address, *, with_schema: bool) -> AsyncIterator[Part]:
    """Yield a provider's answer as parts. Raises what pydantic-ai and its clients raise, and ModelError."""
    from pydantic_ai.direct import model_request_stream

    asking = model_request_stream(
        model,
        prompt(request, schema_in_words=request.schema is not None and not with_schema),
        model_settings=_settings(request),
        model_request_parameters=_parameters(request, with_schema=with_schema),
        instrument=False,
    )
    async with asking as response:
        async for text in _text(response, address.max_bytes):
            yield TextDelta(text)
        answer = response.get()
        for call in answer.tool_calls:
            yield ToolCall(
                id=clean_name(call.tool_call_id),
                name=clean_name(call.tool_name),
                arguments=clean(call.args_as_json_str()),
            )
        reason = _reason(answer, address)
        yield await asyncio.to_thread(_usage, request, answer, priced=address.base_url is None)
        yield Done(reason=reason, model=clean_name(answer.model_name or address.model))


async def _text(response: StreamedResponse, max_bytes: int) -> AsyncIterator[str]:
    """Yield the answer's text as it comes, clean. Raises ModelReplyInvalid when there is too much of anything."""
    from workbench.models.wire import too_long

    cleaner = StreamCleaner()
    size = 0
    async for event in response:
        piece, weight = _piece(event)
        size += weight
        if size > max_bytes:
            raise too_long(max_bytes)
        if text := cleaner.feed(piece):
            yield text
    if text := cleaner.finish():
        yield text


def _piece(event: wire.ModelResponseStreamEvent) -> tuple[str, int]:
    """Return an event's text, and how many bytes it brought, thoughts and tool calls included."""
    from pydantic_ai import messages as wire

    match event:
        case wire.PartStartEvent(part=wire.TextPart(content=text)):
            return text, len(text.encode(errors="replace"))
        case wire.PartDeltaEvent(delta=wire.TextPartDelta(content_delta=text)):
            return text, len(text.encode(errors="replace"))
        case wire.PartDeltaEvent(delta=wire.ThinkingPartDelta(content_delta=str(thought))):
            return "", len(thought.encode(errors="replace"))
        case wire.PartDeltaEvent(delta=wire.ToolCallPartDelta(args_delta=str(arguments))):
            return "", len(arguments.encode(errors="replace"))
    return "", 0


def prompt(request: Request, *, schema_in_words: bool = False) -> list[wire.ModelMessage]:
    """Return a request's messages as pydantic-ai's.

    A tool's result is given as a user's message, because a request names no call that it belongs to.
    """
    from pydantic_ai import messages as wire

    prompts: list[wire.ModelMessage] = []
    parts: list[wire.ModelRequestPart] = []
    if schema_in_words:
        parts.append(wire.SystemPromptPart(_in_words(request.schema)))
    for message in request.messages:
        if message.role == "assistant":
            if parts:
                prompts.append(wire.ModelRequest(parts))
                parts = []
            prompts.append(wire.ModelResponse([wire.TextPart(message.content)]))
        elif message.role == "system":
            parts.append(wire.SystemPromptPart(message.content))
        else:
            parts.append(wire.UserPromptPart(message.content))
    return [*prompts, wire.ModelRequest(parts)] if parts else prompts


def _in_words(schema: dict[str, Any] | None) -> str:
    written = msgspec.json.encode(schema).decode()
    return f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{written}"


def _settings(request: Request) -> ModelSettings:
    """Return how to answer. The clients' own retries are off: there is one place that asks again."""
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(max_retries=0)
    if request.parameters.max_output_tokens is not None:
        settings["max_tokens"] = request.parameters.max_output_tokens
    if request.parameters.temperature is not None:
        settings["temperature"] = request.parameters.temperature
    return settings


def _parameters(request: Request, *, with_schema: bool) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.schema)
        for tool in request.tools
    ]
    if not with_schema or request.schema is None:
        return ModelRequestParameters(function_tools=tools)
    shape = OutputObjectDefinition(json_schema=inlined_root(request.schema), name="answer")
    return ModelRequestParameters(function_tools=tools, output_mode="native", output_object=shape)


def inlined_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose root is an object itself instead of a reference to a definition; providers insist on it."""
    reference = schema.get("$ref", "")
    root = schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"))
    return schema if root is None else {**root, "$defs": schema["$defs"]}


def _reason(answer: wire.ModelResponse, address: Address) -> Literal["stop", "length", "tool"]:
    """Return why the answer ended. Raises ModelRefused, ModelReplyInvalid when empty, Transient when cut off."""
    from workbench.models.failures import declined, quoted

    details = answer.provider_details or {}
    if answer.finish_reason == "content_filter":
        raise declined(address.provider.title, quoted(address, str(details.get("refusal") or "")))
    if "finish_reason" not in details:
        raise Transient("the answer stopped without an end", remedy="Ask again, or try another model.")
    if answer.tool_calls:
        return "tool"
    if not (answer.text or "").strip():
        raise ModelReplyInvalid("The model answered with nothing.", "Ask again, or allow more output tokens.")
    return "length" if answer.finish_reason == "length" else "stop"


def _usage(request: Request, answer: wire.ModelResponse, *, priced: bool) -> Usage:
    """Return what the answer took, as the provider counted it; else estimated, and then without a price."""
    reported = answer.usage
    if reported.unmeasured_requests or not (reported.input_tokens or reported.output_tokens):
        return Usage(
            input_tokens=estimate_prompt(request.messages),
            output_tokens=estimate_tokens(answer.text or ""),
            estimated=True,
        )
    return Usage(
        input_tokens=reported.input_tokens,
        output_tokens=reported.output_tokens,
        cost=price(answer) if priced else None,
    )


def price(answer: wire.ModelResponse) -> float | None:
    """Return what an answer costs in US dollars, by genai-prices; None when unknown. Blocks at first; no network."""
    try:
        return float(answer.cost().total_price)
    except (LookupError, ValueError):
        return None
