"""A session in a line, kept up event by event without its whole state: what lists show.

Equal, field by field, to what the fold of the whole session says (tests/properties holds the two together).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.log.growing import Growing
from workbench.domain.loop.deciding.gates import BOUND_REASONS
from workbench.domain.session import events as say
from workbench.domain.session.copies import outline
from workbench.domain.session.folding.folds import Folds
from workbench.domain.session.session import created_twice
from workbench.domain.session.state import REVIEWED, Status, Way


class Stand(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Where a session was before a decision, as far as a list tells."""

    seq: int
    iterations: int
    gate: str
    asks_for_bound: bool
    attempt: int
    call: str
    failed: bool
    stopped: bool
    finished: bool
    asks_about_failure: bool


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
    asks_about_failure: bool = False
    """True while the open gate asks what to do about a call that failed."""
    call: str = ""
    """Id of the call that is pending; "" when none is."""
    attempt: int = 1
    """Attempt of the last call."""
    failed: bool = False
    stopped: bool = False
    finished: bool = False
    gates: int = 0
    """Gates opened."""
    submissions: int = 0
    """Of a reviewed plan, its versions."""
    decision: str = ""
    """What was decided about the newest; "" while nothing is."""
    stands: Growing[Stand] = Growing()
    """Where it can be rewound to, and back."""
    way: Way = Way()

    @property
    def status(self) -> Status:
        """Where the session stands."""
        if self.submissions:
            return REVIEWED[self.decision]
        if self.finished:
            return "finished"
        if self.failed and not self.gate:
            return "failed"
        if self.stopped:
            return "stopped"
        return "waiting" if self.gate else "running"


folds: Folds[Summary] = Folds()


def summarise(summary: Summary | None, events: Iterable[Event]) -> Summary | None:
    """Return the summary after ``events``; None when there is none yet. Raises LogDamaged as the fold does."""
    for event in events:
        fold = folds.by_kind.get(event.kind)
        body = say.content(outline(event)) if fold or event.kind == say.SessionCreated.kind else None
        if isinstance(body, say.SessionCreated):
            if summary is not None:
                raise created_twice(event)
            summary = Summary(
                session=event.session, goal=body.goal, name=body.name, events=event.seq, updated=event.time
            )
        elif summary is not None:
            after = fold(summary, event, body) if fold and isinstance(body, say.Body) else summary
            way = after.way.left() if after.way.here and event.kind in say.ENDS_REWIND else after.way
            summary = replace(after, events=event.seq, updated=event.time, way=way)
    return summary


@folds.of(say.SessionResumed)
def _resumed(summary: Summary, _event: Event, _body: say.SessionResumed) -> Summary:
    gate = "" if summary.asks_about_failure else summary.gate
    return replace(summary, failed=False, stopped=False, gate=gate, asks_about_failure=False)


folds.of(say.SessionRenamed)(lambda summary, _event, body: replace(summary, name=body.name))
folds.of(say.SessionReopened)(
    lambda summary, _event, _body: replace(_remember_position(summary), finished=False, failed=False, stopped=False)
)
folds.of(say.SessionStopped)(lambda summary, _event, _body: replace(summary, stopped=True))
folds.of(say.SessionFinished)(lambda summary, _event, _body: replace(summary, finished=True))
folds.of(say.CallStarted)(lambda summary, _event, body: replace(summary, call=body.call, attempt=body.attempt))
folds.of(say.ReplyRejected)(
    lambda summary, _event, _body: replace(summary, failed=summary.failed or summary.attempt > 1)
)
folds.of(say.IterationCompleted)(lambda summary, _event, _body: replace(summary, iterations=summary.iterations + 1))
folds.of(say.IterationStored)(lambda summary, _event, _body: replace(summary, iterations=summary.iterations + 1))


folds.of(say.PlanSubmitted)(
    lambda summary, _event, _body: replace(summary, submissions=summary.submissions + 1, decision="")
)


@folds.of(say.SubmissionDecided)
def _decided_about(summary: Summary, _event: Event, body: say.SubmissionDecided) -> Summary:
    is_newest = body.version == summary.submissions and not summary.decision
    return replace(summary, decision=body.decision) if is_newest else summary


@folds.of(say.SessionForked)
def _forked(summary: Summary, _event: Event, body: say.SessionForked) -> Summary:
    way = summary.way.left()
    return replace(summary, failed=False, stopped=False, finished=False, call="", name=body.name, way=way)


@folds.of(say.SessionRewound)
def _rewound(summary: Summary, _event: Event, body: say.SessionRewound) -> Summary:
    way = summary.way.rewound(body.to, summary.events)
    target = next((stand for stand in summary.stands if stand.seq == body.to), None)
    if way is None or (target is None and body.to != summary.events):
        return summary
    after = replace(summary, **_standing(target)) if target else summary
    if not summary.way.here:
        after = replace(after, stands=summary.stands.appended(_stand(summary)))
    if way.ahead and after.gate:
        after = replace(after, gate=f"g{summary.gates + 1}", gates=summary.gates + 1)
    return replace(after, way=way)


@folds.of(say.BoundsChanged)
def _bounds_changed(summary: Summary, _event: Event, _body: say.BoundsChanged) -> Summary:
    return replace(summary, gate="", asks_for_bound=False) if summary.asks_for_bound else summary


@folds.of(say.GateOpened)
def _gate_opened(summary: Summary, _event: Event, body: say.GateOpened) -> Summary:
    asks_for_bound = body.gate.reason in BOUND_REASONS
    return replace(
        summary,
        gate=body.gate.id,
        asks_for_bound=asks_for_bound,
        asks_about_failure=body.gate.kind == "failure",
        gates=summary.gates + 1,
    )


@folds.of(say.GateAnswered)
def _gate_answered(summary: Summary, _event: Event, body: say.GateAnswered) -> Summary:
    if body.gate != summary.gate:
        return summary
    stopped = summary.stopped or body.answer.kind == "stop"
    failed = summary.failed and not summary.asks_about_failure
    closed = replace(_remember_position(summary), gate="", asks_for_bound=False, asks_about_failure=False)
    return replace(closed, stopped=stopped, failed=failed)


@folds.of(say.CallFinished)
def _call_finished(summary: Summary, _event: Event, body: say.CallFinished) -> Summary:
    return replace(summary, call="") if body.call == summary.call else summary


@folds.of(say.CallFailed)
def _call_failed(summary: Summary, _event: Event, body: say.CallFailed) -> Summary:
    return replace(summary, call="", failed=True) if body.call == summary.call else summary


@folds.of(say.CallAbandoned)
def _call_abandoned(summary: Summary, _event: Event, body: say.CallAbandoned) -> Summary:
    return replace(summary, call="") if body.call == summary.call else summary


def _remember_position(summary: Summary) -> Summary:
    """Remember where the session stands, before a decision moves it on: with no call under way."""
    way = summary.way.decided(summary.events)
    if summary.way.here:
        return replace(summary, way=way)
    return replace(summary, way=way, stands=summary.stands.appended(replace(_stand(summary), call="")))


def _stand(summary: Summary) -> Stand:
    return Stand(seq=summary.events, **_standing(summary))


def _standing(source: Summary | Stand) -> dict[str, Any]:
    """Return what a stand keeps of a summary, by name."""
    return {name: getattr(source, name) for name in Stand.__struct_fields__ if name != "seq"}
