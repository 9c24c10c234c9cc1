"""Calls of models: what is awaited, what was received, what it took."""

from __future__ import annotations

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.loop.asking.tool_calls import TASKS, tool_call_in
from workbench.domain.session import events as say
from workbench.domain.session.folding.folds import Folds, reply
from workbench.domain.session.state import (
    CONDENSE,
    TOOL,
    WORK,
    Came,
    Counted,
    Failure,
    PendingCall,
    Received,
    SessionState,
)

folds: Folds[SessionState] = Folds()

_SAME_COUNT = 100
"""Counts that differ by less than this part of them stand still: a server cuts at the borders of tokens or messages."""


@folds.of(say.CallStarted)
def _call_started(state: SessionState, event: Event, body: say.CallStarted) -> SessionState:
    said = {name: getattr(body, name) for name in PendingCall.__struct_fields__ if hasattr(body, name)}
    pending = PendingCall(
        event=event.id, window=body.context.window if body.context else 0, feedback=len(state.feedback), **said
    )
    state = replace(state, pending=pending, calls=state.calls + 1)
    return _with_searches_kept(state, body.call) if body.task == CONDENSE else state


def _with_searches_kept(state: SessionState, call: str) -> SessionState:
    """Keep what was searched for a call that condensing came before: it is for the call after this one."""
    following = f"c{state.calls + 1}"
    return replace(
        state,
        searched_for=following if state.searched_for == call else state.searched_for,
        observed_for=following if state.observed_for == call else state.observed_for,
    )


@folds.of(say.CallNoted)
def _call_noted(state: SessionState, _event: Event, body: say.CallNoted) -> SessionState:
    pending = _pending(state, body.call)
    if pending is None or not body.came:
        return state
    before = state.came.parts if state.came.prompt_hash == pending.prompt_hash else ()
    return replace(state, came=Came(prompt_hash=pending.prompt_hash, parts=(*before, body.came)))


@folds.of(say.CallFinished)
def _call_finished(state: SessionState, event: Event, body: say.CallFinished) -> SessionState:
    pending = _pending(state, body.call)
    state = _spend(state, pending, body)
    if pending is None:
        return state
    asks_tool = bool(state.tools.tools) and pending.task in TASKS and tool_call_in(body.text) is not None
    return replace(
        state,
        counted=state.counted if body.estimated or body.is_continued else _with_counted(state, pending, body),
        pending=None,
        came=Came(),
        received=Received(call=pending, text=body.text, item=event.id, tools_before=state.tools_in_a_row),
        last_failure=_unless_answered(state.last_failure, pending),
        history=state.history.appended(reply(event, body.text, pending, TOOL if asks_tool else "")),
        tools_in_a_row=state.tools_in_a_row if asks_tool else 0,
    )


@folds.of(say.CallFailed)
def _call_failed(state: SessionState, _event: Event, body: say.CallFailed) -> SessionState:
    pending = _pending(state, body.call)
    state = _spend(state, pending, body)
    if pending is None:
        return state
    if pending.task == CONDENSE:
        return replace(state, pending=None, not_condensed=_with_not_condensed(state, pending.role))
    if pending.task == WORK:
        failed = (replace(one, failed=body.message) if one.worker == pending.worker else one for one in state.workers)
        return replace(state, pending=None, workers=tuple(failed))
    failure = Failure(error=body.error, message=body.message, remedy=body.remedy, role=pending.role, task=pending.task)
    return _with_failure(replace(state, pending=None), failure)


@folds.of(say.CallAbandoned)
def _call_abandoned(state: SessionState, _event: Event, body: say.CallAbandoned) -> SessionState:
    pending = _pending(state, body.call)
    state = _spend(state, pending, body)
    return state if pending is None else replace(state, pending=None)


@folds.of(say.ReplyRejected)
def _reply_rejected(state: SessionState, _event: Event, body: say.ReplyRejected) -> SessionState:
    call = state.received.call if state.received else None
    if call is not None and call.task == CONDENSE:
        return replace(state, received=None, not_condensed=_with_not_condensed(state, call.role))
    if call is not None and call.attempt > 1:
        remedy = "What it replied is kept. Ask once more, or use another model."
        failed = Failure(error="ModelReplyInvalid", message=body.message, remedy=remedy, role=call.role, task=call.task)
        return _with_failure(replace(state, received=None, rejected="", refused="", tools_in_a_row=0), failed)
    refused, tools = (state.received.item, state.received.tools_before) if state.received is not None else ("", 0)
    return replace(state, received=None, rejected=body.fault or body.message, refused=refused, tools_in_a_row=tools)


@folds.of(say.ConversationCondensed)
def _conversation_condensed(state: SessionState, _event: Event, body: say.ConversationCondensed) -> SessionState:
    is_reply = state.received is not None and state.received.call.task == CONDENSE
    others = (summary for summary in state.condensed if summary[0] != body.agent)
    return replace(
        state,
        received=None if is_reply else state.received,
        condensed=(*others, (body.agent, body.summary)),
        not_condensed=tuple(agent for agent in state.not_condensed if agent != body.agent),
    )


def _with_failure(state: SessionState, failure: Failure) -> SessionState:
    before = state.last_failure
    is_again = before is not None and (before.role, before.task) == (failure.role, failure.task)
    counted = replace(failure, tries=before.tries + 1) if before is not None and is_again else failure
    return replace(state, failure=counted, last_failure=counted)


def _with_not_condensed(state: SessionState, agent: str) -> tuple[str, ...]:
    """Add an agent whose summary no model could write: the next time a note takes its place."""
    return tuple(dict.fromkeys((*state.not_condensed, agent)))


def _unless_answered(failure: Failure | None, call: PendingCall) -> Failure | None:
    """Return the last failure, as long as it may be the same call that fails again."""
    return failure if failure is not None and (failure.role, failure.task) == (call.role, call.task) else None


def _pending(state: SessionState, call: str) -> PendingCall | None:
    """Return the call that is awaited; None if a result is of another one, which was given up meanwhile."""
    return state.pending if state.pending is not None and state.pending.call == call else None


def _spend(
    state: SessionState, pending: PendingCall | None, body: say.CallFinished | say.CallFailed | say.CallAbandoned
) -> SessionState:
    """Count what a call took, whatever its end: for the session, and for the worker, role or agent that was asked."""
    spent, tokens = state.spent, body.input_tokens + body.output_tokens
    who = "unknown" if pending is None else pending.worker or pending.role
    by = dict(state.tokens_by)
    by[who] = by.get(who, 0) + tokens
    workers = (replace(one, spent=one.spent + tokens) if one.worker == who else one for one in state.workers)
    return replace(
        state,
        spent=replace(
            spent,
            calls=spent.calls + 1,
            input_tokens=spent.input_tokens + body.input_tokens,
            output_tokens=spent.output_tokens + body.output_tokens,
            cached_tokens=spent.cached_tokens + (body.cached_tokens if isinstance(body, say.CallFinished) else 0),
            known_cost=spent.known_cost + (body.cost or 0.0),
            unpriced_calls=spent.unpriced_calls + (body.cost is None),
            seconds=spent.seconds + body.seconds,
            last_call_tokens=tokens,
        ),
        tokens_by=tuple(by.items()),
        workers=tuple(workers),
    )


def _with_counted(state: SessionState, pending: PendingCall, body: say.CallFinished) -> tuple[Counted, ...]:
    last = next((one for one in reversed(state.counted) if one.model == pending.model), None)
    stands_still = last is not None and abs(body.input_tokens - last.reported) <= last.reported // _SAME_COUNT
    shortest = last.least if last is not None and stands_still else pending.estimated_tokens
    counted = Counted(
        role=pending.role,
        model=pending.model,
        call=pending.call,
        reported=body.input_tokens,
        estimated=pending.estimated_tokens,
        least=min(shortest, pending.estimated_tokens),
        server_window=body.server_window or 0,
    )
    return (*(one for one in state.counted if one.role != pending.role), counted)
