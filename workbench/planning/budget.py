"""The next step with its prompt, as far as the bounds have room for it.

    state ──next_step──▶ Call ──prompt──▶ about how many tokens ─┬─ they fit       ─▶ the call, with what is left for it
                                                                 └─ they do not    ─▶ the gate about the bound of tokens

A bound that is only looked at between calls is passed by any call that is larger than what is left. Prompts are written
here and not in the domain, so this stands between the pure next step and its performing, and is as pure: the same
state gives the same step, the gate included.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.domain.session import SessionState
from workbench.domain.steps import Call, Step, next_step, open_bound_gate
from workbench.models.ports import Message
from workbench.models.tokens import estimate_prompt
from workbench.planning.roles import messages_for

ANSWER_ROOM = 500
"""Tokens that the shortest useful answer takes: with less left, a call would be paid for and cut off."""


class Prepared(NamedTuple):
    """A step, and for a call its prompt."""

    step: Step
    messages: tuple[Message, ...] = ()
    tokens: int = 0
    """About how many tokens the prompt takes."""
    room: int | None = None
    """Tokens that its answer may take; None where tokens are not bounded."""


def prepare(state: SessionState) -> Prepared:
    """Return what happens next. Pure, but not quick where the plan is large: for a worker thread."""
    step = next_step(state)
    if not isinstance(step, Call):
        return Prepared(step)
    messages = messages_for(step)
    tokens = estimate_prompt(messages)
    if state.bounds.max_tokens is None:
        return Prepared(step, messages, tokens)
    room = state.bounds.max_tokens - state.spent.tokens - tokens
    if room < ANSWER_ROOM:
        return Prepared(open_bound_gate(state, "tokens", needs=tokens + ANSWER_ROOM))
    return Prepared(step, messages, tokens, room)
