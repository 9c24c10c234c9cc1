"""Gates: the places where the loop stops and a person decides.

    approach     choose one · feedback · reject and end
    question     answer · skip
    removal      remove · keep
    tool         once · for the session · no · stop for now
    failure      again · without · finish here · stop for now      (older sessions: offline, which asks again)
    checkpoint   continue · feedback · edit, or single changes · finish here · stop for now

Nothing is preselected, and each answer states its consequence. A decision is an event of its own, made by a person or
by a policy that a person named (``--approve``); nothing else ever answers a gate.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from workbench.domain.errors import UsageError
from workbench.domain.loop.begin import Begin
from workbench.domain.plan.changing.operations import Change

GateKind = Literal["approach", "question", "removal", "failure", "checkpoint", "tool"]
AnswerKind = Literal[
    "choose", "feedback", "reject", "answer", "skip", "remove", "keep", "again", "offline", "without", "continue",
    "edit", "change", "finish", "stop", "once", "session", "no",
]  # fmt: skip
CheckpointReason = Literal[
    "interval", "converged", "unchanged", "last", "forked", "tokens", "cost", "time", "calls", "drafted",
]  # fmt: skip
"""Why a checkpoint stands: its interval came round, the plan has converged, nothing changed any more, the last
iteration is done, what it continues from was approved elsewhere (in a fork's origin, in a file), a bound (tokens, cost,
time, calls) is reached, or the plan is drafted and no model works on it."""

BOUND_REASONS: frozenset[str] = frozenset({"tokens", "cost", "time", "calls"})


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One way to answer a gate."""

    kind: AnswerKind
    label: str
    consequence: str
    """What happens then, in a few words: ``drafts the plan``, ``ends the session``."""


def choice(kind: AnswerKind, consequence: str, *, label: str = "") -> Choice:
    """Return a way to answer a gate, called by its kind if it has no other label."""
    return Choice(kind=kind, label=label or kind, consequence=consequence)


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """An open decision."""

    id: str
    """g1, g2, … in the order they opened."""
    kind: GateKind
    question: str
    """One or two sentences for the person."""
    choices: tuple[Choice, ...]
    options: tuple[str, ...] = ()
    """Ids that ``choose`` may name: the approaches."""
    reason: CheckpointReason | None = None
    """Why a checkpoint stands; None for other gates."""
    tries: int = 0
    """Of a failure: how often the call failed, one after another; 0 for other gates."""
    is_lasting: bool = False
    """Of a failure: whether asking again would fail the same way, as with a wrong key."""
    needs: int = 0
    """Tokens that the next call needs, about, where the bound of tokens has not room for it; 0 otherwise."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A remark pinned to a section of the plan."""

    section: str
    text: str


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A decision at a gate."""

    kind: AnswerKind
    choice: str = ""
    """Id of the approach that was chosen."""
    text: str = ""
    """Feedback, the answer to a question, the reason of a rejection, or the edited plan as Markdown."""
    notes: tuple[Note, ...] = ()
    """Remarks on sections, sent with feedback as one batch."""
    begin: Begin | None = None
    """With ``choose``: the steps of a template that are kept, own steps, and values of the goal."""
    changes: tuple[Change, ...] = ()
    """Single changes of the plan: an undo, a repair that was offered. They can be made wherever it can be edited.
    With ``remove``, the removals that are accepted; none for all of them."""


def check_answer(gate: Gate, answer: Answer) -> None:
    """Raise UsageError, with what can be answered instead, when ``answer`` does not fit ``gate``."""
    kinds = tuple(choice.kind for choice in gate.choices)
    if ("edit" if answer.kind == "change" else answer.kind) not in kinds:
        this = f"{'An' if gate.kind == 'approach' else 'A'} {gate.kind} gate"
        raise UsageError(f"{this} cannot be answered with {answer.kind!r}.", f"Answer with one of: {', '.join(kinds)}.")
    if answer.kind == "choose" and answer.choice not in gate.options:
        raise UsageError(f"There is no approach {answer.choice!r}.", f"Choose one of: {', '.join(gate.options)}.")
    if answer.kind == "feedback" and not answer.text.strip() and not any(note.text.strip() for note in answer.notes):
        raise UsageError("The feedback is empty.", "Say what should change, in a sentence or more.")
    if answer.kind == "answer" and not answer.text.strip():
        raise UsageError("The answer is empty.", "Answer in a sentence, or skip the question.")
    if answer.kind == "edit" and not answer.text.strip():
        raise UsageError("The edited plan is empty.", "Edit it again; the plan is as it was.")
    if answer.kind == "change" and not answer.changes:
        raise UsageError("No change is named.", "Name at least one change.")
