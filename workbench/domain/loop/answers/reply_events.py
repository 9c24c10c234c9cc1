"""What a reply becomes: events that follow from it, or why it cannot be used."""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec.structs import replace

from workbench.domain.errors import ModelReplyInvalid, WorkbenchError
from workbench.domain.handout import document_of
from workbench.domain.loop.answers.causes import Causes, with_what_no_model_says
from workbench.domain.loop.answers.item_changes import Known, built
from workbench.domain.loop.answers.item_reply import ItemReply, lists_of
from workbench.domain.loop.answers.replies import MOST_NOTES, read_reply
from workbench.domain.loop.asking.assignments import refused_reply, task_named
from workbench.domain.loop.asking.last_round import last_said
from workbench.domain.loop.asking.statement_reading import handled_by, settled_by
from workbench.domain.loop.asking.tasks import (
    ExecuteReply,
    GenerateReply,
    PlanReply,
    PlanTask,
    ProposeReply,
    Reply,
    VerifyReply,
)
from workbench.domain.loop.deciding.gate_questions import NOT_MENDED, OPTIONAL_TASKS
from workbench.domain.loop.limits import excess
from workbench.domain.loop.plan_findings import checked, is_of_page, planner_findings
from workbench.domain.loop.steps import ROLES, plans_without_model
from workbench.domain.plan.changing.change import change_between
from workbench.domain.plan.changing.operations import Change, RemoveItem, RemoveSection, applied, operations_between
from workbench.domain.plan.plan import Plan, amend
from workbench.domain.plan.references import filler
from workbench.domain.plan.telling.schedule_told import date_changes, with_computed_dates, with_missing_dates
from workbench.domain.session import events as say
from workbench.domain.session.named_files import Citations
from workbench.domain.session.state import CHAT, PendingCall, Received, SessionState
from workbench.domain.text.document import with_sections
from workbench.domain.text.words import names_id

_FOLLOWING = frozenset({"schedule", "actions"})
"""Sections that follow from the steps, and are made again with them."""


def read_received(state: SessionState, received: Received) -> tuple[say.Body, ...]:
    """Return what a reply says as events, or why it is not usable."""
    if received.call.task == CHAT:
        message = next((one.message for one in state.asking if one.agent == received.call.role), "")
        return (say.AgentAnswered(agent=received.call.role, message=message),)
    call, refused = received.call, refused_reply(state)
    try:
        task = task_named(state, call.task)
        read = read_reply(task, received.text, refused.text if refused is not None else "")
        if isinstance(task, PlanTask) and (wanted := _wanted(state, task, read.reply)):
            return (say.ItemsWanted(items=wanted),)
        body, left_out = _body_and_notes(state, read.reply)
        renewed = _renewed(state, body)
    except ModelReplyInvalid as error:
        return (_rejected(call, error),)
    except WorkbenchError:  # of the log, not of the reply
        raise
    except Exception:  # noqa: BLE001 - whatever it is: the reply is in the log, and would raise at each resume
        return (_rejected(call, ModelReplyInvalid("The reply cannot be read.", "Answer with one plain JSON object.")),)
    notes = (*read.mended, *left_out)
    mended = (say.ReplyMended(call=call.call, notes=notes[:MOST_NOTES]),) if notes else ()
    return (*mended, body, *renewed)


def _renewed(state: SessionState, body: say.Body) -> tuple[say.Body, ...]:
    """Return what stands once the page was written again for what the verifier found in its words."""
    standing = tuple(finding for finding in state.findings if not is_of_page(finding))
    is_renewed = isinstance(body, say.DeliverableWritten) and state.last_look and standing != state.findings
    return (say.PlanVerified(findings=standing, by="checks"),) if is_renewed else ()


def _wanted(state: SessionState, task: PlanTask, reply: Any) -> tuple[str, ...]:
    """Return the items that the planner asks to see, once for an answer; () where it saw them, or asks for none.

    The name of a list, or of a section, asks for all of it.
    """
    asked = reply.show if isinstance(reply, ItemReply) and task.only and not state.items_wanted else ()
    placed = [(section.id, item) for section in task.plan.sections for item in section.items] if task.plan else []
    wanted = (item.id for place, item in placed if not {item.id, place, *lists_of(item)}.isdisjoint(asked))
    return tuple(name for name in dict.fromkeys(wanted) if name not in task.only)


def _rejected(call: PendingCall, error: ModelReplyInvalid) -> say.Body:
    told = f"{call.model or 'The model'} answered, but the {call.role} cannot use it. {error.message}"
    return say.ReplyRejected(call=call.call, message=told, fault=str(error))


def _body_and_notes(state: SessionState, reply: Any) -> tuple[say.Body, tuple[str, ...]]:
    """Return what a reply says, and notes of what of it could not be carried out."""
    if isinstance(reply, ItemReply):
        return _planned_by_item(state, reply)
    return _body_of_reply(state, reply), ()


def _body_of_reply(state: SessionState, reply: Reply) -> say.Body:
    plan = state.plan
    match reply:
        case ProposeReply():
            return _proposed(state, reply)
        case PlanReply():
            return _planned(state, reply)
        case VerifyReply() if plan is not None:
            return _verified(state, plan, reply)
        case ExecuteReply() if plan is not None:
            before = last_said(state, plan, "actions")
            actions = before.standing(plan, reply.actions) if before is not None else reply.actions
            return say.ActionsPrepared(actions=actions, insights=reply.insights)
        case GenerateReply() if plan is not None:
            before = last_said(state, plan, "deliverable")
            written = reply.deliverable
            text = with_sections(before.result.deliverable, written) if before is not None else written
            return say.DeliverableWritten(text=text, insights=reply.insights)
    raise ModelReplyInvalid("It is no reply to a task of the loop.", "Resume the session to ask again.")


def _proposed(state: SessionState, reply: ProposeReply) -> say.Body:
    """Return what was proposed: approaches, or nothing but questions, once, where the goal is too vague for more."""
    if not reply.approaches and state.asked:
        raise ModelReplyInvalid("There must be at least one approach.", "Give ids A1, A2, A3.")
    lists = (reply.constraints, reply.assumptions, reply.questions)
    constraints, assumptions, questions = (tuple(line for line in lines if line.strip()) for lines in lists)
    return say.ApproachesProposed(
        approaches=reply.approaches, constraints=constraints, assumptions=assumptions, questions=questions
    )


def _planned_by_item(state: SessionState, reply: Any) -> tuple[say.PlanChanged, tuple[str, ...]]:
    """Return the next version of the plan, and what of the reply could not be carried out."""
    old = state.plan or Plan(title="")
    known = Known(
        {statement.id: statement for statement in state.statements},
        planner_findings(state),
        Citations(state.sources),
        [name for one in state.practice for name, _ in one.steps],
    )
    done = built(old, reply, known)
    computed = with_computed_dates(state.plan, done.plan, date.fromisoformat(state.today))
    if why := excess(done.plan.sections):
        raise ModelReplyInvalid(f"{why}.", "Answer with less: group what belongs together, and leave out the rest.")
    settled, notes = settled_by(state, done.plan, reply)
    changed = computed != old
    body = say.PlanChanged(
        version=state.version + changed,
        changes=(*done.changes, *date_changes(done.plan, computed)),
        by="planner",
        change=change_between(state.plan, computed).ratio if changed else 0.0,
        handled=handled_by(state, done.plan, settled),
        insights=reply.insights,
        removals=tuple(one for one in done.unasked if one not in state.kept),
        settled=settled,
    )
    return body, (*done.notes, *notes)


def _planned(state: SessionState, reply: PlanReply) -> say.Body:
    old = state.plan
    new = amend(old or Plan(title=reply.title), reply.amendments, title=reply.title)
    removals: tuple[RemoveItem | RemoveSection, ...] = ()
    if old is not None:
        new, removals = _with_what_was_left_out(state, old, new)
    causes = Causes(old or new, new, reply.handled, state.open_feedback, state.findings)
    new = with_what_no_model_says(
        old,
        new,
        causes,
        Citations(sources) if (sources := state.sources) else None,
        practice=[name for one in state.practice for name, _ in one.steps],
    )
    today = date.fromisoformat(state.today)
    if not plans_without_model(state):
        computed = with_computed_dates(old, new, today)
    else:  # what a person wrote is taken as it is
        computed = with_missing_dates(new, today) if old is None else new
    changed = computed != old
    operations = operations_between(old or Plan(title=""), new)
    made = tuple(Change(operation, causes.cause_of(operation)) for operation in operations)
    return say.PlanChanged(
        version=state.version + changed,
        changes=(*made, *date_changes(new, computed)),
        by="planner",
        change=change_between(old, computed).ratio if changed else 0.0,
        handled=reply.handled,
        insights=reply.insights,
        removals=tuple(removal for removal in removals if removal not in state.kept),
    )


def _with_what_was_left_out(
    state: SessionState, old: Plan, new: Plan
) -> tuple[Plan, tuple[RemoveItem | RemoveSection, ...]]:
    """Return the new plan with all that a reply in whole sections left out, and what that is.

    What open feedback names by its id goes at once.
    """
    said = [feedback.text for feedback in state.open_feedback]
    there = {item.id for item in new.items}
    sections = {section.id for section in new.sections}
    items: set[str] = set()
    removals: list[RemoveItem | RemoveSection] = []
    for section in old.sections:
        if section.id in _FOLLOWING:
            continue
        left = {
            item.id
            for item in section.items
            if item.id not in there and not any(names_id(text, item.id) for text in said)
        }
        items |= left
        if section.id in sections:
            removals += [RemoveItem(item.id) for item in section.items if item.id in left]
        elif left or section.text:
            removals.append(RemoveSection(section.id))
    kept = {RemoveItem(item) for item in items} | set(removals)
    if not kept:
        return new, ()
    operations = operations_between(old, new)
    carried_out = [one for one in operations if not isinstance(one, RemoveItem | RemoveSection) or one not in kept]
    return applied(old, carried_out), tuple(removals)


def _verified(state: SessionState, plan: Plan, reply: VerifyReply) -> say.Body:
    known = checked(state, plan)
    seen = {(finding.rule, finding.item, finding.text) for finding in known}
    fill = filler(plan)
    found = (replace(one, text=fill(one.text), remedy=fill(one.remedy)) for one in reply.findings)
    new = tuple(one for one in found if (one.rule, one.item, one.text) not in seen)
    reasons = {one.finding: fill(one.reason) for one in reply.disputed if one.reason.strip()}
    judged = (replace(one, disputed=reasons.get(f"V{n}", one.disputed)) for n, one in enumerate(known, 1))
    return say.PlanVerified(findings=(*judged, *new), insights=reply.insights)


def left_out(state: SessionState, task: str, plan: Plan) -> say.Body:
    """Return what replaces a reply that never came."""
    note = (f"The {ROLES[task]} did not answer: {OPTIONAL_TASKS.get(task, NOT_MENDED)}.",)
    if task == "plan":
        return say.PlanChanged(version=state.version, by="planner", change=0.0, insights=note)
    if task == "verify":
        return say.PlanVerified(findings=checked(state, plan), insights=note)
    if task == "execute":
        return say.ActionsPrepared(actions=(), insights=note)
    return say.DeliverableWritten(
        text=document_of(state) if state.last_look in ("found", "mended") else "", insights=note
    )
