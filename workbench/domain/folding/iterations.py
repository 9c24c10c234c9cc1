"""What the four roles make of a plan: approaches, versions, findings, actions, a deliverable, insights."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.folding.folds import Folds
from workbench.domain.gates import CheckpointReason
from workbench.domain.session_state import Current, Moment, PlanVersion, SessionState


def _approaches_proposed(state: SessionState, _event: Event, body: say.ApproachesProposed) -> dict[str, Any]:
    return {
        "received": None,
        "rejected": "",
        "approaches": body.approaches,
        "approaches_stale": False,
        "chosen": "",
        "constraints": body.constraints,
        "assumptions": body.assumptions,
        "questions": () if state.asked else body.questions,
        "asked": True,
    }


def _approach_chosen(_state: SessionState, _event: Event, body: say.ApproachChosen) -> dict[str, Any]:
    return {"approach": body.approach}


def _iteration_begun(state: SessionState, _event: Event, body: say.IterationBegun) -> dict[str, Any]:
    return {"current": Current(number=body.number, tokens_before=state.spent.tokens, plan_before=state.plan)}


def _guidance_recalled(state: SessionState, _event: Event, body: say.GuidanceRecalled) -> dict[str, Any]:
    return _in_current(state, guidance=body)


def _plan_changed(state: SessionState, event: Event, body: say.PlanChanged) -> dict[str, Any]:
    iteration = state.current.number if state.current else len(state.iterations)
    changes: dict[str, Any] = {"handled": (*state.handled, *body.handled)}
    if body.version > state.version:
        version = PlanVersion(
            version=body.version,
            plan=body.plan,
            by=body.by,
            iteration=iteration,
            change=body.change,
            seq=event.seq,
            time=event.time,
        )
        changes["versions"] = state.versions.appended(version)
    if body.by == "person":
        return changes | {"edit": "", "checkpoint": _checkpoint_behind_edit(state)}
    handled = (*state.current.handled, *body.handled) if state.current else ()
    read = {"received": None, "rejected": ""}
    return changes | read | _in_current(state, planned=True, insights=body.insights, handled=handled)


def _checkpoint_behind_edit(state: SessionState) -> CheckpointReason | None:
    """Return why the checkpoint is asked again: that the plan had converged says nothing of what it is now."""
    if state.checkpoint != "converged":
        return state.checkpoint
    return "last" if len(state.iterations) >= state.limit else "interval"


def _plan_verified(state: SessionState, _event: Event, body: say.PlanVerified) -> dict[str, Any]:
    if body.by == "checks":
        return {"findings": body.findings}
    read = {"received": None, "rejected": "", "findings": body.findings}
    return read | _in_current(state, verified=True, insights=body.insights)


def _plan_saved(_state: SessionState, _event: Event, body: say.PlanSaved) -> dict[str, Any]:
    return {"saved_version": body.version}


def _actions_prepared(state: SessionState, _event: Event, body: say.ActionsPrepared) -> dict[str, Any]:
    read = {"received": None, "rejected": ""}
    return read | _in_current(state, prepared=True, actions=body.actions, insights=body.insights)


def _deliverable_written(state: SessionState, _event: Event, body: say.DeliverableWritten) -> dict[str, Any]:
    read = {"received": None, "rejected": ""}
    return read | _in_current(state, written=True, deliverable=body.text, insights=body.insights)


def _iteration_completed(state: SessionState, event: Event, body: say.IterationCompleted) -> dict[str, Any]:
    tokens = state.spent.tokens - state.current.tokens_before if state.current else 0
    return {
        "iterations": state.iterations.appended(body.result),
        "iteration_ends": state.iteration_ends.appended(Moment(seq=event.seq, time=event.time)),
        "checkpoint": body.checkpoint,
        "current": None,
        "last_iteration_tokens": tokens,
    }


def _iteration_stored(state: SessionState, event: Event, body: say.IterationStored) -> dict[str, Any]:
    return {
        "iterations": state.iterations.appended(body.result),
        "iteration_ends": state.iteration_ends.appended(Moment(seq=event.seq, time=event.time)),
    }


def _in_current(state: SessionState, **changes: Any) -> dict[str, Any]:
    if state.current is None:
        return {}
    more = changes.pop("insights", ())
    return {"current": replace(state.current, insights=(*state.current.insights, *more), **changes)}


FOLDS: Folds = {
    say.ApproachesProposed: _approaches_proposed,
    say.ApproachChosen: _approach_chosen,
    say.IterationBegun: _iteration_begun,
    say.GuidanceRecalled: _guidance_recalled,
    say.PlanChanged: _plan_changed,
    say.PlanVerified: _plan_verified,
    say.PlanSaved: _plan_saved,
    say.ActionsPrepared: _actions_prepared,
    say.DeliverableWritten: _deliverable_written,
    say.IterationCompleted: _iteration_completed,
    say.IterationStored: _iteration_stored,
}
