"""What the four roles make of a plan: approaches, versions, findings, actions, a deliverable, insights."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from workbench.domain.errors import NotUnderstood, PlanUnsound
from workbench.domain.log.envelope import Event
from workbench.domain.log.growing import Growing
from workbench.domain.loop.asking.tasks import MODEL
from workbench.domain.loop.deciding.gates import CheckpointReason
from workbench.domain.plan.changing.operations import applied, carried_out, stands
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.folding.decisions import HAND_OUT
from workbench.domain.session.folding.folds import Folds
from workbench.domain.session.said import said_in
from workbench.domain.session.state import Current, Marked, Moment, PlanVersion, SessionState
from workbench.domain.statements.statement import statements_of, without

folds: Folds[SessionState] = Folds()

folds.of(say.ApproachChosen)(lambda state, _event, body: replace(state, approach=body.approach))
folds.of(say.PlanSaved)(lambda state, _event, body: replace(state, saved_version=body.version))
folds.of(say.IterationStored)(lambda state, event, body: _with_result(state, event, body.result))
folds.of(say.FactsRead)(lambda state, _event, _body: state)  # of rules up to 13: statements take their place


@folds.of(say.StatementsRead)
def _statements_read(state: SessionState, _event: Event, body: say.StatementsRead) -> SessionState:
    text = next((text for source, text in said_in(state) if source == body.source), "")
    said = statements_of(body.statements, body.source, text)
    return replace(state, cut=(*state.cut, body.source), statements=state.statements.appended(*said))


@folds.of(say.StatementMarked)
def _statement_marked(state: SessionState, event: Event, body: say.StatementMarked) -> SessionState:
    settled = without(state.settled, body.settled) if body.takes_back else state.settled.appended(body.settled)
    return replace(state, settled=settled, markings=_marked(state, event, body))


@folds.of(say.FindingDisputed)
def _finding_disputed(state: SessionState, event: Event, body: say.FindingDisputed) -> SessionState:
    wrong = body.finding
    names = (wrong.rule, wrong.item, wrong.text)
    findings = tuple(wrong if (one.rule, one.item, one.text) == names else one for one in state.findings)
    return replace(state, findings=findings, markings=_marked(state, event, body))


def _marked(state: SessionState, event: Event, body: say.StatementMarked | say.FindingDisputed) -> Growing[Marked]:
    version = state.version + 1 if body.with_changes else 0
    return state.markings.appended(Marked(seq=event.seq, version=version, body=body))


@folds.of(say.ResultWanted)
def _result_wanted(state: SessionState, _event: Event, body: say.ResultWanted) -> SessionState:
    return replace(state, wanted=tuple(dict.fromkeys((*state.wanted, body.task)))) if state.plan is not None else state


@folds.of(say.ItemsWanted)
def _items_wanted(state: SessionState, _event: Event, body: say.ItemsWanted) -> SessionState:
    return replace(_after_reply(state), items_wanted=body.items)


@folds.of(say.ApproachesProposed)
def _approaches_proposed(state: SessionState, _event: Event, body: say.ApproachesProposed) -> SessionState:
    return replace(
        _after_reply(state),
        approaches=body.approaches,
        approaches_stale=False,
        chosen="",
        constraints=body.constraints,
        assumptions=body.assumptions,
        questions=() if state.asked else body.questions,
        asked=True,
    )


@folds.of(say.IterationBegun)
def _iteration_begun(state: SessionState, _event: Event, body: say.IterationBegun) -> SessionState:
    heard = len(state.feedback)
    current = Current(number=body.number, tokens_before=state.spent.tokens, plan_before=state.plan, heard=heard)
    return replace(state, current=current, dealt_with=())


@folds.of(say.GuidanceRecalled)
def _guidance_recalled(state: SessionState, _event: Event, body: say.GuidanceRecalled) -> SessionState:
    return replace(state, current=state.current and replace(state.current, guidance=body))


@folds.of(say.PlanChanged)
def _plan_changed(state: SessionState, event: Event, body: say.PlanChanged) -> SessionState:
    current = state.current
    versions = state.versions
    plan = state.plan or Plan(title="")
    if body.version > state.version:
        plan = _plan_after(plan, event, body)
        version = PlanVersion(
            version=body.version,
            plan=plan,
            changes=body.changes,
            by=body.by,
            iteration=current.number if current else len(state.iterations),
            change=body.change,
            seq=event.seq,
            time=event.time,
        )
        versions = versions.appended(version)
    handled = (*state.handled, *body.handled)
    removals = tuple(removal for removal in dict.fromkeys((*state.removals, *body.removals)) if stands(removal, plan))
    if body.by == "person":
        checkpoint = _checkpoint_after_edit(state)
        return replace(
            state, versions=versions, handled=handled, edit="", changing=(), checkpoint=checkpoint, removals=removals
        )
    current = _with_insights(current, body.insights)
    current = current and replace(
        current,
        planned=True,
        passes=current.passes + 1,
        first=current.first or body.version,
        handled=(*current.handled, *body.handled),
        heard=state.received.call.feedback if state.received is not None else current.heard,
    )
    return replace(
        _after_reply(state),
        settled=state.settled.appended(*body.settled),
        items_wanted=(),
        versions=versions,
        handled=handled,
        without="",
        current=current,
        removals=removals,
        last_look="mended" if state.last_look == "found" else state.last_look,
    )


def _plan_after(old: Plan, event: Event, body: say.PlanChanged) -> Plan:
    """Return the plan after an event that changed it.

    Raises NotUnderstood if a change does not fit. Where something of the event was forgotten, such a change is left
    out: what it named may be what was forgotten.
    """
    if event.redacted:
        return carried_out(old, body.changes)[0]
    try:
        return applied(old, (change.operation for change in body.changes))
    except PlanUnsound as error:
        what = f"Event {event.id} does not fit the plan: {error.message.removesuffix('.')}"
        raise NotUnderstood(what, say.UPDATE_FIRST) from error


def _checkpoint_after_edit(state: SessionState) -> CheckpointReason | None:
    """Return why the checkpoint is asked again: that the plan had converged says nothing of what it is now."""
    if state.checkpoint not in ("converged", "unchanged"):
        return state.checkpoint
    return "last" if len(state.iterations) >= state.limit else "interval"


@folds.of(say.PlanVerified)
def _plan_verified(state: SessionState, _event: Event, body: say.PlanVerified) -> SessionState:
    judged = [finding for finding in body.findings if finding.rule == MODEL]
    about = {one.item for one in judged if one.item}
    gone = (one for one in state.findings if one.rule == MODEL and one not in judged and one.item not in about)
    state = replace(state, findings=body.findings, dealt_with=(*state.dealt_with, *gone))
    if body.by == "checks":
        return state
    current = _with_insights(state.current, body.insights)
    current = current and replace(
        current, verified=True, looks=current.looks + 1, looked_at=state.version, looked_after=current.passes
    )
    return replace(
        _after_reply(state),
        without="",
        current=current,
        last_look="found" if state.last_look == "due" and judged else "",
        last_looked_at=state.version if state.last_look == "due" else state.last_looked_at,
    )


@folds.of(say.ActionsPrepared)
def _actions_prepared(state: SessionState, _event: Event, body: say.ActionsPrepared) -> SessionState:
    current = _with_insights(state.current, body.insights)
    current = current and replace(current, prepared=True, actions=body.actions)
    if current is None:
        state = _outside_of_a_round(state, "execute", body.insights, actions=body.actions)
    return replace(_after_reply(state), without="", current=current)


@folds.of(say.DeliverableWritten)
def _deliverable_written(state: SessionState, _event: Event, body: say.DeliverableWritten) -> SessionState:
    current = _with_insights(state.current, body.insights)
    current = current and replace(current, written=True, deliverable=body.text)
    state = (
        state if current is not None else _outside_of_a_round(state, "generate", body.insights, deliverable=body.text)
    )
    last_look = "" if state.last_look in ("found", "mended") else state.last_look
    return replace(_after_reply(state), without="", current=current, last_look=last_look)


def _after_reply(state: SessionState) -> SessionState:
    """Return the state after a reply was taken as the answer to its task."""
    return replace(state, received=None, rejected="", refused="")


def _outside_of_a_round(state: SessionState, task: str, insights: tuple[str, ...], **said: Any) -> SessionState:
    """Keep what a role said outside of a round with the last one's result."""
    state = replace(state, wanted=tuple(one for one in state.wanted if one != task))
    if not state.iterations:
        return state
    *before, last = state.iterations
    learned = tuple(dict.fromkeys((*last.key_insights, *insights)))
    result = replace(last, **said, key_insights=learned, made_for=state.version)
    return replace(state, iterations=Growing((*before, result)))


@folds.of(say.IterationCompleted)
def _iteration_completed(state: SessionState, event: Event, body: say.IterationCompleted) -> SessionState:
    return replace(
        _with_result(state, event, body.result),
        checkpoint=body.checkpoint,
        checkpoint_wanted=False,
        current=None,
        wanted=HAND_OUT if state.options.every_round else state.wanted,
        last_iteration_tokens=state.spent.tokens - state.current.tokens_before if state.current else 0,
    )


def _with_result(state: SessionState, event: Event, result: say.IterationResult) -> SessionState:
    return replace(
        state,
        iterations=state.iterations.appended(result),
        iteration_ends=state.iteration_ends.appended(Moment(seq=event.seq, time=event.time)),
    )


def _with_insights(current: Current | None, insights: tuple[str, ...]) -> Current | None:
    return current and replace(current, insights=(*current.insights, *insights))
