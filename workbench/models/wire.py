"""What comes over the wire: bounded, uncompressed, and always a stream. Imports httpx2: import it in a thread, late.

No compression, so that a small body cannot become a large one; no redirects, so that a key goes where it was meant to.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Any

import httpx2
import msgspec

from workbench.domain.errors import ModelReplyInvalid


def bounded_client(max_bytes: int) -> httpx2.AsyncClient:
    """Return a client for answers of at most so many bytes of text."""

    async def bound(response: httpx2.Response) -> None:
        body = response.stream
        if not isinstance(body, httpx2.AsyncByteStream):  # pragma: no cover  # an asynchronous client has no other
            return
        response.stream = _BoundedBody(body, max_bytes)
        if _came_whole(response):
            response.headers["content-type"] = "text/event-stream"
            response.stream = _WholeAsEvents(response.stream)

    return httpx2.AsyncClient(
        verify=_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")),
        timeout=httpx2.Timeout(600.0, connect=10.0),  # without a byte; the whole answer has a limit too
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [bound]},
    )


@lru_cache(maxsize=1)
def _certificates(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    """Return what servers are checked with. It is read once: that takes 25 ms, more than all else before a call."""
    return httpx2.create_ssl_context()


def too_long(max_bytes: int) -> ModelReplyInvalid:
    """Return the error for an answer beyond the limit."""
    return ModelReplyInvalid(
        f"The reply is longer than {max_bytes / 1_000_000:g} MB, and was not read to its end.",
        "Ask for less, or set a limit on output tokens.",
    )


class _BoundedBody(httpx2.AsyncByteStream):
    """A body that fails when it grows beyond what the text limit can need.

    Clients read on after the last event to free the connection: once at its end, it stays there.
    """

    def __init__(self, inner: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._inner = inner
        self._max_bytes = max_bytes
        self._size = 0
        self._at_end = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._at_end:
            return
        async for piece in self._inner:
            self._size += len(piece)
            if self._size > self._max_bytes * 64:  # an event for each token carries some 200 bytes
                raise too_long(self._max_bytes)
            yield piece
        self._at_end = True

    async def aclose(self) -> None:
        await self._inner.aclose()


class _WholeAsEvents(httpx2.AsyncByteStream):
    """A chat completion that came whole, as the events of a streamed one."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if body := b"".join([piece async for piece in self._inner]):
            yield b"data: " + _as_chunk(body) + b"\n\ndata: [DONE]\n\n"

    async def aclose(self) -> None:
        await self._inner.aclose()


def _came_whole(response: httpx2.Response) -> bool:
    """Tell whether a server that speaks OpenAI's chat completions answered without streaming."""
    kind = response.headers.get("content-type", "")
    asked_for_chat = response.request.url.path.endswith("/chat/completions")
    return response.status_code == 200 and kind.startswith("application/json") and asked_for_chat


def _as_chunk(body: bytes) -> bytes:
    """Return a completion's JSON as that of one chunk; anything else on one line, for the client to judge."""
    try:
        completion = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return body.replace(b"\n", b" ").replace(b"\r", b" ")
    if isinstance(completion, dict) and isinstance(completion.get("choices"), list):
        completion["object"] = "chat.completion.chunk"
        completion["choices"] = [_as_delta(choice) for choice in completion["choices"]]
    return msgspec.json.encode(completion)


def _as_delta(choice: Any) -> Any:
    """Return a choice with its message as the difference to nothing; tool calls get the index that chunks have."""
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        return choice
    message = choice.pop("message")
    calls = message.get("tool_calls") or []
    message["tool_calls"] = [{**call, "index": place} for place, call in enumerate(calls) if isinstance(call, dict)]
    return {**choice, "delta": message}
