"""Workers: parts of an agent's work, done beside it, each with a copy of its context and a share of its tokens.

    agent, parts ─▶ send ─▶ workers.sent ─▶ a call each, in turn ─▶ reply ──reported──▶ worker.reported
                                             └ tokens used up, or failed ──salvaged──▶ worker.reported, incomplete
    worker.reported ─▶ is in the agent's own view, and in nobody else's

A worker acts for the agent that sent it and sees what that agent saw then. What workers may spend and what stays for
their agent never exceeds what the session has left; what they do not spend is the agent's again. The order in which
reports come in changes nothing: they are in the order in which the workers were sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from workbench.context.entry import TOOL_RESULT
from workbench.context.fit import Budget, Bundle
from workbench.context.gather import gather
from workbench.context.receipts import digest
from workbench.context.view import SessionView
from workbench.domain.errors import ModelReplyInvalid, UsageError
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.asking.tasks import WorkReply, WorkTask
from workbench.domain.loop.limits import MOST_CHARACTERS
from workbench.domain.loop.steps import Call, Record
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.domain.session.state import Received, SessionState, Worker
from workbench.domain.text.cleaning import clean, shorten
from workbench.models.ports import LanguageModel
from workbench.models.tokens import estimate_prompt, estimate_tokens
from workbench.planning.asking.condensing import whole
from workbench.planning.asking.gathering import Prompt, fitted, record_of, reserve_of, schema_tokens
from workbench.planning.asking.portions import in_part
from workbench.planning.asking.roles import messages_for

MOST_WORKERS = 8
"""At a time."""
MOST_OF_A_REPORT = 1_000
"""Tokens of a report's answer."""
LEAST_ALLOWANCE = 500
"""Tokens below which a worker could do nothing useful."""
MOST_EVIDENCE = 50
MOST_QUESTIONS = 20
_QUESTION = 400
"""Characters of an open question."""
_KEPT_FOR_THE_AGENT = 0.4
"""Share of what is left that stays for the agent itself."""


def workers_sent(state: SessionState, agent: str, parts: Sequence[str], window: int) -> say.WorkersSent:
    """Return the sending of a worker for each part. Raises UsageError: no parts, too many, or too few tokens."""
    works = [clean(part).strip() for part in parts]
    if not works or not all(works) or len(works) > MOST_WORKERS:
        raise UsageError(f"{len(works)} parts cannot be given to workers.", f"Give 1 to {MOST_WORKERS}, none empty.")
    if max(map(len, works)) > MOST_CHARACTERS:
        raise UsageError("A worker's task is too long.", f"Use {MOST_CHARACTERS:,} characters at most.")
    bound = state.bounds.max_tokens
    left = window if bound is None else max(bound - state.spent.tokens, 0)
    reserve = int(left * _KEPT_FOR_THE_AGENT)
    allowance = share(left - reserve, len(works))
    before = sum(worker.agent == agent for worker in state.workers)
    return say.WorkersSent(
        agent=agent,
        workers=tuple(
            say.SentWorker(worker=f"{agent}.{number}", work=work, allowance=allowance)
            for number, work in enumerate(works, start=before + 1)
        ),
        snapshot=digest(whole(SessionView(state, agent))),
        reserve=reserve,
    )


def share(tokens: int, count: int) -> int:
    """Return what each of so many workers may spend. Raises UsageError if that is too little."""
    free = max(tokens, 0)
    if free // count < LEAST_ALLOWANCE:
        raise UsageError(
            f"{free:,} tokens are too few for {count} workers; each needs {LEAST_ALLOWANCE:,}.",
            "Send fewer workers, or raise the session's bound of tokens.",
        )
    return free // count


def work_prompt(state: SessionState, call: Call, worker: Worker, model: LanguageModel) -> tuple[Call, Prompt]:
    """Return a worker's call, which names what it is shown, and its prompt: its agent's context, as far as it can pay.

    Raises ContextTooSmall.
    """
    window = min(model.window, worker.allowance - worker.spent)
    budget = Budget(
        window=window,
        reserve=reserve_of(window),
        overhead=estimate_prompt(messages_for(call)),
        aside=schema_tokens(call.task),
    )
    if budget.counted(0) > budget.limit:
        call = in_part(call, budget.room)
        budget = replace(budget, overhead=estimate_prompt(messages_for(call)))

    def rendered(bundle: Bundle) -> tuple[Message, ...]:
        shown = [
            {"id": f"e{number}", "who": entry.agent or entry.role, "time": entry.time, "text": entry.text}
            for number, entry in enumerate(bundle.current_conversation, start=1)
        ]
        return messages_for(call, quoted={"context_of_your_agent": shown} | ({"your_tools": used} if used else {}))

    uses = [use for use in state.uses if use.worker == worker.worker]
    used = [
        {"id": f"t{number}", "tool": use.tool, "text": use.result.text if use.result is not None else ""}
        for number, use in enumerate(uses, start=1)
    ]
    view = SessionView(state, worker.agent, as_of=worker.seq)
    gathered = gather(view, (), budget, state.options.context)
    bundle, messages = fitted(gathered, view, (), budget, rendered)
    copied = tuple(replace(entry, source="parent") for entry in bundle.current_conversation)
    shown = replace(bundle, current_conversation=copied)
    context = record_of(shown, state.session, budget, estimate_prompt(messages))
    covers = (*(entry.id for entry in copied), *(f"{TOOL_RESULT}{use.use}" for use in uses))
    return replace(call, covers=covers), Prompt(messages, context)


def worker_report(state: SessionState, received: Received) -> Record:
    """Return what a worker brings back: its answer, or what can be read of it."""
    worker = next(one for one in state.workers if one.worker == received.call.worker)
    task = WorkTask(goal="", today="", agent="", instructions="", work=worker.work)
    try:
        reply, mended, is_cut = read_reply(task, received.text)
    except ModelReplyInvalid as error:
        return _report(worker, WorkReply(answer=received.text, open_questions=(worker.work,)), error.message)
    if not isinstance(reply, WorkReply):  # another type would not have fitted the task
        return _report(worker, WorkReply(answer=received.text), "Its reply answers another task.")
    results = [name for name in received.call.covers if name.startswith(TOOL_RESULT)]
    shown = {f"e{number}": name for number, name in enumerate(received.call.covers, start=1) if name not in results}
    shown |= {f"t{number}": name for number, name in enumerate(results, start=1)}
    evidence = tuple(shown[handle] for handle in reply.evidence if handle in shown)
    record = _report(worker, replace(reply, evidence=evidence), "Its reply was cut off." if is_cut else "")
    return Record((say.ReplyMended(call=received.call.call, notes=mended), *record.bodies)) if mended else record


def salvaged(worker: Worker, why: str) -> Record:
    """Return the report of a worker that has no answer: its work stays open."""
    return _report(worker, WorkReply(answer="", open_questions=(worker.work,)), why)


def _report(worker: Worker, reply: WorkReply, why: str = "") -> Record:
    report = say.WorkerReported(
        worker=worker.worker,
        agent=worker.agent,
        answer=reply.answer,
        evidence=reply.evidence,
        open_questions=reply.open_questions,
        spent=worker.spent,
        is_complete=not why,
        why=why,
    )
    return Record((capped(report, MOST_OF_A_REPORT),))


def capped(report: say.WorkerReported, max_tokens: int) -> say.WorkerReported:
    """Return a report whose answer takes at most so many tokens; lists are cut to what an agent can read."""
    answer, length = report.answer, len(report.answer)
    while estimate_tokens(answer) > max_tokens and length > 1:
        length = min(length - 1, length * max_tokens // estimate_tokens(answer))
        answer = shorten(report.answer, max(length, 1))
    return replace(
        report,
        answer=answer if estimate_tokens(answer) <= max_tokens else "",
        evidence=tuple(dict.fromkeys(report.evidence))[:MOST_EVIDENCE],
        open_questions=tuple(shorten(question, _QUESTION) for question in report.open_questions[:MOST_QUESTIONS]),
    )
