"""What follows from decisions and from the end of an iteration, as events."""

from __future__ import annotations

from workbench.domain.errors import UsageError
from workbench.domain.log.ids import SessionId, entity_prefix
from workbench.domain.loop.answers.causes import made_by_hand
from workbench.domain.loop.deciding.checkpoints import checkpoint_after
from workbench.domain.loop.plan_findings import checked, judged_still
from workbench.domain.plan.changing.change import change_between, percent
from workbench.domain.plan.changing.operations import Cause, Change, carried_out, operations_between
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.state import Current, SessionState


def approach_chosen(state: SessionState) -> say.Body:
    """Approve the approach that was chosen; the fold keeps a choice only if it is one of them."""
    return say.ApproachChosen(approach=next(approach for approach in state.approaches if approach.id == state.chosen))


def proposal_stored(state: SessionState) -> say.Body:
    """Store the proposal, or the approved approach, as an entity."""
    text, approach = state.proposal, state.approach
    if not text and approach is not None:
        outline = "\n".join(f"{n}. {line}" for n, line in enumerate(approach.outline, start=1))
        text = f"# {approach.title}\n\n{approach.summary}\n\n{outline}\n"
    return say.EntityStored(name=f"{entity_prefix(SessionId(state.written_as))}_proposal", content=text)


def iteration_completed(state: SessionState, current: Current, plan: Plan) -> tuple[say.Body, ...]:
    """Return the end of an iteration: its result, stored as an entity too, and whether a checkpoint follows."""
    change = 1.0 if current.plan_before is None else change_between(current.plan_before, plan).ratio
    result = say.IterationResult(
        iteration_num=current.number,
        plan=to_markdown(plan),
        key_insights=tuple(dict.fromkeys(current.insights)),
        verification=state.findings,
        actions=current.actions,
        deliverable=current.deliverable,
        handled=current.handled,
        change=change,
        plan_version=state.version,
    )
    completed = say.IterationCompleted(result=result, checkpoint=checkpoint_after(state, current, change))
    name = f"{entity_prefix(SessionId(state.written_as))}_iteration_{current.number}"
    entity = say.EntityStored(name=name, content=_iteration_text(result))
    newest = state.entity(name)
    if newest is not None and newest.content == entity.content:  # a copy of this log ended after it
        return (completed,)
    return (entity, completed)


def _iteration_text(result: say.IterationResult) -> str:
    insights = "\n".join(f"- {insight}" for insight in result.key_insights) or "None."
    findings = "\n".join(f"- {finding.severity}: {finding.text}" for finding in result.verification) or "None."
    return (
        f"# Iteration {result.iteration_num}\n\nChanged {percent(result.change)} of the plan.\n\n"
        f"## Key insights\n\n{insights}\n\n## Open findings\n\n{findings}\n\n{result.plan}"
    )


def changed_by_hand(state: SessionState) -> tuple[say.Body, ...]:
    """Return the version with what a person changed, and what the checks find in it."""
    old = state.plan or Plan(title="")
    return _by_hand(state, old, *carried_out(old, state.changing))


def edited_by_hand(state: SessionState) -> tuple[say.Body, ...]:
    """Return the next version, and what the checks find in it: nobody saves an edit whose findings were not shown."""
    old = state.plan or Plan(title="")
    try:
        new = from_markdown(state.edit, old)
    except UsageError:
        new = old
    new = made_by_hand(old, new)
    changes = tuple(Change(operation, Cause("person")) for operation in operations_between(old, new))
    return _by_hand(state, old, new, changes)


def _by_hand(state: SessionState, old: Plan, new: Plan, changes: tuple[Change, ...]) -> tuple[say.Body, ...]:
    if new == old:
        return (say.PlanChanged(version=state.version, by="person", change=0.0),)
    ratio = change_between(old, new).ratio
    return (
        say.PlanChanged(version=state.version + 1, changes=changes, by="person", change=ratio),
        say.PlanVerified(
            findings=(*checked(state, new), *judged_still(state.findings, old, new, changes)), by="checks"
        ),
    )


def session_ended(state: SessionState) -> tuple[say.Body, ...]:
    """Return the end of a session as its person chose it: rejected, or with the newest version saved."""
    if state.ending == "reject":
        return (say.SessionFinished(reason=state.ending_reason, outcome="rejected"),)
    finished = say.SessionFinished(reason=state.ending_reason, outcome="saved")
    saved = () if state.saved_version == state.version else (say.PlanSaved(version=state.version),)
    return (*saved, finished)
