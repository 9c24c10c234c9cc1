"""Keeps the pauses of the interpreter short while the application runs.

Threads read logs and lay out text beside the event loop. Three things of the interpreter would still hold up a key:

- a thread keeps the interpreter for 5 ms at a time, and each busy thread does so in turn: 1 ms is enough
- with several busy threads the loop gets its turn too rarely: one at a time works beside it (``BESIDE``)
- a garbage collection looks at every object of its generation: the middle one is kept small (400,000 objects took
  0.15 s), the old one is collected seldom, and what was just made to stay is taken out of its sight (``gc.freeze``)
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

BESIDE = threading.Lock()
"""Held by the one thread that computes beside the event loop: reading a session, laying it out, listing sessions."""

_THRESHOLDS = (5_000, 5, 200)
"""New objects until the youngest generation is looked at, and how often before the next older one is."""


async def beside(compute: Callable[..., T], *given: object) -> T:
    """Return what is computed in a thread, while nothing else is computed beside the event loop. Raises as it does."""

    def computed() -> T:
        with BESIDE:
            return compute(*given)

    return await asyncio.to_thread(computed)


def hold_collection() -> None:
    """Collect no garbage until the pauses are short: what is made on the way to the first paint stays."""
    gc.disable()


class ShortPauses:
    """Changes the interpreter's pauses for a while, and puts them back."""

    def __init__(self) -> None:
        self._before: tuple[float, tuple[int, int, int]] | None = None

    def begin(self) -> None:
        """Shorten the pauses; what exists by now stays as long as the application."""
        if self._before is None:
            self._before = (sys.getswitchinterval(), gc.get_threshold())
            sys.setswitchinterval(0.001)  # seconds
            gc.set_threshold(*_THRESHOLDS)
            gc.freeze()
            gc.enable()

    def end(self) -> None:
        """Put everything back as it was."""
        if self._before is not None:
            interval, thresholds = self._before
            self._before = None
            sys.setswitchinterval(interval)
            gc.set_threshold(*thresholds)
            gc.unfreeze()


def settle() -> None:
    """Take what was just made, and stays, out of sight of the garbage collection."""
    gc.freeze()
