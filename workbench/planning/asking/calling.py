"""The next step with its prompt, as far as window and bounds have room for it, and what is recorded of a call.

    state ──prepare──▶ Call ─┬ its conversation comes near the window ─▶ a step that condenses it first
                             └─ prompt ─▶ about how many tokens ─┬─ they fit    ─▶ the call, and what is left for it
                                                                 └─ they do not ─▶ the gate about the bound of tokens
    state, Call with its prompt ─▶ started ─┬▶ call.started ─▶ the request goes out
                                    no room ─┴▶ call.started, call.failed: nothing goes out

A bound that is only looked at between calls is passed by any call that is larger than what is left. Prompts are written
here and not in the domain, so this is between the pure next step and its performing, and changes nothing itself:
the same state, models and memory give the same step, the gate included. The loop records what ``started`` returns, and
verification (replay/verification.py) makes it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from workbench.context.fit import Budget
from workbench.context.view import SessionView
from workbench.domain.errors import ContextTooSmall
from workbench.domain.loop.deciding.bounds import is_cost_alone_bounded, open_bound_gate, open_price_gate
from workbench.domain.loop.steps import OFFLINE, Call, Judge, Report, Step
from workbench.domain.loop.workflow import next_step
from workbench.domain.session import events as say
from workbench.domain.session.context import Message, SentContext, spoken
from workbench.domain.session.state import WORK, SessionState, Worker
from workbench.models.ports import LanguageModel, Parameters, Priced, window_of
from workbench.models.tokens import estimate_prompt
from workbench.planning.asking.condensing import condensing, summary_record
from workbench.planning.asking.gathering import Prompt, RemembersHere, budget_of, overhead_of, prompt_of, schema_tokens
from workbench.planning.asking.portions import in_part
from workbench.planning.asking.roles import messages_for
from workbench.planning.asking.working import salvaged, work_prompt, worker_report

ANSWER_ROOM = 500
"""Tokens that the shortest useful answer takes: with less left, a call would be paid for and cut off."""

ModelFor = Callable[[Call], LanguageModel]
"""Returns the model that answers a call."""


class Prepared(NamedTuple):
    """A step, and for a call its prompt."""

    step: Step
    model: LanguageModel | None = None
    """Who answers it, if it is a call."""
    messages: tuple[Message, ...] = ()
    context: SentContext | None = None
    """The ledger of them."""
    tokens: int = 0
    """About how many tokens the prompt takes."""
    room: int | None = None
    """Tokens that its answer may take; None if tokens are not bounded."""
    too_small: ContextTooSmall | None = None
    """Why there is no prompt: the model's window has no room for what it must hold."""


def prepare(state: SessionState, model_for: ModelFor, remembers: RemembersHere | None = None) -> Prepared:
    """Return what happens next. Not quick if the plan is large, and it searches: for a worker thread.

    Raises what ``model_for`` raises.
    """
    step = next_step(state)
    if isinstance(step, Judge):
        is_work = step.received.call.task == WORK
        return Prepared(worker_report(state, step.received) if is_work else summary_record(state, step.received))
    if isinstance(step, Report):
        return Prepared(salvaged(step.worker, step.why))
    if not isinstance(step, Call):
        return Prepared(step)
    model = model_for(step)
    window = window_of(model)
    if is_cost_alone_bounded(state) and isinstance(model, Priced) and not model.is_priced:
        return Prepared(open_price_gate(state))
    if step.worker is not None:
        return _prepare_worker(state, step, step.worker, model)
    step, budget = _fit_call(state, step, model.name, window)
    condenses = condensing(state, SessionView(state, step.role), budget, model.name)
    if isinstance(condenses, Call):
        messages = messages_for(condenses)
        tokens = estimate_prompt(messages)
        context = SentContext(tokens={"everything else": tokens}, window=budget.window, limit=budget.limit)
        return _bounded(state, condenses, model, Prompt(messages, context))
    if condenses is not None:
        return Prepared(condenses)
    try:
        step, prompt = _prompt(state, step, budget, remembers)
    except ContextTooSmall as error:
        context = SentContext(window=budget.window, limit=budget.limit)
        return Prepared(step, model, context=context, too_small=error)
    return _bounded(state, step, model, prompt)


def _fit_call(state: SessionState, step: Call, model: str, window: int) -> tuple[Call, Budget]:
    """Return a call whose inputs a model has room for, and what its prompt may hold.

    Without a language model nothing reads the prompt: it has the room that it takes.
    """
    budget = budget_of(state, step, model, window)
    if model == OFFLINE:
        is_full = budget.overhead > budget.limit // 2
        return step, replace(budget, window=budget.window + 2 * budget.overhead) if is_full else budget
    if budget.counted(0) <= budget.limit:
        return step, budget
    part = in_part(step, budget.room)
    return part, replace(budget, overhead=overhead_of(part))


def _prompt(state: SessionState, step: Call, budget: Budget, remembers: RemembersHere | None) -> tuple[Call, Prompt]:
    """Return the prompt of a call, whose inputs are sent in part where the conversation has no room beside them."""
    try:
        return step, prompt_of(state, step, budget, remembers)
    except ContextTooSmall:
        part = in_part(step, budget.room)
        if part is step:
            raise
        return part, prompt_of(state, part, replace(budget, overhead=overhead_of(part)), remembers)


def _prepare_worker(state: SessionState, step: Call, worker: Worker, model: LanguageModel) -> Prepared:
    """Return a worker's call within its allowance; its agent is told if that is used up."""
    try:
        call, prompt = work_prompt(state, step, worker, model)
    except ContextTooSmall as error:
        return Prepared(salvaged(worker, error.message))
    room = worker.allowance - worker.spent - prompt.tokens - schema_tokens(call.task)
    if room < ANSWER_ROOM:
        return Prepared(salvaged(worker, "Its tokens are used up."))
    prepared = _bounded(state, call, model, prompt)
    return prepared._replace(room=min(room, prepared.room or room)) if isinstance(prepared.step, Call) else prepared


def _bounded(state: SessionState, step: Call, model: LanguageModel, prompt: Prompt) -> Prepared:
    tokens = prompt.tokens + schema_tokens(step.task)
    if state.bounds.max_tokens is None:
        return Prepared(step, model, *prompt, prompt.tokens)
    room = state.bounds.max_tokens - state.spent.tokens - tokens
    if room < ANSWER_ROOM:
        return Prepared(open_bound_gate(state, "tokens", needs=tokens + ANSWER_ROOM))
    return Prepared(step, model, *prompt, prompt.tokens, room)


Started = tuple[say.CallStarted] | tuple[say.CallStarted, say.CallFailed]


def started(state: SessionState, step: Call, prepared: Prepared, model: str) -> Started:
    """Return what is recorded of a call that ``model`` answers; with its failure, if there is no prompt for it."""
    call = f"c{state.calls + 1}"
    body = say.CallStarted(
        call=call,
        role=step.role,
        task=step.name,
        attempt=step.attempt,
        model=model,
        messages=tuple(replace(message, content="") if message.item else message for message in prepared.messages),
        prompt_hash=prompt_hash(prepared.messages),
        parameters=msgspec.to_builtins(parameters_of(state, prepared.room)),
        estimated_tokens=prepared.tokens,
        context=prepared.context,
        covers=step.covers,
        worker=step.worker.worker if step.worker is not None else "",
    )
    if prepared.too_small is None:
        return (body,)
    error = prepared.too_small  # nothing was sent, and nothing spent
    return (body, say.CallFailed(call=call, error=type(error).__name__, message=error.message, remedy=error.remedy))


def parameters_of(state: SessionState, room: int | None) -> Parameters:
    """Return how a call may be answered within what the bounds leave."""
    most = state.bounds.max_time
    return Parameters(max_output_tokens=room, total=None if most is None else max(1.0, most - state.spent.seconds))


def prompt_hash(messages: Sequence[Message]) -> str:
    """Return the sha256, hex, of a prompt: of its messages as JSON, each of its role and all of its text.

    It covers what the workbench hands to a provider's client, word for word and in its order, as does the ledger. How a
    client writes that as a request (messages of one role joined, the schema of the answer beside them) is not in it.
    """
    return hashlib.sha256(msgspec.json.encode(spoken(messages))).hexdigest()
