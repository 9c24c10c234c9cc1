"""What a person decides: gates and their answers, bounds, a proposal of their own."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.loop.asking.tasks import Answered, Feedback
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import BOUND_REASONS, Answer, Gate
from workbench.domain.plan.changing.operations import Cause, Change
from workbench.domain.session import events as say
from workbench.domain.session.folding.folds import Folds, message
from workbench.domain.session.folding.rewinding import with_point
from workbench.domain.session.state import CHAT, SessionState, Spent

folds: Folds[SessionState] = Folds()


@folds.of(say.BoundsChanged)
def _bounds_changed(state: SessionState, _event: Event, body: say.BoundsChanged) -> SessionState:
    state = replace(state, bounds=body.bounds)
    asks_for_bound = state.gate is not None and state.gate.reason in BOUND_REASONS
    return replace(state, gate=None, gate_event="") if asks_for_bound else state


@folds.of(say.ProposalGiven)
def _proposal_given(state: SessionState, event: Event, body: say.ProposalGiven) -> SessionState:
    history = state.history.appended(message(event, body.said))
    return replace(state, proposal=body.text, proposal_source=body.source, history=history)


@folds.of(say.BeginGiven)
def _begin_given(state: SessionState, event: Event, body: say.BeginGiven) -> SessionState:
    return _with_beginning(state, event, body.begin)


def _with_beginning(state: SessionState, event: Event, begin: Begin) -> SessionState:
    """Add what a person chose and typed to what they gave before; their own lines are a message of theirs."""
    whole = begin if state.begin is None else state.begin.then(begin)
    if not begin.typed:
        return replace(state, begin=whole)
    history = state.history.appended(message(event, begin.typed))
    return replace(state, begin=whole, typed=(*state.typed, begin.typed), history=history)


@folds.of(say.StatusReported)
def _status_reported(state: SessionState, event: Event, body: say.StatusReported) -> SessionState:
    """Let the plan change next; an open gate asks again when it has, as its question says what the plan was like."""
    if body.text:
        state = replace(state, history=state.history.appended(message(event, body.text)))
    if state.plan is None:
        return state
    return replace(state, changing=(*state.changing, *body.changes), gate=None, gate_event="")


@folds.of(say.FeedbackGiven)
def _feedback_given(state: SessionState, event: Event, body: say.FeedbackGiven) -> SessionState:
    return _with_feedback(state, event, Answer(kind="feedback", text=body.text))


folds.of(say.CheckpointWanted)(lambda state, _event, _body: replace(state, checkpoint_wanted=state.current is not None))


@folds.of(say.GateOpened)
def _gate_opened(state: SessionState, event: Event, body: say.GateOpened) -> SessionState:
    return replace(state, gate=body.gate, gate_event=event.id, gates=state.gates + 1)


@folds.of(say.GateAnswered)
def _gate_answered(state: SessionState, event: Event, body: say.GateAnswered) -> SessionState:
    gate = state.gate
    if gate is None or gate.id != body.gate:
        return state
    approves = gate.kind != "question" and body.answer.kind not in ("edit", "change", "stop")  # of going on
    way, points = with_point(state)
    closed = replace(
        state,
        gate=None,
        gate_event="",
        way=way,
        points=points,
        asks_again=state.asks_again and not approves,
        tools_in_a_row=state.tools_in_a_row if gate.kind == "tool" else 0,
    )
    return _DECISIONS[gate.kind](closed, event, gate, body.answer)


def _approach_decided(state: SessionState, event: Event, _gate: Gate, answer: Answer) -> SessionState:
    match answer.kind:
        case "choose":
            known = any(approach.id == answer.choice for approach in state.approaches)
            begun = _with_beginning(state, event, answer.begin) if answer.begin else state
            return replace(begun, chosen=answer.choice if known else "")  # unknown, in a foreign file: asked again
        case "reject":
            return replace(state, ending="reject", ending_reason=answer.text.strip() or "rejected by you")
        case "feedback":
            return replace(_with_feedback(state, event, answer), approaches_stale=True)
        case _:
            return state


def _question_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> SessionState:
    text = answer.text if answer.kind == "answer" else ""
    answered = Answered(question=state.questions[0] if state.questions else gate.question, answer=text)
    state = replace(state, questions=state.questions[1:], answers=state.answers.appended(answered))
    if not text:
        return state
    return replace(state, approaches_stale=True, history=state.history.appended(message(event, text)))


def _checkpoint_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> SessionState:
    match answer.kind:
        case "continue" if gate.reason in BOUND_REASONS:
            return replace(state, bounds=_raised(state.bounds, state.spent, gate))
        case "continue":
            more = state.options.checkpoint_interval if gate.reason == "last" else 0
            return replace(state, checkpoint=None, limit=state.limit + more)
        case "feedback":
            room = max(state.limit, len(state.iterations) + 1)
            return replace(_with_feedback(state, event, answer), checkpoint=None, limit=room)
        case "edit":
            return replace(state, edit=answer.text)
        case "change":
            return replace(state, changing=answer.changes)
        case "finish":
            reason = _ENDS.get(gate.reason or "") or _FINISH_REASONS.get(event.actor, "finished by you")
            is_asked = gate.kind == "checkpoint" and gate.reason not in BOUND_REASONS  # else it would fail again
            return replace(
                state,
                ending="save",
                ending_reason=reason,
                wanted=HAND_OUT if is_asked else (),
                last_look="due" if is_asked else "",
            )
        case "stop":
            return replace(state, stopped="stopped by you")
        case _:
            return state


def _failure_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> SessionState:
    failure = state.failure
    if failure is None and state.received is not None:
        return _cut_decided(state, event, gate, answer, state.received.call.model)
    state = replace(state, failure=None)
    match answer.kind:
        case "without" if failure is not None and failure.task == CHAT:
            return replace(state, asking=state.asking[1:])
        case "without" if failure is not None:
            return replace(state, without=failure.task)
        case "finish" | "stop":
            return _checkpoint_decided(state, event, gate, answer)
        case _:
            return state


def _cut_decided(state: SessionState, event: Event, gate: Gate, answer: Answer, model: str) -> SessionState:
    """Use a reply to a prompt that was cut, or drop it; a stop leaves both open."""
    if answer.kind == "keep":
        return replace(state, cuts_accepted=(*state.cuts_accepted, model))
    after = state if answer.kind == "stop" else replace(state, received=None)
    return _checkpoint_decided(after, event, gate, answer)


def _removal_decided(state: SessionState, _event: Event, _gate: Gate, answer: Answer) -> SessionState:
    named = [change.operation for change in answer.changes]
    going = [removal for removal in state.removals if answer.kind == "remove" and (not named or removal in named)]
    kept = [one for one in state.removals if one not in going]
    changing = tuple(Change(one, Cause("person")) for one in going)
    return replace(state, removals=(), changing=changing or state.changing, kept=(*state.kept, *kept))


def _tool_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> SessionState:
    using = state.using
    if answer.kind == "stop":
        return _checkpoint_decided(state, event, gate, answer)
    if using is None:
        return state
    allowed = (*state.tools_allowed, using.tool) if answer.kind == "session" else state.tools_allowed
    is_refused = answer.kind == "no"
    return replace(state, using=replace(using, permitted=not is_refused, refused=is_refused), tools_allowed=allowed)


HAND_OUT = ("execute", "generate")
"""What is asked for at the end: actions and the page that one hands out."""
_ENDS = {"drafted": "as it is drafted", "converged": "converged", "unchanged": "hardly anything changed any more"}
_FINISH_REASONS = {"policy": "all iterations are done"}


def _raised(bounds: say.Bounds, spent: Spent, gate: Gate) -> say.Bounds:
    """Return bounds of which the one that was asked about leaves as much again; a cost nobody knows is not bounded.

    Tokens leave at least what the next call needs. Where a price is not known, tokens are bounded instead.
    """
    match gate.reason:
        case "tokens" if bounds.max_tokens is not None:
            more = max(bounds.max_tokens, gate.needs)
            return replace(bounds, max_tokens=max(bounds.max_tokens, spent.tokens) + more)
        case "cost" if gate.needs:
            return replace(bounds, max_tokens=spent.tokens + gate.needs)
        case "cost" if bounds.max_cost is not None:
            cost = None if spent.cost is None else max(bounds.max_cost, spent.cost) + bounds.max_cost
            return replace(bounds, max_cost=cost)
        case "time" if bounds.max_time is not None:
            return replace(bounds, max_time=max(bounds.max_time, spent.seconds) + bounds.max_time)
        case "calls" if bounds.max_calls is not None:
            return replace(bounds, max_calls=max(bounds.max_calls, spent.calls + spent.tool_calls) + bounds.max_calls)
        case _:
            return bounds


def _with_feedback(state: SessionState, event: Event, answer: Answer) -> SessionState:
    notes: list[tuple[str | None, str]] = [(None, answer.text)] if answer.text.strip() else []
    notes += [(note.section, note.text) for note in answer.notes if note.text.strip()]
    feedback = (
        Feedback(id=f"F{len(state.feedback) + number}", text=text, section=section)
        for number, (section, text) in enumerate(notes, start=1)
    )
    messages = (message(event, text, number) for number, (_, text) in enumerate(notes, start=1))
    return replace(
        state,
        known_before=(len(state.statements), len(state.settled)),
        feedback=(*state.feedback, *feedback),
        history=state.history.appended(*messages),
    )


_DECISIONS: dict[str, Callable[[SessionState, Event, Gate, Answer], SessionState]] = {
    "approach": _approach_decided, "question": _question_decided, "removal": _removal_decided,
    "failure": _failure_decided, "checkpoint": _checkpoint_decided, "tool": _tool_decided,
}  # fmt: skip
