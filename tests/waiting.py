"""Waiting for what another thread or process does: for a condition, never for a time."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

T = TypeVar("T")


def eventually(happens: Callable[[], T], *, within: float = 60.0) -> T:
    """Look until something has happened, and return what it came to; too late is a failure."""
    until = monotonic() + within
    while not (answer := happens()):
        assert monotonic() < until, f"it did not happen within {within} s"
        sleep(0.002)
    return answer
