"""Bounds in seconds that mean the same on every machine: what is measured is divided by how slow this machine is.

some work ─▶ seconds of processor time ─┐
                                        ├─▶ seconds on the machine that the bounds were written for
a fixed piece of work beside it ────────┘
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter, thread_time

QUIET = 0.0063
"""Seconds that the fixed piece of work takes on that machine."""

EVEN = 2.8
"""Twice as much may take this many times as long on a machine that others use, too; work by the square takes 4."""


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


def growth(seconds: Callable[[int], float], size: int, *, at_once: float = 0.04, attempts: int = 6) -> float:
    """Return how many times as long twice as much takes: 2 for work that grows with its size, 4 with its square.

    ``seconds`` measures the work of one size. The whole and a quarter are measured one right behind the other, so that
    both meet the same machine, and of several such pairs the best one counts. What takes less than ``at_once`` seconds
    has no growth that could be measured: 1.
    """
    least = inf
    for _ in range(attempts):
        if (whole := seconds(size)) < at_once:
            return 1.0
        least = min(least, (whole / max(seconds(size // 4), 1e-6)) ** 0.5)
        if least <= EVEN:
            break
    return least
