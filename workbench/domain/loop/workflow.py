"""What happens next in a session, as a pure function of its state.

next_step(state) ─▶ one of the steps in steps.py

goal ─▶ propose ─▶ questions? ─▶ approach ─▶ ┌ guidance ─▶ planner ─▶ verifier ─▶ executor ─▶ generator ┐ ─▶ save
└───────── checkpoint ◀── iteration completed ◀────────────┘
"""

from __future__ import annotations

from typing import Literal

from workbench.domain.handout import document_of
from workbench.domain.loop.answers.reply_events import left_out, read_received
from workbench.domain.loop.asking.assignments import chat_task, refused_reply, task_named, work_task
from workbench.domain.loop.asking.last_round import last_said
from workbench.domain.loop.asking.research import gaps_of
from workbench.domain.loop.asking.statement_reading import uncut
from workbench.domain.loop.asking.tool_calls import may_call_tools, needs_permission, refusal, tool_call_in, tool_gate
from workbench.domain.loop.course_events import (
    approach_chosen,
    changed_by_hand,
    edited_by_hand,
    iteration_completed,
    proposal_stored,
    session_ended,
)
from workbench.domain.loop.deciding.bounds import open_gate, reached_bound
from workbench.domain.loop.deciding.checkpoints import checkpoint_gate
from workbench.domain.loop.deciding.gate_questions import (
    approach_gate,
    cut_gate,
    failure_gate,
    next_gate_id,
    question_gate,
    removal_gate,
)
from workbench.domain.loop.plan_findings import conflicts, is_of_page, judged_in, still_found
from workbench.domain.loop.steps import (
    OFFLINE,
    ROLES,
    Abandon,
    Call,
    Judge,
    Observe,
    Recall,
    Record,
    Report,
    Research,
    Rest,
    Search,
    Step,
    UseTool,
    Wait,
    plans_without_model,
)
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.session.state import (
    CHAT,
    CONDENSE,
    WORK,
    Asking,
    Current,
    Failure,
    Received,
    SessionState,
    ToolUse,
    Worker,
)

GUIDANCE_RESULTS = 5
"""Results of the scoped search that guide the next iteration, unless told otherwise."""
SEARCH_RESULTS = 10
_SEARCHING = {"propose": "before approaches are proposed", "plan": "before the plan is written"}
"""Tasks that may hold what other sessions remember, and what a search for them is for."""
_MOST_OF_A_QUERY = 2_000
"""Characters: what a goal and the feedback on it come to, usually."""


def next_step(state: SessionState) -> Step:
    """Return what happens next. Pure: the same state gives the same step."""
    if state.changing and state.pending is None and state.received is None:
        return Record(changed_by_hand(state))
    if state.submissions:
        return Rest("another program's plan is only reviewed")
    if state.finished is not None and not _talks(state):
        return Rest(state.finished.reason)
    if state.failure is not None:
        return _failed(state, state.failure)
    if state.stopped:
        return Rest(state.stopped)
    if state.pending is not None:
        return Abandon(state.pending)
    if state.received is not None:
        cut = cut_gate(state, state.received)
        if cut is not None:
            return open_gate(state, cut)
        asked = _tool_asked(state, state.received)
        if asked is not None:
            return Record((asked,))
        is_judged = state.received.call.task in (CONDENSE, WORK)
        return Judge(state.received) if is_judged else Record(read_received(state, state.received))
    if state.using is not None:
        return _with_tool(state, state.using)
    worker = next((worker for worker in state.workers if worker.report is None), None)
    if worker is not None:
        return _let_work(state, worker)
    if state.asking:
        return _chat(state, state.asking[0])
    if state.wanted and state.plan is not None and state.current is None and not plans_without_model(state):
        return _ask_outside_round(state, state.plan)
    if state.gate is not None:
        return Wait(state.gate)
    if state.ending:
        return _last_look(state) or Record(session_ended(state))
    if state.edit:
        return Record(edited_by_hand(state))
    return _work(state)


def _tool_asked(state: SessionState, received: Received) -> say.ToolAsked | None:
    """Return the call of a tool that a reply is; None if it answers its task, or no tools are there."""
    call = received.call
    asked = tool_call_in(received.text) if may_call_tools(state, call.task) else None
    if asked is None:
        return None
    return say.ToolAsked(
        use=f"t{state.tool_calls + 1}",
        call=call.call,
        role=call.role,
        task=call.task,
        tool=asked.tool,
        arguments=asked.arguments,
        message=received.item,
        worker=call.worker,
    )


def _with_tool(state: SessionState, using: ToolUse) -> Step:
    """Use a tool, or ask a person first, or say why it is not used."""
    refused = refusal(state, using)
    if refused is not None:
        return Record((refused,))
    if needs_permission(state, using):
        return open_gate(state, tool_gate(state, using, next_gate_id(state)))
    return reached_bound(state) or UseTool(using)


def _work(state: SessionState) -> Step:
    said = uncut(state)
    if said is not None:
        return Record((said,))
    if state.approach is None and not state.proposal:
        return _agree(state)
    if not state.proposal_stored:
        return Record((proposal_stored(state),))
    if state.current is not None:
        return _iterate(state, state.current)
    if state.checkpoint is not None:
        if state.removals and state.plan is not None:
            return open_gate(state, removal_gate(state, state.plan))
        return open_gate(state, checkpoint_gate(state, state.checkpoint))
    return reached_bound(state) or Record((say.IterationBegun(number=len(state.iterations) + 1),))


def _agree(state: SessionState) -> Step:
    """Approaches, questions and the approval, before any plan is drafted."""
    if state.chosen:
        return Record((approach_chosen(state),))
    if state.questions:
        return open_gate(state, question_gate(state))
    if not state.approaches or state.approaches_stale:
        return _call(state, "propose")
    if plans_without_model(state) and state.begin is not None and state.begin.is_chosen:
        return Record((say.ApproachChosen(approach=state.approaches[0]),))
    return open_gate(state, approach_gate(state))


def _failed(state: SessionState, failure: Failure) -> Step:
    """Ask what to do about a call that failed, after what is asked already; in sessions of older rules that rests."""
    if state.gate is not None:
        return Wait(state.gate)
    return open_gate(state, failure_gate(state, failure)) if failure.task else Rest(failure.message)


def _iterate(state: SessionState, current: Current) -> Step:
    if current.guidance is None:
        return guidance_for(state, current.number)
    plan = state.plan
    if not current.planned or plan is None:
        return _call(state, "plan")
    if state.without:
        return Record((left_out(state, state.without, plan),))
    if not plans_without_model(state):
        return _iterate_by_item(state, current, plan)
    if not current.verified:
        return _call(state, "verify")
    is_paid = state.options.model != OFFLINE
    if not current.prepared:
        before = last_said(state, plan, "actions") if is_paid else None
        if before is None or any(step.id in before.changed for step in plan.steps):
            return _call(state, "execute")
        return Record((say.ActionsPrepared(actions=before.standing(plan)),))
    if not current.written:
        before = last_said(state, plan, "deliverable") if is_paid else None
        made_of = (current.actions, state.findings)
        if before is None or before.changed or made_of != (before.result.actions, before.result.verification):
            return _call(state, "generate")
        return Record((say.DeliverableWritten(text=before.result.deliverable),))
    return Record(iteration_completed(state, current, plan))


def _iterate_by_item(state: SessionState, current: Current, plan: Plan) -> Step:
    """Mend what is calculated, let the verifier look, mend what it found, let it look at the difference: bounded.

    draft ─▶ conflicts? mend ─▶ verify ─▶ major? amend ─▶ conflicts? mend ─▶ verify the difference ─▶ findings? amend
    """
    if state.removals:
        return open_gate(state, removal_gate(state, plan))
    if state.unheard and current.passes < MOST_PASSES:
        return _call(state, "plan")
    if current.looks == 0:
        is_due = current.passes < PASSES_BEFORE_A_LOOK and bool(conflicts(state, plan))
        return _call(state, "plan" if is_due else "verify")
    has_changed, has_answered = current.looked_at != state.version, current.passes > current.looked_after
    judged = judged_in(state)
    is_major = any(one.severity == "major" for one in judged)
    if current.passes < MOST_PASSES:
        if judged and not has_answered and (current.looks == 1 or is_major):
            return _call(state, "plan")
        if has_changed and current.looks < MOST_LOOKS and conflicts(state, plan):
            return _call(state, "plan")
    if has_changed and is_major and current.looks < MOST_LOOKS:
        return _call(state, "verify")
    standing = still_found(state, plan)
    if standing != state.findings:
        return Record((say.PlanVerified(findings=standing, by="checks"),))
    return Record(iteration_completed(state, current, plan))


PASSES_BEFORE_A_LOOK, MOST_PASSES, MOST_LOOKS = 2, 4, 2
"""Calls of planner and verifier in a round at most; the verifier looks again only if the plan has changed."""


def _ask_outside_round(state: SessionState, plan: Plan) -> Step:
    """Ask executor or generator outside of a round, where what they said last is out of date."""
    task = state.wanted[0]
    what: Literal["actions", "deliverable"] = "actions" if task == "execute" else "deliverable"
    before = last_said(state, plan, what)
    steps = {step.id for step in plan.steps}
    stale = () if before is None else before.changed if task == "generate" else steps.intersection(before.changed)
    is_current = before is not None and not stale
    bounded = None if is_current else reached_bound(state)
    if state.without == task:
        return Record((left_out(state, task, plan),))
    if is_current or (bounded is not None and state.ending):
        said = before.result if before is not None else None
        if task == "execute":
            return Record((say.ActionsPrepared(actions=before.standing(plan) if before is not None else ()),))
        return Record((say.DeliverableWritten(text=said.deliverable if said is not None else ""),))
    return _call(state, task)


def _last_look(state: SessionState) -> Step | None:
    """Let the verifier read the page that is handed out, and mend what it finds, once; None if that is done.

    page ─▶ verify ─┬ about the plan? amend ─▶ the page again
                    └ about the words of the page? ──────▲
    """
    plan = state.plan
    if not state.last_look or state.ending != "save" or plan is None or plans_without_model(state):
        return None
    if state.without:
        return Record((left_out(state, state.without, plan),))
    if not document_of(state) or reached_bound(state) is not None:
        return None
    if state.last_look == "due":
        return _call(state, "verify") if state.last_looked_at != state.version else None
    if state.last_look == "found" and any(not is_of_page(one) for one in judged_in(state)):
        return _call(state, "plan")
    if state.removals:
        return open_gate(state, removal_gate(state, plan))
    standing = still_found(state, plan)
    if standing != state.findings:
        return Record((say.PlanVerified(findings=standing, by="checks"),))
    return _call(state, "generate")


def guidance_for(state: SessionState, number: int, max_results: int = GUIDANCE_RESULTS) -> Record | Recall:
    """Return how iteration ``number`` gets its guidance: by a search, or not at all if nothing can be found."""
    query = (
        f"Key insights, findings and learnings from planning iteration {number - 1} for goal: {state.goal}. "
        "What did we discover? What changed our understanding?"
    )
    if not state.insights and not state.given_entities:
        note = "There are no insights of this session yet."
        return Record((say.GuidanceRecalled(query=query, source="none", items=(), note=note),))
    fallback = next((result.key_insights for result in reversed(state.iterations) if result.key_insights), ())
    return Recall(query=query, max_results=max_results, fallback=fallback[:max_results])


# --- calls ------------------------------------------------------------------------------------------------------------


def _call(state: SessionState, name: str) -> Step:
    bounded = reached_bound(state)
    if bounded is not None:
        return bounded
    attempt = 2 if state.rejected else 1
    if name in _SEARCHING and attempt == 1 and (gaps := gaps_of(state)):
        return Research(gaps, for_call=f"c{state.calls + 1}")
    if name in _SEARCHING and _is_search_due(state, ROLES[name], attempt):
        return _search(state, query_of(state), _SEARCHING[name], ROLES[name])
    if attempt == 1 and _is_look_due(state):
        return Observe(for_call=f"c{state.calls + 1}")
    return Call(name, ROLES[name], task_named(state, name), attempt, state.rejected, refused_reply(state))


def query_of(state: SessionState) -> str:
    """Return what a role's task is about, as memory is asked for it: the goal, open feedback, and gaps."""
    gaps = state.researched[-1].gaps if state.research.on and state.researched else ()
    said = [state.goal, *(feedback.text for feedback in state.open_feedback)]
    return " ".join([*said, *(gap for gap in gaps if gap not in said)])[:_MOST_OF_A_QUERY]


def may_quote_others(call: Call) -> bool:
    """Tell whether a call's prompt may hold what was found in other sessions, or what sessions share."""
    return call.name == CHAT or call.name in _SEARCHING


def _is_search_due(state: SessionState, agent: str, attempt: int = 1) -> bool:
    """Tell whether what was found last is not for this call: a repair has what was found for the first attempt."""
    if attempt > 1:
        return state.recall and state.searched_as not in ("", agent)
    return state.recall and (state.searched_for, state.searched_as) != (f"c{state.calls + 1}", agent)


def _search(state: SessionState, query: str, reason: str, agent: str) -> Search:
    return Search(
        query=query[:_MOST_OF_A_QUERY],
        max_results=SEARCH_RESULTS,
        reason=reason,
        agent=agent,
        for_call=f"c{state.calls + 1}",
    )


def _is_look_due(state: SessionState) -> bool:
    return state.sharing and state.observed_for != f"c{state.calls + 1}"


def _talks(state: SessionState) -> bool:
    """Tell whether an agent is asked something, whatever the plan's own course is."""
    waits = state.pending or (state.received.call if state.received is not None else None)
    works = any(worker.report is None for worker in state.workers) or state.using is not None
    return works or bool(state.asking) or (waits is not None and waits.task in (CHAT, WORK))


def _chat(state: SessionState, asking: Asking) -> Step:
    """Let an agent answer; where a bound is reached, the gate that asks about it comes first."""
    bounded = reached_bound(state)
    if bounded is not None:
        return bounded
    task = chat_task(state, asking)
    if _is_search_due(state, asking.agent):
        return _search(state, task.message, "before an agent answers", asking.agent)
    if _is_look_due(state):
        return Observe(for_call=f"c{state.calls + 1}")
    return Call(CHAT, asking.agent, task, message=asking.message)


def _let_work(state: SessionState, worker: Worker) -> Step:
    """Let a worker do its part; where a bound is reached, the gate that asks about it comes first."""
    agent = state.agent(worker.agent)
    if worker.failed or agent is None:
        return Report(worker, worker.failed or "Its agent is gone.")
    return reached_bound(state) or Call(WORK, worker.agent, work_task(state, worker, agent), worker=worker)
