"""``workbench sessions list``: apart from the other session commands, because it must start fast."""

from __future__ import annotations

import argparse

from workbench.cli.opening import existing_workspace, has_workspace
from workbench.cli.output import Output, local_time
from workbench.domain.text.cleaning import shorten


def list_sessions(options: argparse.Namespace) -> int:
    """List all sessions, newest first."""
    output = Output.of(options)
    listed = existing_workspace(options).sessions() if has_workspace(options) else []
    if output.as_json:
        for one in listed:
            output.json({"schema": "workbench.listed/1", **one.as_object()})
        return 0
    if not listed:
        output.line('No sessions yet. Begin one with: workbench run "What you want to plan"')
        return 0
    rows = [
        (one.session, one.status, str(one.iterations), local_time(one.updated), shorten(one.goal or one.error, 60))
        for one in listed
    ]
    output.table(("session", "status", "iterations", "updated", "goal"), rows, right=("iterations",))
    return 0
