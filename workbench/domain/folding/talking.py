"""Agents that a person talks to, and the workers that they send."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.folding.folds import Folds
from workbench.domain.session_state import Asking, HistoryItem, Moment, SessionState, Worker


def _message_given(state: SessionState, event: Event, body: say.MessageGiven) -> dict[str, Any]:
    said = HistoryItem(
        id=event.id,
        seq=event.seq,
        role=body.role,
        agent=event.agent if body.role == "assistant" else None,
        text=body.text,
        time=body.said or event.time,
    )
    asking = state.asking
    if any(agent.id == body.to for agent in state.agents):  # unknown, in a file from somebody else: nobody can answer
        asking = (*asking, Asking(agent=body.to, message=said.id))
    return {"history": state.history.appended(said), "asking": asking}


def _agent_added(state: SessionState, _event: Event, body: say.AgentAdded) -> dict[str, Any]:
    return {"agents": (*(one for one in state.agents if one.id != body.agent.id), body.agent)}


def _agent_answered(state: SessionState, _event: Event, body: say.AgentAnswered) -> dict[str, Any]:
    return {"received": None, "asking": tuple(one for one in state.asking if one.message != body.message)}


def _workers_sent(state: SessionState, event: Event, body: say.WorkersSent) -> dict[str, Any]:
    if state.agent(body.agent) is None:  # unknown, in a file from somebody else: nobody can work for it
        return {}
    known = {one.worker for one in state.workers}
    new = (
        Worker(worker=one.worker, agent=body.agent, work=one.work, allowance=one.allowance, seq=event.seq)
        for one in body.workers
        if one.worker not in known
    )
    return {"workers": (*state.workers, *new)}


def _worker_reported(state: SessionState, event: Event, body: say.WorkerReported) -> dict[str, Any]:
    read: dict[str, Any] = {}
    if state.received is not None and state.received.call.worker == body.worker:
        read = {"received": None}
    moment = Moment(seq=event.seq, time=event.time)
    return read | {"workers": with_worker(state.workers, body.worker, report=body, reported=moment)}


def with_worker(workers: tuple[Worker, ...], name: str, **changes: Any) -> tuple[Worker, ...]:
    """Return the workers, with one of them changed."""
    return tuple(replace(one, **changes) if one.worker == name else one for one in workers)


FOLDS: Folds = {
    say.MessageGiven: _message_given,
    say.AgentAdded: _agent_added,
    say.AgentAnswered: _agent_answered,
    say.WorkersSent: _workers_sent,
    say.WorkerReported: _worker_reported,
}
