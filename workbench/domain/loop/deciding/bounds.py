"""Bounds of tokens, cost, time and calls: if one is reached, a person decides how to continue."""

from __future__ import annotations

from workbench.domain.loop.deciding.checkpoints import checkpoint_gate
from workbench.domain.loop.deciding.gates import CheckpointReason, Gate
from workbench.domain.loop.steps import Record, Wait
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState


def reached_bound(state: SessionState) -> Record | Wait | None:
    """Pause and ask where a bound is reached, and before anything is spent in what was approved elsewhere.

    A cost that nobody knows needs a bound of tokens beside that of cost.
    """
    if state.asks_again:
        return open_gate(state, checkpoint_gate(state, "forked"))
    bounds, spent = state.bounds, state.spent
    if bounds.max_tokens is not None and spent.tokens >= bounds.max_tokens:
        return open_bound_gate(state, "tokens")
    if bounds.max_cost is not None and spent.cost is not None and spent.cost >= bounds.max_cost > 0:
        return open_bound_gate(state, "cost")
    if spent.cost is None and is_cost_alone_bounded(state):
        return open_price_gate(state)
    if bounds.max_time is not None and spent.seconds >= bounds.max_time:
        return open_bound_gate(state, "time")
    if bounds.max_calls is not None and spent.calls + spent.tool_calls >= bounds.max_calls:
        return open_bound_gate(state, "calls")
    return None


TOKENS_FOR_A_DOLLAR = 100_000
"""What a dollar buys of a dear model, at 10 dollars for a million: the bound offered where a price is not known."""


def is_cost_alone_bounded(state: SessionState) -> bool:
    """Tell whether nothing but what nobody may know would stop the session."""
    return state.bounds.max_cost is not None and state.bounds.max_tokens is None


def open_price_gate(state: SessionState) -> Record | Wait:
    """Return the step that asks for a bound in tokens, because a price is not known."""
    return open_bound_gate(state, "cost", needs=max(int((state.bounds.max_cost or 0) * TOKENS_FOR_A_DOLLAR), 1))


def open_bound_gate(state: SessionState, reason: CheckpointReason, *, needs: int = 0) -> Record | Wait:
    """Return the step that asks about a bound.

    ``needs`` says how many tokens the next call takes, where the bound is not reached but has not room for it.
    """
    return open_gate(state, checkpoint_gate(state, reason, needs))


def open_gate(state: SessionState, gate: Gate) -> Record | Wait:
    """Return the step that opens a gate. One gate at a time: what is open already is decided first."""
    return Record((say.GateOpened(gate=gate),)) if state.gate is None else Wait(state.gate)
