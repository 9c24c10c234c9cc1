"""A session in a line, kept up event by event without its whole state: what lists show.

Equal, field by field, to what the fold of the whole session says (tests/properties holds the two together).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.gates import BOUND_REASONS
from workbench.domain.growing import Growing
from workbench.domain.session import Status, created_twice, moves_on
from workbench.domain.way import Way


class Stand(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session stood before a decision, as far as a list tells."""

    seq: int
    iterations: int
    gate: str
    asks_for_bound: bool
    attempt: int
    call: str
    failed: bool
    stopped: bool
    finished: bool


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a list says of a session."""

    session: str
    goal: str
    name: str
    iterations: int = 0
    events: int
    updated: str
    """UTC, ISO 8601."""
    gate: str = ""
    """Id of the open gate; "" when none is open."""
    asks_for_bound: bool = False
    """True while the open gate asks about a bound."""
    call: str = ""
    """Id of the call that is pending; "" when none is."""
    attempt: int = 1
    """Attempt of the last call."""
    failed: bool = False
    stopped: bool = False
    finished: bool = False
    gates: int = 0
    """Gates opened."""
    stands: Growing[Stand] = Growing()
    """Where it can be rewound to, and back."""
    way: Way = Way()

    @property
    def status(self) -> Status:
        """Where the session stands."""
        if self.finished:
            return "finished"
        if self.failed:
            return "failed"
        if self.stopped:
            return "stopped"
        return "waiting" if self.gate else "running"


def summarise(summary: Summary | None, events: Iterable[Event]) -> Summary | None:
    """Return the summary after ``events``; None when there is none yet. Raises LogDamaged as the fold does."""
    for event in events:
        told = _FOLDS.get(event.kind)
        body = say.content(event) if told or event.kind == "session.created" else None
        if isinstance(body, say.SessionCreated):
            if summary is not None:
                raise created_twice(event)
            summary = Summary(
                session=event.session, goal=body.goal, name=body.name, events=event.seq, updated=event.time
            )
        elif summary is not None:
            changes = told(summary, body) if told and not isinstance(body, say.Unknown) else {}
            if summary.way.here and moves_on(event.kind):
                changes = {"way": summary.way.left()} | changes
            summary = replace(summary, events=event.seq, updated=event.time, **changes)
    return summary


_CLOSED = {"gate": "", "asks_for_bound": False}


def _opened(summary: Summary, body: say.GateOpened) -> dict[str, Any]:
    return {"gate": body.gate.id, "asks_for_bound": body.gate.reason in BOUND_REASONS, "gates": summary.gates + 1}


def _answered(summary: Summary, body: say.GateAnswered) -> dict[str, Any]:
    if body.gate != summary.gate:
        return {}
    return _decided(summary) | _CLOSED | ({"stopped": True} if body.answer.kind == "stop" else {})


def _stand(summary: Summary) -> Stand:
    told = {name: getattr(summary, name) for name in Stand.__struct_fields__ if name != "seq"}
    return Stand(seq=summary.events, **told)


def _decided(summary: Summary) -> dict[str, Any]:
    way = {"way": summary.way.decided(summary.events)}
    return way if summary.way.here else way | {"stands": summary.stands.appended(replace(_stand(summary), call=""))}


def _rewound(summary: Summary, body: say.SessionRewound) -> dict[str, Any]:
    way = summary.way.rewound(body.to, summary.events)
    known = next((one for one in summary.stands if one.seq == body.to), None)
    if way is None or (known is None and body.to != summary.events):
        return {}
    stand = known or _stand(summary)
    stands = summary.stands if summary.way.here else summary.stands.appended(_stand(summary))
    back = {name: getattr(stand, name) for name in Stand.__struct_fields__ if name != "seq"}
    if way.ahead and stand.gate:
        back |= {"gate": f"g{summary.gates + 1}", "gates": summary.gates + 1}
    return back | {"stands": stands, "way": way}


def _forked(summary: Summary, body: say.SessionForked) -> dict[str, Any]:
    ended = {"failed": False, "stopped": False, "finished": False, "call": ""}
    return ended | {"name": body.name, "way": summary.way.left()}


def _bounds(summary: Summary, _body: say.BoundsChanged) -> dict[str, Any]:
    return _CLOSED if summary.asks_for_bound else {}


def _called_back(summary: Summary, body: say.CallFinished | say.CallFailed | say.CallAbandoned) -> dict[str, Any]:
    if body.call != summary.call:
        return {}
    return {"call": ""} | ({"failed": True} if isinstance(body, say.CallFailed) else {})


def _taken_up(_summary: Summary, _body: object) -> dict[str, Any]:
    return {"failed": False, "stopped": False}


def _counted(summary: Summary, _body: object) -> dict[str, Any]:
    return {"iterations": summary.iterations + 1}


_FOLDS: dict[str, Callable[[Summary, Any], dict[str, Any]]] = {
    "session.resumed": _taken_up,
    "session.renamed": lambda _summary, body: {"name": body.name},
    "session.reopened": lambda summary, body: _decided(summary) | {"finished": False} | _taken_up(summary, body),
    "session.stopped": lambda _summary, _body: {"stopped": True},
    "session.finished": lambda _summary, _body: {"finished": True},
    "session.forked": _forked,
    "session.rewound": _rewound,
    "bounds.changed": _bounds,
    "gate.opened": _opened,
    "gate.answered": _answered,
    "call.started": lambda _summary, body: {"call": body.call, "attempt": body.attempt},
    "call.finished": _called_back,
    "call.failed": _called_back,
    "call.abandoned": _called_back,
    "reply.rejected": lambda summary, _body: {"failed": True} if summary.attempt > 1 else {},
    "iteration.completed": _counted,
    "iteration.stored": _counted,
}
