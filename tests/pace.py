"""Bounds in seconds that mean the same on every machine: what is measured is divided by how slow this machine is.

some work ─▶ seconds of processor time ─┐
                                        ├─▶ seconds on the machine that the bounds were written for
a fixed piece of work beside it ────────┘
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, thread_time

QUIET = 0.0063
"""Seconds that the fixed piece of work takes on that machine."""


def _fixed_work() -> None:
    counts: dict[str, int] = {}
    for number in range(30_000):
        word = f"report {number % 700}"
        counts[word] = counts.get(word, 0) + len(word.split())
    sorted(counts.items())


def slowness(clock: Callable[[], float] = perf_counter) -> float:
    """Return how many times as long as there everything takes here and now, by this clock; never less than once."""
    begun = clock()
    for _ in range(5):
        _fixed_work()
    return max((clock() - begun) / 5 / QUIET, 1.0)


def took(work: Callable[[], object], *, within: float, attempts: int = 3) -> float:
    """Return the seconds of processor time that some work takes, at best, as on that machine.

    ``within`` is the bound that the caller holds it to: only what takes longer is compared with the fixed work, and
    tried again.
    """
    spent = _took(work, within)
    while spent >= within and attempts > 1:
        attempts -= 1
        spent = min(spent, _took(work, within))
    return spent


def _took(work: Callable[[], object], within: float) -> float:
    begun = thread_time()
    work()
    spent = thread_time() - begun
    return spent if spent < within else spent / slowness(thread_time)
