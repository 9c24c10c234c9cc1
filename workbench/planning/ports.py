"""What the loop is given from outside, so that a test can fix it, and the same session twice is the same bytes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.models.ports import Part

if TYPE_CHECKING:  # a screen that only watches decides no step
    from workbench.domain.loop.steps import Step


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


class Decision(NamedTuple):
    """An answer at a gate, and whose it is."""

    answer: Answer
    by: str
    """person, or policy if a person named a policy beforehand."""


Decide = Callable[[SessionState, Gate], Awaitable[Decision | None]]
"""Asks whoever decides at a gate. None: nobody can be asked now, and the session waits."""


Ahead = Callable[[], AbstractContextManager[str]]
"""Gives, once, what a person wrote while roles worked; "" for nothing. Left with an error, it waits again."""


class Asked(NamedTuple):
    """A model is asked now; the parts of its reply follow."""

    task: str
    """propose, plan, verify, execute or generate."""


class Begun(NamedTuple):
    """Work begins that asks no model."""

    task: Literal["research", "tool"]


Watch = Callable[[str, Part | Asked | Begun], None]
"""Receives who begins to work, and each part of a reply as it arrives. Lossy: the finished text is an event."""

OnStep = Callable[["Step", SessionState], None]
"""Is told each step that was performed, with the state it led to."""
