"""The server that logs are kept on: reachable, new enough, and set up so that nothing acknowledged is lost."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from workbench.cli.doctor.findings import Finding
from workbench.storage.log_address import LogAddress
from workbench.storage.redis_failures import NEW_ENOUGH, OLDEST

_PINGS = 50
_PATIENCE = 5.0
"""Seconds to wait for a connection and for each answer."""


def server(address: LogAddress) -> Iterator[Finding]:
    """Ask a server how it is set up."""
    client = redis.Redis.from_url(
        address.url,
        socket_connect_timeout=_PATIENCE,
        socket_timeout=_PATIENCE,
        decode_responses=True,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        yield from answers(client)
    except redis.AuthenticationError:
        yield Finding("server", "problem", "it does not accept the user or password", "Mend the address.")
    except (redis.RedisError, OSError) as error:
        yield Finding("server", "problem", f"not reachable: {error}", "Start the server, or mend the address.")
    finally:
        client.close()


def answers(client: Any) -> Iterator[Finding]:
    """Look at what a server says of itself; ``client`` is redis-py's, whose answers are text."""
    info: dict[str, Any] = client.info()
    yield _version(info)
    yield _latency(client)
    yield from _persistence(client, info)
    policy = str(info.get("maxmemory_policy", "unknown"))
    if policy == "noeviction":
        yield Finding("memory", "ok", "noeviction: nothing is thrown away when it is full")
    else:
        yield Finding(
            "memory",
            "problem",
            f"{policy}: logs may be thrown away when it is full",
            "Set `maxmemory-policy noeviction` on the server.",
        )


def _version(info: dict[str, Any]) -> Finding:
    kind = "Valkey" if "valkey_version" in info else "Redis"
    number = str(info.get("valkey_version") or info.get("redis_version", ""))
    parts = tuple(int(part) for part in number.split(".")[:2] if part.isdigit())
    if parts and parts < OLDEST:
        return Finding("server", "problem", f"{kind} {number} is too old", f"Use {NEW_ENOUGH}.")
    return Finding("server", "ok", f"{kind} {number}")


def _latency(client: Any) -> Finding:
    taken = []
    for _ in range(_PINGS):
        begun = perf_counter()
        client.ping()
        taken.append(perf_counter() - begun)
    milliseconds = median(taken) * 1000
    if milliseconds > 50:
        return Finding("latency", "warning", f"{milliseconds:.0f} ms", "Every step waits for it: use a nearer server.")
    return Finding("latency", "ok", f"{milliseconds:.2f} ms (median of {_PINGS})")


def _persistence(client: Any, info: dict[str, Any]) -> Iterator[Finding]:
    if not info.get("aof_enabled"):
        yield Finding(
            "persistence",
            "problem",
            "no append-only file: what was acknowledged is lost when the server stops",
            "Set `appendonly yes` and `appendfsync everysec` (or `always`) on the server.",
        )
        return
    try:
        sync = client.config_get("appendfsync").get("appendfsync", "")
    except redis.ResponseError:  # not permitted, as with most hosted servers
        yield Finding("persistence", "warning", "appendonly; appendfsync is not told", "Ask who runs the server.")
        return
    match sync:
        case "always":
            yield Finding("persistence", "ok", "appendonly, appendfsync always: survives a power cut")
        case "everysec":
            yield Finding("persistence", "ok", "appendonly, appendfsync everysec: a power cut may take a second")
        case _:
            yield Finding(
                "persistence", "warning", f"appendonly, appendfsync {sync}", "Set `appendfsync everysec` or `always`."
            )
