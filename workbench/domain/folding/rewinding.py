"""How a session remembers where it stood before each decision, and stands there again.

decision ─▶ a point ─▶ way.behind        rewound ─▶ the point's state for what its course led to, the rest as it is
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.folding.folds import Folds
from workbench.domain.growing import Growing
from workbench.domain.session_state import Point, SessionState
from workbench.domain.way import Way


def _rewound(state: SessionState, event: Event, body: say.SessionRewound) -> dict[str, Any]:
    """Stand where the session stood at a point. What is decided there is asked anew, under a gate id of its own.

    What was spent stays spent, and what concerns the session as a whole (its name, marks, verdicts) stays as it is.
    """
    way = state.way.rewound(body.to, state.seq)
    target = next((point for point in state.points if point.seq == body.to), None)
    if way is None or (target is None and body.to != state.seq):  # unknown, in a file from somebody else
        return {}
    points = state.points
    if not state.way.here:
        points = points.appended(Point(seq=state.seq, state=_without_points(state)))
    back: dict[str, Any] = {name: getattr(target.state if target else state, name) for name in _LEFT_BEHIND}
    if way.ahead and back["gate"] is not None:
        back |= {"gate": replace(back["gate"], id=f"g{state.gates + 1}"), "gate_event": event.id}
        back |= {"gates": state.gates + 1}
    return back | {"points": points, "way": way}


_LEFT_BEHIND = (
    *("gate", "gate_event", "pending", "received", "rejected", "failure", "stopped", "finished"),
    *("ending", "ending_reason", "proposal", "approaches", "approaches_stale", "asked", "questions", "answers"),
    *("chosen", "approach", "proposal_stored", "constraints", "assumptions", "feedback", "handled", "edit"),
    *("versions", "saved_version", "findings", "current", "checkpoint", "iterations", "iteration_ends", "limit"),
    *("last_iteration_tokens", "history", "entities", "asking", "searched_for", "searched_as", "retrieved"),
    *("workers", "condensed", "not_condensed", "asks_again"),
)
"""What is again as it was, when a session is rewound: everything that its course led to."""


def with_point(state: SessionState) -> dict[str, Any]:
    """Return how a session remembers where it stands, before a decision moves it on: with nothing under way."""
    way = state.way.decided(state.seq)
    if state.way.here:  # it has that point already
        return {"way": way}
    at_rest = _without_points(state, pending=None, received=None, rejected="", asking=())
    return {"way": way, "points": state.points.appended(Point(seq=state.seq, state=at_rest))}


def without_approvals(state: SessionState) -> dict[str, Any]:
    """Ask anew before anything is spent, wherever the session is rewound to."""
    points = (replace(point, state=replace(point.state, asks_again=True)) for point in state.points)
    return {"asks_again": True, "points": Growing(points)}


def _without_points(state: SessionState, **changes: Any) -> SessionState:
    return replace(state, points=_NO_POINTS, way=_NO_WAY, **changes)


_NO_POINTS: Growing[Point] = Growing()
_NO_WAY = Way()


FOLDS: Folds = {
    say.SessionRewound: _rewound,
}
