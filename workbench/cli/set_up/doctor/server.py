"""The server that logs are kept on: reachable, new enough, and set up so that nothing acknowledged is lost."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

import redis

from workbench.cli.set_up.doctor.findings import Finding
from workbench.storage.log_address import LogAddress
from workbench.storage.redis.failures import NEW_ENOUGH, OLDEST, failure
from workbench.storage.redis.link import connection_options

_PINGS = 50
_NEARLY_FULL = 0.9
"""Part of the memory that may be used before it is worth a warning."""
_PROBE = "workbench:{doctor}:probe"


def server(address: LogAddress) -> Iterator[Finding]:
    """Ask a server how it is set up."""
    options = connection_options(address.url) | {"decode_responses": True}
    client = redis.Redis(connection_pool=redis.ConnectionPool(**options))
    try:
        yield from answers(client, address.shown)
    except redis.RedisError as error:
        problem = failure(error, address.shown)
        yield Finding("server", "problem", problem.message, problem.remedy)
    finally:
        client.close()


def answers(client: Any, address: str) -> Iterator[Finding]:
    """Look at what a server says of itself; ``client`` is redis-py's, whose answers are text."""
    info: dict[str, Any] = client.info()
    yield _version(info)
    yield _latency(client)
    yield from _persistence(client, info)
    yield _memory(info)
    yield _storing(client, info, address)


def _version(info: dict[str, Any]) -> Finding:
    kind = "Valkey" if "valkey_version" in info else "Redis"
    number = str(info.get("valkey_version") or info.get("redis_version", ""))
    parts = tuple(int(part) for part in number.split(".")[:2] if part.isdigit())
    if parts and parts < OLDEST:
        return Finding("server", "problem", f"{kind} {number} is too old", f"Use {NEW_ENOUGH}.")
    return Finding("server", "ok", f"{kind} {number}")


def _memory(info: dict[str, Any]) -> Finding:
    policy = str(info.get("maxmemory_policy", "unknown"))
    used, most = int(info.get("used_memory", 0)), int(info.get("maxmemory", 0))
    amount = f"{used / 1e6:,.0f} of {most / 1e6:,.0f} MB are used"
    if policy != "noeviction":
        return Finding(
            "memory",
            "problem",
            f"{policy}: logs may be thrown away when it is full",
            "Set `maxmemory-policy noeviction` on the server.",
        )
    if most and used >= most:
        return Finding("memory", "problem", f"full: {amount}", "Raise the server's maxmemory, or empty the trash.")
    if most and used >= _NEARLY_FULL * most:
        return Finding("memory", "warning", f"nearly full: {amount}", "Raise the server's maxmemory soon.")
    return Finding("memory", "ok", "noeviction: nothing is thrown away when it is full")


def _storing(client: Any, info: dict[str, Any], address: str) -> Finding:
    """Store a key and delete it in one step, by a script as the workspace does; nothing of it stays."""
    if info.get("role") == "slave":
        primary = f"{info.get('master_host')}:{info.get('master_port')}"
        what = "read-only replica" if info.get("slave_read_only", 1) else "replica, which loses what is stored on it"
        return Finding(
            "storing", "problem", f"a {what}; its primary server is {primary}", "Give the primary's address."
        )
    try:
        client.eval("redis.call('SET', KEYS[1], '') return redis.call('DEL', KEYS[1])", 1, _PROBE)
    except redis.ResponseError as error:
        problem = failure(error, address)
        return Finding("storing", "problem", problem.message, problem.remedy)
    return Finding("storing", "ok", "a key was stored and deleted again")


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
