"""Replies of a server, bounded: whoever listens at an address may send anything, for ever.

Beyond so many bytes and seconds, nested too deep or not of the protocol, a reply is InvalidResponse.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import msgspec
import redis
from redis._parsers import _RESP2Parser

MOST_BYTES = 256_000_000
"""The longest reply that is read: hundreds of the longest events together."""
MOST_SECONDS = 8.0
"""How long a reply may take from its first byte to its last, and all replies of one command together."""
_END: ContextVar[float | None] = ContextVar("_END", default=None)
"""When the replies of the command that runs have to be there; None if a reply may be waited for."""


@contextmanager
def in_time() -> Iterator[None]:
    """Bound the time of all replies that are read meanwhile, together: a server may send each of them slowly."""
    token = _END.set(time.monotonic() + MOST_SECONDS)
    try:
        yield
    finally:
        _END.reset(token)


class BoundedParser(_RESP2Parser):
    """The parser of the protocol that we ask for, with bounds. Raises InvalidResponse at each of them."""

    def on_connect(self, connection: Any) -> None:
        """Read from a connection's socket, through a meter."""
        super().on_connect(connection)  # type: ignore[no-untyped-call]  # redis-py is typed in part
        buffer: Any = self._buffer
        self._meter = buffer._sock = _Meter(connection._sock)  # noqa: SLF001  # it offers no other way in

    def read_response(self, *arguments: Any, **options: Any) -> Any:
        """Return one reply."""
        self._meter.begin()
        try:
            return super().read_response(*arguments, **options)
        except (RecursionError, ValueError, OverflowError) as error:
            raise redis.InvalidResponse(f"Protocol Error: {type(error).__name__}") from None
        finally:
            self._meter.begin()  # so that the time until somebody asks again does not count


class _Meter:
    """A socket that ends a reply which is too long or takes too long."""

    def __init__(self, inner: socket.socket) -> None:
        self._inner = inner
        self.begin()

    def begin(self) -> None:
        """Measure from now on."""
        self._bytes = 0
        self._deadline: float | None = None

    def recv(self, size: int) -> bytes:
        """Return what has arrived. Raises InvalidResponse beyond the bounds, and what sockets raise."""
        data = self._inner.recv(size)
        self._bytes += len(data)
        now = time.monotonic()
        self._deadline = self._deadline or now + MOST_SECONDS
        end = _END.get()
        if self._bytes > MOST_BYTES or now > self._deadline or (end is not None and now > end):
            raise redis.InvalidResponse("Protocol Error: a reply without end")
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def shaped(reply: Any, shape: Any) -> Any:
    """Return a reply that has the shape, a type, that its command gives. Raises InvalidResponse."""
    try:
        return msgspec.convert(reply, shape)
    except msgspec.ValidationError as error:
        raise redis.InvalidResponse(f"Protocol Error: {error}") from None


def connect(connection: Any) -> None:
    """Set a new connection up, and check that what answers there understands a command. Raises RedisError."""
    connection.on_connect()
    word = os.urandom(8).hex()
    connection.send_command("PING", word)
    answer = connection.read_response(disable_decoding=True)
    if answer != word.encode():
        raise redis.InvalidResponse("Protocol Error: another answer to PING")
