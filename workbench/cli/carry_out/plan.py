"""``workbench plan``: what is calculated from a session's plan."""

from __future__ import annotations

import argparse

from workbench.cli.opening import session_of
from workbench.cli.output import Output
from workbench.domain.errors import NotFound
from workbench.export.figures import figures_of, headline, tables
from workbench.export.markdown import plan_version
from workbench.export.objects import plan_object


def show_plan(options: argparse.Namespace) -> int:
    """Show the figures of a plan: a line, then schedule, costs and people."""
    output = Output.from_options(options)
    state = session_of(options).state()
    chosen = plan_version(state, options.plan_version)
    if chosen is None:
        raise NotFound("No plan is drafted yet.", f"Go on with: workbench resume {state.session}")
    if output.as_json:
        output.json(plan_object(state, chosen))
        return 0
    told = figures_of(state, chosen.plan)
    output.line(f"{state.session} · {chosen.plan.title or state.name} · version {chosen.version}", "bold")
    output.line(headline(told) or "No step has a date or a cost yet.")
    for table in tables(told):
        output.heading(table.title)
        output.table(table.columns, table.rows, right=table.right)
        for note in table.notes:
            output.line(note, "dim")
    return 0
