"""An event told in a line: how a course is handed to those who write it down, whoever tells it, and how it looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from workbench.domain.log.envelope import Event


class Told(Protocol):
    """An event, told."""

    @property
    def seq(self) -> int:
        """Its place in the log."""

    @property
    def time(self) -> str:
        """UTC, ISO 8601, as the file says it."""

    @property
    def kind(self) -> str:
        """What happened."""

    @property
    def actor(self) -> str:
        """Who did it."""

    @property
    def origin(self) -> str:
        """Whether it was given, or derived from what stands before it."""

    @property
    def text(self) -> str:
        """What it says, in one line."""


Tell = Callable[[Event], Told]

_STYLES = {
    "gate.opened": "yellow",
    "gate.answered": "bold",
    "iteration.completed": "green",
    "session.finished": "bold green",
    "call.failed": "red",
    "call.abandoned": "red",
}


def line_of(told: Told) -> str:
    """Return an event as a line of a course."""
    return f"{told.seq:>5}  {told.time[11:19]}  {told.kind:<20} {told.text}"


def style_of(told: Told) -> str:
    """Return how that line looks in a terminal: what was derived is dim, what matters stands out."""
    return _STYLES.get(told.kind, "dim" if told.origin == "derived" else "")
