"""What goes over the wire: bounded, uncompressed, always a stream, without what the server refused to take.

Imports httpx2: import it in a thread, late.

No compression, so that a small body cannot become a large one; no redirects, so that a key goes where it was meant to.
"""

from __future__ import annotations

import asyncio
import math
import os
import ssl
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Any

import httpx2
import msgspec

from workbench.domain.errors import ModelReplyInvalid
from workbench.domain.log.envelope import UNREADABLE
from workbench.models.catalogue import is_here
from workbench.models.servers.traits import Reported


def bounded_client(
    max_bytes: int, left_out: frozenset[str], reported: Reported, base_url: str | None = None
) -> httpx2.AsyncClient:
    """Return a client for answers of at most so many bytes of text.

    ``base_url``: the server; None for the provider's own. One of this machine is asked through no proxy.
    ``left_out``: parameters that the server does not take. ``reported`` is told what the answer costs, and
    how much came without a piece of it.
    """

    async def trim(request: httpx2.Request) -> None:
        body = _without_fields(await request.aread(), left_out)
        if body is not None:
            request.stream = httpx2.ByteStream(body)
            request.headers["content-length"] = str(len(body))

    async def bound(response: httpx2.Response) -> None:
        body = response.stream
        if not isinstance(body, httpx2.AsyncByteStream):  # pragma: no cover  # an asynchronous client has no other
            return
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise _compressed()
        is_whole = _came_whole(response)
        response.stream = _BoundedBody(body, max_bytes, None if is_whole else reported)
        if is_whole:
            response.headers["content-type"] = "text/event-stream"
            response.stream = _WholeAsEvents(response.stream)
        response.stream = _CostRead(response.stream, reported)

    return httpx2.AsyncClient(
        verify=_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")),
        timeout=httpx2.Timeout(600.0, connect=10.0),  # without a byte; the whole answer has a limit too
        headers={"accept-encoding": "identity"},
        trust_env=not is_here(base_url),
        event_hooks={"request": [trim] if left_out else [], "response": [bound]},
    )


def _without_fields(body: bytes, names: frozenset[str]) -> bytes | None:
    """Return a request's JSON without some of its fields; None if it has none of them."""
    try:
        request = msgspec.json.decode(body)
    except UNREADABLE:
        return None
    if not isinstance(request, dict) or names.isdisjoint(request):
        return None
    return msgspec.json.encode({name: value for name, value in request.items() if name not in names})


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


def _compressed() -> ModelReplyInvalid:
    return ModelReplyInvalid(
        "The server sent a compressed reply, though it was asked for none: it was not read.",
        "Switch compression off at the server or the proxy before it, or use another model.",
    )


class _Body(httpx2.AsyncByteStream):
    """A body that is changed, or looked at, as it passes."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def aclose(self) -> None:
        await self._inner.aclose()


class _BoundedBody(_Body):
    """A body that fails when it grows beyond what the text limit can need, or brings as much without a piece of text.

    Whoever reads the answer sets ``reported.unread`` to 0 with each piece of it; None where it comes as one piece.
    Clients read on after the last event to free the connection: once at its end, it stays there.
    """

    def __init__(self, inner: httpx2.AsyncByteStream, max_bytes: int, reported: Reported | None) -> None:
        super().__init__(inner)
        self._max_bytes = max_bytes
        self._reported = reported or Reported()
        self._most_unread = max_bytes if reported is not None else math.inf
        self._size = 0
        self._at_end = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._at_end:
            return
        async for piece in self._inner:
            # all before this piece has been read; an event for each token carries some 200 bytes
            if self._reported.unread > self._most_unread or self._size > self._max_bytes * 64:
                raise too_long(self._max_bytes)
            self._size += len(piece)
            self._reported.unread += len(piece)
            await asyncio.sleep(0)  # limits of time hold, however fast pieces come
            yield piece
        self._at_end = True


class _CostRead(_Body):
    """A body whose usage is looked at for what the answer costs, as it passes: clients may not read it to its end."""

    _MOST_OF_AN_EVENT = 20_000

    def __init__(self, inner: httpx2.AsyncByteStream, reported: Reported) -> None:
        super().__init__(inner)
        self._reported = reported

    async def __aiter__(self) -> AsyncIterator[bytes]:
        begun = b""
        async for piece in self._inner:
            *lines, rest = piece.split(b"\n")
            if lines:
                lines[0] = begun + lines[0]
                begun = rest
            else:
                begun = (begun + rest)[-self._MOST_OF_AN_EVENT :]
            for line in lines:
                if b'"cost"' in line and line.startswith(b"data:"):
                    self._reported.cost = _cost_of(line.removeprefix(b"data:"))
            yield piece


def _cost_of(event: bytes) -> float | None:
    """Return what ``usage.cost`` of an event says; None if it is not a price."""
    try:
        usage = msgspec.json.decode(event).get("usage")
        cost = usage.get("cost")
    except (AttributeError, *UNREADABLE):
        return None
    return float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < 1e9 else None


class _WholeAsEvents(_Body):
    """A chat completion that came whole, as the events of a streamed one."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if body := b"".join([piece async for piece in self._inner]):
            yield b"data: " + _as_chunk(body) + b"\n\ndata: [DONE]\n\n"


def _came_whole(response: httpx2.Response) -> bool:
    """Tell whether a server that speaks OpenAI's chat completions answered without streaming."""
    kind = response.headers.get("content-type", "")
    asked_for_chat = response.request.url.path.endswith("/chat/completions")
    return response.status_code == 200 and kind.startswith("application/json") and asked_for_chat


def _as_chunk(body: bytes) -> bytes:
    """Return a completion's JSON as that of one chunk; anything else on one line, for the client to judge."""
    try:
        completion = msgspec.json.decode(body)
    except UNREADABLE:
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
