"""What a person allowed inside a session, and the record that proves it.

    answer at a gate ─▶ Consents.give ─▶ the person's own folder (storage/trust.py)
                     └▶ event in the session's log: what happened, for replay and audit

    before a tool is used, before a model is asked ─▶ ``lapse_of`` ─┬▶ (): go on
                                                                   └▶ events; the gate opens again

    before anything of a person is recorded ─▶ ``check_decisions`` ─▶ UsageError within an agent's shell

A log proves nothing about consent: it can come with a clone, or be written by another process. So what it says was
allowed counts only where this person's record has exactly the same. Everything that acts asks here first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.asking.tool_calls import tool_gate
from workbench.domain.loop.deciding.gates import BOUND_REASONS, Answer, AnswerKind, Gate
from workbench.domain.loop.steps import Call, Step, UseTool, Wait
from workbench.domain.plan.changing.history import comes_back
from workbench.domain.plan.changing.operations import Change
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState, ToolUse
from workbench.domain.trust import Consent, digest_of
from workbench.planning.trust.person import agent_around, require_person

if TYPE_CHECKING:  # most runs use no tool
    from workbench.planning.trust.tools import Toolbox

_APPROVING: frozenset[AnswerKind] = frozenset({"choose", "remove", "continue", "finish"})
_ALLOWING: frozenset[AnswerKind] = frozenset({"once", "session"})
_OF_A_PERSON = ("client", "lesson", "tool", "use")
"""Kinds of consents. Bounds are checked at the place that records them; a plan file that is kept up allows nothing."""


def check_decisions(state: SessionState, bodies: Sequence[say.Body]) -> None:
    """Raise UsageError within an agent's shell for what only a person decides; it is about to be recorded as theirs."""
    if agent_around():
        for body in bodies:
            if done := _decided(state, body):
                require_person(done)


def _decided(state: SessionState, body: say.Body) -> str:
    """Return what a person consents to with that, in a word; "" for what anybody may say here."""
    match body:
        case say.OfferDecided(accepted=accepted):
            return "accepted" if accepted else "declined"
        case say.SubmissionDecided(decision=decision):
            return decision
        case say.BoundsChanged(bounds=bounds):
            return "allowed" if _capped(bounds, state.bounds) != bounds else ""
        case say.SessionRewound():
            return "rewound"
        case say.GateAnswered(answer=Answer(kind=kind)) if kind in _APPROVING | _ALLOWING:
            return "approved" if kind in _APPROVING else "allowed"
        case say.GateAnswered(answer=Answer(changes=changes)) | say.StatusReported(changes=changes):
            return "accepted" if _accepts(state, changes) else ""
        case _:
            return ""


def _accepts(state: SessionState, changes: Sequence[Change]) -> bool:
    """Tell whether changes are another program's, or make hold again what was."""
    if any(change.cause.kind == "client" for change in changes):
        return True
    back = [change.operation for change in changes if change.cause.kind == "undo"]
    try:
        return bool(back) and comes_back(state.versions, back)
    except PlanUnsound:  # nobody can tell
        return True


class Consents(Protocol):
    """The record of one person in one workspace. May block: call it off the event loop."""

    def has(self, consent: Consent) -> bool:
        """Tell whether exactly this was allowed."""
        ...

    def give(self, consent: Consent) -> None:
        """Record that it was. Where it cannot be kept, it holds for this process."""
        ...

    def withdraw(self, consent: Consent) -> None:
        """Record that it is not allowed any more."""
        ...


class ProcessConsents:
    """Consents that end with the process: for programs that keep no workspace."""

    def __init__(self) -> None:
        self._given: set[Consent] = set()

    def has(self, consent: Consent) -> bool:
        """Tell whether exactly this was allowed."""
        return consent in self._given

    def give(self, consent: Consent) -> None:
        """Record that it was. Raises UsageError if an agent would give it."""
        if consent.kind in _OF_A_PERSON:
            require_person("allowed")
        self._given.add(consent)

    def withdraw(self, consent: Consent) -> None:
        """Record that it is not allowed any more."""
        self._given.discard(consent)


def tool_consent(state: SessionState, tool: say.Tool) -> Consent:
    """Return the consent to a tool for a session: to its definition and to what its server is, not to their names.

    It holds for this session alone, and for no other one that is put in its place.
    """
    digest = digest_of(state.first_hash, tool.server, tool.server_digest, tool.name, tool.description, tool.parameters)
    return Consent(kind="tool", session=state.session, subject=tool.name, digest=digest)


def use_consent(state: SessionState, using: ToolUse, tool: say.Tool) -> Consent:
    """Return the consent to one call of a tool, with exactly these arguments."""
    digest = digest_of(tool_consent(state, tool).digest, using.role, using.arguments)
    return Consent(kind="use", session=state.session, subject=using.use, digest=digest)


def bounds_consent(state: SessionState, bounds: say.Bounds) -> Consent:
    """Return the consent to spend up to these bounds."""
    digest = digest_of(state.first_hash, msgspec.to_builtins(bounds))
    return Consent(kind="bounds", session=state.session, subject="", digest=digest)


def lesson_consent(lesson: say.Lesson) -> Consent:
    """Return the consent to give new sessions a lesson in these words."""
    return Consent(kind="lesson", subject=lesson.id, digest=digest_of(lesson.text))


def given_before(state: SessionState, gate: Gate, answer: Answer) -> Consent | None:
    """Return what a person allows with an answer, to be recorded before the answer is; None if it is nothing."""
    using = state.using
    tool = None if using is None else state.tool(using.tool)
    if gate.kind != "tool" or using is None or tool is None or answer.kind not in ("once", "session"):
        return None
    is_once = answer.kind == "once"
    return use_consent(state, using, tool) if is_once else tool_consent(state, tool)


def given_after(state: SessionState, gate: Gate, answer: Answer) -> Consent | None:
    """Return what follows from an answer that was recorded: bounds that it raised; None if it raised none."""
    is_raised = gate.reason in BOUND_REASONS and answer.kind == "continue"
    return bounds_consent(state, state.bounds) if is_raised else None


def lapse_of(
    state: SessionState, step: Step, consents: Consents, tools: Toolbox | None, limits: say.Bounds
) -> tuple[say.Body, ...]:
    """Return what is recorded instead of a step for which this person never gave the consent that it needs.

    () if the step may be performed. ``limits`` are the person's bounds for every session. May block.
    """
    if isinstance(step, UseTool) and tools is not None and not _may_use(state, step.using, consents, tools):
        offered = tools.offered  # the person is asked about the tool as it is, and not as the log has it
        lapsed = say.ConsentLapsed(use=step.using.use)
        return (lapsed,) if offered == state.tools else (offered, lapsed)
    if isinstance(step, Wait):
        return lapses_of_forged(state, step.gate)
    if isinstance(step, Call):
        bounds = _capped(state.bounds, limits)
        if bounds != state.bounds and not consents.has(bounds_consent(state, state.bounds)):
            return (say.BoundsChanged(bounds=bounds),)
    return ()


def used_up(state: SessionState, using: ToolUse, consents: Consents) -> None:
    """Let a consent to one call end with that call."""
    tool = state.tool(using.tool)
    if tool is not None and not tool.read_only:
        consents.withdraw(use_consent(state, using, tool))


def lapses_of_forged(state: SessionState, gate: Gate) -> tuple[say.ConsentLapsed, ...]:
    """Return what is recorded of a question about a tool that this workbench does not ask so: a log can hold any."""
    using = state.using
    if gate.kind != "tool" or using is None or gate == tool_gate(state, using, gate.id):
        return ()
    return (say.ConsentLapsed(use=using.use),)


def _may_use(state: SessionState, using: ToolUse, consents: Consents, tools: Toolbox) -> bool:
    """Tell whether a tool may be used as it is defined now. Of one that is gone, the use says so."""
    tool = tools.definition(using.tool)
    if tool is None or tool.read_only or tool.name in tools.allowed:
        return True
    return consents.has(tool_consent(state, tool)) or consents.has(use_consent(state, using, tool))


def _capped(bounds: say.Bounds, limits: say.Bounds) -> say.Bounds:
    """Return bounds that nowhere exceed the limits."""
    lowered = {
        name: limit
        for name, limit in msgspec.structs.asdict(limits).items()
        if limit is not None and ((bound := getattr(bounds, name)) is None or bound > limit)
    }
    return replace(bounds, **lowered)
