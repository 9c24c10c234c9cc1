"""Whether an event that is not derived again can be where it does: one that was given, or that older rules derived.

What it says is nobody's to check: it was decided, replied or seen outside, or it is recorded, not proved. What it
answers has to be open, what waits for it has to wait, and its header and numbers have to fit, since others refer to
them. What depends on the next step is checked only where the current rules apply.
"""

from __future__ import annotations

from collections.abc import Collection

from workbench.domain.errors import PlanUnsound, UsageError
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event
from workbench.domain.loop.deciding.gates import check_answer
from workbench.domain.loop.steps import Observe, Recall, Research, Search, Step
from workbench.domain.loop.workflow import next_step
from workbench.domain.plan.changing.operations import Change, applied
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean
from workbench.replay.likeness import Unlike, short_value


def why_not(
    state: SessionState, event: Event, body: say.Body | say.Unknown, *, given_up: Collection[str]
) -> str | None:
    """Return why a given event cannot be after a state; None if it can.

    ``given_up`` are calls that may still have a result though nobody waits for them.
    """
    match body:
        case say.GuidanceRecalled():
            return _why_no_guidance(state, body)
        case say.GateAnswered():
            return _why_no_answer(state, event, body)
        case say.StatusReported(changes=changes):
            return _why_not_changed(state, changes)
        case say.CallRetried() | say.CallNoted() | say.CallFinished() | say.CallFailed() | say.CallAbandoned():
            return _why_no_result(state, event, body.call, given_up)
        case say.OthersSearched() | say.SharedObserved() | say.GapsResearched() if body.for_call and rules.is_older(
            state.rules
        ):
            following = f"c{state.calls + 1}"
            return (
                None
                if body.for_call == following
                else f"It is for {short_value(body.for_call)}, and {following} is next."
            )
        case say.OthersSearched() | say.SharedObserved() | say.GapsResearched() if body.for_call:
            return _why_no_look(next_step(state), event, body)
        case say.ToolReturned(use=use):
            is_awaited = state.using is not None and state.using.use == use and state.using.started
            return None if is_awaited else f"No call of a tool {short_value(use)} is waiting for a result."
        case say.LessonsGiven() | say.PracticeGiven() | say.BeginGiven() if state.calls:
            return "Templates, own steps and lessons are given as a session begins, before anything is asked."
        case say.SessionForked(at=at) if at != state.seq:
            return f"It says that {at} events were copied, and {state.seq} stand before it."
        case say.SessionRewound(to=to) if state.way.rewound(to, state.seq) is None:
            return f"The session never stood at event {to}, where it rewinds to."
        case say.SessionRewound(to=to, redo=redo) if redo != (to in state.way.ahead):
            return f"Event {to} lies {'behind' if redo else 'ahead'}: it is no {'redo' if redo else 'rewind'}."
        case say.WorkersSent(agent=agent) | say.MessageGiven(to=agent) if agent and state.agent(agent) is None:
            return f"There is no agent {short_value(agent)} in this session yet."
        case say.Unknown():
            return None
        case _ if "given" not in body.origins:
            return f"{event.kind} is never given: it follows from other events."
    return None


def _why_no_guidance(state: SessionState, body: say.GuidanceRecalled) -> str | None:
    if rules.is_older(state.rules):
        return None if body.source == "fallback" else "Guidance is given only where the search for it failed."
    step = next_step(state)
    if not isinstance(step, Recall) or step.query != body.query:
        return "No search for guidance is due here."
    is_fallback = body.source == "fallback" and body.items == step.fallback
    return None if is_fallback else "A search that failed brings the last iteration's first insights, and no others."


def _why_no_answer(state: SessionState, event: Event, body: say.GateAnswered) -> str | None:
    gate = state.gate
    if gate is None or gate.id != body.gate:
        return f"The gate {short_value(body.gate)} that it answers is not open."
    try:
        check_answer(gate, body.answer)
        if body.answer.kind == "edit" and state.plan is not None and not rules.is_older(state.rules):
            from_markdown(body.answer.text, state.plan)
        applied(state.plan or Plan(title=""), (change.operation for change in body.answer.changes))
    except (UsageError, PlanUnsound) as error:
        return f"It does not fit the gate: {short_value(error.message)}"
    return None if event.cause == state.gate_event else f"Its cause is not the gate's opening, {state.gate_event}."


def _why_not_changed(state: SessionState, changes: Collection[Change]) -> str | None:
    """Return why changes do not fit the plan as it is; None if they do, or the plan is about to change."""
    if state.plan is None:
        return "There is no plan yet that it could change."
    try:
        applied(state.plan, (change.operation for change in (*state.changing, *changes)))
    except PlanUnsound as error:
        return f"It does not fit the plan: {short_value(error.message)}"
    return None


def _why_no_result(state: SessionState, event: Event, call: str, given_up: Collection[str]) -> str | None:
    pending = state.pending
    if pending is not None and pending.call == call:
        if (event.cause, event.agent) == (pending.event, pending.role):
            return None
        return f"{short_value(call)} was asked of {pending.role} by event {pending.event}, which it does not name."
    return None if call in given_up else f"No call {short_value(call)} is waiting for a result."


def _why_no_look(
    step: Step, event: Event, body: say.OthersSearched | say.SharedObserved | say.GapsResearched
) -> str | None:
    if isinstance(body, say.GapsResearched):
        is_due = isinstance(step, Research) and (step.for_call, step.gaps) == (body.for_call, body.gaps)
        return None if is_due else f"No research of these gaps is due for {short_value(body.for_call)} here."
    if isinstance(body, say.SharedObserved):
        is_due = isinstance(step, Observe) and step.for_call == body.for_call
        return None if is_due else f"No look at the shared context is due for {short_value(body.for_call)} here."
    if not isinstance(step, Search) or step.for_call != body.for_call:
        return f"No search of other sessions is due for {short_value(body.for_call)} here."
    is_same = (clean(step.query), step.reason, step.agent) == (clean(body.query), body.reason, event.agent)
    return None if is_same else "It searched for something else than what was due here."


# --- of older rules --------------------------------------------------------------------------------------------------


def unfit_header(state: SessionState, event: Event, known: Collection[str]) -> Unlike | None:
    """Return the header field that no event derived from a state has, else None; ``known``: ids of events so far."""
    expected = {
        "session": (event.session, state.session),
        "turn": (str(event.turn), str(state.turn)),
        "workspace": (event.workspace, state.workspace),
        "actor": (event.actor, "workbench"),
        "id": (event.id, f"{event.id.rpartition(':')[0]}:{event.seq}"),
        "cause": (event.cause, event.cause if event.cause in known else state.trigger),
    }
    for name, (recorded, wanted) in expected.items():
        if recorded != wanted:
            return Unlike(name, short_value(recorded), short_value(wanted))
    return None


def why_unfit(state: SessionState, body: say.Body | say.Unknown) -> str | None:
    """Return why what an event says cannot follow a state, whatever the rules were; None if it can."""
    match body:
        case say.CallStarted(call=call) if state.pending is not None:
            return f"Call {short_value(call)} starts while {state.pending.call} waits for a result."
        case say.CallStarted(call=call) if call != f"c{state.calls + 1}":
            return f"It starts call {short_value(call)}, and c{state.calls + 1} is next."
        case say.CallFailed(call=call) if state.pending is None or state.pending.call != call:
            return f"No call {short_value(call)} is waiting for a result."
        case say.GateOpened(gate=gate) if state.gate is not None:
            return f"Gate {short_value(gate.id)} opens while {state.gate.id} is open."
        case say.GateOpened(gate=gate) if gate.id != f"g{state.gates + 1}":
            return f"It opens gate {short_value(gate.id)}, and g{state.gates + 1} is next."
        case _:
            return None
