"""What happens next in a session, as a pure function of its state.

    next_step(state) ─▶ Record   derived events to append: no outside effect
                     ├▶ Call     one request to a model
                     ├▶ Recall   one scoped search of this session's own memory
                     ├▶ Search   one search of other sessions, on the record, where recall is on
                     ├▶ Research one look for gaps into project files and own memory, where a person allowed it
                     ├▶ Observe  one look at the shared context, on the record, where it is on
                     ├▶ UseTool  one use of a tool that a model asked for, and that may be used
                     ├▶ Judge    a summary, or a worker's report, came back: what becomes of it?
                     ├▶ Abandon  a call of a process that is gone: say so, then ask again
                     ├▶ Wait     a gate is open: a person decides
                     └▶ Rest     finished, stopped or failed

    goal ─▶ propose ─▶ questions? ─▶ approach ─▶ ┌ guidance ─▶ planner ─▶ verifier ─▶ executor ─▶ generator ┐ ─▶ save
                                                 └───────── checkpoint ◀── iteration completed ◀────────────┘

A step has at most one outside effect, between two batches of events: what is about to be done, and what came back.
So a session goes on wherever it stopped, headless and interactive use are the same code, and what is derived can
be derived again from what was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from msgspec.structs import replace

from workbench.domain.errors import ModelReplyInvalid, UsageError, WorkbenchError
from workbench.domain.facts.findings import open_facts
from workbench.domain.facts.ledger import GOAL, LONGEST_TOLD, Stated, dismissal, stated
from workbench.domain.facts.reader import read_facts
from workbench.domain.log.ids import SessionId, entity_prefix
from workbench.domain.loop.causes import Causes, made_by_hand, with_what_no_model_says
from workbench.domain.loop.file_facts import in_files, untold
from workbench.domain.loop.gates import BOUND_REASONS, CheckpointReason, Choice, Gate
from workbench.domain.loop.last_round import last_said
from workbench.domain.loop.replies import read_reply
from workbench.domain.loop.research import gaps_of
from workbench.domain.loop.tasks import (
    MODEL,
    Accounted,
    Answered,
    ChatTask,
    Earlier,
    ExecuteReply,
    ExecuteTask,
    Feedback,
    Finding,
    GenerateReply,
    GenerateTask,
    Handled,
    InFile,
    LoopTask,
    PlanReply,
    PlanTask,
    ProposeReply,
    ProposeTask,
    Reply,
    Task,
    Taught,
    VerifyReply,
    VerifyTask,
    WorkTask,
)
from workbench.domain.loop.tool_calls import TASKS as TOOL_TASKS
from workbench.domain.loop.tool_calls import needs_permission, offered, refusal, tool_call_in, tool_gate
from workbench.domain.plan.change import change_between, percent
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.operations import (
    Cause,
    Change,
    RemoveItem,
    RemoveSection,
    applied,
    carried_out,
    operations_between,
)
from workbench.domain.plan.plan import Plan, amend
from workbench.domain.requests.context import listed
from workbench.domain.session import events as say
from workbench.domain.session.named_files import Citations, sources_of
from workbench.domain.session.state import (
    CHAT,
    CONDENSE,
    WORK,
    Asking,
    Current,
    Failure,
    HistoryItem,
    PendingCall,
    Received,
    SessionState,
    ToolUse,
    Worker,
)
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.document import with_sections
from workbench.domain.text.words import is_named

CONVERGED_BELOW = 0.05
"""An iteration that changed less than this share of the plan's tokens, with no major finding, has converged."""

_FOLLOWING = frozenset({"schedule", "actions"})
"""Sections that follow from the steps, and are made anew with them."""
_NAMED = 3
"""Items that a question about them names."""

GUIDANCE_RESULTS = 5
"""Results of the scoped search that guide the next iteration, unless told otherwise."""

ROLES: dict[str, str] = {
    "propose": "planner",
    "plan": "planner",
    "verify": "verifier",
    "execute": "executor",
    "generate": "generator",
}
"""Which role does which task."""


@dataclass(frozen=True, slots=True)
class Record:
    """Append these derived events, in one batch."""

    bodies: tuple[say.Body, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """Ask a model."""

    name: str
    """The task's name: propose, plan, verify, execute, generate, chat, work or condense."""
    role: str
    task: Task
    attempt: int = 1
    complaint: str = ""
    """Why the first reply was not usable; "" for a first attempt."""
    refused: HistoryItem | None = None
    """That reply; None for a first attempt."""
    message: str = ""
    """Of chat: id, in the history, of the message to answer."""
    covers: tuple[str, ...] = ()
    """Of condense: ids of what the answer is to stand for."""
    worker: Worker | None = None
    """Of work: who works."""
    is_offline: bool = False
    """Whether the offline planner answers, in place of a model that failed."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Search this session's own memory for what guides the next iteration."""

    query: str
    max_results: int
    fallback: tuple[str, ...]
    """The last iteration's first insights, for when the search fails or finds nothing."""


@dataclass(frozen=True, slots=True)
class Search:
    """Search what other sessions remember, for the call that comes next."""

    query: str
    max_results: int
    reason: str
    """What it is for, in words."""
    agent: str
    """Who is asked then, and gets of the replies only those of its namesakes."""
    for_call: str


@dataclass(frozen=True, slots=True)
class Research:
    """Look gaps up in the project's files, this session's memory and, where a person named a search, on the web."""

    gaps: tuple[str, ...]
    for_call: str


@dataclass(frozen=True, slots=True)
class Observe:
    """Look at what sessions share, for the call that comes next."""

    for_call: str


@dataclass(frozen=True, slots=True)
class UseTool:
    """Use a tool that a model asked for: it only reads, or a person allowed it."""

    using: ToolUse


@dataclass(frozen=True, slots=True)
class Judge:
    """A summary or a worker's report came back: planning/ decides, where contexts are made, what becomes of it."""

    received: Received


@dataclass(frozen=True, slots=True)
class Report:
    """A worker has failed, or has nothing left to spend: its agent is told what there is."""

    worker: Worker
    why: str


@dataclass(frozen=True, slots=True)
class Abandon:
    """A call was started by a process that is gone, and no reply is in the log."""

    call: PendingCall


@dataclass(frozen=True, slots=True)
class Wait:
    """A gate is open."""

    gate: Gate


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing happens by itself any more."""

    reason: str


Step = Record | Call | Recall | Search | Research | Observe | UseTool | Judge | Report | Abandon | Wait | Rest


def next_step(state: SessionState) -> Step:
    """Return what happens next. Pure: the same state gives the same step."""
    if state.changing and state.pending is None and state.received is None:
        return Record(_changed(state))
    if state.finished is not None and not _talks(state):
        return Rest(state.finished.reason)
    if state.failure is not None:
        return _failed(state, state.failure)
    if state.stopped:
        return Rest(state.stopped)
    if state.pending is not None:
        return Abandon(state.pending)
    if state.received is not None:
        asked = _tool_asked(state, state.received)
        if asked is not None:
            return Record((asked,))
        is_judged = state.received.call.task in (CONDENSE, WORK)
        return Judge(state.received) if is_judged else Record(_read(state, state.received))
    if state.using is not None:
        return _with_tool(state, state.using)
    worker = next((one for one in state.workers if one.report is None), None)
    if worker is not None:
        return _let_work(state, worker)
    if state.asking:
        return _chat(state, state.asking[0])
    if state.gate is not None:
        return Wait(state.gate)
    if state.ending:
        return Record(_ending(state))
    if state.edit:
        return Record(_edited(state))
    return _work(state)


def _tool_asked(state: SessionState, received: Received) -> say.ToolAsked | None:
    """Return the call of a tool that a reply is; None where it answers its task, or no tools are there."""
    call = received.call
    asked = tool_call_in(received.text) if state.tools.tools and call.task in TOOL_TASKS else None
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
        return Wait(state.gate) if state.gate is not None else _open(tool_gate(state, using, _gate_id(state)))
    bounded = _bounded(state)
    if bounded is not None:
        return Wait(state.gate) if state.gate is not None else bounded
    return UseTool(using)


def _work(state: SessionState) -> Step:
    unread = next(((source, text) for source, text in _sources(state) if source not in state.read), None)
    if unread is not None:
        return Record((_facts_of(state, *unread),))
    if state.approach is None and not state.proposal:
        return _agree(state)
    if not state.proposal_stored:
        return Record(_proposal_stored(state))
    if state.current is not None:
        return _iterate(state, state.current)
    if state.checkpoint is not None:
        if state.removals and state.plan is not None:
            return _open(_removal_gate(state, state.plan))
        return _open(_checkpoint_gate(state, state.checkpoint))
    return _bounded(state) or Record((say.IterationBegun(number=len(state.iterations) + 1),))


def _sources(state: SessionState) -> Iterator[tuple[str, str]]:
    """Yield what the person said, each with the name it has in the ledger."""
    yield GOAL, state.goal
    for number, answered in enumerate(state.answers, start=1):
        if answered.answer and not _picks(answered):
            yield f"A{number}", answered.answer
    for feedback in state.feedback:
        yield feedback.id, feedback.text


def _picks(answered: Answered) -> bool:
    """Tell whether an answer only names one of the numbered options of its question, or none of them."""
    picked = answered.answer.strip().strip(".").casefold()
    is_number = re.fullmatch("[1-9]", picked) is not None and f" {picked} " in answered.question
    return is_number or (picked.startswith("none") and picked in answered.question.casefold())


def _facts_of(state: SessionState, source: str, text: str) -> say.FactsRead:
    known = tuple(state.facts)
    dismissed, rest = dismissal(text, known) if source != GOAL else ((), text)
    facts = stated(read_facts(rest, date.fromisoformat(state.today)), source, known)
    return say.FactsRead(source=source, facts=facts, dismissed=dismissed)


def _agree(state: SessionState) -> Step:
    """Approaches, questions and the approval, before any plan is drafted."""
    if state.chosen:
        return Record(_chosen(state))
    if state.questions:
        return _open(_question_gate(state))
    if not state.approaches or state.approaches_stale:
        return _call(state, "propose")
    return _open(_approach_gate(state))


def _failed(state: SessionState, failure: Failure) -> Step:
    """Ask what to do about a call that failed, after what is asked already; in sessions of older rules that rests."""
    if state.gate is not None:
        return Wait(state.gate)
    return _open(_failure_gate(state, failure)) if failure.task else Rest(failure.message)


def _iterate(state: SessionState, current: Current) -> Step:
    if current.guidance is None:
        return guidance_for(state, current.number)
    plan = state.plan
    if not current.planned or plan is None:
        return _call(state, "plan")
    if state.without:
        return Record((_left_out(state, state.without, plan),))
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
    return Record(_completed(state, current, plan))


def _call(state: SessionState, name: str) -> Step:
    bounded = _bounded(state)
    if bounded is not None:
        return bounded
    attempt = 2 if state.rejected else 1
    if name in _SEARCHING and attempt == 1 and (gaps := gaps_of(state)):
        return Research(gaps, for_call=f"c{state.calls + 1}")
    if name in _SEARCHING and _is_search_due(state, ROLES[name], attempt):
        return _search(state, query_of(state), _SEARCHING[name], ROLES[name])
    if attempt == 1 and _is_look_due(state):
        return Observe(for_call=f"c{state.calls + 1}")
    is_offline = state.offline == name
    task = task_named(state, name)
    return Call(name, ROLES[name], task, attempt, state.rejected, _refused(state), is_offline=is_offline)


def _refused(state: SessionState) -> HistoryItem | None:
    """Return the reply that is to be repaired."""
    return next((one for one in reversed(state.history) if one.id == state.refused), None) if state.refused else None


def query_of(state: SessionState) -> str:
    """Return what a role's task is about, as memory is asked for it: the goal, open feedback, and gaps."""
    gaps = state.researched[-1].gaps if state.research.on and state.researched else ()
    said = [state.goal, *(feedback.text for feedback in state.open_feedback)]
    return " ".join([*said, *(gap for gap in gaps if gap not in said)])[:_MOST_OF_A_QUERY]


def may_quote_others(call: Call) -> bool:
    """Tell whether a call's prompt may hold what was found in other sessions, or what sessions share."""
    return call.name == CHAT or call.name in _SEARCHING


_SEARCHING = {"propose": "before approaches are proposed", "plan": "before the plan is written"}
"""Tasks that may hold what other sessions remember, and what a search for them is for."""
SEARCH_RESULTS = 10
_MOST_OF_A_QUERY = 2_000
"""Characters: what a goal and the feedback on it come to, usually."""


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
    works = any(one.report is None for one in state.workers) or state.using is not None
    return works or bool(state.asking) or (waits is not None and waits.task in (CHAT, WORK))


def _chat(state: SessionState, asking: Asking) -> Step:
    """Let an agent answer; where a bound is reached, the gate that asks about it comes first."""
    bounded = _bounded(state)
    if bounded is not None:
        return Wait(state.gate) if state.gate is not None else bounded
    task = _chat_task(state, asking)
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
    bounded = _bounded(state)
    if bounded is not None:
        return Wait(state.gate) if state.gate is not None else bounded
    task = WorkTask(
        goal=state.goal,
        today=state.today,
        agent=agent.name,
        instructions=agent.instructions,
        work=worker.work,
        constraints=state.constraints,
        plan=state.plan,
        tools=offered(state, WORK, worker=True),
    )
    return Call(WORK, worker.agent, task, worker=worker)


def _bounded(state: SessionState) -> Step | None:
    """Pause and ask where a bound is reached, and before anything is spent in what was approved elsewhere.

    A cost that nobody knows needs a bound of tokens beside that of cost.
    """
    if state.asks_again:
        return _open(_checkpoint_gate(state, "forked"))
    bounds, spent = state.bounds, state.spent
    if bounds.max_tokens is not None and spent.tokens >= bounds.max_tokens:
        return open_bound_gate(state, "tokens")
    if bounds.max_cost is not None and spent.cost is not None and spent.cost >= bounds.max_cost > 0:
        return open_bound_gate(state, "cost")
    if spent.cost is None and is_cost_alone_bounded(state):
        return open_price_gate(state)
    if bounds.max_time is not None and spent.seconds >= bounds.max_time:
        return open_bound_gate(state, "time")
    if bounds.max_calls is not None and spent.calls + spent.tool_calls >= bounds.max_calls:
        return open_bound_gate(state, "calls")
    return None


TOKENS_FOR_A_DOLLAR = 100_000
"""What a dollar buys of a dear model, at 10 dollars for a million: the bound offered where a price is not known."""


def is_cost_alone_bounded(state: SessionState) -> bool:
    """Tell whether nothing but what nobody may know would stop the session."""
    return state.bounds.max_cost is not None and state.bounds.max_tokens is None


def open_price_gate(state: SessionState) -> Record:
    """Return the step that asks for a bound in tokens, because a price is not known."""
    return open_bound_gate(state, "cost", needs=max(int((state.bounds.max_cost or 0) * TOKENS_FOR_A_DOLLAR), 1))


def open_bound_gate(state: SessionState, reason: CheckpointReason, *, needs: int = 0) -> Record:
    """Return the step that asks about a bound.

    ``needs`` says how many tokens the next call takes, where the bound is not reached but has not room for it.
    """
    return _open(_checkpoint_gate(state, reason, needs))


def _open(gate: Gate) -> Record:
    return Record((say.GateOpened(gate=gate),))


# --- gates ------------------------------------------------------------------------------------------------------------


def _gate_id(state: SessionState) -> str:
    return f"g{state.gates + 1}"


def _question_gate(state: SessionState) -> Gate:
    return Gate(
        id=_gate_id(state),
        kind="question",
        question=state.questions[0],
        choices=(
            Choice(kind="answer", label="answer", consequence="the approaches take it into account"),
            Choice(kind="skip", label="skip", consequence="the plan states an assumption instead"),
        ),
    )


def _approach_gate(state: SessionState) -> Gate:
    return Gate(
        id=_gate_id(state),
        kind="approach",
        question="Which approach should the plan follow?",
        options=tuple(approach.id for approach in state.approaches),
        choices=(
            Choice(kind="choose", label="choose one", consequence="the plan is drafted along it"),
            Choice(kind="feedback", label="feedback", consequence="other approaches are proposed"),
            Choice(kind="reject", label="reject", consequence="the session ends without a plan"),
        ),
    )


def _checkpoint_gate(state: SessionState, reason: CheckpointReason, needs: int = 0) -> Gate:
    kept = f"version {state.version} is saved and the session ends"
    about = _about_tokens(state)
    bound = reason in BOUND_REASONS
    choices = [Choice(kind="continue", label="continue", consequence=_going_on(state, reason, needs))]
    if state.plan is not None:
        if not bound:
            say_so = Choice(kind="feedback", label="feedback", consequence=f"the plan is amended{about}")
            edit = Choice(kind="edit", label="edit", consequence="your text becomes the next version")
            choices += [say_so, edit]
        choices.append(Choice(kind="finish", label="finish", consequence=kept))
    choices.append(Choice(kind="stop", label="stop", consequence="everything is kept; go on at any time"))
    return Gate(
        id=_gate_id(state),
        kind="checkpoint",
        reason=reason,
        question=_checkpoint_question(state, reason, needs),
        choices=tuple(choices),
        needs=needs,
    )


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


_HOW_ON = "How should it go on?"
_CHECKPOINT_ASKS = {
    "interval": _HOW_ON,
    "converged": "The plan has converged. Save it?",
    "unchanged": "Nothing was changed any more. Save the plan as it is?",
    "last": "That was the last iteration. Save the plan?",
}


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
        return f"{changed}; {_found(state)}{first}."
    if result.iteration_num == 1:
        return f"Iteration 1 drafted the plan; {_found(state)}."
    return f"Iteration {result.iteration_num} changed the plan by {percent(result.change)}; {_found(state)}."


_EDITED = "You edited the plan by hand"
_DONE_BY_A_PERSON: dict[str, str] = {
    "repair": "You accepted a repair",
    "policy": "The policy that you named accepted a repair",
    "undo": "You took a change back",
    "import": "You brought a file in",
}
"""By the cause of all its changes: where a version comes from that no planner made."""


def _found(state: SessionState) -> str:
    major = sum(finding.severity == "major" for finding in state.findings)
    minor = len(state.findings) - major
    found = ", ".join(f"{n} {what}" for n, what in ((major, "major"), (minor, "minor")) if n) or "no"
    return f"{found} finding{'' if major + minor == 1 else 's'} open"


def _about_tokens(state: SessionState, each: str = "") -> str:
    """Say behind a comma what an iteration takes; nothing where everything so far was free."""
    if state.spent.calls and state.spent.cost == 0:
        return ""
    tokens = state.last_iteration_tokens
    return f", about {tokens:,} tokens{each}" if tokens else f", about as much again{each}"


def _calls(count: int | None) -> str:
    return "1 call" if count == 1 else f"{count:,} calls"


def _going_on(state: SessionState, reason: CheckpointReason, needs: int) -> str:
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


# --- tasks ------------------------------------------------------------------------------------------------------------


def task_named(state: SessionState, name: str) -> LoopTask:
    """Return what a role is asked at this point of the session.

    Raises ModelReplyInvalid where the state has nothing to ask it about (a call without its plan, in a file from
    somebody else).
    """
    task = _task_named(state, name)
    tools = offered(state, name)
    return replace(task, tools=tools) if tools else task


def _task_named(state: SessionState, name: str) -> LoopTask:
    goal, today, plan, current = state.goal, state.today, state.plan, state.current
    if name == "propose":
        return ProposeTask(
            goal=goal,
            today=today,
            facts=_facts(state),
            answers=tuple(state.answers),
            feedback=state.feedback,
            previous=state.approaches,
            may_ask=not state.asked,
        )
    if name == "plan" and current is not None:
        return _plan_task(state, current)
    if name == "verify" and plan is not None:
        known = checked(state, plan)
        return VerifyTask(
            goal=goal,
            today=today,
            plan=plan,
            approach=state.approach,
            facts=tuple(_accounted(state)),
            constraints=state.constraints,
            feedback=state.feedback,
            known=known,
            earlier=tuple(finding for finding in state.findings if finding.rule == MODEL),
        )
    if name == "execute" and plan is not None:
        said = last_said(state, plan, "actions")
        changed = tuple(step.id for step in plan.steps if said is not None and step.id in said.changed)
        return ExecuteTask(goal=goal, today=today, plan=plan, findings=state.findings, changed=changed)
    if name == "generate" and plan is not None and current is not None:
        said = last_said(state, plan, "deliverable")
        return GenerateTask(
            goal=goal,
            today=today,
            plan=plan,
            actions=current.actions,
            findings=state.findings,
            document=said.result.deliverable if said is not None else "",
            changed=said.changed if said is not None else (),
        )
    raise ModelReplyInvalid(f"There is nothing to {name!r} at this point.", "Resume the session to ask again.")


def _chat_task(state: SessionState, asking: Asking) -> ChatTask:
    agent = state.agent(asking.agent)
    asked = next((said for said in reversed(state.history) if said.id == asking.message), None)
    if agent is None or asked is None:
        raise ModelReplyInvalid("Nobody can answer that message.", "Add the agent again, and ask once more.")
    return ChatTask(
        goal=state.goal,
        today=state.today,
        agent=agent.name,
        instructions=agent.instructions,
        message=asked.text,
        constraints=state.constraints,
        plan=state.plan,
        insights=state.insights,
        tools=offered(state, CHAT),
    )


def _facts(state: SessionState) -> tuple[Stated, ...]:
    """Return what the person stated, without what they took back; long words are cut, as the goal has them whole."""
    kept = (entry.stated for entry in state.ledger if entry.status != "dismissed")
    return tuple(replace(one, fact=replace(one.fact, text=shorten(one.fact.text, LONGEST_TOLD))) for one in kept)


def _accounted(state: SessionState) -> Iterator[Accounted]:
    """Yield what became of what the person stated, without what they took back."""
    for entry in state.ledger:
        if entry.status != "dismissed":
            words = shorten(entry.stated.fact.text, LONGEST_TOLD)
            yield Accounted(id=entry.stated.id, text=words, status=entry.status, items=entry.acted_on)


def _plan_task(state: SessionState, current: Current) -> PlanTask:
    facts = _facts(state)
    return PlanTask(
        goal=state.goal,
        today=state.today,
        iteration=current.number,
        approach=state.approach,
        proposal=state.proposal,
        facts=facts,
        answers=tuple(state.answers),
        constraints=state.constraints,
        assumptions=state.assumptions,
        feedback=tuple(replace(one, text=rest) for one, _, rest in _without_dismissals(state) if rest),
        findings=state.findings,
        guidance=current.guidance.items if current.guidance else (),
        in_files=in_files(state, facts),
        sources=tuple(InFile(source=ref, text=text) for ref, text in sources_of(state.named_files)),
        lessons=tuple(Taught(id=one.id, text=one.text, because=one.why) for one in state.lessons_in_force),
        plan=state.plan,
        versions=tuple(Earlier(version=one.version, plan=one.plan, changes=one.changes) for one in state.versions)
        if any(_UNDO.search(one.text) for one in state.open_feedback)
        else (),
    )


_UNDO = re.compile(r"(?i)\b(?:undo|revert|roll ?back|take|put|go|bring|restore|reverse)\b")


def _without_dismissals(state: SessionState) -> Iterator[tuple[Feedback, tuple[str, ...], str]]:
    """Yield open feedback with the facts that it takes back, and what it says besides."""
    gone = [fact for fact in state.facts if fact.id in state.dismissed]
    for feedback in state.open_feedback:
        facts, rest = dismissal(feedback.text, gone)
        yield feedback, facts, rest.strip(" .\n") if facts else feedback.text


def _with_dismissals(state: SessionState, handled: tuple[Handled, ...]) -> tuple[Handled, ...]:
    """Return what became of feedback, with the facts that it takes back: that needs no planner."""
    answered = {one.feedback for one in handled}
    done = (
        Handled(feedback=one.id, kind="remove", outcome="done", note=f"{listed(facts)} dismissed.")
        for one, facts, rest in _without_dismissals(state)
        if facts and (not rest or one.id in answered)
    )
    return (*done, *handled)


def checked(state: SessionState, plan: Plan) -> tuple[Finding, ...]:
    """Return what the checks find in a plan of a session, and what the ledger has against it."""
    found = _findings(_Asked(plan, state.today, state.constraints, state.feedback, state.handled))
    unread = Citations(sources).unread(plan) if (sources := state.sources) else ()
    return (*found, *open_facts(state.account_of(plan)), *unread, *untold(state, plan))


@dataclass(frozen=True, eq=False, slots=True)
class _Asked:
    """What the checks are asked about. Equal plans may still be written differently: it has to be the same one."""

    plan: Plan
    today: str
    constraints: tuple[str, ...]
    feedback: tuple[Feedback, ...]
    handled: tuple[Handled, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.plan is other.plan and self._told == other._told

    def __hash__(self) -> int:
        return id(self.plan)

    @property
    def _told(self) -> tuple[object, ...]:
        return self.today, self.constraints, self.feedback, self.handled


@lru_cache(maxsize=4)  # a version is checked for each of its tasks, and for each reply
def _findings(asked: _Asked) -> tuple[Finding, ...]:
    return check_plan(
        asked.plan,
        today=date.fromisoformat(asked.today),
        constraints=asked.constraints,
        feedback=asked.feedback,
        handled=asked.handled,
    )


# --- guidance ---------------------------------------------------------------------------------------------------------


def guidance_for(state: SessionState, number: int, max_results: int = GUIDANCE_RESULTS) -> Record | Recall:
    """Return how iteration ``number`` gets its guidance: by a search, or not at all where nothing can be found."""
    query = (
        f"Key insights, findings and learnings from planning iteration {number - 1} for goal: {state.goal}. "
        "What did we discover? What changed our understanding?"
    )
    if not state.insights and not state.given_entities:
        note = "There are no insights of this session yet."
        return Record((say.GuidanceRecalled(query=query, source="none", items=(), note=note),))
    fallback = next((result.key_insights for result in reversed(state.iterations) if result.key_insights), ())
    return Recall(query=query, max_results=max_results, fallback=fallback[:max_results])


# --- derived events ---------------------------------------------------------------------------------------------------


def _read(state: SessionState, received: Received) -> tuple[say.Body, ...]:
    """Return what a reply says as events, or why it is not usable."""
    if received.call.task == CHAT:
        message = next((one.message for one in state.asking if one.agent == received.call.role), "")
        return (say.AgentAnswered(agent=received.call.role, message=message),)
    call, refused = received.call, _refused(state)
    try:
        task = task_named(state, call.task)
        read = read_reply(task, received.text, refused.text if refused is not None else "")
        body = _replied(state, read.reply)
    except ModelReplyInvalid as error:
        return (_rejected(call, error),)
    except WorkbenchError:  # of the log, not of the reply
        raise
    except Exception:  # noqa: BLE001 - whatever it is: the reply is in the log, and would raise at each resume
        return (_rejected(call, ModelReplyInvalid("The reply cannot be read.", "Answer with one plain JSON object.")),)
    return (say.ReplyMended(call=call.call, notes=read.mended), body) if read.mended else (body,)


def _rejected(call: PendingCall, error: ModelReplyInvalid) -> say.Body:
    told = f"{call.model or 'The model'} answered, but the {call.role} cannot use it. {error.message}"
    return say.ReplyRejected(call=call.call, message=told, fault=str(error))


def _replied(state: SessionState, reply: Reply) -> say.Body:
    match reply:
        case ProposeReply():
            return _proposed(state, reply)
        case PlanReply():
            return _planned(state, reply)
        case VerifyReply():
            return _verified(state, reply)
        case ExecuteReply():
            before = last_said(state, state.plan, "actions") if state.plan is not None else None
            actions = reply.actions
            if before is not None and state.plan is not None:
                actions = before.standing(state.plan, reply.actions)
            return say.ActionsPrepared(actions=actions, insights=reply.insights)
        case GenerateReply():
            before = last_said(state, state.plan, "deliverable") if state.plan is not None else None
            written = reply.deliverable
            text = with_sections(before.result.deliverable, written) if before is not None else written
            return say.DeliverableWritten(text=text, insights=reply.insights)
    raise ModelReplyInvalid("It is no reply to a task of the loop.", "Resume the session to ask again.")


def _proposed(state: SessionState, reply: ProposeReply) -> say.Body:
    """Return what was proposed: approaches, or nothing but questions, once, where the goal is too vague for more."""
    if not reply.approaches and state.asked:
        raise ModelReplyInvalid("There must be at least one approach.", "Give ids A1, A2, A3.")
    return say.ApproachesProposed(
        approaches=reply.approaches,
        constraints=_said(reply.constraints),
        assumptions=_said(reply.assumptions),
        questions=_said(reply.questions),
    )


def _said(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out blank lines: nobody can answer them."""
    return tuple(line for line in lines if line.strip())


def _planned(state: SessionState, reply: PlanReply) -> say.Body:
    old = state.plan
    new = amend(old or Plan(title=reply.title), reply.amendments, title=reply.title)
    removals: tuple[RemoveItem | RemoveSection, ...] = ()
    if old is not None:
        new, removals = _with_what_was_left_out(state, old, new, reply.handled)
    causes = Causes(old or new, new, reply.handled, state.open_feedback, state.findings)
    new = with_what_no_model_says(
        old, new, causes, _facts(state), Citations(sources) if (sources := state.sources) else None
    )
    changed = new != old
    operations = operations_between(old or Plan(title=""), new)
    return say.PlanChanged(
        version=state.version + changed,
        changes=tuple(Change(operation, causes.of(operation)) for operation in operations),
        by="planner",
        change=change_between(old, new).ratio if changed else 0.0,
        handled=_with_dismissals(state, reply.handled),
        insights=reply.insights,
        removals=tuple(one for one in removals if one not in state.kept),
    )


def _with_what_was_left_out(
    state: SessionState, old: Plan, new: Plan, handled: tuple[Handled, ...]
) -> tuple[Plan, tuple[RemoveItem | RemoveSection, ...]]:
    """Return the new plan with all that a reply left out and nobody asked to remove, and what that is."""
    said = [feedback.text for feedback in state.open_feedback]
    said += [one.request for one in handled if one.request and any(one.request in text for text in said)]
    there = {item.id for item in new.items}
    sections = {section.id for section in new.sections}
    items: set[str] = set()
    removals: list[RemoveItem | RemoveSection] = []
    for section in old.sections:
        if section.id in _FOLLOWING:
            continue
        left = {
            item.id for item in section.items if item.id not in there and not is_named(wording(item), item.id, said)
        }
        items |= left
        if section.id in sections:
            removals += [RemoveItem(item.id) for item in section.items if item.id in left]
        elif left or (section.text and not is_named(section.title, section.id, said)):
            removals.append(RemoveSection(section.id))
    kept = {RemoveItem(item) for item in items} | set(removals)
    if not kept:
        return new, ()
    operations = operations_between(old, new)
    carried_out = [one for one in operations if not isinstance(one, RemoveItem | RemoveSection) or one not in kept]
    return applied(old, carried_out), tuple(removals)


def _removal_gate(state: SessionState, plan: Plan) -> Gate:
    items = {item.id: f"{item.id} “{shorten(wording(item), 50)}”" for item in plan.items}
    sections = {section.id: section.title for section in plan.sections}
    named = [
        items.get(one.item, one.item)
        if isinstance(one, RemoveItem)
        else f"the section “{shorten(sections.get(one.section, one.section), 50)}”"
        for one in state.removals
    ]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    them = "it" if len(named) == 1 else "them"
    return Gate(
        id=_gate_id(state),
        kind="removal",
        question=f"The planner left out {', '.join(named[:_NAMED])}{more}, which nobody had asked for. Remove {them}?",
        choices=(
            Choice(kind="keep", label="keep", consequence=f"the plan stays as it is, with {them}"),
            Choice(
                kind="remove",
                label="remove",
                consequence=f"version {state.version + 1} is without {them}",
            ),
        ),
    )


def _failure_gate(state: SessionState, failure: Failure) -> Gate:
    who = failure.role
    choices = [Choice(kind="again", label="again", consequence=f"the {who} is asked again")]
    if failure.task in ROLES and state.options.model != OFFLINE:
        choices.append(
            Choice(kind="offline", label="offline", consequence="the offline planner does this once, free of charge")
        )
    if failure.task in _DISPENSABLE:
        choices.append(Choice(kind="without", label="without", consequence=_DISPENSABLE[failure.task]))
    if state.plan is not None:
        kept = f"version {state.version} is saved and the session ends"
        choices.append(Choice(kind="finish", label="finish", consequence=kept))
    choices.append(Choice(kind="stop", label="stop", consequence="everything is kept; resume it with another model"))
    times = "" if failure.tries == 1 else f", for the {_ordinal(failure.tries)} time"
    return Gate(
        id=_gate_id(state),
        kind="failure",
        question=f"The {who} has not answered{times}: {failure.message} {failure.remedy}".strip(),
        choices=tuple(choices),
        tries=failure.tries,
        is_lasting=failure.error in _LASTING,
    )


_LASTING = frozenset({"ModelDenied", "ModelUnknown", "ContextTooSmall"})
"""Errors after which only a person can change something."""


_DISPENSABLE = {
    "verify": "the checks alone look at this version",
    "execute": "this version has no actions",
    "generate": "this version has no deliverable",
    CHAT: "your message stays without an answer",
}
"""Tasks that can be left out after a failure, and what that means."""
OFFLINE = "guided"
"""The name of the offline planner among the models."""


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")


def _left_out(state: SessionState, task: str, plan: Plan) -> say.Body:
    """Return what stands in the place of a reply that never came."""
    note = (f"The {ROLES[task]} did not answer: {_DISPENSABLE[task]}.",)
    if task == "verify":
        return say.PlanVerified(findings=checked(state, plan), insights=note)
    if task == "execute":
        return say.ActionsPrepared(actions=(), insights=note)
    return say.DeliverableWritten(text="", insights=note)


def _changed(state: SessionState) -> tuple[say.Body, ...]:
    """Return the version with what a person changed, and what the checks find in it."""
    old = state.plan or Plan(title="")
    return _by_hand(state, old, *carried_out(old, state.changing))


def _verified(state: SessionState, reply: VerifyReply) -> say.Body:
    plan = state.plan
    known = checked(state, plan) if plan is not None else ()
    seen = {(finding.rule, finding.item, finding.text) for finding in known}
    new = tuple(finding for finding in reply.findings if (finding.rule, finding.item, finding.text) not in seen)
    return say.PlanVerified(findings=(*known, *new), insights=reply.insights)


def _chosen(state: SessionState) -> tuple[say.Body, ...]:
    """Approve the approach that was chosen; the fold keeps a choice only where it is one of them."""
    return (say.ApproachChosen(approach=next(one for one in state.approaches if one.id == state.chosen)),)


def _proposal_stored(state: SessionState) -> tuple[say.Body, ...]:
    name = f"{entity_prefix(SessionId(state.written_as))}_proposal"
    return (say.EntityStored(name=name, content=state.proposal or _approach_text(state)),)


def _approach_text(state: SessionState) -> str:
    approach = state.approach
    if approach is None:
        return ""
    outline = "\n".join(f"{n}. {line}" for n, line in enumerate(approach.outline, start=1))
    return f"# {approach.title}\n\n{approach.summary}\n\n{outline}\n"


def _completed(state: SessionState, current: Current, plan: Plan) -> tuple[say.Body, ...]:
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
    name = f"{entity_prefix(SessionId(state.written_as))}_iteration_{current.number}"
    completed = say.IterationCompleted(result=result, checkpoint=_checkpoint_after(state, current, change))
    return (*_stored_once(state, name, _iteration_text(result)), completed)


def _stored_once(state: SessionState, name: str, content: str) -> tuple[say.Body, ...]:
    """Store an entity, unless a copy of this log that ends behind it holds it already."""
    newest = state.entity(name)
    is_stored = newest is not None and newest.content == content
    return () if is_stored else (say.EntityStored(name=name, content=content),)


def _iteration_text(result: say.IterationResult) -> str:
    insights = "\n".join(f"- {insight}" for insight in result.key_insights) or "None."
    findings = "\n".join(f"- {finding.severity}: {finding.text}" for finding in result.verification) or "None."
    return (
        f"# Iteration {result.iteration_num}\n\nChanged {percent(result.change)} of the plan.\n\n"
        f"## Key insights\n\n{insights}\n\n## Open findings\n\n{findings}\n\n{result.plan}"
    )


def _checkpoint_after(state: SessionState, current: Current, change: float) -> CheckpointReason | None:
    major = any(finding.severity == "major" for finding in state.findings)
    if current.number > 1 and change < CONVERGED_BELOW and not major and not state.open_feedback:
        return "converged"
    if current.number > 1 and not change and not current.handled and not state.open_feedback:
        return "unchanged"
    if current.number >= state.limit:
        return "last"
    return "interval" if current.number % state.options.checkpoint_interval == 0 else None


def _edited(state: SessionState) -> tuple[say.Body, ...]:
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
        say.PlanVerified(findings=(*checked(state, new), *_judged_before(state, old, new)), by="checks"),
    )


def _judged_before(state: SessionState, old: Plan, new: Plan) -> tuple[Finding, ...]:
    """Return the verifier's own findings, which no check repeats, where the edit left their sections as they were."""
    checks = set(checked(state, old))
    return tuple(
        finding
        for finding in state.findings
        if finding not in checks
        and (finding.section is None or old.section(finding.section) == new.section(finding.section))
    )


def _ending(state: SessionState) -> tuple[say.Body, ...]:
    if state.ending == "reject":
        return (say.SessionFinished(reason=state.ending_reason, outcome="rejected"),)
    finished = say.SessionFinished(reason=state.ending_reason, outcome="saved")
    saved = () if state.saved_version == state.version else (say.PlanSaved(version=state.version),)
    return (*saved, finished)
