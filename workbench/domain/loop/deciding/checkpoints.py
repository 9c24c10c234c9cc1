"""The gate after some iterations, or at a bound: what was done, what can be done next, and what that costs."""

from __future__ import annotations

from workbench.domain.loop.deciding.convergence import left_open
from workbench.domain.loop.deciding.gate_questions import next_gate_id
from workbench.domain.loop.deciding.gates import BOUND_REASONS, CheckpointReason, Gate, choice
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.changing.change import percent
from workbench.domain.session.state import Current, SessionState

CONVERGED_BELOW = 0.05
"""An iteration that changed less than this share of the plan's tokens has converged, if no finding is open."""
_HOW_ON = "How should it go on?"
_CHECKPOINT_ASKS = {
    "interval": _HOW_ON,
    "converged": "Hardly anything changes any more. Save it?",
    "unchanged": "Save the plan as it is?",
    "last": "That was the last iteration. Save the plan?",
    "drafted": "Change it by commands, or save it?",
}
_EDITED = "You edited the plan by hand"
_DONE_BY_A_PERSON: dict[str, str] = {
    "repair": "You accepted a repair",
    "policy": "The policy that you named accepted a repair",
    "undo": "You took a change back",
    "import": "You brought a file in",
}
"""By the cause of all its changes: where a version comes from that no planner made."""


def checkpoint_after(state: SessionState, current: Current, change: float) -> CheckpointReason | None:
    """Return why a checkpoint follows an iteration that changed so much of the plan; None if none does."""
    major = any(finding.severity == "major" for finding in state.open_findings)
    if plans_without_model(state):
        return "drafted"
    took_up = any(one.outcome != "not done" for one in current.handled)  # what a person asked for is looked at
    if current.number > 1 and change < CONVERGED_BELOW and not major and not state.open_feedback and not took_up:
        return "unchanged" if state.open_findings or left_open(state) else "converged"
    if current.number > 1 and not change and not current.handled and not state.open_feedback:
        return "unchanged"
    if current.number >= state.limit:
        return "last"
    is_due = state.checkpoint_wanted or current.number % state.options.checkpoint_interval == 0
    return "interval" if is_due else None


def checkpoint_gate(state: SessionState, reason: CheckpointReason, needs: int = 0) -> Gate:
    """Return the gate at a checkpoint. ``needs``: tokens of the next call, where a bound has no room for it."""
    choices = [choice("continue", _cost_of_continuing(state, reason, needs))] if reason != "drafted" else []
    if state.plan is not None:
        if reason not in BOUND_REASONS:
            choices.append(choice("feedback", _what_feedback_does(state)))
            choices.append(choice("edit", "your text becomes the next version"))
        choices.append(choice("finish", f"version {state.version} is saved and the session ends{_still_major(state)}"))
    choices.append(choice("stop", "everything is kept; go on at any time"))
    return Gate(
        id=next_gate_id(state),
        kind="checkpoint",
        reason=reason,
        question=_checkpoint_question(state, reason, needs),
        choices=tuple(choices),
        needs=needs,
    )


def _what_feedback_does(state: SessionState) -> str:
    if plans_without_model(state):
        return "it is kept; commands change the plan"
    return f"the plan is amended{_about_tokens(state)}"


def _still_major(state: SessionState) -> str:
    """Say what is wrong with a plan that would be saved now; "" if nothing major is."""
    major = sum(finding.severity == "major" for finding in state.open_findings)
    return f", with {major} major finding{'' if major == 1 else 's'} open" if major else ""


def _checkpoint_question(state: SessionState, reason: CheckpointReason, needs: int) -> str:
    spent, bounds = state.spent, state.bounds
    match reason:
        case "tokens" if needs and bounds.max_tokens is not None:
            left = max(bounds.max_tokens - spent.tokens, 0)
            return (
                f"The next call needs about {needs:,} tokens, "
                f"and the bound of {bounds.max_tokens:,} leaves {left:,}. Go on?"
            )
        case "tokens":
            return f"The bound of {bounds.max_tokens:,} tokens is reached: {spent.tokens:,} are spent. Go on?"
        case "cost" if needs:
            known = f"The cost is bounded by ${bounds.max_cost:.2f}, but this model's price is not known."
            return f"{known} Bound its tokens instead?"
        case "cost":
            return f"The bound of ${bounds.max_cost:.2f} is reached: ${spent.cost:.2f} is spent. Go on?"
        case "time":
            return f"The bound of {bounds.max_time:.0f} s is reached: calls took {spent.seconds:.0f} s. Go on?"
        case "calls":
            ended = spent.calls + spent.tool_calls
            return f"The bound of {_calls(bounds.max_calls)} is reached: {ended:,} came to an end. Go on?"
        case "forked" if state.forked is not None:
            return f"This is a fork of {state.forked.origin}, and takes over none of its approvals. {_HOW_ON}"
        case "forked":
            return f"This session comes from elsewhere, and nothing in it was approved here. {_HOW_ON}"
        case _:
            return f"{_course(state)} {_CHECKPOINT_ASKS[reason]}"


def _course(state: SessionState) -> str:
    """Say in a sentence what the last iteration did, or the edit by hand that came after it."""
    if not state.iterations:
        return "No iteration is done yet."
    result, newest = state.iterations[-1], state.versions[-1] if state.versions else None
    if newest is not None and newest.by == "person" and newest.version != result.plan_version:
        major = next((finding for finding in state.findings if finding.severity == "major"), None)
        first = f": {major.text.rstrip('.')}" if major else ""
        causes = {change.cause.kind for change in newest.changes}
        did = _DONE_BY_A_PERSON[causes.pop()] if len(causes) == 1 and causes <= _DONE_BY_A_PERSON.keys() else _EDITED
        changed = f"{did} (version {newest.version}, {percent(newest.change)} changed)"
        return f"{changed}; {_open_findings_text(state)}{first}."
    if result.iteration_num == 1:
        return f"Iteration 1 drafted the plan; {_open_findings_text(state)}."
    return (
        f"Iteration {result.iteration_num} changed the plan by {percent(result.change)}; {_open_findings_text(state)}."
    )


def _open_findings_text(state: SessionState) -> str:
    major = sum(finding.severity == "major" for finding in state.open_findings)
    minor = len(state.open_findings) - major
    found = ", ".join(f"{n} {what}" for n, what in ((major, "major"), (minor, "minor")) if n) or "no"
    left = left_open(state)
    told = f"{found} finding{'' if major + minor == 1 else 's'} open" if state.open_findings or not left else ""
    return "; ".join(filter(None, [told, left]))


def _cost_of_continuing(state: SessionState, reason: CheckpointReason, needs: int) -> str:
    """Say what going on costs."""
    bounds, about = state.bounds, _about_tokens(state)
    match reason:
        case "interval":
            return f"the next iteration{about}"
        case "forked":
            return f"{_what_goes_on(state)}{about}"
        case "converged" | "unchanged":
            return f"another iteration{about}"
        case "last":
            more = state.options.checkpoint_interval
            if more == 1:
                return f"one more iteration{about}"
            return f"up to {more} more iterations{_about_tokens(state, ' each')}"
        case "tokens":
            return f"the bound is raised by another {max(bounds.max_tokens or 0, needs):,} tokens"
        case "cost" if needs:
            return f"it goes on with at most {needs:,} tokens more; another number: --max-tokens"
        case "cost":
            return f"the bound is raised by another ${bounds.max_cost:.2f}"
        case "calls":
            return f"the bound is raised by another {_calls(bounds.max_calls)}"
        case _:
            return f"the bound is raised by another {bounds.max_time:.0f} s"


def _what_goes_on(state: SessionState) -> str:
    if state.approach is None and not state.proposal:
        return "approaches are proposed"
    if state.current is not None:
        return f"iteration {state.current.number} goes on"
    following = f" along {state.approach.title}" if state.approach is not None and not state.iterations else ""
    return f"iteration {len(state.iterations) + 1} begins{following}"


def _about_tokens(state: SessionState, each: str = "") -> str:
    """Say after a comma what an iteration takes; nothing if everything so far was free."""
    if state.spent.calls and state.spent.cost == 0:
        return ""
    tokens = state.last_iteration_tokens
    return f", about {tokens:,} tokens{each}" if tokens else f", about as much again{each}"


def _calls(count: int | None) -> str:
    return "1 call" if count == 1 else f"{count:,} calls"
