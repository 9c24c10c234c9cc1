"""What stands for the oldest part of a conversation, judged when it is recorded."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.context import SentContext
from workbench.replay.audit.conversation import CONDENSE
from workbench.replay.audit.leaks import Leaks
from workbench.replay.audit.ledger import Broken, LedgerCheck
from workbench.replay.audit.record import Record, is_forgotten

_BY_RULE = "rule: "


def summary_broken(record: Record, event: Event, body: say.ConversationCondensed, leaks: Leaks) -> Iterator[Broken]:
    """Yield the rules that a summary breaks, and how."""
    summary, receipt = body.summary, body.receipt
    yield from _covers(record, body)
    if receipt.ids != summary.covers or receipt.way_back != summary.id:
        yield "summary.receipt", f"the receipt of {summary.id} names something else"
    if not 0 <= receipt.tokens_after < receipt.tokens_before:
        change = f"{receipt.tokens_before:,} to {receipt.tokens_after:,}"
        yield "summary.receipt", f"{summary.id} changes {change} tokens"
    if is_forgotten(event):
        return
    yield from _author(record, body)
    leak = leaks.in_text(summary.text, body.agent, event.time)
    if leak is not None:
        rule, detail = leak
        yield (rule if rule == "private.text" else "summary.words"), detail


def _covers(record: Record, body: say.ConversationCondensed) -> Iterator[Broken]:
    summary = body.summary
    asking = say.CallStarted(
        call="", role=body.agent, task=CONDENSE, attempt=1, model="", messages=(), prompt_hash="", parameters={}
    )
    view = LedgerCheck(record, asking, SentContext())
    for item in summary.covers:
        broken = view.may_be_covered(item)
        if broken is not None:
            yield "summary.covers", broken[1]
            return
    if not summary.covers or len(set(summary.covers)) != len(summary.covers):
        yield "summary.covers", f"{summary.id} covers nothing, or something twice"
    elif max(record.covered(item).seq for item in summary.covers) != summary.seq:
        yield "summary.covers", f"{summary.id} does not end with the newest message that it covers"


def _author(record: Record, body: say.ConversationCondensed) -> Iterator[Broken]:
    """Hold a summary of a model against the reply that it was."""
    summary = body.summary
    if summary.by.startswith(_BY_RULE) or record.condensing is None:
        if not summary.by.startswith(_BY_RULE):
            yield "summary.text", f"{summary.by} was not asked for {summary.id}"
        return
    call, reply = record.condensing
    is_its = (call.role, call.model, reply.strip()) == (body.agent, summary.by, summary.text)
    if not is_its or not set(summary.covers) <= set(call.covers):
        yield "summary.text", f"{summary.id} is not what {summary.by} replied"
