"""Calls of models: what is awaited, what was received, what it took."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.folding.folds import Folds
from workbench.domain.folding.said import reply
from workbench.domain.folding.talking import with_worker
from workbench.domain.session_state import CONDENSE, WORK, Counted, Failure, PendingCall, Received, SessionState, Spent


def _call_started(state: SessionState, event: Event, body: say.CallStarted) -> dict[str, Any]:
    pending = PendingCall(
        call=body.call,
        role=body.role,
        task=body.task,
        attempt=body.attempt,
        event=event.id,
        model=body.model,
        estimated_tokens=body.estimated_tokens,
        covers=body.covers,
        worker=body.worker,
    )
    kept = _looks_kept(state, body.call) if body.task == CONDENSE else {}
    return {"pending": pending, "calls": state.calls + 1, **kept}


def _looks_kept(state: SessionState, call: str) -> dict[str, Any]:
    """Keep what was looked at outside for the call that condensing is for: that one comes next."""
    following = f"c{state.calls + 2}"
    return {name: following for name in ("searched_for", "observed_for") if getattr(state, name) == call}


def _call_retried(_state: SessionState, _event: Event, _body: say.CallRetried) -> dict[str, Any]:
    return {}


def _call_finished(state: SessionState, event: Event, body: say.CallFinished) -> dict[str, Any]:
    spent = _spend(state.spent, body)
    pending = state.pending
    if pending is None or pending.call != body.call:
        return {"spent": spent} | _spent_by(state, "unknown", body)
    return {
        "spent": spent,
        **_spent_by(state, pending.worker or pending.role, body),
        "counted": state.counted if body.estimated else _with_counted(state, pending, body.input_tokens),
        "pending": None,
        "received": Received(call=pending, text=body.text),
        "history": state.history.appended(reply(event, body.text, pending)),
    }


def _call_failed(state: SessionState, _event: Event, body: say.CallFailed) -> dict[str, Any]:
    changes = {"spent": _spend(state.spent, body)} | _spent_by(state, _spender(state, body.call), body)
    pending = state.pending
    if pending is None or pending.call != body.call:
        return changes
    changes["pending"] = None
    if pending.task == CONDENSE:
        return changes | _by_rule(state, pending.role)
    if pending.task == WORK:
        workers = changes.get("workers", state.workers)
        return changes | {"workers": with_worker(workers, pending.worker, failed=body.message)}
    return changes | {"failure": Failure(error=body.error, message=body.message, remedy=body.remedy)}


def _call_abandoned(state: SessionState, _event: Event, body: say.CallAbandoned) -> dict[str, Any]:
    changes = {"spent": _spend(state.spent, body)} | _spent_by(state, _spender(state, body.call), body)
    return changes | ({"pending": None} if _is_pending(state, body.call) else {})


def _reply_rejected(state: SessionState, _event: Event, body: say.ReplyRejected) -> dict[str, Any]:
    received = state.received
    if received is not None and received.call.task == CONDENSE:
        return {"received": None} | _by_rule(state, received.call.role)
    if received is not None and received.call.attempt > 1:
        remedy = "Resume to ask once more, or use another model."
        failure = Failure(error="ModelReplyInvalid", message=body.message, remedy=remedy)
        return {"received": None, "rejected": "", "failure": failure}
    return {"received": None, "rejected": body.message}


def _conversation_condensed(state: SessionState, _event: Event, body: say.ConversationCondensed) -> dict[str, Any]:
    condensed = (*(one for one in state.condensed if one[0] != body.agent), (body.agent, body.summary))
    not_condensed = tuple(one for one in state.not_condensed if one != body.agent)
    is_reply = state.received is not None and state.received.call.task == CONDENSE
    read: dict[str, Any] = {"received": None} if is_reply else {}
    return read | {"condensed": condensed, "not_condensed": not_condensed}


def _by_rule(state: SessionState, agent: str) -> dict[str, Any]:
    """Nothing waits for a summary that no model could write: the next one is made by rule."""
    return {"not_condensed": tuple(dict.fromkeys((*state.not_condensed, agent)))}


def _is_pending(state: SessionState, call: str) -> bool:
    """Tell whether a result is the awaited one, and not one of a call that was given up meanwhile."""
    return state.pending is not None and state.pending.call == call


def _spend(spent: Spent, body: say.CallFinished | say.CallFailed | say.CallAbandoned) -> Spent:
    """Return what is spent after a call that came to an end, whatever end that was."""
    return replace(
        spent,
        calls=spent.calls + 1,
        input_tokens=spent.input_tokens + body.input_tokens,
        output_tokens=spent.output_tokens + body.output_tokens,
        known_cost=spent.known_cost + (body.cost or 0.0),
        unpriced_calls=spent.unpriced_calls + (body.cost is None),
        seconds=spent.seconds + body.seconds,
        last_call_tokens=body.input_tokens + body.output_tokens,
    )


def _spender(state: SessionState, call: str) -> str:
    """Return who spends on a call: a worker, else the role or agent that is asked."""
    pending = state.pending
    return "unknown" if pending is None or pending.call != call else pending.worker or pending.role


def _spent_by(
    state: SessionState, who: str, body: say.CallFinished | say.CallFailed | say.CallAbandoned
) -> dict[str, Any]:
    """Return the tokens of each spender after a call that came to an end."""
    tokens = body.input_tokens + body.output_tokens
    by = dict(state.tokens_by)
    changes: dict[str, Any] = {"tokens_by": tuple((by | {who: by.get(who, 0) + tokens}).items())}
    worker = next((one for one in state.workers if one.worker == who), None)
    if worker is None:
        return changes
    return changes | {"workers": with_worker(state.workers, who, spent=worker.spent + tokens)}


def _with_counted(state: SessionState, pending: PendingCall, reported: int) -> tuple[Counted, ...]:
    counted = Counted(role=pending.role, model=pending.model, reported=reported, estimated=pending.estimated_tokens)
    return (*(one for one in state.counted if one.role != pending.role), counted)


FOLDS: Folds = {
    say.CallStarted: _call_started,
    say.CallRetried: _call_retried,
    say.CallFinished: _call_finished,
    say.CallFailed: _call_failed,
    say.CallAbandoned: _call_abandoned,
    say.ReplyRejected: _reply_rejected,
    say.ConversationCondensed: _conversation_condensed,
}
