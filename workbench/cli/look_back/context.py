"""``workbench context``: exactly what a model was sent for a call, item by item, and what it was not.

ID --call N ─▶ CallContext ─▶ the rows of the application's view 4, or JSON
"""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from workbench.cli.opening import session_of
from workbench.cli.output import Output, picked
from workbench.context.entry import Entry
from workbench.domain.session.context import spoken
from workbench.replay.contexts import CallContext, calls_of, considered, context_of, expand
from workbench.tui.marks import Marks
from workbench.tui.session.records.context_rows import SENT, context_rows
from workbench.tui.session.records.looking_back import Looked, Wanted

_FIELDS = (
    *("id", "session", "agent", "role", "seq", "time", "source", "section", "rank", "score", "parts", "reason"),
    *("tokens", "bytes", "pinned", "why_not", "like", "by", "covers", "text"),
)
"""What is told of an item as JSON."""


def context(options: argparse.Namespace) -> int:
    """Print what was sent for a call."""
    output = Output.from_options(options)
    events = tuple(session_of(options).events())
    sent = context_of(events, options.call or "")
    if output.as_json:
        output.json(_object(sent))
        return 0
    calls = [call.call for call in calls_of(events)]
    originals = tuple((one.id, expand(events, one)) for one in sent.current_conversation if one.covers)
    place = calls.index(sent.heading.call)
    looked = Looked(Wanted(0, place), place, len(calls), sent, originals)
    unfolded = {f"{SENT}prompt"} if options.prompt else set()
    unfolded |= {f"{SENT}receipt:{place}" for place in range(len(sent.receipts) if options.expand else 0)}
    output.rows(context_rows(looked, frozenset(unfolded), output.width, Marks()))
    return 0


def as_object(entry: Entry) -> dict[str, Any]:
    """Return an item as it is told as JSON."""
    return picked(entry, *_FIELDS)


def _object(sent: CallContext) -> dict[str, Any]:
    sections = picked(sent, "current_conversation", "relevant_history", "chat_history")
    return {
        "schema": "workbench.context/1",
        "session": sent.session,
        **picked(sent.heading, "call", "role", "task", "attempt", "model", "time"),
        "recorded": sent.is_recorded,
        **{name: list(map(as_object, entries)) for name, entries in sections.items()},
        "ledger": {
            "considered": [one.id for one in considered(sent)],
            "injected": [one.id for one in (*sent.current_conversation, *sent.relevant_history)],
            "dropped": list(map(as_object, sent.dropped)),
            "total": sent.heading.tokens,
            **picked(sent, "goes_back_further", "tokens", "by_source", "window", "limit", "unavailable"),
        },
        "receipts": msgspec.to_builtins(sent.receipts),
        "prompt": spoken(sent.prompt),
    }
