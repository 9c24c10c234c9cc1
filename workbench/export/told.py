"""An event told in a line: how a course is handed to those who write it down, whoever tells it, and how it looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from workbench.domain.log.envelope import Event, Moment


class Size(NamedTuple):
    """Of a terminal that a cast or a picture is of."""

    columns: int
    rows: int

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


Tell = Callable[[Event], Moment]

_STYLES = {
    "gate.opened": "yellow",
    "gate.answered": "bold",
    "iteration.completed": "green",
    "session.finished": "bold green",
    "call.failed": "red",
    "call.abandoned": "red",
}


def line_of(told: Moment) -> str:
    """Return an event as a line of a course."""
    return f"{told.seq:>5}  {told.time[11:19]}  {told.kind:<20} {told.text}"


def style_of(told: Moment) -> str:
    """Return how that line looks in a terminal: what was derived is dim, what matters stands out."""
    return _STYLES.get(told.kind, "dim" if told.origin == "derived" else "")
