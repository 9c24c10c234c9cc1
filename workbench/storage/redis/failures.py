"""What a server or the way to it may answer instead of doing its work, as errors that a person can act on.

None of them shows a url: there may be a password in it. What else a server says is cleaned before it is shown.
"""

from __future__ import annotations

from typing import NamedTuple

import redis

from workbench.domain.errors import LogBusy, LogDamaged, LogError, LogUnavailable
from workbench.domain.text.cleaning import clean_name

OLDEST = (6, 2)
"""The first version with everything that a log asks of a server; Valkey began after it."""
NEW_ENOUGH = f"Redis {OLDEST[0]}.{OLDEST[1]}, Valkey 7.2, or a newer one"
"""The same, in words."""


class _Failure(NamedTuple):
    words: tuple[str, ...]
    """Any of these, in what is said, tells this failure from others."""
    message: str
    """Follows the server's address."""
    remedy: str
    kind: type[LogError] = LogUnavailable


_FAILURES = (
    _Failure(
        ("WRONGPASS", "NOAUTH", "invalid password", "invalid username", "Authentication", "AUTH called"),
        "does not accept this user and password",
        "Correct user and password in the server's address, or ask who runs the server.",
    ),
    _Failure(
        ("NOPERM", "no permissions"),
        "does not let this user do what a workspace needs",
        "Let the user run scripts, and all commands on keys that begin with workbench:.",
    ),
    _Failure(
        ("DB index", "SELECT is not allowed"),
        "has no database with this number",
        "Correct the number at the end of the server's address, or leave it out.",
    ),
    _Failure(("loading the dataset", "LOADING"), "is still loading its data", "Try again in a moment.", LogBusy),
    _Failure(("BUSY ",), "is busy with another script", "Try again in a moment.", LogBusy),
    _Failure(("already in progress",), "is writing its files already", "Try again in a moment.", LogBusy),
    _Failure(
        ("max number of clients", "Too many connections"),
        "has no connection left for this process",
        "Close other programs that use it, or raise its maxclients.",
        LogBusy,
    ),
    _Failure(
        ("OOM ", "used memory > 'maxmemory'", "'maxmemory'"),
        "has no memory left, so nothing is stored",
        "Raise the server's maxmemory, or empty the trash.",
    ),
    _Failure(
        ("read only replica", "READONLY"),
        "is a replica, which cannot be written to",
        "Give the address of the primary server.",
    ),
    _Failure(("MASTERDOWN",), "is a replica that has lost its primary server", "Try again in a moment.", LogBusy),
    _Failure(
        ("NOREPLICAS",),
        "has too few replicas to take what is written",
        "Ask who runs the server, or lower its min-replicas-to-write.",
    ),
    _Failure(
        ("MISCONF",),
        "cannot save its data to its disk, so nothing is stored",
        "Look for a full disk at the server, and into its log.",
    ),
    _Failure(
        ("WRONGTYPE",),
        "holds something else under the workspace's keys",
        "Give the workspace a database of its own.",
        LogDamaged,
    ),
    _Failure(
        ("unknown command", "Unknown Redis command"), "lacks a command that a workspace needs", f"Use {NEW_ENOUGH}."
    ),
    _Failure(
        ("SSL", "certificate", "TLS"),
        "cannot be talked to over TLS",
        "Compare rediss:// in its address, and the certificates, with how the server is set up.",
    ),
    _Failure(
        ("Protocol Error", "InvalidResponse"),
        "does not answer like a Redis or Valkey server",
        "Correct the host and port in its address.",
    ),
    _Failure(("Timeout",), "does not answer in time", "Look whether the server and the way to it work."),
    _Failure(
        ("Connection refused", "No such file"),
        "cannot be reached: nothing listens there",
        "Start the server, or correct its address.",
    ),
)
_PASSING = ("LOADING", "BUSY ", "MASTERDOWN", "already in progress")
"""What a server says that it will not say for ever."""
_UNREACHABLE = _Failure((), "cannot be reached", "Look whether the server and the way to it work.")


def failure(error: redis.RedisError, address: str) -> LogError:
    """Return what a person is told."""
    said = f"{type(error).__name__} {error}"
    found = next((one for one in _FAILURES if any(words in said for words in one.words)), None)
    if found is None and isinstance(error, redis.ConnectionError):
        found = _UNREACHABLE
    if found is None:
        return LogUnavailable(
            f"The server {address} refused: {clean_name(str(error), 120)}.", "Look into the server's log."
        )
    return found.kind(f"The server {address} {found.message}.", found.remedy)


def passes(error: redis.RedisError) -> bool:
    """Tell whether the same request may succeed in a moment: the server or the way to it is down, or it restarts."""
    if isinstance(error, redis.AuthenticationError | redis.exceptions.AuthorizationError):
        return False
    is_away = isinstance(error, redis.ConnectionError | redis.TimeoutError)
    return is_away or any(words in str(error) for words in _PASSING)
