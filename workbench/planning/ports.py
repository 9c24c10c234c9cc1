"""What the loop is given from outside, so that a test can fix it, and the same session twice is the same bytes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol

from workbench.domain.gates import Answer, Gate
from workbench.domain.session import SessionState
from workbench.models.ports import Part


class Clock(Protocol):
    """Time, for display and for bounds; never for order."""

    def now(self) -> datetime:
        """Return the moment, with a time zone."""
        ...

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        ...


class SystemClock:
    """The clock of this machine, in the person's time zone."""

    def now(self) -> datetime:
        """Return the moment in the local time zone."""
        return datetime.now().astimezone()

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        return monotonic()


def stamp(moment: datetime) -> str:
    """Return a moment as events carry it: UTC, ISO 8601, microseconds, Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


Decide = Callable[[SessionState, Gate], Awaitable[Answer | None]]
"""Asks whoever decides at a gate. None: nobody can be asked now, and the session waits."""

Watch = Callable[[str, Part], None]
"""Is shown each part of a reply as it arrives, with the role's name. Lossy by design: the finished text is an event."""
