"""Two points to compare, as a screen is given them: where they are, and how their sessions are read."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.replay.comparing import Comparison, Place, compare_places
from workbench.tui.pauses import BESIDE
from workbench.tui.session.looking_back import ReadEvents, in_portions


@dataclass(frozen=True, slots=True)
class Side:
    """One of two points."""

    place: Place
    events: ReadEvents
    """Reads its session; one that both sides name is read once."""


def read_comparison(a: Side, b: Side) -> Comparison:
    """Return what differs between two points. It reads both sessions: for a thread.

    Raises UsageError and NotFound for a point that is not there, LogError as reading does.
    """
    of_a = tuple(in_portions(a.events()))
    of_b = of_a if b.events == a.events else tuple(in_portions(b.events()))
    with BESIDE:
        return compare_places(a.place, of_a, b.place, of_b)
