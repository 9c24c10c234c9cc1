"""What a person decides: gates and their answers, bounds, a proposal of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.folding.folds import Folds
from workbench.domain.folding.rewinding import with_point
from workbench.domain.folding.said import message
from workbench.domain.gates import BOUND_REASONS, Answer, Gate
from workbench.domain.session_state import SessionState, Spent
from workbench.domain.tasks import Answered, Feedback


def _bounds_changed(state: SessionState, _event: Event, body: say.BoundsChanged) -> dict[str, Any]:
    bound_gate = state.gate is not None and state.gate.reason in BOUND_REASONS
    return {"bounds": body.bounds} | ({"gate": None, "gate_event": ""} if bound_gate else {})


def _proposal_given(state: SessionState, event: Event, body: say.ProposalGiven) -> dict[str, Any]:
    return {"proposal": body.text, "history": state.history.appended(message(event, body.text))}


def _gate_opened(state: SessionState, event: Event, body: say.GateOpened) -> dict[str, Any]:
    return {"gate": body.gate, "gate_event": event.id, "gates": state.gates + 1}


def _gate_answered(state: SessionState, event: Event, body: say.GateAnswered) -> dict[str, Any]:
    gate = state.gate
    if gate is None or gate.id != body.gate:
        return {}
    closed: dict[str, Any] = {"gate": None, "gate_event": "", **with_point(state)}
    if gate.kind != "question" and body.answer.kind not in ("edit", "stop"):  # none of them approves of going on
        closed["asks_again"] = False
    return closed | _DECISIONS[gate.kind](state, event, gate, body.answer)


def _approach_decided(state: SessionState, event: Event, _gate: Gate, answer: Answer) -> dict[str, Any]:
    if answer.kind == "choose":
        known = any(approach.id == answer.choice for approach in state.approaches)
        return {"chosen": answer.choice if known else ""}  # unknown, in a file from somebody else: it is asked again
    if answer.kind == "reject":
        reason = answer.text.strip() or "rejected by you"
        return {"ending": "reject", "ending_reason": reason}
    if answer.kind == "feedback":
        return _with_feedback(state, event, answer) | {"approaches_stale": True}
    return {}


def _question_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> dict[str, Any]:
    text = answer.text if answer.kind == "answer" else ""
    answered = Answered(question=state.questions[0] if state.questions else gate.question, answer=text)
    decided: dict[str, Any] = {"questions": state.questions[1:], "answers": state.answers.appended(answered)}
    if text:
        decided |= {"approaches_stale": True, "history": state.history.appended(message(event, text))}
    return decided


def _checkpoint_decided(state: SessionState, event: Event, gate: Gate, answer: Answer) -> dict[str, Any]:
    match answer.kind:
        case "continue" if gate.reason in BOUND_REASONS:
            return {"bounds": _raised(state.bounds, state.spent, gate)}
        case "continue":
            more = state.options.checkpoint_interval if gate.reason == "last" else 0
            return {"checkpoint": None, "limit": state.limit + more}
        case "feedback":
            room = max(state.limit, len(state.iterations) + 1)
            return _with_feedback(state, event, answer) | {"checkpoint": None, "limit": room}
        case "edit":
            return {"edit": answer.text}
        case "finish":
            reason = "converged" if gate.reason == "converged" else _FINISH_REASONS.get(event.actor, "finished by you")
            return {"ending": "save", "ending_reason": reason}
        case "stop":
            return {"stopped": "stopped by you"}
        case _:
            return {}


_FINISH_REASONS = {"policy": "all iterations are done"}


def _raised(bounds: say.Bounds, spent: Spent, gate: Gate) -> say.Bounds:
    """Return bounds of which the one that was asked about leaves as much again; a cost nobody knows is not bounded.

    Tokens leave at least what the next call needs.
    """
    match gate.reason:
        case "tokens" if bounds.max_tokens is not None:
            more = max(bounds.max_tokens, gate.needs)
            return replace(bounds, max_tokens=max(bounds.max_tokens, spent.tokens) + more)
        case "cost" if bounds.max_cost is not None:
            cost = None if spent.cost is None else max(bounds.max_cost, spent.cost) + bounds.max_cost
            return replace(bounds, max_cost=cost)
        case "time" if bounds.max_time is not None:
            return replace(bounds, max_time=max(bounds.max_time, spent.seconds) + bounds.max_time)
        case "calls" if bounds.max_calls is not None:
            return replace(bounds, max_calls=max(bounds.max_calls, spent.calls) + bounds.max_calls)
        case _:
            return bounds


def _with_feedback(state: SessionState, event: Event, answer: Answer) -> dict[str, Any]:
    said: list[tuple[str | None, str]] = [(None, answer.text)] if answer.text.strip() else []
    said += [(note.section, note.text) for note in answer.notes if note.text.strip()]
    new = [
        Feedback(id=f"F{len(state.feedback) + n}", text=text, section=section)
        for n, (section, text) in enumerate(said, start=1)
    ]
    messages = [message(event, text, n) for n, (_, text) in enumerate(said, start=1)]
    return {"feedback": (*state.feedback, *new), "history": state.history.appended(*messages)}


_DECISIONS: dict[str, Callable[[SessionState, Event, Gate, Answer], dict[str, Any]]] = {
    "approach": _approach_decided,
    "question": _question_decided,
    "checkpoint": _checkpoint_decided,
}


FOLDS: Folds = {
    say.BoundsChanged: _bounds_changed,
    say.ProposalGiven: _proposal_given,
    say.GateOpened: _gate_opened,
    say.GateAnswered: _gate_answered,
}
