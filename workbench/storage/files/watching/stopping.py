"""Telling whoever follows something to end, and waking them, so that none of them has to look again and again.

Who waits registers its wake-up first, then asks, and only then waits: set between asking and waiting, the stop wakes a
wait that is only about to begin. A stop is called like the plain function that it may stand in for, which is asked
every quarter of a second instead.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ASK_EVERY = 0.25
"""Seconds after which a function that cannot wake anybody is asked again whether to stop."""


class Stop:
    """Whether to stop. Safe to use from several threads."""

    def __init__(self) -> None:
        self._is_set = threading.Event()
        self._wake_ups: dict[object, Callable[[], object]] = {}

    def __call__(self) -> bool:
        """Tell whether it was set."""
        return self._is_set.is_set()

    def set(self) -> None:
        """Tell everybody to stop, for good; who waits is woken."""
        self._is_set.set()
        for wake in tuple(self._wake_ups.values()):
            wake()

    def wait(self, seconds: float) -> bool:
        """Wait until it is set, at most so long; tell whether it was."""
        return self._is_set.wait(seconds)

    @contextmanager
    def waking(self, wake: Callable[[], object]) -> Iterator[None]:
        """Have ``wake`` called when it is set, by whoever sets it: perhaps once more just after this.

        It must last until the wait that it ends: whoever registers it asks the stop, and only then waits.
        """
        # No lock: it could be held by whoever is interrupted to close a follower. Each step on the dict is one.
        place = object()
        self._wake_ups[place] = wake
        try:
            yield
        finally:
            del self._wake_ups[place]
