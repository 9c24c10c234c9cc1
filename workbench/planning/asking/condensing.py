"""When a conversation comes near the window of who is asked, its oldest part is said in fewer words.

    Call ──is_due?──▶ middle ──┬ a language model ─▶ Call(condense) ─▶ reply ──judged──▶ conversation.condensed
                               └ no model, or it failed: a note in its place ──────────▶ conversation.condensed
                          too long, repetitive, or without a fact: refused ─▶ a note the next time

One agent's view is condensed at a time, so no summary carries one agent's words to another. The originals stay in the
log; a summary names all that it covers.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.context.condense import (
    LEAST_SAVED,
    Condensed,
    Refusal,
    condense,
    elide,
    is_due,
    middle,
    room_in,
    summary_room,
)
from workbench.context.entry import Entry
from workbench.context.fit import Budget
from workbench.context.summary_faults import fault_of
from workbench.context.view import SessionView
from workbench.domain.loop.asking.tasks import CondenseTask
from workbench.domain.loop.steps import Call, Record
from workbench.domain.session import events as say
from workbench.domain.session.context import Summary
from workbench.domain.session.state import CONDENSE, Received, SessionState
from workbench.domain.statements.statement import GOAL, still_holding
from workbench.models.ports import FREE
from workbench.models.tokens import estimate_prompt
from workbench.planning.asking.roles import messages_for


def condensing(state: SessionState, view: SessionView, budget: Budget, model: str) -> Call | Record | None:
    """Return what condenses a view before its next call; None if that is not due, or not worth it."""
    entries = whole(view)
    if view.agent is None or not is_due(entries, budget):
        return None
    chosen = middle(entries, budget)
    if not chosen:
        return None
    if model not in FREE and view.agent not in state.not_condensed:
        asked = _condensing_call(view.agent, entries, chosen, budget)
        if asked is not None:
            return asked
    condensed = elide(entries, chosen, agent=view.agent)
    return None if isinstance(condensed, Refusal) else Record((_condensed_event(condensed, view.agent),))


def summary_record(state: SessionState, received: Received) -> Record:
    """Return what becomes of a summary that a model wrote: it takes its place, or is refused."""
    call = received.call
    entries = whole(SessionView(state, call.role))
    covered = set(call.covers)
    chosen = [entry for entry in entries if covered.issuperset(entry.leaves)]
    text, holding = received.text.strip(), still_holding(state.accounts)
    stated = [one.statement.text for one in holding if one.statement.source != GOAL]  # a goal is told with every task
    fault = fault_of(text, [entry.text for entry in chosen], room_in(call.window), stated) if call.window else ""
    condensed = Refusal(why=fault) if fault else condense(entries, chosen, text, by=call.model, agent=call.role)
    if isinstance(condensed, Refusal):
        return Record((say.ReplyRejected(call=call.call, message=condensed.why),))
    return Record((_condensed_event(condensed, call.role),))


def whole(view: SessionView) -> tuple[Entry, ...]:
    """Return all of a view but what is excluded: the last summary, what of before it is pinned, and what came since."""
    since = tuple(reversed([entry for entry in view.newest_first() if entry.id not in view.excluded]))
    known = {entry.id for entry in since}
    kept = tuple(entry for entry in view.kept if entry.id not in known | view.excluded)
    return (*(() if view.summary is None else (view.summary,)), *kept, *since)


def _condensing_call(agent: str, entries: Sequence[Entry], chosen: Sequence[Entry], budget: Budget) -> Call | None:
    """Return the call that condenses the oldest of what was chosen, as much as one prompt holds; the rest comes next.

    None if that is too little for a summary to be worth it.
    """
    least = summary_room(budget) + LEAST_SAVED * sum(entry.tokens for entry in entries)
    while sum(entry.tokens for entry in chosen) > least:
        task = CondenseTask(said=tuple(_as_said(entry) for entry in chosen), max_tokens=summary_room(budget))
        asked = Call(CONDENSE, agent, task, covers=tuple(leaf for entry in chosen for leaf in entry.leaves))
        if estimate_prompt(messages_for(asked)) <= budget.limit:
            return asked
        chosen = chosen[: len(chosen) * 3 // 4]
    return None


def _as_said(entry: Entry) -> str:
    if entry.role == "summary":
        return f"Summary of what came before:\n{entry.text}"
    who = "The person" if entry.role == "user" else "You"
    return f"{who}, {entry.time}:\n{entry.text}"


def _condensed_event(condensed: Condensed, agent: str) -> say.ConversationCondensed:
    entry = condensed.summary
    summary = Summary(id=entry.id, text=entry.text, by=entry.by, covers=entry.covers, seq=entry.seq, time=entry.time)
    return say.ConversationCondensed(agent=agent, summary=summary, receipt=condensed.receipt)
