"""Whatever listens where a Redis server should: it is told in a sentence, in time, and without filling memory."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from tests.pace import slowness
from workbench.domain.errors import LogDamaged, LogError, LogUnavailable, NotFound
from workbench.storage.redis import replies as redis_replies
from workbench.storage.redis.store import RedisStore

Answer = Callable[[bytes], Iterator[bytes]]
"""What a server sends for what it was sent."""


def _word(sent: bytes) -> bytes:
    """The word of a PING, as a bulk string."""
    return b"$16\r\n" + sent.rpartition(b"$16\r\n")[2]


def always(*pieces: bytes) -> Answer:
    """The same for everything."""

    def answer(_sent: bytes) -> Iterator[bytes]:
        yield from pieces

    return answer


def for_ever(piece: bytes, *, pause: float = 0) -> Answer:
    """The same piece again and again, from the first command on."""

    def answer(_sent: bytes) -> Iterator[bytes]:
        while True:
            yield piece
            time.sleep(pause)

    return answer


def after_the_handshake(then: Answer) -> Answer:
    """Like a server until it is asked for something."""

    def answer(sent: bytes) -> Iterator[bytes]:
        if b"PING" in sent:
            yield _word(sent)
        elif b"CLIENT" in sent or b"SELECT" in sent:
            yield b"+OK\r\n" * (sent.count(b"CLIENT") + sent.count(b"SELECT"))
        else:
            yield from then(sent)

    return answer


@contextmanager
def listening(answer: Answer) -> Iterator[str]:
    """A server on the loopback; gives its address."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            while sent := connection.recv(65_536):
                for piece in answer(sent):
                    connection.sendall(piece)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


HOSTILE = {
    "OK to everything": always(b"+OK\r\n"),
    "OK for ever": for_ever(b"+OK\r\n" * 1_000),
    "nested for ever": for_ever(b"*1\r\n" * 1_000),
    "nested deep": always(b"*1\r\n" * 100_000 + b"+OK\r\n"),
    "a huge bulk": for_ever(b"$99999999999\r\n" + b"x" * 65_536),
    "a bulk of a huge length": always(b"$" + b"9" * 5_000 + b"\r\n"),
    "a huge list": for_ever(b"*99999999999\r\n" + b":1\r\n" * 1_000),
    "a line for ever": for_ever(b"+" + b"x" * 65_536),
    "a page": always(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "a negative length": always(b"$-7\r\n"),
    "no number": always(b":seven\r\n"),
    "no UTF-8": always(b"-\xff\xfe\r\n"),
    "an error that acts": always(b"-ERR \x1b]0;owned\x07\xe2\x80\xae\r\n"),
    "a slow drip": for_ever(b"*9\r\n", pause=0.05),
}


@pytest.fixture
def bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that a test reaches soon."""
    monkeypatch.setattr(redis_replies, "MOST_BYTES", 4_000_000)
    monkeypatch.setattr(redis_replies, "MOST_SECONDS", 1.0)


@pytest.mark.cases(2)
@pytest.mark.usefixtures("bounds")
@pytest.mark.parametrize("is_polite", [False, True], ids=["from the start", "after the handshake"])
@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_server_is_told_in_a_sentence(answer: Answer, *, is_polite: bool) -> None:
    begun = time.monotonic()
    with listening(after_the_handshake(answer) if is_polite else answer) as url:
        store = RedisStore(url, "w-1", patience=1.0)
        for use in (
            lambda: list(store.log().streams()),
            lambda: list(store.log().read("s")),
            lambda: store.trash().entries(),
            lambda: store.lives().sign("s"),
        ):
            with pytest.raises(LogError) as refused:
                use()
            assert isinstance(refused.value, LogUnavailable | LogDamaged | NotFound)
            assert refused.value.remedy
            assert refused.value.message.isprintable()
        store.close()
    assert time.monotonic() - begun < 30


def each_slowly(seconds: float) -> Answer:
    """Answer each command as a server does, a byte after the other: no reply takes long, all together do."""

    def answer(sent: bytes) -> Iterator[bytes]:
        for word in sent.split(b"*")[1:]:
            echoed = re.findall(rb"[0-9a-f]{16}", word) if b"PING" in word else []
            reply = (
                b"$16\r\n%s\r\n" % echoed[0] if echoed else b"-NOSCRIPT no\r\n" if b"EVALSHA" in word else b"+OK\r\n"
            )
            for at in range(len(reply)):
                threading.Event().wait(seconds / len(reply))
                yield reply[at : at + 1]

    return answer


@pytest.mark.parametrize("answer", [each_slowly(0.8), for_ever(b"*9\r\n", pause=0.05)], ids=["each slowly", "drip"])
def test_no_server_holds_a_command(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_replies, "MOST_SECONDS", 1.0)
    with listening(answer) as url:
        store = RedisStore(url, "w-1", patience=1.0)
        for _ in range(2):
            begun = time.monotonic()
            with pytest.raises(LogError):
                list(store.log().streams())
            assert time.monotonic() - begun < 2.5 * slowness()
        store.close()


def test_the_bounds_hold_a_command_for_less_than_ten_seconds() -> None:
    assert redis_replies.MOST_SECONDS < 9


def test_a_reply_without_end_does_not_fill_memory() -> None:
    """With the bounds as they are, in a process of its own, whose memory can be measured."""
    with listening(HOSTILE["a huge bulk"]) as url:
        script = (
            "import sys, tracemalloc; from workbench.storage.redis.store import RedisStore; tracemalloc.start()\n"
            "try: print(list(RedisStore(sys.argv[1], 'w-1', patience=1).log().streams()))\n"
            "except Exception as error: print(type(error).__name__, error)\n"
            "print(tracemalloc.get_traced_memory()[1])"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, url], capture_output=True, text=True, timeout=60, check=True
        )
    said, most = done.stdout.splitlines()
    assert said.startswith("LogUnavailable The server 127.0.0.1:")
    assert "does not answer like a Redis or Valkey server" in said
    assert int(most) < 1_000_000_000
