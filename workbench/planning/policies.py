"""Policies: decisions that a person made beforehand, for runs in which nobody is asked.

A policy is named on the command line (``--approve``, ``--choose``) or given by a program; it is
recorded as the actor of every decision it makes, and it never decides to spend beyond a bound.
"""

from __future__ import annotations

from workbench.domain.errors import UsageError
from workbench.domain.loop.deciding.gates import BOUND_REASONS, Answer, Gate
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.session.session import SessionState
from workbench.planning.ports import Decide, Decision


def approve_all(gate: Gate, *, choice: int = 1) -> Answer | None:
    """Return what ``--approve all`` answers: skip questions, choose an approach, keep everything, go on, save.

    A call that failed is tried again once, and then left out if that is possible.

    ``choice`` counts approaches from 1. None at a bound, and where a tool asks: both are a person's decision.
    Raises UsageError when there is no such approach.
    """
    if gate.kind == "question":
        return Answer(kind="skip")
    if gate.kind == "approach":
        return choose(gate, choice)
    if gate.kind == "tool":
        return None
    if gate.kind == "removal":
        return Answer(kind="keep")
    if gate.kind == "failure":
        can_be_left_out = any(choice.kind == "without" for choice in gate.choices)
        if gate.tries < 2 and not gate.is_lasting:
            return Answer(kind="again")
        return Answer(kind="without") if can_be_left_out else None
    if gate.reason in BOUND_REASONS:
        return None
    return Answer(kind="continue" if gate.reason in ("interval", "forked") else "finish")


def choose(gate: Gate, choice: int) -> Answer:
    """Return the choice of the approach with this number, from 1. Raises UsageError when there is none."""
    if not 1 <= choice <= len(gate.options):
        raise UsageError(f"There is no approach {choice}.", f"Choose a number from 1 to {len(gate.options)}.")
    return Answer(kind="choose", choice=gate.options[choice - 1])


async def nobody(_state: SessionState, _gate: Gate) -> Decision | None:
    """Leave every gate open."""
    return None


def own_steps(state: SessionState) -> int:
    """Return the number of the approach that takes no template, without a model: nobody but a person chooses one."""
    approaches = state.approaches if plans_without_model(state) else ()
    return next((number for number, one in enumerate(approaches, start=1) if not one.template), 1)


def approving_all(choice: int | None = None) -> Decide:
    """Return who decides under ``--approve all``. ``choice``: the approach that a person named, from 1."""

    async def decide(state: SessionState, gate: Gate) -> Decision | None:
        number = own_steps(state) if choice is None and gate.kind == "approach" else choice
        answer = approve_all(gate, choice=number or 1)
        return None if answer is None else Decision(answer, "policy")

    return decide
