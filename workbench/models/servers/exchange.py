"""One request as it goes out to a provider, and its answer as it comes in; through pydantic-ai."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from workbench.domain.errors import ModelReplyInvalid
from workbench.domain.text.cleaning import StreamCleaner, clean, clean_name
from workbench.models.ports import Done, Part, Request, TextDelta, Thought, ToolCall, Usage
from workbench.models.retry import Transient
from workbench.models.schema_words import in_words
from workbench.models.servers.connection import Address, Opened
from workbench.models.servers.messages import as_prompts, turns
from workbench.models.servers.refusals import Sent
from workbench.models.servers.thoughts import ThoughtSplitter
from workbench.models.servers.traits import Traits
from workbench.models.tokens import estimate_tokens

if TYPE_CHECKING:
    from pydantic_ai import messages as wire
    from pydantic_ai.models import ModelRequestParameters, StreamedResponse
    from pydantic_ai.settings import ModelSettings

_MARGIN = 0.1
"""Share by which a prompt may be longer than it is estimated."""

_MOST_PIECES = 200
"""Tool calls, texts and thoughts of one reply: the client takes time with the square of their number."""
_BYTES_OF_AN_EVENT = 40
"""Events of one reply are at most its bytes divided by this: 100,000, which take the client half a minute."""


class Exchange:
    """One request as it goes out, and its answer as it comes in."""

    def __init__(self, request: Request, address: Address, opened: Opened, traits: Traits, so_far: str) -> None:
        self._request = request
        self._address = address
        self._opened = opened
        self._thoughts = 0
        self._has_text = False
        takes_schema = bool(opened.model.profile.get("supports_json_schema_output", False)) and traits.takes_schema
        with_schema = request.schema is not None and takes_schema and not so_far
        self._said = turns(
            request.messages,
            schema=None if takes_schema else request.schema,
            takes_system=traits.takes_system,
            so_far=so_far,
        )
        prompt_tokens = sum(estimate_tokens(text) + 4 for _, text in self._said)
        if with_schema and request.schema is not None:
            prompt_tokens += estimate_tokens(in_words(request.schema))
        self.sent = Sent(
            schema=with_schema,
            system=self._said[0][0] == "system",
            limit=_output_limit(request, traits, prompt_tokens, so_far),
            prompt_tokens=prompt_tokens,
        )
        self._traits = traits
        self._is_marked = address.provider.id == "anthropic" and "cache_control" not in traits.left_out

    async def answer(self) -> AsyncIterator[Part]:
        """Yield a provider's answer as parts. Raises what pydantic-ai and its clients raise, and ModelError."""
        from pydantic_ai.direct import model_request_stream

        asking = model_request_stream(
            self._opened.model,
            as_prompts(self._said, marked=self._is_marked),
            model_settings=self._settings(),
            model_request_parameters=_parameters(self._request, with_schema=self.sent.schema),
            instrument=False,
        )
        async with asking as response:
            async for part in self._texts(response):
                yield part
            answer = response.get()
            for call in answer.tool_calls:
                yield ToolCall(
                    id=clean_name(call.tool_call_id),
                    name=clean_name(call.tool_name),
                    arguments=clean(call.args_as_json_str()),
                )
            reason = self._reason(answer)
            yield await asyncio.to_thread(self._usage, answer)
            yield Done(reason=reason, model=clean_name(answer.model_name or self._address.model))

    async def _texts(self, response: StreamedResponse) -> AsyncIterator[TextDelta | Thought]:
        """Yield answer and reasoning as they come, clean. Raises ModelReplyInvalid when there is too much."""
        texts = _Texts()
        try:
            async for piece, thought in self._pieces(response):
                if thought:
                    yield self._count(Thought(clean(thought)))
                for part in texts.feed(piece):
                    yield self._count(part)
        except Exception:
            for part in texts.finish(is_whole=False):  # what arrived before an error is kept
                yield self._count(part)
            raise
        for part in texts.finish(is_whole=response.get().finish_reason != "length"):
            yield self._count(part)

    async def _pieces(self, response: StreamedResponse) -> AsyncIterator[tuple[str, str]]:
        """Yield text and reasoning as they come. Raises ModelReplyInvalid when there is too much of anything."""
        from pydantic_ai import messages as wire

        from workbench.models.servers.wire import too_long

        size = count = events = 0
        async for event in response:
            text, thought, weight = _measure(event)
            size += weight
            count += isinstance(event, wire.PartStartEvent)
            events += 1
            if events > (most := self._address.max_bytes // _BYTES_OF_AN_EVENT):
                raise ModelReplyInvalid(
                    f"The reply came in more than {most:,} pieces: it was not read on.",
                    "Ask for less, or use another server: most send several words at once.",
                )
            if size > self._address.max_bytes:
                raise too_long(self._address.max_bytes)
            if count > _MOST_PIECES:
                raise ModelReplyInvalid(
                    f"The reply has more than {_MOST_PIECES} tool calls or other separate parts: it was not read on.",
                    "Ask again, or try another model.",
                )
            if weight:
                self._opened.reported.unread = 0
            yield text, thought

    def _count(self, part: TextDelta | Thought) -> TextDelta | Thought:
        if isinstance(part, Thought):
            self._thoughts += estimate_tokens(part.text)
            self._has_text = self._has_text and not part.takes_back
        else:
            self._has_text = self._has_text or bool(part.text.strip())
        return part

    def _settings(self) -> ModelSettings:
        """Return how to answer. The clients' own retries are off: there is one place that asks again."""
        from pydantic_ai.settings import CacheConfig, ModelSettings

        settings = ModelSettings(max_retries=0)
        if self._is_marked:
            settings["cache"] = CacheConfig(messages=False)  # the plan has a mark of its own
        if self.sent.limit is not None:
            settings["max_tokens"] = self.sent.limit
        if self._address.own.effort is not None and "thinking" not in self._traits.left_out:
            settings["thinking"] = self._address.own.effort
        temperature = self._request.parameters.temperature
        if temperature is not None and "temperature" not in self._traits.left_out:
            settings["temperature"] = temperature
        return settings

    def _reason(self, answer: wire.ModelResponse) -> Literal["stop", "length", "tool"]:
        """Return why the answer ended. Raises ModelRefused, ModelReplyInvalid when empty, Transient when cut off."""
        from workbench.models.servers.failures import declined, quoted

        details = answer.provider_details or {}
        if answer.finish_reason == "content_filter":
            raise declined(self._address, quoted(self._address, str(details.get("refusal") or "")))
        if "finish_reason" not in details:
            raise Transient("the answer stopped without an end", remedy="Ask again, or try another model.")
        if answer.tool_calls:
            return "tool"
        if not self._has_text:
            raise _empty(self._thoughts, is_cut=answer.finish_reason == "length")
        return "length" if answer.finish_reason == "length" else "stop"

    def _usage(self, answer: wire.ModelResponse) -> Usage:
        """Return what the answer took, as the provider counted it; else estimated, and then without a price."""
        reported = answer.usage
        if reported.unmeasured_requests or not (reported.input_tokens or reported.output_tokens):
            return Usage(
                input_tokens=self.sent.prompt_tokens,
                output_tokens=estimate_tokens(answer.text or "") + self._thoughts,
                cost=self._opened.reported.cost,
                estimated=True,
                reasoning_tokens=self._thoughts,
            )
        reasoning = reported.details.get("reasoning_tokens", 0) or self._thoughts
        return Usage(
            input_tokens=reported.input_tokens,
            output_tokens=reported.output_tokens,
            cost=self._cost(answer),
            cached_tokens=max(min(reported.cache_read_tokens or 0, reported.input_tokens), 0),
            reasoning_tokens=max(min(reasoning, reported.output_tokens), 0),
        )

    def _cost(self, answer: wire.ModelResponse) -> float | None:
        """Return US dollars: as the answer says, else by the person's own prices, else by a list; None if unknown."""
        if self._opened.reported.cost is not None:
            return self._opened.reported.cost
        own = self._address.own.cost(answer.usage.input_tokens, answer.usage.output_tokens)
        return own if own is not None or self._address.base_url is not None else price(answer)


class _Texts:
    """Answer and reasoning out of text that arrives in pieces, made safe."""

    def __init__(self) -> None:
        self._splitter = ThoughtSplitter()
        self._cleaner = StreamCleaner()

    def feed(self, piece: str) -> Iterator[TextDelta | Thought]:
        """Yield what is certain after one more piece."""
        return self._cleaned(self._splitter.feed(piece))

    def finish(self, *, is_whole: bool) -> Iterator[TextDelta | Thought]:
        """Yield the rest; ``is_whole`` where the model came to an end by itself."""
        yield from self._cleaned(self._splitter.finish(is_whole=is_whole))
        yield from self._flush()

    def _cleaned(self, parts: Iterable[TextDelta | Thought]) -> Iterator[TextDelta | Thought]:
        for part in parts:
            if isinstance(part, Thought):
                yield from self._flush()
                yield Thought(clean(part.text), takes_back=part.takes_back)
            elif text := self._cleaner.feed(part.text):
                yield TextDelta(text)

    def _flush(self) -> Iterator[TextDelta]:
        if text := self._cleaner.finish():
            yield TextDelta(text)
        self._cleaner = StreamCleaner()


def _empty(thoughts: int, *, is_cut: bool) -> ModelReplyInvalid:
    """Return the error for an answer without text."""
    if not thoughts:
        return ModelReplyInvalid("The model answered with nothing.", "Ask again, or allow more output tokens.")
    end = " and then reached its limit" if is_cut else ""
    return ModelReplyInvalid(
        f"The model used about {thoughts:,} tokens for reasoning{end}: it wrote no answer.",
        "Allow more output tokens, or use a model that reasons less.",
    )


def _measure(event: wire.ModelResponseStreamEvent) -> tuple[str, str, int]:
    """Return an event's text, its reasoning, and how many bytes it brought, tool calls included."""
    from pydantic_ai import messages as wire

    match event:
        case wire.PartStartEvent(part=wire.TextPart(content=text)):
            return text, "", _size(text)
        case wire.PartDeltaEvent(delta=wire.TextPartDelta(content_delta=text)):
            return text, "", _size(text)
        case wire.PartStartEvent(part=wire.ThinkingPart(content=thought)):
            return "", thought, _size(thought)
        case wire.PartDeltaEvent(delta=wire.ThinkingPartDelta(content_delta=str(thought))):
            return "", thought, _size(thought)
        case wire.PartStartEvent(part=wire.ToolCallPart() as call):
            return "", "", _size(call.tool_call_id + call.tool_name + call.args_as_json_str())
        case wire.PartDeltaEvent(delta=wire.ToolCallPartDelta() as more):
            return "", "", _size((more.tool_name_delta or "") + (more.tool_call_id or "") + _as_text(more.args_delta))
    return "", "", 0


def _as_text(arguments: str | dict[str, Any] | None) -> str:
    return arguments if isinstance(arguments, str) else str(arguments or "")


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def _output_limit(request: Request, traits: Traits, prompt_tokens: int, so_far: str) -> int | None:
    """Return how many tokens the answer may have: the least of what model, window and budget leave; None for any.

    What the window leaves alone is no limit that a server has to be told.
    """
    if "max_tokens" in traits.left_out:
        return None
    budget = request.parameters.max_output_tokens
    if budget is not None and so_far:
        budget -= 2 * estimate_tokens(so_far) + prompt_tokens
    limits = [limit for limit in (budget, traits.output_limit) if limit is not None]
    if not limits:
        return None
    if traits.window_source != "assumed":
        limits.append(traits.window - int(prompt_tokens * (1 + _MARGIN)))
    return max(min(limits), 1)


def _parameters(request: Request, *, with_schema: bool) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if not with_schema or request.schema is None:
        return ModelRequestParameters()
    shape = OutputObjectDefinition(json_schema=inlined_root(request.schema), name="answer")
    return ModelRequestParameters(output_mode="native", output_object=shape)


def inlined_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose root is an object itself instead of a reference to a definition; providers insist on it."""
    reference = schema.get("$ref", "")
    root = schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"))
    if root is None:
        return schema
    parts = {name: part for name, part in schema["$defs"].items() if part is not root}
    return {**root, "$defs": parts if reference not in str(parts) + str(root) else schema["$defs"]}


def listed_price(provider: str, model: str) -> tuple[float | None, float | None]:
    """Return US dollars for a million tokens in and out, by genai-prices; None if it does not have the model."""
    try:
        from genai_prices import Usage, calc_price

        million = Usage(input_tokens=1_000_000), Usage(output_tokens=1_000_000)
        into, out = (float(calc_price(used, model, provider_id=provider).total_price) for used in million)
    except (ImportError, LookupError, ValueError):
        return None, None
    return into, out


def price(answer: wire.ModelResponse) -> float | None:
    """Return what an answer costs in US dollars, by genai-prices; None when unknown. Blocks at first; no network."""
    try:
        return float(answer.cost().total_price)
    except (LookupError, ValueError):
        return None
