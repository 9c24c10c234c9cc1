"""``workbench context``: exactly what a model was sent for a call, item by item, and what it was not.

ID --call N ─▶ CallContext ─▶ a bar by source, the items of both sections, what was dropped, receipts, the prompt
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

import msgspec

from workbench.cli.opening import session_of
from workbench.cli.output import Output, counted, local_time
from workbench.context.entry import Entry
from workbench.domain.session.context import spoken
from workbench.domain.text.cleaning import shorten
from workbench.replay.contexts import CallContext, considered, context_of, expand

_BAR = 40
"""Characters of the bar."""
_SHOWN = 100
"""Characters of an item in a table for people."""
_FIELDS = (
    *("id", "session", "agent", "role", "seq", "time", "source", "section", "rank", "score", "parts", "reason"),
    *("tokens", "bytes", "pinned", "why_not", "like", "by", "covers", "text"),
)
"""What is told of an item as JSON."""


def context(options: argparse.Namespace) -> int:
    """Print what was sent for a call."""
    output = Output.of(options)
    events = tuple(session_of(options).events())
    sent = context_of(events, options.call or "")
    if output.as_json:
        output.json(_object(sent))
        return 0
    heading = sent.heading
    output.line(
        f"{heading.call} · {heading.role} · {heading.task} · {heading.model} · {local_time(heading.time)}", "bold"
    )
    output.line(_fill(sent))
    for name, tokens in sent.by_source.items():
        output.line(f"  {name:<16} {_bar(tokens, heading.tokens)} {tokens:>8,}")
    if not sent.is_recorded:
        output.line("An older workbench made this call: it kept the prompt, and no ledger.")
    if sent.unavailable:
        output.line(sent.unavailable)
    _items(output, "This conversation", sent.current_conversation)
    _items(output, "Recalled", sent.relevant_history)
    _items(output, "Not sent", sent.dropped)
    if sent.goes_back_further:
        output.line("Older messages were not even considered: the window does not reach them.")
    for receipt in sent.receipts:
        said = f"{receipt.what} by {receipt.by}: {counted(len(receipt.ids), 'item')}"
        output.line(f"Receipt: {said}, {receipt.tokens_before:,} → {receipt.tokens_after:,} tokens. {receipt.note}")
    if options.expand:
        for one in sent.current_conversation:
            if one.covers:
                _items(output, f"What {one.id} stands for", expand(events, one))
    if options.prompt:
        for message in sent.prompt:
            output.heading(message.role)
            output.line(message.content)
    return 0


def _fill(sent: CallContext) -> str:
    if not sent.window:
        return f"{sent.heading.tokens:,} tokens"
    share = sent.heading.tokens / sent.window
    return f"{sent.heading.tokens:,} of {sent.window:,} tokens ({share:.1%})"


def _bar(tokens: int, whole: int) -> str:
    full = round(_BAR * tokens / max(whole, 1))
    return "█" * full + "·" * (_BAR - full)


def _items(output: Output, heading: str, items: Iterable[Entry]) -> None:
    rows = [
        [one.id, one.source, one.session, one.agent or one.role, f"{one.tokens:,}", _why(one), _text(one)]
        for one in items
    ]
    if rows:
        output.heading(heading)
        output.table(["id", "source", "session", "who", "tokens", "why", "text"], rows, right=["tokens"])


def _why(one: Entry) -> str:
    if one.why_not:
        return one.why_not + (f" of {one.like}" if one.like else "")
    return f"{one.reason} ({one.score:.2f})" if one.score else one.reason


def _text(one: Entry) -> str:
    return shorten(" ".join(one.text.split()), _SHOWN)


def as_object(entry: Entry) -> dict[str, Any]:
    """Return an item as it is told as JSON."""
    return {name: getattr(entry, name) for name in _FIELDS}


def _object(sent: CallContext) -> dict[str, Any]:
    heading = sent.heading
    return {
        "schema": "workbench.context/1",
        "session": sent.session,
        "call": heading.call,
        "role": heading.role,
        "task": heading.task,
        "attempt": heading.attempt,
        "model": heading.model,
        "time": heading.time,
        "recorded": sent.is_recorded,
        "current_conversation": [as_object(one) for one in sent.current_conversation],
        "relevant_history": [as_object(one) for one in sent.relevant_history],
        "chat_history": [as_object(one) for one in sent.chat_history],
        "ledger": {
            "considered": [one.id for one in considered(sent)],
            "injected": [one.id for one in (*sent.current_conversation, *sent.relevant_history)],
            "dropped": [as_object(one) for one in sent.dropped],
            "goes_back_further": sent.goes_back_further,
            "tokens": sent.tokens,
            "total": heading.tokens,
            "by_source": sent.by_source,
            "window": sent.window,
            "limit": sent.limit,
            "unavailable": sent.unavailable,
        },
        "receipts": msgspec.to_builtins(sent.receipts),
        "prompt": spoken(sent.prompt),
    }
