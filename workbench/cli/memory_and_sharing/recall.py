"""``workbench recall``: what a session remembers of something, for its person or one of its agents.

QUERY ─▶ the view of one session ─▶ Recalled, best first ─▶ a line each
"""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from workbench.cli.opening import existing_workspace, session_of
from workbench.cli.output import Output, local_time, picked
from workbench.domain.errors import UsageError
from workbench.domain.log.ids import agent_id
from workbench.domain.session.context import nearness
from workbench.domain.session.events import Quoted
from workbench.domain.text.cleaning import clean_name, shorten
from workbench.memory.found import Found
from workbench.models.tokens import estimate_tokens

MOST_RESULTS = 1000
_SHOWN = 300
"""Characters of an item in a list for people."""


def recall(options: argparse.Namespace) -> int:
    """Search a session's own memory, or for a session what others remember."""
    if options.across != (options.asking is not None) or options.across == (options.session is not None):
        raise UsageError(
            "It is not clear whose memory is searched.",
            "Name one session with --session ID, or search others with --across --asking ID --reason TEXT.",
        )
    if not 1 <= options.limit <= MOST_RESULTS:
        raise UsageError(f"--limit is {options.limit}.", f"Give a whole number from 1 to {MOST_RESULTS:,}.")
    return _across(options) if options.across else _search_session(options)


def _across(options: argparse.Namespace) -> int:
    output = Output.from_options(options)
    agent = None if options.agent is None else agent_id(options.agent)
    asking = existing_workspace(options).session(options.asking)
    searched = asking.recall(options.query, options.limit, agent=agent, reason=options.reason or "")
    if searched.unavailable:
        output.note(f"workbench: {searched.unavailable} `workbench sessions list` says why.")
    if not searched.found and not output.as_json:
        output.line("No other session remembers anything that matches.")
    for rank, one in enumerate(searched.found, start=1):
        if output.as_json:
            fields = {"rank": rank, **msgspec.to_builtins(one), "source": "semantic"}
            output.json({"schema": "workbench.recalled/1", **fields, "tokens": estimate_tokens(one.text)})
        else:
            whose = f"{one.session} · {_speaker(one.role, one.agent)}"
            output.line(_head(rank, one, whose, one.time), "dim")
            output.line(f"            {shorten(' '.join(one.text.split()), _SHOWN)}")
    return 0


def _search_session(options: argparse.Namespace) -> int:
    output = Output.from_options(options)
    view = session_of(options).memory()
    if options.agent is not None:
        view = view.for_agent(agent_id(options.agent))
    found = view.search(options.query, options.limit)
    if not output.as_json and not any(one.relevant for one in found):
        output.line("This session remembers nothing near." + (" The nearest there is:" if found else ""))
    for one in found:
        if output.as_json:
            output.json({"schema": "workbench.recalled/1", **_object(one)})
        else:
            item = one.item
            output.line(_head(one.rank, one, _speaker(item.role, item.agent), item.time), "dim")
            output.line(f"            {shorten(' '.join(item.text.split()), _SHOWN)}")
    return 0


def _object(found: Found) -> dict[str, Any]:
    item = found.item
    return {
        "rank": found.rank,
        **picked(item, "id", "session", "agent", "role", "source"),
        "score": round(found.score, 4),
        **picked(found, "relevant", "why"),
        "tokens": estimate_tokens(item.text),
        **picked(item, "time", "text"),
    }


def _speaker(role: str, agent: str | None) -> str:
    return agent or ("you" if role == "user" else role)


def _head(rank: int, one: Found | Quoted, whose: str, time: str) -> str:
    near = f"{nearness(one.relevance)} ({one.relevance:.1f})"
    return f"{rank:>3}  {near:<13}  {clean_name(whose)} · {local_time(time)} · {one.why}"
