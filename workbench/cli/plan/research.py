"""``workbench research``: what the project's files and a session's memory have on a text, or on a session's gaps."""

from __future__ import annotations

import argparse
from typing import Literal

import msgspec

from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output
from workbench.domain.errors import InvalidId, NotFound
from workbench.domain.session.events import GapsResearched, Source


class SourceObject(Source, frozen=True, kw_only=True, omit_defaults=False):
    """A line of ``workbench research --json``."""

    schema: Literal["workbench.source/1"] = "workbench.source/1"
    session: str = ""
    """The session in which it was recorded; "" if only a text was looked up."""


def research(options: argparse.Namespace) -> int:
    """Look up a session's gaps, and record what was read in it; or look up a text, and record nothing."""
    output, workspace = Output.from_options(options), existing_workspace(options)
    name = options.record_in
    if not name:
        try:
            name = str(workspace.parts.known(options.what))
        except (InvalidId, NotFound):
            name = ""
    text = "" if name == options.what else options.what
    account = workspace.session(name).research(text) if name else workspace.research(text)
    sources = (SourceObject(**msgspec.structs.asdict(one), session=name) for one in account.found)
    if not output.json_lines(map(msgspec.to_builtins, sources)):
        _print(account, output)
    if account.unavailable:
        output.note(f"workbench: {account.unavailable}")
    return 0


def _print(account: GapsResearched, output: Output) -> None:
    for gap in account.gaps:
        output.heading(gap)
        rows = [(one.ref, one.text) for one in account.found if one.gap == gap]
        if rows:
            output.table(("where", "begins with"), rows)
        else:
            output.line("Nothing new was found.", "dim")
    if not account.gaps:
        output.line("Nothing is open that was not looked up.")
    output.line(f"{account.looked_at:,} files were looked at.", "dim")
