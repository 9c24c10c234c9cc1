"""The way to a server: connections, scripts, and patience while it is away.

Where no answer came, nobody knows whether it was done. So every script may be sent twice: it recognises what it has
done already. redis-py's own retries are switched off, and ours are the only ones. A server that never answered is not
waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import redis
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool, UnixDomainSocketConnection, parse_url
from redis.retry import Retry

from workbench.domain.errors import SettingsError
from workbench.storage.redis.failures import failure, passes
from workbench.storage.redis.replies import BoundedParser, connect, in_time, shaped

Argument = str | bytes | int


class Pauses:
    """Growing pauses between tries."""

    def __init__(self) -> None:
        self._next = 0.02

    def next(self) -> float:
        """Return how many seconds to wait now."""
        self._next, now = min(self._next * 2, 0.5), self._next
        return now


class _Connecting:
    """Sets connections up, and notes that there are new ones.

    Apart from the link, so that nothing refers in a circle: who drops a link has closed its connections.
    """

    def __init__(self) -> None:
        self.is_new = False
        """A connection was made since this was looked at: perhaps to a server that has been restarted."""

    def __call__(self, connection: redis.Connection) -> None:
        connect(connection)
        self.is_new = True


class RedisLink:
    """One server, as one workspace uses it; safe to use from several threads."""

    def __init__(self, url: str, *, patience: float, run_key: str) -> None:
        """Use a server; nothing is sent yet. Raises SettingsError for a url that cannot be used.

        ``run_key`` holds which of the server's processes this workspace has met last.
        """
        self._connecting = _Connecting()
        options = connection_options(url) | {"redis_connect_func": self._connecting}
        self.address = _address(options)
        self.has_answered = False
        self._patience = patience
        self._run_key = run_key
        self._pool = ConnectionPool(**options)
        self._client = redis.Redis(connection_pool=self._pool)

    def run(
        self, script: str, keys: Sequence[str], args: Sequence[Argument], *, shape: Any = Any, once: bool = False
    ) -> Any:
        """Run one of our scripts and return its answer, of the type ``shape``; ``once``: without patience.

        Raises LogError, also for an answer of another shape.
        """
        return self._answer(lambda: shaped(self._client.register_script(_source(script))(keys, args), shape), once=once)

    def command(self, *words: Argument, shape: Any = Any) -> Any:
        """Return the answer, of the type ``shape``, to a command that may be given twice. Raises LogError."""
        return self._answer(lambda: shaped(self._client.execute_command(*words), shape), once=False)

    def together(self, commands: Sequence[Sequence[Argument]], *, shape: Any = Any) -> list[Any]:
        """Return the answers, of the type ``shape`` each, to commands that are sent together. Raises LogError."""

        def pipelined() -> list[Any]:
            pipeline = self._client.pipeline(transaction=False)
            for words in commands:
                pipeline.execute_command(*words)
            return [shaped(reply, shape) for reply in pipeline.execute()]

        answers: list[Any] = self._answer(pipelined, once=False)
        return answers

    def _answer(self, work: Callable[[], Any], *, once: bool) -> Any:
        deadline = time.monotonic() + (0 if once else self._patience)
        pauses = Pauses()
        while True:
            try:
                with in_time():
                    answer = work()
                    if self._connecting.is_new:
                        self._connecting.is_new = False
                        _tidy_after_restart(self._client, self._run_key)
            except redis.RedisError as error:
                if not self.is_worth_waiting(error) or time.monotonic() >= deadline:
                    raise failure(error, self.address) from error
                time.sleep(pauses.next())
            else:
                self.has_answered = True
                return answer

    def is_worth_waiting(self, error: redis.RedisError) -> bool:
        """Tell whether to try again after an error."""
        return passes(error) and (
            self.has_answered or not isinstance(error, redis.ConnectionError | redis.TimeoutError)
        )

    def own_connection(self) -> redis.Connection:
        """Return a connection that belongs to the caller, who closes it; it is never one of the pool's."""
        connection: redis.Connection = self._pool.connection_class(**self._pool.connection_kwargs)
        return connection

    def close(self) -> None:
        """Close the connections."""
        self._pool.disconnect()


def connection_options(url: str) -> dict[str, Any]:
    """Return how to connect to a server: bounded, and without retries. Raises SettingsError."""
    try:
        options: dict[str, Any] = parse_url(url)
        number = urlsplit(url).path.strip("/")
    except ValueError:
        raise _unusable() from None  # its text may quote the password
    is_socket = options.get("connection_class") is UnixDomainSocketConnection
    if (number and not number.isdecimal() and not is_socket) or (is_socket and not options.get("path")):
        raise _unusable()
    # a server that does not answer counts as away, after longer than any script of ours takes
    return {"socket_timeout": 5.0, "socket_connect_timeout": 3.0} | options | {
        "decode_responses": False,
        "protocol": 2,
        "parser_class": BoundedParser,
        "redis_connect_func": connect,
        "retry": Retry(NoBackoff(), 0),
        "client_name": "workbench",
    }  # fmt: skip


def _unusable() -> SettingsError:
    return SettingsError(
        "The server's address cannot be used.",
        "Write it as redis://user:password@host:port/number, rediss://… for TLS or unix:///path/of/socket.",
    )


def _address(options: dict[str, Any]) -> str:
    place = options.get("path") or f"{options.get('host', 'localhost')}:{options.get('port', 6379)}"
    return f"{place}/{options['db']}" if options.get("db") else str(place)


@cache
def _source(script: str) -> str:
    return files("workbench.storage.redis").joinpath("lua", f"{script}.lua").read_text(encoding="utf-8")


def _tidy_after_restart(client: redis.Redis, key: str) -> None:
    """Ask a server that has been restarted to write its journal again; ``key`` holds which process was asked last.

    server's journal:  … MULTI ─ XADD ─ XAD           power cut in the middle of a transaction
    it starts again:   … MULTI ─ XADD                 the half is not carried out, but it stays in the file
    goes on:           … MULTI ─ XADD ─ MULTI ─ XADD ─ EXEC
    and starts again:            ╰── carried out now, and what was acknowledged after it is refused

    Every server before the correction in Valkey (pull request 4342) does so. A journal that is rewritten between
    the two starts has no half in it.
    """
    with suppress(redis.RedisError):  # away again, writing already, or this user may not ask: nothing that stops us
        server = client.info()
        run = str(server.get("run_id", ""))
        before = client.set(key, run, get=True)
        if before not in (None, run.encode()) and server.get("aof_enabled"):
            client.bgrewriteaof()
