"""Agents that a person talks to, the workers that they send, and what other programs offer and say."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.folding.folds import Folds
from workbench.domain.session.state import Asking, ClientMessage, HistoryItem, Moment, Offered, SessionState, Worker

folds: Folds[SessionState] = Folds()


@folds.of(say.MessageGiven)
def _message_given(state: SessionState, event: Event, body: say.MessageGiven) -> SessionState:
    message = HistoryItem(
        id=event.id,
        seq=event.seq,
        role=body.role,
        agent=event.agent if body.role == "assistant" else None,
        text=body.text,
        time=body.said or event.time,
    )
    asking = state.asking
    if any(agent.id == body.to for agent in state.agents):  # unknown, in a file from somebody else: nobody can answer
        asking = (*asking, Asking(agent=body.to, message=message.id))
    return replace(state, history=state.history.appended(message), asking=asking)


@folds.of(say.AgentAdded)
def _agent_added(state: SessionState, _event: Event, body: say.AgentAdded) -> SessionState:
    return replace(state, agents=(*(agent for agent in state.agents if agent.id != body.agent.id), body.agent))


@folds.of(say.AgentAnswered)
def _agent_answered(state: SessionState, _event: Event, body: say.AgentAnswered) -> SessionState:
    asking = tuple(asking for asking in state.asking if asking.message != body.message)
    return replace(state, received=None, asking=asking, tools_in_a_row=0)


@folds.of(say.WorkersSent)
def _workers_sent(state: SessionState, event: Event, body: say.WorkersSent) -> SessionState:
    if state.agent(body.agent) is None:  # unknown, in a file from somebody else: nobody can work for it
        return state
    known = {worker.worker for worker in state.workers}
    new = (
        Worker(worker=sent.worker, agent=body.agent, work=sent.work, allowance=sent.allowance, seq=event.seq)
        for sent in body.workers
        if sent.worker not in known
    )
    return replace(state, workers=(*state.workers, *new))


@folds.of(say.WorkerReported)
def _worker_reported(state: SessionState, event: Event, body: say.WorkerReported) -> SessionState:
    is_reply = state.received is not None and state.received.call.worker == body.worker
    moment = Moment(seq=event.seq, time=event.time)
    workers = (
        replace(worker, report=body, reported=moment) if worker.worker == body.worker else worker
        for worker in state.workers
    )
    return replace(state, received=None if is_reply else state.received, workers=tuple(workers))


@folds.of(say.ChangesOffered)
def _changes_offered(state: SessionState, event: Event, body: say.ChangesOffered) -> SessionState:
    if any(one.id == body.offer for one in state.offers):  # twice, in a file from somebody else: the first one counts
        return state
    offered = Offered(
        id=body.offer,
        client=body.client,
        text=body.text,
        reason=body.reason,
        version=body.version,
        time=event.time,
    )
    return replace(state, offers=(*state.offers, offered))


@folds.of(say.OfferDecided)
def _offer_decided(state: SessionState, _event: Event, body: say.OfferDecided) -> SessionState:
    decided: Literal["accepted", "declined"] = "accepted" if body.accepted else "declined"
    return replace(
        state,
        offers=tuple(
            replace(offer, decided=decided, note=body.note) if offer.id == body.offer and not offer.decided else offer
            for offer in state.offers
        ),
    )


@folds.of(say.ClientSaid)
def _client_said(state: SessionState, event: Event, body: say.ClientSaid) -> SessionState:
    said = ClientMessage(client=body.client, text=body.text, time=event.time)
    return replace(state, client_messages=(*state.client_messages, said))
