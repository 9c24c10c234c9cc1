"""``workbench statements``: what a person said in a session, what became of it, and what they dismiss."""

from __future__ import annotations

import argparse

import msgspec

from workbench.cli.opening import session_of
from workbench.cli.output import Output, counted
from workbench.domain.loop.convergence import listed
from workbench.export.statements import became, statement_objects


def statements(options: argparse.Namespace) -> int:
    """Dismiss statements or take that back where asked to; then show them."""
    output = Output.of(options)
    session = session_of(options)
    state = session.state()
    if options.dismiss:
        state = session.mark_statement(options.dismiss, "dismissed")
    if options.reopen:
        state = session.mark_statement(options.reopen, "open")
    if output.json_lines(msgspec.to_builtins(one) for one in statement_objects(state.accounts)):
        return 0
    if not state.statements:
        output.line("Nothing is accounted for by statement: the session has not begun.")
        return 0
    accounts = listed(state)
    for one in accounts:
        output.line(
            f"{one.statement.id:<4} {one.statement.source:<5} {one.statement.text}", "" if one.is_open else "dim"
        )
        output.line(f"           {became(one, state.plan)}", "yellow" if one.is_open else "dim")
    waiting = sum(one.is_open for one in accounts)
    output.line(f"{counted(len(accounts), 'statement')}, {waiting} not used yet", "bold")
    return 0
