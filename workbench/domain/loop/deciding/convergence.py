"""Whether iterations make a plan better: what changed, what is open, what steps rest on, and why it stopped."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.changing.change import percent
from workbench.domain.plan.plan import Plan, Question
from workbench.domain.plan.references import filler
from workbench.domain.session.named_files import Citations
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import GOAL, Account
from workbench.domain.text.cleaning import shorten

_MOST_SHOWN = 3
_WHY = {
    "interval": "a checkpoint was due",
    "drafted": "the plan is drafted, and no model works on it",
    "converged": "it has converged: hardly anything changed, and no finding is open",
    "unchanged": "hardly anything changed any more, and what is open needs you",
    "last": "all its iterations are done",
    "forked": "what it goes on from was approved elsewhere",
    "tokens": "the bound of tokens is reached",
    "cost": "the bound of cost is reached",
    "time": "the bound of time is reached",
    "calls": "the bound of calls is reached",
}
_WAITS = {
    "approach": "an approach is to be chosen",
    "question": "a question is to be answered",
    "removal": "the planner takes something out of the plan, and nobody had asked for that",
    "failure": "a model has not answered",
    "tool": "a tool may not be used before it is allowed",
}


def left_open(state: SessionState) -> str:
    """Say what of the plan waits for the person, in a line; "" if nothing does."""
    plan = state.plan
    if plan is None:
        return ""
    asked = _questions(state)
    said = open_statements(state, plan)
    count = "1 question waits" if len(asked) == 1 else f"{len(asked)} questions wait"
    told = [
        f"{count} for you: {_how_answered(state, asked[0].id)}" if asked else "",
        f"{said} statement{'' if said == 1 else 's'} of yours {'is' if said == 1 else 'are'} not used yet"
        if said
        else "",
    ]
    return "; ".join(filter(None, ["" if plan.steps else "the plan has no steps yet", *told]))


def _how_answered(state: SessionState, question: str) -> str:
    """Return how a question is answered: as feedback to a model, or by a command."""
    if plans_without_model(state):
        return f"answer with the command “{question}: …”"
    return f"answer “{question}: …” as feedback"


def first_questions(state: SessionState) -> tuple[str, ...]:
    """Return the first open questions of the plan."""
    return tuple(f"{question.id} {shorten(question.text, 160)}" for question in _questions(state)[:_MOST_SHOWN])


def _questions(state: SessionState) -> list[Question]:
    return [item for item in state.plan.items if isinstance(item, Question)] if state.plan else []


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """What an iteration came to."""

    number: int
    change: float
    """Share of the plan's tokens that differ from the iteration before, 0 to 1."""
    major: int
    minor: int
    """Findings that were open at its end."""
    open_statements: int
    """What the person said, and nothing accounts for yet."""
    steps: int
    sourced: int
    """Steps that cite a line that was read, or come from one."""

    @property
    def quality(self) -> str:
        """How good the plan was at its end, in a few words."""
        found = f"{self.major} major, {self.minor} minor findings; {self.open_statements} statements open"
        return f"{found}; {self.sourced} of {self.steps} steps sourced"

    @property
    def told(self) -> str:
        """The iteration in a line."""
        return f"changed {percent(self.change)}; {self.quality}"


def progress(state: SessionState) -> tuple[Progress, ...]:
    """Return what each iteration came to, in order; those that a program stored have no version of the plan."""
    plans = {version.version: version.plan for version in state.versions}
    citations = Citations(state.sources)
    told: list[Progress] = []
    for result in state.iterations:
        plan = plans.get(result.plan_version or 0)
        major = sum(finding.severity == "major" for finding in result.verification)
        known = plan or Plan(title="")
        came_to = Progress(
            number=result.iteration_num,
            change=result.change,
            major=major,
            minor=len(result.verification) - major,
            open_statements=open_statements(state, plan) if plan is not None else 0,
            steps=len(known.steps),
            sourced=sum(_has_source(step.origin, citations.cited_by(step)) for step in known.steps),
        )
        told.append(came_to)
    return tuple(told)


def open_statements(state: SessionState, plan: Plan) -> int:
    """Return how many statements a plan does not account for."""
    return len(unused(state, plan))


def unused(state: SessionState, plan: Plan | None) -> tuple[Account, ...]:
    """Return the statements that nothing accounts for yet; without a model, the goal needs none."""
    is_read = not plans_without_model(state)
    return tuple(one for one in state.accounts_in(plan) if one.is_open and (is_read or one.statement.source != GOAL))


def listed(state: SessionState) -> tuple[Account, ...]:
    """Return the statements that a person is shown with what became of them: all but a goal that needs no use."""
    left, fill = unused(state, state.plan), filler(state.plan or Plan(title=""))
    return tuple(replace(one, note=fill(one.note)) for one in state.accounts if not one.is_open or one in left)


def settled_findings_text(state: SessionState) -> str:
    """Return in a line what was found in the last round and is not in the plan any more; "" for nothing."""
    items = ", ".join(dict.fromkeys(one.item for one in state.dealt_with if one.item))
    count = len(state.dealt_with)
    found = "1 finding was" if count == 1 else f"{count} findings were"
    return f"{found} dealt with in this round{f': {items}' if items else ''}." if count else ""


def why_stopped(state: SessionState) -> str:
    """Return why the loop does not continue by itself, as part of a sentence; "" while it does."""
    if state.finished is not None:
        return state.finished.reason
    if state.gate is not None:
        return _WHY.get(state.gate.reason or "") or _WAITS.get(state.gate.kind, "")
    if state.failure is not None:
        return state.failure.message
    return state.stopped


def _has_source(origin: object, cited: tuple[str, ...]) -> bool:
    return bool(cited) or getattr(origin, "kind", "") in ("file", "research", "session", "shared")
