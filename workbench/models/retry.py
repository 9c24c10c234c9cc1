"""Asking again, in one place: when, how often, how long after, and never once text has arrived.

What fails after its first part is cut off, and what arrived stays with the caller. What is no Transient is not tried
again. The wait doubles from attempt to attempt with jitter (the upper half of the range at random, so that sessions
which were refused together do not come back together; Brooker, "Exponential Backoff and Jitter", 2015). What a server
asks for with Retry-After is respected up to a limit. The whole answer, retries included, has one time limit.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from workbench.domain.errors import ModelTooSlow, ModelUnreachable
from workbench.models.answers import ended
from workbench.models.ports import Part, Retried

Attempt = Callable[[], AsyncIterator[Part]]
"""Starts one attempt at an answer."""


class Transient(Exception):
    """An attempt failed in a way that may pass by itself."""

    def __init__(self, reason: str, *, remedy: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        """A clause: "the server answered 503"."""
        self.remedy = remedy
        """What a person can do when it does not pass: one sentence."""
        self.retry_after = retry_after
        """Seconds the server asked to wait; None where it did not say."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often and how long to wait. Times in seconds."""

    attempts: int = 5
    first: float = 1.0
    """The longest wait before the second attempt; doubled each time."""
    longest: float = 30.0
    longest_asked: float = 60.0
    """The most that is waited because a server asked for it."""
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random
    """Uniform in [0, 1)."""

    def wait(self, failed: int, asked: float | None) -> float:
        """Return the wait after so many failed attempts (1 or more), of which the server asked for ``asked``."""
        if asked is not None:
            return min(asked, self.longest_asked)
        ceiling = min(self.first * 2.0 ** (failed - 1), self.longest)
        return ceiling * (1 + self.random()) / 2


async def retrying(attempt: Attempt, backoff: Backoff, *, within: float) -> AsyncIterator[Part]:
    """Yield the parts of the first attempt that gets through, with a Retried for each one that did not.

    ``within`` is the time limit in seconds, for everything. Raises ModelTooSlow at its end, ModelUnreachable when an
    answer was cut off or the attempts are used up, and whatever else an attempt raises.
    """
    deadline = backoff.clock() + within
    for number in range(1, backoff.attempts + 1):
        failure: Transient | None = None
        arrived = False
        async with ended(attempt()) as parts:
            while True:
                try:
                    part = await _next_before(parts, deadline - backoff.clock(), within)
                except StopAsyncIteration:
                    return
                except Transient as error:
                    failure = error
                    break
                arrived = True
                yield part
        if arrived:
            raise ModelUnreachable(f"The reply was cut off: {failure.reason}.", "Ask again; what arrived is kept.")
        wait = backoff.wait(number, failure.retry_after)
        if number == backoff.attempts or backoff.clock() + wait >= deadline:
            raise _given_up(failure, number)
        yield Retried(reason=failure.reason, wait=wait)
        await backoff.sleep(wait)


async def _next_before(parts: AsyncIterator[Part], remaining: float, within: float) -> Part:
    with suppress(TimeoutError):
        async with asyncio.timeout(remaining):
            return await anext(parts)
    raise ModelTooSlow(
        f"The model did not finish its answer within {within:g} seconds.",
        "Ask again, allow more time, or choose a faster model.",
    )


def _given_up(failure: Transient, attempts: int) -> ModelUnreachable:
    times = "once" if attempts == 1 else f"{attempts} times"
    return ModelUnreachable(f"The model could not be reached (tried {times}): {failure.reason}.", failure.remedy)
