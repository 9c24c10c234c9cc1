"""``workbench sessions list`` and ``search``: apart from the other session commands, because a list must start fast."""

from __future__ import annotations

import argparse

from workbench.cli.opening import existing_workspace, has_workspace
from workbench.cli.output import Output, local_time
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean_name, shorten


def list_sessions(options: argparse.Namespace) -> int:
    """List all sessions, newest first."""
    output = Output.from_options(options)
    listed = existing_workspace(options).sessions() if has_workspace(options) else []
    rows = [
        (one.session, one.status, str(one.iterations), local_time(one.updated), shorten(one.goal or one.error, 60))
        for one in listed
    ]
    return output.listing(
        ({"schema": "workbench.listed/1", **one.as_object()} for one in listed),
        ("session", "status", "iterations", "updated", "goal"),
        rows,
        right=("iterations",),
        empty='No sessions yet. Begin one with: workbench run "What you want to plan"',
    )


def search_sessions(options: argparse.Namespace) -> int:
    """Search all sessions. Nothing is recorded, and nothing of it enters a prompt."""
    from workbench.cli.memory_and_sharing.recall import MOST_RESULTS
    from workbench.domain.text.excerpt import excerpt, sought

    if not sought(options.query):
        raise UsageError("The query is empty.", "Say what to look for, in a word or more.")
    if not 1 <= options.limit <= MOST_RESULTS:
        raise UsageError(f"--limit is {options.limit}.", f"Give a whole number from 1 to {MOST_RESULTS:,}.")
    output = Output.from_options(options)
    workspace = existing_workspace(options)
    names = {session.session: session.name or session.goal for session in workspace.sessions()}
    result = workspace.search_sessions(options.query, options.limit)
    if result.unreadable:
        names_of = ", ".join(result.unreadable)
        output.note(f"workbench: These sessions could not be read: {names_of}. `workbench sessions list` says why.")
    if not output.as_json and not result.literal and not any(one.relevant for one in result.near):
        output.line("No session remembers anything that matches." + (" The nearest there is:" if result.near else ""))
    words = sought(options.query)
    for one in (*result.literal, *result.near):
        item, why = one.item, one.why
        fields = {
            "session": item.session,
            "name": names.get(item.session, ""),
            "id": item.id,
            "who": item.agent or ("you" if item.role == "user" else item.role),
            "time": item.time,
            "why": why,
            "excerpt": excerpt(item.text, words),
        }
        if output.as_json:
            more = {"role": item.role, "literal": one in result.literal, "relevant": one.relevant}
            output.json({"schema": "workbench.found/1", **fields, **more})
        else:
            name = clean_name(fields["name"], 40)
            head = (item.session, name, item.id, clean_name(fields["who"]), local_time(item.time), why)
            output.line(" · ".join(part for part in head if part), "dim")
            output.line(f"    {fields['excerpt']}")
    return 0
