"""How a session remembers if it was before each decision, and is there again.

decision ─▶ a point ─▶ way.behind        rewound ─▶ the point's progress; the rest of the state stays
"""

from __future__ import annotations

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.log.growing import Growing
from workbench.domain.session import events as say
from workbench.domain.session.copies import Recent
from workbench.domain.session.folding.folds import Folds
from workbench.domain.session.state import Point, SessionState, Way

folds: Folds[SessionState] = Folds()


@folds.of(say.SessionRewound)
def _rewound(state: SessionState, event: Event, body: say.SessionRewound) -> SessionState:
    """Return to where the session was at a point. What is decided there is asked again, under a new gate id.

    What was spent stays spent, and what concerns the session as a whole (its name, marks, verdicts) stays as it is.
    """
    way = state.way.rewound(body.to, state.seq)
    target = next((point for point in state.points if point.seq == body.to), None)
    if way is None or (target is None and body.to != state.seq):  # unknown, in a file from somebody else
        return state
    stood = state.with_progress(target.state) if target else state
    if not state.way.here:
        stood = replace(stood, points=state.points.appended(Point(seq=state.seq, state=_without_points(state))))
    if way.ahead and stood.gate is not None:
        gates = state.gates + 1
        stood = replace(stood, gate=replace(stood.gate, id=f"g{gates}"), gate_event=event.id, gates=gates)
    return replace(stood, way=way)


def with_point(state: SessionState) -> tuple[Way, Growing[Point]]:
    """Return the way and the points of a session that decides: it remembers where it stands, with nothing under way."""
    way = state.way.decided(state.seq)
    if state.way.here:  # it has that point already
        return way, state.points
    at_rest = replace(_without_points(state), pending=None, received=None, rejected="", refused="", asking=())
    return way, state.points.appended(Point(seq=state.seq, state=at_rest))


def without_approvals(state: SessionState) -> SessionState:
    """Ask again before anything is spent, wherever the session is rewound to."""
    points = (replace(point, state=replace(point.state, asks_again=True)) for point in state.points)
    nothing = say.ToolsOffered()
    off = say.ResearchSwitched(on=False)
    return replace(state, asks_again=True, points=Growing(points), tools=nothing, tools_allowed=(), research=off)


def _without_points(state: SessionState) -> SessionState:
    return replace(state, points=_NO_POINTS, way=_NO_WAY, recent=_NOTHING)


_NO_POINTS: Growing[Point] = Growing()
_NO_WAY = Way()
_NOTHING = Recent()
