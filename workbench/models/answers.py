"""A whole answer as one value, from a stream of parts and back.

What is recorded, replayed and computed at once is an Answer; what travels is a stream, so that a person sees the text
grow and a cancelled request keeps what it had.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager

import msgspec

from workbench.domain.errors import ModelReplyInvalid, ModelTooSlow
from workbench.models.ports import Done, Parameters, Part, Retried, TextDelta, Thought, ToolCall, Usage

CHUNK = 64
"""Characters in a played text delta."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a model answered to one request."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    """None when the model said nothing about it."""
    done: Done


def gathered(parts: Iterable[Part]) -> Answer:
    """Return parts as one answer; reasoning and notices are left out. Raises ModelReplyInvalid when Done is missing."""
    text: list[str] = []
    calls: list[ToolCall] = []
    usage: Usage | None = None
    for part in parts:
        match part:
            case TextDelta():
                text.append(part.text)
            case Thought(takes_back=True):
                text.clear()
            case ToolCall():
                calls.append(part)
            case Usage():
                usage = part
            case Done():
                return Answer(text="".join(text), tool_calls=tuple(calls), usage=usage, done=part)
    raise ModelReplyInvalid("The reply stopped before its end.", "Ask again.")


@asynccontextmanager
async def ended(stream: AsyncIterator[Part]) -> AsyncIterator[AsyncIterator[Part]]:
    """Give a stream and end it on the way out, however that happens, so that no connection outlives its reader."""
    try:
        yield stream
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()


async def timely(parts: AsyncIterator[Part], parameters: Parameters) -> AsyncIterator[Part]:
    """Yield parts as they arrive. Raises ModelTooSlow when the next one is too long in coming."""
    limit = parameters.first
    while True:
        waiting = asyncio.timeout(limit)
        try:
            async with waiting:
                part = await anext(parts)
        except StopAsyncIteration:
            return
        except TimeoutError:
            if not waiting.expired():  # the model's own
                raise
            break
        limit = parameters.first + part.wait if isinstance(part, Retried) else parameters.idle
        yield part
    raise ModelTooSlow(
        f"The model sent nothing for {limit:,.0f} seconds.",
        "What arrived is kept. Resume to ask again, or use a faster model.",
    )


async def as_stream(answer: Answer) -> AsyncIterator[Part]:
    """Yield an answer as a stream would bring it; other tasks get their turn between two parts."""
    for start in range(0, len(answer.text), CHUNK):
        yield TextDelta(answer.text[start : start + CHUNK])
        await asyncio.sleep(0)
    for call in answer.tool_calls:
        yield call
    if answer.usage is not None:
        yield answer.usage
    yield answer.done
