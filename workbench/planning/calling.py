"""What is recorded before a model is asked: a pure function of the state and of the prepared prompt.

    state, Call with its prompt ─▶ started ─▶ call.started ─▶ the request goes out
                     └ no room ─▶ started, not_sent ─▶ call.started, call.failed: nothing goes out

The loop records this, and verification (replay/verification.py) makes it anew: there is one way to make it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import ContextTooSmall
from workbench.domain.loop.steps import Call
from workbench.domain.session import events as say
from workbench.domain.session.context import Message, spoken
from workbench.domain.session.session import SessionState
from workbench.models.ports import Parameters
from workbench.planning.budget import Prepared

CALL_TIMEOUT = 300.0
"""Seconds that one call may take, retries included, unless a bound of time leaves less."""


Started = tuple[say.CallStarted] | tuple[say.CallStarted, say.CallFailed]


def started(state: SessionState, step: Call, prepared: Prepared, model: str) -> Started:
    """Return what is recorded of a call that ``model`` answers; with its failure, where there is no prompt for it."""
    call = f"c{state.calls + 1}"
    body = say.CallStarted(
        call=call,
        role=step.role,
        task=step.name,
        attempt=step.attempt,
        model=model,
        messages=tuple(replace(one, content="") if one.item else one for one in prepared.messages),
        prompt_hash=prompt_hash(prepared.messages),
        parameters=msgspec.to_builtins(parameters_of(state, prepared.room)),
        estimated_tokens=prepared.tokens,
        context=prepared.context,
        covers=step.covers,
        worker=step.worker.worker if step.worker is not None else "",
    )
    return (body,) if prepared.too_small is None else (body, _not_sent(call, prepared.too_small))


def parameters_of(state: SessionState, room: int | None) -> Parameters:
    """Return how a call may be answered within what the bounds leave."""
    timeout = CALL_TIMEOUT
    if state.bounds.max_time is not None:
        timeout = max(1.0, min(timeout, state.bounds.max_time - state.spent.seconds))
    return Parameters(max_output_tokens=room, timeout=timeout)


def prompt_hash(messages: Sequence[Message]) -> str:
    """Return the sha256, hex, of a prompt: of its messages as JSON, each of its role and all of its text.

    It covers what the workbench hands to a provider's client, word for word and in its order, as does the ledger. How a
    client writes that as a request (messages of one role joined, the schema of the answer added) is not in it.
    """
    return hashlib.sha256(msgspec.json.encode(spoken(messages))).hexdigest()


def _not_sent(call: str, error: ContextTooSmall) -> say.CallFailed:
    """Return what is recorded of a call for which there is no prompt: nothing was sent, and nothing spent."""
    return say.CallFailed(call=call, error=type(error).__name__, message=error.message, remedy=error.remedy)
