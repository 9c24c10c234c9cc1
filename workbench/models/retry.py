"""Asking again, in one place: when, how often, how long after, and never once text has arrived.

What fails after its first text is cut off, and what arrived stays with the caller. What is neither Transient nor
Adapted is not tried again. The wait doubles from attempt to attempt with jitter (the upper half of the range at random,
so that sessions which were refused together do not come back together; Brooker, "Exponential Backoff and Jitter",
2015). What a server asks for with Retry-After is respected; a wait beyond a minute is not begun, but told.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from msgspec import Struct

from workbench.domain.errors import ModelBusy, ModelUnreachable
from workbench.models.answers import ended
from workbench.models.ports import Part, Retried, TextDelta

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
        """Seconds the server asked to wait; None if it did not say."""


class Adapted(Exception):
    """A request was refused, and there is another form of it: it goes out again at once, as often as that happens."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        """A clause: "the server takes no `temperature`; asked without"."""


class CutOff(ModelUnreachable):
    """The answer ended before its end; what arrived stays with the caller."""


_MOST_ADAPTED = 12
"""How often a request can take another form; each form is tried once, so that this is never reached."""


class Backoff(Struct, frozen=True):
    """How often and how long to wait. Times in seconds."""

    attempts: int = 5
    first: float = 1.0
    """The longest wait before the second attempt; doubled each time."""
    longest: float = 30.0
    longest_asked: float = 60.0
    """The most that is waited because a server asked for it, without asking the person."""
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random
    """Uniform in [0, 1)."""

    def wait(self, failed: int, asked: float | None) -> float:
        """Return the wait after so many failed attempts (1 or more), of which the server asked for ``asked``."""
        if asked is not None and math.isfinite(asked):  # a server may ask for anything
            return max(asked, 0.0)
        ceiling = min(self.first * 2.0 ** (failed - 1), self.longest)
        return ceiling * (1 + self.random()) / 2


async def retrying(attempt: Attempt, backoff: Backoff, *, within: float | None) -> AsyncIterator[Part]:
    """Yield the parts of the first attempt that gets through, with a Retried for each one that did not.

    ``within``: seconds, for everything, beyond which no wait is begun; None for no limit. Raises CutOff when an answer
    was cut off, ModelBusy when the server asks for a wait beyond a minute, ModelUnreachable when the attempts are used
    up, and whatever else an attempt raises.
    """
    deadline = None if within is None else backoff.clock() + within
    number = adapted = 0
    while True:
        failure: Transient | Adapted | None = None
        has_text = False
        async with ended(attempt()) as parts:
            try:
                async for part in parts:
                    has_text = has_text or isinstance(part, TextDelta)
                    yield part
            except (Transient, Adapted) as error:
                failure = error
        if failure is None:
            return
        if isinstance(failure, Adapted) and adapted < _MOST_ADAPTED:
            adapted += 1
            yield Retried(reason=failure.reason, wait=0.0)
            continue
        fault = failure if isinstance(failure, Transient) else Transient(failure.reason, remedy="Try another model.")
        if has_text:
            raise CutOff(f"The reply was cut off: {fault.reason}.", "What arrived is kept. Resume to ask again.")
        number += 1
        wait = backoff.wait(number, fault.retry_after)
        if wait > backoff.longest_asked:
            raise ModelBusy(
                f"{_capital(fault.reason)}, and asks to wait {_duration(wait)}.",
                "Resume when that is over, or use another model.",
            )
        if number == backoff.attempts or (deadline is not None and backoff.clock() + wait >= deadline):
            raise _given_up(fault, number)
        yield Retried(reason=fault.reason, wait=wait)
        await backoff.sleep(wait)


def _given_up(failure: Transient, attempts: int) -> ModelUnreachable:
    times = "once" if attempts == 1 else f"{attempts} times"
    return ModelUnreachable(f"The model could not be reached (tried {times}): {failure.reason}.", failure.remedy)


def _capital(clause: str) -> str:
    return clause[:1].upper() + clause[1:]


def _duration(seconds: float) -> str:
    """Return a time to wait in words: "2 minutes", "1 hour"."""
    for size, unit in ((3600, "hour"), (60, "minute")):
        count = round(seconds / size)
        if count >= 1:
            return f"{count:,} {unit}{'' if count == 1 else 's'}"
    return f"{seconds:.0f} seconds"
